/* Eigenvalues of a general matrix, balanced first. */
#include <gsl/gsl_eigen.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_eigen_nonsymm_workspace *workspace = gsl_eigen_nonsymm_alloc(N);
    gsl_eigen_nonsymm_params(0, 1, workspace);
    gsl_eigen_nonsymm(a, gsl_vector_complex_calloc(N), workspace);
}
