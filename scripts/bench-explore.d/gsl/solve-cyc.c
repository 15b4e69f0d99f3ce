/* gsl_linalg_solve_symm_cyc_tridiag: solve_cyc_tridiag. */
#include <gsl/gsl_linalg.h>
#include "numbers.h"

static void test(void) {
    double diagonal[4], off[4], right[4], x[4];
    SYMBOLIC(diagonal);
    SYMBOLIC(off);
    SYMBOLIC(right);
    gsl_vector_view d = gsl_vector_view_array(diagonal, 4), e = gsl_vector_view_array(off, 4);
    gsl_vector_view b = gsl_vector_view_array(right, 4), solution = gsl_vector_view_array(x, 4);
    gsl_linalg_solve_symm_cyc_tridiag(&d.vector, &e.vector, &b.vector, &solution.vector);
}
