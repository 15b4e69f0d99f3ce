/* Errors with blocks of the heap. A line that goes wrong for some input ends with its kind; no other line does.
   stdin: 5, leaks */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBE __attribute__((noinline)) static

struct node { struct node *next; int value; };

static unsigned char in[5];
static char *kept;

PROBE void write_behind(int n) {
    char *block = malloc(12);
    block[n] = 1; // ! heap-buffer-overflow
    free(block);
}

PROBE int read_behind(unsigned n) {
    int *block = calloc(4, sizeof *block);
    int value = 0;
    if (n <= 4) value = block[n]; // ! heap-buffer-overflow
    free(block);
    return value;
}

PROBE int read_before(int n) {
    char *block = malloc(8);
    memset(block, 7, 8);
    int value = n < 8 ? block[n - 1] : 0; // ! heap-buffer-overflow
    free(block);
    return value;
}

PROBE void copy(size_t n) {
    char *block = malloc(16);
    if (n < 24) memcpy(block, "abcdefghijklmnopqrstuvwxyz", n); // ! heap-buffer-overflow
    free(block);
}

PROBE int after_free(int n) {
    struct node *node = malloc(sizeof *node);
    node->value = n;
    node->next = 0;
    if (n == 77) free(node);
    int value = node->value; // ! heap-use-after-free
    free(node);
    return value;
}

PROBE int after_realloc(int n) {
    char *block = malloc(4);
    char *old = block;
    block[0] = (char)n;
    block = realloc(block, 100);
    int value = n == 9 ? old[0] : block[0]; // ! heap-use-after-free
    free(block);
    return value;
}

PROBE void twice(int n) {
    char *block = malloc(4);
    free(block);
    if (n == 200) free(block); // ! double-free
}

PROBE void twice_in_list(int n) {
    struct node *last = malloc(sizeof *last), *first = malloc(sizeof *first);
    last->next = 0;
    first->next = last;
    if (n > 250) free(last);
    for (struct node *node = first; node;) {
        struct node *next = node == last && n > 250 ? 0 : node->next;
        free(node); // ! double-free
        node = next;
    }
}

PROBE void inside(int n) {
    char *block = malloc(4);
    free(n == 3 ? block + 1 : block); // ! invalid-free
}

PROBE void of_a_local(int n) {
    char local[4] = {0};
    char *block = n == 4 ? local : malloc(4);
    free(block); // ! invalid-free
}

PROBE void negative(int n) {
    char *block = malloc((size_t)(n - 5)); // ! allocation-size-too-big
    free(block);
}

PROBE void product(unsigned n) {
    int *block = calloc(n << 24, 64); // ! calloc-overflow
    free(block);
}

PROBE void lost(int n) {
    char *block = malloc(10); // ! memory-leak
    if (n != 8) free(block);
}

PROBE void lost_list(int n) {
    struct node *first = malloc(sizeof *first);
    first->next = malloc(sizeof *first); // ! memory-leak
    if (n != 8) free(first->next);
    free(first);
}

PROBE int fine(int n) {
    kept = malloc((size_t)n + 1);
    memset(kept, 'x', (size_t)n);
    kept[n] = 0;
    char *copy = strdup(kept);
    int length = (int)strlen(copy) + (strchr(copy, 'y') != 0);
    free(copy);
    return length;
}

int main(void) {
    if (fread(in, 1, sizeof in, stdin) != sizeof in) return 1;
    int n = in[1];
    switch (in[0]) {
        case 0: write_behind(n); break;
        case 1: return read_behind((unsigned)n);
        case 2: return read_before(n);
        case 3: copy((size_t)n); break;
        case 4: return after_free(n);
        case 5: return after_realloc(n);
        case 6: twice(n); break;
        case 7: twice_in_list(n); break;
        case 8: inside(n); break;
        case 9: of_a_local(n); break;
        case 10: negative(n); break;
        case 11: product((unsigned)n); break;
        case 12: lost(n); break;
        case 13: lost_list(n); break;
        default: return fine(n & 15);
    }
    return 0;
}
