/* Runs a fuzzer's harness once, on all of standard input. The bytes lie in a block of exactly their size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static unsigned char bytes[1 << 20];

int main(int argc, char **argv) {
    if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
    size_t size = fread(bytes, 1, sizeof bytes, stdin);
    unsigned char *data = malloc(size);
    if (!data) return 2;
    memcpy(data, bytes, size);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}
