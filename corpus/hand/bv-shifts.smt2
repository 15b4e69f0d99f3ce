; A shift by the width or more empties the word; an arithmetic one leaves the sign.
(set-logic QF_BV)
(declare-const x (_ BitVec 16))
(declare-const s (_ BitVec 16))
(assert (bvuge s #x0010))
(assert (or (distinct (bvshl x s) #x0000) (distinct (bvlshr x s) #x0000) (distinct (bvashr x s) (ite (bvslt x #x0000) #xffff #x0000))))
(set-info :status unsat)
(check-sat)
