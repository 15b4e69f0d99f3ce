// Bug: a program that calls longjmp could not be linked.
// Cause: WebAssembly has no jumps out of calls. The machine drops calls itself.
// Run: explore {file} --stdin 1 --time-limit 8 --json
// Expect: "stop_reason": "explored"
// Expect: "crashes": 0
#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
static void deep(int n) {
    if (n == 3) longjmp(back, 7);
    deep(n + 1);
}
int main(void) {
    if (getchar() != 'j') return 0;
    if (setjmp(back) == 7) return 3;
    deep(0);
    return 1;
}
