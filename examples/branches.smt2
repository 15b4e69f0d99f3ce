; The path condition of one path of a program with four:
;
;     if (x + y >= 2)
;         if (2*y - x >= 1)
;             if (2*x - y >= 0) puts("2"); else puts("1");
;         else puts("3");
;     else puts("4");
;
; Solving for path 2 passes through inputs for paths 4 and 3: see `soundline solve --partials`.
(set-logic QF_LIA)
(set-info :status sat)
(declare-const x Int)
(declare-const y Int)
(assert (>= (+ x y) 2))
(assert (>= (- (* 2 y) x) 1))
(assert (>= (- (* 2 x) y) 0))
(check-sat)
(get-model)
