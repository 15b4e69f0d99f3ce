/* Prints its arguments to both streams; the number of them is the exit code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **values) {
    for (int i = 0; i < count; i++) {
        printf("%d: '%s' of %zu\n", i, values[i], strlen(values[i]));
        if (i > 0 && values[i][0] == '-')
            fprintf(stderr, "option %s\n", values[i] + 1);
    }
    puts(getenv("HOME") ? "at home" : "homeless");
    exit(count);
}
