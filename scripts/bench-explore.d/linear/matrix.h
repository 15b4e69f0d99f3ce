/* A symbolic matrix and vector, and room for results. */
#include <gsl/gsl_matrix.h>
#include "numbers.h"

#define N 3

static double entries[N * N], right[N];

/* The matrix A and the right side b, both symbolic. */
#define SYSTEM                                                        \
    SYMBOLIC(entries);                                                \
    SYMBOLIC(right);                                                  \
    gsl_matrix_view a_view = gsl_matrix_view_array(entries, N, N);    \
    gsl_vector_view b_view = gsl_vector_view_array(right, N);         \
    gsl_matrix *a = &a_view.matrix;                                   \
    gsl_vector *b = &b_view.vector, *x = gsl_vector_calloc(N), *tau = gsl_vector_calloc(N); \
    (void)b, (void)x, (void)tau
