;; Bug: none was seen; this holds the one division that traps beside those by zero.
;; Cause: the smallest number divided by -1 has no result. Both ways to trap are decisions of their own.
;; Run: explore {file} --entry main --time-limit 30 --json
;; Exit: 1
;; Expect: "crashes": 2
;; Expect: "stop_reason": "explored"
(module
  (func (export "main") (param $a i32) (param $b i32) (result i32)
    (i32.div_s (local.get $a) (local.get $b))))
