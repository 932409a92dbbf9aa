/* SPDX-License-Identifier: BSD-3-Clause */
/* An invalid argument that only the device can see (an index out of range) is recorded, first one
 * wins, and reported by the host later: Note [Late faults] in cuda/index/index.c. */
struct fault {
    int set, what; /* what: see driver.h */
    long long index, size;
};

static __device__ __forceinline__ void tell(fault *bad, int what, long long index, long long size)
{
    if (atomicCAS_system(&bad->set, 0, 1) == 0) {
        bad->what = what;
        bad->index = index;
        bad->size = size;
        __threadfence_system();
    }
}
