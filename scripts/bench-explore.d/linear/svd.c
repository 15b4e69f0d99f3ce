/* Singular value decomposition (Golub-Reinsch). */
#include <gsl/gsl_linalg.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_linalg_SV_decomp(a, gsl_matrix_calloc(N, N), x, gsl_vector_calloc(N));
}
