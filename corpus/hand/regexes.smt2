; A word in both languages, and one in neither.
(set-logic QF_SLIA)
(declare-const s String)
(assert (str.in_re s (re.inter (re.* (str.to_re "ab")) (re.+ (str.to_re "aba")))))
(set-info :status unsat)
(check-sat)
