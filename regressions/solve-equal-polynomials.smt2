; Bug: distributivity over 10 bits took more than 10 s.
; Cause: both sides were bit-blasted. They are multiplied out first, to see that they are equal.
; Run: solve {file} --time-limit 20
(set-logic QF_BV)
(declare-const x (_ BitVec 10))
(declare-const y (_ BitVec 10))
(declare-const z (_ BitVec 10))
(assert (not (= (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul x z)))))
(set-info :status unsat)
(check-sat)
