; The same with nothing else left to choose.
(set-logic QF_FP)
(set-info :status sat)
(assert (distinct (fp.max (_ +zero 8 24) (_ -zero 8 24)) (fp.max (_ -zero 8 24) (_ +zero 8 24))))
(assert (distinct (fp.max (_ -zero 8 24) (_ +zero 8 24)) (fp.min (_ +zero 8 24) (_ -zero 8 24))))
(check-sat)
