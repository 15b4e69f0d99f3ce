; NaN.
(set-logic QF_FP)
(set-info :status sat)
(declare-const x Float32)
(assert (not (fp.eq x x)))
(check-sat)
