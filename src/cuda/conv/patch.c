/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches patch.cu, convolutions of float32 images without strides: images are read in their own
 * layout and once, whatever the number of taps. Called by conv.c. */
#include "cuda/conv/patch.h"

#include "core/small.h"
#include "cuda/conv/algorithms.h"
#include "cuda/conv/partial_sums.h"
#include "cuda/runtime/launch.h"

#include "corten/cuda.h"

#define THREADS 256
#define MOST_TAPS 25
#define MOST_WIDE_TAPS 9   /* whose sums a thread has registers for, of 16 channels */
#define MOST_SHARED 100000 /* bytes, so that two blocks have room */

enum kind { PRODUCT, WEIGHT };

/* What a kernel is compiled for. */
struct shape {
    int m, channels, high, wide, taps[2];
    bool flip;
    int four, four_grad; /* numbers of an image, of a gradient, that are copied at a time */
};

bool cti_cuda_is_conv_patch(const struct cti_conv *w)
{
    bool good = w->dims == 2 && w->weight->shape[2] * w->weight->shape[3] <= MOST_TAPS &&
                w->weight->shape[3] > 1;
    for (int i = 0; good && i < w->dims; i++)
        good = w->stride[i] == 1 && w->dilation[i] == 1;
    return good;
}

struct cti_conv_patch cti_conv_patch_of(const struct cti_conv *w)
{
    const bool back = w->kind == CTI_CONV_INPUT;
    const ct_tensor *from = back ? w->output : w->input, *to = back ? w->input : w->output;
    const int64_t *k = w->weight->shape;
    int32_t taps = (int32_t)(k[2] * k[3]), wide = (int32_t)k[1] * taps;
    return (struct cti_conv_patch){
        .image = cti_data(from),
        .weight = cti_data(w->weight),
        .bias = w->bias ? cti_data(w->bias) : NULL,
        .grad = cti_data(w->output),
        .out = cti_data(w->kind == CTI_CONV_WEIGHT ? w->weight : to),
        .images = (int32_t)from->shape[0],
        .channels = (int32_t)from->shape[1],
        .rows = (int32_t)to->shape[1],
        .height = (int32_t)from->shape[2],
        .width = (int32_t)from->shape[3],
        .down = (int32_t)to->shape[2],
        .across = (int32_t)to->shape[3],
        .top = (int32_t)(back ? k[2] - 1 - w->padding[0] : w->padding[0]),
        .left = (int32_t)(back ? k[3] - 1 - w->padding[1] : w->padding[1]),
        .weight_row = back ? taps : wide,
        .weight_channel = back ? wide : taps};
}

static int64_t tiles_of(const struct cti_conv_patch *a, const struct shape *s)
{
    return a->images * ceil_div(a->down, s->high) * ceil_div(a->across, s->wide);
}

/* Shared memory of a kernel, as it is cut there. */
static int64_t shared_of(const struct shape *s, enum kind kind)
{
    int64_t row = s->four == 4 ? s->wide + 8 : s->wide + s->taps[1] - 1,
            area = (s->high + s->taps[0] - 1) * row;
    int64_t taps = (int64_t)s->taps[0] * s->taps[1];
    if (kind == PRODUCT)
        return 4 * (s->channels * ((area + 23) / 32 * 32 + 8) + taps * s->m * (s->channels + 4));
    int64_t tiles = 8 * (s->channels * ((area + 27) / 32 * 32 + 4) +
                         s->m * (((int64_t)s->high * s->wide + 27) / 32 * 32 + 4));
    int64_t meet = 4 * 4 * 32 * taps * (s->channels / 8) * 4; /* sums of four warps */
    return tiles > meet ? tiles : meet;
}

/* The width whose multiples cover a row with the least waste. */
static int width_of(int32_t across)
{
    int best = 32;
    for (int w = 24; w >= 8; w -= 8)
        if (ceil_div(across, w) * w < ceil_div(across, best) * best)
            best = w;
    return best;
}

/* Rows of places: as many as make `places` of them, and each warp has the same number of tiles. */
static int height_of(const struct cti_conv_patch *a, int wide, int places, int tiles)
{
    int high = places / wide;
    while (high > 1 && high / 2 >= a->down)
        high /= 2;
    while (high * wide / 8 % tiles != 0)
        high++;
    return high;
}

static struct shape shape_of(const struct cti_conv_patch *a, const struct cti_conv *w,
                             enum kind kind, const struct cti_cuda_device *d)
{
    int taps = (int)(w->weight->shape[2] * w->weight->shape[3]);
    bool few = a->channels <= 8 || (kind == WEIGHT && taps > MOST_WIDE_TAPS);
    struct shape s = {.m = a->rows <= 16 || kind == WEIGHT ? 16
                           : a->rows <= 32                 ? 32
                                                           : 64,
                      .channels = few ? 8 : 16,
                      .wide = width_of(a->across),
                      .taps = {(int)w->weight->shape[2], (int)w->weight->shape[3]},
                      .flip = w->kind == CTI_CONV_INPUT,
                      .four = 1,
                      .four_grad = 1};
    if (kind == WEIGHT && a->width % 4 == 0 && (uintptr_t)a->image % 16 == 0 && a->left >= 0 &&
        a->left <= 4 && s.taps[1] - 1 - a->left <= 4)
        s.four = 4;
    if (a->across % 4 == 0 && (uintptr_t)a->grad % 16 == 0)
        s.four_grad = 4;
    int warps = kind == WEIGHT ? 8 : s.m == 64 ? 4 : 8, places = 256;
    s.high = height_of(a, s.wide, places, warps);
    while (kind == PRODUCT && places > 64 &&
           (tiles_of(a, &s) * ceil_div(a->rows, s.m) < 2 * d->multiprocessors || s.m == 64) &&
           places > (s.m == 64 ? 128 : 64))
        s.high = height_of(a, s.wide, places /= 2, warps);
    if (shared_of(&s, kind) > MOST_SHARED)
        s.channels = 8;
    return s;
}

/* x by y blocks; on fake devices it only compiles. */
static bool run(const struct cti_conv_patch *a, const struct shape *s, int device, enum kind kind,
                int64_t x, int64_t y)
{
    return cti_cuda_run(
        &(struct cti_launch){.file = "conv/patch",
                             .params = {{"KIND", (int)kind},
                                        {"BM", s->m},
                                        {"CB", s->channels},
                                        {"TH", s->high},
                                        {"TW", s->wide},
                                        {"KH", s->taps[0]},
                                        {"KW", s->taps[1]},
                                        {"FLIP", s->flip},
                                        {"FOUR", s->four},
                                        {"FOUR_GRAD", s->four_grad},
                                        {"EXACT", !ct_cuda_switch(CT_CUDNN_CONV_TF32)}},
                             .device = device,
                             .grid = {(unsigned)x, (unsigned)y},
                             .threads = THREADS,
                             .shared = (unsigned)shared_of(s, kind),
                             .args = a,
                             .size = sizeof *a});
}

static bool run_weight(struct cti_conv_patch *a, const struct cti_conv *w, int device,
                       const struct cti_cuda_device *d)
{
    struct shape s = shape_of(a, w, WEIGHT, d);
    struct cti_conv_partial_sums parts;
    int64_t across = ceil_div(a->rows, s.m) * ceil_div(a->channels, s.channels);
    int64_t wanted = ceil_div(d->multiprocessors, across);
    if (!cti_conv_partial_sums_begin(&parts, w, wanted, tiles_of(a, &s), 1))
        return false;
    a->span = (int32_t)parts.span;
    a->out = parts.data;
    return cti_conv_partial_sums_end(&parts, w, run(a, &s, device, WEIGHT, parts.n, across));
}

bool cti_cuda_conv_patch(const struct cti_conv *w)
{
    struct cti_conv_patch a = cti_conv_patch_of(w);
    int device = w->input->storage->device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    if (w->kind == CTI_CONV_WEIGHT)
        return run_weight(&a, w, device, d);
    struct shape s = shape_of(&a, w, PRODUCT, d);
    return run(&a, &s, device, PRODUCT, tiles_of(&a, &s), ceil_div(a.rows, s.m));
}
