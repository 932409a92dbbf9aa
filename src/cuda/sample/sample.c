/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches sample.cu, which computes grid_sample and its gradients. */
#include "core/sample.h"
#include "core/small.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"
#include "cuda/sample/sample_args.h"

static bool sample_run(const struct cti_sample *w, int what, ct_tensor *out)
{
    int64_t blocks = what == SAMPLE_GRAD_GRID ? 1 : ceil_div(w->channels, SAMPLE_CHANNELS);
    struct sample_args a = {.input = cti_data(w->input),
                            .grid = cti_data(w->grid),
                            .upstream = cti_cuda_data(w->upstream),
                            .along = cti_cuda_data(w->along),
                            .out = cti_data(out),
                            .batch = w->batch,
                            .channels = w->channels,
                            .locations = w->places,
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
                                             .device = out->storage->device.index,
                                             .grid = {ceil_div(a.n, THREADS)},
                                             .threads = THREADS,
                                             CTI_ARGS(a)});
}

enum cti_status cti_cuda_sample(struct cti_sample *w)
{
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    return cti_cuda_launched((!w->out || sample_run(w, SAMPLE_FORWARD, w->out)) &&
                             (!w->grad_grid || sample_run(w, SAMPLE_GRAD_GRID, w->grad_grid)) &&
                             (!w->grad_input || sample_run(w, SAMPLE_GRAD_INPUT, w->grad_input)));
}
