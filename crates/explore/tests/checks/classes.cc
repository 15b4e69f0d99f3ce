/* C++. A line that goes wrong for some input ends with its kind; no other line does.
   stdin: 3 */
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Problem { int code; };

__attribute__((noinline)) static int thrown(int n) {
    if (n == 7) throw Problem{n}; // ! exception Problem
    return n;
}

__attribute__((noinline)) static void mismatched(int n) {
    int *number = new int(n);
    if (n == 9) free(number); // ! alloc-dealloc-mismatch
    else delete number;
}

__attribute__((noinline)) static int behind(unsigned n) {
    std::vector<int> numbers(4, 1);
    return n <= 4 ? numbers.data()[n] : 0; // ! heap-buffer-overflow
}

__attribute__((noinline)) static int fine(int n) {
    std::string text(static_cast<size_t>(n & 31), 'a');
    text += "bc";
    return static_cast<int>(text.find("b"));
}

int main() {
    int which = getchar(), n = getchar();
    switch (which) {
        case 0: return thrown(n);
        case 1: mismatched(n); return 0;
        case 2: return behind(static_cast<unsigned>(n));
        default: return fine(n);
    }
}
