; Bug: none of ours. cvc5 1.0.3 rewrites the power 0 of a star to the star; we must not.
; Cause: ((_ re.^ 0) r) is the empty word alone, whatever r is.
; Run: eval {file} --model {folder}/regex-power-zero-of-star.model
; Expect: 1 true, 0 false
(set-logic QF_S)
(declare-const s String)
(assert (not (str.in_re s ((_ re.^ 0) (re.* (str.to_re "a"))))))
