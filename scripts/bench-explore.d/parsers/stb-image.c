/* One of stb_image's readers, chosen by -DSTBI_ONLY_NAME. Large pictures only cost memory, so they are refused. */
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_SIMD
#define STBI_NO_THREAD_LOCALS
#define STBI_MAX_DIMENSIONS 256
#include "stb_image.h"
#include "input.h"

static void parse(void) {
    int width, height, channels;
    stbi_image_free(stbi_load_from_memory(input, SIZE, &width, &height, &channels, 0));
}
