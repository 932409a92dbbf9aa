/* SPDX-License-Identifier: BSD-3-Clause */
/* The conv engine of the CPU: describes the geometry and chooses an algorithm. Note [Convolution
 * paths], in the order in which they are tried; the shape alone decides, and each sum has one
 * order, so that a convolution has the same bits every time:
 *   depthwise  groups of one input channel: direct loops over rows (depthwise.c)
 *   Winograd   float32 with 3, 5 or 6 taps a side and stride 1 (winograd.h)
 *   im2col     everything else: a matrix product with an implicit operand (cpu/gemm/gather.h),
 *              which packing reads straight from the image, in the layout that the image has:
 *     FORWARD  (correlate.c) weights times input patches, the images of a batch side by side
 *     INPUT    (correlate.c) transposed weights times the gradient; with stride s the elements of
 *              the input fall into s phases along a dim, and each phase sees every s-th tap: one
 *              convolution for each phase
 *     WEIGHT   (weight.c) the gradient times input patches, summed over the positions of all images
 * Where channels are innermost in memory (channels-last), positions are the rows of the product and
 * output channels its columns; otherwise vice versa. */
#include "cpu/conv/conv.h"
#include "cpu/conv/winograd.h"
#include "cpu/engines.h"

static void describe_image(struct cti_conv_image *image, const ct_tensor *t, bool channels_last)
{
    int64_t channels = t->shape[1], step = channels_last ? channels : 1;
    for (int d = 2, dim = t->ndim - 1; d >= 0; d--, dim--) {
        image->size[d] = dim >= 2 ? t->shape[dim] : 1;
        image->stride[d] = step;
        step *= image->size[d];
    }
    image->data = cti_data(t);
    image->channels = channels;
    image->channel_stride = channels_last ? 1 : step;
    image->image_stride = channels_last ? step : step * channels;
}

static void conv_describe(struct cti_conv_plan *c, const struct cti_conv *work)
{
    const ct_tensor *weight = work->weight;
    c->work = work;
    c->itemsize = cti_itemsize(weight->dtype);
    c->images = work->input->shape[0];
    c->groups = work->groups;
    describe_image(&c->in, work->input, work->channels_last);
    describe_image(&c->out, work->output, work->channels_last);
    c->weight = cti_data(weight);
    c->bias = work->bias ? cti_data(work->bias) : NULL;
    c->w_out = weight->stride[0];
    c->w_in = weight->stride[1];
    for (int d = 0; d < 3; d++) {
        int dim = d - (3 - work->dims);
        bool given = dim >= 0;
        c->taps[d] = given ? weight->shape[2 + dim] : 1;
        c->w_tap[d] = given ? weight->stride[2 + dim] : 0;
        c->stride[d] = given ? work->stride[dim] : 1;
        c->padding[d] = given ? work->padding[dim] : 0;
        c->dilation[d] = given ? work->dilation[dim] : 1;
    }
}

struct cti_gemm_gather cti_conv_gather(const struct cti_conv_plan *c,
                                       const struct cti_conv_image *image)
{
    struct cti_gemm_gather g = {.channels = image->channels / c->groups,
                                .image_stride = image->image_stride,
                                .channel_stride = image->channel_stride,
                                .channels_inner = c->work->channels_last};
    for (int d = 0; d < 3; d++) {
        g.size[d] = g.grid[d] = image->size[d];
        g.stride[d] = image->stride[d];
        g.taps[d] = g.step[d] = g.tap_step[d] = 1;
    }
    return g;
}

void cti_conv_collapse(struct cti_gemm_gather *g)
{
    for (int d = 0; d < 3; d++)
        if (g->taps[d] != 1 || g->step[d] != 1 || g->origin[d] != 0 || g->grid[d] != g->size[d])
            return;
    int64_t positions = g->grid[0] * g->grid[1] * g->grid[2];
    g->grid[0] = g->grid[1] = g->size[0] = g->size[1] = 1;
    g->grid[2] = g->size[2] = positions;
}

/* Whether Winograd's algorithm applies, and the convolution that it computes. The derivative of the
 * input is a convolution of the gradient with flipped taps, input and output channels exchanged. */
static bool is_winograd(const struct cti_conv_plan *c, struct cti_winograd *w)
{
    bool backward = c->work->kind == CTI_CONV_INPUT;
    const struct cti_conv_image *in = backward ? &c->out : &c->in,
                                *out = backward ? &c->in : &c->out;
    if (c->work->weight->dtype != CT_FLOAT32 || c->groups != 1 || c->work->channels_last ||
        c->in.size[0] * c->out.size[0] * c->taps[0] != 1 || c->padding[0])
        return false;
    *w = (struct cti_winograd){.images = c->images,
                               .channels = in->channels,
                               .results = out->channels,
                               .in_image = in->image_stride,
                               .in_channel = in->channel_stride,
                               .out_image = out->image_stride,
                               .out_channel = out->channel_stride,
                               .w_result = backward ? c->w_in : c->w_out,
                               .w_channel = backward ? c->w_out : c->w_in,
                               .input = (float *)in->data,
                               .weight = (float *)c->weight,
                               .output = (float *)out->data,
                               .bias = (const float *)c->bias};
    for (int d = 0; d < 2; d++) {
        int64_t taps = c->taps[1 + d], stride = c->w_tap[1 + d];
        if (c->stride[1 + d] != 1 || c->dilation[1 + d] != 1)
            return false;
        w->taps[d] = taps;
        w->in[d] = in->size[1 + d];
        w->out[d] = out->size[1 + d];
        w->origin[d] = backward ? c->padding[1 + d] - (taps - 1) : -c->padding[1 + d];
        w->w_tap[d] = backward ? -stride : stride;
        w->weight += backward ? (taps - 1) * stride : 0;
    }
    return cti_winograd_serves(w);
}

enum cti_status cti_cpu_conv(struct cti_conv *work)
{
    struct cti_conv_plan c;
    struct cti_winograd winograd;
    bool done = false;
    conv_describe(&c, work);
    if (cti_conv_is_depthwise(&c))
        return cti_conv_depthwise(&c);
    if (is_winograd(&c, &winograd)) {
        bool good = work->kind == CTI_CONV_WEIGHT ? cti_winograd_weight(&winograd, &done)
                                                  : cti_winograd_forward(&winograd, &done);
        if (!good || done)
            return good;
    }
    switch (work->kind) {
    case CTI_CONV_FORWARD:
        return cti_conv_forward(&c);
    case CTI_CONV_INPUT:
        return cti_conv_input(&c);
    case CTI_CONV_WEIGHT:
        return cti_conv_weight(&c);
    }
    return CTI_FAILED;
}
