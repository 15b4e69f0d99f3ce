; Bug: (^ 2.0 (- 1.0)) was undefined.
; Cause: the operator table promised powers of reals with negative exponents, and the evaluator computed powers of integers only.
; Run: eval {file} --model {folder}/eval-negative-power.model
; Expect: 1 true, 0 false
(set-logic ALL)
(declare-const x Real)
(assert (= (^ x (- 1.0)) 0.5))
