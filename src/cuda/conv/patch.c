/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches patch.cu, convolutions of float32 images without strides: images are read in their own
 * layout and once, whatever the number of taps. Called by conv.c. */
#include "core/small.h"
#include "cuda/common/partial_sums.h"
#include "cuda/conv/algorithms.h"
#include "cuda/runtime/launch.h"

#include "corten/cuda.h"

#define MAX_TAPS 25
/* weight gradient: a thread has registers for this many taps of 16 channels */
#define MAX_TAPS_16 9
#define MAX_SHARED 100000 /* bytes, so that two blocks fit on a multiprocessor */

/* The configuration of a kernel; upper-case macros of the same names in patch.cu. */
struct patch_config {
    bool weight_grad, flip;
    int bm, bc, th, tw, kh, kw;
    int copy, copy_grad;
    int64_t shared; /* bytes */
};

bool cti_cuda_conv_patch_fits(const struct cti_conv *w)
{
    bool good = w->dims == 2 && w->weight->shape[2] * w->weight->shape[3] <= MAX_TAPS &&
                w->weight->shape[3] > 1;
    for (int i = 0; good && i < w->dims; i++)
        good = w->stride[i] == 1 && w->dilation[i] == 1;
    return good;
}

struct conv_patch_args cti_cuda_conv_patch_args(const struct cti_conv *w)
{
    const bool flip = w->kind == CTI_CONV_INPUT;
    const ct_tensor *from = flip ? w->output : w->input, *to = flip ? w->input : w->output;
    const int64_t *k = w->weight->shape;
    int32_t taps = (int32_t)(k[2] * k[3]), filter = (int32_t)k[1] * taps;
    return (struct conv_patch_args){
        .image = cti_data(from),
        .weight = cti_data(w->weight),
        .bias = cti_cuda_data(w->bias),
        .grad = cti_data(w->output),
        .out = cti_data(w->kind == CTI_CONV_WEIGHT ? w->weight : to),
        .N = (int32_t)from->shape[0],
        .IC = (int32_t)from->shape[1],
        .OC = (int32_t)to->shape[1],
        .IH = (int32_t)from->shape[2],
        .IW = (int32_t)from->shape[3],
        .OH = (int32_t)to->shape[2],
        .OW = (int32_t)to->shape[3],
        .pad_h = (int32_t)(flip ? k[2] - 1 - w->padding[0] : w->padding[0]),
        .pad_w = (int32_t)(flip ? k[3] - 1 - w->padding[1] : w->padding[1]),
        .weight_oc = flip ? taps : filter,
        .weight_ic = flip ? filter : taps};
}

int cti_cuda_conv_tile_width(int32_t ow, bool may_be_24)
{
    int best = 32;
    for (int tw = 24; tw >= 8; tw -= 8)
        if ((may_be_24 || tw != 24) && round_up(ow, tw) < round_up(ow, best))
            best = tw;
    return best;
}

static int64_t patch_tiles_of(const struct conv_patch_args *a, const struct patch_config *c)
{
    return a->N * ceil_div(a->OH, c->th) * ceil_div(a->OW, c->tw);
}

/* Bytes of shared memory, as the kernel lays it out: PATCH_STEP, GRAD_STEP and reduce there. */
static int64_t patch_shared_of(const struct patch_config *c)
{
    int64_t patch_row = c->copy == 4 ? c->tw + 8 : c->tw + c->kw - 1;
    int64_t area = (c->th + c->kh - 1) * patch_row, taps = (int64_t)c->kh * c->kw;
    if (!c->weight_grad)
        return 4 * (c->bc * ((area + 23) / 32 * 32 + 8) + taps * c->bm * (c->bc + 4));
    int64_t tiles = 8 * (c->bc * ((area + 27) / 32 * 32 + 4) +
                         c->bm * (((int64_t)c->th * c->tw + 27) / 32 * 32 + 4));
    int64_t reduction = 4 * 4 * 32 * taps * (c->bc / 8) * 4; /* sums of four warps */
    return max64(tiles, reduction);
}

/* Returns the height of tiles of `positions` positions that gives each warp the same number of MMA
 * tiles. */
static int patch_height_of(const struct conv_patch_args *a, int tw, int positions, int warps)
{
    int th = positions / tw;
    while (th > 1 && th / 2 >= a->OH)
        th /= 2;
    while (th * tw / 8 % warps != 0)
        th++;
    return th;
}

static struct patch_config patch_choose_config(const struct conv_patch_args *a,
                                               const struct cti_conv *w,
                                               const struct cti_cuda_device *d)
{
    struct patch_config c = {.weight_grad = w->kind == CTI_CONV_WEIGHT,
                             .flip = w->kind == CTI_CONV_INPUT,
                             .tw = cti_cuda_conv_tile_width(a->OW, true),
                             .kh = (int)w->weight->shape[2],
                             .kw = (int)w->weight->shape[3],
                             .copy = 1,
                             .copy_grad = 1};
    c.bm = a->OC <= 16 || c.weight_grad ? 16 : a->OC <= 32 ? 32 : 64;
    c.bc = a->IC <= 8 || (c.weight_grad && c.kh * c.kw > MAX_TAPS_16) ? 8 : 16;
    if (c.weight_grad && a->IW % 4 == 0 && (uintptr_t)a->image % 16 == 0 && a->pad_w >= 0 &&
        a->pad_w <= 4 && c.kw - 1 - a->pad_w <= 4)
        c.copy = 4;
    if (a->OW % 4 == 0 && (uintptr_t)a->grad % 16 == 0)
        c.copy_grad = 4;
    int warps = c.bm == 64 && !c.weight_grad ? 4 : 8, positions = 256,
        least = c.bm == 64 ? 128 : 64;
    c.th = patch_height_of(a, c.tw, positions, warps);
    while (!c.weight_grad && positions > least &&
           (c.bm == 64 || patch_tiles_of(a, &c) * ceil_div(a->OC, c.bm) < 2 * d->multiprocessors))
        c.th = patch_height_of(a, c.tw, positions /= 2, warps);
    if (patch_shared_of(&c) > MAX_SHARED)
        c.bc = 8;
    c.shared = patch_shared_of(&c);
    return c;
}

static bool launch_patch(const struct conv_patch_args *a, const struct patch_config *c, int device,
                         int64_t grid_x, int64_t grid_y)
{
    return cti_cuda_run(
        &(struct cti_launch){.file = "conv/patch",
                             .texts = {{"T", "float"}},
                             .params = {{"WEIGHT_GRAD", c->weight_grad},
                                        {"BM", c->bm},
                                        {"BC", c->bc},
                                        {"TH", c->th},
                                        {"TW", c->tw},
                                        {"KH", c->kh},
                                        {"KW", c->kw},
                                        {"FLIP", c->flip},
                                        {"COPY", c->copy},
                                        {"COPY_GRAD", c->copy_grad},
                                        {"EXACT", !ct_cuda_switch(CT_CUDNN_CONV_TF32)}},
                             .device = device,
                             .grid = {grid_x, grid_y},
                             .threads = 256,
                             .shared = (unsigned)c->shared,
                             .args = a,
                             .size = sizeof *a});
}

bool cti_cuda_conv_patch(const struct cti_conv *w)
{
    struct conv_patch_args a = cti_cuda_conv_patch_args(w);
    struct cti_conv_partial_sums parts;
    int device = w->input->storage->device.index;
    struct cti_cuda_device *d = cti_cuda_use(device);
    if (!d)
        return false;
    struct patch_config c = patch_choose_config(&a, w, d);
    int64_t tiles = patch_tiles_of(&a, &c), blocks_m = ceil_div(a.OC, c.bm);
    if (!c.weight_grad)
        return launch_patch(&a, &c, device, tiles, blocks_m);
    int64_t blocks = blocks_m * ceil_div(a.IC, c.bc); /* blocks that share a tile */
    if (!cti_conv_partial_sums_begin(&parts, w, ceil_div(d->multiprocessors, blocks), tiles, 1))
        return false;
    a.part_tiles = (int32_t)parts.span;
    a.out = parts.data;
    return cti_conv_partial_sums_end(&parts, w, launch_patch(&a, &c, device, parts.n, blocks));
}
