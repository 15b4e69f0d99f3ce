/* A dense switch becomes a br_table; a table is read at an index from the input. */
#include "soundline.h"

static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

int main(void) {
    unsigned char index = __VERIFIER_nondet_uchar();
    int divisor = __VERIFIER_nondet_int();
    int result;
    switch (index) {
    case 0: result = table[divisor & 7]; break;
    case 1: result = 100 / divisor; break;
    case 2: result = divisor * 3; break;
    case 3: result = divisor ^ 0x55; break;
    case 4: result = -divisor; break;
    default: return 0;
    }
    return result == 9;
}
