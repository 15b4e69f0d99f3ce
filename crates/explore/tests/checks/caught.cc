// Exceptions: what is caught is handled, by the right handler and with everything cleaned up. What nothing catches ends the program.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

struct Problem { int code; };
struct Left { int l = 1; virtual ~Left() = default; };
struct Right { int r = 2; virtual ~Right() = default; };
struct Both : Left, Right { int b = 3; };

static int alive;
struct Guard { Guard() { alive++; } ~Guard() { alive--; } };

static void expect(bool holds) {
    if (!holds) abort();
}

__attribute__((noinline)) static void deep(int c) {
    Guard guard;
    if (c == 'p') throw Problem{1}; // ! exception Problem
    if (c == 'q') throw std::out_of_range("q");  // ! exception std::out_of_range
    if (c == 'b') throw Both();
    if (c == 'i') throw 42;
}

__attribute__((noinline)) static int handled(int c) {
    Guard guard;
    try {
        Guard inner;
        deep(c);
        return 0;
    } catch (const std::logic_error &e) {
        expect(alive == 1 && e.what()[0] == 'q');
        return 1;
    } catch (Right &right) {
        expect(right.r == 2 && dynamic_cast<Both &>(right).b == 3);
        return 2;
    } catch (int number) {
        expect(number == 42);
        try {
            throw;
        } catch (long) {
            return 9;
        } catch (...) {
            expect(std::uncaught_exceptions() == 0);
            return 3;
        }
    }
}

__attribute__((noinline)) static void promised(int c) noexcept { deep(c); }

__attribute__((noinline)) static int library(int c) {
    std::vector<int> numbers = {1, 2, 3};
    std::map<std::string, int> names = {{"one", 1}};
    int caught = 0;
    try { numbers.at(c == 'l' ? 3 : 2); } catch (const std::out_of_range &) { caught++; }
    try { names.at(c == 'l' ? "two" : "one"); } catch (const std::exception &) { caught++; }
    try { std::stoi(c == 'l' ? "x" : "12"); } catch (const std::invalid_argument &) { caught++; }
    std::exception_ptr kept;
    try { deep('q'); } catch (...) { kept = std::current_exception(); }
    try { std::rethrow_exception(kept); } catch (const std::out_of_range &) { caught++; }
    return caught;
}

__attribute__((noinline)) static int after(int c) {
    auto block = std::make_unique<char[]>(4);
    char *kept = block.get();
    try {
        auto taken = std::move(block);
        deep(c);
    } catch (const std::exception &) {
        return kept[0]; // ! heap-use-after-free
    } catch (...) {
    }
    return 0;
}

int main() {
    unsigned char in[2];
    if (read(0, in, 2) != 2) return 0;
    int c = in[1];
    switch (in[0]) {
    case 1:
        expect(handled(c) == (c == 'q' ? 1 : c == 'b' ? 2 : c == 'i' ? 3 : 0));
        expect(alive == 0);
        return 0;
    case 2: expect(library(c) == (c == 'l' ? 4 : 1)); return 0;
    case 3: return after(c);
    case 4:
        if (c == 'q') {
            promised(c);
        }
        return 0;
    case 5: throw std::runtime_error("bad"); // ! exception std::runtime_error
    case 6:
        for (int i = 0; i < 300; i++) {
            char local[100];
            try {
                deep(i % 2 ? 'q' : 'i');
            } catch (...) {
                local[i % 100] = 1;
            }
        }
        expect(alive == 0);
        return 0;
    }
    return 0;
}
