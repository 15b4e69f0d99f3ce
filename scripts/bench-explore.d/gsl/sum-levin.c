/* gsl_sum_levin_u_minmax. */
#include <gsl/gsl_sum.h>
#include "numbers.h"

static void test(void) {
    double terms[5], sum, error;
    SYMBOLIC(terms);
    gsl_sum_levin_u_workspace *workspace = gsl_sum_levin_u_alloc(5);
    gsl_sum_levin_u_minmax(terms, 5, 2, 4, workspace, &sum, &error);
    gsl_sum_levin_u_free(workspace);
}
