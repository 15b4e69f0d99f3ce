/* Every value of four bits is a path of its own; most of them reach no new code. */
#include "soundline.h"

static volatile int count;

int main(void) {
    unsigned char byte = __VERIFIER_nondet_uchar();
    for (int i = 0; i < 4; i++)
        if (byte >> i & 1) count = count + 1;
    return count == 4;
}
