/* setjmp and longjmp. A line that goes wrong for some input ends with its kind; no other line does.
   stdin: 2 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

void reach_error(void);

static jmp_buf point;

__attribute__((noinline)) static int parse(int n) {
    if (n == 'x') longjmp(point, 3);
    if (n == 'y') longjmp(point, 0);
    return n;
}

int main(void) {
    int first = getchar(), second = getchar();
    switch (setjmp(point)) {
        case 0: return parse(first) + parse(second) == 0;
        case 1: return 1;
        case 3:
            if (second == 'z') reach_error(); // ! error reached
            return 3;
        default: abort();
    }
}
