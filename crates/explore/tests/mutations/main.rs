//! The decoder and the machine on damaged modules, a fixed number of times: modules with bytes changed, cut out and repeated.

mod check;

use check::check;
use random::Rng;

/// How many modules are made: a fixed number, so that every machine tries the same ones. `MUTATIONS` asks for another number.
const COUNT: usize = 3000;

fn count() -> usize {
    std::env::var("MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(COUNT)
}

/// A module with some of everything: memory, tables, globals, data, branches, calls of the world.
const MODULE: &str = r#"(module
  (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 2) (table 4 funcref) (global $g (mut i64) (i64.const 7))
  (elem (i32.const 0) $leaf $twice) (data (i32.const 0) "\10\00\00\00\04\00\00\00")
  (type $unary (func (param i32) (result i32)))
  (func $leaf (type $unary) (i32.mul (local.get 0) (i32.const 3)))
  (func $twice (type $unary) (call $leaf (call $leaf (local.get 0))))
  (func (export "_start") (local $i i32) (local $f f64)
    (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8)))
    (loop $next
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (global.set $g (i64.rotl (global.get $g) (i64.extend_i32_u (local.get $i))))
      (local.set $f (f64.div (f64.convert_i32_s (local.get $i)) (f64.const 3)))
      (drop (call_indirect (type $unary) (i32.load8_u offset=16 (local.get $i)) (i32.and (local.get $i) (i32.const 1))))
      (memory.fill (i32.const 64) (local.get $i) (i32.const 32))
      (br_if $next (i32.lt_u (local.get $i) (i32.const 9))))
    (br_table 0 0 (i32.load8_u (i32.const 17)))))"#;

#[test]
fn damaged_modules_are_loaded_and_run_without_panic() {
    let whole = explore::text_to_binary(MODULE.as_bytes()).expect("a module");
    assert!(check(&whole), "the module itself is whole");
    let mut random = Rng::new(15);
    let mut loaded = 0;
    for _ in 0..count() {
        let mut module = whole.clone();
        for _ in 0..=random.below(2) {
            let at = random.below(module.len().max(1));
            let end = (at + 1 + random.below(4)).min(module.len());
            match random.below(8) {
                0 => drop(module.drain(at..end)),
                1 => module.truncate(at),
                2 => {
                    let part = module[at..end].to_vec();
                    module.splice(at..at, part);
                }
                _ if at < module.len() => module[at] = random.below(256) as u8,
                _ => {}
            }
        }
        loaded += usize::from(check(&module));
    }
    assert!(loaded > 5, "only {loaded} were loaded");
}
