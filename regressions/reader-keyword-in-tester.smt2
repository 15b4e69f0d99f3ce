; Bug: the reader never came back from a keyword inside a tester.
; Cause: recovery after the error looked for a closing bracket and did not move past the keyword.
; Run: check {file}
; Exit: 2
; Expect: expected the name of a constructor, found `:nil`
(declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
(declare-const l L)
(assert ((_ is :nil) l))
(check-sat)
