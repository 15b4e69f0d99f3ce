/* A fuzzer's harness as a program for KLEE: up to 256 symbolic bytes and their number. */
#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
void klee_make_symbolic(void *address, size_t size, const char *name);
void klee_assume(unsigned long condition);

int main(void) {
    static unsigned char input[256];
    unsigned size;
    klee_make_symbolic(input, sizeof input, "input");
    klee_make_symbolic(&size, sizeof size, "size");
    klee_assume(size <= sizeof input);
    return LLVMFuzzerTestOneInput(input, size);
}
