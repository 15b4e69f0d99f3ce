; Bug: models of cvc5 over a sort whose name needs bars were refused.
; Cause: cvc5 writes the elements as @|my sort|_0, which is no simple symbol.
; Run: eval {file} --model {folder}/model-element-in-bars.model
; Expect: 1 true, 0 false, 0 undefined
(set-logic QF_UF)
(declare-sort |my sort| 0)
(declare-const a |my sort|)
(declare-const b |my sort|)
(assert (not (= a b)))
