/* SPDX-License-Identifier: BSD-3-Clause */
/* The gemm engine of the CPU against a plain triple loop in higher precision: shapes around the
 * edges of every kernel and block, all layouts of the operands, every data type, batches, alpha,
 * beta and conjugation, NaN, and the same bits with any number of threads. */
#include "core/alloc.h"
#include "core/parallel.h"
#include "core/tensor.h"
#include "cpu/engines.h"
#include "cpu/gemm/gemm.h"
#include "math/half.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static uint64_t seed = 42;

static uint64_t random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static int64_t random_below(int64_t n)
{
    return (int64_t)(random_bits() % (uint64_t)n);
}

static bool is_integer(enum ct_dtype d)
{
    return d < CT_FLOAT16;
}

static bool is_complex(enum ct_dtype d)
{
    return d == CT_COMPLEX64 || d == CT_COMPLEX128;
}

static double epsilon(enum ct_dtype d)
{
    switch ((int)d) {
    case CT_FLOAT16:
        return 0x1p-11;
    case CT_BFLOAT16:
        return 0x1p-8;
    case CT_FLOAT32:
    case CT_COMPLEX64:
        return 0x1p-24;
    case CT_FLOAT64:
    case CT_COMPLEX128:
        return 0x1p-53;
    }
    return 0;
}

static void put(enum ct_dtype d, void *p, int64_t i, double complex x)
{
    float re = (float)creal(x);
    switch ((int)d) {
    case CT_FLOAT16:
        ((uint16_t *)p)[i] = ctm_f16_from_f32(re);
        break;
    case CT_BFLOAT16:
        ((uint16_t *)p)[i] = ctm_bf16_from_f32(re);
        break;
    case CT_FLOAT32:
        ((float *)p)[i] = re;
        break;
    case CT_FLOAT64:
        ((double *)p)[i] = creal(x);
        break;
    case CT_COMPLEX64:
        ((float complex *)p)[i] = (float complex)x;
        break;
    case CT_COMPLEX128:
        ((double complex *)p)[i] = x;
        break;
    }
}

static double complex get(enum ct_dtype d, const void *p, int64_t i)
{
    switch ((int)d) {
    case CT_FLOAT16:
        return (double)ctm_f32_from_f16(((const uint16_t *)p)[i]);
    case CT_BFLOAT16:
        return (double)ctm_f32_from_bf16(((const uint16_t *)p)[i]);
    case CT_FLOAT32:
        return (double)((const float *)p)[i];
    case CT_FLOAT64:
        return ((const double *)p)[i];
    case CT_COMPLEX64:
        return (double complex)((const float complex *)p)[i];
    case CT_COMPLEX128:
        return ((const double complex *)p)[i];
    }
    return 0;
}

/* Returns the bits of an integer without sign extension, which suffices for modular arithmetic. */
static uint64_t get_integer(enum ct_dtype d, const void *p, int64_t i)
{
    uint64_t x = 0;
    memcpy(&x, (const char *)p + i * cti_itemsize(d), (size_t)cti_itemsize(d));
    return x;
}

static void fill(enum ct_dtype d, void *p, int64_t count)
{
    if (is_integer(d)) {
        for (int64_t i = 0; i + 8 <= count * cti_itemsize(d); i += 8)
            memcpy((char *)p + i, &(uint64_t){random_bits()}, 8);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = random_bits();
        double re = (double)(bits & 0xffff) / 0x8000 - 1, im = (double)(bits >> 48) / 0x8000 - 1;
        put(d, p, i, re + I * im);
    }
}

/* Memory layouts of a matrix; ..._APART have gaps between rows or columns. */
enum layout { ROWS, COLUMNS, ROWS_APART, COLUMNS_APART, BACKWARDS, SPREAD, ONE_ROW, LAYOUTS };

struct matrix {
    char *memory, *first;
    int64_t count, row, col, batch;
};

static struct matrix matrix_new(enum ct_dtype d, int64_t m, int64_t n, int64_t batch,
                                enum layout layout)
{
    struct matrix x = {0};
    int64_t start = 0;
    switch (layout) {
    case ROWS:
        x.row = n, x.col = 1;
        break;
    case COLUMNS:
        x.row = 1, x.col = m;
        break;
    case ROWS_APART:
        x.row = n + 3, x.col = 1;
        break;
    case COLUMNS_APART:
        x.row = 1, x.col = m + 5;
        break;
    case BACKWARDS:
        x.row = -n, x.col = -1, start = m * n - 1;
        break;
    case SPREAD:
        x.row = 3 * n + 1, x.col = 3;
        break;
    case ONE_ROW: /* expanded: all rows share the same memory */
        x.row = 0, x.col = 1;
        break;
    case LAYOUTS:
        break;
    }
    int64_t reach = 1 + (m - 1) * labs(x.row) + (n - 1) * labs(x.col);
    x.batch = (reach > m * n ? reach : m * n) + 7;
    x.count = x.batch * batch + 64;
    x.memory = calloc((size_t)x.count, (size_t)cti_itemsize(d));
    x.first = x.memory + start * cti_itemsize(d);
    fill(d, x.memory, x.count);
    return x;
}

static void report(const struct cti_gemm *g, const char *what, int64_t i, int64_t j)
{
    fprintf(stderr,
            "FAILED: %s: dtype %d, m %d n %d k %d batch %d, a %d %d, b %d %d, c %d %d, alpha %g "
            "beta %g, conj %d %d, at %d %d\n",
            what, (int)g->dtype, (int)g->m, (int)g->n, (int)g->k, (int)g->batch, (int)g->a_row,
            (int)g->a_col, (int)g->b_row, (int)g->b_col, (int)g->c_row, (int)g->c_col, g->alpha[0],
            g->beta[0], g->conj_a, g->conj_b, (int)i, (int)j);
    failures++;
}

static double complex conj_if(double complex x, bool conjugate)
{
    return conjugate ? conj(x) : x;
}

/* Checks one element of the result, given the old contents of C. */
static bool element_right(const struct cti_gemm *g, int64_t b, int64_t i, int64_t j,
                          const void *old, int64_t at)
{
    int64_t a0 = b * g->a_batch + i * g->a_row, b0 = b * g->b_batch + j * g->b_col;
    if (is_integer(g->dtype)) {
        uint64_t sum = 0, mask = ~0ull >> (64 - 8 * cti_itemsize(g->dtype));
        for (int64_t p = 0; p < g->k; p++)
            sum += get_integer(g->dtype, g->a, a0 + p * g->a_col) *
                   get_integer(g->dtype, g->b, b0 + p * g->b_row);
        sum = sum * (uint64_t)(int64_t)g->alpha[0] +
              (uint64_t)(int64_t)g->beta[0] * get_integer(g->dtype, old, at);
        return (sum & mask) == get_integer(g->dtype, g->c, at);
    }
    long double re = 0, im = 0, size = 0;
    for (int64_t p = 0; p < g->k; p++) {
        double complex x = conj_if(get(g->dtype, g->a, a0 + p * g->a_col), g->conj_a);
        double complex y = conj_if(get(g->dtype, g->b, b0 + p * g->b_row), g->conj_b);
        re += (long double)creal(x) * creal(y) - (long double)cimag(x) * cimag(y);
        im += (long double)creal(x) * cimag(y) + (long double)cimag(x) * creal(y);
        size += (long double)(cabs(x) * cabs(y));
    }
    double complex alpha = g->alpha[0] + I * g->alpha[1], beta = g->beta[0] + I * g->beta[1];
    double complex before = beta == 0 ? 0 : get(g->dtype, old, at);
    double complex want = alpha * ((double)re + I * (double)im) + beta * before;
    double complex error = get(g->dtype, g->c, at) - want;
    double sums = g->dtype == CT_FLOAT64 || g->dtype == CT_COMPLEX128 ? 0x1p-53 : 0x1p-24;
    double allowed = (double)size * cabs(alpha) * sums * (4 + (double)g->k / 4) +
                     (cabs(want) + cabs(beta * before)) * 4 * epsilon(g->dtype) + 1e-30;
    if (g->dtype == CT_FLOAT16)
        allowed += 0x1p-24;
    return cabs(error) <= allowed; /* false for NaN */
}

static void check_result(const struct cti_gemm *g, const char *old, const struct matrix *c)
{
    int64_t size = cti_itemsize(g->dtype), first = (c->first - c->memory) / size;
    unsigned char *written = calloc((size_t)c->count, 1);
    const void *old_first = old + first * size;
    bool reported = false;
    /* The reference is slow, so of a large result only evenly spaced elements are checked. */
    int64_t step = g->m * g->n * g->k * g->batch / 8000 + 1, index = 0;
    for (int64_t b = 0; b < g->batch; b++) {
        for (int64_t i = 0; i < g->m; i++) {
            for (int64_t j = 0; j < g->n; j++) {
                int64_t at = b * g->c_batch + i * g->c_row + j * g->c_col;
                written[first + at] = 1;
                bool chosen = index++ % step == 0;
                if (!reported && chosen && !element_right(g, b, i, j, old_first, at)) {
                    report(g, "wrong element", i, j);
                    reported = true;
                }
            }
        }
    }
    for (int64_t i = 0; i < c->count && !reported; i++) {
        if (!written[i] && memcmp(old + i * size, c->memory + i * size, (size_t)size) != 0) {
            report(g, "wrote beside the result", i, 0);
            reported = true;
        }
    }
    free(written);
}

struct wish {
    enum ct_dtype dtype;
    int64_t m, n, k, batch;
    enum layout a, b, c;
    double alpha[2], beta[2];
    bool conj_a, conj_b, shared_a, shared_b;
};

static void one_product(const struct wish *w)
{
    struct matrix a = matrix_new(w->dtype, w->m, w->k, w->batch, w->a);
    struct matrix b = matrix_new(w->dtype, w->k, w->n, w->batch, w->b);
    struct matrix c = matrix_new(w->dtype, w->m, w->n, w->batch, w->c);
    size_t bytes = (size_t)(c.count * cti_itemsize(w->dtype));
    struct cti_gemm g = {
        .dtype = w->dtype,
        .m = w->m,
        .n = w->n,
        .k = w->k,
        .batch = w->batch,
        .a = a.first,
        .b = b.first,
        .c = c.first,
        .a_row = a.row,
        .a_col = a.col,
        .a_batch = w->shared_a ? 0 : a.batch,
        .b_row = b.row,
        .b_col = b.col,
        .b_batch = w->shared_b ? 0 : b.batch,
        .c_row = c.row,
        .c_col = c.col,
        .c_batch = c.batch,
        .alpha = {w->alpha[0], w->alpha[1]},
        .beta = {w->beta[0], w->beta[1]},
        .conj_a = w->conj_a,
        .conj_b = w->conj_b,
    };
    char *old = malloc(bytes), *alone = malloc(bytes);
    if (w->beta[0] == 0 && w->beta[1] == 0 && !is_integer(w->dtype))
        memset(c.memory, 0xff, bytes); /* NaN, which must not reach the result */
    memcpy(old, c.memory, bytes);
    cti_parallel_set_threads(1);
    if (!cti_cpu_gemm(&g))
        report(&g, "returned false", 0, 0);
    check_result(&g, old, &c);
    memcpy(alone, c.memory, bytes);
    bool alone_anyway = w->m * w->n * w->k * w->batch < 30000;
    for (int threads = 2; threads <= 5 && !alone_anyway; threads += 3) {
        memcpy(c.memory, old, bytes);
        cti_parallel_set_threads(threads);
        cti_cpu_gemm(&g);
        if (memcmp(alone, c.memory, bytes) != 0)
            report(&g, "threads change bits", threads, 0);
    }
    free(old), free(alone), free(a.memory), free(b.memory), free(c.memory);
}

static const enum ct_dtype all_types[] = {
    CT_UINT8,  CT_INT8,    CT_INT16,    CT_INT32,   CT_INT64,   CT_UINT16,    CT_UINT32,
    CT_UINT64, CT_FLOAT16, CT_BFLOAT16, CT_FLOAT32, CT_FLOAT64, CT_COMPLEX64, CT_COMPLEX128};
enum { TYPES = sizeof all_types / sizeof *all_types };

static void test_shapes(void)
{
    static const int64_t shapes[][3] = {
        {1, 1, 1},    {2, 3, 4},    {4, 4, 4},   {7, 5, 3},    {8, 8, 8},    {1, 9, 40},
        {9, 1, 40},   {1, 1, 700},  {6, 16, 9},  {13, 31, 10}, {14, 32, 16}, {15, 33, 17},
        {28, 64, 33}, {29, 17, 65}, {3, 70, 50}, {70, 3, 50},  {70, 15, 21}, {33, 40, 1},
        {1, 300, 70}, {300, 1, 70}, {5, 5, 900}, {65, 47, 400}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int t = 0; t < TYPES; t++)
            for (enum layout l = ROWS; l < LAYOUTS; l++) {
                struct wish w = {.dtype = all_types[t],
                                 .m = shapes[s][0],
                                 .n = shapes[s][1],
                                 .k = shapes[s][2],
                                 .batch = 1,
                                 .alpha = {1, 0}};
                w.a = l;
                w.b = (enum layout)random_below(LAYOUTS);
                w.c = (enum layout)random_below(ONE_ROW);
                one_product(&w);
                w.b = l;
                w.a = (enum layout)random_below(LAYOUTS);
                w.beta[0] = 1;
                one_product(&w);
            }
}

static void test_random(void)
{
    static const double numbers[] = {1, 1, 0, -1, 2, 3};
    for (int round = 0; round < 800; round++) {
        struct wish w = {.dtype = all_types[random_below(TYPES)]};
        w.m = 1 + random_below(random_below(4) ? 20 : 90);
        w.n = 1 + random_below(random_below(4) ? 20 : 90);
        w.k = random_below(random_below(4) ? 30 : 90);
        w.batch = random_below(3) ? 1 : random_below(5);
        w.a = (enum layout)random_below(LAYOUTS);
        w.b = (enum layout)random_below(LAYOUTS);
        w.c = (enum layout)random_below(ONE_ROW);
        w.alpha[0] = numbers[random_below(6)];
        w.beta[0] = numbers[random_below(6)];
        if (is_complex(w.dtype)) {
            w.alpha[1] = numbers[random_below(6)];
            w.beta[1] = numbers[random_below(6)];
            w.conj_a = random_below(2);
            w.conj_b = random_below(2);
        }
        w.shared_a = random_below(3) == 0;
        w.shared_b = random_below(3) == 0;
        one_product(&w);
    }
}

/* Large enough for several blocks along m, n and k, and for threads. */
static void test_large(void)
{
    static const int64_t shapes[][3] = {{230, 210, 450}, {1030, 40, 33}, {40, 1030, 900},
                                        {150, 1, 3000},  {3000, 1, 150}, {1, 1, 70000}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int t = 0; t < TYPES; t++)
            for (int transposed = 0; transposed < 4; transposed += 3) {
                struct wish w = {.dtype = all_types[t],
                                 .m = shapes[s][0],
                                 .n = shapes[s][1],
                                 .k = shapes[s][2],
                                 .batch = 1,
                                 .alpha = {1, 0}};
                w.a = transposed & 1 ? COLUMNS : ROWS;
                w.b = transposed & 2 ? COLUMNS_APART : ROWS;
                one_product(&w);
            }
    struct wish batch = {.dtype = CT_FLOAT32, .m = 40, .n = 50, .k = 60, .batch = 40};
    batch.alpha[0] = 1;
    one_product(&batch);
    batch.shared_b = true;
    one_product(&batch);
}

/* Sums of bfloat16 and float16 are rounded once: adds more ones than their precision can count. */
static void test_halves_round_once(void)
{
    enum { K = 3001 };
    static const enum ct_dtype halves[] = {CT_FLOAT16, CT_BFLOAT16};
    for (int h = 0; h < 2; h++) {
        uint16_t ones[K], c[40 * 40];
        for (int i = 0; i < K; i++)
            ones[i] = h == 0 ? ctm_f16_from_f32(1) : ctm_bf16_from_f32(1);
        struct cti_gemm g = {.dtype = halves[h],
                             .m = 40,
                             .n = 40,
                             .k = K,
                             .batch = 1,
                             .a = ones,
                             .b = ones,
                             .c = c,
                             .a_col = 1,
                             .b_row = 1,
                             .c_row = 40,
                             .c_col = 1,
                             .alpha = {1, 0}};
        uint16_t want = h == 0 ? ctm_f16_from_f32(K) : ctm_bf16_from_f32(K);
        cti_cpu_gemm(&g);
        for (int i = 0; i < 40 * 40; i++)
            if (c[i] != want) {
                report(&g, "rounded more than once", i / 40, i % 40);
                break;
            }
    }
}

/* NaN and infinities propagate, also next to the padding of panels. */
static void test_special(void)
{
    float a[30 * 20], b[20 * 50], c[30 * 50];
    for (int i = 0; i < 30 * 20; i++)
        a[i] = 1;
    for (int i = 0; i < 20 * 50; i++)
        b[i] = 1;
    a[7 * 20 + 3] = NAN;
    b[4 * 50 + 9] = INFINITY;
    struct cti_gemm g = {.dtype = CT_FLOAT32,
                         .m = 30,
                         .n = 50,
                         .k = 20,
                         .batch = 1,
                         .a = a,
                         .b = b,
                         .c = c,
                         .a_row = 20,
                         .a_col = 1,
                         .b_row = 50,
                         .b_col = 1,
                         .c_row = 50,
                         .c_col = 1,
                         .alpha = {1, 0}};
    cti_cpu_gemm(&g);
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 50; j++) {
            float x = c[i * 50 + j];
            bool right = i == 7 ? isnan(x) : j == 9 ? isinf(x) : x == 20;
            if (!right)
                report(&g, "special value", i, j);
        }
}

/* Without memory for panels a product fails with an error and leaves C unchanged. */
static void test_no_memory(void)
{
    enum { N = 130 };
    static float a[N * N], c[N * N];
    c[5] = 7;
    struct cti_gemm g = {.dtype = CT_FLOAT32, .m = N, .n = N, .k = N, .batch = 1};
    g.a = g.b = a;
    g.c = c;
    g.a_row = g.b_row = g.c_row = N;
    g.a_col = g.b_col = g.c_col = 1;
    g.alpha[0] = 1;
    cti_alloc_fail_after(1);
    bool right = cti_cpu_gemm(&g);
    cti_alloc_fail_after(0);
    /* A BLAS library does not need our panels. */
    if (right ? c[5] != 0 : c[5] != 7 || ct_error_kind() != CT_ERR_OUT_OF_MEMORY)
        report(&g, "out of memory", 0, 5);
    ct_clear_error();
}

int main(void)
{
    test_shapes();
    test_random();
    test_large();
    test_halves_round_once();
    test_special();
    test_no_memory();
    if (failures == 0)
        printf("gemm: all right\n");
    return failures != 0;
}
