/* gsl_sort: heap sort of doubles. */
#include <gsl/gsl_sort_double.h>
#include "numbers.h"

static void test(void) {
    double x[5];
    SYMBOLIC(x);
    gsl_sort(x, 1, 5);
}
