/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions: dims that stay and dims that go are merged, each for themselves, and the kernel of
 * reduce.cu is given a shape of blocks that follows from their sizes. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include "core/small.h"
#include "core/value.h"

#include <stdio.h>
#include <string.h>

#define THREADS 256
#define MOST_DIMS 12
#define MANY (1 << 22) /* elements, from which on several columns to a thread pay */
#define MOST_LINE                                                                                  \
    (1 << 30) /* elements of a line that is walked along: the kernel counts them in 31 bits */

/* Note [Bytes under way] A reduction is as fast as memory where enough of it is under way: by
 * Little's law 4.8 TB/s times about 700 ns are 3.4 MB on an H200, 25 KB for each of 132
 * multiprocessors. A thread that reads 16 bytes at a time has 4 such loads under way (64 bytes), or
 * 8 of rows of COLUMNS results (128 bytes), and what is left at the end of its share at once as
 * well. Registers leave room for 4 blocks of 256 threads: 64 KB and 128 KB, with a margin for the
 * time in which a block starts or joins. More blocks than the card holds at a time, but not many
 * times as many, would leave a last round of few; so splits make 4 blocks for each multiprocessor,
 * one round: 4000 x 4000 float32 along dim 0 is 32 blocks of 128 columns by 16 splits, in each of
 * which a thread reads 31 rows in 4 steps, and the last block reads two parts a lane at once. Rows
 * that are not split are shared by so many lanes that there are two rounds of blocks or more. */

/* As in the kernel. */
struct dims {
    int n;
    int64_t size[MOST_DIMS], in[MOST_DIMS], out[MOST_DIMS], index[MOST_DIMS];
};

struct arguments {
    const char *in;
    char *out, *index, *parts;
    uint32_t *counters;
    int64_t kept, reduced, splits, span;
    double param;
    int lanes, rows;
    struct dims outer, inner;
};

/* One more dim inside those so far, merged with the last where it can be. */
static bool add_dim(struct dims *d, int64_t size, int64_t in, int64_t out, int64_t index)
{
    int k = d->n - 1;
    if (size == 1)
        return true;
    if (k >= 0 && d->in[k] == in * size && d->out[k] == out * size && d->index[k] == index * size) {
        d->size[k] *= size;
    } else {
        if (++k == MOST_DIMS)
            return false;
        d->n = k + 1;
        d->size[k] = size;
    }
    d->in[k] = in;
    d->out[k] = out;
    d->index[k] = index;
    return true;
}

static void close_dims(struct dims *d)
{
    if (d->n == 0) {
        d->n = 1;
        d->size[0] = 1;
        d->in[0] = d->out[0] = d->index[0] = 0;
    }
}

static bool describe(const struct cti_reduce *w, struct arguments *a)
{
    int64_t in = cti_itemsize((enum ct_dtype)w->in->dtype);
    int64_t out = w->out ? cti_itemsize((enum ct_dtype)w->out->dtype) : 0;
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

/* How many dims are reduced, where a kernel can go along them without divisions; else 0. */
static int walks(const struct dims *inner)
{
    bool lines = inner->n == 2 && inner->size[1] > 0 && inner->size[1] < MOST_LINE;
    return inner->n == 1 || lines ? inner->n : 0;
}

/* How many elements a thread reads at a time: 16 bytes where elements, or lines of them, lie
 * without gaps. */
static int pack_of(const struct arguments *a, const struct cti_reduce *w)
{
    int64_t size = cti_itemsize(w->in->dtype), n = 16 / size;
    const struct dims *i = &a->inner;
    bool plain = a->rows && i->n <= 2 && i->in[i->n - 1] == size && n > 1;
    bool aligned = (uintptr_t)a->in % 16 == 0;
    if (i->n == 2)
        plain = plain && i->size[1] % n == 0 && i->size[1] < MOST_LINE && i->in[0] % 16 == 0;
    for (int d = 0; d < a->outer.n; d++)
        aligned = aligned && a->outer.in[d] % 16 == 0;
    return plain && aligned && a->reduced >= 8 * n ? (int)n : 1;
}

/* How many results side by side a thread has: 16 bytes of each row of them, where rows are many. */
static int columns_of(const struct arguments *a, const struct cti_reduce *w)
{
    int64_t size = cti_itemsize(w->in->dtype), n = 16 / size;
    const struct dims *o = &a->outer, *i = &a->inner;
    bool good = !a->rows && (size == 4 || size == 8) && walks(i) && o->in[o->n - 1] == size &&
                o->size[o->n - 1] % n == 0 && (uintptr_t)a->in % 16 == 0 && a->reduced >= 128 &&
                a->kept >= 32 * n && a->kept * a->reduced >= MANY;
    for (int d = 0; d < o->n - 1; d++)
        good = good && o->in[d] % 16 == 0;
    for (int d = 0; d < i->n; d++)
        good = good && i->in[d] % 16 == 0;
    return good ? (int)n : 1;
}

/* The shape of blocks: enough of them to fill the card. Returns the elements read at a time. */
static int choose(struct arguments *a, const struct cti_reduce *w, const struct cti_cuda_device *d,
                  int *columns)
{
    const struct dims *i = &a->inner, *o = &a->outer;
    int64_t step = i->in[i->n - 1], across = o->in[o->n - 1],
            fill = 2048 * (int64_t)d->multiprocessors;
    step = step < 0 ? -step : step;
    across = across < 0 ? -across : across;
    a->rows = a->kept == 1 || across == 0 || step <= across;
    a->lanes = 1;
    int pack = pack_of(a, w);
    *columns = columns_of(a, w);
    int64_t units = a->reduced / pack;
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
    int64_t each = THREADS / a->lanes * *columns, blocks = (a->kept + each - 1) / each;
    bool wide = *columns > 1 || pack > 1;
    int64_t wanted = (wide ? 4 : 8) * (int64_t)d->multiprocessors / (blocks ? blocks : 1);
    int64_t possible = a->reduced / ((int64_t)a->lanes * 16);
    a->splits = min64(wanted < 1 ? 1 : wanted, possible < 1 ? 1 : possible);
    if (blocks > CTI_CUDA_COUNTERS)
        a->splits = 1;
    a->span = (a->reduced + a->splits - 1) / a->splits;
    a->span = (a->span + pack - 1) / pack * pack; /* spans begin at a whole one */
    return a->span / pack < INT32_MAX ? pack : 1;
}

struct text {
    const struct cti_reduce *work;
    int pack, columns; /* elements read at a time: of a result, or of so many results */
    int walk;
};

static void write_kernel(struct cti_text *t, const void *context)
{
    const struct text *k = context;
    const struct cti_reduce *w = k->work;
    int in = w->in->dtype, out = w->out ? w->out->dtype : w->dtype;
    char piece[80];
    snprintf(piece, sizeof piece, "ctf_%s_%s", cti_cuda_row_names[w->row],
             cti_cuda_suffix[w->dtype]);
    cti_text_printf(t,
                    "/* %s */\n#define PACK %d\n#define COLUMNS %d\n#define WALK %d\n"
                    "typedef %s memory_in;\n",
                    piece, k->pack, k->columns, k->walk, cti_cuda_type[in]);
    cti_text_printf(t,
                    "static __device__ __forceinline__ fold_T load_in(const char *p)\n{\nreturn ");
    char value[40];
    snprintf(value, sizeof value, "*(const %s *)p", cti_cuda_type[in]);
    cti_cuda_cast(t, w->dtype, in, value);
    cti_text_printf(t,
                    ";\n}\nstatic __device__ __forceinline__ void store_out(char *p, const %s "
                    "x)\n{\n*(%s *)p = ",
                    cti_cuda_type[cti_cuda_compute(out)], cti_cuda_type[out]);
    cti_cuda_cast(t, out, cti_cuda_compute(out), "x");
    cti_text_add(t, ";\n}\n");
    cti_text_add(t, cti_cuda_kernel_text("reduce/reduce"));
}

static cu_function kernel_of(const struct cti_reduce *w, const struct dims *inner, int device,
                             int pack, int columns)
{
    struct text text = {w, pack, columns, walks(inner)};
    const unsigned char key[] = {'r',
                                 (unsigned char)w->row,
                                 (unsigned char)(w->row >> 8),
                                 w->dtype,
                                 w->in->dtype,
                                 w->out ? w->out->dtype : 255,
                                 (unsigned char)pack,
                                 (unsigned char)columns,
                                 (unsigned char)text.walk};
    return cti_cuda_kernel(device, key, sizeof key, write_kernel, &text);
}

enum cti_status cti_cuda_reduce(struct cti_reduce *w)
{
    struct arguments a = {.kept = 1, .reduced = 1};
    char piece[80];
    int n = snprintf(piece, sizeof piece, "ctf_%s_%s", cti_cuda_row_names[w->row],
                     cti_cuda_suffix[w->dtype]);
    if (!cti_cuda_has_kernels() || !cti_cuda_has_piece(piece, (size_t)n) || !describe(w, &a))
        return CTI_DECLINED;
    int device = w->in->storage->device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    if (a.kept == 0)
        return true;
    a.in = cti_data(w->in);
    a.out = w->out ? cti_data(w->out) : NULL;
    a.index = w->index ? cti_data(w->index) : NULL;
    a.param = w->param.kind == CT_VALUE_NONE ? 0 : cti_value_real(w->param);
    int columns, pack = choose(&a, w, d, &columns);
    cu_function f = kernel_of(w, &a.inner, device, pack, columns);
    if (!f)
        return false;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    void *block = NULL;
    if (a.splits > 1 && (!(a.counters = cti_cuda_counters(device)) ||
                         !(a.parts = cti_cuda_scratch(device, a.kept * a.splits * 32, &block))))
        return false;
    int each = THREADS / a.lanes * columns; /* results of a block */
    const unsigned grid[3] = {(unsigned)((a.kept + each - 1) / each), (unsigned)a.splits, 1};
    bool good = cti_cuda_launch_2d(device, f, grid, THREADS, 0, &a, sizeof a);
    cti_cuda_scratch_end(block);
    return good;
}
