/* Functions of the C library that read whole words beyond the end of a string, byte by byte instead: a check of every access would
   take the word for an error, and a path condition on words is harder than one on bytes. Copies go to the world at once. */
typedef __SIZE_TYPE__ size_t;

void *__asan_memcpy(void *to, const void *from, size_t size);
void *__asan_memmove(void *to, const void *from, size_t size);
void *__asan_memset(void *to, int byte, size_t size);

/* The heap is the world's. */
#define WORLD(name) __attribute__((import_module("env"), import_name("__wrap_" #name)))
WORLD(malloc) void *world_malloc(size_t);
WORLD(calloc) void *world_calloc(size_t, size_t);
WORLD(realloc) void *world_realloc(void *, size_t);
WORLD(reallocarray) void *world_reallocarray(void *, size_t, size_t);
WORLD(aligned_alloc) void *world_aligned_alloc(size_t, size_t);
WORLD(posix_memalign) int world_posix_memalign(void **, size_t, size_t);
WORLD(free) void world_free(void *);
WORLD(malloc_usable_size) size_t world_malloc_usable_size(void *);
/* A program's own function of the same name is taken instead. */
#pragma clang attribute push(__attribute__((weak)), apply_to = function)
void *malloc(size_t size) { return world_malloc(size); }
void *calloc(size_t count, size_t size) { return world_calloc(count, size); }
void *realloc(void *block, size_t size) { return world_realloc(block, size); }
void *reallocarray(void *block, size_t count, size_t size) { return world_reallocarray(block, count, size); }
void *aligned_alloc(size_t align, size_t size) { return world_aligned_alloc(align, size); }
void *memalign(size_t align, size_t size) { return world_aligned_alloc(align, size); }
int posix_memalign(void **block, size_t align, size_t size) { return world_posix_memalign(block, align, size); }
void free(void *block) { world_free(block); }
size_t malloc_usable_size(void *block) { return world_malloc_usable_size(block); }
void *__libc_malloc(size_t size) { return world_malloc(size); }
void *__libc_calloc(size_t count, size_t size) { return world_calloc(count, size); }
void __libc_free(void *block) { world_free(block); }

/* Copies of the C library itself may overlap in ways that it knows to be harmless. */
void *memcpy(void *restrict to, const void *restrict from, size_t size) { return __asan_memmove(to, from, size); }
void *memmove(void *to, const void *from, size_t size) { return __asan_memmove(to, from, size); }
void *memset(void *to, int byte, size_t size) { return __asan_memset(to, byte, size); }

size_t strlen(const char *text) {
    const char *end = text;
    while (*end) end++;
    return (size_t)(end - text);
}

void *memchr(const void *bytes, int wanted, size_t size) {
    const unsigned char *at = bytes;
    for (; size; at++, size--)
        if (*at == (unsigned char)wanted) return (void *)at;
    return 0;
}

void *memccpy(void *restrict to, const void *restrict from, int last, size_t size) {
    unsigned char *target = to;
    const unsigned char *source = from;
    for (; size; size--) {
        unsigned char byte = *target++ = *source++;
        if (byte == (unsigned char)last) return target;
    }
    return 0;
}

char *__stpcpy(char *restrict to, const char *restrict from) {
    for (; (*to = *from); to++, from++);
    return to;
}
char *stpcpy(char *restrict to, const char *restrict from) { return __stpcpy(to, from); }

char *__stpncpy(char *restrict to, const char *restrict from, size_t size) {
    for (; size && (*to = *from); size--, to++, from++);
    for (size_t i = 0; i < size; i++) to[i] = 0;
    return to;
}
char *stpncpy(char *restrict to, const char *restrict from, size_t size) { return __stpncpy(to, from, size); }

char *__strchrnul(const char *text, int wanted) {
    for (; *text && *(const unsigned char *)text != (unsigned char)wanted; text++);
    return (char *)text;
}
char *strchrnul(const char *text, int wanted) { return __strchrnul(text, wanted); }

size_t strlcpy(char *to, const char *from, size_t size) {
    const char *start = from;
    if (size) {
        for (; --size && *from; ) *to++ = *from++;
        *to = 0;
    }
    while (*from) from++;
    return (size_t)(from - start);
}

#pragma clang attribute pop

/* The least integer has no absolute value. */
void __ubsan_handle_negate_overflow_minimal(void);
#define ABSOLUTE(name, type) \
    __attribute__((weak)) type name(type value) { \
        if (value >= 0) return value; \
        if ((type)-(unsigned long long)value == value) __ubsan_handle_negate_overflow_minimal(); \
        return (type)-(unsigned long long)value; \
    }
ABSOLUTE(abs, int)
ABSOLUTE(labs, long)
ABSOLUTE(llabs, long long)

/* The zeros of zero are not counted (see keep.rs). */
void __ubsan_handle_invalid_builtin_minimal(void);
void __soundline_nonzero32(unsigned value) {
    if (!value) __ubsan_handle_invalid_builtin_minimal();
}
void __soundline_nonzero64(unsigned long long value) {
    if (!value) __ubsan_handle_invalid_builtin_minimal();
}

/* C++: blocks know by whom they were made. */
WORLD(_Znwm) void *world_new(size_t);
WORLD(_Znam) void *world_new_array(size_t);
WORLD(_ZdlPv) void world_delete(void *);
WORLD(_ZdaPv) void world_delete_array(void *);
WORLD(_ZdlPvm) void world_fits(void *, size_t);
/* Only C++ programs have it: a block that there is no room for is an exception. */
__attribute__((weak)) void __soundline_bad_alloc(void);
static void *some(void *block) {
    if (!block && __soundline_bad_alloc) __soundline_bad_alloc();
    return block;
}
#pragma clang attribute push(__attribute__((weak)), apply_to = function)
void *_Znwm(size_t size) { return some(world_new(size)); }
void *_Znam(size_t size) { return some(world_new_array(size)); }
void *_ZnwmRKSt9nothrow_t(size_t size, const void *tag) { (void)tag; return world_new(size); }
void *_ZnamRKSt9nothrow_t(size_t size, const void *tag) { (void)tag; return world_new_array(size); }
void _ZdlPv(void *block) { world_delete(block); }
void _ZdaPv(void *block) { world_delete_array(block); }
/* How many objects an array of new has stands before the first one. AddressSanitizer closes that word; here it stays open. */
void __asan_poison_cxx_array_cookie(size_t *count) { (void)count; }
size_t __asan_load_cxx_array_cookie(const size_t *count) { return *count; }
/* A program may have the ones without a size alone. */
void _ZdlPvm(void *block, size_t size) { world_fits(block, size); _ZdlPv(block); }
void _ZdaPvm(void *block, size_t size) { (void)size; _ZdaPv(block); }
#pragma clang attribute pop
