/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches implicit_gemm.cu, convolutions as products of matrices that are never stored: for cards
 * without cuDNN and for what cuDNN does not take. Called by conv.c. */
#include "cuda/conv/algorithms.h"

#include "cuda/conv/partial_sums.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#define THREADS 256
#define TILE 64

/* As in the kernel. */
struct side {
    void *data;
    int64_t outer, channel, step[3];
};

struct arguments {
    struct side input, weight, output;
    const void *bias;
    void *parts;
    int64_t images, per, each, groups, span;
    int64_t in[3], out[3], taps[3], stride[3], padding[3], dilation[3];
};

/* Dims that are not there come first, with one element. */
static struct side side_of(const ct_tensor *t, int64_t size[3])
{
    struct side s = {cti_data(t), t->stride[0], t->stride[1], {0}};
    int pad = 3 - (t->ndim - 2);
    for (int d = 0; d < 3; d++) {
        size[d] = d < pad ? 1 : t->shape[2 + d - pad];
        s.step[d] = d < pad ? 0 : t->stride[2 + d - pad];
    }
    return s;
}

static struct arguments describe(const struct cti_conv *w)
{
    struct arguments a = {.bias = w->bias ? cti_data(w->bias) : NULL,
                          .images = w->input->shape[0],
                          .per = w->input->shape[1] / w->groups,
                          .each = w->output->shape[1] / w->groups,
                          .groups = w->groups};
    a.input = side_of(w->input, a.in);
    a.weight = side_of(w->weight, a.taps);
    a.output = side_of(w->output, a.out);
    for (int d = 0; d < 3; d++) {
        int from = d - (3 - w->dims);
        a.stride[d] = from < 0 ? 1 : w->stride[from];
        a.padding[d] = from < 0 ? 0 : w->padding[from];
        a.dilation[d] = from < 0 ? 1 : w->dilation[from];
    }
    return a;
}

/* x by y blocks for each group; on fake devices it only compiles. */
static bool run(const struct arguments *a, const struct cti_conv *w, int device, int64_t x,
                int64_t y)
{
    int dtype = w->input->dtype, wide = cti_cuda_compute(dtype);
    int64_t most = INT32_MAX / 2;
    bool few = w->input->numel < most && w->output->numel < most && w->weight->numel < most;
    struct cti_text load = {0}, store = {0};
    bool good = false;
    cti_cuda_cast(&load, wide, dtype, "(x)");
    cti_cuda_cast(&store, dtype, wide, "(x)");
    if (!load.failed && !store.failed)
        good = cti_cuda_run(
            &(struct cti_launch){.file = "conv/implicit_gemm",
                                 .texts = {{"MEMORY", cti_cuda_type[dtype]},
                                           {"A", cti_cuda_type[wide]},
                                           {"LOAD(x)", load.v},
                                           {"STORE(x)", store.v},
                                           {"NUMBER", few ? "int" : "long long"}},
                                 .params = {{"KIND", (int)w->kind}},
                                 .device = device,
                                 .grid = {(unsigned)x, (unsigned)y, (unsigned)a->groups},
                                 .threads = THREADS,
                                 .args = a,
                                 .size = sizeof *a});
    cti_text_free(&load);
    cti_text_free(&store);
    return good;
}

static int64_t tiles_of(int64_t n)
{
    return (n + TILE - 1) / TILE;
}

static bool run_weight(struct arguments *a, const struct cti_conv *w, int device,
                       const struct cti_cuda_device *d)
{
    struct cti_conv_partial_sums parts;
    int64_t blocks = tiles_of(a->each) * tiles_of(w->weight->numel / w->weight->shape[0]);
    int64_t places = a->images * a->out[0] * a->out[1] * a->out[2];
    int64_t wanted = 4 * (int64_t)d->multiprocessors / (blocks * a->groups) + 1;
    if (!cti_conv_partial_sums_begin(&parts, w, wanted, places, 256))
        return false;
    a->span = parts.span;
    a->parts = parts.data;
    return cti_conv_partial_sums_end(&parts, w, run(a, w, device, blocks, parts.n));
}

bool cti_cuda_conv_implicit_gemm(const struct cti_conv *w)
{
    struct arguments a = describe(w);
    int device = w->input->storage->device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    if (w->kind == CTI_CONV_WEIGHT)
        return run_weight(&a, w, device, d);
    const int64_t *size = w->kind == CTI_CONV_INPUT ? a.in : a.out;
    int64_t rows = w->kind == CTI_CONV_INPUT ? a.per : a.each;
    int64_t blocks = tiles_of(rows) * tiles_of(a.images * size[0] * size[1] * size[2]);
    return run(&a, w, device, blocks, 1);
}
