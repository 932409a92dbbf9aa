/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with an argument and known on the device alone is written down, the first of it,
 * for the host to tell: Note [Late faults] in cuda/index.c. */
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
