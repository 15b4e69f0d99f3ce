; A quantifier makes Z3 describe an array by a lambda.
(set-logic ALL)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(assert (forall ((i Int)) (= (select a i) (+ 1 (select b (* 2 i))))))
(assert (= (select a 5) 11))
(assert (= (select b 4) 12))
(check-sat)
(get-model)
