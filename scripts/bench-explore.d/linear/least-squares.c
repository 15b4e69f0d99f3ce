/* Least squares by QR: more equations than unknowns. */
#include <gsl/gsl_linalg.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_matrix_view tall = gsl_matrix_view_array(entries, N, 2);
    gsl_vector_view solution = gsl_vector_subvector(x, 0, 2), reflections = gsl_vector_subvector(tau, 0, 2);
    gsl_linalg_QR_decomp(&tall.matrix, &reflections.vector);
    gsl_linalg_QR_lssolve(&tall.matrix, &reflections.vector, b, &solution.vector, gsl_vector_calloc(N));
}
