/* Cholesky decomposition, condition number and solution (Zhang et al. 2020's square root solver). */
#include <gsl/gsl_linalg.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    double reciprocal;
    if (gsl_linalg_cholesky_decomp1(a) != GSL_SUCCESS)
        return;
    gsl_linalg_cholesky_rcond(a, &reciprocal, gsl_vector_calloc(3 * N));
    if (reciprocal > 0.25)
        gsl_linalg_cholesky_solve(a, b, x);
}
