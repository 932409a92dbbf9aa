/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches strip.cu, convolutions of float32 images without strides in TF32: images are read in
 * their own layout by persistent blocks, each of which loops over tiles of all images. Called by
 * conv.c. */
#include "core/small.h"
#include "cuda/common/partial_sums.h"
#include "cuda/conv/algorithms.h"
#include "cuda/runtime/launch.h"

#include "corten/cuda.h"

#define POSITIONS 256       /* positions of a tile; for a weight gradient, at most */
#define MAX_KW 5            /* weight gradient: a lane has registers for the sums of so many taps */
#define STAGE (8 * 16 * 36) /* floats: store_lines in the kernel, 16 rows for each of 8 warps */
#define RESERVED 1024       /* bytes of shared memory that CUDA takes for each block */

/* The configuration of a kernel; upper-case macros of the same names in strip.cu. */
struct strip_config {
    bool weight_grad, flip;
    int tm, bc, bn, th, tw, kh, kw;
    int copy, copy_grad, first, parts, threads, blocks;
    int64_t shared; /* bytes */
};

/* Chooses tiles for a product: exactly POSITIONS positions, with powers of two as sizes, from
 * several images if they are small. */
static void strip_choose_tile(struct strip_config *c, const struct conv_patch_args *a)
{
    c->tw = cti_cuda_conv_tile_width(a->OW, false);
    c->th = POSITIONS / c->tw;
    while (c->th / 2 >= a->OH)
        c->th /= 2;
    c->bn = POSITIONS / (c->tw * c->th);
}

/* Chooses tiles for a weight gradient: at most POSITIONS positions, a multiple of 16, with as few
 * rows outside of the image as possible. */
static void strip_choose_weight_tile(struct strip_config *c, const struct conv_patch_args *a)
{
    c->tw = cti_cuda_conv_tile_width(a->OW, true);
    c->th = POSITIONS / c->tw;
    c->th = (int)ceil_div(a->OH, ceil_div(a->OH, c->th));
    c->bn = POSITIONS / (c->tw * c->th);
    if (c->tw * c->th * c->bn % 16 != 0) {
        if (c->bn > 1)
            c->bn--;
        else
            c->th++;
    }
}

/* Bytes of shared memory, as the kernel lays it out: STEP, GRAD_STEP, PAIR_STEP and reduce there.
 */
static int64_t strip_shared_of(const struct strip_config *c, int32_t ow)
{
    int64_t vectors = (c->first + c->kw + 6) / 4, row = c->tw + 4 * (vectors - 1);
    int64_t area = c->bn * (c->th + c->kh - 1) * row, bm = 16 * c->tm;
    int64_t taps = (int64_t)c->kh * c->kw, positions = (int64_t)c->bn * c->th * c->tw;
    if (!c->weight_grad)
        return 4 * (bm * c->bc * taps + 2 * c->bc * ((area + 23) / 32 * 32 + 8) +
                    (ow % 4 != 0 ? STAGE : 0));
    int64_t grads = c->copy_grad == 1 ? bm / 2 * ((2 * positions + 27) / 32 * 32 + 4)
                                      : bm * ((positions + 15) / 32 * 32 + 16);
    int64_t tiles = 2 * 4 * (c->bc * ((area + 15) / 32 * 32 + 16) + grads);
    int64_t reduction = 4 * 32 * taps * c->tm * (c->bc / 8) * 4;
    return max64(tiles, reduction);
}

/* Also increases a->pad_w where patches begin at a multiple of 4 columns. */
static struct strip_config strip_choose_config(const struct cti_conv *w, struct conv_patch_args *a,
                                               const struct cti_cuda_device *d)
{
    struct strip_config c = {.weight_grad = w->kind == CTI_CONV_WEIGHT,
                             .flip = w->kind == CTI_CONV_INPUT,
                             .tm = a->OC <= 16 ? 1 : 2,
                             .kh = (int)w->weight->shape[2],
                             .kw = (int)w->weight->shape[3],
                             .copy = 1,
                             .copy_grad = 1,
                             .parts = 1,
                             .threads = 256,
                             .blocks = 2};
    if (!c.weight_grad) {
        c.bc = (int)round_up(a->IC, 8);
        strip_choose_tile(&c, a);
    } else {
        /* `parts` warps for each row of taps: as many as the registers of a multiprocessor allow
         * with two blocks, or with one. */
        c.bc = a->IC <= 8 ? 8 : 16;
        c.blocks = a->IC <= 8 ? 2 : 1;
        c.parts = (int)max64((c.blocks == 2 ? 10 : 15) / c.kh, 1);
        c.threads = 32 * c.kh * c.parts;
        strip_choose_weight_tile(&c, a);
    }
    if (a->IW % 4 == 0 && (uintptr_t)a->image % 16 == 0 && a->pad_w >= 0) {
        c.copy = 4;
        c.first = (4 - a->pad_w % 4) % 4;
        a->pad_w += c.first;
    }
    if (a->OW % 4 == 0 && (uintptr_t)a->grad % 16 == 0)
        c.copy_grad = 4;
    c.shared = strip_shared_of(&c, a->OW);
    if (2 * (c.shared + RESERVED) > d->shared_optin + RESERVED)
        c.blocks = 1;
    return c;
}

static int64_t strip_tiles_of(const struct conv_patch_args *a, const struct strip_config *c)
{
    return ceil_div(a->N, c->bn) * ceil_div(a->OH, c->th) * ceil_div(a->OW, c->tw);
}

/* Returns how many blocks share a tile; each computes different channels of its result. */
static int64_t strip_blocks_of_tile(const struct conv_patch_args *a, const struct strip_config *c)
{
    return ceil_div(a->OC, 16 * c->tm) * (c->weight_grad ? ceil_div(a->IC, c->bc) : 1);
}

/* The kernel fits if there are also enough tiles for all multiprocessors, and tiles are at least
 * half full. */
bool cti_cuda_conv_strip_fits(const struct cti_conv *w)
{
    struct cti_cuda_device *d = cti_cuda_use(w->input->storage->device.index);
    if (!d || !ct_cuda_switch(CT_CUDNN_CONV_TF32))
        return false;
    struct conv_patch_args a = cti_cuda_conv_patch_args(w);
    struct strip_config c = strip_choose_config(w, &a, d);
    int64_t tiles = strip_tiles_of(&a, &c), positions = (int64_t)a.N * a.OH * a.OW;
    return (uintptr_t)a.out % 16 == 0 && c.shared <= d->shared_optin && c.kw <= MAX_KW &&
           tiles * strip_blocks_of_tile(&a, &c) >= d->multiprocessors &&
           positions * 2 >= tiles * c.bn * c.th * c.tw;
}

static bool launch_strip(const struct conv_patch_args *a, const struct strip_config *c, int device,
                         int64_t grid_x)
{
    return cti_cuda_run(&(struct cti_launch){.file = "conv/strip",
                                             .texts = {{"T", "float"}},
                                             .params = {{"WEIGHT_GRAD", c->weight_grad},
                                                        {"TM", c->tm},
                                                        {"BC", c->bc},
                                                        {"BN", c->bn},
                                                        {"TH", c->th},
                                                        {"TW", c->tw},
                                                        {"KH", c->kh},
                                                        {"KW", c->kw},
                                                        {"FLIP", c->flip},
                                                        {"COPY", c->copy},
                                                        {"COPY_GRAD", c->copy_grad},
                                                        {"FIRST", c->first},
                                                        {"PARTS", c->parts},
                                                        {"THREADS", c->threads},
                                                        {"BLOCKS", c->blocks}},
                                             .device = device,
                                             .grid = {grid_x, strip_blocks_of_tile(a, c)},
                                             .threads = (unsigned)c->threads,
                                             .shared = (unsigned)c->shared,
                                             .args = a,
                                             .size = sizeof *a});
}

bool cti_cuda_conv_strip(const struct cti_conv *w)
{
    struct conv_patch_args a = cti_cuda_conv_patch_args(w);
    struct cti_conv_partial_sums parts;
    int device = w->input->storage->device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    struct strip_config c = strip_choose_config(w, &a, d);
    int64_t tiles = strip_tiles_of(&a, &c), resident = (int64_t)c.blocks * d->multiprocessors;
    if (!c.weight_grad)
        return launch_strip(&a, &c, device,
                            min64(tiles, ceil_div(resident, strip_blocks_of_tile(&a, &c))));
    if (!cti_conv_partial_sums_begin(&parts, w, resident / strip_blocks_of_tile(&a, &c), tiles, 1))
        return false;
    a.part_tiles = (int32_t)parts.span;
    a.out = parts.data;
    return cti_conv_partial_sums_end(&parts, w, launch_strip(&a, &c, device, parts.n));
}
