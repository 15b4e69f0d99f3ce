; Bug: Z3 refused what `fmt` printed: "invalid attribute, not in the scope of a quantifier".
; Cause: sharing put a `let` between a quantifier and its pattern. The lets of such a body stand inside the annotation.
; Run: fmt {file}
; Expect: (forall ((x Int)) (!
(set-logic ALL)
(declare-fun f (Int) Int)
(assert (forall ((x Int)) (! (= (f (+ x (* 2 x))) (+ (f (+ x (* 2 x))) (f (+ x (* 2 x))))) :pattern ((f x)))))
(check-sat)
