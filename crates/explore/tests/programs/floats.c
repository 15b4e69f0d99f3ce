/* Decisions on doubles: the sign of a discriminant, and a division that gives infinity. */
#include "soundline.h"

int main(void) {
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
    double d = b * b - 4 * a;
    if (d < 0)
        return 1;
    if (d > 1e10)
        return 2;
    if (a == 0.5 && b > 1.5)
        return 3;
    if (a != a)
        return 4;
    return 0;
}
