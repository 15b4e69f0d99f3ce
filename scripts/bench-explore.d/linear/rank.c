/* The rank by QR with column exchanges. */
#include <gsl/gsl_linalg.h>
#include "matrix.h"

static void test(void) {
    SYSTEM;
    gsl_permutation *p = gsl_permutation_alloc(N);
    int sign;
    gsl_linalg_QRPT_decomp(a, tau, p, &sign, gsl_vector_calloc(N));
    if (gsl_linalg_QRPT_rank(a, -1) == N)
        gsl_linalg_QRPT_solve(a, tau, p, b, x);
}
