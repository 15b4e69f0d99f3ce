; Bug: a nest of `ite` over numerals made the arithmetic engine slow.
; Cause: every nest became a linear form with axioms. A comparison of such a nest with a constant is a gate without arithmetic.
(set-logic QF_LIA)
(declare-const a Bool)
(declare-const b Bool)
(declare-const c Bool)
(define-fun state () Int (ite a (ite b 1 2) (ite c 3 4)))
(assert (= state 4))
(assert (or a c))
(set-info :status unsat)
(check-sat)
