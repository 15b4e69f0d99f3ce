/* Accesses that miss their object by far, or end up beside another one. A line that goes wrong for some input ends with its kind;
   no other line does.
   stdin: 5 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROBE __attribute__((noinline)) static

static int grid[8][8];
static char *names[4];

/* The index leads to the stack, to the heap, or to nothing. */
PROBE int global_far(int line) {
    int *volatile start = &grid[0][0];
    return line <= 2000 ? start[line * 8] : 0; // ! global-buffer-overflow
}

/* A frame that outlives its function lies in the heap. */
PROBE int local_far(int n) {
    char text[20];
    memset(text, 1, sizeof text);
    char *volatile start = text;
    return n == 30000 || n < 20 ? start[n] : 0; // ! stack-buffer-overflow
}

/* Another local lies before this one: what is missed is not that one's end. */
PROBE int below(int n) {
    char first[12] = "before";
    int stack[4] = {0};
    char *volatile keep = first;
    int *volatile base = stack;
    return n > -3 && n < 4 ? base[n] + keep[0] : 0; // ! stack-buffer-underflow
}

PROBE int before_block(int n) {
    int *counts = calloc(10, sizeof *counts);
    if (!counts) return 0;
    if (n < 10) counts[n]++; // ! heap-buffer-overflow
    int result = counts[0];
    free(counts);
    return result;
}

/* A pointer that lies in memory, between blocks of others. */
PROBE int member_far(unsigned n) {
    char *all[4];
    for (int i = 0; i < 4; i++) {
        all[i] = names[i] = calloc(1, 1000);
        if (!all[i]) return 0;
    }
    free(all[3]);
    int result = n == 3600 ? names[0][n] : names[0][0]; // ! heap-buffer-overflow
    for (int i = 0; i < 3; i++) free(all[i]);
    return result;
}

/* An address that is a number. */
PROBE int made_up(unsigned n) {
    static int zero;
    int *address = &zero;
    if (n == 0x700000) address = (int *)(0x2000000 + n);
    return *address; // ! wild-pointer
}

PROBE int overlapping(unsigned n) {
    char *block = calloc(1, 40);
    if (!block) return 0;
    memcpy(block + 8, block, n % 17); // ! memcpy-param-overlap
    free(block);
    return 0;
}

/* The same, right. */
PROBE int apart(unsigned n) {
    char *block = calloc(1, 40);
    if (!block) return 0;
    memcpy(block + 16, block, n % 17);
    int *volatile last = &grid[7][7];
    int result = last[-(int)(n % 64)];
    free(block);
    return result;
}

int main(void) {
    unsigned char which;
    int n;
    if (read(0, &which, 1) != 1 || read(0, &n, 4) != 4) return 0;
    switch (which) {
    case 1: return n >= 0 ? global_far(n) : 0;
    case 2: return n >= 0 ? local_far(n) : 0;
    case 3: return below(n);
    case 4: return n >= -128 ? before_block(n) : 0;
    case 5: return member_far(n);
    case 6: return made_up(n);
    case 7: return overlapping(n);
    case 8: return apart(n);
    default: return 0;
    }
}
