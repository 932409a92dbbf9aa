/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches depthwise.cu, convolutions in groups of one input channel. Called by conv.c. */
#include "cuda/conv/algorithms.h"

#include "cuda/conv/partial_sums.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define THREADS 256
#define EACH 4 /* adjacent elements of a thread, as in the kernel */
#define MOST_TAPS 49

/* Mirrors the kernel's struct. */
struct side {
    void *data;
    int32_t outer, channel, row, column;
};

struct arguments {
    struct side input, weight, output;
    const void *bias;
    void *parts;
    int32_t images, in_channels, out_channels, per, n, span;
    int32_t in[2], out[2], stride[2], padding[2], dilation[2];
    bool channels_last;
};

/* One spatial dim is treated as the second of two. */
static struct side side_of(const ct_tensor *t, int32_t size[2])
{
    int last = t->ndim - 1;
    bool two = t->ndim == 4;
    size[0] = two ? (int32_t)t->shape[2] : 1;
    size[1] = (int32_t)t->shape[last];
    return (struct side){cti_data(t), (int32_t)t->stride[0], (int32_t)t->stride[1],
                         two ? (int32_t)t->stride[2] : 0, (int32_t)t->stride[last]};
}

bool cti_cuda_is_conv_depthwise(const struct cti_conv *w)
{
    const int64_t most = INT32_MAX / 2;
    int64_t taps = w->weight->numel / w->weight->shape[0];
    return w->groups > 1 && w->weight->shape[1] == 1 && w->dims < 3 && taps <= MOST_TAPS &&
           (w->input->dtype == CT_FLOAT32 || w->input->dtype == CT_FLOAT64) &&
           w->input->numel < most && w->output->numel < most && w->weight->numel < most;
}

/* x by y blocks; on fake devices it only compiles. */
static bool run(const struct arguments *a, const struct cti_conv *w, const int32_t taps[2],
                unsigned x, unsigned y)
{
    bool plain = a->stride[1] == 1 && a->dilation[1] == 1;
    return cti_cuda_run(&(struct cti_launch){
        .file = "conv/depthwise",
        .texts = {{"T", cti_cuda_type[w->input->dtype]}, {"PLAIN", plain ? "" : NULL}},
        .params = {{"KIND", (int)w->kind}, {"HEIGHT", taps[0]}, {"WIDTH", taps[1]}},
        .device = w->input->storage->device.index,
        .grid = {x, y},
        .threads = THREADS,
        .args = a,
        .size = sizeof *a});
}

static bool run_weight(struct arguments *a, const struct cti_conv *w, const int32_t taps[2])
{
    struct cti_cuda_device *d = cti_cuda_use(w->input->storage->device.index);
    struct cti_conv_partial_sums parts;
    int64_t wanted = (8 * d->multiprocessors + a->out_channels - 1) / a->out_channels;
    int64_t elements = (int64_t)a->images * a->out[0] * a->out[1];
    if (!cti_conv_partial_sums_begin(&parts, w, wanted, elements, 2048))
        return false;
    a->span = (int32_t)parts.span;
    a->parts = parts.data;
    bool sent = run(a, w, taps, (unsigned)a->out_channels, (unsigned)parts.n);
    return cti_conv_partial_sums_end(&parts, w, sent);
}

bool cti_cuda_conv_depthwise(const struct cti_conv *w)
{
    struct arguments a = {.bias = w->bias ? cti_data(w->bias) : NULL,
                          .images = (int32_t)w->input->shape[0],
                          .in_channels = (int32_t)w->input->shape[1],
                          .out_channels = (int32_t)w->output->shape[1],
                          .channels_last = w->channels_last};
    int32_t taps[2];
    a.per = a.out_channels / a.in_channels;
    a.input = side_of(w->input, a.in);
    a.weight = side_of(w->weight, taps);
    a.output = side_of(w->output, a.out);
    a.stride[0] = a.dilation[0] = 1;
    for (int d = 0; d < w->dims; d++) {
        int to = d + 2 - w->dims;
        a.stride[to] = (int32_t)w->stride[d];
        a.padding[to] = (int32_t)w->padding[d];
        a.dilation[to] = (int32_t)w->dilation[d];
    }
    if (!cti_cuda_use(w->input->storage->device.index))
        return false;
    if (w->kind == CTI_CONV_WEIGHT)
        return run_weight(&a, w, taps);
    const ct_tensor *to = w->kind == CTI_CONV_INPUT ? w->input : w->output;
    int64_t row = to->shape[to->ndim - 1];
    a.n = (int32_t)(to->numel / row * ((row + EACH - 1) / EACH));
    return run(&a, w, taps, ((unsigned)a.n + THREADS - 1) / THREADS, 1);
}
