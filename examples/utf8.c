/* soundline explore examples/utf8.c --stdin 3: decodes one character, and forgets that it may be zero. */
#include <stdio.h>

static const unsigned char sizes[4] = {1, 0, 2, 3};

int main(void) {
    unsigned char text[4] = {0};
    size_t length = fread(text, 1, 3, stdin);
    if (length == 0)
        return 0;
    unsigned size = sizes[text[0] >> 6];
    if (size == 0)
        return 1;
    unsigned point = size == 1 ? text[0] : text[0] & (0x3f >> (size - 1));
    for (unsigned i = 1; i < size; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 2;
        point = point << 6 | (text[i] & 0x3f);
    }
    printf("%u\n", 1114111 / point);
    return 0;
}
