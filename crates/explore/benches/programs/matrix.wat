;; f64 arithmetic with addresses computed in inner loops: the product of two n by n matrices.
(module
  (memory 4)
  (func (export "run") (param $n i32) (result i32)
    (local $i i32) (local $j i32) (local $k i32) (local $sum f64) (local $total f64) (local $cells i32)
    (local.set $cells (i32.mul (local.get $n) (local.get $n)))
    (loop $fill
      (f64.store (i32.shl (local.get $i) (i32.const 3)) (f64.convert_i32_s (local.get $i)))
      (f64.store offset=65536 (i32.shl (local.get $i) (i32.const 3))
        (f64.div (f64.const 1) (f64.convert_i32_s (i32.add (local.get $i) (i32.const 1)))))
      (br_if $fill (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $cells))))
    (local.set $i (i32.const 0))
    (loop $rows
      (local.set $j (i32.const 0))
      (loop $columns
        (local.set $sum (f64.const 0))
        (local.set $k (i32.const 0))
        (loop $inner
          (local.set $sum
            (f64.add (local.get $sum)
              (f64.mul
                (f64.load (i32.shl (i32.add (i32.mul (local.get $i) (local.get $n)) (local.get $k)) (i32.const 3)))
                (f64.load offset=65536
                  (i32.shl (i32.add (i32.mul (local.get $k) (local.get $n)) (local.get $j)) (i32.const 3))))))
          (br_if $inner (i32.lt_s (local.tee $k (i32.add (local.get $k) (i32.const 1))) (local.get $n))))
        (local.set $total (f64.add (local.get $total) (local.get $sum)))
        (br_if $columns (i32.lt_s (local.tee $j (i32.add (local.get $j) (i32.const 1))) (local.get $n))))
      (br_if $rows (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (i32.trunc_sat_f64_s (local.get $total))))
