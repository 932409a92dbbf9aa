/* SPDX-License-Identifier: BSD-3-Clause */
/* Host fallbacks of all engines; see host.h. A *trip* copies the span of memory that each tensor
 * covers to the host, overlapping spans as one, runs the CPU's engine and copies back: so in-place
 * results, and the gaps of strided ones, stay intact. */
#include "cuda/host.h"

#include "core/alloc.h"
#include "core/attend.h"
#include "core/conv.h"
#include "core/ctc.h"
#include "core/factor.h"
#include "core/gemm.h"
#include "core/norm.h"
#include "core/random.h"
#include "core/recur.h"
#include "core/sample.h"
#include "core/update.h"
#include "core/window.h"
#include "cuda/random/random.h"
#include "cuda/runtime/memory.h"

#include <string.h>

struct span {
    char *low, *high; /* on the device */
    char *host;
    bool written;
};

/* A tensor as the CPU's engine sees it. */
struct stand_in {
    ct_tensor tensor;
    ct_storage storage;
};

struct trip {
    struct ct_device device;
    int n;
    struct span *span; /* capacity: one for each thing added */
    struct stand_in *tensor;
    ct_tensor **t;
};

/* ---- spans ---- */

static void add(struct trip *trip, char *low, char *high, bool written)
{
    struct span new = {low, high, NULL, written};
    if (low == high)
        return;
    for (int i = 0; i < trip->n;) {
        struct span *s = &trip->span[i];
        if (s->low >= new.high || new.low >= s->high) {
            i++;
            continue;
        }
        new.low = s->low < new.low ? s->low : new.low;
        new.high = s->high > new.high ? s->high : new.high;
        new.written = new.written || s->written;
        *s = trip->span[--trip->n];
        i = 0;
    }
    trip->span[trip->n++] = new;
}

static void add_strided(struct trip *trip, const void *data, int ndim, const int64_t *shape,
                        const int64_t *bstride, int64_t itemsize, bool written)
{
    int64_t low = 0, high = itemsize;
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 0)
            return;
        *(bstride[d] < 0 ? &low : &high) += (shape[d] - 1) * bstride[d];
    }
    add(trip, (char *)(uintptr_t)data + low, (char *)(uintptr_t)data + high, written);
}

static void release(struct trip *trip)
{
    for (int i = 0; i < trip->n; i++)
        cti_free(trip->span[i].host);
    cti_free(trip->span);
    cti_free(trip->tensor);
    cti_free(trip->t);
}

/* Capacity for n spans; false: the error is set. */
static bool begin(struct trip *trip, struct ct_device device, int n)
{
    *trip = (struct trip){.device = device};
    trip->span = cti_malloc((size_t)(n + 1) * sizeof *trip->span);
    return trip->span != NULL;
}

/* On a card the kernel would fault; the fake device reports it instead. */
static bool refuse_host_memory(void)
{
    return cti_refuse(CT_ERR_RUNTIME, "CUDA error: an illegal memory access was encountered "
                                      "(memory of the host was given to an engine of a device)");
}

static bool copy_to_host(struct trip *trip)
{
    const struct ct_device host = {CT_CPU, -1};
    bool good = true;
    for (int i = 0; i < trip->n && good; i++) {
        struct span *s = &trip->span[i];
        int64_t nbytes = s->high - s->low;
        if (cti_cuda_fake() && !cti_cuda_fake_holds(s->low))
            good = refuse_host_memory();
        s->host = cti_malloc((size_t)nbytes);
        good = good && s->host && cti_cuda_move(s->host, host, s->low, trip->device, nbytes, false);
    }
    good = good && cti_cuda_wait(trip->device.index);
    if (!good)
        release(trip);
    return good;
}

static bool finish(struct trip *trip, bool good)
{
    const struct ct_device host = {CT_CPU, -1};
    for (int i = 0; i < trip->n && good; i++) {
        struct span *s = &trip->span[i];
        if (s->written)
            good = cti_cuda_move(s->low, trip->device, s->host, host, s->high - s->low, false);
    }
    good = good && cti_cuda_wait(trip->device.index);
    release(trip);
    return good;
}

static void *at(const struct trip *trip, const void *p)
{
    for (int i = 0; i < trip->n; i++) {
        struct span *s = &trip->span[i];
        if ((const char *)p >= s->low && (const char *)p < s->high)
            return s->host + ((const char *)p - s->low);
    }
    return (void *)(uintptr_t)p; /* nothing is read there */
}

/* ---- tensors ---- */

static bool is_here(const ct_tensor *t)
{
    return t->storage->device.type == CT_CPU;
}

static ct_tensor *stand_in(struct trip *trip, struct stand_in *s, ct_tensor *t)
{
    if (!t || is_here(t))
        return t;
    int64_t size = cti_itemsize((enum ct_dtype)t->dtype);
    s->storage = *t->storage;
    s->storage.refs = INT32_MAX;
    s->storage.device = (struct ct_device){CT_CPU, -1};
    s->storage.data = t->numel ? (char *)at(trip, cti_data(t)) - t->offset * size : NULL;
    s->tensor = *t;
    s->tensor.refs = INT32_MAX;
    s->tensor.storage = &s->storage;
    s->tensor.version = NULL;
    s->tensor.base = NULL;
    s->tensor.autograd = NULL;
    s->tensor.face = NULL;
    if (t->shape == t->inline_dims)
        s->tensor.shape = s->tensor.inline_dims;
    if (t->stride == t->inline_dims + CTI_INLINE_DIMS)
        s->tensor.stride = s->tensor.inline_dims + CTI_INLINE_DIMS;
    return &s->tensor;
}

/* Copies n tensors to the host, of which the first nwritten are results; NULL stays NULL. trip->t
 * are their stand-ins. */
static bool begin_tensors(struct trip *trip, ct_tensor *const *t, int n, int nwritten)
{
    int64_t bstride[CTI_MAX_DIMS];
    struct ct_device device = {CT_CPU, -1};
    for (int i = 0; i < n; i++) {
        if (t[i] && !is_here(t[i]))
            device = t[i]->storage->device;
        if (t[i] && is_here(t[i]) && t[i]->numel && cti_cuda_fake())
            return refuse_host_memory();
    }
    if (!begin(trip, device, n))
        return false;
    trip->tensor = cti_malloc((size_t)n * sizeof *trip->tensor);
    trip->t = cti_malloc((size_t)n * sizeof *trip->t);
    if (!trip->tensor || !trip->t) {
        release(trip);
        return false;
    }
    for (int i = 0; i < n; i++) {
        if (!t[i] || is_here(t[i]))
            continue;
        int64_t size = cti_itemsize((enum ct_dtype)t[i]->dtype);
        for (int d = 0; d < t[i]->ndim; d++)
            bstride[d] = t[i]->stride[d] * size;
        add_strided(trip, cti_data(t[i]), t[i]->ndim, t[i]->shape, bstride, size, i < nwritten);
    }
    if (!copy_to_host(trip))
        return false;
    for (int i = 0; i < n; i++)
        trip->t[i] = stand_in(trip, &trip->tensor[i], t[i]);
    return true;
}

/* Wraps a call of the CPU's engine on T[0], T[1] ... */
#define BY_HOST(nwritten, call, ...)                                                               \
    struct trip trip;                                                                              \
    ct_tensor *list[] = {__VA_ARGS__};                                                             \
    if (!begin_tensors(&trip, list, (int)(sizeof list / sizeof *list), nwritten))                  \
        return false;                                                                              \
    ct_tensor **const T = trip.t;                                                                  \
    return finish(&trip, cti_cpu_backend.call)

/* The same for an engine whose work struct holds its tensors: pointers into `w`, a copy of it. */
#define BY_HOST_FIELDS(nwritten, call, ...)                                                        \
    struct trip trip;                                                                              \
    ct_tensor **const place[] = {__VA_ARGS__};                                                     \
    enum { N = sizeof place / sizeof *place };                                                     \
    ct_tensor *list[N];                                                                            \
    for (int i = 0; i < N; i++)                                                                    \
        list[i] = *place[i];                                                                       \
    if (!begin_tensors(&trip, list, N, nwritten))                                                  \
        return false;                                                                              \
    for (int i = 0; i < N; i++)                                                                    \
        *place[i] = trip.t[i];                                                                     \
    return finish(&trip, call)

/* ---- contiguous memory ---- */

/* A pointer field in a copy of some work, and the memory it points to. */
struct part {
    void *at; /* address of the field; NULL in it: nothing */
    int64_t nbytes;
    bool written;
};

static char *address_of(const struct part *p)
{
    char *address;
    memcpy(&address, p->at, sizeof address);
    return address;
}

static bool begin_parts(struct trip *trip, struct ct_device device, const struct part *part, int n)
{
    if (!begin(trip, device, n))
        return false;
    for (int i = 0; i < n; i++) {
        char *address = address_of(&part[i]);
        if (address)
            add(trip, address, address + part[i].nbytes, part[i].written);
    }
    if (!copy_to_host(trip))
        return false;
    for (int i = 0; i < n; i++) {
        char *address = address_of(&part[i]);
        address = address ? at(trip, address) : NULL;
        memcpy(part[i].at, &address, sizeof address);
    }
    return true;
}

/* ---- engines on addresses ---- */

bool cti_cuda_host_pointwise(const struct cti_pointwise *work)
{
    struct trip trip;
    struct cti_pointwise here = *work;
    if (!begin(&trip, work->device, work->noperands))
        return false;
    for (int o = 0; o < work->noperands; o++) {
        const struct cti_operand *x = &work->operand[o];
        if (!(work->numbers >> o & 1))
            add_strided(&trip, x->data, work->ndim, work->shape, x->bstride,
                        cti_itemsize((enum ct_dtype)x->dtype), o < work->nout);
    }
    if (!copy_to_host(&trip))
        return false;
    for (int o = 0; o < work->noperands; o++)
        if (!(work->numbers >> o & 1))
            here.operand[o].data = at(&trip, work->operand[o].data);
    return finish(&trip, cti_cpu_backend.pointwise(&here));
}

bool cti_cuda_host_gemm(const struct cti_gemm *work)
{
    struct trip trip;
    struct cti_gemm w = *work;
    int64_t size = cti_itemsize(w.dtype);
    const struct {
        const void *data;
        int64_t rows, columns, batch, row, column;
    } side[] = {{w.a, w.m, w.k, w.a_batch, w.a_row, w.a_col},
                {w.b, w.k, w.n, w.b_batch, w.b_row, w.b_col},
                {w.bias, w.m, w.n, w.bias_batch, w.bias_row, w.bias_col},
                {w.c, w.m, w.n, w.c_batch, w.c_row, w.c_col}};
    if (!begin(&trip, w.device, 4))
        return false;
    for (int i = 0; i < 4; i++) {
        const int64_t shape[] = {w.batch, side[i].rows, side[i].columns};
        const int64_t step[] = {side[i].batch * size, side[i].row * size, side[i].column * size};
        if (side[i].data)
            add_strided(&trip, side[i].data, 3, shape, step, size, i == 3);
    }
    if (!copy_to_host(&trip))
        return false;
    w.a = at(&trip, w.a);
    w.b = at(&trip, w.b);
    w.c = at(&trip, w.c);
    w.bias = w.bias ? at(&trip, w.bias) : NULL;
    return finish(&trip, cti_cpu_backend.gemm(&w));
}

/* The element size of a part. */
static int64_t part_item(const struct cti_factor *work, int part)
{
    int64_t size = work->dtype <= CT_UINT64 ? 4 : cti_itemsize(work->dtype);
    int64_t real = work->dtype == CT_COMPLEX64 || work->dtype == CT_COMPLEX128 ? size / 2 : size;
    switch (work->kind) {
    case CTI_FACTOR_LU:
    case CTI_FACTOR_LU_SOLVE:
    case CTI_FACTOR_LU_INVERSE:
    case CTI_FACTOR_LDL:
    case CTI_FACTOR_LDL_SOLVE:
        return part == 1 ? 4 : size;
    case CTI_FACTOR_ORDER:
        return part == 0 ? 4 : 8;
    case CTI_FACTOR_SVD:
    case CTI_FACTOR_EIGH:
        return part == 1 ? real : size;
    case CTI_FACTOR_LSTSQ:
        return part == 3 ? 8 : part == 2 ? real : size;
    case CTI_FACTOR_EIG:
        return part == 0 ? size : 2 * real;
    case CTI_FACTOR_CHOLESKY:
    case CTI_FACTOR_CHOLESKY_SOLVE:
    case CTI_FACTOR_CHOLESKY_INVERSE:
    case CTI_FACTOR_TRIANGULAR:
    case CTI_FACTOR_QR:
    case CTI_FACTOR_REFLECTORS:
    case CTI_FACTOR_REFLECT:
        return size;
    }
    return size;
}

bool cti_cuda_host_factor(const struct cti_factor *work)
{
    struct trip trip;
    struct cti_factor w = *work;
    struct part part[5] = {[4] = {&w.info, w.batch * (int64_t)sizeof *w.info, true}};
    for (int i = 0; i < 4; i++) {
        int64_t order = w.side == 'R' ? w.n : w.m;
        bool shared = w.kind == CTI_FACTOR_TRIANGULAR && i == 0 && !w.part[i].step;
        int64_t count = shared ? order * order : w.part[i].step * w.batch;
        part[i] = (struct part){&w.part[i].data, count * part_item(&w, i), true};
    }
    return begin_parts(&trip, w.device, part, 5) && finish(&trip, cti_cpu_backend.factor(&w));
}

/* Contiguous lines of memory. */
bool cti_cuda_host_update(const struct cti_update *work)
{
    struct trip trip;
    struct cti_update here = *work;
    if (!begin(&trip, work->device, (int)work->nlines * work->noperands))
        return false;
    struct cti_update_line *line = cti_malloc((size_t)work->nlines * sizeof *line);
    for (int64_t i = 0; line && i < work->nlines; i++) {
        line[i] = work->line[i];
        for (int o = 0; o < work->noperands; o++)
            if (line[i].data[o])
                add_strided(&trip, line[i].data[o], 1, &line[i].numel,
                            (int64_t[]){cti_itemsize((enum ct_dtype)work->dtype[o])},
                            cti_itemsize((enum ct_dtype)work->dtype[o]), true);
    }
    if (!line) {
        release(&trip);
        return false;
    }
    bool good = copy_to_host(&trip);
    for (int64_t i = 0; good && i < work->nlines; i++)
        for (int o = 0; o < work->noperands; o++)
            if (line[i].data[o])
                line[i].data[o] = at(&trip, line[i].data[o]);
    here.line = line;
    good = good && finish(&trip, cti_cpu_backend.update(&here));
    cti_free(line);
    return good;
}

/* ---- attention ---- */

static void add_side(struct trip *trip, const struct cti_attend *w, const struct cti_attend_side *s,
                     int64_t heads, int64_t rows, int64_t columns, bool written)
{
    int64_t size = cti_itemsize(w->dtype);
    if (s->data)
        add_strided(trip, s->data, 4, (int64_t[]){w->batch, heads, rows, columns},
                    (int64_t[]){s->batch * size, s->head * size, s->row * size, size}, size,
                    written);
}

static bool attend_by(const struct cti_attend *work, bool (*engine)(const struct cti_attend *))
{
    struct trip trip;
    struct cti_attend w = *work;
    if (!begin(&trip, work->device, 10))
        return false;
    int64_t size = cti_itemsize(w.dtype), few = w.heads / w.group, item = w.mask_is_bool ? 1 : size;
    struct cti_attend_side *const side[] = {&w.query, &w.key,        &w.value,    &w.out,
                                            &w.grad,  &w.grad_query, &w.grad_key, &w.grad_value};
    static const bool is_few[] = {false, true, true, false, false, false, true, true};
    static const bool is_value[] = {false, false, true, true, true, false, false, true};
    static const bool is_written[] = {false, false, false, true, false, true, true, true};
    for (int i = 0; i < 8; i++)
        add_side(&trip, &w, side[i], is_few[i] ? few : w.heads, is_few[i] ? w.keys : w.queries,
                 is_value[i] ? w.width : w.depth, is_written[i]);
    if (w.mask)
        add_strided(&trip, w.mask, 4, (int64_t[]){w.batch, w.heads, w.queries, w.keys},
                    (int64_t[]){w.mask_batch * item, w.mask_head * item, w.mask_row * item,
                                w.mask_column * item},
                    item, false);
    if (w.logsumexp)
        add(&trip, w.logsumexp, (char *)w.logsumexp + w.batch * w.heads * w.queries * size, true);
    if (!copy_to_host(&trip))
        return false;
    for (int i = 0; i < 8; i++)
        side[i]->data = side[i]->data ? at(&trip, side[i]->data) : NULL;
    w.mask = w.mask ? at(&trip, w.mask) : NULL;
    w.logsumexp = w.logsumexp ? at(&trip, w.logsumexp) : NULL;
    return finish(&trip, engine(&w));
}

bool cti_cuda_host_attend(const struct cti_attend *work)
{
    return attend_by(work, cti_cpu_backend.attend);
}

bool cti_cuda_host_attend_backward(const struct cti_attend *work)
{
    return attend_by(work, cti_cpu_backend.attend_backward);
}

/* ---- recurrent layers: everything contiguous ---- */

static bool recur_by(const struct cti_recur *work, bool (*engine)(const struct cti_recur *))
{
    struct trip trip;
    struct cti_recur w = *work;
    int64_t size = cti_itemsize(w.dtype), rows = w.sizes ? 0 : w.steps * w.batch;
    int64_t gates = cti_recur_gates(w.kind) * w.hidden;
    for (int64_t i = 0; w.sizes && i < w.steps; i++)
        rows += w.sizes[i];
    const int64_t states = w.batch * w.width * size, cells = w.batch * w.hidden * size;
    const int64_t all_states = rows * w.width * size, all_cells = rows * w.hidden * size;
    const struct part part[] = {
        {&w.weight, gates * w.width * size, false},
        {&w.bias, w.hidden * size, false},
        {&w.projection, w.width * w.hidden * size, false},
        {&w.h0, states, false},
        {&w.c0, cells, false},
        {&w.grad_output, all_states, false},
        {&w.gates, rows * gates * size, true},
        {&w.extra, all_cells, true},
        {&w.output, all_states, true},
        {&w.h, states, true},
        {&w.c, cells, true},
        {&w.grad_h, states, true},
        {&w.grad_c, cells, true},
        {&w.grad_gates, rows * gates * size, true},
        {&w.grad_last, all_cells, true},
        {&w.previous, all_states, true},
        {&w.grad_state, all_states, true},
        {&w.unprojected, all_cells, true},
    };
    return begin_parts(&trip, w.device, part, (int)(sizeof part / sizeof *part)) &&
           finish(&trip, engine(&w));
}

bool cti_cuda_host_recur(const struct cti_recur *work)
{
    return recur_by(work, cti_cpu_backend.recur);
}

bool cti_cuda_host_recur_backward(const struct cti_recur *work)
{
    return recur_by(work, cti_cpu_backend.recur_backward);
}

/* ---- ctc: labels and lengths are the host's ---- */

static bool ctc_by(const struct cti_ctc *work, bool (*engine)(const struct cti_ctc *))
{
    struct trip trip;
    struct cti_ctc w = *work;
    int64_t size = cti_itemsize(w.dtype), all = w.frames * w.batch * w.classes * size;
    int64_t states = w.batch * w.frames * (2 * w.longest + 1) * size;
    const struct part part[] = {
        {&w.log_probs, all, false},
        {&w.grad_loss, w.batch * size, false},
        {&w.loss, w.batch * size, true},
        {&w.alpha, states, true},
        {&w.grad, all, true},
    };
    return begin_parts(&trip, w.device, part, 5) && finish(&trip, engine(&w));
}

bool cti_cuda_host_ctc(const struct cti_ctc *work)
{
    return ctc_by(work, cti_cpu_backend.ctc);
}

bool cti_cuda_host_ctc_backward(const struct cti_ctc *work)
{
    return ctc_by(work, cti_cpu_backend.ctc_backward);
}

/* ---- engines on tensors ---- */

static bool norm_by(const struct cti_norm *work, bool (*engine)(const struct cti_norm *))
{
    struct cti_norm w = *work;
    BY_HOST_FIELDS(6, engine(&w), &w.out, &w.mean, &w.rstd, &w.var, &w.grad_weight, &w.grad_bias,
                   &w.grad, &w.in, &w.weight, &w.bias);
}

bool cti_cuda_host_norm(const struct cti_norm *work)
{
    return norm_by(work, cti_cpu_backend.norm);
}

bool cti_cuda_host_norm_backward(const struct cti_norm *work)
{
    return norm_by(work, cti_cpu_backend.norm_backward);
}

bool cti_cuda_host_window(const struct cti_window *work)
{
    struct cti_window w = *work;
    BY_HOST_FIELDS(2, cti_cpu_backend.window(&w), &w.out, &w.index, &w.in);
}

bool cti_cuda_host_sample(const struct cti_sample *work)
{
    struct cti_sample w = *work;
    BY_HOST_FIELDS(3, cti_cpu_backend.sample(&w), &w.out, &w.grad_input, &w.grad_grid, &w.input,
                   &w.grid, &w.upstream, &w.along);
}

bool cti_cuda_host_conv(const struct cti_conv *work)
{
    struct cti_conv w = *work;
    BY_HOST_FIELDS(3, cti_cpu_backend.conv(&w), &w.input, &w.weight, &w.output, &w.bias);
}

bool cti_cuda_host_reduce(const struct cti_reduce *work)
{
    struct cti_reduce w = *work;
    BY_HOST_FIELDS(2, cti_cpu_backend.reduce(&w), &w.out, &w.index, &w.in);
}

bool cti_cuda_host_fill(ct_tensor *dst, ct_value number)
{
    BY_HOST(1, fill(T[0], number), dst);
}

bool cti_cuda_host_ramp(ct_tensor *dst, ct_value start, ct_value step, ct_value end)
{
    BY_HOST(1, ramp(T[0], start, step, end), dst);
}

bool cti_cuda_host_scan(enum cti_scan_op op, ct_tensor *out, ct_tensor *index, ct_tensor *in,
                        int64_t dim)
{
    BY_HOST(2, scan(op, T[0], T[1], T[2], dim), out, index, in);
}

bool cti_cuda_host_softmax(enum cti_softmax_op op, ct_tensor *out, ct_tensor *in, ct_tensor *grad,
                           int64_t dim)
{
    BY_HOST(1, softmax(op, T[0], T[1], T[2], dim), out, in, grad);
}

bool cti_cuda_host_index_check(ct_tensor *index, int64_t size, bool wrap, int64_t *bad)
{
    BY_HOST(0, index_check(T[0], size, wrap, bad), index);
}

bool cti_cuda_host_gather(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index)
{
    BY_HOST(1, gather(T[0], T[1], dim, T[2]), out, in, index);
}

bool cti_cuda_host_scatter(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                           enum cti_combine reduction)
{
    BY_HOST(1, scatter(T[0], dim, T[1], T[2], reduction), self, index, src);
}

bool cti_cuda_host_index_select(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index)
{
    BY_HOST(1, index_select(T[0], T[1], dim, T[2]), out, in, index);
}

/* A list of index tensors. */
static bool begin_indexed(struct trip *trip, ct_tensor *self, ct_tensor *other,
                          ct_tensor *const *index, int nindex)
{
    ct_tensor *list[CTI_MAX_DIMS + 2] = {self, other};
    memcpy(list + 2, index, (size_t)nindex * sizeof *list);
    return begin_tensors(trip, list, nindex + 2, 1);
}

bool cti_cuda_host_index_get(ct_tensor *out, ct_tensor *in, ct_tensor *const *index, int nindex)
{
    struct trip trip;
    return begin_indexed(&trip, out, in, index, nindex) &&
           finish(&trip, cti_cpu_backend.index_get(trip.t[0], trip.t[1], trip.t + 2, nindex));
}

bool cti_cuda_host_index_put(ct_tensor *self, ct_tensor *const *index, int nindex, ct_tensor *value,
                             bool accumulate)
{
    struct trip trip;
    return begin_indexed(&trip, self, value, index, nindex) &&
           finish(&trip,
                  cti_cpu_backend.index_put(trip.t[0], trip.t + 2, nindex, trip.t[1], accumulate));
}

int64_t cti_cuda_host_count_nonzero(ct_tensor *mask)
{
    struct trip trip;
    if (!begin_tensors(&trip, &mask, 1, 0))
        return -1;
    int64_t count = cti_cpu_backend.count_nonzero(trip.t[0]);
    return finish(&trip, count >= 0) ? count : -1;
}

bool cti_cuda_host_masked_select(ct_tensor *out, ct_tensor *in, ct_tensor *mask)
{
    BY_HOST(1, masked_select(T[0], T[1], T[2]), out, in, mask);
}

bool cti_cuda_host_masked_put(ct_tensor *self, ct_tensor *mask, ct_tensor *src)
{
    BY_HOST(1, masked_put(T[0], T[1], T[2]), self, mask, src);
}

bool cti_cuda_host_nonzero(ct_tensor *out, ct_tensor *in)
{
    BY_HOST(1, nonzero(T[0], T[1]), out, in);
}

bool cti_cuda_host_sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim,
                        bool descending, bool stable)
{
    BY_HOST(2, sort(T[0], T[1], T[2], dim, descending, stable), values, index, in);
}

bool cti_cuda_host_topk(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                        bool largest, bool sorted)
{
    BY_HOST(2, topk(T[0], T[1], T[2], k, dim, largest, sorted), values, index, in);
}

bool cti_cuda_host_search(ct_tensor *out, ct_tensor *sorted, ct_tensor *values, ct_tensor *sorter,
                          bool right)
{
    BY_HOST(1, search(T[0], T[1], T[2], T[3], right), out, sorted, values, sorter);
}

bool cti_cuda_host_sort_rows(ct_tensor *index, ct_tensor *rows)
{
    BY_HOST(1, sort_rows(T[0], T[1]), index, rows);
}

bool cti_cuda_host_place(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                         bool nan_wins)
{
    BY_HOST(2, place(T[0], T[1], T[2], k, dim, nan_wins), values, index, in);
}

bool cti_cuda_host_distance(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p)
{
    BY_HOST(1, distance(T[0], T[1], T[2], p), out, a, b);
}

bool cti_cuda_host_fft(ct_tensor *out, ct_tensor *in, ct_ints dim, bool inverse, double scale)
{
    BY_HOST(1, fft(T[0], T[1], dim, inverse, scale), out, in);
}

bool cti_cuda_host_random(const struct cti_fill_random *work)
{
    struct cti_fill_random w = *work;
    w.generator = cti_cuda_host_generator(work);
    if (!w.generator)
        return false;
    BY_HOST_FIELDS(1, cti_cpu_backend.random(&w), &w.out, &w.p, &w.q);
}
