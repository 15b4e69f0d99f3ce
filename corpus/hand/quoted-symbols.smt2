; A symbol in bars is the same symbol as without them; bars may hold any text.
(set-logic QF_LIA)
(declare-const |x| Int)
(declare-const |a b
c| Int)
(declare-const || Int)
(assert (= x |a b
c| ||))
(assert (> |x| 3))
(set-info :status sat)
(check-sat)
(assert (< || 3))
(set-info :status unsat)
(check-sat)
