/* gsl_histogram_find over symbolic ranges: find. */
#include <gsl/gsl_histogram.h>
#include "numbers.h"

static void test(void) {
    double range[7], at;
    size_t bin;
    SYMBOLIC(range);
    SYMBOLIC(at);
    gsl_histogram *histogram = gsl_histogram_alloc(6);
    if (gsl_histogram_set_ranges(histogram, range, 7) == GSL_SUCCESS)
        gsl_histogram_find(histogram, at, &bin);
    gsl_histogram_free(histogram);
}
