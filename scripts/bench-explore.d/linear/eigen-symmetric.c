/* Eigenvalues and eigenvectors of a symmetric matrix, sorted. */
#include <gsl/gsl_eigen.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_matrix *vectors = gsl_matrix_calloc(N, N);
    if (gsl_eigen_symmv(a, x, vectors, gsl_eigen_symmv_alloc(N)) == GSL_SUCCESS)
        gsl_eigen_symmv_sort(x, vectors, GSL_EIGEN_SORT_ABS_DESC);
}
