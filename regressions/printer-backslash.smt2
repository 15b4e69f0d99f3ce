; Bug: right answers of Z3 4.8.9 and 4.8.10 looked wrong.
; Cause: those releases read C's escapes as well, so that the four characters \x0a were one character to them. Every backslash is printed as an
; escape of SMT-LIB 2.6.
; Run: fmt {file}
; Expect: "\u{5c}x0a"
(set-logic QF_S)
(declare-const s String)
(assert (= s "\x0a"))
(check-sat)
