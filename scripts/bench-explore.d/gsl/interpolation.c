/* One of the interpolations, -DTYPE=gsl_interp_..., and what is evaluated, -DEVAL=deriv or integ. */
#include <gsl/gsl_interp.h>
#include "numbers.h"

#define POINTS 5

static int eval_deriv(const gsl_interp *interp, const double *x, const double *y, double from, double to, double *value) {
    return gsl_interp_eval_deriv_e(interp, x, y, from, NULL, value);
}

static int eval_integ(const gsl_interp *interp, const double *x, const double *y, double from, double to, double *value) {
    return gsl_interp_eval_integ_e(interp, x, y, from, to, NULL, value);
}

static void test(void) {
    double x[POINTS], y[POINTS], from, to, value;
    SYMBOLIC(x);
    SYMBOLIC(y);
    SYMBOLIC(from);
    SYMBOLIC(to);
    gsl_interp *interp = gsl_interp_alloc(TYPE, POINTS);
    if (gsl_interp_init(interp, x, y, POINTS) == GSL_SUCCESS)
        EVAL(interp, x, y, from, to, &value);
    gsl_interp_free(interp);
}
