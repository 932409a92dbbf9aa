/* SPDX-License-Identifier: BSD-3-Clause */
/* Fourier transforms by cuFFT, up to three dims at a time. cuFFT supports one stride between
 * elements and one between batches: tensors with other layouts are packed first, and so are the
 * inputs of complex-to-real transforms, which cuFFT overwrites. Each device has an LRU cache of
 * plans; plans own no workspace; each call allocates it from the caching allocator. */
#include "accelerator/plans.h"
#include "core/alloc.h"
#include "corten/cuda.h"
#include "cuda/common/strided_copy.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "rows.h"

#include <pthread.h>
#include <string.h>

#define MOST_DIMS 3 /* of one plan */

/* ---- the library ---- */

static struct {
    int (*create)(int *plan);
    int (*automatic)(int plan, int yes);
    int (*make)(int plan, int rank, long long *n, long long *in_embed, long long in_stride,
                long long in_dist, int in_type, long long *out_embed, long long out_stride,
                long long out_dist, int out_type, long long batch, size_t *work, int compute);
    int (*set_stream)(int plan, cu_stream stream);
    int (*set_work)(int plan, void *work);
    int (*run)(int plan, void *in, void *out, int direction);
    int (*destroy)(int plan);
} cufft;
static bool opened;

static void open_cufft(void)
{
    static const char *const versions[] = {".12", ".11", "", NULL};
    const struct cti_library_function functions[] = {
        {"cufftCreate", &cufft.create},        {"cufftSetAutoAllocation", &cufft.automatic},
        {"cufftXtMakePlanMany", &cufft.make},  {"cufftSetStream", &cufft.set_stream},
        {"cufftSetWorkArea", &cufft.set_work}, {"cufftXtExec", &cufft.run},
        {"cufftDestroy", &cufft.destroy},
    };
    opened = cti_library_functions(&cti_nvidia, "libcufft", versions, functions,
                                   (int)(sizeof functions / sizeof *functions));
}

static bool has_library(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_cufft);
    return opened;
}

/* ---- plans ---- */

struct side { /* cuFFT's advanced data layout of one side */
    long long embed[MOST_DIMS], stride, dist;
};

struct shape {
    long long n[MOST_DIMS], batch;
    struct side in, out;
    int rank, in_type, out_type, compute;
};

struct plan {
    struct cti_plan link;
    struct shape shape;
    size_t work;
    int handle;
};

static struct cti_plans caches[CTI_CUDA_MAX_DEVICES];
static int most_plans[CTI_CUDA_MAX_DEVICES];             /* plus 1; 0: DEFAULT_PLANS */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards plans and their use */

#define DEFAULT_PLANS 4096

static int fft_limit_of(int device)
{
    return most_plans[device] ? most_plans[device] - 1 : DEFAULT_PLANS;
}

static void fft_destroy_plan(struct plan *p)
{
    cufft.destroy(p->handle);
    cti_free(p);
}

/* Destroys all plans but the `most` that were used last. */
static void fft_shrink_cache(int device, int most)
{
    while (caches[device].n > most)
        fft_destroy_plan(cti_plans_take_oldest(&caches[device]));
}

static struct plan *fft_make_plan(const struct shape *s)
{
    struct shape here = *s;
    struct plan *p = cti_malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (struct plan){.shape = *s};
    if (cufft.create(&p->handle) != 0) {
        cti_free(p);
        return NULL;
    }
    if (cufft.automatic(p->handle, 0) == 0 &&
        cufft.make(p->handle, s->rank, here.n, here.in.embed, s->in.stride, s->in.dist, s->in_type,
                   here.out.embed, s->out.stride, s->out.dist, s->out_type, s->batch, &p->work,
                   s->compute) == 0)
        return p;
    fft_destroy_plan(p);
    return NULL;
}

/* The plan of a shape. NULL without an error: cuFFT does not support it. */
static struct plan *fft_find_plan(int device, const struct shape *s)
{
    struct plan *p = cti_plans_find(&caches[device], s, sizeof *s);
    if (p || !(p = fft_make_plan(s)))
        return p;
    int most = fft_limit_of(device) > 0 ? fft_limit_of(device) : 1; /* keeps at least this plan */
    struct plan *old = cti_plans_add(&caches[device], &p->link, &p->shape, sizeof p->shape, most);
    if (old)
        fft_destroy_plan(old);
    return p;
}

/* supported: set to false if cuFFT refuses the shape. */
static bool fft_run_plan(int device, const struct shape *s, void *in, void *out, bool inverse,
                         bool *supported)
{
    void *block = NULL, *work = NULL;
    pthread_mutex_lock(&lock);
    struct plan *p = fft_find_plan(device, s);
    bool good = p != NULL;
    if (good && p->work)
        good = (work = cti_cuda_scratch(device, (int64_t)p->work, &block)) != NULL;
    if (good)
        *supported = good = cufft.set_stream(p->handle, cti_cuda_stream(device)) == 0 &&
                            (!work || cufft.set_work(p->handle, work) == 0) &&
                            cufft.run(p->handle, in, out, inverse ? 1 : -1) == 0;
    else if (!p)
        *supported = false;
    if (fft_limit_of(device) == 0)
        fft_shrink_cache(device, 0);
    pthread_mutex_unlock(&lock);
    cti_cuda_scratch_end(block);
    return good;
}

/* ---- layouts ---- */

/* The input or the output of a transform. */
struct view {
    char *data;
    const int64_t *shape;
    int64_t stride[CTI_MAX_DIMS];
    int dtype;
    void *block; /* of a packed copy */
};

static struct view view_of(const ct_tensor *t)
{
    struct view v = {.data = cti_data(t), .shape = t->shape, .dtype = t->dtype};
    memcpy(v.stride, t->stride, (size_t)t->ndim * sizeof *v.stride);
    return v;
}

/* dst = src, of the same shape; a negative stride reverses a dim of src. */
static bool copy_view(struct ct_device device, int ndim, const int64_t *shape,
                      const struct view *dst, const struct view *src, bool conj)
{
    return cti_cuda_copy_strided(
        device, ndim, shape, (struct cti_cuda_strided){dst->data, dst->dtype, dst->stride},
        (struct cti_cuda_strided){src->data, src->dtype, src->stride}, conj);
}

/* A transform along some dims of two views. */
struct work {
    struct ct_device device;
    struct view *in, *out;
    int ndim, rank, batches;
    int dim[MOST_DIMS], batch[CTI_MAX_DIMS]; /* the batch dims, by falling stride of the result */
};

static void sort_batches(struct work *w)
{
    w->batches = 0;
    for (int d = 0; d < w->ndim; d++) {
        bool other = w->out->shape[d] != 1;
        for (int i = 0; i < w->rank; i++)
            other = other && w->dim[i] != d;
        if (!other)
            continue;
        int j = w->batches++;
        for (; j > 0 && w->out->stride[w->batch[j - 1]] < w->out->stride[d]; j--)
            w->batch[j] = w->batch[j - 1];
        w->batch[j] = d;
    }
}

/* Describes a view in cuFFT's advanced data layout. Returns false if it does not fit it. */
static bool describe_side(const struct work *w, const struct view *v, struct side *side)
{
    int last = w->dim[w->rank - 1];
    *side = (struct side){.stride = v->shape[last] > 1 ? v->stride[last] : 1};
    if (side->stride <= 0)
        return false;
    int64_t inner = side->stride;
    for (int i = w->rank - 2; i >= 0; i--) {
        int64_t step = v->stride[w->dim[i]], size = v->shape[w->dim[i + 1]];
        if (step % inner || step / inner < size)
            return false;
        side->embed[i + 1] = step / inner;
        inner = step;
    }
    side->embed[0] = v->shape[w->dim[0]];
    /* cuFFT requires a distance even for a single transform */
    side->dist = w->batches ? v->stride[w->batch[w->batches - 1]] : inner * side->embed[0];
    for (int i = w->batches - 2; i >= 0; i--) {
        int b = w->batch[i], c = w->batch[i + 1];
        if (v->stride[b] != v->stride[c] * v->shape[c])
            return false;
    }
    return side->dist > 0;
}

/* Replaces a view by packed memory, batch dims outside and transformed ones inside; `copied`: with
 * the view's elements. */
static bool fft_pack(struct work *w, struct view *v, bool copied)
{
    struct view packed = {.shape = v->shape, .dtype = v->dtype};
    int64_t step = 1;
    for (int i = w->rank - 1; i >= 0; i--) {
        packed.stride[w->dim[i]] = step;
        step *= v->shape[w->dim[i]];
    }
    for (int i = w->batches - 1; i >= 0; i--) {
        packed.stride[w->batch[i]] = step;
        step *= v->shape[w->batch[i]];
    }
    packed.data = cti_cuda_scratch(w->device.index, step * cti_itemsize((enum ct_dtype)v->dtype),
                                   &packed.block);
    if (!packed.data)
        return false;
    if (copied && !copy_view(w->device, w->ndim, v->shape, &packed, v, false)) {
        cti_cuda_scratch_end(packed.block);
        return false;
    }
    *v = packed;
    return true;
}

static int fft_library_type(int dtype)
{
    return dtype == CT_FLOAT32 ? 0 : dtype == CT_FLOAT64 ? 1 : dtype == CT_COMPLEX64 ? 4 : 5;
}

/* Transforms at most three dims. Overwrites the input if it is also the output. */
static bool fft_transform(struct work *w, bool inverse, bool *supported)
{
    struct view in = *w->in, out = *w->out;
    struct shape s;
    bool to_real = out.dtype < CT_COMPLEX64, in_place = in.data == out.data, good = true;
    memset(&s, 0, sizeof s);
    sort_batches(w);
    bool packs_out = !describe_side(w, &out, &s.out);
    if (packs_out)
        good = fft_pack(w, &out, in_place) && describe_side(w, &out, &s.out);
    if (in_place) {
        in = out;
        s.in = s.out;
    } else if (good && (to_real || !describe_side(w, &in, &s.in))) {
        good = fft_pack(w, &in, true) && describe_side(w, &in, &s.in);
    }
    s.rank = w->rank;
    s.batch = 1;
    for (int i = 0; i < w->batches; i++)
        s.batch *= out.shape[w->batch[i]];
    for (int i = 0; i < w->rank; i++)
        s.n[i] = in.dtype < CT_COMPLEX64 ? in.shape[w->dim[i]] : out.shape[w->dim[i]];
    s.in_type = fft_library_type(in.dtype);
    s.out_type = fft_library_type(out.dtype);
    s.compute = fft_library_type(in.dtype < CT_COMPLEX64 ? out.dtype : in.dtype);
    good = good && fft_run_plan(w->device.index, &s, in.data, out.data, inverse, supported);
    if (good && packs_out)
        good = copy_view(w->device, w->ndim, out.shape, w->out, &out, false);
    if (!in_place)
        cti_cuda_scratch_end(in.block);
    cti_cuda_scratch_end(out.block);
    return good;
}

/* ---- the engine ---- */

/* Fills the upper half along a dim by Hermitian symmetry, with the lower half reversed and
 * conjugated.
 * */
static bool fft_mirror(const ct_tensor *t, int dim)
{
    int64_t n = t->shape[dim], half = n / 2 + 1, shape[CTI_MAX_DIMS];
    int64_t size = cti_itemsize((enum ct_dtype)t->dtype);
    struct view to = view_of(t), from = to;
    memcpy(shape, t->shape, (size_t)t->ndim * sizeof *shape);
    shape[dim] = n - half;
    if (shape[dim] == 0)
        return true;
    to.data += half * t->stride[dim] * size;
    from.data += (n - half) * t->stride[dim] * size;
    from.stride[dim] = -from.stride[dim];
    return copy_view(t->storage->device, t->ndim, shape, &to, &from, true);
}

/* Scales all elements, real and imaginary parts alike. */
static bool scale_elements(const ct_tensor *t, double scale)
{
    int64_t shape[CTI_MAX_DIMS + 1], step[CTI_MAX_DIMS + 1], none[CTI_MAX_DIMS + 1] = {0};
    bool complex = t->dtype >= CT_COMPLEX64;
    uint8_t real = t->dtype == CT_COMPLEX64 || t->dtype == CT_FLOAT32 ? CT_FLOAT32 : CT_FLOAT64;
    int64_t size = cti_itemsize((enum ct_dtype)t->dtype);
    float narrow = (float)scale;
    for (int d = 0; d < t->ndim; d++) {
        shape[d] = t->shape[d];
        step[d] = t->stride[d] * size;
    }
    shape[t->ndim] = complex ? 2 : 1;
    step[t->ndim] = size / 2;
    struct cti_pointwise p = {.work = {CTI_ENGINE_pointwise, t->storage->device},
                              .numbers = 1u << 2,
                              .ndim = t->ndim + 1,
                              .nout = 1,
                              .noperands = 3,
                              .nsteps = 1,
                              .shape = shape};
    p.operand[0] =
        (struct cti_operand){.data = cti_data(t), .dtype = real, .compute = real, .bstride = step};
    p.operand[1] = p.operand[0];
    p.operand[2] =
        (struct cti_operand){.data = real == CT_FLOAT32 ? (char *)&narrow : (char *)&scale,
                             .dtype = real,
                             .compute = real,
                             .bstride = none};
    p.step[0] = (struct cti_step){.row = CTI_ROW_MUL, .dtype = real, .nin = 2, .in = {1, 2}};
    memset(p.slot_dtype, real, 3);
    return cti_run(&p.work);
}

/* Removes dims from the end of the list, as many as one plan can transform. Dims of size 1 are
 * skipped, except for the last. */
static void take_dims(struct work *w, ct_ints dim, int64_t *left)
{
    int64_t n = *left;
    int found[MOST_DIMS];
    w->rank = 0;
    while (n > 0 && w->rank < MOST_DIMS) {
        int64_t d = dim.v[--n];
        if (w->rank == 0 || w->out->shape[d] != 1)
            found[w->rank++] = (int)d;
    }
    for (int i = 0; i < w->rank; i++)
        w->dim[i] = found[w->rank - 1 - i];
    *left = n;
}

static bool fft_run(ct_tensor *out, ct_tensor *in, ct_ints dim, bool inverse, bool *supported)
{
    struct view from = view_of(in), to = view_of(out);
    struct work w = {.device = out->storage->device, .in = &from, .out = &to, .ndim = out->ndim};
    int64_t left = dim.n, last = dim.v[dim.n - 1], shape[CTI_MAX_DIMS];
    if (in->dtype < CT_COMPLEX64 && out->shape[last] == in->shape[last] && in->shape[last] > 2) {
        /* A full complex result of a real input: the last dim is a real-to-complex transform,
         * completed by symmetry; the others are complex. */
        memcpy(shape, out->shape, (size_t)out->ndim * sizeof *shape);
        shape[last] = shape[last] / 2 + 1;
        to.shape = shape;
        w.rank = 1;
        w.dim[0] = (int)last;
        left--;
        if (!fft_transform(&w, false, supported) || !fft_mirror(out, (int)last))
            return false;
        from = to = view_of(out);
    }
    while (left > 0) {
        take_dims(&w, dim, &left);
        if (!fft_transform(&w, inverse, supported))
            return false;
        from = to;
    }
    return true;
}

enum cti_status cti_cuda_fft(struct cti_fft *work)
{
    ct_tensor *out = work->out, *in = work->in;
    bool supported = true;
    if (cti_cuda_fake() || !cti_cuda_has_kernels() || !has_library() ||
        !cti_cuda_use(out->storage->device.index))
        return CTI_DECLINED;
    if (!fft_run(out, in, work->dims, work->inverse, &supported)) {
        if (ct_error_kind() != CT_ERR_NONE)
            return CTI_FAILED;
        if (supported || in == out) /* the input may be overwritten already, so the host cannot take
                                     * over */
            return cti_refuse(CT_ERR_RUNTIME, "cuFFT failed to transform");
        return CTI_DECLINED;
    }
    return work->scale == 1 || scale_elements(out, work->scale);
}

/* ---- the plan cache's interface ---- */

int ct_cuda_fft_plans(int device)
{
    pthread_mutex_lock(&lock);
    int n = device >= 0 && device < CTI_CUDA_MAX_DEVICES ? caches[device].n : 0;
    pthread_mutex_unlock(&lock);
    return n;
}

int ct_cuda_fft_most_plans(int device)
{
    return device >= 0 && device < CTI_CUDA_MAX_DEVICES ? fft_limit_of(device) : 0;
}

void ct_cuda_set_fft_plans(int device, int most)
{
    if (device < 0 || device >= CTI_CUDA_MAX_DEVICES || most < 0)
        return;
    pthread_mutex_lock(&lock);
    most_plans[device] = most + 1;
    fft_shrink_cache(device, most);
    pthread_mutex_unlock(&lock);
}

void ct_cuda_clear_fft_plans(int device)
{
    pthread_mutex_lock(&lock);
    if (device >= 0 && device < CTI_CUDA_MAX_DEVICES)
        fft_shrink_cache(device, 0);
    pthread_mutex_unlock(&lock);
}
