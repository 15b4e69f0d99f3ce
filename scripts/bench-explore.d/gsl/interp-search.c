/* gsl_interp_accel_find, twice: the second search starts where the first ended. */
#include <gsl/gsl_interp.h>
#include "numbers.h"

static void test(void) {
    double x[8], at[2];
    SYMBOLIC(x);
    SYMBOLIC(at);
    gsl_interp_accel *accel = gsl_interp_accel_alloc();
    size_t first = gsl_interp_accel_find(accel, x, 8, at[0]);
    size_t second = gsl_interp_accel_find(accel, x, 8, at[1]);
    sl_assert(first < 7 && second < 7);
    gsl_interp_accel_free(accel);
}
