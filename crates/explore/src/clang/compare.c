/* Comparisons of texts, byte by byte: the world hears what is compared with what, and the search tries the whole of it in inputs
   instead of one letter after the other. */
typedef __SIZE_TYPE__ size_t;

__attribute__((import_module("env"), import_name("__soundline_compare")))
void world_compare(const void *, const void *, size_t, int);

static int lower(int byte) { return byte >= 'A' && byte <= 'Z' ? byte + 32 : byte; }

/* A program's own function of the same name is taken instead. */
#pragma clang attribute push(__attribute__((weak)), apply_to = function)
int strcmp(const char *a, const char *b) {
    world_compare(a, b, (size_t)-1, 1);
    for (; *a == *b && *a; a++, b++);
    return *(const unsigned char *)a - *(const unsigned char *)b;
}
int strncmp(const char *a, const char *b, size_t size) {
    if (!size--) return 0;
    world_compare(a, b, size + 1, 1);
    for (; *a && *b && size && *a == *b; a++, b++, size--);
    return *(const unsigned char *)a - *(const unsigned char *)b;
}
int memcmp(const void *left, const void *right, size_t size) {
    const unsigned char *a = left, *b = right;
    if (size) world_compare(a, b, size, 0);
    for (; size && *a == *b; size--, a++, b++);
    return size ? *a - *b : 0;
}
int strcasecmp(const char *left, const char *right) {
    const unsigned char *a = (const void *)left, *b = (const void *)right;
    world_compare(a, b, (size_t)-1, 1);
    for (; *a && *b && (*a == *b || lower(*a) == lower(*b)); a++, b++);
    return lower(*a) - lower(*b);
}
int strncasecmp(const char *left, const char *right, size_t size) {
    const unsigned char *a = (const void *)left, *b = (const void *)right;
    if (!size--) return 0;
    world_compare(a, b, size + 1, 1);
    for (; *a && *b && size && (*a == *b || lower(*a) == lower(*b)); a++, b++, size--);
    return lower(*a) - lower(*b);
}
int __strcasecmp_l(const char *a, const char *b, void *locale) { (void)locale; return strcasecmp(a, b); }
int strcasecmp_l(const char *a, const char *b, void *locale) { (void)locale; return strcasecmp(a, b); }
int __strncasecmp_l(const char *a, const char *b, size_t size, void *locale) { (void)locale; return strncasecmp(a, b, size); }
int strncasecmp_l(const char *a, const char *b, size_t size, void *locale) { (void)locale; return strncasecmp(a, b, size); }
#pragma clang attribute pop
