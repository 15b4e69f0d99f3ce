; No engine can tell.
(set-logic QF_NIA)
(set-info :status unsat)
(set-info :soundline open)
(declare-const x Int)
(assert (= (* x x) 7))
(check-sat)
