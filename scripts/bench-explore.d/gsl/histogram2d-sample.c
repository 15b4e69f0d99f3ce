/* gsl_histogram2d_pdf_sample. */
#include <gsl/gsl_histogram2d.h>
#include "numbers.h"

static void test(void) {
    double x[4], y[4], weights[9], at[2], sample[2];
    SYMBOLIC(x);
    SYMBOLIC(y);
    SYMBOLIC(weights);
    SYMBOLIC(at);
    gsl_histogram2d *histogram = gsl_histogram2d_alloc(3, 3);
    gsl_histogram2d_pdf *pdf = gsl_histogram2d_pdf_alloc(3, 3);
    if (gsl_histogram2d_set_ranges(histogram, x, 4, y, 4) == GSL_SUCCESS) {
        for (int i = 0; i < 9; i++)
            histogram->bin[i] = weights[i];
        if (gsl_histogram2d_pdf_init(pdf, histogram) == GSL_SUCCESS)
            gsl_histogram2d_pdf_sample(pdf, at[0], at[1], &sample[0], &sample[1]);
    }
    gsl_histogram2d_pdf_free(pdf);
    gsl_histogram2d_free(histogram);
}
