; Bug: substitution below d nested binders that need renaming took 2^d steps.
; Cause: the body of a binder was walked once for renaming and once for replacing. It is walked once, for what is free there.
; Run: check {file}
; Expect: forall 32
(set-logic ALL)
(define-fun g ((a Int)) Bool
 (forall ((x1 Int)) (forall ((x2 Int)) (forall ((x3 Int)) (forall ((x4 Int)) (forall ((x5 Int)) (forall ((x6 Int)) (forall ((x7 Int)) (forall ((x8 Int))
 (forall ((x9 Int)) (forall ((y1 Int)) (forall ((y2 Int)) (forall ((y3 Int)) (forall ((y4 Int)) (forall ((y5 Int)) (forall ((y6 Int)) (forall ((y7 Int))
 (forall ((y8 Int)) (forall ((y9 Int)) (forall ((z1 Int)) (forall ((z2 Int)) (forall ((z3 Int)) (forall ((z4 Int)) (forall ((z5 Int)) (forall ((z6 Int))
 (forall ((z7 Int)) (forall ((z8 Int)) (forall ((z9 Int)) (forall ((u1 Int)) (forall ((u2 Int)) (forall ((u3 Int)) (forall ((u4 Int)) (forall ((u5 Int))
 (= (+ a x1 x2 x3 x4 x5 x6 x7 x8 x9 y1 y2 y3 y4 y5 y6 y7 y8 y9 z1 z2 z3 z4 z5 z6 z7 z8 z9 u1 u2 u3 u4 u5) 0))))))))))))))))))))))))))))))))))
(declare-const x1 Int)
(declare-const u5 Int)
(assert (g (+ x1 u5)))
(check-sat)
