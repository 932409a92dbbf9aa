/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses an algorithm for a convolution: our kernels for groups of one channel and for float32
 * images with few channels, else cuDNN (cudnn.c). implicit_gemm.c is the fallback if cuDNN is
 * missing or does not support a convolution; integers and complex numbers are computed on the
 * host. */
#include "cuda/common/strided_copy.h"
#include "cuda/conv/algorithms.h"
#include "cuda/conv/cudnn.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include "corten/cuda.h"
#include "corten/rows.h"

#include <string.h>

/* ---- cuDNN ---- */

/* Fills in the shape of a tensor, with at least two spatial dims, and the strides it would have in
 * cuDNN's channels-last or channels-first layout. Returns whether it has those strides. */
static bool describe_tensor(struct cti_cudnn_tensor *to, const ct_tensor *t, bool channels_last)
{
    int ndim = t->ndim < 4 ? 4 : t->ndim;
    int64_t step = channels_last ? t->shape[1] : 1;
    bool fits = true;
    for (int d = ndim - 1; d >= 2; d--) {
        to->shape[d] = conv_size(t, d, ndim);
        to->stride[d] = step;
        fits = fits && (to->shape[d] == 1 || conv_stride(t, d, ndim) == step);
        step *= to->shape[d];
    }
    to->shape[0] = t->shape[0];
    to->shape[1] = t->shape[1];
    to->stride[1] = channels_last ? 1 : step;
    to->stride[0] = channels_last ? step : step * t->shape[1];
    return fits && (t->shape[1] == 1 || t->stride[1] == to->stride[1]) &&
           (t->shape[0] == 1 || t->stride[0] == to->stride[0]);
}

/* Copies a weight to memory with cuDNN's layout, or back. */
static bool copy_weight(const ct_tensor *t, const struct cti_cudnn_tensor *layout, void *packed,
                        bool back)
{
    int64_t stride[CTI_CUDNN_DIMS];
    int missing = t->ndim < 4;
    for (int d = 0; d < t->ndim; d++)
        stride[d] = layout->stride[d < 2 ? d : d + missing];
    struct cti_cuda_strided own = {cti_data(t), t->dtype, t->stride};
    struct cti_cuda_strided other = {packed, t->dtype, stride};
    return cti_cuda_copy_strided(t->storage->device, t->ndim, t->shape, back ? own : other,
                                 back ? other : own, false);
}

static bool add_bias(const struct cti_conv *w)
{
    ct_tensor *t = w->kind == CTI_CONV_INPUT ? w->input : w->output;
    int64_t size = cti_itemsize((enum ct_dtype)t->dtype), channels = t->shape[1];
    int64_t inner = t->numel / t->shape[0] / channels;
    const int64_t shape[] = {t->shape[0], channels, inner};
    const int64_t to[] = {channels * inner * size, (w->channels_last ? 1 : inner) * size,
                          (w->channels_last ? channels : 1) * size};
    const int64_t from[] = {0, size, 0};
    uint8_t dtype = (uint8_t)t->dtype, compute = (uint8_t)cti_cuda_compute(dtype);
    struct cti_operand x = {.data = cti_data(t), .dtype = dtype, .compute = compute, .bstride = to};
    struct cti_pointwise p = {
        .work = {CTI_ENGINE_pointwise, t->storage->device}, .ndim = 3, .nout = 1, .noperands = 3};
    p.shape = shape;
    p.nsteps = 1;
    p.operand[0] = p.operand[1] = p.operand[2] = x;
    p.operand[2].data = cti_data(w->bias);
    p.operand[2].bstride = from;
    p.step[0] = (struct cti_step){.row = CTI_ROW_ADD, .dtype = compute, .nin = 2, .in = {1, 2}};
    memset(p.slot_dtype, compute, 3);
    return cti_run(&p.work);
}

/* The largest power of two up to 16 that divides all three addresses. */
static int alignment_of(const void *a, const void *b, const void *c)
{
    uintptr_t bits = (uintptr_t)a | (uintptr_t)b | (uintptr_t)c | 16;
    return (int)(bits & -bits);
}

/* False without an error if cuDNN does not support the convolution. */
static bool conv_cudnn(const struct cti_conv *w)
{
    struct cti_cudnn_conv c;
    memset(&c, 0, sizeof c); /* clears the padding too, since the struct is a key compared by
                              * memcmp */
    int device = w->input->storage->device.index;
    c.kind = (int32_t)w->kind;
    c.device = device;
    c.dtype = (int32_t)w->input->dtype;
    c.dims = w->dims == 1 ? 2 : w->dims;
    c.tf32 = ct_cuda_switch(CT_CUDNN_CONV_TF32);
    c.deterministic =
        ct_cuda_switch(CT_CUDNN_DETERMINISTIC) || ct_cuda_switch(CT_CUDA_DETERMINISTIC);
    for (int d = 0; d < c.dims; d++) {
        c.stride[d] = conv_param(w, w->stride, d, c.dims, 1);
        c.padding[d] = conv_param(w, w->padding, d, c.dims, 0);
        c.dilation[d] = conv_param(w, w->dilation, d, c.dims, 1);
    }
    describe_tensor(&c.input, w->input, w->channels_last);
    describe_tensor(&c.output, w->output, w->channels_last);
    bool in_place = describe_tensor(&c.weight, w->weight, w->channels_last);
    bool writes = w->kind == CTI_CONV_WEIGHT;
    void *weight = cti_data(w->weight), *block = NULL;
    if (!in_place) {
        int64_t nbytes = w->weight->numel * cti_itemsize((enum ct_dtype)w->weight->dtype);
        weight = cti_cuda_scratch(device, nbytes, &block);
    }
    bool good = weight && (in_place || writes || copy_weight(w->weight, &c.weight, weight, false));
    c.alignment = alignment_of(cti_data(w->input), weight, cti_data(w->output));
    good = good && !cti_cudnn_run(&c, cti_data(w->input), weight, cti_data(w->output)) &&
           (in_place || !writes || copy_weight(w->weight, &c.weight, weight, true)) &&
           (!w->bias || add_bias(w));
    cti_cuda_scratch_end(block);
    return good;
}

/* ---- the choice ---- */

/* Thresholds, in multiply-adds (base-2 logarithms) and in channels, measured on an H200. cuDNN
 * converts images into another layout and back, so our kernels win if there are few channels, which
 * leave little other work to do. */
enum {
    /* Up to TINY, launching cuDNN takes longer than running our kernels. Up to SMALL, cuDNN spends
     * most of its time on layouts. */
    TINY_LOG2 = 24,
    SMALL_LOG2 = 28,
    /* strip: channels of the image and of the result. */
    STRIP_MAX_IC = 32,
    STRIP_MAX_OC = 64,
    /* tensor_cores: forward, for images such as RGB; with strides, for small convolutions. */
    FORWARD_MAX_IC = 4,
    STRIDED_MAX = 64,
    /* patch: the gradient of an image with few channels, where cuDNN adds by atomics, so that the
     * bits of two runs would differ. */
    IMAGE_MAX_IC = 64,
    IMAGE_MAX_OC = 4,
    /* patch: other convolutions, by precision. With more taps, patch is used only for gradients of
     * the input and, in TF32, for gradients of a weight with few input channels. */
    PATCH_MAX_TF32 = 32,
    PATCH_MAX_EXACT = 16,
    PATCH_MAX_TAPS = 9,
    WEIGHT_MAX_IC = 8
};

/* The facts that the choice depends on. Sizes are those of the convolution that is computed; for
 * the gradient of the input, that is a convolution of the output's gradient. */
struct conv_facts {
    int64_t products, ic, oc, taps;
    int64_t channels; /* channels that are summed over; for a weight gradient, the larger of ic and
                       * oc */
    bool tf32, strided, cudnn;
    bool small;               /* too small for cuDNN, or there is no cuDNN */
    bool tensor_cores, patch; /* these kernels fit */
};

static struct conv_facts facts_of(const struct cti_conv *w)
{
    const int64_t *k = w->weight->shape;
    const bool flip = w->kind == CTI_CONV_INPUT;
    struct conv_facts f = {.products = w->output->numel * (w->weight->numel / k[0]),
                           .ic = k[!flip],
                           .oc = k[flip],
                           .taps = w->weight->numel / k[0] / k[1],
                           .tf32 = ct_cuda_switch(CT_CUDNN_CONV_TF32),
                           .strided = w->stride[w->dims - 1] > 1,
                           .cudnn = cti_cudnn_found()};
    f.channels = w->kind == CTI_CONV_WEIGHT && f.oc > f.ic ? f.oc : f.ic;
    f.small = f.products <= (int64_t)1 << TINY_LOG2 || !f.cudnn;
    f.tensor_cores = cti_cuda_conv_tensor_cores_fits(w);
    f.patch = f.tensor_cores && cti_cuda_conv_patch_fits(w);
    return f;
}

static bool is_depthwise(const struct cti_conv *w, const struct conv_facts *f)
{
    (void)f;
    return cti_cuda_conv_depthwise_fits(w);
}

static bool is_for_strip(const struct cti_conv *w, const struct conv_facts *f)
{
    return f->patch && f->ic <= STRIP_MAX_IC && f->oc <= STRIP_MAX_OC &&
           cti_cuda_conv_strip_fits(w);
}

static bool is_for_patch(const struct cti_conv *w, const struct conv_facts *f)
{
    if (!f->patch || f->small)
        return f->patch;
    if (w->kind == CTI_CONV_FORWARD && f->ic <= FORWARD_MAX_IC)
        return false; /* tensor_cores */
    if (w->kind == CTI_CONV_INPUT && f->oc <= IMAGE_MAX_OC && f->ic <= IMAGE_MAX_IC)
        return true;
    return f->channels <= (f->tf32 ? PATCH_MAX_TF32 : PATCH_MAX_EXACT) &&
           (f->taps <= PATCH_MAX_TAPS || w->kind == CTI_CONV_INPUT ||
            (w->kind == CTI_CONV_WEIGHT && f->tf32 && f->ic <= WEIGHT_MAX_IC));
}

static bool is_for_tensor_cores(const struct cti_conv *w, const struct conv_facts *f)
{
    return f->tensor_cores &&
           (f->small || (w->kind == CTI_CONV_FORWARD && f->ic <= FORWARD_MAX_IC) ||
            (f->strided && w->kind != CTI_CONV_INPUT && f->channels <= STRIDED_MAX &&
             f->products <= (int64_t)1 << SMALL_LOG2));
}

static bool is_for_cudnn(const struct cti_conv *w, const struct conv_facts *f)
{
    (void)w;
    return f->cudnn && ct_cuda_switch(CT_CUDNN_ENABLED);
}

static bool is_for_any(const struct cti_conv *w, const struct conv_facts *f)
{
    (void)w, (void)f;
    return true;
}

/* Best first. If `run` returns false without an error, it cannot compute the convolution, and the
 * next algorithm that applies is tried. */
static const struct conv_algorithm {
    const char *name; /* for readers and debuggers */
    bool (*applies)(const struct cti_conv *w, const struct conv_facts *f);
    bool (*run)(const struct cti_conv *w);
} algorithms[] = {
    {"depthwise", is_depthwise, cti_cuda_conv_depthwise},
    {"strip", is_for_strip, cti_cuda_conv_strip},
    {"patch", is_for_patch, cti_cuda_conv_patch},
    {"tensor cores", is_for_tensor_cores, cti_cuda_conv_tensor_cores},
    {"cuDNN", is_for_cudnn, conv_cudnn},
    {"implicit GEMM", is_for_any, cti_cuda_conv_implicit_gemm},
};

enum cti_status cti_cuda_conv(struct cti_conv *w)
{
    int dtype = w->input->dtype;
    if (!cti_cuda_has_kernels() || dtype < CT_FLOAT16 || dtype > CT_FLOAT64 || w->groups > 65535)
        return CTI_DECLINED;
    const struct conv_facts facts = facts_of(w);
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        if (!algorithms[i].applies(w, &facts))
            continue;
        if (algorithms[i].run(w))
            return cti_cuda_launched(true);
        if (ct_error_kind() != CT_ERR_NONE)
            break;
    }
    return CTI_FAILED;
}
