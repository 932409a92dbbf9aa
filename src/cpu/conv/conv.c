/* SPDX-License-Identifier: BSD-3-Clause */
/* The conv engine of the CPU. Note [Convolution paths]: all three kinds are products with an
 * implicit im2col operand (gather.h), in the layout the image has:
 *   FORWARD  weights times the input patches; the images of a batch are side by side
 *   INPUT    transposed weights times the gradient; with stride s the elements of the input fall
 *            into s phases along a dim, each of which sees every s-th tap: a convolution of its own
 *   WEIGHT   the gradient times the input patches, summed over all places of all images
 * Channels-last: places are the rows of the product and output channels its columns; else the other
 * way round. Direct loops do depthwise convolutions (channels.c), Winograd's tiles float32 ones of
 * 3, 5 and 6 taps a side (winograd.h). How the work is cut follows the shape alone, and sums have
 * one order. */
#include "core/conv.h"
#include "cpu/conv/inside.h"
#include "cpu/engines.h"

static void lay_out(bool last, int64_t channels, const int64_t size[3], int64_t *image,
                    int64_t *channel, int64_t stride[3])
{
    int64_t places = size[0] * size[1] * size[2], inner = last ? channels : 1;
    *image = channels * places;
    *channel = last ? 1 : places;
    stride[2] = inner;
    stride[1] = inner * size[2];
    stride[0] = inner * size[2] * size[1];
}

static void describe(struct cti_conv_plan *c, const struct cti_conv *work)
{
    const ct_tensor *weight = work->weight;
    c->work = work;
    c->size = cti_itemsize(weight->dtype);
    c->n = work->input->shape[0];
    c->c = work->input->shape[1];
    c->o = work->output->shape[1];
    c->groups = work->groups;
    c->w_out = weight->stride[0];
    c->w_in = weight->stride[1];
    for (int d = 0; d < 3; d++) {
        int from = d - (3 - work->dims);
        bool here = from >= 0;
        c->in[d] = here ? work->input->shape[2 + from] : 1;
        c->out[d] = here ? work->output->shape[2 + from] : 1;
        c->taps[d] = here ? weight->shape[2 + from] : 1;
        c->w_stride[d] = here ? weight->stride[2 + from] : 0;
        c->stride[d] = here ? work->stride[from] : 1;
        c->padding[d] = here ? work->padding[from] : 0;
        c->dilation[d] = here ? work->dilation[from] : 1;
    }
    lay_out(work->channels_last, c->c, c->in, &c->in_image, &c->in_channel, c->in_stride);
    lay_out(work->channels_last, c->o, c->out, &c->out_image, &c->out_channel, c->out_stride);
}

/* A 1 by 1 convolution without padding: rows and planes become one long row. */
void cti_conv_collapse(struct cti_gemm_gather *g)
{
    for (int d = 0; d < 3; d++)
        if (g->taps[d] != 1 || g->step[d] != 1 || g->origin[d] != 0 || g->grid[d] != g->size[d])
            return;
    int64_t places = g->grid[0] * g->grid[1] * g->grid[2];
    g->grid[0] = g->grid[1] = g->size[0] = g->size[1] = 1;
    g->grid[2] = g->size[2] = places;
}

enum cti_status cti_cpu_conv(struct cti_conv *work)
{
    struct cti_conv_plan c;
    describe(&c, work);
    if (cti_conv_is_depthwise(&c))
        return cti_conv_depthwise(&c);
    switch (work->kind) {
    case CTI_CONV_FORWARD:
        return cti_conv_forward(&c);
    case CTI_CONV_INPUT:
        return cti_conv_input(&c);
    case CTI_CONV_WEIGHT:
        return cti_conv_weight(&c);
    }
    return true;
}
