; All values of the format are tried.
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 2 3))
(assert (fp.lt (fp.abs x) x))
(check-sat)
