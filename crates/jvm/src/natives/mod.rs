//! What is native in the JDK's classes, in Rust: one table of class, method, descriptor and function.
//!
//! A row may also stand for a method that has bytecode: then it replaces it. That is done for what initialises modules, security
//! and signals, none of which a program under exploration has, and for `Math` where the JDK itself has machine code.

mod classes;
mod fdlibm;
mod files;
mod handles;
mod input;
mod intrinsics;
mod invoke;
mod lang;
mod math;
mod memory;
mod parsing;
mod paths;
mod reflect;
mod stackwalk;
mod strings;
mod system;
mod threads;
mod unix;
mod zip;

pub(crate) use zip::ZipStream;

use crate::domain::Values;
use crate::machine::{Machine, NativeResult};
use rustc_hash::FxHashMap;

/// A native: the machine and the arguments as they lie on the stack, a long or double in the first of two slots.
pub(crate) type NativeFn<D> = fn(&mut Machine<D>, &[<D as explore::Scalars>::Value]) -> NativeResult<D>;

/// A row of the table: `class.method(descriptor)` and what it does.
pub(crate) type NativeRow<D> = (&'static str, NativeFn<D>);

/// The rows of all natives, in the order of their numbers.
pub(crate) fn rows<D: Values>() -> Vec<NativeRow<D>> {
    let mut rows = Vec::new();
    rows.extend(lang::rows());
    rows.extend(classes::rows());
    rows.extend(reflect::rows());
    rows.extend(strings::rows());
    rows.extend(system::rows());
    rows.extend(threads::rows());
    rows.extend(stackwalk::rows());
    rows.extend(math::rows());
    rows.extend(memory::rows());
    rows.extend(files::rows());
    rows.extend(paths::rows());
    rows.extend(unix::rows());
    rows.extend(invoke::rows());
    rows.extend(handles::rows());
    rows.extend(input::rows());
    rows.extend(intrinsics::rows());
    rows.extend(parsing::rows());
    rows.extend(zip::rows());
    rows
}

/// The functions, by row.
pub(crate) fn functions<D: Values>() -> Vec<NativeFn<D>> {
    rows::<D>().into_iter().map(|row| row.1).collect()
}

/// The number of each row by name.
pub(crate) fn numbers() -> FxHashMap<String, u16> {
    rows::<explore::Concrete>().into_iter().map(|row| row.0.to_string()).zip(0..).collect()
}

/// The names of all rows, for tests and documentation.
pub fn names() -> Vec<&'static str> {
    rows::<explore::Concrete>().into_iter().map(|row| row.0).collect()
}
