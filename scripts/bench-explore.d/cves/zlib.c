/* zlib: a gzip stream in pieces of 16 bytes, with room for 16 bytes of the header's extra field. */
#include "zlib.h"
#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static unsigned char output[256];
    unsigned char extra[16];
    gz_header header = {.extra = extra, .extra_max = sizeof extra};
    z_stream stream = {0};
    if (inflateInit2(&stream, 15 + 32) != Z_OK)
        return 0;
    inflateGetHeader(&stream, &header);
    for (size_t at = 0; at < size; at += 16) {
        stream.next_in = (unsigned char *)data + at;
        stream.avail_in = size - at < 16 ? size - at : 16;
        stream.next_out = output;
        stream.avail_out = sizeof output;
        if (inflate(&stream, Z_NO_FLUSH) != Z_OK)
            break;
    }
    inflateEnd(&stream);
    return 0;
}

#include "harness-main.h"
