/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample engine (grid_sample): the forward pass and the gradient of the grid divide the sampled
 * locations among threads; the gradient of the input divides blocks of channels. So each element is
 * computed by one thread, which sums over locations in order. Called through the backend table; the
 * arithmetic is in typed.h. */
#include "core/sample.h"
#include "cpu/engines.h"

#include "core/parallel.h"

#include <math.h>

#define GRAIN 4096  /* elements read that are worth a thread */
#define CHANNELS 16 /* channels that share the weights of a location */

#define T float
#define FLOOR floorf
#define NEARBY nearbyintf
#define FMOD fmodf
#define NAME(x) x##_f32
#include "cpu/sample/typed.h"

#define T double
#define FLOOR floor
#define NEARBY nearbyint
#define FMOD fmod
#define NAME(x) x##_f64
#include "cpu/sample/typed.h"

static void sample_forward(void *context, int64_t begin, int64_t end)
{
    const struct cti_sample *w = context;
    if (w->input->dtype == CT_FLOAT64)
        forward_f64(w, begin, end);
    else
        forward_f32(w, begin, end);
}

static void back_grid(void *context, int64_t begin, int64_t end)
{
    const struct cti_sample *w = context;
    if (w->input->dtype == CT_FLOAT64)
        back_grid_f64(w, begin, end);
    else
        back_grid_f32(w, begin, end);
}

static void back_input(void *context, int64_t begin, int64_t end)
{
    const struct cti_sample *w = context;
    int64_t blocks = (w->channels + CHANNELS - 1) / CHANNELS;
    for (int64_t i = begin; i < end; i++) {
        int64_t from = i % blocks * CHANNELS, to = from + CHANNELS;
        to = to < w->channels ? to : w->channels;
        if (w->input->dtype == CT_FLOAT64)
            back_input_f64(w, i / blocks, from, to);
        else
            back_input_f32(w, i / blocks, from, to);
    }
}

enum cti_status cti_cpu_sample(struct cti_sample *w)
{
    int64_t grain = GRAIN / (4 * (w->channels + 4)) + 1;
    if (w->out)
        cti_parallel_for(w->batch * w->places, grain, sample_forward, (void *)(uintptr_t)w);
    if (w->grad_grid)
        cti_parallel_for(w->batch * w->places, grain, back_grid, (void *)(uintptr_t)w);
    if (w->grad_input)
        cti_parallel_for(w->batch * ((w->channels + CHANNELS - 1) / CHANNELS), 1, back_input,
                         (void *)(uintptr_t)w);
    return true;
}
