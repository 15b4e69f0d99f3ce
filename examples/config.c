/* soundline explore examples/config.c --stdin 5: reads a line such as "w=7" and fills a row of that width. One width is wrong. */
#include <stdio.h>
#include <string.h>

static int number(const char *text) {
    int value = 0;
    while (*text >= '0' && *text <= '9') value = value * 10 + (*text++ - '0');
    return value;
}

int main(void) {
    char line[16], row[11];
    int width = 4;
    if (!fgets(line, sizeof line, stdin)) return 1;
    if (strncmp(line, "w=", 2) == 0) width = number(line + 2);
    if (width > 11) return 2;
    for (int x = 0; x <= width; x++) row[x] = (char)x;
    puts(width > 0 ? "filled" : "empty");
    return row[0];
}
