/* A reader of tokens with more paths than any memory holds: every byte multiplies them by four. */
#include <unistd.h>

int main(void) {
    unsigned char bytes[256];
    unsigned depth = 0, digits = 0;
    long size = read(0, bytes, sizeof bytes);
    for (long i = 0; i < size; i++) {
        if (bytes[i] == '(') depth++;
        else if (bytes[i] == ')' && depth > 0) depth--;
        else if (bytes[i] >= '0' && bytes[i] <= '9') digits++;
        else if (bytes[i] < 32) break;
    }
    return (int)(depth + digits) & 1;
}
