; Division by zero gives all ones.
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x (_ BitVec 4))
(declare-const y (_ BitVec 4))
(assert (= y #x0))
(assert (distinct (bvudiv x y) #xf))
(check-sat)
