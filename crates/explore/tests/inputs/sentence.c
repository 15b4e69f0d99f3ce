/* Words that must follow each other, each compared by another function. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

int main(void) {
    char text[33] = {0};
    if (read(0, text, 32) <= 0) return 2;
    char *first = strtok(text, " "), *second = strtok(0, " "), *third = strtok(0, " ");
    if (!first || strcmp(first, "SELECT") != 0) return 1;
    puts("first");
    if (!second || strcasecmp(second, "distinct") != 0) return 1;
    puts("second");
    if (!third || memcmp(third, "column", 6) != 0) return 1;
    puts("third");
    if (strncmp(third + 6, "_name", 5) != 0) return 1;
    puts("fourth");
    return 0;
}
