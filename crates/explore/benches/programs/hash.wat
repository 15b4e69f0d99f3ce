;; 64-bit mixing, a global and a switch, as interpreters and hash functions have them.
(module
  (global $state (mut i64) (i64.const 88172645463325252))
  (func $next (result i64)
    (local $x i64)
    (local.set $x (global.get $state))
    (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 13))))
    (local.set $x (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 7))))
    (local.set $x (i64.xor (local.get $x) (i64.shl (local.get $x) (i64.const 17))))
    (global.set $state (local.get $x))
    (local.get $x))
  (func (export "run") (param $n i32) (result i32)
    (local $hash i64) (local $x i64)
    (global.set $state (i64.const 88172645463325252))
    (local.set $hash (i64.const -3750763034362895579))
    (loop $again
      (local.set $x (call $next))
      (block $end
        (block $c (block $b (block $a
          (br_table $a $b $c (i32.and (i32.wrap_i64 (local.get $x)) (i32.const 3))))
          (local.set $hash (i64.mul (local.get $hash) (i64.const 1099511628211)))
          (br $end))
          (local.set $hash (i64.rotl (local.get $hash) (i64.const 5)))
          (br $end))
        (local.set $hash (i64.add (local.get $hash) (local.get $x))))
      (local.set $hash (i64.xor (local.get $hash) (local.get $x)))
      (br_if $again (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (i32.wrap_i64 (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 32))))))
