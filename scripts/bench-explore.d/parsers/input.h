/* A parser's input: SIZE symbolic bytes, and what main makes of them. */
#include "soundline.h"

static unsigned char input[SIZE];

static void parse(void);

int main(void) {
    sl_symbolic(input, sizeof input, "input");
    parse();
    return 0;
}
