/* A reader of tokens whose paths have no end: every byte doubles them at least, and each has terms of its own. */
#include <unistd.h>

int main(void) {
    unsigned char bytes[256];
    unsigned sum = 1, depth = 0;
    long size = read(0, bytes, sizeof bytes);
    for (long i = 0; i < size; i++) {
        sum = sum * 31 + bytes[i];
        if (bytes[i] == '(') depth++;
        else if (bytes[i] == ')' && depth > 0) depth--;
        else if (bytes[i] >= '0' && bytes[i] <= '9') sum += depth;
        else if (bytes[i] < 32) break;
        if (sum % 7 == depth) sum ^= 0x5a5a;
    }
    return (int)(depth & 1);
}
