; The empty string is a prefix, a suffix and a part of everything, and is found where the search begins.
(set-logic QF_SLIA)
(declare-const s String)
(declare-const i Int)
(assert (or (not (str.prefixof "" s)) (not (str.suffixof "" s)) (not (str.contains s "")) (distinct (str.replace s "" "x") (str.++ "x" s))))
(set-info :status unsat)
(check-sat)
