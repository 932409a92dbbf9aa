/* SPDX-License-Identifier: BSD-3-Clause */
/* Recurrent layers. A time step consists of a product of the states with the weight and one kernel
 * (recur.cu), or two of each with a projection. For small steps, one kernel includes the product,
 * because launching it separately would take longer; all steps are one launch if all its blocks can
 * be resident at once. The host never waits. */
#include "cuda/engines.h"
#include "cuda/recur/recur_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"
#include "cuda/runtime/memory.h"

#include "core/gemm.h"
#include "core/recur.h"
#include "core/small.h"

#define SMALL ((int64_t)1 << 28) /* steps with at most this many multiply-adds are one kernel */

/* A time step: its number, its first row in the sequence and its number of rows, and the same for
 * the previous step in the direction of the layer. */
struct step {
    int64_t step, first, rows, before_first, before_rows;
};

/* A layer being computed. */
struct recur_run {
    const struct cti_recur *w;
    int64_t size, gates; /* bytes of an element; elements of a row of gates */
    struct step at;
    int stage[2]; /* see recur_args.h; the second differs only in backward */
    bool fused;   /* a step is one kernel */
    int keep;     /* chunks of the weight that a warp keeps in registers, see chunks_to_keep */
    uint32_t *counters;          /* with keep: on which blocks wait for each other */
    void *later;                 /* backward: the gates' gradients of the step that ran before */
    char *product, *unprojected; /* scratch; unprojected: states before the projection */
};

static int64_t recur_rows_of(const struct cti_recur *w, int64_t step)
{
    return step < 0 || step >= w->steps ? 0 : w->sizes ? w->sizes[step] : w->batch;
}

/* Step number `step`, whose rows begin at `first`. */
static struct step step_at(const struct cti_recur *w, int64_t step, int64_t first)
{
    struct step s = {.step = step, .first = first, .rows = recur_rows_of(w, step)};
    s.before_rows = recur_rows_of(w, step + (w->reverse ? 1 : -1));
    s.before_first = w->reverse ? first + s.rows : first - s.before_rows;
    return s;
}

static struct step first_step(const struct cti_recur *w, bool last)
{
    int64_t first = 0, step = last ? w->steps - 1 : 0;
    for (int64_t t = 0; t < step; t++)
        first += recur_rows_of(w, t);
    return step_at(w, step, first);
}

static struct step next_step(const struct cti_recur *w, const struct step *s, bool forward)
{
    int64_t step = s->step + (forward ? 1 : -1);
    return step_at(w, step, forward ? s->first + s->rows : s->first - recur_rows_of(w, step));
}

static void *recur_row_of(const struct recur_run *r, const void *data, int64_t row, int64_t width)
{
    return data ? (char *)(uintptr_t)data + row * width * r->size : NULL;
}

/* A temporary tensor over borrowed memory, for one call. */
struct matrix {
    ct_tensor tensor;
    ct_storage storage;
};

static ct_tensor *matrix_of(struct matrix *m, const struct recur_run *r, const void *data,
                            int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    *m = (struct matrix){.tensor = {.refs = INT32_MAX, .dtype = (uint8_t)r->w->dtype, .ndim = 2},
                         .storage = {.refs = INT32_MAX, .device = r->w->work.device}};
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

/* c = a b + beta c for the rows of this step; a and c are contiguous, b has any strides. */
static bool recur_multiply(const struct recur_run *r, void *c, const void *a, const void *b,
                           int64_t n, int64_t k, int64_t b_row, int64_t b_col, double beta)
{
    struct matrix left, right, result;
    struct cti_gemm g = {.work = {CTI_ENGINE_gemm, r->w->work.device},
                         .dtype = r->w->dtype,
                         .m = r->at.rows,
                         .n = n,
                         .k = k,
                         .batch = 1,
                         .a_row = k,
                         .a_col = 1,
                         .b_row = b_row,
                         .b_col = b_col,
                         .c_row = n,
                         .c_col = 1,
                         .alpha = {1},
                         .beta = {beta}};
    g.of.a = matrix_of(&left, r, a, g.m, k, g.a_row, g.a_col);
    g.of.b = matrix_of(&right, r, b, k, n, b_row, b_col);
    g.of.c = matrix_of(&result, r, c, g.m, n, g.c_row, g.c_col);
    return cti_run(&g.work);
}

static bool recur_copy(const struct recur_run *r, void *to, const void *from, int64_t elements)
{
    return cti_cuda_move(to, r->w->work.device, from, r->w->work.device, elements * r->size, false);
}

static bool is_16_byte_aligned(const void *p)
{
    return (uintptr_t)p % 16 == 0;
}

/* Launches a stage for the current step; with r->keep, for all steps. */
static bool launch_recur(const struct recur_run *r, int stage, const struct recur_args *a)
{
    const struct cti_recur *w = r->w;
    bool wide = w->dtype == CT_FLOAT64;
    int64_t threads = 256, blocks = ceil_div(r->at.rows * (stage == STATE_GRAD ? a->P : a->H), 256);
    bool aligned = w->hidden % 4 == 0 && w->width % 4 == 0 && is_16_byte_aligned(w->output) &&
                   is_16_byte_aligned(w->h0) && is_16_byte_aligned(w->grad_gates);
    if (stage >= FUSED_FORWARD) {
        int64_t unit_blocks = ceil_div(w->hidden, 16);
        threads = stage == TENSOR_BACKWARD ? 512 : 256;
        blocks = ceil_div(r->at.rows, stage >= TENSOR_FORWARD ? 16 : 32) * unit_blocks;
    }
    return cti_cuda_run(&(struct cti_launch){
        .file = "recur/recur",
        .texts = {{"T", cti_cuda_type[w->dtype]},
                  {"SIGMOID(x)", wide ? "ctm_sigmoid_f64(x)" : "ctm_sigmoid_f32(x)"},
                  {"TANH(x)", wide ? "ctm_tanh_f64(x)" : "ctm_tanh_f32(x)"}},
        .params = {{"KIND", (int)w->kind},
                   {"GATES", cti_recur_gates(w->kind)},
                   {"STAGE", stage},
                   {"KEEP", r->keep},
                   {"VECTOR", stage >= TENSOR_FORWARD && aligned ? 4 : 1}},
        .device = w->work.device.index,
        .grid = {blocks},
        .threads = (unsigned)threads,
        .together = r->keep && w->hidden > 16,
        .args = a,
        .size = sizeof *a});
}

static bool has_tensor_cores(const struct cti_recur *w)
{
    struct cti_cuda_device *d = cti_cuda_use(w->work.device.index);
    return d && d->major >= 8 && w->dtype == CT_FLOAT32;
}

/* Returns how many chunks of 32 terms of the weight a warp keeps in registers, so that all steps
 * are one launch (Note [Steps of one launch]); 0 if that is impossible. */
static int chunks_to_keep(const struct cti_recur *w, int stage)
{
    struct cti_cuda_device *d = cti_cuda_use(w->work.device.index);
    bool forward = stage == TENSOR_FORWARD;
    int gates = cti_recur_gates(w->kind), warps = forward ? 8 : 16;
    int64_t terms = forward ? w->width : gates * w->hidden;
    int64_t row_blocks = ceil_div(w->batch, 16), unit_blocks = ceil_div(w->hidden, 16);
    int64_t chunks = ceil_div(terms, warps * 32);
    /* Registers of a thread: needed for a chunk, and available. */
    int64_t registers = 32 * (forward ? gates : 1), available = forward ? 128 : 64;
    bool fits = stage >= TENSOR_FORWARD && chunks * registers <= available && !w->sizes &&
                w->steps > 1 && row_blocks <= CTI_CUDA_COUNTERS &&
                w->steps < INT32_MAX / unit_blocks / 2;
    /* Cooperative launches cannot be captured into a graph. */
    bool resident =
        unit_blocks == 1 || (d && d->together && row_blocks * unit_blocks <= d->multiprocessors &&
                             __atomic_load_n(&cti_cuda_captures, __ATOMIC_RELAXED) <= 0);
    return fits && resident ? (int)chunks : 0;
}

/* Sets up the state shared by all steps. Fake devices only compile the kernels: products would run
 * on the host and overwrite the states, which the CPU's engine needs. */
static enum cti_status recur_begin(struct recur_run *r, const struct cti_recur *w, int first,
                                   int second)
{
    const struct recur_args none = {0};
    *r = (struct recur_run){.w = w,
                            .size = cti_itemsize(w->dtype),
                            .gates = cti_recur_gates(w->kind) * w->hidden,
                            .stage = {first, second},
                            .fused = second >= FUSED_FORWARD};
    if (!cti_cuda_use(w->work.device.index))
        return CTI_FAILED;
    r->keep = chunks_to_keep(w, second);
    if (cti_cuda_fake())
        return cti_cuda_launched(launch_recur(r, first, &none) && launch_recur(r, second, &none));
    return !r->keep || (r->counters = cti_cuda_counters(w->work.device.index));
}

static int64_t products_of(const struct cti_recur *w)
{
    return w->batch * cti_recur_gates(w->kind) * w->hidden * w->width;
}

/* ---- forward ---- */

static bool step_forward(struct recur_run *r)
{
    const struct cti_recur *w = r->w;
    const struct step *s = &r->at;
    void *output = recur_row_of(r, w->output, s->first, w->width);
    struct recur_args a = {.B = s->rows, .H = w->hidden, .P = w->width};
    a.product = r->product;
    a.bias = w->bias;
    a.gates = recur_row_of(r, w->gates, s->first, r->gates);
    a.extra = recur_row_of(r, w->extra, s->first, w->hidden);
    a.out = w->projection ? r->unprojected : output;
    a.h = w->projection ? NULL : w->h;
    a.c = w->c;
    if (r->fused) {
        a.weight = w->weight;
        a.before = recur_row_of(r, w->output, s->before_first, w->width);
        a.first = w->h0;
        a.before_rows = s->before_rows;
        a.steps = w->steps;
        a.next = w->reverse ? -w->batch : w->batch;
        a.counters = r->counters;
        return launch_recur(r, r->stage[0], &a);
    }
    if (!recur_multiply(r, r->product, w->h, w->weight, r->gates, w->width, 1, w->width, 0) ||
        !launch_recur(r, r->stage[0], &a))
        return false;
    return !w->projection || (recur_multiply(r, output, r->unprojected, w->projection, w->width,
                                             w->hidden, 1, w->hidden, 0) &&
                              recur_copy(r, w->h, output, s->rows * w->width));
}

static enum cti_status run_recur_forward(const struct cti_recur *w)
{
    struct recur_run r;
    void *block = NULL, *other = NULL;
    int device = w->work.device.index;
    int stage = w->projection || products_of(w) > SMALL ? FORWARD
                : has_tensor_cores(w)                   ? TENSOR_FORWARD
                                                        : FUSED_FORWARD;
    enum cti_status status = recur_begin(&r, w, stage, stage);
    if (status != CTI_DONE)
        return status;
    r.product = cti_cuda_scratch(device, w->batch * r.gates * r.size, &block);
    if (r.product && w->projection)
        r.unprojected = cti_cuda_scratch(device, w->batch * w->hidden * r.size, &other);
    bool good = r.product && (!w->projection || r.unprojected) &&
                recur_copy(&r, w->h, w->h0, w->batch * w->width) &&
                (!w->c || recur_copy(&r, w->c, w->c0, w->batch * w->hidden));
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

/* last: the first step in time, whose product is the gradient of the first states. */
static bool step_backward(struct recur_run *r, bool last)
{
    const struct cti_recur *w = r->w;
    const struct step *s = &r->at;
    struct recur_args a = {.B = s->rows, .H = w->hidden, .P = w->width};
    a.gates = recur_row_of(r, w->gates, s->first, r->gates);
    a.extra = recur_row_of(r, w->extra, s->first, w->hidden);
    a.grad_output = recur_row_of(r, w->grad_output, s->first, w->width);
    a.before = recur_row_of(r, w->output, s->before_first, w->width);
    a.first = w->h0;
    a.cells_before = recur_row_of(r, w->extra, s->before_first, w->hidden);
    a.first_cells = w->c0;
    a.before_rows = s->before_rows;
    a.grad_h = w->grad_h;
    a.grad_c = w->grad_c;
    a.grad_gates = recur_row_of(r, w->grad_gates, s->first, r->gates);
    a.grad_last = recur_row_of(r, w->grad_last, s->first, w->hidden);
    a.previous = recur_row_of(r, w->previous, s->first, w->width);
    bool good;
    if (r->keep) {
        a.weight = w->weight;
        a.steps = w->steps;
        a.next = w->reverse ? w->batch : -w->batch;
        a.counters = r->counters;
        return launch_recur(r, r->stage[1], &a);
    }
    if (r->fused && r->later) {
        a.product = r->later;
        a.weight = w->weight;
        good = launch_recur(r, r->stage[1], &a);
    } else if (!w->projection) {
        good = launch_recur(r, r->stage[0], &a);
    } else {
        void *state = recur_row_of(r, w->grad_state, s->first, w->width);
        a.grad_out = state;
        good = launch_recur(r, r->stage[0], &a) &&
               recur_multiply(r, r->product, state, w->projection, w->hidden, w->width, w->hidden,
                              1, 0);
        a.grad_out = r->product;
        a.unprojected = recur_row_of(r, w->unprojected, s->first, w->hidden);
        good = good && launch_recur(r, r->stage[1], &a);
    }
    r->later = a.grad_gates;
    if (r->fused && !last)
        return good;
    return good && recur_multiply(r, w->grad_h, a.grad_gates, w->weight, w->width, r->gates,
                                  w->width, 1, w->kind == CTI_RECUR_GRU ? 1 : 0);
}

static enum cti_status run_recur_backward(const struct cti_recur *w)
{
    struct recur_run r;
    void *block = NULL;
    int second = w->projection                        ? GATE_GRAD
                 : w->sizes || products_of(w) > SMALL ? BACKWARD
                 : has_tensor_cores(w)                ? TENSOR_BACKWARD
                                                      : FUSED_BACKWARD;
    enum cti_status status = recur_begin(&r, w, w->projection ? STATE_GRAD : BACKWARD, second);
    if (status != CTI_DONE)
        return status;
    bool good = true;
    if (w->projection)
        good = (r.product =
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
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    return w->backward ? run_recur_backward(w) : run_recur_forward(w);
}
