/* Tridiagonal systems, symmetric and not. */
#include <gsl/gsl_linalg.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_vector_view diagonal = gsl_matrix_row(a, 0), above = gsl_matrix_subrow(a, 1, 0, N - 1);
    gsl_vector_view below = gsl_matrix_subrow(a, 2, 0, N - 1);
    if (gsl_linalg_solve_tridiag(&diagonal.vector, &above.vector, &below.vector, b, x) == GSL_SUCCESS)
        gsl_linalg_solve_symm_tridiag(&diagonal.vector, &above.vector, b, x);
}
