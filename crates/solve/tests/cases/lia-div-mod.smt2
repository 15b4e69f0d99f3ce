; Division and remainder of negative numbers round so that the remainder is not negative.
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(assert (< x 0))
(assert (= (mod x 3) (- 1)))
(check-sat)
