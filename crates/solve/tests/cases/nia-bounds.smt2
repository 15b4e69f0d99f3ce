; The linear part alone refutes it.
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (> (* x y) 10))
(assert (> x y))
(assert (> y (+ x 1)))
(check-sat)
