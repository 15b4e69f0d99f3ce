; No list is its own tail.
(set-logic QF_DT)
(declare-datatypes ((List 0)) (((nil) (cons (tail List)))))
(declare-const l List)
(declare-const k List)
(assert (= l (cons k)))
(assert (= k (cons l)))
(set-info :status unsat)
(check-sat)
