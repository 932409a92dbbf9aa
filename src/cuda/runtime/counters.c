/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters by which a kernel finds the last of its blocks to finish, which then completes a
 * reduction. They are zero between launches. Each stream has separate counters, since launches of
 * two streams may run at the same time; a graph is captured on a separate stream, too. */
#include "cuda/runtime/kernel.h"

#include "core/alloc.h"

#include <pthread.h>

struct page {
    int device;
    cu_stream stream;
    uint32_t *counters;
    struct page *next;
};

static struct page *pages;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct page *find(int device, cu_stream stream)
{
    struct page *p = __atomic_load_n(&pages, __ATOMIC_ACQUIRE);
    while (p && !(p->device == device && p->stream == stream))
        p = p->next;
    return p;
}

/* Zeroed on a private stream, because the current stream may be capturing. */
static uint32_t *new_counters(void)
{
    const size_t nbytes = CTI_CUDA_COUNTERS * sizeof(uint32_t);
    cu_address address = 0;
    cu_stream own = NULL;
    bool good = cti_cuda_check(cti_cu.allocate(&address, nbytes)) &&
                cti_cuda_check(cti_cu.stream_create(&own, CU_STREAM_NON_BLOCKING, 0)) &&
                cti_cuda_check(cti_cu.set_bytes(address, 0, nbytes, own)) &&
                cti_cuda_check(cti_cu.stream_synchronize(own));
    if (own)
        cti_cu.stream_destroy(own);
    if (!good && address)
        cti_cu.release(address);
    return good ? (uint32_t *)(uintptr_t)address : NULL;
}

static struct page *make(int device, cu_stream stream)
{
    uint32_t *counters = new_counters();
    struct page *p = counters ? cti_malloc(sizeof *p) : NULL;
    if (!p) {
        if (counters)
            cti_cu.release((cu_address)(uintptr_t)counters);
        return NULL;
    }
    *p = (struct page){device, stream, counters, pages};
    __atomic_store_n(&pages, p, __ATOMIC_RELEASE);
    return p;
}

uint32_t *cti_cuda_counters(int device)
{
    cu_stream stream = cti_cuda_stream(device);
    struct page *p = find(device, stream);
    if (__builtin_expect(p != NULL, 1))
        return p->counters;
    pthread_mutex_lock(&lock);
    p = find(device, stream);
    if (!p)
        p = make(device, stream);
    pthread_mutex_unlock(&lock);
    return p ? p->counters : NULL;
}
