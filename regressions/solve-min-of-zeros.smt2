; Bug: a satisfiable query about fp.min was unknown.
; Cause: SMT-LIB leaves the sign of fp.min of two zeros of opposite sign to the model, and no engine searched for it. A model can carry the choice.
(set-logic QF_FP)
(declare-const x (_ FloatingPoint 8 24))
(assert (= x (fp.min (_ +zero 8 24) (_ -zero 8 24))))
(assert (fp.isNegative x))
(set-info :status sat)
(check-sat)
