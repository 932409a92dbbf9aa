/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls every entry point of own.h with its 1st, 2nd, 3rd ... allocation failing, until it
 * succeeds. Each failure must be an out-of-memory error that leaves all arguments unchanged. Runs
 * with plain and strided inputs, with and without gradients. The calls are in alloc_calls.h, which
 * emit_alloc_calls.py writes from the rows; the address sanitizer and valgrind detect leaks.
 *
 *     test_alloc_fail [PART OF A NAME] */
#include "../check.h"

#include "core/alloc.h"
#include "core/tensor.h"
#include "corten.h"
#include "inner.h"

#include <stdlib.h>

enum { INPUTS = 25, MOST_ALLOCATIONS = 100000 };

/* The arguments of calls. Floating-point elements are within (0, 1). */
struct inputs {
    ct_tensor *x, *y;                     /* float32, 2 x 3 */
    ct_tensor *m, *v, *z;                 /* float32, 3 x 3, 3, no dims */
    ct_tensor *two, *six;                 /* float32, 2, 6 */
    ct_tensor *batch, *cube;              /* float32, 2 x 3 x 3, 2 x 2 x 2 */
    ct_tensor *square;                    /* float32, 2 x 2 */
    ct_tensor *pairs;                     /* float32, 3 x 2 */
    ct_tensor *c;                         /* complex64, 2 x 2 */
    ct_tensor *i, *i1;                    /* int64 0 and 1, 2 x 2, 2 */
    ct_tensor *b;                         /* bool, all true, 2 x 3 */
    ct_tensor *out0, *out1, *out2, *out3; /* float32, int64, float32 and bool, 2 x 3 */
    ct_tensor *out4, *out5, *out6;        /* int32, float32 and int32 */
    ct_tensor *pivots;                    /* int32, 2: no rows are exchanged */
    ct_tensor *loss;                      /* sum of x * y */
    ct_tensor *seven;                     /* int64, no dims */
};

enum call_flags { NO_GRADIENTS = 1, NEEDS_GRADIENTS = 2, WRITES_X = 4 };

struct call {
    const char *name;
    bool (*run)(const struct inputs *in);
    int flags;
};

#include "alloc_calls.h"

enum variant { PLAIN, STRIDED, GRADIENTS, GRADIENT_VIEWS, VARIANTS };

static void replace(ct_tensor **place, ct_tensor *owned)
{
    ct_release(*place);
    *place = owned;
}

static ct_tensor *make(enum variant variant, enum ct_dtype dtype, ct_ints shape)
{
    int64_t count = 0;
    ct_tensor *t = ct_own_empty(shape, CT_FLOAT32, CT_NO_DEVICE, false, -1);
    float *p = ct_data(t);
    for (; count < ct_numel(t); count++)
        p[count] = 0.1f + 0.05f * (float)(count % 16);
    if (dtype == CT_BOOL || dtype == CT_INT64)
        for (int64_t i = 0; i < count; i++)
            p[i] = dtype == CT_BOOL ? 1 : (float)(i % 2);
    ct_tensor *r = ct_own_to_dtype(t, dtype);
    ct_release(t);
    int64_t n = ct_ndim(r);
    bool swapped = (variant == STRIDED || variant == GRADIENT_VIEWS) && n > 1;
    if (swapped) { /* the last two dims are transposed in memory */
        ct_tensor *view = ct_own_transpose(r, n - 2, n - 1);
        replace(&r, ct_own_clone(view, CT_CONTIGUOUS_FORMAT));
        ct_release(view);
    }
    if (variant >= GRADIENTS && dtype >= CT_FLOAT16) {
        ct_set_requires_grad(r, true);
        replace(&r, ct_own_mul(ct_value_tensor(r), ct_value_float(1)));
    }
    if (swapped)
        replace(&r, ct_own_transpose(r, n - 2, n - 1));
    return r;
}

static struct inputs make_inputs(enum variant variant)
{
    struct inputs in = {
        .x = make(variant, CT_FLOAT32, CT_SHAPE(2, 3)),
        .y = make(variant, CT_FLOAT32, CT_SHAPE(2, 3)),
        .m = make(variant, CT_FLOAT32, CT_SHAPE(3, 3)),
        .v = make(variant, CT_FLOAT32, CT_SHAPE(3)),
        .z = make(PLAIN, CT_FLOAT32, CT_SHAPE()),
        .two = make(variant, CT_FLOAT32, CT_SHAPE(2)),
        .six = make(variant, CT_FLOAT32, CT_SHAPE(6)),
        .batch = make(variant, CT_FLOAT32, CT_SHAPE(2, 3, 3)),
        .square = make(variant, CT_FLOAT32, CT_SHAPE(2, 2)),
        .cube = make(variant, CT_FLOAT32, CT_SHAPE(2, 2, 2)),
        .pairs = make(variant < GRADIENTS ? PLAIN : GRADIENTS, CT_FLOAT32, CT_SHAPE(3, 2)),
        .c = make(variant, CT_COMPLEX64, CT_SHAPE(2, 2)),
        .i = make(variant, CT_INT64, CT_SHAPE(2, 2)),
        .i1 = make(variant, CT_INT64, CT_SHAPE(2)),
        .b = make(variant, CT_BOOL, CT_SHAPE(2, 3)),
        .out0 = make(PLAIN, CT_FLOAT32, CT_SHAPE(2, 3)),
        .out1 = make(PLAIN, CT_INT64, CT_SHAPE(2, 3)),
        .out2 = make(PLAIN, CT_FLOAT32, CT_SHAPE(2, 3)),
        .out3 = make(PLAIN, CT_BOOL, CT_SHAPE(2, 3)),
        .out4 = make(PLAIN, CT_INT32, CT_SHAPE(2, 3)),
        .out5 = make(PLAIN, CT_FLOAT32, CT_SHAPE(2, 3)),
        .out6 = make(PLAIN, CT_INT32, CT_SHAPE(2, 3)),
    };
    ct_tensor *product = ct_own_mul(ct_value_tensor(in.x), ct_value_tensor(in.y));
    in.loss = ct_own_sum(product, CT_NO_DIMS, false, CT_NO_DTYPE);
    ct_release(product);
    in.seven = ct_own_full(CT_SHAPE(), ct_value_int(7), CT_INT64, CT_NO_DEVICE, false);
    in.pivots = ct_own_arange(ct_value_int(1), ct_value_int(3), ct_value_int(1), CT_INT32,
                              CT_NO_DEVICE, false);
    return in;
}

static int each_input(const struct inputs *in, ct_tensor **list)
{
    ct_tensor *const all[] = {in->x,     in->y,    in->m,     in->v,      in->z,
                              in->two,   in->six,  in->batch, in->cube,   in->square,
                              in->pairs, in->c,    in->i,     in->i1,     in->b,
                              in->out0,  in->out1, in->loss,  in->out2,   in->out3,
                              in->out4,  in->out5, in->seven, in->pivots, in->out6};
    int n = sizeof all / sizeof *all;
    memcpy(list, all, sizeof all);
    return n;
}

/* ---- snapshots of inputs ---- */

struct snapshot {
    int64_t references, version, offset, nbytes;
    bool requires_grad, is_leaf;
    char shape[64], stride[64], *bytes;
};

static void describe(const int64_t *list, int64_t n, char *text)
{
    *text = '\0';
    for (int64_t i = 0; i < n; i++)
        text += sprintf(text, "%lld ", (long long)list[i]);
}

static struct snapshot snapshot_of(ct_tensor *t)
{
    struct snapshot s = {.references = ct_reference_count(t),
                         .version = ct_version(t),
                         .offset = t->offset,
                         .nbytes = t->storage->nbytes,
                         .requires_grad = ct_requires_grad(t),
                         .is_leaf = ct_is_leaf(t),
                         .bytes = malloc((size_t)t->storage->nbytes + 1)};
    memcpy(s.bytes, t->storage->data, (size_t)s.nbytes);
    describe(t->shape, t->ndim, s.shape);
    describe(t->stride, t->ndim, s.stride);
    return s;
}

/* loose: a backward that failed halfway may have released references of the graph. */
static bool is_same(const struct snapshot *a, const struct snapshot *b, bool loose)
{
    return (loose || a->references == b->references) && a->version == b->version &&
           a->offset == b->offset && a->nbytes == b->nbytes &&
           a->requires_grad == b->requires_grad && a->is_leaf == b->is_leaf &&
           !strcmp(a->shape, b->shape) && !strcmp(a->stride, b->stride) &&
           !memcmp(a->bytes, b->bytes, (size_t)a->nbytes);
}

/* ---- one attempt ---- */

static const char *const variant_name[] = {"plain", "strided", "gradients", "views"};

static void complain(const struct call *call, enum variant variant, int64_t n, const char *what)
{
    fprintf(stderr, "FAILED: %s (%s), allocation %lld: %s: %s\n", call->name, variant_name[variant],
            (long long)n, what, ct_error() ? ct_error() : "no error");
    failures++;
}

/* Runs a call with the n-th allocation failing. False: it made fewer than n allocations. */
static bool attempt(const struct call *call, enum variant variant, int64_t n)
{
    ct_tensor *list[INPUTS];
    struct snapshot before[INPUTS];
    struct inputs in = make_inputs(variant);
    int count = each_input(&in, list);
    for (int k = 0; k < count; k++)
        before[k] = snapshot_of(list[k]);
    ct_test_fail_alloc(n);
    bool good = call->run(&in);
    bool fired = __atomic_load_n(&cti_alloc_countdown, __ATOMIC_RELAXED) == 0;
    ct_test_fail_alloc(0);
    if (!fired && !good)
        complain(call, variant, n, "fails although every allocation succeeded");
    if (!good && fired && ct_error_kind() != CT_ERR_OUT_OF_MEMORY)
        complain(call, variant, n, "fails with another error");
    if (good && ct_error())
        complain(call, variant, n, "succeeds and leaves an error");
    for (int k = 0; k < count; k++) {
        struct snapshot after = snapshot_of(list[k]);
        if (!good && !is_same(&before[k], &after, call->flags & NEEDS_GRADIENTS)) {
            char what[64];
            sprintf(what, "input %d has changed", k);
            complain(call, variant, n, what);
        }
        free(before[k].bytes);
        free(after.bytes);
    }
    ct_clear_error();
    free(ct_take_warning());
    for (int k = 0; k < count; k++)
        ct_release(list[k]);
    return fired;
}

/* Returns whether the call succeeds with the arguments derived from the row's kinds and names. The
 * other rows are tested with their samples in tests/ops/test_allocations.py. */
static bool is_sampled(const struct call *call, enum variant variant)
{
    ct_tensor *list[INPUTS];
    struct inputs in = make_inputs(variant);
    int count = each_input(&in, list);
    bool good = call->run(&in);
    ct_clear_error();
    free(ct_take_warning());
    for (int k = 0; k < count; k++)
        ct_release(list[k]);
    return good;
}

int main(int argc, char **argv)
{
    int64_t attempts = 0, fewest = 0, left_out = 0;
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        if (argc > 1 && !strstr(calls[c].name, argv[1]))
            continue;
        for (enum variant v = PLAIN; v < VARIANTS; v++) {
            if ((calls[c].flags & NO_GRADIENTS && v >= GRADIENTS) ||
                (calls[c].flags & NEEDS_GRADIENTS && v < GRADIENTS))
                continue;
            if (!is_sampled(&calls[c], v)) {
                left_out++;
                continue;
            }
            int64_t n = 1;
            while (n < MOST_ALLOCATIONS && attempt(&calls[c], v, n))
                n++;
            attempts += n;
            fewest++;
        }
    }
    printf("%lld calls, %lld attempts, %d failures, %lld calls left out\n", (long long)fewest,
           (long long)attempts, failures, (long long)left_out);
    return failures != 0;
}
