; What x / 0 is is left to the model, but it is one value.
(set-logic QF_NIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (= y 0))
(assert (distinct (div x y) (div x 0)))
(check-sat)
