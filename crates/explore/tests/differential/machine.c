/* A machine for a small language in reverse Polish notation, with a computed switch, over 64-bit words and doubles; and
   checksums of what was read. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int64_t stack[32];
static int depth;

static uint32_t crc(const unsigned char *bytes, size_t length) {
    uint32_t value = ~0u;
    for (size_t i = 0; i < length; i++) {
        value ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (0xedb88320u & -(value & 1));
    }
    return ~value;
}

static uint64_t mix(const unsigned char *bytes, size_t length) {
    uint64_t value = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) {
        value = (value ^ bytes[i]) * 0x100000001b3u;
        value ^= value << 13 | value >> 51;
    }
    return value;
}

static int step(unsigned char op) {
    int64_t a, b;
    double x;
    if (op >= '0' && op <= '9') {
        if (depth == 32)
            return 1;
        stack[depth++] = op - '0';
        return 0;
    }
    if (strchr("+-*/%<&|", op) && op) {
        if (depth < 2)
            return 2;
        b = stack[--depth], a = stack[--depth];
        switch (op) {
        case '+': a = (int64_t)((uint64_t)a + (uint64_t)b); break;
        case '-': a = (int64_t)((uint64_t)a - (uint64_t)b); break;
        case '*': a = (int64_t)((uint64_t)a * (uint64_t)b); break;
        /* These trap by zero. */
        case '/': a = a / b; break;
        case '%': a = a % b; break;
        case '<': a = a < b; break;
        case '&': a &= b; break;
        case '|': a |= b; break;
        }
        stack[depth++] = a;
        return 0;
    }
    if (depth < 1)
        return 3;
    switch (op) {
    case '!': stack[depth - 1] = !stack[depth - 1]; return 0;
    case '~': stack[depth - 1] = ~stack[depth - 1]; return 0;
    case 's': memcpy(&x, &stack[depth - 1], sizeof x); x = x * 1.5 + 0.25; memcpy(&stack[depth - 1], &x, sizeof x); return 0;
    case 'f': x = (double)stack[depth - 1] / 3; memcpy(&stack[depth - 1], &x, sizeof x); return 0;
    case 'd': if (depth == 32) return 1; stack[depth] = stack[depth - 1]; depth++; return 0;
    case 'p': printf("%lld\n", (long long)stack[--depth]); return 0;
    case 'm': memmove(stack + 1, stack, sizeof stack - sizeof *stack); return 0;
    default: return op > ' ' ? 4 : 0;
    }
}

int main(void) {
    unsigned char text[64];
    size_t length = fread(text, 1, sizeof text, stdin);
    printf("%08x %016llx\n", crc(text, length), (unsigned long long)mix(text, length));
    for (size_t i = 0; i < length; i++) {
        int error = step(text[i]);
        if (error) {
            fprintf(stderr, "error %d at %zu\n", error, i);
            return error;
        }
    }
    while (depth)
        printf("left: %016llx\n", (unsigned long long)stack[--depth]);
    return 0;
}
