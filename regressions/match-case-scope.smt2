; Bug: the variables of a `match` case were renamed though nothing was in their way.
; Cause: names that the scrutinee or another case mentions counted as taken. Each case has a scope of its own.
; Run: fmt {file}
; Expect: ((cons h t) (> h 0))
(set-logic ALL)
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-const h L)
(assert (match h ((nil false) ((cons h t) (> h 0)))))
(check-sat)
