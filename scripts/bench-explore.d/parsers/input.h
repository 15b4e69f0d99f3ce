/* A parser's input, and what main makes of it: SIZE symbolic bytes; with -DHARNESS what a fuzzer gives, of whatever length, for
   the function that fuzzers call (against.py writes it). */
#ifdef HARNESS

#include <stddef.h>

static unsigned char *input;
static size_t input_size;
#undef SIZE
#define SIZE input_size

static void parse(void);

static int harness(const unsigned char *data, size_t size) {
    input = (unsigned char *)data;
    input_size = size;
    parse();
    return 0;
}

#else

#include "soundline.h"

static unsigned char input[SIZE];

static void parse(void);

int main(void) {
    sl_symbolic(input, sizeof input, "input");
    parse();
    return 0;
}

#endif
