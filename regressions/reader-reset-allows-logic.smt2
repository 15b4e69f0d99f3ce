; Bug: after (reset) a client could not set a logic again.
; Cause: the check that was made before the reset still counted as the beginning of the script.
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(set-info :status sat)
(check-sat)
(reset)
(set-logic QF_BV)
(declare-const x (_ BitVec 4))
(assert (bvult x #x0))
(set-info :status unsat)
(check-sat)
