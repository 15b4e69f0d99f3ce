; Between two numbers there is another one.
(set-logic QF_LRA)
(set-info :status sat)
(declare-const x Real)
(declare-const y Real)
(assert (< 0 x (/ 1 3)))
(assert (< (* 2 y) x))
(assert (> y 0))
(check-sat)
