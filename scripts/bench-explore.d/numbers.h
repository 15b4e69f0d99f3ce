/* What the drivers of GSL's functions share: symbolic numbers, and an error handler that lets errors be returned. */
#include <gsl/gsl_errno.h>
#include "soundline.h"

#define SYMBOLIC(variable) sl_symbolic(&variable, sizeof variable, #variable)

static void test(void);

int main(void) {
    gsl_set_error_handler_off();
    test();
    return 0;
}
