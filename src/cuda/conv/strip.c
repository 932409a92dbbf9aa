/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches strip.cu, convolutions of float32 images without strides in TF32: images are read in
 * their own layout by persistent blocks, each of which loops over tiles of all images. Called by
 * conv.c. */
#include "cuda/conv/algorithms.h"

#include "core/small.h"
#include "cuda/conv/partial_sums.h"
#include "cuda/conv/patch.h"
#include "cuda/runtime/launch.h"

#include "corten/cuda.h"

#define PLACES 256       /* of a tile: as many, or about as many for a weight */
#define MOST_CHANNELS 32 /* of an image: with more of them cuDNN is faster */
#define MOST_ROWS 64
#define MOST_TAPS_ACROSS 5  /* of a weight: sums that a lane has registers for */
#define STAGE (8 * 16 * 36) /* numbers: see store_lines in the kernel */
#define RESERVED 1024       /* bytes of shared memory that a block takes beside its own */

enum kind { PRODUCT, WEIGHT };

/* What a kernel is compiled for, and launched with. */
struct shape {
    enum kind kind;
    int tm, channels, images, high, wide, taps[2], copy, copy_grad, first, parts, threads, blocks;
    bool flip, stage; /* stage: results go by way of shared memory */
    int64_t shared;
};

/* The width whose multiples cover a row with the least waste. */
static int width_of(int32_t across, enum kind kind)
{
    int best = 32;
    for (int w = 24; w >= 8; w -= 8)
        if ((kind == WEIGHT || w != 24) && ceil_div(across, w) * w < ceil_div(across, best) * best)
            best = w;
    return best;
}

/* Exactly PLACES places, in powers of two; of several images where they are small. */
static void cut_product(struct shape *s, const struct cti_conv_patch *a)
{
    s->wide = width_of(a->across, PRODUCT);
    s->high = PLACES / s->wide;
    while (s->high / 2 >= a->down)
        s->high /= 2;
    s->images = PLACES / (s->wide * s->high);
}

/* At most PLACES places, in groups of 16, with as few rows beyond an image as can be. */
static void cut_weight(struct shape *s, const struct cti_conv_patch *a)
{
    s->wide = width_of(a->across, WEIGHT);
    s->high = PLACES / s->wide;
    s->high = (int)ceil_div(a->down, ceil_div(a->down, s->high));
    s->images = PLACES / (s->wide * s->high);
    if (s->wide * s->high * s->images % 16 != 0) {
        if (s->images > 1)
            s->images--;
        else
            s->high++;
    }
}

/* Rows of an image are copied by 4 numbers where they can be; a patch then begins at a multiple of
 * 4 columns. */
static void choose_copies(struct shape *s, struct cti_conv_patch *a)
{
    s->copy = s->copy_grad = 1;
    if (a->width % 4 == 0 && (uintptr_t)a->image % 16 == 0 && a->left >= 0) {
        s->copy = 4;
        s->first = (4 - a->left % 4) % 4;
        a->left += s->first;
    }
    if (a->across % 4 == 0 && (uintptr_t)a->grad % 16 == 0)
        s->copy_grad = 4;
}

/* Shared memory of a kernel, as it is cut there. */
static int64_t shared_of(const struct shape *s)
{
    int64_t vectors = (s->first + s->taps[1] + 6) / 4, row = s->wide + 4 * (vectors - 1);
    int64_t area = s->images * (s->high + s->taps[0] - 1) * row, bm = 16 * s->tm;
    int64_t taps = (int64_t)s->taps[0] * s->taps[1];
    if (s->kind == PRODUCT)
        return 4 * (bm * s->channels * taps + 2 * s->channels * ((area + 23) / 32 * 32 + 8) +
                    (s->stage ? STAGE : 0));
    int64_t places = (int64_t)s->images * s->high * s->wide;
    int64_t grads = s->copy_grad == 1 ? bm / 2 * ((2 * places + 27) / 32 * 32 + 4)
                                      : bm * ((places + 15) / 32 * 32 + 16);
    int64_t tiles = 2 * 4 * (s->channels * ((area + 15) / 32 * 32 + 16) + grads);
    int64_t meet = 4 * 32 * taps * s->tm * (s->channels / 8) * 4;
    return tiles > meet ? tiles : meet;
}

static struct shape shape_of(const struct cti_conv *w, struct cti_conv_patch *a,
                             const struct cti_cuda_device *d)
{
    struct shape s = {.kind = w->kind == CTI_CONV_WEIGHT ? WEIGHT : PRODUCT,
                      .tm = a->rows <= 16 ? 1 : 2,
                      .taps = {(int)w->weight->shape[2], (int)w->weight->shape[3]},
                      .flip = w->kind == CTI_CONV_INPUT,
                      .stage = a->across % 4 != 0,
                      .parts = 1,
                      .threads = 256,
                      .blocks = 2};
    if (s.kind == PRODUCT) {
        s.channels = (int)ceil_div(a->channels, 8) * 8;
        cut_product(&s, a);
    } else {
        /* A warp for each row of taps, so many times; registers for two blocks, or for one. */
        s.channels = a->channels <= 8 ? 8 : 16;
        s.blocks = a->channels <= 8 ? 2 : 1;
        s.parts = (s.blocks == 2 ? 10 : 15) / s.taps[0];
        s.parts = s.parts < 1 ? 1 : s.parts;
        s.threads = 32 * s.taps[0] * s.parts;
        cut_weight(&s, a);
    }
    choose_copies(&s, a);
    s.shared = shared_of(&s);
    if (2 * (s.shared + RESERVED) > d->shared_optin + RESERVED)
        s.blocks = 1;
    return s;
}

static int64_t tiles_of(const struct cti_conv_patch *a, const struct shape *s)
{
    return ceil_div(a->images, s->images) * ceil_div(a->down, s->high) *
           ceil_div(a->across, s->wide);
}

/* Blocks that share a tile. */
static int64_t across_of(const struct cti_conv_patch *a, const struct shape *s)
{
    return ceil_div(a->rows, 16 * s->tm) *
           (s->kind == WEIGHT ? ceil_div(a->channels, s->channels) : 1);
}

bool cti_cuda_is_conv_strip(const struct cti_conv *w)
{
    struct cti_cuda_device *d = cti_cuda_use(w->input->storage->device.index);
    if (!d || !ct_cuda_switch(CT_CUDNN_CONV_TF32))
        return false;
    struct cti_conv_patch a = cti_conv_patch_of(w);
    struct shape s = shape_of(w, &a, d);
    int64_t tiles = tiles_of(&a, &s), places = (int64_t)a.images * a.down * a.across;
    return a.channels <= MOST_CHANNELS && a.rows <= MOST_ROWS && (uintptr_t)a.out % 16 == 0 &&
           s.shared <= d->shared_optin && s.taps[1] <= MOST_TAPS_ACROSS &&
           tiles * across_of(&a, &s) >= d->multiprocessors &&
           places * 2 >= tiles * s.images * s.high * s.wide;
}

/* x blocks for each part of the result's channels; on fake devices it only compiles. */
static bool run(const struct cti_conv_patch *a, const struct shape *s, int device, int64_t x)
{
    return cti_cuda_run(&(struct cti_launch){.file = "conv/strip",
                                             .params = {{"KIND", (int)s->kind},
                                                        {"TM", s->tm},
                                                        {"CHANNELS", s->channels},
                                                        {"IMAGES", s->images},
                                                        {"TH", s->high},
                                                        {"TW", s->wide},
                                                        {"KH", s->taps[0]},
                                                        {"KW", s->taps[1]},
                                                        {"FLIP", s->flip},
                                                        {"COPY", s->copy},
                                                        {"COPY_GRAD", s->copy_grad},
                                                        {"FIRST", s->first},
                                                        {"PARTS", s->parts},
                                                        {"THREADS", s->threads},
                                                        {"BLOCKS", s->blocks}},
                                             .device = device,
                                             .grid = {(unsigned)x, (unsigned)across_of(a, s)},
                                             .threads = (unsigned)s->threads,
                                             .shared = (unsigned)s->shared,
                                             .args = a,
                                             .size = sizeof *a});
}

static bool run_weight(struct cti_conv_patch *a, const struct shape *s, const struct cti_conv *w,
                       const struct cti_cuda_device *d)
{
    struct cti_conv_partial_sums parts;
    int64_t wanted = (int64_t)s->blocks * d->multiprocessors / across_of(a, s);
    if (!cti_conv_partial_sums_begin(&parts, w, wanted, tiles_of(a, s), 1))
        return false;
    a->span = (int32_t)parts.span;
    a->out = parts.data;
    bool sent = run(a, s, w->input->storage->device.index, parts.n);
    return cti_conv_partial_sums_end(&parts, w, sent);
}

bool cti_cuda_conv_strip(const struct cti_conv *w)
{
    struct cti_conv_patch a = cti_conv_patch_of(w);
    int device = w->input->storage->device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    struct shape s = shape_of(w, &a, d);
    if (s.kind == WEIGHT)
        return run_weight(&a, &s, w, d);
    int64_t tiles = tiles_of(&a, &s),
            room = ceil_div((int64_t)s.blocks * d->multiprocessors, across_of(&a, &s));
    return run(&a, &s, device, tiles < room ? tiles : room);
}
