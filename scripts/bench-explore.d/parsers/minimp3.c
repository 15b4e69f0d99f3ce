/* minimp3: finds the first frame and decodes it. */
#define MINIMP3_IMPLEMENTATION
#define MINIMP3_NO_SIMD
#include "minimp3.h"
#include "input.h"

static void parse(void) {
    static mp3d_sample_t samples[MINIMP3_MAX_SAMPLES_PER_FRAME];
    mp3dec_t decoder;
    mp3dec_frame_info_t info;
    mp3dec_init(&decoder);
    mp3dec_decode_frame(&decoder, input, SIZE, samples, &info);
}
