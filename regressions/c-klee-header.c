// Bug: a program written for KLEE did not compile.
// Cause: klee/klee.h was not found, and its functions were not provided. Both come with Soundline.
// Run: explore {file} --time-limit 8 --json
// Exit: 1
// Expect: "crashes": 1
#include <assert.h>
#include <klee/klee.h>
int main(void) {
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume(x > 10);
    assert(x != 4711);
    return 0;
}
