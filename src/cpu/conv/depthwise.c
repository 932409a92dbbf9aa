/* SPDX-License-Identifier: BSD-3-Clause */
/* Depthwise convolutions: copies the weights to dense memory, divides channels and images among
 * threads and calls the loops of depthwise.h. Called by conv.c. */
#include "cpu/conv/depthwise.h"

#include "core/alloc.h"
#include "core/parallel.h"
#include "core/small.h"

#include <string.h>

#define GRAIN (1 << 15) /* multiplications that justify a separate task */

struct job {
    const struct cti_conv_plan *c;
    const struct cti_depthwise_loops *loops;
    void *weights;
    int64_t blocks, channels, block; /* blocks of an image; channels of an image, of a block */
};

bool cti_conv_is_depthwise(const struct cti_conv_plan *c)
{
    enum ct_dtype dtype = c->work->weight->dtype;
    return c->groups > 1 && c->in.channels == c->groups &&
           (c->out.channels == c->in.channels || !c->work->channels_last) &&
           (dtype == CT_FLOAT32 || dtype == CT_FLOAT64) &&
           c->taps[0] * c->taps[1] * c->taps[2] <= CTI_DEPTHWISE_TAPS;
}

static void depthwise_blocks(void *context, int64_t begin, int64_t end)
{
    const struct job *job = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t image = i / job->blocks, first = i % job->blocks * job->block;
        int64_t last = min64(first + job->block, job->channels);
        switch (job->c->work->kind) {
        case CTI_CONV_FORWARD:
            job->loops->forward(job->c, job->weights, image, first, last);
            break;
        case CTI_CONV_INPUT:
            job->loops->input(job->c, job->weights, image, first, last);
            break;
        case CTI_CONV_WEIGHT:
            job->loops->weight(job->c, job->weights, first, last);
            break;
        }
    }
}

/* Copies the weight tensor to the dense weights of the loops, or back. */
static void copy_weights(const struct cti_conv_plan *c, char *weights, bool back)
{
    int64_t taps = c->taps[0] * c->taps[1] * c->taps[2], outputs = c->out.channels;
    for (int64_t o = 0; o < outputs; o++)
        for (int64_t t = 0; t < taps; t++) {
            int64_t t2 = t % c->taps[2], t1 = t / c->taps[2] % c->taps[1];
            int64_t t0 = t / c->taps[2] / c->taps[1];
            char *strided = c->weight + (o * c->w_out + t0 * c->w_tap[0] + t1 * c->w_tap[1] +
                                         t2 * c->w_tap[2]) *
                                            c->itemsize;
            char *dense =
                weights + (c->work->channels_last ? t * outputs + o : o * taps + t) * c->itemsize;
            memcpy(back ? strided : dense, back ? dense : strided, (size_t)c->itemsize);
        }
}

bool cti_conv_depthwise(const struct cti_conv_plan *c)
{
    static const struct cti_depthwise_types *const types[] = CTI_ISA_TABLE(cti_depthwise);
    const struct cti_depthwise_types *type = types[cti_cpu_isa()];
    bool weight = c->work->kind == CTI_CONV_WEIGHT;
    int64_t taps = c->taps[0] * c->taps[1] * c->taps[2];
    struct cti_block *block = cti_block_new(c->out.channels * taps * c->itemsize);
    if (!block)
        return false;
    if (!weight)
        copy_weights(c, block->address, false);
    struct job job = {.c = c,
                      .loops = c->work->weight->dtype == CT_FLOAT32 ? &type->f32 : &type->f64,
                      .weights = block->address,
                      .channels =
                          c->work->kind == CTI_CONV_INPUT ? c->in.channels : c->out.channels};
    job.block = !c->work->channels_last ? 1 : weight ? 16 : job.channels;
    job.blocks = ceil_div(job.channels, job.block);
    int64_t images = weight ? 1 : c->images; /* for the weight, one block sums over all images */
    int64_t positions = c->out.size[0] * c->out.size[1] * c->out.size[2];
    int64_t work = job.block * taps * positions * (weight ? c->images : 1);
    cti_parallel_for(job.blocks * images, 1 + GRAIN / work, depthwise_blocks, &job);
    if (weight)
        copy_weights(c, block->address, true);
    cti_block_free(block);
    return true;
}
