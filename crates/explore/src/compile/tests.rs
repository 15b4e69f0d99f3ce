//! Which instructions become one, and that they mean the same.

use crate::domain::Concrete;
use crate::host::NoHost;
use crate::machine::{Machine, MachineEnd};
use crate::module::Module;
use crate::types::Extern;

/// The result of a body on three numbers, and how many instructions it became.
fn run(body: &str, args: [u64; 3]) -> (Vec<u64>, usize) {
    let text = format!(
        "(module (memory 1) (data (i32.const 16) \"\\2a\\00\\00\\00\")
           (func (export \"f\") (param i32 i32 i32) (result i32) (local i32) {body}))"
    );
    let binary = crate::text_to_binary(text.as_bytes()).expect("the text is a module");
    let module = Module::decode(&binary).expect("the module is valid");
    let mut machine = Machine::new(Concrete::<()>::default());
    let instance = machine.instantiate(&module, &mut |_| None, &mut NoHost).expect("it has no imports");
    let Some(Extern::Function(function)) = instance.export("f") else { panic!("it exports f") };
    machine.call(function, &args);
    match machine.run(&mut NoHost, &mut 1000) {
        MachineEnd::Returned(values) => (values, machine.site_count()),
        other => panic!("{body}: {other:?}"),
    }
}

#[test]
fn two_instructions_become_one_where_the_first_result_is_unused() {
    let rows = [
        // The last instruction is the return.
        ("(i32.add (i32.mul (local.get 0) (local.get 1)) (local.get 2))", 22, 2),
        ("(i32.add (local.get 2) (i32.mul (local.get 0) (local.get 1)))", 22, 2),
        ("(i32.load offset=4 (i32.shl (local.get 0) (i32.const 2)))", 42, 2),
        ("(i32.store (local.get 0) (i32.const -2)) (i32.load (local.get 0))", 0xffff_fffe, 3),
        ("(i64.store (local.get 0) (i64.const -2)) (i32.load offset=4 (local.get 0))", 0xffff_ffff, 3),
        ("(i64.store (local.get 0) (i64.const 0xfffffffe)) (i32.load offset=4 (local.get 0))", 0, 4),
        ("(i64.store16 (local.get 0) (i64.const 0x123456789a)) (i32.load (local.get 0))", 0x789a, 3),
        // The product is needed again.
        (
            "(i32.add (i32.add (local.tee 3 (i32.mul (local.get 0) (local.get 1))) (local.get 2)) (local.get 3))",
            37,
            4,
        ),
        ("(local.set 3 (i32.mul (local.get 0) (local.get 1))) (i32.add (local.get 3) (local.get 3))", 30, 3),
        (
            "(i32.load offset=4 (local.tee 3 (i32.shl (local.get 0) (i32.const 2)))) (i32.add (local.get 3))",
            54,
            4,
        ),
        // Something else was computed last.
        ("(i32.add (i32.mul (local.get 0) (local.get 1)) (i32.sub (local.get 2) (local.get 0)))", 19, 4),
    ];
    for (body, result, instructions) in rows {
        assert_eq!(run(body, [3, 5, 7]), (vec![result], instructions), "{body}");
    }
}

#[test]
fn what_a_branch_leads_between_stays_apart() {
    let body = "(i32.add
        (block (result i32)
          (br_if 0 (i32.const 1) (local.get 0)) (drop)
          (i32.mul (local.get 1) (local.get 1)))
        (local.get 2))";
    assert_eq!(run(body, [3, 5, 7]).0, [8]);
    assert_eq!(run(body, [0, 5, 7]).0, [32]);
}
