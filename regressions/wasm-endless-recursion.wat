;; Bug: the stack of endless recursion filled a report with thousands of lines, and the host's stack could overflow.
;; Cause: the machine called itself for calls. It has one loop with frames of its own; repeated frames of a report are folded.
;; Run: explore {file} --entry main --time-limit 30 --json
;; Exit: 1
;; Expect: "crashes": 1
(module
  (func $f (export "main") (result i32)
    (i32.add (i32.const 1) (call $f))))
