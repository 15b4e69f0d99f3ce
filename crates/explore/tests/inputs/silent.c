/* An error on the way that every input takes. The store takes the index as it is in a run, and only a few others are solved for, so it
   is found by those who run many inputs.
   stdin: 1 */
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    unsigned char in, seen[256] = {0};
    if (read(0, &in, 1) != 1) return 0;
    seen[in] = 1;
    char *block = malloc(8);
    if (!block) return 0;
    free(block + seen[200]); // ! invalid-free
    return 0;
}
