; Not a number equals itself by = and nothing by fp.eq.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 8 24))
(assert (not (fp.eq x x)))
(set-info :status sat)
(check-sat)
(assert (distinct x (_ NaN 8 24)))
(set-info :status unsat)
(check-sat)
