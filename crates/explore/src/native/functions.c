/* The functions of soundline.h on this machine. What the program asks for is answered by next_input, in order. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "soundline.h"

static void next_input(void *target, size_t size);

void sl_symbolic(void *address, size_t size, const char *name) { (void)name; next_input(address, size); }
void klee_make_symbolic(void *address, size_t size, const char *name) { (void)name; next_input(address, size); }
void sl_assume(int condition) { if (!condition) exit(0); }
void klee_assume(size_t condition) { if (!condition) exit(0); }
void __VERIFIER_assume(int condition) { if (!condition) exit(0); }
void sl_assert(int condition) { if (!condition) { fputs("assertion failed\n", stderr); abort(); } }
/* Integers are as wide as they are on wasm32. */
#define NONDET(name, type, wide) type __VERIFIER_nondet_##name(void) { wide value; next_input(&value, sizeof value); return (type)value; }
NONDET(char, char, int8_t)
NONDET(uchar, unsigned char, uint8_t)
NONDET(short, short, int16_t)
NONDET(ushort, unsigned short, uint16_t)
NONDET(int, int, int32_t)
NONDET(uint, unsigned int, uint32_t)
NONDET(long, long, int32_t)
NONDET(ulong, unsigned long, uint32_t)
NONDET(size_t, size_t, uint32_t)
NONDET(longlong, long long, int64_t)
NONDET(ulonglong, unsigned long long, uint64_t)
NONDET(float, float, float)
NONDET(double, double, double)
_Bool __VERIFIER_nondet_bool(void) { uint8_t value; next_input(&value, 1); return value & 1; }
