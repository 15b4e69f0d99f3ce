/* Singular value decomposition by one-sided Jacobi rotations. */
#include <gsl/gsl_linalg.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_linalg_SV_decomp_jacobi(a, gsl_matrix_calloc(N, N), x);
}
