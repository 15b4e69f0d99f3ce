/* Functions to be explored by themselves: numbers, a buffer, and a structure that points to one. */
#include <stddef.h>

struct vector {
    size_t size;
    double *data;
};

/* What is stored here keeps the compiler from doing without branches. */
volatile int seen;

int classify(signed char small, unsigned wide) {
    if (small < -100) {
        seen = 1;
        return 1;
    }
    if (wide > 4000000000u) {
        seen = 2;
        return 2;
    }
    return 0;
}

int first_negative(const int *numbers) {
    for (int i = 0; i < 4; i++)
        if (numbers[i] < 0)
            return i;
    return -1;
}

int peak(const struct vector *vector) {
    if (vector->size != 3)
        return -1;
    if (!(vector->data[0] < vector->data[1])) {
        seen = 3;
        return 0;
    }
    if (!(vector->data[1] > vector->data[2])) {
        seen = 4;
        return 0;
    }
    return 1;
}

struct point { int x, y; };
struct number { struct { int value; } only; };

/* Structures as values: the caller's copy is always there, and one with a single member is that member. */
struct point moved(struct point from, struct number by, struct point *to) {
    struct point result = {from.x == 7 && by.only.value == 9, 0};
    if (to && to->x == 3 && from.x == 4)
        result.y = 1;
    from.x = to ? to->x : 0;
    return result;
}
