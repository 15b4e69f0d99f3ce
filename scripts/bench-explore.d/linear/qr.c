/* QR decomposition and solution. */
#include <gsl/gsl_linalg.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_linalg_QR_decomp(a, tau);
    gsl_linalg_QR_solve(a, tau, b, x);
}
