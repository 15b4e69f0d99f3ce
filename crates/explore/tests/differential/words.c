/* Counts words in a hash table that grows, and prints them sorted: the heap, strings, and calls through pointers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
    struct word *next;
    unsigned count;
    char text[];
};

static struct word **table;
static size_t size, used;

static unsigned long hash(const char *text) {
    unsigned long value = 5381;
    while (*text)
        value = value * 33 + (unsigned char)*text++;
    return value;
}

static void grow(void) {
    size_t larger = size ? 2 * size : 2;
    struct word **fresh = calloc(larger, sizeof *fresh);
    for (size_t i = 0; i < size; i++)
        for (struct word *word = table[i], *next; word; word = next) {
            struct word **head = &fresh[hash(word->text) % larger];
            next = word->next;
            word->next = *head;
            *head = word;
        }
    free(table);
    table = fresh;
    size = larger;
}

static void count(const char *text) {
    if (used >= size)
        grow();
    struct word **head = &table[hash(text) % size];
    for (struct word *word = *head; word; word = word->next)
        if (!strcmp(word->text, text)) {
            word->count++;
            return;
        }
    struct word *word = malloc(sizeof *word + strlen(text) + 1);
    word->count = 1;
    strcpy(word->text, text);
    word->next = *head;
    *head = word;
    used++;
}

static int by_count(const void *a, const void *b) {
    const struct word *x = *(struct word *const *)a, *y = *(struct word *const *)b;
    return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : strcmp(x->text, y->text);
}

int main(void) {
    char text[16];
    size_t length = 0;
    for (int c; (c = getchar()) != EOF;) {
        if (isalnum(c) && length < sizeof text - 1) {
            text[length++] = (char)tolower(c);
            continue;
        }
        text[length] = 0;
        if (length)
            count(text);
        length = 0;
    }
    struct word **all = malloc((used + 1) * sizeof *all);
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        for (struct word *word = table[i]; word; word = word->next)
            all[n++] = word;
    qsort(all, n, sizeof *all, by_count);
    for (size_t i = 0; i < n; i++)
        printf("%4u %-15s|\n", all[i]->count, all[i]->text);
    return n > 100;
}
