/* Ends in the way that the first byte of standard input says, after some output. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef long long (*function)(long long);

static int twice(int x) {
    return 2 * x;
}

/* Volatile, so that the compiler leaves undefined behaviour to the machine. */
static volatile int zero, minus_one = -1, smallest = INT32_MIN;
static volatile uintptr_t far_away = 0xfffffff0u;
static volatile double large = 1e30, none = 0.0;
static void *volatile pointer = (void *)twice;

static int deep(volatile int *p) {
    int local = *p + 1;
    return local > 0 ? deep(&local) + local : 0;
}

int main(void) {
    int how = getchar();
    printf("ending %c\n", how);
    fflush(stdout);
    switch (how) {
    case 'd': return 7 / zero;
    case 'r': return 7 % zero;
    case 'o': return smallest / minus_one;
    case 'l': return *(volatile int *)far_away;
    case 's': *(volatile char *)far_away = 1; return 0;
    case 'a': abort();
    case 'u': __builtin_trap();
    case 'i': return (int)((function)pointer)(1);
    case 'n': return (int)((function)(uintptr_t)zero)(1);
    case 'e': return (int)((function)far_away)(1);
    case 'c': return __builtin_wasm_trunc_s_i32_f64(large);
    case 'C': return __builtin_wasm_trunc_s_i64_f64(none / none) != 0;
    case 'f': return deep(&smallest) + deep((volatile int *)&zero);
    case 'x': exit(77);
    case 'q': _Exit(3);
    case 'b': return -1;
    default: return 0;
    }
}
