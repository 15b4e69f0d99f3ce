/* A fuzzer's harness as a program for WebAssembly: standard input is what the fuzzer would give. */
#ifdef __wasm__

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    static unsigned char buffer[8192];
    size_t size = fread(buffer, 1, sizeof buffer, stdin);
    unsigned char *data = malloc(size);
    if (!data)
        return 0;
    memcpy(data, buffer, size);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 0;
}

#endif
