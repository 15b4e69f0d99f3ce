/* miniz: a zlib stream to a buffer of 256 bytes. */
#include "miniz.c"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static unsigned char output[256];
    tinfl_decompress_mem_to_mem(output, sizeof output, data, size, TINFL_FLAG_PARSE_ZLIB_HEADER);
    return 0;
}

#include "harness-main.h"
