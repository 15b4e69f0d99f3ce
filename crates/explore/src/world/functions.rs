//! The table of functions that the world provides: modules that they may be imported from, names, types, and what serves them.

use super::wasi::Wasi;
use crate::target::Scalar;
use crate::types::{FunctionType, Import, ImportType, ValueType};

/// What serves a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Service {
    /// A function of WASI.
    Wasi(Wasi),
    /// A function of WASI that always answers this error.
    Refuse(u16),
    /// Makes memory symbolic: address, size, name.
    Symbolic,
    /// Requires that its argument is not zero.
    Assume,
    /// Fails unless its argument is not zero.
    Assert,
    /// Must not be reached.
    Error,
    /// Gives a symbolic value.
    Nondet(Scalar),
}

/// One function.
pub struct Row {
    /// The modules that it may be imported from.
    pub modules: &'static [&'static str],
    /// Its name.
    pub name: &'static str,
    /// The types of its parameters and, behind the colon, of its result: `i` and `I` for 32 and 64-bit integers, `f` and
    /// `F` for floats.
    pub ty: &'static str,
    /// What serves it.
    pub service: Service,
}

const WASI: &[&str] = &["wasi_snapshot_preview1", "wasi_unstable"];
/// Declared in `soundline.h`, or left undefined by a program that declares them itself.
const OURS: &[&str] = &["soundline", "env"];

const NOSYS: u16 = 52;
const ROFS: u16 = 69;

const fn wasi(name: &'static str, ty: &'static str, function: Wasi) -> Row {
    Row { modules: WASI, name, ty, service: Service::Wasi(function) }
}

const fn refused(name: &'static str, ty: &'static str, errno: u16) -> Row {
    Row { modules: WASI, name, ty, service: Service::Refuse(errno) }
}

const fn ours(name: &'static str, ty: &'static str, service: Service) -> Row {
    Row { modules: OURS, name, ty, service }
}

const fn nondet(name: &'static str, ty: &'static str, scalar: Scalar) -> Row {
    Row { modules: OURS, name, ty, service: Service::Nondet(scalar) }
}

/// All functions.
pub static TABLE: &[Row] = &[
    wasi("args_get", "ii:i", Wasi::ArgsGet),
    wasi("args_sizes_get", "ii:i", Wasi::ArgsSizesGet),
    wasi("environ_get", "ii:i", Wasi::EnvironGet),
    wasi("environ_sizes_get", "ii:i", Wasi::EnvironSizesGet),
    wasi("clock_res_get", "ii:i", Wasi::ClockResGet),
    wasi("clock_time_get", "iIi:i", Wasi::ClockTimeGet),
    wasi("fd_close", "i:i", Wasi::Close),
    wasi("fd_fdstat_get", "ii:i", Wasi::FdstatGet),
    wasi("fd_fdstat_set_flags", "ii:i", Wasi::Nothing),
    wasi("fd_filestat_get", "ii:i", Wasi::FilestatGet),
    wasi("fd_prestat_get", "ii:i", Wasi::PrestatGet),
    wasi("fd_prestat_dir_name", "iii:i", Wasi::PrestatDirName),
    wasi("fd_read", "iiii:i", Wasi::Read),
    wasi("fd_seek", "iIii:i", Wasi::Seek),
    wasi("fd_tell", "ii:i", Wasi::Tell),
    wasi("fd_write", "iiii:i", Wasi::Write),
    wasi("fd_sync", "i:i", Wasi::Nothing),
    wasi("fd_datasync", "i:i", Wasi::Nothing),
    wasi("path_filestat_get", "iiiii:i", Wasi::PathFilestatGet),
    wasi("path_open", "iiiiiIIii:i", Wasi::PathOpen),
    wasi("proc_exit", "i:", Wasi::ProcExit),
    wasi("random_get", "ii:i", Wasi::RandomGet),
    wasi("sched_yield", ":i", Wasi::Nothing),
    refused("fd_advise", "iIIi:i", NOSYS),
    refused("fd_allocate", "iII:i", NOSYS),
    refused("fd_fdstat_set_rights", "iII:i", NOSYS),
    refused("fd_filestat_set_size", "iI:i", NOSYS),
    refused("fd_filestat_set_times", "iIIi:i", NOSYS),
    refused("fd_pread", "iiiIi:i", NOSYS),
    refused("fd_pwrite", "iiiIi:i", NOSYS),
    refused("fd_readdir", "iiiIi:i", NOSYS),
    refused("fd_renumber", "ii:i", NOSYS),
    refused("path_create_directory", "iii:i", ROFS),
    refused("path_filestat_set_times", "iiiiIIi:i", ROFS),
    refused("path_link", "iiiiiii:i", ROFS),
    refused("path_readlink", "iiiiii:i", NOSYS),
    refused("path_remove_directory", "iii:i", ROFS),
    refused("path_rename", "iiiiii:i", ROFS),
    refused("path_symlink", "iiiii:i", ROFS),
    refused("path_unlink_file", "iii:i", ROFS),
    refused("poll_oneoff", "iiii:i", NOSYS),
    refused("proc_raise", "i:i", NOSYS),
    refused("sock_accept", "iii:i", NOSYS),
    refused("sock_recv", "iiiiii:i", NOSYS),
    refused("sock_send", "iiiii:i", NOSYS),
    refused("sock_shutdown", "ii:i", NOSYS),
    ours("sl_symbolic", "iii:", Service::Symbolic),
    ours("sl_assume", "i:", Service::Assume),
    ours("sl_assert", "i:", Service::Assert),
    ours("klee_make_symbolic", "iii:", Service::Symbolic),
    ours("klee_assume", "i:", Service::Assume),
    ours("__VERIFIER_assume", "i:", Service::Assume),
    ours("__VERIFIER_error", ":", Service::Error),
    ours("reach_error", ":", Service::Error),
    nondet("__VERIFIER_nondet_bool", ":i", Scalar::Bool),
    nondet("__VERIFIER_nondet_char", ":i", Scalar::Int { bits: 8, signed: true }),
    nondet("__VERIFIER_nondet_uchar", ":i", Scalar::Int { bits: 8, signed: false }),
    nondet("__VERIFIER_nondet_short", ":i", Scalar::Int { bits: 16, signed: true }),
    nondet("__VERIFIER_nondet_ushort", ":i", Scalar::Int { bits: 16, signed: false }),
    nondet("__VERIFIER_nondet_int", ":i", Scalar::Int { bits: 32, signed: true }),
    nondet("__VERIFIER_nondet_uint", ":i", Scalar::Int { bits: 32, signed: false }),
    nondet("__VERIFIER_nondet_long", ":i", Scalar::Int { bits: 32, signed: true }),
    nondet("__VERIFIER_nondet_ulong", ":i", Scalar::Int { bits: 32, signed: false }),
    nondet("__VERIFIER_nondet_size_t", ":i", Scalar::Int { bits: 32, signed: false }),
    nondet("__VERIFIER_nondet_longlong", ":I", Scalar::Int { bits: 64, signed: true }),
    nondet("__VERIFIER_nondet_ulonglong", ":I", Scalar::Int { bits: 64, signed: false }),
    nondet("__VERIFIER_nondet_float", ":f", Scalar::Float { bits: 32 }),
    nondet("__VERIFIER_nondet_double", ":F", Scalar::Float { bits: 64 }),
];

impl Row {
    fn is_named(&self, import: &Import) -> bool {
        self.name == import.name && self.modules.contains(&import.module.as_str())
    }

    fn fits(&self, import: &Import) -> bool {
        import.ty == ImportType::Function(self.function_type())
    }

    /// Its type.
    pub fn function_type(&self) -> FunctionType {
        let (params, results) = self.ty.split_once(':').unwrap_or((self.ty, ""));
        FunctionType { params: value_types(params), results: value_types(results) }
    }
}

fn value_types(letters: &str) -> Vec<ValueType> {
    let ty = |letter| match letter {
        'I' => ValueType::I64,
        'f' => ValueType::F32,
        'F' => ValueType::F64,
        _ => ValueType::I32,
    };
    letters.chars().map(ty).collect()
}

/// The number under which an import is provided.
pub fn provides(import: &Import) -> Option<u32> {
    let row = TABLE.iter().position(|row| row.is_named(import) && row.fits(import))?;
    Some(row as u32)
}

/// What an import asks for by name, if it is of another type.
pub fn mistyped(import: &Import) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.is_named(import) && !row.fits(import))
}
