/* A product of matrices, and what the product is like. */
#include <gsl/gsl_blas.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_matrix *product = gsl_matrix_calloc(N, N);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1.0, a, a, 0.0, product);
    if (!gsl_matrix_isnonneg(product) && gsl_matrix_ispos(a))
        gsl_blas_dtrsv(CblasUpper, CblasNoTrans, CblasNonUnit, product, b);
    gsl_vector_max_index(b);
}
