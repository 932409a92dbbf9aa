/* SPDX-License-Identifier: BSD-3-Clause */
/* Asynchronous copies from global into shared memory (cp.async), which use no registers and do not
 * stall the thread. */

/* Starts a copy of N floats into shared memory (zeros unless `there`). It is complete after
 * own_copies_done. */
template <int N>
static __device__ __forceinline__ void copy_later(float *to, const float *from, bool there)
{
#ifdef EMULATED
    for (int i = 0; i < N; i++)
        to[i] = there ? from[i] : 0;
#else
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(at), "l"(from), "n"(N * 4),
                 "r"(there ? N * 4 : 0)
                 : "memory");
#endif
}

/* Waits for the copies that this thread has started. Other threads see them after a barrier. */
static __device__ __forceinline__ void own_copies_done()
{
#ifndef EMULATED
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
