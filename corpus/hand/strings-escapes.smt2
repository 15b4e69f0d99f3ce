; Only \u escapes are escapes; a backslash before another letter is itself.
(set-logic QF_SLIA)
(assert (= (str.len "\n") 2))
(assert (= "\u{41}\u0042" "AB"))
(assert (= (str.len """") 1))
(assert (= (str.to_code "\u{2FFFF}") 196607))
(set-info :status sat)
(check-sat)
