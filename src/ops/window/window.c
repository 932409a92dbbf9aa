/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the tables of the window engine and runs it, for pooling and interpolation. Tables depend
 * only on sizes, so derivatives recompute them instead of saving them. */
#include "ops/window/window.h"

#include "core/alloc.h"
#include "fronts.h"

bool cti_window_table(struct cti_window_dim *dim, int64_t in, int64_t out, int64_t width, int more)
{
    int64_t lists = 2 + !!(more & CTI_WINDOW_DIVISORS), total, each;
    if (__builtin_add_overflow(lists, more & CTI_WINDOW_WEIGHTS ? width : 0, &each) ||
        __builtin_mul_overflow(out, each, &total) || total >= INT64_MAX / 8)
        return cti_refuse(CT_ERR_OUT_OF_MEMORY, "out of memory: a window of %lld elements",
                          (long long)out);
    int64_t *memory = cti_calloc((size_t)total + 1, sizeof *memory);
    if (!memory)
        return false;
    *dim = (struct cti_window_dim){.in = in, .out = out, .step = 1, .width = width};
    dim->start = memory;
    dim->count = memory + out;
    dim->divisor = more & CTI_WINDOW_DIVISORS ? memory + 2 * out : NULL;
    dim->weight = more & CTI_WINDOW_WEIGHTS ? (double *)(memory + lists * out) : NULL;
    return true;
}

bool cti_window_fill(struct cti_window *w, int ndim)
{
    for (int d = 0; d < 3 - ndim; d++) {
        if (!cti_window_table(&w->dim[d], 1, 1, 1, 0))
            return false;
        w->dim[d].count[0] = 1;
    }
    return true;
}

void cti_window_clear(struct cti_window *w)
{
    for (int d = 0; d < 3; d++) {
        cti_free(w->dim[d].start);
        w->dim[d].start = NULL;
    }
}

/* The transposed table of one dim: for each input element, the outputs that read it. */
static bool transpose_table(struct cti_window_dim *dim)
{
    struct cti_window_dim to;
    int64_t width = 0;
    if (!cti_window_table(&to, dim->out, dim->in, 0, 0))
        return false;
    for (int64_t o = 0; o < dim->out; o++)
        for (int64_t k = 0; k < dim->count[o]; k++) {
            int64_t i = dim->start[o] + k;
            to.start[i] = to.count[i] ? to.start[i] : o;
            to.count[i] = o - to.start[i] + 1;
            width = to.count[i] > width ? to.count[i] : width;
        }
    cti_free(to.start);
    if (!cti_window_table(&to, dim->out, dim->in, width, CTI_WINDOW_WEIGHTS))
        return false;
    for (int64_t o = 0; o < dim->out; o++)
        for (int64_t k = 0; k < dim->count[o]; k++) {
            int64_t i = dim->start[o] + k;
            to.start[i] = to.count[i] ? to.start[i] : o;
            to.count[i] = o - to.start[i] + 1;
            double weight = dim->weight ? dim->weight[o * dim->width + k] : 1;
            to.weight[i * width + o - to.start[i]] =
                dim->divisor ? weight / (double)dim->divisor[o] : weight;
        }
    for (int64_t i = 1; i < dim->in; i++) /* the engine expects ascending starts */
        to.start[i] = to.count[i] ? to.start[i] : to.start[i - 1];
    cti_free(dim->start);
    *dim = to;
    return true;
}

bool cti_window_transpose(struct cti_window *w)
{
    return transpose_table(&w->dim[0]) && transpose_table(&w->dim[1]) &&
           transpose_table(&w->dim[2]);
}

/* ---- memory formats ---- */

bool cti_is_channels_last(const ct_tensor *t)
{
    if (t->ndim != 4 && t->ndim != 5)
        return false;
    static const int order4[] = {1, 3, 2, 0}, order5[] = {1, 4, 3, 2, 0};
    const int *order = t->ndim == 4 ? order4 : order5;
    int64_t least = 0;
    if (t->stride[1] == 0)
        return false;
    for (int i = 0; i < t->ndim; i++) {
        int d = order[i];
        if (t->shape[d] == 0 || t->stride[d] < least || (d == 0 && least == t->stride[1]))
            return false;
        least = t->shape[d] > 1 ? cti_mul_sat(t->stride[d], t->shape[d]) : t->stride[d];
    }
    return true;
}

bool cti_line_is_channels_last(const ct_tensor *t)
{
    if (t->ndim != 3)
        return false;
    int64_t shape[] = {t->shape[0], t->shape[1], 1, t->shape[2]};
    int64_t stride[] = {t->stride[0], t->stride[1], cti_mul_sat(t->shape[2], t->stride[2]),
                        t->stride[2]};
    ct_tensor image = {.ndim = 4, .shape = shape, .stride = stride};
    return cti_is_channels_last(&image);
}

enum ct_memory_format cti_format(bool last, int ndim)
{
    if (!last || (ndim != 4 && ndim != 5))
        return CT_CONTIGUOUS_FORMAT;
    return ndim == 4 ? CT_CHANNELS_LAST : CT_CHANNELS_LAST_3D;
}

ct_tensor *cti_empty_in_format(const ct_tensor *t, enum ct_memory_format format,
                               const int64_t *shape, enum ct_dtype dtype)
{
    int64_t stride[CTI_MAX_DIMS];
    if (!cti_shape_format_strides(format, t->ndim, shape, stride))
        return NULL;
    return cti_empty_strided(t->ndim, shape, stride, dtype, t->storage->device);
}

/* ---- running the engine ---- */

/* The dtype in which the engine computes. */
static enum ct_dtype window_compute_type(enum cti_window_op op, enum ct_dtype dtype)
{
    if (dtype == CT_FLOAT16 || dtype == CT_BFLOAT16)
        return CT_FLOAT32;
    if (dtype < CT_FLOAT16)
        return op == CTI_WINDOW_MAX ? CT_INT64 : CT_FLOAT64;
    return dtype;
}

static bool window_prepare(struct cti_window *w, int ndim, enum ct_memory_format format,
                           ct_tensor *in)
{
    int64_t shape[CTI_MAX_DIMS];
    bool last = format != CT_CONTIGUOUS_FORMAT;
    w->outer = 1;
    w->inner = last ? in->shape[1] : 1;
    for (int d = 0; d < in->ndim; d++) {
        bool outside = d < in->ndim - ndim;
        shape[d] = outside ? in->shape[d] : w->dim[3 - in->ndim + d].out;
        if (outside && !(last && d == 1))
            w->outer *= in->shape[d];
    }
    w->in = in;
    w->out = cti_empty_in_format(in, format, shape, (enum ct_dtype)in->dtype);
    return w->out != NULL;
}

ct_tensor *cti_window_run_take(struct cti_window *w, int ndim, bool last, ct_tensor *input,
                               ct_tensor **index)
{
    enum ct_dtype dtype = (enum ct_dtype)input->dtype, type = window_compute_type(w->op, dtype);
    enum ct_memory_format format = cti_format(last && input->ndim == ndim + 2, input->ndim);
    ct_tensor *cast = cti_cast(input, type), *found = NULL, *result = NULL;
    ct_tensor *in = ct_own_contiguous(cast, (int)format);
    bool good = in && window_prepare(w, ndim, format, in);
    if (good && index) {
        found = cti_empty_in_format(in, format, w->out->shape, CT_INT64);
        w->index = found;
        good = found != NULL;
    }
    if (good && cti_run_on(&w->work, CTI_ENGINE_window, in))
        result = cti_cast(w->out, dtype);
    cti_release_all(w->out, cast, in);
    cti_window_clear(w);
    if (index && result)
        *index = found;
    else
        ct_release(found);
    return result;
}
