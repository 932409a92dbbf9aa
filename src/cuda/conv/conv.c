/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions by cuDNN (cudnn.c), or by our kernels for groups of one channel (depthwise.c) and
 * for float32 images with few channels (strip.c, patch.c, tensor_cores.c). implicit_gemm.c does the
 * rest where cuDNN is missing or refuses; integers and complex numbers are computed on the host. */
#include "cuda/conv/algorithms.h"
#include "cuda/conv/cudnn.h"
#include "cuda/conv/patch.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include "corten/cuda.h"
#include "corten/rows.h"

#include <string.h>

/* ---- cuDNN ---- */

/* The shape of a tensor with at least two dims that are convolved, and the strides it has in one
 * of the two layouts. True where it lies like that. */
static bool describe(struct cti_cudnn_tensor *to, const ct_tensor *t, bool channels_last)
{
    int ndim = t->ndim < 4 ? 4 : t->ndim;
    int64_t step = channels_last ? t->shape[1] : 1;
    bool fits = true;
    for (int d = ndim - 1, from = t->ndim - 1; d >= 2; d--) {
        bool there = d > 2 || t->ndim == ndim;
        to->shape[d] = there ? t->shape[from] : 1;
        to->stride[d] = step;
        fits = fits && (to->shape[d] == 1 || t->stride[from] == step);
        step *= to->shape[d];
        from -= there;
    }
    to->shape[0] = t->shape[0];
    to->shape[1] = t->shape[1];
    to->stride[1] = channels_last ? 1 : step;
    to->stride[0] = channels_last ? step : step * t->shape[1];
    return fits && (t->shape[1] == 1 || t->stride[1] == to->stride[1]) &&
           (t->shape[0] == 1 || t->stride[0] == to->stride[0]);
}

/* Between a tensor and memory in the layout of `as`. */
static bool copy_laid(const ct_tensor *t, const struct cti_cudnn_tensor *as, void *room, bool back)
{
    int64_t here[CTI_CUDNN_DIMS], there[CTI_CUDNN_DIMS];
    int64_t size = cti_itemsize((enum ct_dtype)t->dtype);
    int skipped = t->ndim < 4;
    for (int d = 0; d < t->ndim; d++) {
        here[d] = t->stride[d] * size;
        there[d] = as->stride[d < 2 ? d : d + skipped] * size;
    }
    struct cti_pointwise p = {
        .work = {CTI_ENGINE_pointwise, t->storage->device}, .ndim = t->ndim, .nout = 1};
    uint8_t dtype = (uint8_t)t->dtype;
    p.noperands = 2;
    p.shape = t->shape;
    p.operand[back] =
        (struct cti_operand){.data = room, .dtype = dtype, .compute = dtype, .bstride = there};
    p.operand[!back] = (struct cti_operand){
        .data = cti_data(t), .dtype = dtype, .compute = dtype, .bstride = here};
    return cti_run(&p.work);
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

/* Alignment that the library may count on, for all three. */
static int alignment_of(const void *a, const void *b, const void *c)
{
    uintptr_t bits = (uintptr_t)a | (uintptr_t)b | (uintptr_t)c | 16;
    return (int)(bits & -bits);
}

/* False without an error where cuDNN does not do it. */
static bool by_library(const struct cti_conv *w)
{
    struct cti_cudnn_conv c;
    memset(&c, 0, sizeof c);
    int skipped = w->dims == 1, device = w->input->storage->device.index;
    c.kind = (int32_t)w->kind;
    c.device = device;
    c.dtype = (int32_t)w->input->dtype;
    c.dims = w->dims + skipped;
    c.tf32 = ct_cuda_switch(CT_CUDNN_CONV_TF32);
    c.deterministic =
        ct_cuda_switch(CT_CUDNN_DETERMINISTIC) || ct_cuda_switch(CT_CUDA_DETERMINISTIC);
    c.stride[0] = c.dilation[0] = 1;
    for (int d = 0; d < w->dims; d++) {
        c.stride[d + skipped] = w->stride[d];
        c.padding[d + skipped] = w->padding[d];
        c.dilation[d + skipped] = w->dilation[d];
    }
    describe(&c.input, w->input, w->channels_last);
    describe(&c.output, w->output, w->channels_last);
    bool lies = describe(&c.weight, w->weight, w->channels_last),
         writes = w->kind == CTI_CONV_WEIGHT;
    void *weight = cti_data(w->weight), *block = NULL;
    if (!lies) {
        int64_t nbytes = w->weight->numel * cti_itemsize((enum ct_dtype)w->weight->dtype);
        weight = cti_cuda_scratch(device, nbytes, &block);
    }
    bool good = weight && (lies || writes || copy_laid(w->weight, &c.weight, weight, false));
    c.alignment = alignment_of(cti_data(w->input), weight, cti_data(w->output));
    good = good && !cti_cudnn_run(&c, cti_data(w->input), weight, cti_data(w->output)) &&
           (lies || !writes || copy_laid(w->weight, &c.weight, weight, true)) &&
           (!w->bias || add_bias(w));
    cti_cuda_scratch_end(block);
    return good;
}

/* ---- which kernels ---- */

enum way { BY_LIBRARY, BY_GATHERING, BY_PATCHES, BY_STRIPS };

#define TINY ((int64_t)1 << 24)  /* products, below which calling cuDNN takes longest */
#define SMALL ((int64_t)1 << 28) /* products, below which it spends most on layouts */

/* What was fastest on an H200. cuDNN brings images into another layout and back, which pays where
 * there are many channels: `few` of those that are summed over, or of all for a weight. */
static enum way way_of(const struct cti_conv *w)
{
    const int64_t *k = w->weight->shape;
    int64_t products = w->output->numel * (w->weight->numel / k[0]);
    int64_t few = w->kind == CTI_CONV_FORWARD                ? k[1]
                  : w->kind == CTI_CONV_INPUT || k[0] > k[1] ? k[0]
                                                             : k[1];
    bool tf32 = ct_cuda_switch(CT_CUDNN_CONV_TF32), strided = w->stride[w->dims - 1] > 1;
    bool box = w->weight->numel / k[0] / k[1] <= 9;
    if (!cti_cuda_is_conv_tensor_cores(w))
        return BY_LIBRARY;
    enum way own = cti_cuda_is_conv_patch(w) ? BY_PATCHES : BY_GATHERING;
    if (own == BY_PATCHES && cti_cuda_is_conv_strip(w))
        return BY_STRIPS;
    if (products <= TINY || !cti_cudnn_found())
        return own;
    if (w->kind == CTI_CONV_FORWARD && few <= 4)
        return BY_GATHERING;
    /* The gradient of an image of few channels, where cuDNN adds by atomics: the bits of two runs
     * would differ. */
    if (own == BY_PATCHES && w->kind == CTI_CONV_INPUT && k[1] <= 4 && few <= 64)
        return BY_PATCHES;
    if (own == BY_PATCHES && few <= (tf32 ? 32 : 16) &&
        (box || w->kind == CTI_CONV_INPUT || (w->kind == CTI_CONV_WEIGHT && tf32 && k[1] <= 8)))
        return BY_PATCHES;
    return strided && w->kind != CTI_CONV_INPUT && few <= 64 && products <= SMALL ? BY_GATHERING
                                                                                  : BY_LIBRARY;
}

enum cti_status cti_cuda_conv(struct cti_conv *w)
{
    int dtype = w->input->dtype, device = w->input->storage->device.index;
    if (!cti_cuda_has_kernels() || dtype < CT_FLOAT16 || dtype > CT_FLOAT64 || w->groups > 65535)
        return CTI_DECLINED;
    if (cti_cuda_is_conv_depthwise(w))
        return cti_cuda_launched(cti_cuda_conv_depthwise(w));
    enum way way = way_of(w);
    if (way != BY_LIBRARY)
        return cti_cuda_launched(way == BY_STRIPS    ? cti_cuda_conv_strip(w)
                                 : way == BY_PATCHES ? cti_cuda_conv_patch(w)
                                                     : cti_cuda_conv_tensor_cores(w));
    if (!cti_cuda_fake() && ct_cuda_switch(CT_CUDNN_ENABLED) && cti_cuda_use(device)) {
        if (by_library(w))
            return true;
        if (ct_error_kind() != CT_ERR_NONE)
            return false;
    }
    return cti_cuda_launched(cti_cuda_conv_implicit_gemm(w));
}
