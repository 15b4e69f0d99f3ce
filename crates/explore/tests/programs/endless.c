/* Runs that never end by themselves, and decisions without end: only the clock stops an exploration of this. */
#include <stdio.h>

int main(void) {
    unsigned sum = 0;
    for (int c; (c = getchar()) != EOF;)
        if (c > 64)
            sum = sum * 31 + (unsigned)c;
    for (volatile unsigned i = 0; sum % 8 != 3; i++)
        if (i % 4096 == sum % 4096)
            sum += 8;
    return 0;
}
