/* Says how long its input is, unless a variable says otherwise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *mode = getenv("MODE");
    if (mode && !strcmp(mode, "fast")) {
        puts("fast");
        return 0;
    }
    int count = 0;
    while (getchar() != EOF) count++;
    printf("%d\n", count);
    return 0;
}
