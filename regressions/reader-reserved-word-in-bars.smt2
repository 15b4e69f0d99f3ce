; Bug: a constant named |let| could not be declared, and afterwards (let ...) was not understood.
; Cause: the lexer dropped the bars, so that the symbol took the place of the reserved word. Such a symbol keeps its bars.
(set-logic QF_LIA)
(declare-const |let| Int)
(declare-const |as| Int)
(assert (let ((x |let|)) (> x |as|)))
(set-info :status sat)
(check-sat)
