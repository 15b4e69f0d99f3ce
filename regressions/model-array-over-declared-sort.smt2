; Bug: a model of Z3 was called invalid that is not: the sort has two elements, and the arrays agree on both.
; Cause: a declared sort was taken to have elements beyond those that a model lists, at which the defaults differ.
; Run: eval {file} --model {folder}/model-array-over-declared-sort.model
; Expect: 0 true, 0 false, 1 undefined
(set-logic ALL)
(declare-sort U 0)
(declare-const i U)
(declare-const j U)
(assert (= (store (store ((as const (Array U Bool)) true) i false) j false)
           (store (store ((as const (Array U Bool)) false) i false) j false)))
(check-sat)
