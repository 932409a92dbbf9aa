/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions by reduce.cu: merges the dims that are kept and the dims that are reduced, and chooses
 * the shape of blocks from their sizes. */
#include "core/small.h"
#include "core/value.h"
#include "cuda/engines.h"
#include "cuda/reduce/reduce_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY (1 << 22)     /* from this many elements on, several columns per thread are faster */
#define MAX_LINE (1 << 30) /* elements of a line that the kernel steps along with 31 bits */
#define PART_BYTES 32      /* size of an accumulator in memory, at most */

/* Note [Loads in flight] A reduction runs at memory bandwidth if enough loads are in flight. By
 * Little's law, 4.8 TB/s times a latency of about 700 ns is 3.4 MB on an H200, which is 25 KB for
 * each of its 132 multiprocessors. A thread that loads 16 bytes at a time has 4 such loads in
 * flight (64 bytes), or 8 for rows of COLUMNS results (128 bytes); it also issues the loads of the
 * tail together. Registers allow 4 blocks of 256 threads on a multiprocessor, which is 64 KB or 128
 * KB in flight, with a margin for the time in which blocks start and combine. With slightly more
 * than one wave of blocks, the last wave would leave most of the card idle, so splits are chosen to
 * give each multiprocessor 4 blocks: one wave. For example, 4000 x 4000 float32 along dim 0 is 32
 * blocks of 128 columns by 16 splits; each thread of these loads 31 rows in 4 steps, and the last
 * block loads two parts at a time for each lane. Rows that are not split get enough lanes for at
 * least two waves. */

/* Adds an innermost dim, or merges it into the last one if they are contiguous. False: too many. */
static bool add_dim(struct reduce_dims *d, int64_t size, int64_t in, int64_t out, int64_t index)
{
    int k = d->n - 1;
    if (size == 1)
        return true;
    if (k >= 0 && d->in[k] == in * size && d->out[k] == out * size && d->index[k] == index * size) {
        d->size[k] *= size;
    } else {
        if (++k == REDUCE_DIMS)
            return false;
        d->n = k + 1;
        d->size[k] = size;
    }
    d->in[k] = in;
    d->out[k] = out;
    d->index[k] = index;
    return true;
}

/* Adds a dim of size 1 if there is none. */
static void close_dims(struct reduce_dims *d)
{
    if (d->n == 0) {
        d->n = 1;
        d->size[0] = 1;
        d->in[0] = d->out[0] = d->index[0] = 0;
    }
}

static bool reduce_describe(const struct cti_reduce *w, struct reduce_args *a)
{
    int64_t in = cti_itemsize(w->in->dtype);
    int64_t out = w->out ? cti_itemsize(w->out->dtype) : 0;
    const ct_tensor *t = w->in;
    bool good = true;
    for (int d = 0; d < t->ndim; d++) {
        if (w->reduced[d]) {
            a->reduced *= t->shape[d];
            good = good && add_dim(&a->inner, t->shape[d], t->stride[d] * in, 0, 0);
        } else {
            a->kept *= t->shape[d];
            good = good && add_dim(&a->outer, t->shape[d], t->stride[d] * in,
                                   w->out ? w->out->stride[d] * out : 0,
                                   w->index ? w->index->stride[d] * 8 : 0);
        }
    }
    close_dims(&a->outer);
    close_dims(&a->inner);
    return good;
}

/* The number of reduced dims, 1 or 2, if the kernel can step along them without divisions; else
 * 0. */
static int stepped_dims(const struct reduce_dims *inner)
{
    bool lines = inner->n == 2 && inner->size[1] > 0 && inner->size[1] < MAX_LINE;
    return inner->n == 1 || lines ? inner->n : 0;
}

/* Returns how many elements of a result a thread loads at a time: 16 bytes if they are contiguous,
 * or contiguous in each of several lines. */
static int vector_size(const struct reduce_args *a, const struct cti_reduce *w)
{
    int64_t size = cti_itemsize(w->in->dtype), n = 16 / size;
    const struct reduce_dims *i = &a->inner;
    bool plain = a->rows && i->n <= 2 && i->in[i->n - 1] == size && n > 1;
    bool aligned = (uintptr_t)a->in % 16 == 0;
    if (i->n == 2)
        plain = plain && i->size[1] % n == 0 && i->size[1] < MAX_LINE && i->in[0] % 16 == 0;
    for (int d = 0; d < a->outer.n; d++)
        aligned = aligned && a->outer.in[d] % 16 == 0;
    return plain && aligned && a->reduced >= 8 * n ? (int)n : 1;
}

/* Returns how many adjacent results a thread computes: 16 bytes of each row, if there are many
 * rows. */
static int column_count(const struct reduce_args *a, const struct cti_reduce *w)
{
    int64_t size = cti_itemsize(w->in->dtype), n = 16 / size;
    const struct reduce_dims *o = &a->outer, *i = &a->inner;
    bool good = !a->rows && (size == 4 || size == 8) && stepped_dims(i) &&
                o->in[o->n - 1] == size && o->size[o->n - 1] % n == 0 &&
                (uintptr_t)a->in % 16 == 0 && a->reduced >= 128 && a->kept >= 32 * n &&
                a->kept * a->reduced >= MANY;
    for (int d = 0; d < o->n - 1; d++)
        good = good && o->in[d] % 16 == 0;
    for (int d = 0; d < i->n; d++)
        good = good && i->in[d] % 16 == 0;
    return good ? (int)n : 1;
}

struct block_shape {
    int pack, columns; /* elements of a load: of one result, or one each of `columns` adjacent
                        * results */
};

/* Chooses lanes and splits so that the blocks fill the card. */
static struct block_shape choose(struct reduce_args *a, const struct cti_reduce *w,
                                 const struct cti_cuda_device *d)
{
    const struct reduce_dims *i = &a->inner, *o = &a->outer;
    int64_t along = llabs(i->in[i->n - 1]), between = llabs(o->in[o->n - 1]);
    int64_t fill = 2048 * (int64_t)d->multiprocessors; /* threads */
    a->rows = a->kept == 1 || between == 0 || along <= between;
    a->lanes = 1;
    struct block_shape s = {vector_size(a, w), column_count(a, w)};
    int64_t units = a->reduced / s.pack;
    if (a->rows)
        while (a->lanes < THREADS && a->lanes * 4 < units &&
               (a->lanes < 32 || a->lanes * a->kept < fill))
            a->lanes *= 2;
    else
        while (a->lanes < THREADS / 32 && a->lanes * 4 < units)
            a->lanes *= 2;
    if (!a->rows && a->kept < 32)
        while (a->lanes < THREADS && a->lanes * a->kept < THREADS)
            a->lanes *= 2;
    int64_t blocks = ceil_div(a->kept, THREADS / a->lanes * s.columns);
    bool vectors = s.columns > 1 || s.pack > 1;
    int64_t wanted = (vectors ? 4 : 8) * (int64_t)d->multiprocessors / max64(blocks, 1);
    int64_t possible = a->reduced / ((int64_t)a->lanes * 16);
    a->splits = blocks > CTI_CUDA_COUNTERS ? 1 : min64(max64(wanted, 1), max64(possible, 1));
    a->split_size =
        round_up(ceil_div(a->reduced, a->splits), s.pack); /* splits begin at a vector */
    s.pack = a->split_size / s.pack < INT32_MAX ? s.pack : 1;
    return s;
}

static bool reduce_launch(const struct cti_reduce *w, const struct reduce_args *a, const char *fold,
                          struct block_shape s)
{
    int in = w->in->dtype, out = w->out ? w->out->dtype : w->dtype, sum = cti_cuda_compute(out);
    return cti_cuda_run(
        &(struct cti_launch){.file = "reduce/reduce",
                             .texts = {{"FOLD", fold},
                                       {"IN", cti_cuda_type[in]},
                                       {"OUT", cti_cuda_type[out]},
                                       {"RESULT", cti_cuda_type[sum]}},
                             .casts = {{"LOAD(x)", w->dtype, in}, {"STORE(x)", out, sum}},
                             .params = {{"PACK", s.pack},
                                        {"COLUMNS", s.columns},
                                        {"STEPPED_DIMS", stepped_dims(&a->inner)}},
                             .device = w->in->storage->device.index,
                             .grid = {ceil_div(a->kept, THREADS / a->lanes * s.columns), a->splits},
                             .threads = THREADS,
                             CTI_ARGS(*a)});
}

enum cti_status cti_cuda_reduce(struct cti_reduce *w)
{
    struct reduce_args a = {.kept = 1, .reduced = 1};
    char fold[80]; /* the source piece with the operation's device functions */
    int n = snprintf(fold, sizeof fold, "ctf_%s_%s", cti_cuda_row_names[w->row],
                     cti_cuda_suffix[w->dtype]);
    if (!cti_cuda_has_kernels() || !cti_cuda_has_piece(fold, (size_t)n) || !reduce_describe(w, &a))
        return CTI_DECLINED;
    int device = w->in->storage->device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return CTI_FAILED;
    if (a.kept == 0)
        return CTI_DONE;
    a.in = cti_data(w->in);
    a.out = cti_cuda_data(w->out);
    a.index = cti_cuda_data(w->index);
    a.param = w->param.kind == CT_VALUE_NONE ? 0 : cti_value_real(w->param);
    struct block_shape shape = choose(&a, w, d);
    void *block = NULL;
    if (a.splits > 1 &&
        (!(a.counters = cti_cuda_counters(device)) ||
         !(a.parts = cti_cuda_scratch(device, a.kept * a.splits * PART_BYTES, &block))))
        return CTI_FAILED;
    bool good = reduce_launch(w, &a, fold, shape);
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}
