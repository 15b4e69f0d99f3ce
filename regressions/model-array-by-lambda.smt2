; Bug: arrays in models of Z3 could not be compared.
; Cause: Z3 writes them as a lambda that compares its argument, or as functions that give functions. Definitions are settled in rounds, each
; under what is known so far.
; Run: eval {file} --model {folder}/model-array-by-lambda.model
; Expect: 2 true, 0 false, 0 undefined
(set-logic QF_AUFLIA)
(declare-const a (Array Int Bool))
(declare-const b (Array Int Bool))
(assert (not (= a b)))
(assert (select a 4))
