/* LZ4: a block behind four bytes that say how long its contents are. */
#include "lz4.h"
#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static char output[64];
    if (size < 4)
        return 0;
    int length = (int)(data[0] | data[1] << 8 | data[2] << 16 | (unsigned)data[3] << 24);
    if (length > (int)sizeof output)
        return 0;
    LZ4_decompress_safe((const char *)data + 4, output, (int)size - 4, length);
    return 0;
}

#include "harness-main.h"
