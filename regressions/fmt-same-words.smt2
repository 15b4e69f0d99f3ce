; Bug: `fmt` of its own output differed from it.
; Cause: names for shared subterms depended on what was read before. `fmt` writes a term in the same words whatever was read before.
; Run: fmt {file}
; Expect: (assert (= (+ x y) (* 2 x)))
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ x y) (* 2 x)))
(check-sat)
