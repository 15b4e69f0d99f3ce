/* dr_wav: opens a WAV, W64 or AIFF file in memory and decodes a few frames. */
#define DR_WAV_IMPLEMENTATION
#define DR_WAV_NO_STDIO
#include "dr_wav.h"
#include "input.h"

static void parse(void) {
    static drwav_int16 samples[4 * DRWAV_MAX_CHANNELS];
    drwav wav;
    if (drwav_init_memory(&wav, input, SIZE, NULL)) {
        drwav_read_pcm_frames_s16(&wav, 4, samples);
        drwav_uninit(&wav);
    }
}
