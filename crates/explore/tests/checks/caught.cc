// Exceptions: what nothing catches ends the program, and is a crash. What may be caught ends the run and is none.
#include <cstdio>
#include <stdexcept>
#include <unistd.h>

struct Problem { int code; };

__attribute__((noinline)) static void deep(int c) {
    if (c == 'p') throw Problem{1}; // ! exception Problem
    if (c == 'q') throw std::out_of_range("q");
}

int main() {
    unsigned char c;
    if (read(0, &c, 1) != 1) return 0;
    if (c == 'x') throw std::runtime_error("bad"); // ! exception std::runtime_error
    if (c == 'y') throw 42; // ! exception int
    try {
        if (c == 'z') throw std::logic_error("z");
        if (c == 'q') deep(c);
    } catch (const std::exception &e) {
        std::puts(e.what());
    }
    if (c == 'p') deep(c);
    return 0;
}
