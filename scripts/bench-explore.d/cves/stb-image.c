/* stb_image: any picture in memory. */
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.c"
#include <stddef.h>

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    int width, height, channels;
    stbi_image_free(stbi_load_from_memory(data, (int)size, &width, &height, &channels, 0));
    return 0;
}

#include "harness-main.h"
