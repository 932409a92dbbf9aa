/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies from global into shared memory that no register and no thread waits for (cp.async). */

/* Copies N numbers into shared memory, or zeros, at some time before own_copies_done. */
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

/* Waits for the copies of this thread, which no other one sees before a barrier. */
static __device__ __forceinline__ void own_copies_done()
{
#ifndef EMULATED
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
