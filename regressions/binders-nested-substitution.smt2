; Bug: reading a quantifier that hides a variable of the same name took 2^d steps, where d quantifiers stood below it.
; Cause: the inner variable gets the number of the outer one, which is a substitution of a bound variable. Below every binder the
; body was walked once for renaming and once for replacing. It is walked once, and only for what is free there.
; Run: check {file}
; Expect: forall 32
(set-logic ALL)
(assert (forall ((x Int)) (or (= x 0) (forall ((x Int))
 (forall ((y1 Int)) (forall ((y2 Int)) (forall ((y3 Int)) (forall ((y4 Int)) (forall ((y5 Int)) (forall ((y6 Int))
 (forall ((y7 Int)) (forall ((y8 Int)) (forall ((y9 Int)) (forall ((y10 Int)) (forall ((y11 Int)) (forall ((y12 Int))
 (forall ((y13 Int)) (forall ((y14 Int)) (forall ((y15 Int)) (forall ((y16 Int)) (forall ((y17 Int)) (forall ((y18 Int))
 (forall ((y19 Int)) (forall ((y20 Int)) (forall ((y21 Int)) (forall ((y22 Int)) (forall ((y23 Int)) (forall ((y24 Int))
 (forall ((y25 Int)) (forall ((y26 Int)) (forall ((y27 Int)) (forall ((y28 Int)) (forall ((y29 Int)) (forall ((y30 Int))
 (= (+ x y1 y2 y3 y4 y5 y6 y7 y8 y9 y10 y11 y12 y13 y14 y15
  y16 y17 y18 y19 y20 y21 y22 y23 y24 y25 y26 y27 y28 y29 y30) 0)))))))))))))))))))))))))))))))))))
(check-sat)
