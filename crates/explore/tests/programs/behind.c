/* An error behind many decisions that do not matter: by breadth alone it takes thousands of tests to get there. */
#include "soundline.h"

static volatile int count;

int main(void) {
    unsigned char kind, between[12], last;
    sl_symbolic(&kind, sizeof kind, "kind");
    sl_symbolic(between, sizeof between, "between");
    sl_symbolic(&last, sizeof last, "last");
    if (kind < 100) return 1;
    if (kind < 200) return 2;
    for (int i = 0; i < 12; i++)
        if (between[i] & 1) count = count + 1;
    if (last == 'x') reach_error();
    return 0;
}
