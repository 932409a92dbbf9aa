/* SPDX-License-Identifier: BSD-3-Clause */
/* Depthwise convolutions by the loops of depthwise.h: divides channels and images among threads.
 * Called by conv.c. */
#include "cpu/conv/depthwise.h"
#include "cpu/conv/inside.h"

#include "core/alloc.h"
#include "core/parallel.h"

#include <string.h>

enum { DEPTHWISE_TAPS = 128, DEPTHWISE_GRAIN = 1 << 15 };

struct depthwise {
    struct cti_depthwise d;
    const struct cti_depthwise_loops *loops;
    enum cti_conv_kind kind;
    int64_t blocks, channels, block; /* of an image; channels, and those of a block */
};

bool cti_conv_is_depthwise(const struct cti_conv_plan *c)
{
    enum ct_dtype dtype = c->work->weight->dtype;
    return c->groups > 1 && c->c == c->groups && (c->o == c->c || !c->work->channels_last) &&
           (dtype == CT_FLOAT32 || dtype == CT_FLOAT64) &&
           c->taps[0] * c->taps[1] * c->taps[2] <= DEPTHWISE_TAPS;
}

static void depthwise_blocks(void *context, int64_t begin, int64_t end)
{
    const struct depthwise *w = context;
    for (int64_t i = begin; i < end; i++) {
        int64_t first = i % w->blocks * w->block, last = first + w->block;
        last = last < w->channels ? last : w->channels;
        if (w->kind == CTI_CONV_FORWARD)
            w->loops->forward(&w->d, i / w->blocks, first, last);
        else if (w->kind == CTI_CONV_INPUT)
            w->loops->input(&w->d, i / w->blocks, first, last);
        else
            w->loops->weight(&w->d, first, last);
    }
}

/* Weights as the loops read them: by channel, or channels-last for each tap. */
static void reorder_weights(const struct cti_conv_plan *c, char *line, bool back)
{
    int64_t taps = c->taps[0] * c->taps[1] * c->taps[2];
    char *w = cti_data(c->work->weight);
    for (int64_t o = 0; o < c->o; o++)
        for (int64_t t = 0; t < taps; t++) {
            int64_t t2 = t % c->taps[2], t1 = t / c->taps[2] % c->taps[1];
            int64_t t0 = t / c->taps[2] / c->taps[1];
            char *at = w + (o * c->w_out + t0 * c->w_stride[0] + t1 * c->w_stride[1] +
                            t2 * c->w_stride[2]) *
                               c->size;
            char *there = line + (c->work->channels_last ? t * c->o + o : o * taps + t) * c->size;
            memcpy(back ? at : there, back ? there : at, (size_t)c->size);
        }
}

bool cti_conv_depthwise(const struct cti_conv_plan *c)
{
    static const struct cti_depthwise_types *const types[] = CTI_ISA_TABLE(cti_depthwise);
    const struct cti_depthwise_types *type = types[cti_cpu_isa()];
    int64_t taps = c->taps[0] * c->taps[1] * c->taps[2];
    struct cti_block *block = cti_block_new(c->o * taps * c->size);
    if (!block)
        return false;
    struct depthwise w = {.kind = c->work->kind};
    w.loops = c->work->weight->dtype == CT_FLOAT32 ? &type->f32 : &type->f64;
    w.d = (struct cti_depthwise){.channels_last = c->work->channels_last,
                                 .images = c->n,
                                 .multiple = c->o / c->c,
                                 .in_image = c->in_image,
                                 .in_channel = c->in_channel,
                                 .out_image = c->out_image,
                                 .out_channel = c->out_channel,
                                 .input = cti_data(c->work->input),
                                 .output = cti_data(c->work->output),
                                 .weight = block->address,
                                 .bias = c->work->bias ? cti_data(c->work->bias) : NULL};
    for (int i = 0; i < 3; i++) {
        w.d.in[i] = c->in[i];
        w.d.out[i] = c->out[i];
        w.d.taps[i] = c->taps[i];
        w.d.stride[i] = c->stride[i];
        w.d.padding[i] = c->padding[i];
        w.d.dilation[i] = c->dilation[i];
        w.d.in_stride[i] = c->in_stride[i];
        w.d.out_stride[i] = c->out_stride[i];
    }
    bool weights = w.kind == CTI_CONV_WEIGHT;
    if (!weights)
        reorder_weights(c, block->address, false);
    w.channels = w.kind == CTI_CONV_INPUT ? c->c : c->o;
    w.block = !c->work->channels_last ? 1 : weights ? 16 : w.channels;
    w.blocks = (w.channels + w.block - 1) / w.block;
    int64_t work = w.block * taps * c->out[0] * c->out[1] * c->out[2] * (weights ? c->n : 1);
    cti_parallel_for(weights ? w.blocks : w.blocks * c->n, 1 + DEPTHWISE_GRAIN / work,
                     depthwise_blocks, &w);
    if (weights)
        reorder_weights(c, block->address, true);
    cti_block_free(block);
    return true;
}
