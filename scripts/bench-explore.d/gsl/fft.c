/* gsl_fft_real_radix2_transform; the length is symbolic too. */
#include <gsl/gsl_fft_real.h>
#include "numbers.h"

static void test(void) {
    double x[8];
    unsigned char length;
    SYMBOLIC(x);
    SYMBOLIC(length);
    sl_assume(length <= 8);
    gsl_fft_real_radix2_transform(x, 1, length);
    if (x[0] > x[1] && x[1] > x[2])
        gsl_fft_real_radix2_transform(x, 2, length / 2);
}
