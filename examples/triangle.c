/* soundline explore examples/triangle.c: which triangle has sides a, b, c? The assertion holds for all of them. */
#include "soundline.h"
#include <stdio.h>

enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL };

static enum kind triangle(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)
        return NONE;
    if (a + b <= c || b + c <= a || a + c <= b)
        return NONE;
    if (a == b && b == c)
        return EQUILATERAL;
    return a == b || b == c || a == c ? ISOSCELES : SCALENE;
}

int main(void) {
    int a, b, c;
    sl_symbolic(&a, sizeof a, "a");
    sl_symbolic(&b, sizeof b, "b");
    sl_symbolic(&c, sizeof c, "c");
    sl_assume(a < 10000 && b < 10000 && c < 10000);
    enum kind kind = triangle(a, b, c);
    sl_assert(kind == triangle(c, a, b));
    printf("%d\n", kind);
    return 0;
}
