/* SPDX-License-Identifier: BSD-3-Clause */
/* Recurrent layers: a step is one product of the states and one kernel (recur.cu), two of
 * each with a projection; steps that are small are one kernel, because sending a product would take
 * longer, and all of them one launch where the card has room for all blocks at once. Nothing waits:
 * the host runs ahead of the card. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/memory.h"

#include "core/gemm.h"
#include "core/recur.h"

#define SMALL ((int64_t)1 << 28) /* multiplications of a step that is one kernel */

enum stage { FORWARD, BACKWARD, STATES, GATES, WHOLE, WHOLE_BACK, TENSOR, TENSOR_BACK };

/* As in the kernel. */
struct arguments {
    int64_t rows, hidden, width;
    const void *sums, *bias, *weight;
    void *gates, *extra, *out, *h, *c;
    const void *grad_output, *before, *first, *cells_before, *first_cells;
    int64_t before_rows;
    void *grad_out, *grad_h, *grad_c, *grad_gates, *grad_last, *previous, *unprojected;
    int64_t steps, next;
    uint32_t *counters;
};

/* One step on the way through a sequence, and the one before it in time. */
struct step {
    int64_t step, first, rows, before_first, before_rows;
};

struct run {
    const struct cti_recur *w;
    int64_t size, gates; /* bytes of an element; elements of a row of gates */
    struct step at;
    cu_function kernel[2];
    bool whole;         /* a step is one kernel */
    int64_t tile;       /* rows of a block of that kernel */
    int threads, keep;  /* of that kernel; chunks that a warp keeps, or 0: a launch is one step */
    uint32_t *counters; /* for blocks that wait for each other */
    void *later;        /* backward: the gradients of the gates of the step that ran before */
    char *room, *other; /* scratch: sums, and with a projection what it projects */
};

static int64_t size_of(const struct cti_recur *w, int64_t step)
{
    return step < 0 || step >= w->steps ? 0 : w->sizes ? w->sizes[step] : w->batch;
}

/* The step at a place of the sequence whose rows begin at `first`. */
static struct step step_at(const struct cti_recur *w, int64_t step, int64_t first)
{
    struct step s = {.step = step, .first = first, .rows = size_of(w, step)};
    s.before_rows = size_of(w, step + (w->reverse ? 1 : -1));
    s.before_first = w->reverse ? first + s.rows : first - s.before_rows;
    return s;
}

static struct step first_step(const struct cti_recur *w, bool last)
{
    int64_t first = 0, step = last ? w->steps - 1 : 0;
    for (int64_t t = 0; t < step; t++)
        first += size_of(w, t);
    return step_at(w, step, first);
}

static struct step next_step(const struct cti_recur *w, const struct step *s, bool up)
{
    int64_t step = s->step + (up ? 1 : -1);
    return step_at(w, step, up ? s->first + s->rows : s->first - size_of(w, step));
}

static void *row_of(const struct run *r, const void *data, int64_t row, int64_t width)
{
    return data ? (char *)(uintptr_t)data + row * width * r->size : NULL;
}

/* A tensor over memory that belongs to no storage, for one call. */
struct matrix {
    ct_tensor tensor;
    ct_storage storage;
};

static ct_tensor *matrix_of(struct matrix *m, const struct cti_gemm *g, const void *data,
                            int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    *m = (struct matrix){.tensor = {.refs = INT32_MAX, .dtype = (uint8_t)g->dtype, .ndim = 2},
                         .storage = {.refs = INT32_MAX, .device = g->work.device}};
    m->storage.data = (char *)(uintptr_t)data;
    m->tensor.storage = &m->storage;
    m->tensor.numel = rows * columns;
    m->tensor.shape = m->tensor.inline_dims;
    m->tensor.stride = m->tensor.inline_dims + CTI_INLINE_DIMS;
    m->tensor.shape[0] = rows;
    m->tensor.shape[1] = columns;
    m->tensor.stride[0] = row;
    m->tensor.stride[1] = column;
    return &m->tensor;
}

/* For products that cti_cuda_gemm declines. */
static bool multiply_on_host(struct cti_gemm *g)
{
    struct matrix a, b, c;
    g->of.a = matrix_of(&a, g, g->a, g->m, g->k, g->a_row, g->a_col);
    g->of.b = matrix_of(&b, g, g->b, g->k, g->n, g->b_row, g->b_col);
    g->of.c = matrix_of(&c, g, g->c, g->m, g->n, g->c_row, g->c_col);
    return cti_stage(&g->work) == CTI_DONE;
}

/* c = a b + beta c, all rows of c contiguous; b as its strides say. */
static bool multiply(const struct run *r, void *c, const void *a, const void *b, int64_t n,
                     int64_t k, int64_t b_row, int64_t b_col, double beta)
{
    struct cti_gemm g = {.work = {CTI_ENGINE_gemm, r->w->work.device},
                         .dtype = r->w->dtype,
                         .m = r->at.rows,
                         .n = n};
    g.k = k;
    g.batch = 1;
    g.a = a;
    g.b = b;
    g.c = c;
    g.a_row = k;
    g.a_col = g.c_col = 1;
    g.b_row = b_row;
    g.b_col = b_col;
    g.c_row = n;
    g.alpha[0] = 1;
    g.beta[0] = beta;
    enum cti_status status = cti_cuda_gemm(&g);
    return status == CTI_DECLINED ? multiply_on_host(&g) : status == CTI_DONE;
}

static bool launch(const struct run *r, cu_function f, const struct arguments *a, int64_t across)
{
    int64_t n = r->at.rows * across;
    return cti_cuda_launch(r->w->work.device.index, f, (unsigned)((n + 255) / 256), 256, 0, a,
                           sizeof *a);
}

static bool launch_whole(const struct run *r, cu_function f, const struct arguments *a)
{
    int64_t high = (r->at.rows + r->tile - 1) / r->tile, across = (r->w->hidden + 15) / 16;
    if (r->keep && across > 1)
        return cti_cuda_launch_together(r->w->work.device.index, f, (unsigned)(high * across),
                                        (unsigned)r->threads, a, sizeof *a);
    return cti_cuda_launch(r->w->work.device.index, f, (unsigned)(high * across),
                           (unsigned)r->threads, 0, a, sizeof *a);
}

static bool copy(const struct run *r, void *to, const void *from, int64_t elements)
{
    return cti_cuda_move(to, r->w->work.device, from, r->w->work.device, elements * r->size, false);
}

static bool is_aligned(const void *p)
{
    return (uintptr_t)p % 16 == 0;
}

static cu_function kernel_of(const struct cti_recur *w, enum stage stage, int keep)
{
    bool four = w->hidden % 4 == 0 && w->width % 4 == 0 && is_aligned(w->output) &&
                is_aligned(w->h0) && is_aligned(w->grad_gates);
    const char *suffix = cti_cuda_suffix[w->dtype];
    return cti_cuda_template(w->work.device.index, "recur/recur",
                             "#define T %s\n#define SIGMOID(x) ctm_sigmoid_%s(x)\n"
                             "#define TANH(x) ctm_tanh_%s(x)\n#define KIND %d\n"
                             "#define GATES %d\n#define STAGE %d\n#define KEEP %d\n"
                             "#define VECTOR %d\n",
                             cti_cuda_type[w->dtype], suffix, suffix, (int)w->kind,
                             cti_recur_gates(w->kind), (int)stage, keep,
                             stage >= TENSOR && four ? 4 : 1);
}

static bool by_tensor_cores(const struct cti_recur *w)
{
    struct cti_cuda_device *d = cti_cuda_use(w->work.device.index);
    return d && d->major >= 8 && w->dtype == CT_FLOAT32;
}

/* The chunks of 32 summands whose factors a warp keeps, where all steps can be one launch: 0 else.
 */
static int kept_by(const struct cti_recur *w, enum stage stage)
{
    struct cti_cuda_device *d = cti_cuda_use(w->work.device.index);
    int gates = cti_recur_gates(w->kind), warps = stage == TENSOR ? 8 : 16;
    int64_t deep = stage == TENSOR ? w->width : gates * w->hidden;
    int64_t high = (w->batch + 15) / 16, across = (w->hidden + 15) / 16;
    int64_t chunks = (deep + warps * 32 - 1) / (warps * 32);
    /* Registers of a thread for those of a chunk, and how many of them there are for it. */
    int64_t each = 32 * (stage == TENSOR ? gates : 1), all = stage == TENSOR ? 128 : 64;
    bool fits = stage >= TENSOR && chunks * each <= all && !w->sizes && w->steps > 1 &&
                high <= CTI_CUDA_COUNTERS && w->steps < INT32_MAX / across / 2;
    /* Graphs that are being written down do not take such launches. */
    bool meet = across == 1 || (d->together && high * across <= d->multiprocessors &&
                                __atomic_load_n(&cti_cuda_captures, __ATOMIC_RELAXED) <= 0);
    return fits && meet ? (int)chunks : 0;
}

/* What all steps have in common. False: failed. */
static bool begin(struct run *r, const struct cti_recur *w, enum stage first, enum stage second)
{
    *r = (struct run){.w = w, .size = cti_itemsize(w->dtype)};
    r->whole = second >= WHOLE;
    r->tile = second >= TENSOR ? 16 : 32;
    r->threads = second == TENSOR_BACK ? 512 : 256;
    r->keep = cti_cuda_use(w->work.device.index) ? kept_by(w, second) : 0;
    r->gates = cti_recur_gates(w->kind) * w->hidden;
    r->kernel[0] = cti_cuda_use(w->work.device.index) ? kernel_of(w, first, r->keep) : NULL;
    r->kernel[1] = r->kernel[0] ? kernel_of(w, second, r->keep) : NULL;
    return r->kernel[1] != NULL;
}

/* ---- forward ---- */

static bool step_forward(struct run *r)
{
    const struct cti_recur *w = r->w;
    const struct step *s = &r->at;
    void *output = row_of(r, w->output, s->first, w->width);
    struct arguments a = {.rows = s->rows, .hidden = w->hidden, .width = w->width};
    a.sums = r->room;
    a.bias = w->bias;
    a.gates = row_of(r, w->gates, s->first, r->gates);
    a.extra = row_of(r, w->extra, s->first, w->hidden);
    a.out = w->projection ? r->other : output;
    a.h = w->projection ? NULL : w->h;
    a.c = w->c;
    if (r->whole) {
        a.weight = w->weight;
        a.before = row_of(r, w->output, s->before_first, w->width);
        a.first = w->h0;
        a.before_rows = s->before_rows;
        a.steps = w->steps;
        a.next = w->reverse ? -w->batch : w->batch;
        a.counters = r->counters;
        return launch_whole(r, r->kernel[0], &a);
    }
    if (!multiply(r, r->room, w->h, w->weight, r->gates, w->width, 1, w->width, 0) ||
        !launch(r, r->kernel[0], &a, w->hidden))
        return false;
    return !w->projection ||
           (multiply(r, output, r->other, w->projection, w->width, w->hidden, 1, w->hidden, 0) &&
            copy(r, w->h, output, s->rows * w->width));
}

static enum cti_status recur_forward(const struct cti_recur *w)
{
    struct run r;
    void *block = NULL, *other = NULL;
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    int64_t work = w->batch * cti_recur_gates(w->kind) * w->hidden * w->width;
    enum stage stage = w->projection || work > SMALL ? FORWARD
                       : by_tensor_cores(w)          ? TENSOR
                                                     : WHOLE;
    if (!begin(&r, w, stage, stage))
        return false;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    r.room = cti_cuda_scratch(w->work.device.index, w->batch * r.gates * r.size, &block);
    if (r.room && w->projection)
        r.other = cti_cuda_scratch(w->work.device.index, w->batch * w->hidden * r.size, &other);
    if (r.keep)
        r.counters = cti_cuda_counters(w->work.device.index);
    bool good = r.room && (!w->projection || r.other) && (!r.keep || r.counters) &&
                copy(&r, w->h, w->h0, w->batch * w->width) &&
                (!w->c || copy(&r, w->c, w->c0, w->batch * w->hidden));
    if (w->steps)
        r.at = first_step(w, w->reverse);
    for (int64_t t = 0; good && t < (r.keep ? 1 : w->steps); t++) {
        good = step_forward(&r);
        r.at = next_step(w, &r.at, !w->reverse);
    }
    cti_cuda_scratch_end(block);
    cti_cuda_scratch_end(other);
    return good;
}

/* ---- backward ---- */

/* last: the first in time, whose product is the gradient of the first states. */
static bool step_backward(struct run *r, bool last)
{
    const struct cti_recur *w = r->w;
    const struct step *s = &r->at;
    struct arguments a = {.rows = s->rows, .hidden = w->hidden, .width = w->width};
    a.gates = row_of(r, w->gates, s->first, r->gates);
    a.extra = row_of(r, w->extra, s->first, w->hidden);
    a.grad_output = row_of(r, w->grad_output, s->first, w->width);
    a.before = row_of(r, w->output, s->before_first, w->width);
    a.first = w->h0;
    a.cells_before = row_of(r, w->extra, s->before_first, w->hidden);
    a.first_cells = w->c0;
    a.before_rows = s->before_rows;
    a.grad_h = w->grad_h;
    a.grad_c = w->grad_c;
    a.grad_gates = row_of(r, w->grad_gates, s->first, r->gates);
    a.grad_last = row_of(r, w->grad_last, s->first, w->hidden);
    a.previous = row_of(r, w->previous, s->first, w->width);
    bool good;
    if (r->keep) {
        a.weight = w->weight;
        a.steps = w->steps;
        a.next = w->reverse ? w->batch : -w->batch;
        a.counters = r->counters;
        return launch_whole(r, r->kernel[1], &a);
    }
    if (r->whole && r->later) {
        a.sums = r->later;
        a.weight = w->weight;
        good = launch_whole(r, r->kernel[1], &a);
    } else if (!w->projection) {
        good = launch(r, r->kernel[0], &a, w->hidden);
    } else {
        void *state = row_of(r, w->grad_state, s->first, w->width);
        a.grad_out = state;
        good = launch(r, r->kernel[0], &a, w->width) &&
               multiply(r, r->room, state, w->projection, w->hidden, w->width, w->hidden, 1, 0);
        a.grad_out = r->room;
        a.unprojected = row_of(r, w->unprojected, s->first, w->hidden);
        good = good && launch(r, r->kernel[1], &a, w->hidden);
    }
    r->later = a.grad_gates;
    if (r->whole && !last)
        return good;
    return good && multiply(r, w->grad_h, a.grad_gates, w->weight, w->width, r->gates, w->width, 1,
                            w->kind == CTI_RECUR_GRU ? 1 : 0);
}

static enum cti_status recur_backward(const struct cti_recur *w)
{
    struct run r;
    void *block = NULL;
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    int64_t work = w->batch * cti_recur_gates(w->kind) * w->hidden * w->width;
    bool whole = !w->projection && !w->sizes && work <= SMALL;
    if (!begin(&r, w, w->projection ? STATES : BACKWARD,
               w->projection        ? GATES
               : !whole             ? BACKWARD
               : by_tensor_cores(w) ? TENSOR_BACK
                                    : WHOLE_BACK))
        return false;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    if (r.keep)
        r.counters = cti_cuda_counters(w->work.device.index);
    bool good = !r.keep || r.counters;
    if (good && w->projection)
        good = (r.room =
                    cti_cuda_scratch(w->work.device.index, w->batch * w->hidden * r.size, &block));
    if (w->steps)
        r.at = first_step(w, !w->reverse);
    for (int64_t t = 0; good && t < (r.keep ? 1 : w->steps); t++) {
        good = step_backward(&r, t + 1 == w->steps);
        r.at = next_step(w, &r.at, w->reverse);
    }
    cti_cuda_scratch_end(block);
    return good;
}

enum cti_status cti_cuda_recur(struct cti_recur *w)
{
    return w->backward ? recur_backward(w) : recur_forward(w);
}
