/* SPDX-License-Identifier: BSD-3-Clause */
/* count_nonzero, masked_select, masked_put and nonzero by mask.cu. count_nonzero waits for the
 * device, since a count decides the size of a result; its blocks write their counts to host memory.
 */
#include "core/small.h"
#include "cuda/common/line_strides.h"
#include "cuda/engines.h"
#include "cuda/index/index_args.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include <pthread.h>

#define MAX_BLOCKS 1024

/* The C expression that tests whether x is nonzero; -0.0 counts as zero. */
static const char *nonzero_test(int dtype)
{
    return dtype == CT_COMPLEX32                         ? "(((x) & 0x7fff7fff) != 0)"
           : dtype >= CT_COMPLEX64                       ? "((x).re != 0 || (x).im != 0)"
           : dtype == CT_FLOAT16 || dtype == CT_BFLOAT16 ? "(((x) & 0x7fff) != 0)"
                                                         : "((x) != 0)";
}

/* Sets the blocks' shares of the mask; returns how many blocks there are. */
static int64_t share_mask(struct mask_args *a, const ct_tensor *mask)
{
    a->mask = cti_data(mask);
    a->n = mask->numel;
    a->block_size = ceil_div(ceil_div(mask->numel, MASK_TILE), MAX_BLOCKS) * MASK_TILE;
    return ceil_div(a->n, a->block_size);
}

/* itemsize: bytes of an element to copy. */
static bool mask_run(int what, const struct mask_args *a, const ct_tensor *mask, int64_t itemsize,
                     int64_t blocks)
{
    return cti_cuda_run(&(struct cti_launch){.file = "index/mask",
                                             .texts = {{"T", cti_cuda_type[mask->dtype]},
                                                       {"ELEMENT", cti_cuda_bits_type(itemsize)},
                                                       {"TEST(x)", nonzero_test(mask->dtype)}},
                                             .params = {{"WHAT", what}},
                                             .device = mask->storage->device.index,
                                             .grid = {blocks},
                                             .threads = THREADS,
                                             CTI_ARGS(*a)});
}

/* Host memory that a device writes counts to; the lock admits one call at a time. */
static struct {
    pthread_mutex_t lock;
    int64_t *host[CTI_CUDA_MAX_DEVICES];
} pages = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool count_blocks(struct mask_args *a, const ct_tensor *mask, int64_t *count)
{
    int device = mask->storage->device.index;
    int64_t blocks = share_mask(a, mask);
    cu_address address = 0;
    void *page = pages.host[device];
    if (!page && !cti_cuda_check(cti_cu.host_allocate(&page, MAX_BLOCKS * sizeof(int64_t),
                                                      CU_HOST_PORTABLE | CU_HOST_MAPPED)))
        return false;
    pages.host[device] = page;
    if (!cti_cuda_check(cti_cu.host_device_address(&address, page, 0)))
        return false;
    a->counts = (void *)(uintptr_t)address;
    if (!mask_run(MASK_COUNT, a, mask, 1, blocks) || !cti_cuda_wait(device))
        return false;
    *count = 0;
    for (int64_t b = 0; b < blocks; b++)
        *count += pages.host[device][b];
    return true;
}

enum cti_status cti_cuda_count_nonzero(struct cti_count_nonzero *work)
{
    ct_tensor *mask = work->mask;
    struct mask_args a = {0};
    if (!cti_cuda_has_kernels() || !(mask->flags & CTI_CONTIGUOUS))
        return CTI_DECLINED;
    work->count = 0;
    if (mask->numel == 0)
        return CTI_DONE;
    if (!cti_cuda_use(mask->storage->device.index))
        return CTI_FAILED;
    pthread_mutex_lock(&pages.lock);
    bool good = count_blocks(&a, mask, &work->count);
    pthread_mutex_unlock(&pages.lock);
    return cti_cuda_launched(good);
}

/* Launches two kernels: one counts the blocks' elements, the other copies them. */
static enum cti_status mask_move(int what, struct mask_args *a, ct_tensor *mask, int64_t itemsize)
{
    void *block = NULL;
    if (mask->numel == 0)
        return CTI_DONE;
    int64_t blocks = share_mask(a, mask);
    a->counts =
        cti_cuda_scratch(mask->storage->device.index, blocks * (int64_t)sizeof(int64_t), &block);
    bool good = a->counts && mask_run(MASK_COUNT, a, mask, 1, blocks) &&
                mask_run(what, a, mask, itemsize, blocks);
    cti_cuda_scratch_end(block);
    return cti_cuda_launched(good);
}

enum cti_status cti_cuda_masked_select(struct cti_masked_select *work)
{
    struct mask_args a = {.out = cti_data(work->out), .in = cti_data(work->in)};
    if (!cti_cuda_has_kernels())
        return CTI_DECLINED;
    return mask_move(MASK_SELECT, &a, work->mask, cti_itemsize(work->in->dtype));
}

enum cti_status cti_cuda_masked_put(struct cti_masked_put *work)
{
    ct_tensor *self = work->self, *src = work->src;
    struct mask_args a = {.out = cti_data(self), .limit = src->ndim ? src->numel : 0};
    if (!cti_cuda_has_kernels() || src->storage->device.type != CT_CUDA || src->numel == 0 ||
        !cti_cuda_elements(&a.lines, self))
        return CTI_DECLINED;
    a.in = cti_data(src);
    if (!cti_cuda_fault_page(self->storage->device.index, &a.fault))
        return CTI_FAILED;
    return mask_move(MASK_PUT, &a, work->mask, cti_itemsize(self->dtype));
}

enum cti_status cti_cuda_nonzero(struct cti_nonzero *work)
{
    ct_tensor *out = work->out, *in = work->in;
    struct mask_args a = {.out = cti_data(out), .limit = out->shape[0]};
    if (!cti_cuda_has_kernels() || in->ndim > CTI_LINE_DIMS)
        return CTI_DECLINED;
    a.lines.ndim = in->ndim;
    for (int d = 0; d < in->ndim; d++)
        a.lines.size[d] = in->shape[d];
    return mask_move(MASK_NONZERO, &a, in, 8);
}
