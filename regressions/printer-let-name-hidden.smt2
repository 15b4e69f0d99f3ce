; Bug: one random term in about 1,000 was printed as another term.
; Cause: a subterm that was named by `let` in an outer scope was printed by that name below an inner binder of one of its variables, where the
; name means the outer variable.
; Run: fmt {file}
; Expect: (exists ((x Int)) (p (+ x (* 3 x) 12345678901234567890)))
(set-logic ALL)
(declare-fun p (Int) Bool)
(declare-const x Int)
(assert (and (p (+ x (* 3 x) 12345678901234567890)) (> (+ x (* 3 x) 12345678901234567890) 0) (exists ((x Int)) (p (+ x (* 3 x) 12345678901234567890)))))
(check-sat)
