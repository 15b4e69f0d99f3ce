; Where indexof begins behind the end it finds nothing, even the empty string.
(set-logic QF_SLIA)
(declare-const s String)
(assert (= (str.len s) 3))
(assert (= (str.indexof s "" 3) 3))
(assert (= (str.indexof s "" 4) (- 1)))
(assert (= (str.indexof s "" (- 1)) (- 1)))
(set-info :status sat)
(check-sat)
