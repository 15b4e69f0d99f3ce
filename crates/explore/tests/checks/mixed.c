/* Errors that depend on more than the first byte, each beside what is almost the same and right. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pair { char a[4]; char b[4]; };
static char left[8], middle[8] = "x", right[8] = "q";

__attribute__((noinline)) static int before_heap(int k) {
    if (k < 1 || k > 8) return 0;
    char *p = calloc(8, 1);
    int r = p[8 - k];
    r += (p + 8 - k)[-1]; // ! heap-buffer-overflow
    free(p);
    return r;
}

__attribute__((noinline)) static int trimmed(char first) {
    char text[8] = "    ";
    text[0] = first;
    char *end = text + strlen(text) - 1;
    while (*end == ' ') end--; // ! stack-buffer-underflow
    char *right_end = text + strlen(text);
    while (right_end > text && right_end[-1] == ' ') right_end--;
    return *text;
}

__attribute__((noinline)) static int before_global(int k) {
    char *p = middle;
    if (k > 1) return left[0] + right[0];
    p[-k] = 1; // ! global-buffer-overflow
    return middle[0];
}

__attribute__((noinline)) static int moved(int k) {
    char *p = malloc(8), *q = p + 1;
    strcpy(p, "abc");
    if (k == 3) p = realloc(p, 64);
    int r = *q; // ! heap-use-after-free
    free(p);
    return r;
}

__attribute__((noinline)) static int asked(int a, int b) {
    int n = a - b;
    if (n > 100) return 0;
    int *p = malloc(n * sizeof *p); // ! allocation-size-too-big
    int ok = p != 0;
    free(p);
    char *fits = malloc((size_t)(a + b));
    free(fits);
    /* There is no room for it here, which a program may find out for itself. */
    free(malloc(0x80000000u + (unsigned)a));
    return ok;
}

__attribute__((noinline)) static int negated(int32_t a) {
    int32_t b = -a; // ! negation-overflow
    return b == 9 || (a != INT32_MIN && -a == 10);
}

__attribute__((noinline)) static int member(int n) {
    struct pair s;
    memset(&s, 0, sizeof s);
    if (n > 7) return 0;
    ((char *)&s)[n] = 2;
    s.a[n] = 1; // ! index-out-of-bounds
    return s.b[0];
}

/* Two calls that do not come back stay two. */
__attribute__((noinline)) static void leave(int k) {
    if (k == 1)
        abort(); // ! abort
    if (k == 2)
        abort(); // ! abort
}

int main(void) {
    unsigned char in[6];
    if (read(0, in, sizeof in) != sizeof in) return 0;
    int32_t word;
    memcpy(&word, in + 2, 4);
    switch (in[0]) {
    case 1: return before_heap(in[1]);
    case 2: return trimmed((char)in[1]);
    case 3: return before_global(in[1]);
    case 4: return moved(in[1]);
    case 5: return asked(in[1], in[2]);
    case 6: return negated(word);
    case 7: return member(in[1]);
    case 8: leave(in[1]);
    }
    return 0;
}
