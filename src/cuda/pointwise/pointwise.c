/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointwise programs: chooses and launches a fused kernel for each program, operand types and class
 * of geometry. source.c writes the kernels.
 *
 * Note [Classes of geometry] Dims are first ordered by the result's strides and merged.
 * Contiguous: one dim is left, and every operand is contiguous in it or broadcast. Threads load and
 * store aligned 16-byte vectors.
 * Strided: threads compute the coordinates from a linear index, by multiplication with precomputed
 * inverses, or by 64-bit division from 2^31 elements on. They do so once for each vector if the
 * inner dim is contiguous, else for each element.
 * Tiled: an operand is transposed. The result is computed in 32 by 32 tiles, and the transposed
 * operands are staged in shared memory, so that their loads are coalesced.
 * Scalars are passed as arguments, so that a program is compiled once for all their values. */
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

#define MAX_DIMS 12

/* ---- geometry ---- */

/* Returns the dims of the plan for core/coalesce.h. `stride` receives the addresses of its
 * strides. */
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

/* Makes vectors of the inner dim of a strided plan, as wide as its size and the alignment of all
 * addresses and strides allow. */
static void vectorise_rows(struct cti_pointwise_plan *p, int64_t largest)
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

/* Makes the plan tiled if an operand is transposed: contiguous in another dim than the result. That
 * dim becomes the second innermost one, and tiles cover these two dims. */
static void choose_tiles(struct cti_pointwise_plan *p)
{
    const struct cti_pointwise *w = p->work;
    int last = p->ndim - 1, other = -1;
    int64_t shared = 48 << 10, size = cti_itemsize((enum ct_dtype)w->operand[0].dtype);
    if (last < 1 || p->stride[0][last] != size || p->shape[last] < CTI_TILE_EDGE / 2)
        return;
    for (int o = w->nout; o < w->noperands; o++) {
        size = cti_itemsize((enum ct_dtype)w->operand[o].dtype);
        if (p->kind[o] != ALONG || p->stride[o][last] == 0 || p->stride[o][last] == size)
            continue;
        int d = other;
        for (int k = 0; other < 0 && k < last; k++)
            d = p->stride[o][k] == size && p->shape[k] >= CTI_TILE_EDGE / 2 ? k : d;
        shared -= CTI_TILE_EDGE * (CTI_TILE_EDGE + 1) * size;
        if (d < 0 || p->stride[o][d] != size || shared < 0)
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
    p->numel =
        ceil_div(p->shape[last], CTI_TILE_EDGE) * ceil_div(p->shape[last - 1], CTI_TILE_EDGE);
    for (int d = 0; d < last - 1; d++)
        p->numel *= p->shape[d];
}

/* Chooses the class of geometry, and how each operand is read. */
static void choose_class(struct cti_pointwise_plan *p)
{
    const struct cti_pointwise *w = p->work;
    bool contiguous = p->ndim == 1;
    int64_t largest = 1;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *x = &w->operand[o];
        int64_t size = cti_itemsize((enum ct_dtype)x->dtype);
        bool broadcast = true;
        for (int d = 0; d < p->ndim; d++)
            broadcast = broadcast && p->stride[o][d] == 0;
        p->kind[o] = (w->numbers >> o & 1) ? NUMBER : broadcast && o >= w->nout ? ONE : ALONG;
        if (p->kind[o] == ALONG) {
            contiguous = contiguous && (p->stride[o][0] == size || p->shape[0] == 1);
            largest = size > largest ? size : largest;
        }
    }
    p->pack = 1;
    p->tiled = false;
    if (!contiguous && p->numel < INT32_MAX)
        choose_tiles(p);
    if (!contiguous && !p->tiled)
        vectorise_rows(p, largest);
    p->index64 = p->numel >= INT32_MAX;
    if (!contiguous)
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

/* Writes the key: everything that the kernel's text depends on. */
static size_t write_key(const struct cti_pointwise_plan *p, unsigned char *key)
{
    const struct cti_pointwise *w = p->work;
    unsigned char *at = key;
    *at++ = 'p';
    *at++ = (unsigned char)p->ndim;
    *at++ = (unsigned char)(p->pack | p->index64 << 7);
    *at++ = (unsigned char)w->noperands;
    *at++ = (unsigned char)w->nsteps;
    for (int o = 0; o < w->noperands; o++) {
        *at++ = w->operand[o].dtype;
        *at++ = w->operand[o].compute;
        *at++ = (unsigned char)(w->operand[o].flags << 4 | p->kind[o]);
    }
    for (int s = 0; s < w->nsteps; s++) {
        at = cti_cuda_write_step(at, &w->step[s]);
        *at++ = w->slot_dtype[w->step[s].out];
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
        struct cti_divisor v = cti_divisor_of(p->index64 ? 0 : p->shape[d]);
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
    unsigned char key[16 + 3 * CTI_MAX_OPERANDS + CTI_MAX_STEPS * (1 + CTI_STEP_KEY)];
    char arguments[4096];
    if (!cti_cuda_has_kernels() || work->nout != 1)
        return CTI_DECLINED;
    p.work = work;
    set_dims(&p);
    if (p.numel == 0)
        return CTI_DONE;
    choose_class(&p);
    if (p.ndim > MAX_DIMS)
        return CTI_DECLINED;
    int device = work->work.device.index;
    if (!cti_cuda_use(device))
        return CTI_FAILED;
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
    return cti_cuda_launched(f && cti_cuda_launch(device, f, ceil_div(p.numel, block_size),
                                                  CTI_POINTWISE_THREADS, arguments, size));
}

/* ---- fills ---- */

enum cti_status cti_cuda_fill(struct cti_fill *work)
{
    ct_tensor *dst = work->dst;
    ct_value number = work->number;
    enum ct_dtype dtype = (enum ct_dtype)dst->dtype;
    char value[16] = {0};
    int64_t broadcast[CTI_MAX_DIMS] = {0}, bstride[CTI_MAX_DIMS], size = cti_itemsize(dtype);
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
        .data = value, .dtype = dst->dtype, .compute = dst->dtype, .bstride = broadcast};
    return cti_run(&w.work);
}
