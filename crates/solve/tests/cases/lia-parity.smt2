; An even number is not odd; the relaxation to rationals is satisfiable.
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (= (* 2 x) (+ (* 2 y) 1)))
(assert (and (<= (- 100) x) (<= x 100)))
(check-sat)
