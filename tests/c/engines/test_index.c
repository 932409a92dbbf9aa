/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the index, scan and order engines with plain loops: permuted, reversed and stepped
 * strides, 1 and 3 threads, element sizes of 1 to 16 bytes. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/parallel.h"
#include "corten/own.h"
#include "cpu/index/index.h"
#include "cpu/order/order.h"

#include <corten.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(bool good, const char *what, int line)
{
    if (good)
        return;
    failures++;
    printf("line %d: %s (%s)\n", line, what, ct_error() ? ct_error() : "no error");
    ct_clear_error();
}
#define CHECK(x) check((x), #x, __LINE__)

static uint64_t state = 1;
static int64_t roll(int64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

static const struct ct_device cpu = {CT_CPU, -1};

/* Makes a tensor with dims in random memory order, some with negative strides. */
static ct_tensor *scattered(int ndim, const int64_t *shape, enum ct_dtype dtype)
{
    int64_t wide[8], stride[8], step = 1, offset = 0;
    int order[8];
    for (int d = 0; d < ndim; d++)
        order[d] = d;
    for (int d = ndim - 1; d > 0; d--) {
        int64_t other = roll(d + 1);
        int old = order[d];
        order[d] = order[other];
        order[other] = old;
    }
    for (int k = ndim - 1; k >= 0; k--) {
        int d = order[k];
        stride[d] = step * (1 + roll(2));
        step = stride[d] * (shape[d] > 0 ? shape[d] : 1);
        wide[d] = shape[d];
    }
    ct_tensor *memory = cti_empty(1, &(int64_t){step}, dtype, cpu);
    for (int d = 0; d < ndim; d++)
        if (roll(3) == 0 && shape[d] > 0) {
            offset += stride[d] * (shape[d] - 1);
            stride[d] = -stride[d];
        }
    memset(cti_data(memory), 0, (size_t)(step * cti_itemsize(dtype)));
    ct_tensor *t = cti_view(memory, ndim, wide, stride, offset);
    ct_release(memory);
    return t;
}

static char *at(const ct_tensor *t, const int64_t *place)
{
    char *p = cti_data(t);
    for (int d = 0; d < t->ndim; d++)
        p += place[d] * t->stride[d] * cti_itemsize((enum ct_dtype)t->dtype);
    return p;
}

/* Advances to the next position in C order; false at the end. */
static bool step(int ndim, const int64_t *shape, int64_t *place)
{
    for (int d = ndim - 1; d >= 0; d--) {
        if (++place[d] < shape[d])
            return true;
        place[d] = 0;
    }
    return false;
}

/* Fills a tensor with distinct values: bytes for copies, small integers for sums. */
static void number(ct_tensor *t)
{
    int64_t place[8] = {0};
    if (t->numel == 0)
        return;
    do {
        char *p = at(t, place);
        int64_t v = roll(200) - 100;
        switch ((enum ct_dtype)t->dtype) {
        case CT_FLOAT32:
            *(float *)(void *)p = (float)v;
            break;
        case CT_FLOAT64:
            *(double *)(void *)p = (double)v;
            break;
        default:
            for (int64_t b = 0; b < cti_itemsize((enum ct_dtype)t->dtype); b++)
                p[b] = (char)roll(256);
        }
    } while (step(t->ndim, t->shape, place));
}

static void point(ct_tensor *index, int64_t size, bool wrap)
{
    int64_t place[8] = {0};
    if (index->numel > 0)
        do
            *(int64_t *)(void *)at(index, place) = roll(wrap ? 2 * size : size) - (wrap ? size : 0);
        while (step(index->ndim, index->shape, place));
}

static void test_gather(enum ct_dtype dtype)
{
    for (int round = 0; round < 30; round++) {
        int ndim = 1 + (int)roll(3), dim = (int)roll(ndim);
        int64_t big[4], small[4], place[4] = {0};
        size_t size = (size_t)cti_itemsize(dtype);
        for (int d = 0; d < ndim; d++) {
            big[d] = 1 + roll(9);
            small[d] = 1 + roll(d == dim ? 40 : big[d]);
        }
        ct_tensor *in = scattered(ndim, big, dtype), *out = scattered(ndim, small, dtype);
        ct_tensor *index = scattered(ndim, small, CT_INT64);
        number(in);
        point(index, big[dim], false);
        CHECK(CTI_RUN(gather, out, .out = out, .in = in, .dim = dim, .index = index));
        bool same = true;
        do {
            int64_t from[4];
            memcpy(from, place, sizeof from);
            from[dim] = *(int64_t *)(void *)at(index, place);
            same = same && memcmp(at(out, place), at(in, from), size) == 0;
        } while (step(ndim, small, place));
        CHECK(same);
        *(int64_t *)(void *)at(index, place) = big[dim];
        CHECK(!CTI_RUN(gather, out, .out = out, .in = in, .dim = dim, .index = index) &&
              ct_error_kind() == CT_ERR_RUNTIME);
        ct_clear_error();
        ct_release(in);
        ct_release(out);
        ct_release(index);
    }
}

static double combine(double a, double b, int how)
{
    return how == CTI_COMBINE_ADD        ? a + b
           : how == CTI_COMBINE_MULTIPLY ? a * b
           : how == CTI_COMBINE_MIN      ? fmin(a, b)
           : how == CTI_COMBINE_MAX      ? fmax(a, b)
                                         : b;
}

static void test_scatter(void)
{
    static const int hows[] = {CTI_COMBINE_PUT, CTI_COMBINE_ADD, CTI_COMBINE_MULTIPLY,
                               CTI_COMBINE_MIN, CTI_COMBINE_MAX};
    for (int round = 0; round < 60; round++) {
        int ndim = 1 + (int)roll(3), dim = (int)roll(ndim), how = hows[round % 5];
        int64_t big[4], small[4], place[4] = {0};
        for (int d = 0; d < ndim; d++) {
            big[d] = 1 + roll(d == dim ? 5 : 700 / ndim);
            small[d] = 1 + roll(d == dim ? 8 : big[d]);
        }
        ct_tensor *self = scattered(ndim, big, CT_FLOAT64),
                  *src = scattered(ndim, small, CT_FLOAT64);
        ct_tensor *index = scattered(ndim, small, CT_INT64), *want;
        number(self);
        number(src);
        point(index, big[dim], false);
        want = cti_empty(ndim, big, CT_FLOAT64, cpu);
        do
            *(double *)(void *)at(want, place) = *(double *)(void *)at(self, place);
        while (step(ndim, big, place));
        do {
            int64_t to[4];
            memcpy(to, place, sizeof to);
            to[dim] = *(int64_t *)(void *)at(index, place);
            double *d = (double *)(void *)at(want, to);
            *d = combine(*d, *(double *)(void *)at(src, place), how);
        } while (step(ndim, small, place));
        CHECK(CTI_RUN(scatter, self, .self = self, .dim = dim, .index = index, .src = src,
                      .how = how));
        bool same = true;
        do
            same = same && *(double *)(void *)at(want, place) == *(double *)(void *)at(self, place);
        while (step(ndim, big, place));
        CHECK(same);
        ct_release(self);
        ct_release(src);
        ct_release(index);
        ct_release(want);
    }
}

/* Tests x[i, j] and x[i, j] = v with two-dimensional i and j and up to two more dims. */
static void test_advanced(enum ct_dtype dtype)
{
    for (int round = 0; round < 30; round++) {
        int nindex = 1 + (int)roll(2), nrest = (int)roll(3), lead = (int)roll(3);
        int64_t xs[4], os[4], is[2], place[4] = {0};
        size_t size = (size_t)cti_itemsize(dtype);
        for (int k = 0; k < nindex; k++)
            xs[k] = 2 + roll(6);
        for (int d = 0; d < lead; d++)
            os[d] = is[d] = 1 + roll(lead == 1 ? 1500 : 9);
        for (int d = 0; d < nrest; d++)
            xs[nindex + d] = os[lead + d] = 1 + roll(5);
        ct_tensor *x = scattered(nindex + nrest, xs, dtype),
                  *out = scattered(lead + nrest, os, dtype);
        ct_tensor *index[2] = {scattered(lead, is, CT_INT64), scattered(lead, is, CT_INT64)};
        number(x);
        for (int k = 0; k < nindex; k++)
            point(index[k], xs[k], true);
        CHECK(CTI_RUN(index_get, out, .out = out, .in = x, .index = {index, nindex}));
        bool same = true;
        do {
            int64_t from[4];
            for (int k = 0; k < nindex; k++) {
                int64_t v = *(int64_t *)(void *)at(index[k], place);
                from[k] = v < 0 ? v + xs[k] : v;
            }
            memcpy(from + nindex, place + lead, (size_t)nrest * sizeof *from);
            same = same && memcmp(at(out, place), at(x, from), size) == 0;
        } while (step(lead + nrest, os, place));
        CHECK(same);
        /* Writing back what was read changes nothing. */
        CHECK(CTI_RUN(index_put, x, .self = x, .value = out, .index = {index, nindex}));
        ct_tensor *again = scattered(lead + nrest, os, dtype);
        CHECK(CTI_RUN(index_get, again, .out = again, .in = x, .index = {index, nindex}));
        do
            same = same && memcmp(at(out, place), at(again, place), size) == 0;
        while (step(lead + nrest, os, place));
        CHECK(same);
        ct_release(x);
        ct_release(out);
        ct_release(again);
        ct_release(index[0]);
        ct_release(index[1]);
    }
}

static void test_mask(enum ct_dtype dtype, int64_t n)
{
    size_t size = (size_t)cti_itemsize(dtype);
    ct_tensor *in = cti_empty(1, &n, dtype, cpu), *mask = cti_empty(1, &n, CT_BOOL, cpu);
    number(in);
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        count += cti_data(mask)[i] = roll(3) == 0;
    CHECK(cti_count_nonzero(mask) == count);
    ct_tensor *out = cti_empty(1, &count, dtype, cpu);
    ct_tensor *where = cti_empty(2, (int64_t[]){count, 1}, CT_INT64, cpu);
    CHECK(CTI_RUN(masked_select, out, .out = out, .in = in, .mask = mask) &&
          CTI_RUN(nonzero, where, .out = where, .in = mask));
    bool same = true;
    for (int64_t i = 0, k = 0; i < n; i++)
        if (cti_data(mask)[i]) {
            same = same && memcmp(cti_data(out) + k * (int64_t)size,
                                  cti_data(in) + i * (int64_t)size, size) == 0;
            same = same && ((int64_t *)(void *)cti_data(where))[k++] == i;
        }
    CHECK(same);
    /* Writes the selected elements back to their positions. */
    ct_tensor *copy = cti_empty(1, &n, dtype, cpu);
    memcpy(cti_data(copy), cti_data(in), (size_t)n * size);
    for (int64_t i = 0; i < n; i++)
        if (cti_data(mask)[i])
            memset(cti_data(copy) + i * (int64_t)size, 0, size);
    CHECK(CTI_RUN(masked_put, copy, .self = copy, .mask = mask, .src = out));
    CHECK(memcmp(cti_data(copy), cti_data(in), (size_t)n * size) == 0);
    ct_release(in);
    ct_release(mask);
    ct_release(out);
    ct_release(where);
    ct_release(copy);
}

static void test_scan(int64_t n, int64_t columns, int dim)
{
    int64_t shape[2] = {n, columns}, place[2] = {0};
    ct_tensor *in = cti_empty(2, shape, CT_FLOAT32, cpu),
              *out = cti_empty(2, shape, CT_FLOAT32, cpu);
    double *sum = calloc((size_t)(n > columns ? n : columns), sizeof *sum);
    number(in);
    CHECK(CTI_RUN(scan, in, .op = CTI_SCAN_SUM, .out = out, .in = in, .dim = dim));
    bool same = true;
    do {
        double *s = &sum[place[1 - dim]];
        *s += *(float *)(void *)at(in, place);
        same = same && *(float *)(void *)at(out, place) == (float)*s;
    } while (step(2, shape, place));
    CHECK(same);
    free(sum);
    ct_release(in);
    ct_release(out);
}

static void test_sort(int64_t n, bool descending, enum ct_dtype dtype)
{
    ct_tensor *in = cti_empty(1, &n, dtype, cpu), *values = cti_empty(1, &n, dtype, cpu);
    ct_tensor *index = cti_empty(1, &n, CT_INT64, cpu);
    number(in);
    float *x = (float *)(void *)cti_data(in), *y = (float *)(void *)cti_data(values);
    double *x8 = (double *)(void *)x, *y8 = (double *)(void *)y;
    int64_t *where = (int64_t *)(void *)cti_data(index);
    bool wide = dtype == CT_FLOAT64, good = true;
    for (int64_t i = 0; i < n; i++)
        if (wide && roll(20) == 0)
            x8[i] = roll(2) ? NAN : -0.0;
        else if (!wide && roll(20) == 0)
            x[i] = roll(2) ? NAN : -0.0f;
    CHECK(CTI_RUN(sort, in, .values = values, .index = index, .in = in, .descending = descending,
                  .stable = true));
    for (int64_t i = 0; i < n; i++) {
        double a = wide ? y8[i] : (double)y[i], b = wide ? x8[where[i]] : (double)x[where[i]];
        good = good && (a == b || (isnan(a) && isnan(b))) && signbit(a) == signbit(b);
        if (i == 0)
            continue;
        double before = wide ? y8[i - 1] : (double)y[i - 1];
        double low = descending ? a : before, high = descending ? before : a;
        bool equal = low == high || (isnan(low) && isnan(high));
        good = good && (equal ? where[i - 1] < where[i] : isnan(high) || low < high);
    }
    CHECK(good);
    int64_t k = n < 100 ? n / 2 : 100;
    ct_tensor *best = cti_empty(1, &k, dtype, cpu), *places = cti_empty(1, &k, CT_INT64, cpu);
    CHECK(CTI_RUN(topk, in, .values = best, .index = places, .in = in, .k = k,
                  .largest = descending, .sorted = true));
    CHECK(memcmp(cti_data(places), where, (size_t)k * 8) == 0);
    CHECK(memcmp(cti_data(best), y, (size_t)(k * cti_itemsize(dtype))) == 0);
    ct_release(in);
    ct_release(values);
    ct_release(index);
    ct_release(best);
    ct_release(places);
}

/* ---- index strings ---- */

static void test_texts(void)
{
    static const struct {
        const char *text, *want;
    } good[] = {
        {"1", "[4]"},
        {" -1 , 2 ", "[]"},
        {"1:, ::2", "[2, 2]"},
        {"::-1", "[3, 4]"},
        {"..., None", "[3, 4, 1]"},
        {"None:2, 3:None:-1", "[2, 4]"},
        {"[0, 2, 2]", "[3, 4]"},
        {"[True, False, True], [1, -1]", "[2]"},
        {"True, 0", "[1, 4]"},
        {"[]", "[0, 4]"},
        {"0,", "[4]"},
    };
    static const char *const bad[] = {"",   ",",      "1 2",   "a", "1:2:3:4",  "[1",  "[1, True]",
                                      "..", "1, , 2", "[0] 1", "?", "Nonesuch", "1.5", "[[0]]"};
    CT_SCOPE;
    ct_tensor *x = ct_view(ct_arange(12), CT_SHAPE(3, 4));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char text[64];
        snprintf(text, sizeof text, "torch.Size(%s)", good[i].want);
        ct_tensor *y = ct_at(x, good[i].text);
        check(y && strcmp(ct_shape_str(y), text) == 0, good[i].text, __LINE__);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        check(!ct_at(x, bad[i]) && ct_error_kind() == CT_ERR_SYNTAX, bad[i], __LINE__);
        ct_clear_error();
    }
    CHECK(!ct_at(x, "1", 2) && ct_error_kind() == CT_ERR_SYNTAX); /* one argument too many */
    ct_clear_error();
    CHECK(!ct_at(x, "?", 1.5) && ct_error_kind() == CT_ERR_INDEX);
    ct_clear_error();
    CHECK(ct_item_i64(ct_at(x, "?, ?", 1, 2)) == 6);
    CHECK(ct_item_i64(ct_sum(ct_at(x, "?:, 0", 1))) == 12);
    CHECK(ct_set(x, "?, 1:3", 0, -5) == x && ct_item_i64(ct_at(x, "0, 2")) == -5);
    CHECK(ct_set(x, ct_gt(x, 8), 0) == x && ct_item_i64(ct_sum(ct_at(x, 2))) == 8);
}

/* ---- every call with its 1st, 2nd, 3rd... allocation failing ---- */

static ct_tensor *box, *places, *mask;

static bool try_call(int which)
{
    ct_index items[3] = {{.kind = CT_INDEX_TENSOR, .tensor = places},
                         {.kind = CT_INDEX_NONE},
                         {.kind = CT_INDEX_SLICE, .start = 1, .stop = 4, .step = 2}};
    ct_index masked = {.kind = CT_INDEX_TENSOR, .tensor = mask};
    ct_tensor *r = NULL;
    struct ct_sort_result sorted;
    struct ct_topk_result best;
    switch (which) {
    case 0:
        r = ct_own_getitem(box, items, 3);
        break;
    case 1:
        return ct_own_setitem(box, items, 3, ct_value_float(2));
    case 2:
        r = ct_own_getitem(box, &masked, 1);
        break;
    case 3:
        return ct_own_setitem(box, &masked, 1, ct_value_float(2));
    case 4:
        r = ct_own_index_select(box, 0, places);
        break;
    case 5:
        r = ct_own_index_add(box, 0, places, box, ct_value_int(2));
        break;
    case 6:
        r = ct_own_index_fill(box, 0, places, ct_value_int(2));
        break;
    case 7:
        r = ct_own_nonzero(box);
        break;
    case 8:
        r = ct_own_cumsum(box, 0, CT_FLOAT16);
        break;
    case 9:
        sorted = ct_own_sort(box, 0, false, false);
        ct_release(sorted.indices);
        r = sorted.values;
        break;
    case 10:
        best = ct_own_topk(box, 1, 0, true, true);
        ct_release(best.indices);
        r = best.values;
        break;
    case 11:
        r = ct_own_masked_scatter(box, mask, box);
        break;
    case 12:
        r = ct_own_take(box, places);
        break;
    default:
        break;
    }
    ct_release(r);
    return r != NULL;
}

static void test_without_memory(void)
{
    CT_SCOPE;
    box = ct_view(ct_arange(12.0), CT_SHAPE(3, 4));
    places = ct_tensor_of(int64_t, CT_SHAPE(3), 2, 0, 2);
    mask = ct_gt(box, 5);
    for (int which = 0; which < 13; which++) {
        bool done = false;
        for (int64_t n = 1; n < 200 && !done; n++) {
            cti_alloc_fail_after(n);
            done = try_call(which);
            cti_alloc_fail_after(0);
            check(done || ct_error_kind() == CT_ERR_OUT_OF_MEMORY, "memory", which);
            ct_clear_error();
        }
        CHECK(done);
    }
}

int main(void)
{
    static const enum ct_dtype sizes[] = {CT_INT8, CT_INT16, CT_FLOAT32, CT_FLOAT64, CT_COMPLEX128};
    static const int64_t lengths[] = {0, 1, 2, 31, 399, 401, 5000, 70000, 400000};
    for (int threads = 1; threads <= 3; threads += 2) {
        cti_parallel_set_threads(threads);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            test_gather(sizes[i]);
            test_advanced(sizes[i]);
            for (size_t j = 0; j + 1 < sizeof lengths / sizeof *lengths; j++)
                test_mask(sizes[i], lengths[j]);
        }
        test_scatter();
        for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
            test_sort(lengths[j], false, CT_FLOAT32);
            test_sort(lengths[j], true, CT_FLOAT32);
            test_sort(lengths[j], j & 1, CT_FLOAT64);
        }
        test_scan(300000, 1, 0);
        test_scan(70, 4100, 1);
        test_scan(70, 410, 0);
        test_scan(1, 5, 0);
    }
    test_texts();
    test_without_memory();
    if (failures)
        printf("%d failures\n", failures);
    return failures != 0;
}
