; Bug: a script with an ill-sorted assertion was answered `sat`.
; Cause: the session went on without the assertion. After a rejected assertion it answers neither `sat` nor `unsat`.
; Run: solve {file}
; Exit: 2
; Expect: unknown
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x true))
(check-sat)
