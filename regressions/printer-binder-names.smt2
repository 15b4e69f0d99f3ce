; Bug: two variables of one binder were printed under the same new name.
; Cause: each variable that needed another name got the first free one, without looking at its siblings.
; Run: fmt {file}
; Never: ((y Int) (y Int))
; Expect: (forall ((y!1 Int) (z!1 Int))
(set-logic ALL)
(declare-const y Int)
(declare-const z Int)
(assert (let ((a y) (b z)) (forall ((y Int) (z Int)) (or (= y a) (= z b) (< y z)))))
(check-sat)
