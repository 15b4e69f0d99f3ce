/* lodepng, the C part: a PNG whose checksums are not compared, for they are no part of the format's logic. */
#define LODEPNG_NO_COMPILE_CPP
#define LODEPNG_NO_COMPILE_DISK
#define LODEPNG_NO_COMPILE_ENCODER
#include "lodepng.cpp"
#include "input.h"

static void parse(void) {
    LodePNGState state;
    unsigned char *image = NULL;
    unsigned width, height;
    lodepng_state_init(&state);
    state.decoder.ignore_crc = 1;
    state.decoder.zlibsettings.ignore_adler32 = 1;
    lodepng_decode(&image, &width, &height, &state, input, SIZE);
    lodepng_free(image);
    lodepng_state_cleanup(&state);
}
