/* LU decomposition with row exchanges, the solution, and the sign of the determinant. */
#include <gsl/gsl_linalg.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_permutation *p = gsl_permutation_alloc(N);
    int sign;
    gsl_linalg_LU_decomp(a, p, &sign);
    if (gsl_linalg_LU_solve(a, p, b, x) == GSL_SUCCESS && gsl_linalg_LU_det(a, sign) < 0)
        gsl_linalg_LU_invert(a, p, gsl_matrix_calloc(N, N));
}
