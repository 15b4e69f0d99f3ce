; Fractions, negative ones too.
(set-logic QF_LRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (* 3 x) (- 1)))
(assert (= (+ x (* 7 y)) (/ 22 10)))
(assert (< x y))
(check-sat)
(get-model)
