; Bug: a model that gives an integer constant a Boolean value was taken, and the assertion was undefined.
; Cause: sorts of definitions in a model were not compared with the declarations.
; Run: eval {file} --model {folder}/eval-model-wrong-sort.model
; Exit: 2
; Expect: the script declares `x` as Int, not as Bool
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
