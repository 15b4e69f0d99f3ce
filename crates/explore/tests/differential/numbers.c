/* Lines of two numbers: arithmetic of every width, floats, and the C library's ways to read and print them. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void integers(long long a, long long b) {
    int32_t x = (int32_t)a, y = (int32_t)b;
    uint64_t u = (uint64_t)a, v = (uint64_t)b;
    printf("%" PRId32 " %" PRIu32 " %" PRIx64 " %" PRId64, (int32_t)((uint32_t)x * (uint32_t)y), (uint32_t)x >> (y & 31), u ^ v << (v & 63),
           (int64_t)(u + v));
    printf(" %d %d %d", __builtin_popcountll(u), u ? __builtin_clzll(u) : 64, u ? __builtin_ctzll(u) : 64);
    if (b != 0 && b != -1)
        printf(" %lld %lld %" PRIu64 " %" PRIu64, a / b, a % b, u / v, u % v);
    printf(" %d %d %d %d\n", (int8_t)a, (int16_t)a, (uint8_t)b, (uint16_t)b);
}

static void floats(double a, double b) {
    printf("%g %.17g %a %.3e", a + b, a * b, a / (b * b + 1), fabs(a) < 1e6 ? sin(a) + cos(b) : 0.0);
    printf(" %g %g %g %g", floor(a), ceil(b), trunc(a), nearbyint(b));
    printf(" %g %d %d", sqrt(fabs(a)), a < b, isnan(a) || isnan(b));
    printf(" %g %g", (double)(float)a, copysign(fmin(a, b), fmax(a, b)));
    if (fabs(a) < 1e9)
        printf(" %d %u", (int)a, (unsigned)fabs(a));
    if (fabs(a) < 50 && fabs(b) < 20)
        printf(" %.12g %.12g", pow(fabs(a) + 1, b), exp(b) * log(fabs(a) + 1));
    printf("\n");
}

int main(void) {
    char line[80];
    int lines = 0;
    while (fgets(line, sizeof line, stdin)) {
        char *rest;
        lines++;
        long long a = strtoll(line, &rest, 0), b = strtoll(rest, NULL, 10);
        integers(a, b);
        floats(strtod(line, &rest), strtod(rest, NULL));
    }
    return lines;
}
