; Between two reals there is a third; between two integers not always.
(set-logic LIRA)
(assert (forall ((x Real) (y Real)) (=> (< x y) (exists ((z Real)) (and (< x z) (< z y))))))
(set-info :status sat)
(check-sat)
(assert (forall ((x Int) (y Int)) (=> (< x y) (exists ((z Int)) (and (< x z) (< z y))))))
(set-info :status unsat)
(check-sat)
