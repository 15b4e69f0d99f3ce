; Bug: one mistake in a declaration was reported again at every use of the symbol.
; Cause: the follow-up errors were told apart by comparing the text of a message. They are a kind of error of their own now.
; Run: check {file}
; Exit: 2
; Expect: unknown sort `Integer`
; Never: unknown symbol `x`
(declare-const x Integer)
(assert (> x 0))
(assert (< x 9))
