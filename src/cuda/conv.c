/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions by kernels/conv.cu; whole and complex numbers go by way of the host. */
#include "cuda/engines.h"
#include "cuda/host.h"
#include "cuda/kernel.h"

#include "core/conv.h"

#define THREADS 256

/* As in the kernel. */
struct side {
    void *data;
    int64_t outer, channel, step[3];
};

struct arguments {
    struct side input, weight, output;
    const void *bias;
    int64_t images, in_channels, out_channels, groups, n;
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

bool cti_cuda_conv(const struct cti_conv *w)
{
    struct arguments a = {.bias = w->bias ? cti_data(w->bias) : NULL,
                          .images = w->input->shape[0],
                          .in_channels = w->input->shape[1],
                          .out_channels = w->output->shape[1],
                          .groups = w->groups};
    int dtype = w->input->dtype, wide = cti_cuda_compute(dtype);
    int device = w->input->storage->device.index;
    if (!cti_cuda_has_kernels() || dtype < CT_FLOAT16 || dtype > CT_FLOAT64)
        return cti_cuda_host_conv(w);
    a.input = side_of(w->input, a.in);
    a.weight = side_of(w->weight, a.taps);
    a.output = side_of(w->output, a.out);
    for (int d = 0; d < 3; d++) {
        int from = d - (3 - w->dims);
        a.stride[d] = from < 0 ? 1 : w->stride[from];
        a.padding[d] = from < 0 ? 0 : w->padding[from];
        a.dilation[d] = from < 0 ? 1 : w->dilation[from];
    }
    struct cti_text load = {0}, store = {0};
    cti_cuda_cast(&load, wide, dtype, "(x)");
    cti_cuda_cast(&store, dtype, wide, "(x)");
    cu_function f = NULL;
    if (!load.failed && !store.failed && cti_cuda_use(device))
        f = cti_cuda_template(device, "conv",
                              "#define MEMORY %s\n#define A %s\n#define LOAD(x) %s\n"
                              "#define STORE(x) %s\n#define KIND %d\n",
                              cti_cuda_type[dtype], cti_cuda_type[wide], load.v, store.v,
                              (int)w->kind);
    cti_text_drop(&load);
    cti_text_drop(&store);
    if (!f)
        return false;
    if (cti_cuda_fake())
        return cti_cuda_host_conv(w);
    a.n = w->kind == CTI_CONV_FORWARD ? w->output->numel : w->input->numel;
    int64_t blocks = w->kind == CTI_CONV_WEIGHT ? w->weight->numel : (a.n + THREADS - 1) / THREADS;
    return cti_cuda_launch(device, f, (unsigned)blocks, THREADS, 0, &a, sizeof a);
}
