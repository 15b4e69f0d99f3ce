/* gsl_linalg_solve_cyc_tridiag: solve_cyc_tridiag_nonsym. */
#include <gsl/gsl_linalg.h>
#include "numbers.h"

static void test(void) {
    double diagonal[4], above[4], below[4], right[4], x[4];
    SYMBOLIC(diagonal);
    SYMBOLIC(above);
    SYMBOLIC(below);
    SYMBOLIC(right);
    gsl_vector_view d = gsl_vector_view_array(diagonal, 4), e = gsl_vector_view_array(above, 4);
    gsl_vector_view f = gsl_vector_view_array(below, 4), b = gsl_vector_view_array(right, 4);
    gsl_vector_view solution = gsl_vector_view_array(x, 4);
    gsl_linalg_solve_cyc_tridiag(&d.vector, &e.vector, &f.vector, &b.vector, &solution.vector);
}
