; Bug: building a nest of stars and unions took exponential time.
; Cause: a star that opens the loops of its union could call itself through the merging of elements, level by level of the expression.
; Run: eval {file} --model {folder}/regex-nested-loops.model --time-limit 20
; Expect: 1 true
(set-logic QF_S)
(declare-const s String)
(define-fun r1 () RegLan (re.* (re.union (str.to_re "a") (re.* (str.to_re "b")))))
(define-fun r2 () RegLan (re.* (re.union r1 (re.* (re.union (str.to_re "c") r1)))))
(define-fun r3 () RegLan (re.* (re.union r2 (re.* (re.union (str.to_re "d") r2)))))
(define-fun r4 () RegLan (re.* (re.union r3 (re.* (re.union (str.to_re "e") r3)))))
(define-fun r5 () RegLan (re.* (re.union r4 (re.* (re.union (str.to_re "f") r4)))))
(define-fun r6 () RegLan (re.* (re.union r5 (re.* (re.union (str.to_re "g") r5)))))
(define-fun r7 () RegLan (re.* (re.union r6 (re.* (re.union (str.to_re "h") r6)))))
(assert (str.in_re s r7))
