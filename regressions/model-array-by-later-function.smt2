; Bug: a model of Z3 was called invalid that is not: `b` is the array that is 6 everywhere, and so is `(_ as-array k)`.
; Cause: the graph of `g` was made while `k` was not read yet, and the array by `k` was then looked up by what it looks like.
; Run: eval {file} --model {folder}/model-array-by-later-function.model
; Expect: 1 true, 0 false, 1 undefined
(set-logic ALL)
(declare-fun a () (Array Int Int))
(declare-fun b () (Array Int Int))
(declare-fun g ((Array Int Int)) Int)
(declare-fun h ((Array Int Int)) Int)
(assert (not (= (g a) (g b))))
; The function of this array has no graph: nobody knows whether it is 5 everywhere.
(assert (= (h a) 0))
(check-sat)
