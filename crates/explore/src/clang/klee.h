/* Programs that were written for KLEE: #include <klee/klee.h>. */
#ifndef KLEE_H
#define KLEE_H

#include <stdint.h>
#include <stdlib.h>
#include "../soundline.h"

#define klee_assert(condition) sl_assert(!!(condition))

static inline int klee_int(const char *name) {
    int value;
    klee_make_symbolic(&value, sizeof value, name);
    return value;
}

static inline int klee_range(int begin, int end, const char *name) {
    int value = klee_int(name);
    klee_assume((begin <= value) & (value < end));
    return value;
}

static inline void klee_silent_exit(int status) { exit(status); }

static inline void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
    (void)file, (void)line, (void)message, (void)suffix;
    reach_error();
}

/* Inputs of other tests are as good. */
#define klee_prefer_cex(object, condition) ((void)(object), (void)(condition))

#endif
