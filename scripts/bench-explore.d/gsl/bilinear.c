/* gsl_interp2d_eval_deriv_y of the bilinear interpolation. */
#include <gsl/gsl_interp2d.h>
#include "numbers.h"

static void test(void) {
    double x[3], y[3], z[9], at[2], value;
    SYMBOLIC(x);
    SYMBOLIC(y);
    SYMBOLIC(z);
    SYMBOLIC(at);
    gsl_interp2d *interp = gsl_interp2d_alloc(gsl_interp2d_bilinear, 3, 3);
    if (gsl_interp2d_init(interp, x, y, z, 3, 3) == GSL_SUCCESS)
        gsl_interp2d_eval_deriv_y_e(interp, x, y, z, at[0], at[1], NULL, NULL, &value);
    gsl_interp2d_free(interp);
}
