/* What a program can ask of soundline explore. With another compiler target than WebAssembly these are plain
   declarations, for the regression tests that soundline writes. */
#ifndef SOUNDLINE_H
#define SOUNDLINE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __wasm__
#define SOUNDLINE_IMPORT(name) __attribute__((import_module("soundline"), import_name(#name)))
#else
#define SOUNDLINE_IMPORT(name)
#endif

/* Makes size bytes at an address an input with this name. */
SOUNDLINE_IMPORT(sl_symbolic) void sl_symbolic(void *address, size_t size, const char *name);
/* Inputs for which the condition is zero are of no interest. */
SOUNDLINE_IMPORT(sl_assume) void sl_assume(int condition);
/* A condition that is zero is a failure. */
SOUNDLINE_IMPORT(sl_assert) void sl_assert(int condition);

/* The same under the names of KLEE. */
SOUNDLINE_IMPORT(klee_make_symbolic) void klee_make_symbolic(void *address, size_t size, const char *name);
SOUNDLINE_IMPORT(klee_assume) void klee_assume(size_t condition);

/* The names of the verification competitions. What must not be reached: */
SOUNDLINE_IMPORT(reach_error) void reach_error(void);
SOUNDLINE_IMPORT(__VERIFIER_error) void __VERIFIER_error(void);
SOUNDLINE_IMPORT(__VERIFIER_assume) void __VERIFIER_assume(int condition);
SOUNDLINE_IMPORT(__VERIFIER_nondet_bool) _Bool __VERIFIER_nondet_bool(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_char) char __VERIFIER_nondet_char(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_uchar) unsigned char __VERIFIER_nondet_uchar(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_short) short __VERIFIER_nondet_short(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_ushort) unsigned short __VERIFIER_nondet_ushort(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_int) int __VERIFIER_nondet_int(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_uint) unsigned int __VERIFIER_nondet_uint(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_long) long __VERIFIER_nondet_long(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_ulong) unsigned long __VERIFIER_nondet_ulong(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_size_t) size_t __VERIFIER_nondet_size_t(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_longlong) long long __VERIFIER_nondet_longlong(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_ulonglong) unsigned long long __VERIFIER_nondet_ulonglong(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_float) float __VERIFIER_nondet_float(void);
SOUNDLINE_IMPORT(__VERIFIER_nondet_double) double __VERIFIER_nondet_double(void);

#ifdef __cplusplus
}
#endif
#endif
