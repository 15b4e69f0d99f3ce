/* Solution by Householder transformations. */
#include <gsl/gsl_linalg.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_linalg_HH_solve(a, b, x);
}
