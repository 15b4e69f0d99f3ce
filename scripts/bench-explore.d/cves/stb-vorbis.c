/* stb_vorbis: opens an Ogg Vorbis file in memory and decodes its first frame. */
#define STB_VORBIS_IMPLEMENTATION
#define STB_VORBIS_NO_STDIO
#include "stb_vorbis.h"
#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    int error;
    stb_vorbis *decoder = stb_vorbis_open_memory((unsigned char *)data, (int)size, &error, NULL);
    if (decoder) {
        float **output;
        int channels;
        stb_vorbis_get_frame_float(decoder, &channels, &output);
        stb_vorbis_close(decoder);
    }
    return 0;
}

#include "harness-main.h"
