;; Bug: a loop of large memory.fill instructions ran to the time limit instead of being reported as a hang.
;; Cause: a run gets its fuel in slices, and an instruction cost no more than what was left of one. What it spends beyond a slice is owed.
;; Run: explore {file} --entry main --time-limit 30 --fuel 200000 --json
;; Exit: 1
;; Expect: "kind": "hang"
(module
  (memory 64)
  (func (export "main")
    (loop $again
      (memory.fill (i32.const 0) (i32.const 7) (i32.const 4194304))
      (br $again))))
