/* gsl_sort_int: heap sort of integers. */
#include <gsl/gsl_sort_int.h>
#include "numbers.h"

static void test(void) {
    int x[4];
    SYMBOLIC(x);
    gsl_sort_int(x, 1, 4);
}
