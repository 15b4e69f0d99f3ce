/* Two kinds of data that begin with the same header: what a header has to be is found once, and fits both. */
#include "soundline.h"

static const unsigned char meaning[256] = {['q'] = 1, ['x'] = 2};

int main(void) {
    unsigned char in[6];
    sl_symbolic(in, sizeof in, "in");
    unsigned size = in[1] | in[2] << 8 | in[3] << 16 | (unsigned)in[4] << 24;
    int valid = size * 2654435761u >> 8 == 77777;
    int meant = meaning[in[5]];
    switch (in[0]) {
    case 'a':
        return valid ? meant == 1 ? 3 : 2 : 1;
    case 'b':
        return valid ? meant == 2 ? 6 : 5 : 4;
    default:
        return 0;
    }
}
