; Bug: evaluating a chain of writes to an array took quadratic time.
; Cause: each write copied the array, though the copy before it was not used again. Such a write is made in place.
; Run: eval {file} --model {folder}/eval-write-chain.model --time-limit 20
; Expect: 1 true
(set-logic ALL)
(declare-const a (Array Int Int))
(define-fun w8 ((m (Array Int Int)) (i Int)) (Array Int Int) (store (store (store (store (store (store (store (store m i 1) (+ i 1) 2) (+ i 2) 3) (+ i 3) 4) (+ i 4) 5) (+ i 5) 6) (+ i 6) 7) (+ i 7) 8))
(define-fun w64 ((m (Array Int Int)) (i Int)) (Array Int Int) (w8 (w8 (w8 (w8 (w8 (w8 (w8 (w8 m i) (+ i 8)) (+ i 16)) (+ i 24)) (+ i 32)) (+ i 40)) (+ i 48)) (+ i 56)))
(define-fun w512 ((m (Array Int Int)) (i Int)) (Array Int Int) (w64 (w64 (w64 (w64 (w64 (w64 (w64 (w64 m i) (+ i 64)) (+ i 128)) (+ i 192)) (+ i 256)) (+ i 320)) (+ i 384)) (+ i 448)))
(define-fun w4096 ((m (Array Int Int)) (i Int)) (Array Int Int) (w512 (w512 (w512 (w512 (w512 (w512 (w512 (w512 m i) (+ i 512)) (+ i 1024)) (+ i 1536)) (+ i 2048)) (+ i 2560)) (+ i 3072)) (+ i 3584)))
(assert (= (select (w4096 a 0) 4095) 8))
