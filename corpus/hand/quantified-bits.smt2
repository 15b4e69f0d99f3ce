; Every byte has a complement; no byte is greater than all.
(set-logic BV)
(assert (forall ((x (_ BitVec 4))) (exists ((y (_ BitVec 4))) (= (bvadd x y) #xf))))
(set-info :status sat)
(check-sat)
(assert (exists ((x (_ BitVec 4))) (forall ((y (_ BitVec 4))) (bvult y x))))
(set-info :status unsat)
(check-sat)
