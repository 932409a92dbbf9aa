/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointwise programs: a fused kernel for each program, operand types and class of geometry.
 *
 * Note [Classes of geometry] Dims are first dropped, ordered by the result's strides and merged.
 * What is then one contiguous dim is read and written in aligned 16-byte vectors (`pack` elements).
 * Everything else decomposes a linear index by multiplication with precomputed inverses: once for
 * each vector where the inner dim is contiguous, else for each element; from 2^31 elements on by
 * 64-bit division. Where an operand is transposed, the result is made in 32 by 32 tiles, and such
 * operands pass through shared memory so that their loads are coalesced. Scalars travel in the
 * arguments, never in the text: a program is compiled once for all of them. */
#include "cuda/pointwise/pointwise.h"
#include "cuda/common/divisor.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include "core/coalesce.h"
#include "core/small.h"
#include "core/value.h"

#include <stdio.h>
#include <string.h>

#define MOST_DIMS 12

/* ---- geometry ---- */

/* `stride` gets the addresses of the plan's strides. */
static struct cti_dims dims_of(struct cti_pointwise_plan *p, int64_t *stride[CTI_MAX_OPERANDS])
{
    for (int o = 0; o < p->work->noperands; o++)
        stride[o] = p->stride[o];
    return (struct cti_dims){.n = p->ndim,
                             .order = CTI_DIMS_EACH,
                             .inner_last = true,
                             .keep_one = true,
                             .tensors = p->work->noperands,
                             .size = p->shape,
                             .stride = stride};
}

static void set_dims(struct cti_pointwise_plan *p)
{
    const struct cti_pointwise *w = p->work;
    p->ndim = w->ndim;
    p->numel = 1;
    for (int d = 0; d < w->ndim; d++) {
        p->numel *= w->shape[d];
        p->shape[d] = w->shape[d];
        for (int o = 0; o < w->noperands; o++)
            p->stride[o][d] = (w->numbers >> o & 1) ? 0 : w->operand[o].bstride[d];
    }
    int64_t *stride[CTI_MAX_OPERANDS];
    struct cti_dims dims = dims_of(p, stride);
    p->ndim = cti_coalesce(&dims);
}

/* Vector width of a strided plan: what the inner dim, its addresses and the other strides allow. */
static void pack_rows(struct cti_pointwise_plan *p, int64_t largest)
{
    const struct cti_pointwise *w = p->work;
    int last = p->ndim - 1;
    int64_t pack = largest >= 16 ? 1 : largest < 2 ? 8 : 16 / largest;
    while (pack > 1 && p->shape[last] % pack)
        pack /= 2;
    for (int o = 0; o < w->noperands; o++) {
        int64_t size = cti_itemsize((enum ct_dtype)w->operand[o].dtype);
        if (p->kind[o] != ALONG || (o >= w->nout && p->stride[o][last] == 0))
            continue;
        uintptr_t all = (uintptr_t)w->operand[o].data;
        for (int d = 0; d < last; d++)
            all |= (uintptr_t)p->stride[o][d];
        while (pack > 1 && (p->stride[o][last] != size || all % (uintptr_t)(size * pack)))
            pack /= 2;
    }
    if (pack == 1)
        return;
    p->pack = (int)pack;
    p->numel /= pack;
    p->shape[last] /= pack;
    for (int o = 0; o < w->noperands; o++) {
        if (p->kind[o] == ALONG && p->stride[o][last] == 0)
            p->kind[o] = SPLAT;
        p->stride[o][last] *= pack;
    }
}

/* Tiles over the inner dim and the contiguous dim of a transposed operand, which becomes the last
 * but one. */
static void tile_up(struct cti_pointwise_plan *p)
{
    const struct cti_pointwise *w = p->work;
    int last = p->ndim - 1, other = -1;
    int64_t room = 48 << 10, size = cti_itemsize((enum ct_dtype)w->operand[0].dtype);
    if (last < 1 || p->stride[0][last] != size || p->shape[last] < CTI_TILE_EDGE / 2)
        return;
    for (int o = w->nout; o < w->noperands; o++) {
        size = cti_itemsize((enum ct_dtype)w->operand[o].dtype);
        if (p->kind[o] != ALONG || p->stride[o][last] == 0 || p->stride[o][last] == size)
            continue;
        int d = other;
        for (int k = 0; other < 0 && k < last; k++)
            d = p->stride[o][k] == size && p->shape[k] >= CTI_TILE_EDGE / 2 ? k : d;
        room -= CTI_TILE_EDGE * (CTI_TILE_EDGE + 1) * size;
        if (d < 0 || p->stride[o][d] != size || room < 0)
            continue;
        other = d;
        p->kind[o] = TRANSPOSED;
    }
    if (other < 0)
        return;
    int64_t *stride[CTI_MAX_OPERANDS];
    struct cti_dims dims = dims_of(p, stride);
    cti_dims_swap(&dims, other, last - 1);
    p->tiled = true;
    p->numel = (p->shape[last] + CTI_TILE_EDGE - 1) / CTI_TILE_EDGE *
               ((p->shape[last - 1] + CTI_TILE_EDGE - 1) / CTI_TILE_EDGE);
    for (int d = 0; d < last - 1; d++)
        p->numel *= p->shape[d];
}

/* Chooses the class; see the Note. */
static void choose(struct cti_pointwise_plan *p)
{
    const struct cti_pointwise *w = p->work;
    bool packed = p->ndim == 1;
    int64_t largest = 1;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *x = &w->operand[o];
        int64_t size = cti_itemsize((enum ct_dtype)x->dtype);
        bool still = true;
        for (int d = 0; d < p->ndim; d++)
            still = still && p->stride[o][d] == 0;
        p->kind[o] = (w->numbers >> o & 1) ? NUMBER : still && o >= w->nout ? ONE : ALONG;
        if (p->kind[o] == ALONG) {
            packed = packed && (p->stride[o][0] == size || p->shape[0] == 1);
            largest = size > largest ? size : largest;
        }
    }
    p->pack = 1;
    p->tiled = false;
    if (!packed && p->numel < INT32_MAX)
        tile_up(p);
    if (!packed && !p->tiled)
        pack_rows(p, largest);
    p->wide = p->numel >= INT32_MAX;
    if (!packed)
        return;
    p->ndim = 0;
    p->pack = largest >= 16 ? 1 : largest < 2 ? 8 : (int)(16 / largest);
    for (int o = 0; o < w->noperands; o++) {
        uintptr_t step = (uintptr_t)(cti_itemsize((enum ct_dtype)w->operand[o].dtype) * p->pack);
        if (p->kind[o] == ALONG && (uintptr_t)w->operand[o].data % step)
            p->pack = 1;
    }
}

/* ---- kernels by key ---- */

/* All that the text depends on. */
static size_t write_key(const struct cti_pointwise_plan *p, unsigned char *key)
{
    const struct cti_pointwise *w = p->work;
    unsigned char *at = key;
    *at++ = 'p';
    *at++ = (unsigned char)p->ndim;
    *at++ = (unsigned char)(p->pack | p->wide << 7);
    *at++ = (unsigned char)w->noperands;
    *at++ = (unsigned char)w->nsteps;
    for (int o = 0; o < w->noperands; o++) {
        *at++ = w->operand[o].dtype;
        *at++ = w->operand[o].compute;
        *at++ = (unsigned char)(w->operand[o].flags << 4 | p->kind[o]);
    }
    for (int s = 0; s < w->nsteps; s++) {
        const struct cti_step *step = &w->step[s];
        *at++ = (unsigned char)step->row;
        *at++ = (unsigned char)(step->row >> 8);
        *at++ = step->dtype;
        *at++ = step->nin;
        *at++ = step->masks;
        for (int i = 0; i < step->nin; i++)
            *at++ = step->in[i];
        *at++ = step->out;
        *at++ = w->slot_dtype[step->out];
    }
    return (size_t)(at - key);
}

/* ---- launches ---- */

/* The kernel's argument as source.c declares it: the linear size, 16 bytes for each operand, the
 * divisors, the sizes and the strides. Returns its size. */
static size_t write_arguments(const struct cti_pointwise_plan *p, char *buffer)
{
    const struct cti_pointwise *w = p->work;
    int64_t head[2] = {p->numel, 0};
    char *at = buffer;
    memcpy(at, head, sizeof head);
    at += sizeof head;
    for (int o = 0; o < w->noperands; o++, at += 16) {
        memset(at, 0, 16);
        if ((w->numbers >> o & 1))
            memcpy(at, w->operand[o].data,
                   (size_t)cti_itemsize((enum ct_dtype)w->operand[o].dtype));
        else
            memcpy(at, &w->operand[o].data, sizeof w->operand[o].data);
    }
    for (int d = 0; d < p->ndim; d++, at += 16) {
        struct cti_divisor v = cti_divisor_of(p->wide ? 0 : p->shape[d]);
        memcpy(at, &v, sizeof v);
    }
    for (int d = 0; d < p->ndim; d++, at += 8)
        memcpy(at, &p->shape[d], 8);
    for (int o = 0; o < w->noperands; o++, at += 8 * (size_t)p->ndim)
        memcpy(at, p->stride[o], 8 * (size_t)p->ndim);
    return (size_t)(at - buffer);
}

enum cti_status cti_cuda_pointwise(struct cti_pointwise *work)
{
    struct cti_pointwise_plan p;
    unsigned char key[16 + 3 * CTI_MAX_OPERANDS + CTI_MAX_STEPS * (8 + CTI_MAX_INPUTS)];
    char arguments[4096];
    if (!cti_cuda_has_kernels() || work->nout != 1)
        return CTI_DECLINED;
    p.work = work;
    set_dims(&p);
    if (p.numel == 0)
        return true;
    choose(&p);
    if (p.ndim > MOST_DIMS)
        return CTI_DECLINED;
    int device = work->work.device.index;
    if (!cti_cuda_use(device))
        return false;
    size_t length = write_key(&p, key);
    cu_function f = cti_cuda_kernel_known(device, key, length);
    if (!f && !cti_cuda_has_steps(work->step, work->nsteps))
        return CTI_DECLINED;
    if (!f)
        f = cti_cuda_kernel(device, key, length, cti_cuda_pointwise_text, &p);
    size_t size = write_arguments(&p, arguments);
    int64_t block_size = p.tiled  ? 1 /* in the units of numel */
                         : p.ndim ? 4 * CTI_POINTWISE_THREADS
                                  : 2 * CTI_POINTWISE_THREADS * p.pack;
    return cti_cuda_launched(f && cti_cuda_launch_1d(device, f, ceil_div(p.numel, block_size),
                                                     CTI_POINTWISE_THREADS, arguments, size));
}

/* ---- fills ---- */

enum cti_status cti_cuda_fill(struct cti_fill *work)
{
    ct_tensor *dst = work->dst;
    ct_value number = work->number;
    enum ct_dtype dtype = (enum ct_dtype)dst->dtype;
    char value[16] = {0};
    int64_t still[CTI_MAX_DIMS] = {0}, bstride[CTI_MAX_DIMS], size = cti_itemsize(dtype);
    if (dst->flags & (CTI_CONJ | CTI_NEG) || !cti_cuda_has_kernels())
        return CTI_DECLINED;
    cti_value_store(value, dtype, number);
    struct cti_pointwise w = {
        .work = {CTI_ENGINE_pointwise, dst->storage->device}, .ndim = dst->ndim, .nout = 1};
    w.noperands = 2;
    w.numbers = 1u << 1;
    w.shape = dst->shape;
    for (int d = 0; d < dst->ndim; d++)
        bstride[d] = dst->stride[d] * size;
    w.operand[0] = (struct cti_operand){
        .data = cti_data(dst), .dtype = dst->dtype, .compute = dst->dtype, .bstride = bstride};
    w.operand[1] = (struct cti_operand){
        .data = value, .dtype = dst->dtype, .compute = dst->dtype, .bstride = still};
    return cti_run(&w.work);
}
