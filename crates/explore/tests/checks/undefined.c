/* Undefined behaviour. A line that goes wrong for some input ends with its kind; no other line does.
   stdin: 10 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBE __attribute__((noinline)) static

static unsigned char in[10];

PROBE int sum(int a, int b) {
    return a + b; // ! signed-integer-overflow
}

PROBE long long square(long long n) {
    return n * n; // ! signed-integer-overflow
}

PROBE int negated(int n) {
    return -n; // ! negation-overflow
}

PROBE int shifted(int n) {
    return 1 << (n & 63); // ! shift-out-of-bounds
}

PROBE int shifted_negative(int n) {
    return n << 2; // ! shift-out-of-bounds
}

PROBE int quotient(int a, int b) {
    return a / b; // ! undefined-division
}

PROBE int rest(int a, int b) {
    return b == 7 ? a % (b - 7) : a; // ! undefined-division
}

PROBE int truncated(double x) {
    return (int)x; // ! float-cast-overflow
}

PROBE unsigned char byte_of(float x) {
    return (unsigned char)x; // ! float-cast-overflow
}

PROBE int element(int n) {
    int numbers[3] = {4, 5, 6};
    return numbers[n & 3]; // ! index-out-of-bounds ! stack-buffer-overflow
}

PROBE int row(int n) {
    static const int rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
    return n < 4 ? rows[0][n] : 0; // ! index-out-of-bounds
}

PROBE int word_at(int n) {
    return *(int *)(in + 3 + (n & 3)); // ! misaligned-access
}

PROBE double real_at(const char *bytes) {
    return *(const double *)bytes; // ! misaligned-access
}

PROBE int classified(int n) {
    switch (n & 3) {
        case 0: return 1;
        case 1: return 2;
        case 2: return 3;
    }
    __builtin_unreachable(); // ! unreachable-code
}

PROBE int none(int n) {
    if (n != 11) return 1;
    else __builtin_unreachable(); // ! unreachable-code
}

__attribute__((nonnull(1))) PROBE int first(const int *numbers) {
    return numbers == (const int *)in;
}

PROBE int argument(int n) {
    return first(n == 12 ? 0 : (const int *)(const void *)in); // ! null-argument
}

PROBE void copied(int n) {
    char text[4] = "abc";
    memcpy(n == 13 ? 0 : text, in, (size_t)(n == 13 ? 0 : 2)); // ! null-argument
}

PROBE int zeros(int n) {
    int all = n ? __builtin_clz((unsigned)n) : 0;
    return all + __builtin_ctzll((unsigned long long)n); // ! invalid-builtin-argument
}

PROBE int fine(int n) {
    unsigned wrapped = (unsigned)n * 4000000000u + 5u;
    int64_t wide = (int64_t)n * 1000000;
    return (int)(wrapped % 7) + (int)(wide % 5) + (n >> 3) + (int)sqrt((double)(unsigned)n);
}

int main(void) {
    if (fread(in, 1, sizeof in, stdin) != sizeof in) return 1;
    int a, b;
    memcpy(&a, in + 2, sizeof a);
    memcpy(&b, in + 6, sizeof b);
    int n = in[1];
    switch (in[0]) {
        case 0: return sum(a, b);
        case 1: return square((long long)a * (n == 3 ? 4 : 1)) == 4;
        case 2: return negated(a);
        case 3: return shifted(n);
        case 4: return shifted_negative(n - 1);
        case 5: return b ? quotient(a, b) : 0;
        case 6: return rest(a, n);
        case 7: return truncated(n * 20000000.0);
        case 8: return byte_of((float)n * 1.5f);
        case 9: return element(n);
        case 10: return row(n);
        case 11: return word_at(n);
        case 12: return real_at((const char *)in + (n == 10 ? 0 : n == 9 ? 1 : 0)) > 0;
        case 13: return classified(n);
        case 14: return none(n);
        case 15: return argument(n);
        case 16: copied(n); return 0;
        case 17: return zeros(n);
        default: return fine(n);
    }
}
