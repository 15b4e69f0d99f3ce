; No engine takes strings.
(set-logic QF_S)
(set-info :status unsat)
(set-info :soundline open)
(declare-const s String)
(assert (= (str.++ s "a") (str.++ "b" s)))
(check-sat)
