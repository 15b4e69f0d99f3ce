/* Structures that are passed by value are copied by the caller. Nothing here goes wrong.
   stdin: 2 */
#include <stdio.h>

struct number { double parts[2]; };
struct wide { char text[37]; };

__attribute__((noinline)) static double part(struct number z, int n) {
    return z.parts[n & 1];
}

__attribute__((noinline)) static int letter(struct wide w, int n) {
    return w.text[n % 37];
}

int main(void) {
    unsigned char in[2];
    if (fread(in, 1, sizeof in, stdin) != sizeof in) return 1;
    struct number z = {{1.5, 2.5}};
    struct wide w = {"text"};
    if (in[0] == 'p') return part(z, in[1]) > 2;
    return letter(w, in[1]) == 't';
}
