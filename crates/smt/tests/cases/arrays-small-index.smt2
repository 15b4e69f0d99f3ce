; Over one bit every default can be written in several ways.
(set-logic QF_ABV)
(declare-const a (Array (_ BitVec 1) (_ BitVec 2)))
(declare-const b (Array (_ BitVec 1) (_ BitVec 2)))
(assert (= a (store (store b #b0 #b11) #b1 #b10)))
(assert (distinct a b))
(assert (= (select b #b0) (select a #b1)))
(check-sat)
(get-model)
