/* Errors with locals, globals and pointers to nothing. A line that goes wrong for some input ends with its kind; no other line does.
   stdin: 3 */
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBE __attribute__((noinline)) static

static unsigned char in[3];
static int table[6] = {1, 2, 3, 4, 5, 6};
static char word[9] = "soundline";
struct pair { int first, second; };
static struct pair *pairs[3];

PROBE int get(const int *numbers, int n) {
    return numbers[n]; // ! stack-buffer-overflow ! global-buffer-overflow
}

PROBE int local_behind(int n) {
    int numbers[4] = {1, 2, 3, 4};
    return n < 5 ? get(numbers, n) : 0;
}

PROBE int global_behind(int n) {
    return n < 7 ? get(table, n) : 0;
}

PROBE void put(char *text, int n, char byte) {
    text[n] = byte; // ! stack-buffer-overflow
}

PROBE int local_write(int n) {
    char text[10];
    memset(text, 0, sizeof text);
    put(text, n % 12, 'x');
    return text[0];
}

PROBE int before(const char *text, int n) {
    return text[-n]; // ! stack-buffer-underflow
}

PROBE int local_before(int n) {
    char text[4] = "abc";
    return n < 3 ? before(text, n) : 0;
}

PROBE int word_before(int n) {
    int numbers[2] = {1, 2};
    int *volatile start = numbers;
    return n == 50 ? *(start - 1) : *start; // ! stack-buffer-underflow
}

PROBE int global_before(int n) {
    return n == 8 ? (int)strlen(word) : 0; // ! global-buffer-overflow
}

PROBE int *address_of(int n) {
    int local[2] = {n, n};
    int *volatile address = local;
    return address;
}

PROBE int after_return(int n) {
    int *address = address_of(n);
    return n == 5 ? *address : 0; // ! stack-use-after-return
}

PROBE char *text_of(int n) {
    char text[16];
    char *volatile start = text;
    snprintf(text, sizeof text, "%d", n);
    return start;
}

PROBE int text_after_return(int n) {
    char *text = text_of(n);
    if (n != 6) return 0;
    return text[1] == '!'; // ! stack-use-after-return
}

PROBE int after_scope(int n) {
    int *volatile address = &table[0];
    if (n == 7) {
        int local = n;
        address = &local;
    }
    return *address; // ! stack-use-after-scope
}

PROBE int after_loop(int n) {
    char *volatile last = word;
    for (int i = 0; i < n && i < 2; i++) {
        char text[4] = "ab";
        last = text;
    }
    return last[1]; // ! stack-use-after-scope
}

PROBE int null(int n) {
    struct pair pair = {1, 2};
    struct pair *pointer = n == 99 ? 0 : &pair;
    return pointer->second; // ! null-dereference
}

PROBE int unset(int n) {
    static struct pair pair;
    if (n != 2) pairs[n % 3] = &pair;
    return pairs[n % 3]->first; // ! null-dereference
}

PROBE int wild(unsigned n) {
    const char *pointer = word;
    if (n == 44) pointer = (const char *)0xdeadbee0;
    return *pointer; // ! wild-pointer
}

PROBE int wild_index(int n) {
    volatile char *start = word;
    if (n != 45) return 0;
    return start[0x3000000]; // ! wild-pointer
}

PROBE int dynamic(int n) {
    char *space = alloca((size_t)(n & 7) + 1);
    memset(space, 1, (size_t)(n & 7) + 1);
    return n == 13 ? space[(n & 7) + 1] : space[0]; // ! dynamic-stack-buffer-overflow
}

PROBE int deep(int n) { // ! stack-overflow
    volatile char room[1000];
    room[0] = (char)n;
    return n == 0 ? 0 : deep(n) + room[0];
}

PROBE int large(int n) {
    char room[100000];
    memset(room, n, sizeof room);
    return room[n] + room[sizeof room - 1];
}

int main(void) {
    if (fread(in, 1, sizeof in, stdin) != sizeof in) return 1;
    int n = in[1];
    switch (in[0]) {
        case 0: return local_behind(n);
        case 1: return global_behind(n);
        case 2: return local_write(n);
        case 3: return local_before(n);
        case 4: return global_before(n);
        case 5: return after_return(n);
        case 6: return text_after_return(n);
        case 7: return after_scope(n);
        case 8: return after_loop(n);
        case 9: return null(n);
        case 10: return unset(n);
        case 11: return wild((unsigned)n);
        case 12: return wild_index(n);
        case 13: return dynamic(n);
        case 14: return n == 16 ? deep(n) : 0;
        case 15: return word_before(n);
        default: return large(n);
    }
}
