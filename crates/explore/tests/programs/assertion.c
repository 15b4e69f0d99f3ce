/* One assertion that can fail, for some inputs only, and one that cannot. */
#include "soundline.h"

int main(void) {
    unsigned x, y;
    sl_symbolic(&x, sizeof x, "x");
    sl_symbolic(&y, sizeof y, "y");
    sl_assume(x < 200000 && y < 7);
    unsigned z = 7 * x + y;
    if (z < 1000)
        return 0;
    sl_assert(z >= x);
    sl_assert(z != 1000003);
    return 1;
}
