/* SPDX-License-Identifier: BSD-3-Clause */
/* The copy, fill and ramp engines: copies and fills are pointwise programs without steps. */
#include "core/dtype.h"
#include "core/parallel.h"
#include "core/value.h"
#include "cpu/engines.h"
#include "cpu/pointwise/loops.h"
#include "cpu/pointwise/pack.h"

#include <string.h>

static void set_operand(struct cti_operand *x, ct_tensor *t, const struct cti_pointwise *w,
                        int64_t *bstride)
{
    int64_t size = cti_itemsize(t->dtype);
    int pad = w->ndim - t->ndim;
    x->data = cti_data(t);
    x->dtype = t->dtype;
    x->bstride = bstride;
    for (int d = 0; d < w->ndim; d++)
        bstride[d] = d < pad || t->shape[d - pad] < 2 ? 0 : t->stride[d - pad] * size;
}

enum cti_status cti_cpu_copy(struct cti_copy *work)
{
    ct_tensor *dst = work->dst, *src = work->src;
    struct cti_pointwise w;
    int64_t bstride[2][CTI_MAX_DIMS];
    /* Flags of the result move to the source: conj(a) = b means a = conj(b). */
    uint8_t flags = (uint8_t)((dst->flags ^ src->flags) & (CTI_CONJ | CTI_NEG));
    bool plain = dst->dtype == src->dtype && !flags && dst->numel == src->numel &&
                 (dst->flags & src->flags & CTI_CONTIGUOUS);
    if (plain && dst->numel * cti_itemsize(dst->dtype) <= 65536) {
        cti_cpu_copy_bytes(cti_data(dst), cti_data(src), dst->numel * cti_itemsize(dst->dtype));
        return true;
    }
    w.ndim = dst->ndim;
    w.nout = 1;
    w.noperands = 2;
    w.nsteps = 0;
    w.shape = dst->shape;
    set_operand(&w.operand[0], dst, &w, bstride[0]);
    set_operand(&w.operand[1], src, &w, bstride[1]);
    w.operand[1].flags = flags;
    w.operand[0].flags = 0;
    /* Elements are loaded in their own type and cast when they are stored. Flags require a compute
     * type in which elements can be negated. */
    w.operand[0].compute = w.operand[1].compute =
        flags ? (uint8_t)cti_dtype_compute(src->dtype) : src->dtype;
    w.slot_dtype[0] = w.slot_dtype[1] = w.operand[0].compute;
    return cti_cpu_pointwise(&w);
}

#define CLEARED_AT_ONCE 65536 /* bytes of zeros that memset writes directly */

enum cti_status cti_cpu_fill(struct cti_fill *work)
{
    ct_tensor *dst = work->dst;
    ct_value number = work->number;
    struct cti_pointwise w;
    int64_t bstride[2][CTI_MAX_DIMS];
    _Alignas(16) char element[16];
    if (dst->flags & CTI_NEG && (number.kind == CT_VALUE_INT || number.kind == CT_VALUE_UINT)) {
        number = ct_value_int((int64_t)(0 - number.as.u)); /* exact for 64-bit integers too */
    } else if (dst->flags & CTI_NEG || (dst->flags & CTI_CONJ && number.kind == CT_VALUE_COMPLEX)) {
        double sign = dst->flags & CTI_NEG ? -1 : 1,
               imag_sign = dst->flags & CTI_CONJ ? -sign : sign;
        number =
            ct_value_complex_of(sign * cti_value_real(number), imag_sign * cti_value_imag(number));
    }
    int64_t nbytes = dst->numel * cti_itemsize(dst->dtype);
    if (number.kind == CT_VALUE_INT && number.as.i == 0 && dst->flags & CTI_CONTIGUOUS &&
        nbytes <= CLEARED_AT_ONCE) {
        if (nbytes)
            memset(cti_data(dst), 0, (size_t)nbytes);
        return true;
    }
    cti_value_store(element, dst->dtype, number);
    w.ndim = dst->ndim;
    w.nout = 1;
    w.noperands = 2;
    w.nsteps = 0;
    w.shape = dst->shape;
    set_operand(&w.operand[0], dst, &w, bstride[0]);
    memset(bstride[1], 0, sizeof(int64_t) * (size_t)dst->ndim);
    w.operand[1] =
        (struct cti_operand){.data = element, .dtype = dst->dtype, .bstride = bstride[1]};
    w.operand[0].flags = 0;
    w.operand[0].compute = w.operand[1].compute = dst->dtype;
    w.slot_dtype[0] = w.slot_dtype[1] = dst->dtype;
    return cti_cpu_pointwise(&w);
}

/* ---- ranges ---- */

/* A range of values. With `mirrored`, the second half is computed from the end downwards, as in
 * PyTorch. */
struct ramp {
    char *data;
    enum ct_dtype dtype;
    double start[2], step[2], end[2]; /* real, imaginary */
    int64_t i_start, i_step, n;
    bool mirrored;
};

static double ramp_at(const struct ramp *r, int part, int64_t i)
{
    if (r->mirrored && i >= r->n / 2)
        return r->end[part] - r->step[part] * (double)(r->n - 1 - i);
    return r->start[part] + r->step[part] * (double)i;
}

#define RAMP_BLOCK 512 /* elements */
#define RAMP_GRAIN 32768

/* Note [Counting]: processors convert 64-bit integers to floating point one at a time, but 32-bit
 * ones many at a time. So loops count from the start of a block in an int, and the index of the
 * block's first element is added as a double, which is exact. */

/* Values [begin, end) of a float64 range. */
static void ramp_f64(const struct ramp *r, double *out, int64_t begin, int64_t end)
{
    int64_t half = r->mirrored ? r->n / 2 : r->n;
    double start = r->start[0], step = r->step[0], last = r->end[0];
    for (int64_t at = begin, stop; at < end; at = stop, out += stop - begin, begin = stop) {
        stop = at < half && half < end ? half : end;
        stop = stop - at > RAMP_BLOCK ? at + RAMP_BLOCK : stop;
        double first = (double)(at < half ? at : r->n - 1 - at);
        int n = (int)(stop - at);
        if (at < half)
            for (int j = 0; j < n; j++)
                out[j] = start + step * (first + (double)j);
        else
            for (int j = 0; j < n; j++)
                out[j] = last - step * (first - (double)j);
    }
}

/* float32 ranges with two ends compute in float32, as PyTorch does. */
static void ramp_f32(const struct ramp *r, float *out, int64_t begin, int64_t end)
{
    float start = (float)r->start[0], last = (float)r->end[0];
    float step = r->n > 1 ? (last - start) / (float)(r->n - 1) : 0;
    int64_t half = r->n / 2, i = begin;
    if (r->n <= INT32_MAX) {
        int32_t j = (int32_t)begin, mid = (int32_t)half, n = (int32_t)r->n, stop = (int32_t)end;
        for (; j < stop && j < mid; j++)
            out[j - (int32_t)begin] = start + step * (float)j;
        for (; j < stop; j++)
            out[j - (int32_t)begin] = last - step * (float)(n - 1 - j);
        return;
    }
    for (; i < end && i < half; i++)
        out[i - begin] = start + step * (float)i;
    for (; i < end; i++)
        out[i - begin] = last - step * (float)(r->n - 1 - i);
}

static void ramp_i64(const struct ramp *r, uint64_t *out, int64_t begin, int64_t end)
{
    uint64_t start = (uint64_t)r->i_start, step = (uint64_t)r->i_step;
    for (int64_t i = begin; i < end; i++)
        out[i - begin] = start + step * (uint64_t)i;
}

/* Computes one value at a time, for rare types. */
static void ramp_any(const struct ramp *r, char *p, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++, p += cti_itemsize(r->dtype)) {
        ct_value v;
        if (r->dtype >= CT_COMPLEX64)
            v = ct_value_complex_of(ramp_at(r, 0, i), ramp_at(r, 1, i));
        else if (r->dtype >= CT_FLOAT16 || r->mirrored)
            v = ct_value_float(ramp_at(r, 0, i));
        else
            v = ct_value_int((int64_t)((uint64_t)r->i_start + (uint64_t)r->i_step * (uint64_t)i));
        cti_value_store(p, r->dtype, v);
    }
}

/* Integers, and float32 without an end, are computed in their widest type and cast. */
static void ramp_cast(const struct ramp *r, char *p, int64_t begin, int64_t end)
{
    enum ct_dtype wide = r->dtype == CT_FLOAT32 ? CT_FLOAT64 : CT_INT64;
    union {
        double f[RAMP_BLOCK];
        uint64_t i[RAMP_BLOCK];
    } block;
    for (int64_t at = begin; at < end; at += RAMP_BLOCK) {
        int64_t n = end - at < RAMP_BLOCK ? end - at : RAMP_BLOCK;
        if (wide == CT_FLOAT64)
            ramp_f64(r, block.f, at, at + n);
        else
            ramp_i64(r, block.i, at, at + n);
        cti_cpu_cast(r->dtype, p, wide, &block, n);
        p += n * cti_itemsize(r->dtype);
    }
}

static void run_ramp(void *context, int64_t begin, int64_t end)
{
    const struct ramp *r = context;
    char *p = r->data + begin * cti_itemsize(r->dtype);
    bool whole = r->dtype <= CT_UINT64 && r->dtype != CT_BOOL && !r->mirrored;
    if (r->dtype == CT_FLOAT64)
        ramp_f64(r, (double *)p, begin, end);
    else if (r->dtype == CT_FLOAT32 && r->mirrored)
        ramp_f32(r, (float *)p, begin, end);
    else if (whole && (r->dtype == CT_INT64 || r->dtype == CT_UINT64))
        ramp_i64(r, (uint64_t *)p, begin, end);
    else if (r->dtype == CT_FLOAT32 || whole)
        ramp_cast(r, p, begin, end);
    else
        ramp_any(r, p, begin, end);
}

enum cti_status cti_cpu_ramp(struct cti_ramp *work)
{
    ct_tensor *dst = work->dst;
    ct_value start = work->start;
    ct_value step = work->step;
    ct_value end = work->end;
    enum ct_dtype dtype = dst->dtype;
    struct ramp r = {.data = cti_data(dst),
                     .dtype = dtype,
                     .start = {cti_value_real(start), cti_value_imag(start)},
                     .step = {cti_value_real(step), cti_value_imag(step)},
                     .n = dst->numel,
                     .mirrored = end.kind != CT_VALUE_NONE};
    if (r.mirrored) {
        r.end[0] = cti_value_real(end);
        r.end[1] = cti_value_imag(end);
    } else {
        r.i_start = cti_value_int(start);
        r.i_step = cti_value_int(step);
    }
    return cti_parallel_for(r.n, RAMP_GRAIN, run_ramp, &r);
}
