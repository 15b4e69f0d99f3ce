/* bzip2: one buffer to another. */
#include "bzlib.h"
#include <stddef.h>

void bz_internal_error(int code) {
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static char output[1024];
    unsigned length = sizeof output;
    BZ2_bzBuffToBuffDecompress(output, &length, (char *)data, size, 1, 0);
    return 0;
}

#include "harness-main.h"
