; The square root of two has no exact value in a model.
(set-logic QF_NRA)
(declare-const x Real)
(declare-const y Real)
(assert (= (* x x) 2.0))
(assert (> x 0.0))
(assert (= y 3.0))
(check-sat)
(get-model)
