/* SPDX-License-Identifier: BSD-3-Clause */
/* The search engine, binary search in sorted lines, and the sort_rows engine, which sorts whole
 * rows for unique along a dim. Both need only the order of a data type. Called through the backend
 * table; sorting along a dim is in sort.c. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/order/order.h"

#include <string.h>

/* ---- search ---- */

#define TOGETHER 4 /* searches that are interleaved */

struct search;
typedef void search_fn(const struct search *s, int64_t begin, int64_t end);
typedef bool less_fn(const char *a, const char *b, int64_t n);

struct search {
    const char *sorted, *values;
    const int64_t *sorter; /* NULL: the lines are sorted */
    int64_t *out;
    int64_t n, per_line; /* elements of a line; values searched for in each line */
    bool one_line, right;
    search_fn *find;
};

#define T uint8_t
#define NAME(x) x##_u8
#include "cpu/order/search_typed.h"

#define T int8_t
#define NAME(x) x##_i8
#include "cpu/order/search_typed.h"

#define T int16_t
#define NAME(x) x##_i16
#include "cpu/order/search_typed.h"

#define T int32_t
#define NAME(x) x##_i32
#include "cpu/order/search_typed.h"

#define T int64_t
#define NAME(x) x##_i64
#include "cpu/order/search_typed.h"

#define T uint16_t
#define NAME(x) x##_u16
#include "cpu/order/search_typed.h"

#define T uint32_t
#define NAME(x) x##_u32
#include "cpu/order/search_typed.h"

#define T uint64_t
#define NAME(x) x##_u64
#include "cpu/order/search_typed.h"

#define T float
#define NAME(x) x##_f32
#include "cpu/order/search_typed.h"

#define T double
#define NAME(x) x##_f64
#include "cpu/order/search_typed.h"

static const struct {
    search_fn *find;
    less_fn *less;
} typed[CT_DTYPE_COUNT] = {
    [CT_BOOL] = {find_u8, less_u8},      [CT_UINT8] = {find_u8, less_u8},
    [CT_INT8] = {find_i8, less_i8},      [CT_INT16] = {find_i16, less_i16},
    [CT_INT32] = {find_i32, less_i32},   [CT_INT64] = {find_i64, less_i64},
    [CT_UINT16] = {find_u16, less_u16},  [CT_UINT32] = {find_u32, less_u32},
    [CT_UINT64] = {find_u64, less_u64},  [CT_FLOAT32] = {find_f32, less_f32},
    [CT_FLOAT64] = {find_f64, less_f64},
};

static void run_search(void *context, int64_t begin, int64_t end)
{
    const struct search *s = context;
    s->find(s, begin, end);
}

enum cti_status cti_cpu_search(struct cti_search *work)
{
    ct_tensor *out = work->out, *sorted = work->sorted, *values = work->values,
              *sorter = work->sorter;
    bool right = work->right;
    struct search s = {.sorted = cti_data(sorted),
                       .values = cti_data(values),
                       .sorter = sorter ? (const int64_t *)(const void *)cti_data(sorter) : NULL,
                       .out = (int64_t *)(void *)cti_data(out),
                       .n = sorted->shape[sorted->ndim - 1],
                       .one_line = sorted->ndim == 1,
                       .right = right,
                       .find = typed[sorted->dtype].find};
    s.per_line = values->ndim ? values->shape[values->ndim - 1] : 1;
    cti_parallel_for(values->numel, 2048, run_search, &s);
    return true;
}

/* ---- rows ---- */

struct rows {
    const char *data;
    int64_t n, bstride; /* elements of a row; bytes from row to row */
    less_fn *less;
};

/* Merges two sorted pieces of row numbers; equal rows of the first piece come first. */
static void merge_rows(const struct rows *r, const int64_t *a, int64_t na, const int64_t *b,
                       int64_t nb, int64_t *to)
{
    for (int64_t i = 0; na && nb && !cti_interrupted_at(i, 65536); i++) {
        bool second = r->less(r->data + *b * r->bstride, r->data + *a * r->bstride, r->n);
        *to++ = second ? *b++ : *a++;
        na -= !second;
        nb -= second;
    }
    memcpy(to, a, (size_t)na * sizeof *a);
    memcpy(to + na, b, (size_t)nb * sizeof *b);
}

enum cti_status cti_cpu_sort_rows(struct cti_sort_rows *work)
{
    ct_tensor *index = work->index, *in = work->rows;
    int64_t count = in->shape[0], *from = (int64_t *)(void *)cti_data(index), *at = from;
    struct rows r = {.data = cti_data(in), .less = typed[in->dtype].less};
    r.n = count ? in->numel / count : 0;
    r.bstride = r.n * cti_itemsize(in->dtype);
    int64_t *spare = count ? cti_malloc((size_t)count * sizeof *spare) : NULL, *to = spare;
    if (count && !spare)
        return false;
    for (int64_t i = 0; i < count; i++)
        from[i] = i;
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t i = 0; i < count; i += 2 * width) {
            if (i / (2 * width) % 4096 == 0 && cti_interrupted()) {
                cti_free(spare);
                return false;
            }
            int64_t left = count - i < width ? count - i : width;
            int64_t right = count - i - left < width ? count - i - left : width;
            merge_rows(&r, from + i, left, from + i + left, right, to + i);
        }
        int64_t *other = from;
        from = to;
        to = other;
    }
    if (count && from != at)
        memcpy(at, from, (size_t)count * sizeof *at);
    cti_free(spare);
    return true;
}
