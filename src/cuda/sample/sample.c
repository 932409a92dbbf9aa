/* SPDX-License-Identifier: BSD-3-Clause */
/* grid_sample by sample.cu. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include "core/sample.h"

#define THREADS 256
#define CHANNELS 8 /* of a thread, as in the kernel */

/* Mirrors the kernel's struct. */
struct arguments {
    const void *input, *grid, *upstream, *along;
    void *out;
    int64_t batch, channels, places, n;
    int64_t in[3];
};

static bool run(const struct cti_sample *w, char what, ct_tensor *out)
{
    int device = out->storage->device.index;
    int64_t blocks = what == 'g' ? 1 : (w->channels + CHANNELS - 1) / CHANNELS;
    struct arguments a = {.input = cti_data(w->input),
                          .grid = cti_data(w->grid),
                          .upstream = w->upstream ? cti_data(w->upstream) : NULL,
                          .along = w->along ? cti_data(w->along) : NULL,
                          .out = cti_data(out),
                          .batch = w->batch,
                          .channels = w->channels,
                          .places = w->places,
                          .n = w->batch * w->places * blocks,
                          .in = {1, 1, 1}};
    for (int d = 0; d < w->ndim; d++)
        a.in[d] = w->in[w->ndim - 1 - d];
    return cti_cuda_run(&(struct cti_launch){.file = "sample/sample",
                                             .texts = {{"T", cti_cuda_type[out->dtype]}},
                                             .params = {{"WHAT", what},
                                                        {"MODE", (int)w->mode},
                                                        {"PADDING", (int)w->padding},
                                                        {"CORNERS", w->corners},
                                                        {"NDIM", w->ndim},
                                                        {"ALONG", w->along != NULL}},
                                             .device = device,
                                             .grid = {(unsigned)((a.n + THREADS - 1) / THREADS)},
                                             .threads = THREADS,
                                             .args = &a,
                                             .size = sizeof a});
}

enum cti_status cti_cuda_sample(struct cti_sample *w)
{
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    bool good = cti_cuda_use(w->input->storage->device.index) != NULL;
    good = good && (!w->out || run(w, 'f', w->out));
    good = good && (!w->grad_grid || run(w, 'g', w->grad_grid));
    good = good && (!w->grad_input || run(w, 'i', w->grad_input));
    return cti_cuda_launched(good);
}
