; Among integers there is no such number.
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 32))
(assert (bvslt (bvadd x #x00000001) x))
(check-sat)
