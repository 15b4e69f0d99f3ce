; Bug: an empty text counted as a model, and all assertions were undefined.
; Cause: nothing asked whether the text had a model in it.
; Run: eval {file} --model {folder}/eval-empty-model.model
; Exit: 2
(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
