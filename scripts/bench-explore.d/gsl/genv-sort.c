/* gsl_eigen_genv_sort of three eigenvalues; the order is symbolic too. */
#include <gsl/gsl_eigen.h>
#include "numbers.h"

static void test(void) {
    double numerators[6], denominators[3], vectors[18];
    unsigned char order;
    SYMBOLIC(numerators);
    SYMBOLIC(denominators);
    SYMBOLIC(order);
    gsl_vector_complex_view alpha = gsl_vector_complex_view_array(numerators, 3);
    gsl_vector_view beta = gsl_vector_view_array(denominators, 3);
    gsl_matrix_complex_view eigenvectors = gsl_matrix_complex_view_array(vectors, 3, 3);
    gsl_eigen_genv_sort(&alpha.vector, &beta.vector, &eigenvectors.matrix, (gsl_eigen_sort_t)(order & 3));
}
