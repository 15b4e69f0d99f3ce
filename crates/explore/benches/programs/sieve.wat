;; Byte stores and loads in counting loops: the number of primes below n.
(module
  (memory 1)
  (func (export "run") (param $n i32) (result i32)
    (local $i i32) (local $j i32) (local $count i32)
    (memory.fill (i32.const 0) (i32.const 1) (local.get $n))
    (local.set $i (i32.const 2))
    (loop $next
      (if (i32.load8_u (local.get $i))
        (then
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (local.set $j (i32.add (local.get $i) (local.get $i)))
          (block $done
            (loop $cross
              (br_if $done (i32.ge_u (local.get $j) (local.get $n)))
              (i32.store8 (local.get $j) (i32.const 0))
              (local.set $j (i32.add (local.get $j) (local.get $i)))
              (br $cross)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $n))))
    (local.get $count)))
