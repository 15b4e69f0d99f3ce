;; What rewritten modules call: turns of the route, fuel, and accesses to bytes that are not plainly open.
;; Names in capitals are replaced by numbers. The first memory has the program's bytes and, from SPACE on, its shadow;
;; the second has what is recorded.
(module
  (import "soundline" "host" (func $host (param i32 i32 i64 i64 i64) (result i64)))
  (import "soundline" "host_many"
    (func $host_many (param i32 i32 i64 i64 i64 i64 i64 i64 i64 i64 i64) (result i64)))
  (import "soundline" "more" (func $more (result i64)))
  (import "soundline" "settle" (func $settle (param i64) (result i64)))
  (import "soundline" "bulk" (func $bulk (param i32 i32 i32 i32) (result i32)))
  (memory $program 1)
  (memory $record 1)
  (global $route (mut i64) (i64.const 0))
  (global $last (mut i64) (i64.const 0))
  (global $call (mut i64) (i64.const 0))
  (global $fuel (mut i64) (i64.const 0))
  (global $turns (mut i32) (i32.const 0))
  (global $pages (mut i32) (i32.const 0))
  (global $site (mut i32) (i32.const 0))
  (global $depth (mut i32) (i32.const 0))

  ;; A branch went some way: the site in the upper half of the word, the way in the lower.
  (func $turn (param $word i64)
    (local $pair i64) (local $at i32) (local $count i32)
    (global.set $route (local.tee $pair
      (i64.mul (i64.xor (i64.rotl (global.get $route) (i64.const 5)) (local.get $word)) (i64.const FACTOR))))
    (i64.store $record offset=ROUTES (local.tee $at (global.get $turns)) (local.get $pair))
    (global.set $turns
      (i32.add (local.get $at) (i32.shl (i32.lt_u (local.get $at) (i32.const ROUTES_END)) (i32.const 3))))
    (local.set $pair
      (i64.mul (i64.xor (i64.rotl (global.get $last) (i64.const 5)) (local.get $word)) (i64.const FACTOR)))
    (global.set $last
      (i64.mul (i64.xor (i64.rotl (global.get $call) (i64.const 5)) (local.get $word)) (i64.const FACTOR)))
    (local.set $at (i32.wrap_i64 (i64.shr_u (local.get $pair) (i64.const PAIR_SHIFT))))
    (local.set $count (i32.load8_u $record offset=PAIRS (local.get $at)))
    (i32.store8 $record offset=PAIRS (local.get $at)
      (i32.add (local.get $count) (i32.ne (local.get $count) (i32.const 255)))))

  ;; The fuel at hand is used up.
  (func $out
    (global.set $fuel (i64.add (global.get $fuel) (call $more))))

  ;; What works on many bytes costs by their number.
  (func $weigh
    (global.set $fuel (call $settle (global.get $fuel))))

  (func $bulk_weighed (param $op i32) (param $a i32) (param $b i32) (param $c i32) (result i32)
    (call $bulk (local.get $op) (local.get $a) (local.get $b) (local.get $c))
    (call $weigh))

  ;; Ends the run unless all bytes are open, or the compiler's own.
  (func $closed (param $at i32) (param $size i32)
    (local $shade i32)
    (loop $next
      (local.set $shade (i32.load8_u $program offset=SPACE (local.get $at)))
      (if (i32.and (i32.ne (local.get $shade) (i32.const KEY)) (i32.ne (local.get $shade) (i32.const OWN)))
        (then unreachable))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (local.tee $size (i32.sub (local.get $size) (i32.const 1))))))

  ;; Gives eight bytes a shade, under the key, all but those that are the compiler's own.
  (func $shade (param $at i32) (param $shades i64)
    (i32.store8 $record offset=DIRTY (i32.shr_u (local.get $at) (i32.const CHUNK)) (i32.const 1))
    (if (i32.eq (i32.load $program offset=SPACE_UPPER (local.get $at)) (i32.const OWN_WORD))
      (then (i32.store $program offset=SPACE (local.get $at) (i32.wrap_i64 (local.get $shades))))
      (else (i64.store $program offset=SPACE (local.get $at) (local.get $shades)))))

  ;; A store whose bytes are not plainly open.
  (func $closed_store (param $at i32) (param $value i64) (param $size i32)
    (local $byte i64) (local $open i64)
    (if (i32.and (i32.ge_u (local.get $at) (i32.const WINDOW)) (i32.lt_u (local.get $at) (i32.const WINDOW_END)))
      (then
        ;; The compiler's shadow: a byte of it stands for eight.
        (if (i32.eqz (i32.const INSTRUMENTED)) (then unreachable))
        (local.set $at (i32.shl (i32.sub (local.get $at) (i32.const WINDOW)) (i32.const 3)))
        (loop $next
          ;; What lies beyond the memory is left out.
          (if (i32.ge_u (local.get $at) (i32.shl (global.get $pages) (i32.const 16))) (then return))
          (local.set $byte (i64.and (local.get $value) (i64.const 255)))
          (if (i64.lt_u (i64.sub (local.get $byte) (i64.const 1)) (i64.const 7))
            (then
              ;; The first bytes are open, the rest is a red zone.
              (local.set $open (i64.sub (i64.shl (i64.const 1) (i64.shl (local.get $byte) (i64.const 3))) (i64.const 1)))
              (call $shade (local.get $at)
                (i64.xor (i64.const KEY_LONG)
                  (i64.and (i64.const MID_LONG) (i64.xor (local.get $open) (i64.const -1))))))
            (else
              (call $shade (local.get $at)
                (i64.xor (i64.const KEY_LONG) (i64.mul (local.get $byte) (i64.const 0x0101010101010101))))))
          (local.set $value (i64.shr_u (local.get $value) (i64.const 8)))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br_if $next (local.tee $size (i32.sub (local.get $size) (i32.const 1)))))
        return))
    ;; A frame that is given up is written to while its red zone is closed.
    (if (i32.eqz
          (i32.and
            (i32.and (i32.eq (local.get $size) (i32.const 4)) (i32.eq (i32.wrap_i64 (local.get $value)) (i32.const RETIRED)))
            (i32.eq (i32.load8_u $program offset=SPACE (local.get $at)) (i32.const LEFT))))
      (then (call $closed (local.get $at) (local.get $size))))
    (loop $next
      (i32.store8 $record offset=DIRTY (i32.shr_u (local.get $at) (i32.const CHUNK)) (i32.const 1))
      (i64.store8 $program (local.get $at) (local.get $value))
      (local.set $value (i64.shr_u (local.get $value) (i64.const 8)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (local.tee $size (i32.sub (local.get $size) (i32.const 1))))))
)
