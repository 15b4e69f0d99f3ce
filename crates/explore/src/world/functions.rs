//! The table of functions that the world provides: modules that they may be imported from, names, types, and what serves them.

use super::guard::{GuardCall, HeapCall};
use super::wasi::Wasi;
use crate::checks::Kind;
use crate::checks::heap::Family;
use crate::target::Scalar;
use crate::types::{FunctionType, Import, ImportType, ValueType};

/// What serves a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Service {
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
    /// The program gives up.
    Abort,
    /// The program needs something that the world does not have, by name.
    Unsupported,
    /// Gives a symbolic value.
    Nondet(Scalar),
    /// A function of the heap.
    Heap(HeapCall),
    /// A function that AddressSanitizer's pass calls.
    Guard(GuardCall),
    /// Arithmetic, or something else, that is undefined.
    Undefined(Kind),
    /// Hears that two texts are compared: where they are, how many bytes at most, and whether a zero ends them.
    Compare,
    /// Remembers a place to come back to.
    SetJump,
    /// Goes back to it.
    LongJump,
    /// Keeps a copy of the calls in progress, as a thread of its own: a number, where its stack is, and how large that is.
    Part,
    /// Gives the turn from one thread to another.
    Turn,
    /// Memory for an exception.
    NewException,
    /// Ends the run with a C++ exception.
    Throw,
    /// A call begins that an exception of C++ may leave; the argument is the list of what is caught there.
    Try,
    /// It ended.
    Tried,
    /// An exception came in its place.
    Land,
    /// The list of such a call that has not ended, counted from the innermost; zero if there are not so many.
    Clauses,
    /// Goes back to the innermost of these calls.
    Unwind,
}

/// One function.
pub(crate) struct FunctionRow {
    /// The modules that it may be imported from.
    pub(crate) modules: &'static [&'static str],
    /// The name under which programs import it.
    pub(crate) name: &'static str,
    /// The types of its parameters and, behind the colon, of its result: `i` and `I` for 32 and 64-bit integers, `f` and
    /// `F` for floats.
    pub(crate) ty: &'static str,
    /// What serves it.
    pub(crate) service: Service,
}

const WASI: &[&str] = &["wasi_snapshot_preview1", "wasi_unstable"];
/// Declared in `soundline.h`, or left undefined by a program that declares them itself.
const OURS: &[&str] = &["soundline", "env"];

const NOSYS: u16 = 52;
const ROFS: u16 = 69;

const fn wasi(name: &'static str, ty: &'static str, function: Wasi) -> FunctionRow {
    FunctionRow { modules: WASI, name, ty, service: Service::Wasi(function) }
}

const fn refused(name: &'static str, ty: &'static str, errno: u16) -> FunctionRow {
    FunctionRow { modules: WASI, name, ty, service: Service::Refuse(errno) }
}

const fn ours(name: &'static str, ty: &'static str, service: Service) -> FunctionRow {
    FunctionRow { modules: OURS, name, ty, service }
}

const fn nondet(name: &'static str, ty: &'static str, scalar: Scalar) -> FunctionRow {
    FunctionRow { modules: OURS, name, ty, service: Service::Nondet(scalar) }
}

/// A function of the heap. Our part of the C library calls it by this name.
const fn heap(name: &'static str, ty: &'static str, call: HeapCall) -> FunctionRow {
    FunctionRow { modules: &["env"], name, ty, service: Service::Heap(call) }
}

const fn guard(name: &'static str, ty: &'static str, call: GuardCall) -> FunctionRow {
    FunctionRow { modules: &["env"], name, ty, service: Service::Guard(call) }
}

const fn undefined(name: &'static str, kind: Kind) -> FunctionRow {
    FunctionRow { modules: &["env"], name, ty: ":", service: Service::Undefined(kind) }
}

/// All functions.
pub(crate) static TABLE: &[FunctionRow] = &[
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
    wasi("fd_filestat_set_size", "iI:i", Wasi::FilestatSetSize),
    wasi("fd_pread", "iiiIi:i", Wasi::Pread),
    wasi("fd_pwrite", "iiiIi:i", Wasi::Pwrite),
    wasi("fd_readdir", "iiiIi:i", Wasi::Readdir),
    wasi("path_create_directory", "iii:i", Wasi::PathCreateDirectory),
    wasi("path_remove_directory", "iii:i", Wasi::PathRemoveDirectory),
    wasi("path_rename", "iiiiii:i", Wasi::PathRename),
    wasi("path_unlink_file", "iii:i", Wasi::PathUnlinkFile),
    wasi("poll_oneoff", "iiii:i", Wasi::PollOneoff),
    refused("fd_advise", "iIIi:i", NOSYS),
    refused("fd_allocate", "iII:i", NOSYS),
    refused("fd_fdstat_set_rights", "iII:i", NOSYS),
    refused("fd_filestat_set_times", "iIIi:i", NOSYS),
    refused("fd_renumber", "ii:i", NOSYS),
    refused("path_filestat_set_times", "iiiiIIi:i", ROFS),
    refused("path_link", "iiiiiii:i", ROFS),
    refused("path_readlink", "iiiiii:i", NOSYS),
    refused("path_symlink", "iiiii:i", ROFS),
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
    ours("__soundline_compare", "iiii:", Service::Compare),
    ours("setjmp", "i:i", Service::SetJump),
    ours("longjmp", "ii:", Service::LongJump),
    ours("__soundline_part", "iii:i", Service::Part),
    ours("__soundline_turn", "ii:i", Service::Turn),
    ours("__cxa_allocate_exception", "i:i", Service::NewException),
    ours("__cxa_throw", "iii:", Service::Throw),
    ours("__soundline_try", "i:i", Service::Try),
    ours("__soundline_tried", ":", Service::Tried),
    ours("__soundline_land", ":", Service::Land),
    ours("__soundline_clauses", "i:i", Service::Clauses),
    ours("__soundline_unwind", ":", Service::Unwind),
    ours("unsupported", "i:", Service::Unsupported),
    ours("__wrap_abort", ":", Service::Abort),
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
    heap("__wrap_malloc", "i:i", HeapCall::Allocate(Family::Malloc)),
    heap("__wrap_calloc", "ii:i", HeapCall::Clear),
    heap("__wrap_realloc", "ii:i", HeapCall::Resize),
    heap("__wrap_reallocarray", "iii:i", HeapCall::ResizeArray),
    heap("__wrap_aligned_alloc", "ii:i", HeapCall::Aligned),
    heap("__wrap_posix_memalign", "iii:i", HeapCall::AlignedAt),
    heap("__wrap_free", "i:", HeapCall::Release(Family::Malloc)),
    heap("__wrap_malloc_usable_size", "i:i", HeapCall::Size),
    heap("__wrap__Znwm", "i:i", HeapCall::Allocate(Family::New)),
    heap("__wrap__Znam", "i:i", HeapCall::Allocate(Family::NewArray)),
    heap("__wrap__ZdlPv", "i:", HeapCall::Release(Family::New)),
    heap("__wrap__ZdlPvm", "ii:", HeapCall::Fits),
    heap("__wrap__ZdaPv", "i:", HeapCall::Release(Family::NewArray)),
    guard("__asan_init", ":", GuardCall::Nothing),
    guard("__asan_version_mismatch_check_v8", ":", GuardCall::Nothing),
    guard("__asan_register_globals", "ii:", GuardCall::Globals),
    guard("__asan_unregister_globals", "ii:", GuardCall::Nothing),
    guard("__asan_before_dynamic_init", "i:", GuardCall::Nothing),
    guard("__asan_after_dynamic_init", ":", GuardCall::Nothing),
    guard("__asan_handle_no_return", ":", GuardCall::NoReturn),
    guard("__asan_memcpy", "iii:i", GuardCall::Copy { overlap: false }),
    guard("__asan_memmove", "iii:i", GuardCall::Copy { overlap: true }),
    guard("__asan_memset", "iii:i", GuardCall::Fill),
    guard("__asan_alloca_poison", "ii:", GuardCall::Alloca),
    guard("__asan_allocas_unpoison", "ii:", GuardCall::AllocasEnd),
    guard("__asan_poison_stack_memory", "ii:", GuardCall::Shade(0xf8)),
    guard("__asan_unpoison_stack_memory", "ii:", GuardCall::Shade(0)),
    guard("__asan_poison_memory_region", "ii:", GuardCall::Shade(0xf7)),
    guard("__asan_unpoison_memory_region", "ii:", GuardCall::Shade(0)),
    guard("__sanitizer_annotate_contiguous_container", "iiii:", GuardCall::Container),
    guard("__asan_set_shadow_00", "ii:", GuardCall::Window(0x00)),
    guard("__asan_set_shadow_f1", "ii:", GuardCall::Window(0xf1)),
    guard("__asan_set_shadow_f2", "ii:", GuardCall::Window(0xf2)),
    guard("__asan_set_shadow_f3", "ii:", GuardCall::Window(0xf3)),
    guard("__asan_set_shadow_f5", "ii:", GuardCall::Window(0xf5)),
    guard("__asan_set_shadow_f8", "ii:", GuardCall::Window(0xf8)),
    guard("__asan_stack_malloc_always_0", "i:i", GuardCall::Frame(0)),
    guard("__asan_stack_malloc_0", "i:i", GuardCall::Frame(0)),
    guard("__asan_stack_free_0", "ii:", GuardCall::FrameEnd(0)),
    guard("__asan_stack_malloc_always_1", "i:i", GuardCall::Frame(1)),
    guard("__asan_stack_malloc_1", "i:i", GuardCall::Frame(1)),
    guard("__asan_stack_free_1", "ii:", GuardCall::FrameEnd(1)),
    guard("__asan_stack_malloc_always_2", "i:i", GuardCall::Frame(2)),
    guard("__asan_stack_malloc_2", "i:i", GuardCall::Frame(2)),
    guard("__asan_stack_free_2", "ii:", GuardCall::FrameEnd(2)),
    guard("__asan_stack_malloc_always_3", "i:i", GuardCall::Frame(3)),
    guard("__asan_stack_malloc_3", "i:i", GuardCall::Frame(3)),
    guard("__asan_stack_free_3", "ii:", GuardCall::FrameEnd(3)),
    guard("__asan_stack_malloc_always_4", "i:i", GuardCall::Frame(4)),
    guard("__asan_stack_malloc_4", "i:i", GuardCall::Frame(4)),
    guard("__asan_stack_free_4", "ii:", GuardCall::FrameEnd(4)),
    guard("__asan_stack_malloc_always_5", "i:i", GuardCall::Frame(5)),
    guard("__asan_stack_malloc_5", "i:i", GuardCall::Frame(5)),
    guard("__asan_stack_free_5", "ii:", GuardCall::FrameEnd(5)),
    guard("__asan_stack_malloc_always_6", "i:i", GuardCall::Frame(6)),
    guard("__asan_stack_malloc_6", "i:i", GuardCall::Frame(6)),
    guard("__asan_stack_free_6", "ii:", GuardCall::FrameEnd(6)),
    guard("__asan_stack_malloc_always_7", "i:i", GuardCall::Frame(7)),
    guard("__asan_stack_malloc_7", "i:i", GuardCall::Frame(7)),
    guard("__asan_stack_free_7", "ii:", GuardCall::FrameEnd(7)),
    guard("__asan_stack_malloc_always_8", "i:i", GuardCall::Frame(8)),
    guard("__asan_stack_malloc_8", "i:i", GuardCall::Frame(8)),
    guard("__asan_stack_free_8", "ii:", GuardCall::FrameEnd(8)),
    guard("__asan_stack_malloc_always_9", "i:i", GuardCall::Frame(9)),
    guard("__asan_stack_malloc_9", "i:i", GuardCall::Frame(9)),
    guard("__asan_stack_free_9", "ii:", GuardCall::FrameEnd(9)),
    guard("__asan_stack_malloc_always_10", "i:i", GuardCall::Frame(10)),
    guard("__asan_stack_malloc_10", "i:i", GuardCall::Frame(10)),
    guard("__asan_stack_free_10", "ii:", GuardCall::FrameEnd(10)),
    undefined("__soundline_deadlock", Kind::Deadlock),
    undefined("__ubsan_handle_add_overflow_minimal", Kind::SignedOverflow),
    undefined("__ubsan_handle_sub_overflow_minimal", Kind::SignedOverflow),
    undefined("__ubsan_handle_mul_overflow_minimal", Kind::SignedOverflow),
    undefined("__ubsan_handle_negate_overflow_minimal", Kind::Negation),
    undefined("__ubsan_handle_divrem_overflow_minimal", Kind::DivisionOverflow),
    undefined("__ubsan_handle_shift_out_of_bounds_minimal", Kind::Shift),
    undefined("__ubsan_handle_out_of_bounds_minimal", Kind::Bounds),
    undefined("__ubsan_handle_float_cast_overflow_minimal", Kind::FloatCast),
    undefined("__ubsan_handle_type_mismatch_minimal", Kind::Misaligned),
    undefined("__ubsan_handle_alignment_assumption_minimal", Kind::Misaligned),
    undefined("__ubsan_handle_builtin_unreachable_minimal", Kind::Unreachable),
    undefined("__ubsan_handle_missing_return_minimal", Kind::MissingReturn),
    undefined("__ubsan_handle_nonnull_arg_minimal", Kind::NullArgument),
    undefined("__ubsan_handle_nonnull_return_minimal", Kind::NullReturn),
    undefined("__ubsan_handle_nullability_arg_minimal", Kind::NullArgument),
    undefined("__ubsan_handle_nullability_return_minimal", Kind::NullReturn),
    undefined("__ubsan_handle_vla_bound_not_positive_minimal", Kind::VlaBound),
    undefined("__ubsan_handle_load_invalid_value_minimal", Kind::InvalidBool),
    undefined("__ubsan_handle_invalid_builtin_minimal", Kind::InvalidBuiltin),
    undefined("__ubsan_handle_pointer_overflow_minimal", Kind::PointerOverflow),
    undefined("__ubsan_handle_function_type_mismatch_minimal", Kind::FunctionType),
];

impl FunctionRow {
    fn is_named(&self, import: &Import) -> bool {
        self.name == import.name && self.modules.contains(&import.module.as_str())
    }

    fn fits(&self, import: &Import) -> bool {
        import.ty == ImportType::Function(self.function_type())
    }

    /// The type that an import must have, from [`FunctionRow::ty`].
    pub(crate) fn function_type(&self) -> FunctionType {
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
pub(crate) fn provides(import: &Import) -> Option<u32> {
    let row = TABLE.iter().position(|row| row.is_named(import) && row.fits(import))?;
    Some(row as u32)
}

/// Whether the function under a number is called where something undefined was done, or an exception came.
pub(crate) fn reports(number: u32) -> bool {
    matches!(TABLE[number as usize].service, Service::Undefined(_) | Service::Land)
}

/// What an import asks for by name, if it is of another type.
pub(crate) fn mistyped(import: &Import) -> Option<&'static FunctionRow> {
    TABLE.iter().find(|row| row.is_named(import) && !row.fits(import))
}
