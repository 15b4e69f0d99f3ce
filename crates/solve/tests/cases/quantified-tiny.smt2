; The evaluator decides small quantifiers, so a guess is enough.
(set-logic BV)
(set-info :status sat)
(declare-const x (_ BitVec 4))
(assert (forall ((y (_ BitVec 4))) (= (bvand x y) x)))
(check-sat)
