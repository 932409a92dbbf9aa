/* SPDX-License-Identifier: BSD-3-Clause */
/* The reduce engine: calls folds (fold.h) on contiguous blocks, along a reduced dim, or across the
 * columns of a kept dim. Operands that are strided or of another type are packed and cast first.
 * Splits the work by the shape alone, so that results do not depend on the number of threads. */
#include "cpu/engines.h"

#include "core/alloc.h"
#include "core/coalesce.h"
#include "core/parallel.h"
#include "core/scratch.h"
#include "core/value.h"
#include "cpu/isa.h"
#include "cpu/pointwise/loops.h"
#include "cpu/pointwise/pack.h"
#include "cpu/reduce/fold.h"

#include <string.h>

#define SPAN 65536          /* reduced elements that one task takes, when outputs are few */
#define GRAIN 32768         /* elements that justify a thread */
#define LINES 8192          /* elements of short lines in one task */
#define LONG_LINE (8 << 20) /* bytes of a line that is worth reading as several streams */
#define SHORT 64            /* elements: shorter lines are transposed and folded side by side */
#define NARROW 128          /* bytes: lines up to this are always transposed, ... */
#define TRANSPOSED 8192     /* ... this many bytes at once */
#define MAX_ELEMENT 32

typedef const struct cti_fold *const fold_table[CTI_ROW_COUNT][CT_DTYPE_COUNT];
extern fold_table CTI_ISA_NAMES(cti_loop_folds);

const struct cti_fold *cti_cpu_find_fold(uint16_t row, enum ct_dtype dtype)
{
    static fold_table *const folds[] = CTI_ISA_TABLE(cti_loop_folds);
    const struct cti_fold *fold = NULL;
    for (int isa = (int)cti_cpu_isa(); isa >= 0 && !fold; isa--)
        fold = (*folds[isa])[row][dtype];
    return fold;
}

/* The kept or the reduced dims, smallest stride first. */
struct dims {
    int n;
    int64_t total, shape[CTI_MAX_DIMS], in[CTI_MAX_DIMS], out[CTI_MAX_DIMS], index[CTI_MAX_DIMS];
};

struct reduction {
    const struct cti_fold *fold;
    const struct cti_reduce *work;
    struct dims kept, reduced;
    const char *in;
    char *out;
    int64_t *index;
    bool cast_in, cast_out; /* the fold's types are not those of the tensors */
    int64_t in_size, compute_size, out_size;
    double count, param;
    bool across;     /* columns of the innermost kept dim are folded side by side */
    bool transposed; /* these columns are contiguous in memory and transposed on loading */
    bool packed;     /* columns are copied to a buffer first */
    bool contiguous; /* the reduced elements of an output are one contiguous line */
    int64_t spans;   /* tasks that share one output; 1: an output belongs to one task */
    int64_t per;     /* elements of a span; the last one may be shorter */
    int64_t lanes;   /* outputs of one task: 1, some short lines, or a tile of columns */
    int64_t tiles;   /* tiles of the innermost kept dim */
    char *accs;      /* spans x outputs accumulators, if spans > 1 */
};

/* ---- geometry ---- */

static void add_dim(struct dims *d, int64_t size, int64_t in, int64_t out, int64_t index)
{
    d->shape[d->n] = size;
    d->in[d->n] = in;
    d->out[d->n] = out;
    d->index[d->n++] = index;
    d->total *= size;
}

static void coalesce(struct dims *d, enum cti_dims_order order)
{
    int64_t *const stride[] = {d->in, d->out, d->index};
    if (d->n > 1)
        d->n = cti_coalesce(&(struct cti_dims){
            .n = d->n, .order = order, .tensors = 3, .size = d->shape, .stride = stride});
}

/* Folds that pick an index need the reduced dims in the tensor's order. */
static void reduce_dims(struct reduction *k)
{
    const struct cti_reduce *w = k->work;
    const ct_tensor *in = w->in;
    k->kept.n = k->reduced.n = 0;
    k->kept.total = k->reduced.total = 1;
    for (int d = in->ndim - 1; d >= 0; d--) {
        if (in->shape[d] == 1)
            continue;
        int64_t bstride = in->numel ? in->stride[d] * k->in_size : 0;
        if (!w->reduced[d])
            add_dim(&k->kept, in->shape[d], bstride, w->out ? w->out->stride[d] * k->out_size : 0,
                    w->index ? w->index->stride[d] : 0);
        else if (in->numel)
            add_dim(&k->reduced, in->shape[d], bstride, 0, 0);
        else
            k->reduced.total = 0; /* the product of the other sizes may have overflowed */
    }
    coalesce(&k->kept, CTI_DIMS_FIRST);
    coalesce(&k->reduced, k->fold->picks ? CTI_DIMS_KEEP : CTI_DIMS_FIRST);
}

/* Returns the end of the span that begins at `begin`. */
static int64_t end_of(const struct reduction *k, int64_t begin)
{
    return begin + k->per < k->reduced.total ? begin + k->per : k->reduced.total;
}

static int64_t locate(const struct dims *d, int64_t at, int from, const int64_t *stride)
{
    int64_t offset = 0;
    for (int i = from; i < d->n && at; i++) {
        offset += at % d->shape[i] * stride[i];
        at /= d->shape[i];
    }
    return offset;
}

/* ---- along a reduced dim ---- */

static void cast_in(const struct reduction *k, char *to, const char *from, int64_t n)
{
    cti_cpu_cast((enum ct_dtype)k->fold->in, to, k->work->in->dtype, from, n);
}

/* Returns contiguous elements in the compute type: p itself, or a copy in `raw` or `cast`. */
static const char *load(const struct reduction *k, const char *p, int64_t bstride, int64_t n,
                        char *raw, char *cast)
{
    if (bstride != k->in_size) {
        cti_cpu_pack(raw, p, bstride, n, k->in_size);
        p = raw;
    }
    if (!k->cast_in)
        return p;
    cast_in(k, cast, p, n);
    return cast;
}

/* Folds the reduced elements [begin, end) of one output into acc. */
static void fold_span(const struct reduction *k, const char *base, int64_t begin, int64_t end,
                      void *acc)
{
    char *raw = cti_scratch_take(), *cast = raw + CTI_FOLD_BLOCK * 16;
    const struct dims *d = &k->reduced;
    int64_t inner = d->n ? d->shape[0] : 1, bstride = d->n ? d->in[0] : k->in_size;
    for (int64_t at = begin; at < end;) {
        int64_t along = at % inner, stop = at + inner - along;
        const char *p = base + along * bstride + locate(d, at / inner, 1, d->in);
        stop = stop < end ? stop : end;
        while (at < stop) {
            int64_t n = stop - at < CTI_FOLD_BLOCK ? stop - at : CTI_FOLD_BLOCK;
            struct cti_fold_lines line = {
                load(k, p, bstride, n, raw, cast), 0, 1, n, at, 0, k->param, false};
            k->fold->block(&line, acc);
            p += n * bstride;
            at += n;
        }
    }
    cti_scratch_release(raw);
}

/* Like a fold's block function, but for lines of any length in the input's type. */
static void fold_lines(const struct reduction *k, const struct cti_fold_lines *lines, void *accs)
{
    char *cast = k->cast_in ? cti_scratch_take() : NULL;
    int64_t most = k->cast_in && lines->lines > 2 ? LINES / lines->lines : CTI_FOLD_BLOCK;
    for (int64_t at = 0; at < lines->n;) {
        struct cti_fold_lines w = *lines;
        w.p += at * k->in_size;
        w.at += at;
        w.n = w.n - at < most ? w.n - at : most;
        if (k->cast_in) {
            bool adjacent = w.bstride == w.n * k->in_size;
            for (int64_t i = 0; i < (adjacent ? 1 : w.lines); i++)
                cast_in(k, cast + i * w.n * k->compute_size, w.p + i * w.bstride,
                        adjacent ? w.lines * w.n : w.n);
            w.p = cast;
            w.bstride = w.n * k->compute_size;
        }
        k->fold->block(&w, accs);
        at += w.n;
    }
    if (cast)
        cti_scratch_release(cast);
}

/* ---- across columns ---- */

/* Copies rows of n columns that are strided or of another type into a buffer as the compute type.
 * Returns the bytes between rows in the buffer. */
static int64_t load_rows(const struct reduction *k, const char *p, int64_t bstride, int64_t rows,
                         int64_t n, char *to)
{
    char raw[CTI_FOLD_COLUMNS * 16];
    int64_t widest = k->in_size > k->compute_size ? k->in_size : k->compute_size;
    int64_t pitch = (n * widest + 127) / 64 *
                    64; /* an odd number of cache lines: rows fall into different sets of a cache */
    if (k->transposed)
        cti_cpu_transpose(to, pitch, p, k->kept.in[0], rows, n, k->in_size);
    for (int64_t i = 0; i < rows; i++, to += pitch) {
        const char *from = to;
        if (k->transposed && k->cast_in) {
            memcpy(raw, to, (size_t)(n * k->in_size));
            cast_in(k, to, raw, n);
        } else if (!k->transposed) {
            from = load(k, p + i * bstride, k->kept.in[0], n, raw, to);
        }
        if (from != to)
            memcpy(to, from, (size_t)(n * k->compute_size));
    }
    return pitch;
}

/* Folds rows [begin, end) of n adjacent columns into n accumulators. */
static void fold_columns(const struct reduction *k, const char *base, int64_t n, int64_t begin,
                         int64_t end, char *accs, char *rows)
{
    const struct dims *d = &k->reduced;
    int64_t inner = d->n ? d->shape[0] : 1, bstride = d->n ? d->in[0] : 0;
    for (int64_t at = begin; at < end;) {
        int64_t along = at % inner, r = inner - along;
        const char *p = base + along * bstride + locate(d, at / inner, 1, d->in);
        r = r < CTI_FOLD_ROWS ? r : CTI_FOLD_ROWS;
        r = r < end - at ? r : end - at;
        if (rows)
            k->fold->columns(rows, load_rows(k, p, bstride, r, n, rows), r, n, at, k->param, accs);
        else
            k->fold->columns(p, bstride, r, n, at, k->param, accs);
        at += r;
    }
}

/* ---- results ---- */

/* A tile of n outputs, out_bstride bytes apart, and the input of the first. */
struct tile {
    int64_t n, out_bstride, index_stride;
    const char *in;
    char *out;
    int64_t *index;
};

static struct tile find_tile(const struct reduction *k, int64_t number)
{
    const struct dims *d = &k->kept;
    struct tile t = {.n = 1, .out_bstride = k->out_size, .index_stride = 1};
    int64_t first = 0, in = 0, out = 0, index = 0;
    int from = 0;
    if (k->lanes > 1) {
        first = number % k->tiles * k->lanes;
        number /= k->tiles;
        from = 1;
        t.n = d->shape[0] - first < k->lanes ? d->shape[0] - first : k->lanes;
        t.out_bstride = d->out[0];
        t.index_stride = d->index[0];
        in = first * d->in[0];
        out = first * d->out[0];
        index = first * d->index[0];
    }
    t.in = k->in + in + locate(d, number, from, d->in);
    t.out = k->out ? k->out + out + locate(d, number, from, d->out) : NULL;
    t.index = k->index ? k->index + index + locate(d, number, from, d->index) : NULL;
    return t;
}

static void write_results(const struct reduction *k, const char *accs, const struct tile *t)
{
    _Alignas(64) char result[CTI_FOLD_COLUMNS * 16], cast[CTI_FOLD_COLUMNS * 16];
    if (t->out) {
        const char *from = result;
        k->fold->finish(result, accs, t->n, k->count, k->param);
        if (k->cast_out) {
            cti_cpu_cast(k->work->out->dtype, cast, (enum ct_dtype)k->fold->out, result, t->n);
            from = cast;
        }
        cti_cpu_unpack(t->out, from, t->out_bstride, t->n, k->out_size);
    }
    if (t->index) /* the accumulator ends with the index */
        for (int64_t i = 0; i < t->n; i++)
            memcpy(t->index + i * t->index_stride, accs + (i + 1) * k->fold->acc_size - 8, 8);
}

/* ---- tasks ---- */

/* Folds spans of one long line CTI_FOLD_STREAMS at a time, as in Note [Streams]. Returns how many
 * it has folded, counted from `first`; fewer than CTI_FOLD_STREAMS may be left. */
static int64_t fold_streams(const struct reduction *k, const char *p, int64_t first, int64_t spans,
                            char *accs)
{
    _Alignas(64) char acc[CTI_FOLD_STREAMS * MAX_ELEMENT];
    int64_t far = spans / CTI_FOLD_STREAMS, size = k->fold->acc_size;
    for (int64_t s = 0; s < far; s++) {
        int64_t lo = (first + s) * k->per, apart = far * k->per;
        int64_t last =
            k->reduced.total - lo - (CTI_FOLD_STREAMS - 1) * apart; /* length of the last stream */
        int64_t same = (last < k->per ? last : k->per) / CTI_FOLD_BLOCK * CTI_FOLD_BLOCK;
        struct cti_fold_lines lines = {.p = p + lo * k->in_size,
                                       .bstride = apart * k->in_size,
                                       .lines = CTI_FOLD_STREAMS,
                                       .n = same,
                                       .at = lo,
                                       .apart = apart,
                                       .param = k->param,
                                       .streams = true};
        k->fold->begin(acc, CTI_FOLD_STREAMS);
        fold_lines(k, &lines, acc);
        for (int64_t i = 0; i < CTI_FOLD_STREAMS; i++) {
            int64_t at = lo + i * apart, end = end_of(k, at);
            fold_span(k, p, at + same, end, acc + i * size);
            memcpy(accs + (s + i * far) * size, acc + i * size, (size_t)size);
        }
    }
    return CTI_FOLD_STREAMS * far;
}

/* Folds `spans` spans of the inputs of a tile of outputs, each span into separate accumulators. */
static void fold_tile(const struct reduction *k, const struct tile *t, int64_t first, int64_t spans,
                      char *accs, char *rows)
{
    int64_t next = k->lanes > 1 ? k->kept.in[0] : 0, s = 0;
    if (k->contiguous && k->lanes == 1 && !k->cast_in && k->reduced.total * k->in_size >= LONG_LINE)
        s = fold_streams(k, t->in, first, spans, accs);
    for (; s < spans; s++) {
        int64_t lo = (first + s) * k->per, hi = end_of(k, lo);
        char *acc = accs + s * k->lanes * k->fold->acc_size;
        k->fold->begin(acc, t->n);
        if (k->across && (!k->packed || rows)) {
            fold_columns(k, t->in, t->n, lo, hi, acc, rows);
        } else if (k->contiguous && lo < hi) {
            struct cti_fold_lines lines = {.p = t->in + lo * k->in_size,
                                           .bstride = next,
                                           .lines = t->n,
                                           .n = hi - lo,
                                           .at = lo,
                                           .param = k->param};
            fold_lines(k, &lines, acc);
        } else { /* also the fallback if there was no memory for rows */
            for (int64_t i = 0; i < t->n; i++)
                fold_span(k, t->in + i * next, lo, hi, acc + i * k->fold->acc_size);
        }
    }
}

/* A task is a tile of outputs, or one span of the tile's reduced elements. */
static void reduce_tasks(void *context, int64_t begin, int64_t end)
{
    const struct reduction *k = context;
    _Alignas(64) char accs[CTI_FOLD_COLUMNS * MAX_ELEMENT];
    char *rows = k->packed ? cti_malloc((size_t)CTI_FOLD_ROWS * (CTI_FOLD_COLUMNS + 8) * 16) : NULL;
    if (k->packed && !rows)
        ct_clear_error(); /* fold_tile works without the buffer */
    for (int64_t task = begin; task < end;) {
        struct tile t = find_tile(k, task / k->spans);
        int64_t first = task % k->spans, spans = k->spans - first;
        spans = spans < end - task ? spans : end - task;
        char *acc = k->spans > 1 ? k->accs + task * k->lanes * k->fold->acc_size : accs;
        fold_tile(k, &t, first, spans, acc, rows);
        if (k->spans == 1)
            write_results(k, acc, &t);
        task += spans;
    }
    cti_free(rows);
}

/* Combines the accumulators of each output's spans, in order. */
static void combine_spans(const struct reduction *k, int64_t tiles)
{
    int64_t step = k->lanes * k->fold->acc_size;
    for (int64_t i = 0; i < tiles; i++) {
        char *acc = k->accs + i * k->spans * step;
        struct tile t = find_tile(k, i);
        for (int64_t s = 1; s < k->spans; s++)
            k->fold->join(acc, acc + s * step, t.n);
        write_results(k, acc, &t);
    }
}

/* Whether lines are short enough for transposing to pay off. Sums and extremes of short contiguous
 * lines are cheap without it; accumulators of several numbers cost more to start and to finish. */
static bool is_short(const struct reduction *k)
{
    int64_t n = k->reduced.shape[0];
    if (k->fold->picks)
        return n < 4 * SHORT;
    bool one_number = k->fold->acc_size <= 16 && k->reduced.n == 1;
    return n < SHORT && n * k->compute_size <= (one_number ? NARROW : 2 * NARROW - 1);
}

static void choose_path(struct reduction *k)
{
    int64_t kept_stride = k->kept.n ? k->kept.in[0] : INT64_MAX;
    int64_t reduced_stride = k->reduced.n ? k->reduced.in[0] : INT64_MAX;
    kept_stride = kept_stride < 0 ? -kept_stride : kept_stride;
    reduced_stride = reduced_stride < 0 ? -reduced_stride : reduced_stride;
    k->across = k->kept.n && kept_stride < reduced_stride && k->kept.shape[0] >= 4;
    k->transposed = !k->across && k->kept.n && k->kept.shape[0] >= 8 && k->reduced.n &&
                    k->reduced.in[0] == k->in_size && is_short(k);
    k->across = k->across || k->transposed;
    k->packed = k->across && (k->cast_in || k->kept.in[0] != k->in_size);
    k->contiguous = !k->across && k->reduced.n == 1 && k->reduced.in[0] == k->in_size;
    int64_t most =
        k->reduced.total && k->reduced.total <= CTI_FOLD_BLOCK ? LINES / k->reduced.total : 1;
    most = k->across || most > CTI_FOLD_COLUMNS ? CTI_FOLD_COLUMNS : most;
    int64_t bytes = k->transposed ? k->reduced.shape[0] * k->in_size : 0;
    if (bytes && bytes <= NARROW && most * bytes > TRANSPOSED)
        most = TRANSPOSED / bytes / 16 * 16; /* larger pieces are slower if they come from memory */
    int64_t size = k->kept.n ? k->kept.shape[0] : 1;
    k->lanes = size < most ? size : most;
    k->tiles = (size + k->lanes - 1) / k->lanes;
}

enum cti_status cti_cpu_reduce(struct cti_reduce *w)
{
    struct reduction k = {.work = w, .fold = cti_cpu_find_fold(w->row, w->dtype)};
    const ct_tensor *in = w->in, *out = w->out;
    if (!k.fold)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "this reduction is not implemented for %s",
                          ct_dtype_str(w->dtype));
    if (!(out ? out : w->index)->numel)
        return true;
    k.in_size = cti_itemsize(in->dtype);
    k.compute_size = cti_itemsize((enum ct_dtype)k.fold->in);
    k.out_size = out ? cti_itemsize(out->dtype) : 0;
    k.cast_in = in->dtype != k.fold->in;
    k.cast_out = out && out->dtype != k.fold->out;
    k.in = cti_data(in);
    k.out = out ? cti_data(out) : NULL;
    k.index = w->index ? (int64_t *)(void *)cti_data(w->index) : NULL;
    k.param = w->param.kind == CT_VALUE_NONE ? 0 : cti_value_real(w->param);
    reduce_dims(&k);
    k.count = (double)k.reduced.total;
    choose_path(&k);
    int64_t tiles = k.kept.total;
    if (k.lanes > 1)
        tiles = k.kept.total / k.kept.shape[0] * k.tiles;
    int64_t per_tile = k.reduced.total * k.lanes;
    k.spans = tiles < 64 && per_tile > 2 * SPAN ? (per_tile + SPAN - 1) / SPAN : 1;
    if (k.spans > 1) {
        int64_t most = 4096 / tiles; /* bounds the memory for accumulators */
        k.spans = k.spans < most ? k.spans : most;
        k.accs = cti_malloc((size_t)(tiles * k.spans * k.lanes * k.fold->acc_size));
        if (!k.accs)
            return false;
    }
    k.per = (k.reduced.total + k.spans - 1) / k.spans;
    int64_t work = per_tile / k.spans, grain = work ? GRAIN / work : GRAIN;
    bool done = cti_parallel_for(tiles * k.spans, grain ? grain : 1, reduce_tasks, &k);
    if (done && k.spans > 1)
        combine_spans(&k, tiles);
    cti_free(k.accs);
    return done;
}
