/* The motivating example of MuSE (ASE 2020, Figure 2): four paths, and one query is enough for all of them. */
#include "soundline.h"
#include <stdio.h>

int main(void) {
    int x, y;
    sl_symbolic(&x, sizeof x, "x");
    sl_symbolic(&y, sizeof y, "y");
    sl_assume(x > -1000 && x < 1000);
    sl_assume(y > -1000 && y < 1000);
    if (x + y >= 2) {
        if (2 * y - x >= 1) {
            if (2 * x - y >= 0)
                puts("#2");
            else
                puts("#1");
        } else {
            puts("#3");
        }
    } else {
        puts("#4");
    }
    return 0;
}
