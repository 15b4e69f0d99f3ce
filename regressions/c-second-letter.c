// Bug: keywords were found by one query a letter, after long waits.
// Cause: a run that made one more comparison succeed covered no new line, and was not followed. Unusual runs are followed.
// Run: explore {file} --stdin 4 --time-limit 8 --json
// Exit: 1
// Expect: "crashes": 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    char word[5] = {0};
    if (fread(word, 1, 4, stdin) != 4) return 1;
    if (strcmp(word, "boom") == 0) abort();
    return 0;
}
