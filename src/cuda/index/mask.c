/* SPDX-License-Identifier: BSD-3-Clause */
/* count_nonzero, masked_select, masked_put and nonzero; mask.cu. The host waits once, where
 * a count decides the size of a result: blocks leave their counts in memory of the host. */
#include "cuda/common/line_strides.h"
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include <pthread.h>

#define THREADS 256
#define TILE (THREADS * 16)
#define MOST_BLOCKS 1024

struct arguments {
    const char *mask;
    int64_t n, span;
    int64_t *counts;
    char *out;
    const char *in;
    int64_t limit;
    void *bad;
    struct cti_cuda_lines all;
};

static const char *plain_type(int64_t size)
{
    return size == 1   ? "uint8_t"
           : size == 2 ? "uint16_t"
           : size == 4 ? "uint32_t"
           : size == 8 ? "uint64_t"
                       : "ct_c128";
}

/* Signs of zeros do not count. */
static const char *test_of(int dtype)
{
    return dtype == CT_COMPLEX32                         ? "(((x) & 0x7fff7fff) != 0)"
           : dtype >= CT_COMPLEX64                       ? "((x).re != 0 || (x).im != 0)"
           : dtype == CT_FLOAT16 || dtype == CT_BFLOAT16 ? "(((x) & 0x7fff) != 0)"
                                                         : "((x) != 0)";
}

static cu_function kernel_of(int device, char what, int dtype, int64_t item)
{
    return cti_cuda_template(device, "index/mask",
                             "#define WHAT '%c'\ntypedef %s M;\ntypedef %s E;\n#define TEST(x) "
                             "%s\n#define SHORT_SOURCE %d\n",
                             what, cti_cuda_type[dtype], plain_type(item), test_of(dtype),
                             CTI_FAULT_SHORT_SOURCE);
}

static unsigned blocks_of(struct arguments *a, const ct_tensor *mask)
{
    int64_t tiles = (mask->numel + TILE - 1) / TILE;
    a->mask = cti_data(mask);
    a->n = mask->numel;
    a->span = (tiles + MOST_BLOCKS - 1) / MOST_BLOCKS * TILE;
    return (unsigned)((a->n + a->span - 1) / a->span);
}

/* Memory of the host that a device writes counts to, one user at a time. */
static struct {
    pthread_mutex_t lock;
    int64_t *host[CTI_CUDA_MAX_DEVICES];
} pages = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool count_on(int device, struct arguments *a, cu_function f, unsigned blocks,
                     int64_t *count)
{
    cu_address address = 0;
    void *page = pages.host[device];
    if (!page && !cti_cuda_check(cti_cu.host_allocate(&page, MOST_BLOCKS * sizeof(int64_t),
                                                      CU_HOST_PORTABLE | CU_HOST_MAPPED)))
        return false;
    pages.host[device] = page;
    if (!cti_cuda_check(cti_cu.host_device_address(&address, page, 0)))
        return false;
    a->counts = (void *)(uintptr_t)address;
    if (!cti_cuda_launch(device, f, blocks, THREADS, 0, a, sizeof *a) || !cti_cuda_wait(device))
        return false;
    *count = 0;
    for (unsigned b = 0; b < blocks; b++)
        *count += pages.host[device][b];
    return true;
}

enum cti_status cti_cuda_count_nonzero(struct cti_count_nonzero *work)
{
    ct_tensor *mask = work->mask;
    struct arguments a = {0};
    int device = mask->storage->device.index;
    if (!cti_cuda_has_kernels() || !(mask->flags & CTI_CONTIGUOUS))
        return CTI_DECLINED;
    cu_function f = cti_cuda_use(device) ? kernel_of(device, 'c', mask->dtype, 1) : NULL;
    if (!f)
        return CTI_FAILED;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    work->count = 0;
    if (mask->numel == 0)
        return CTI_DONE;
    unsigned blocks = blocks_of(&a, mask);
    pthread_mutex_lock(&pages.lock);
    bool good = count_on(device, &a, f, blocks, &work->count);
    pthread_mutex_unlock(&pages.lock);
    return good;
}

static enum cti_status run(char what, struct arguments *a, ct_tensor *mask, int64_t item)
{
    void *block = NULL;
    int device = mask->storage->device.index;
    if (!cti_cuda_use(device))
        return CTI_FAILED;
    cu_function count = kernel_of(device, 'c', mask->dtype, 1);
    cu_function f = count ? kernel_of(device, what, mask->dtype, item) : NULL;
    if (!f)
        return CTI_FAILED;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    if (mask->numel == 0)
        return CTI_DONE;
    unsigned blocks = blocks_of(a, mask);
    a->counts = cti_cuda_scratch(device, blocks * (int64_t)sizeof(int64_t), &block);
    bool good = a->counts && cti_cuda_launch(device, count, blocks, THREADS, 0, a, sizeof *a) &&
                cti_cuda_launch(device, f, blocks, THREADS, 0, a, sizeof *a);
    cti_cuda_scratch_end(block);
    return good;
}

enum cti_status cti_cuda_masked_select(struct cti_masked_select *work)
{
    ct_tensor *out = work->out, *in = work->in, *mask = work->mask;
    struct arguments a = {.out = cti_data(out), .in = cti_data(in)};
    enum cti_status status = CTI_DECLINED;
    if (cti_cuda_has_kernels())
        status = run('s', &a, mask, cti_itemsize((enum ct_dtype)in->dtype));
    return status;
}

enum cti_status cti_cuda_masked_put(struct cti_masked_put *work)
{
    ct_tensor *self = work->self, *mask = work->mask, *src = work->src;
    struct arguments a = {.out = cti_data(self), .limit = src->ndim ? src->numel : 0};
    enum cti_status status = CTI_DECLINED;
    bool here = src->storage->device.type == CT_CUDA && src->numel > 0;
    a.in = here ? cti_data(src) : NULL;
    if (here && cti_cuda_has_kernels() && cti_cuda_line_strides_of(&a.all, self)) {
        if (!cti_cuda_fault_page(self->storage->device.index, &a.bad))
            return false;
        status = run('p', &a, mask, cti_itemsize((enum ct_dtype)self->dtype));
    }
    return status;
}

enum cti_status cti_cuda_nonzero(struct cti_nonzero *work)
{
    ct_tensor *out = work->out, *in = work->in;
    struct arguments a = {.out = cti_data(out), .limit = out->shape[0]};
    enum cti_status status = CTI_DECLINED;
    if (cti_cuda_has_kernels() && in->ndim <= CTI_CUDA_LINE_DIMS) {
        a.all.ndim = in->ndim;
        for (int d = 0; d < in->ndim; d++)
            a.all.size[d] = in->shape[d];
        status = run('n', &a, in, 8);
    }
    return status;
}
