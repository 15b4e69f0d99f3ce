/* miniz: a zlib stream, piece by piece to a function that takes any number of them. The bug fills a buffer of a fixed size once and
   ends; here it goes on for ever, as it does where users have it. */
#include "miniz.c"

static int taken(const void *piece, int length, void *total) {
    (void)piece;
    *(unsigned *)total += (unsigned)length;
    return 1;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    unsigned total = 0;
    size_t used = size;
    tinfl_decompress_mem_to_callback(data, &used, taken, &total, TINFL_FLAG_PARSE_ZLIB_HEADER);
    return 0;
}

#include "harness-main.h"
