; Bug: two conjuncts about the same open fp.min could be answered with two different choices.
; Cause: conjuncts without a common symbol were solved apart, but the choice of the zero is one for all of them.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 5 11))
(declare-const y (_ FloatingPoint 5 11))
(assert (= x (fp.min (_ +zero 5 11) (_ -zero 5 11))))
(assert (= y (fp.min (_ +zero 5 11) (_ -zero 5 11))))
(assert (fp.isNegative x))
(assert (fp.isPositive y))
(set-info :status unsat)
(check-sat)
