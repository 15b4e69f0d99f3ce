; What fp.min and fp.max make of zeros of opposite sign is for the model to say, for each order on its own.
(set-logic QF_FP)
(set-info :status sat)
(declare-const x Float32)
(declare-const y Float32)
(assert (and (fp.isZero x) (fp.isZero y) (distinct x y)))
(assert (= (fp.min x y) (fp.min y x) (fp.max x y) (fp.max y x)))
(check-sat)
