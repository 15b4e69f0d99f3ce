// Bug: exploring a parser of images took minutes to clear gigabytes of memory that a width in the input asked for.
// Cause: memory grew as far as the program wanted, and all of it was cleared at the start of a run. Memory is bounded, and only what changed is cleared.
// Run: explore {file} --stdin 4 --time-limit 8 --json
// Expect: "crashes": 0
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    unsigned size = 0;
    if (fread(&size, 4, 1, stdin) != 1) return 1;
    if (size > 0x8000000) return 2;
    char *block = malloc(size);
    if (!block) return 3;
    free(block);
    return 0;
}
