/* SPDX-License-Identifier: BSD-3-Clause */
/* The counter-based generator Philox 4x32-10 (J. Salmon et al., Parallel random numbers: as easy as
 * 1, 2, 3, SC 2011), which gives four words for each step of a thread's subsequence, and uniform
 * numbers made of them. */
struct words {
    unsigned v[4];
};

static __device__ words philox(uint64_t seed, uint64_t thread, uint64_t step)
{
    unsigned c0 = (unsigned)step, c1 = (unsigned)(step >> 32);
    unsigned c2 = (unsigned)thread, c3 = (unsigned)(thread >> 32);
    unsigned k0 = (unsigned)seed, k1 = (unsigned)(seed >> 32);
#pragma unroll
    for (int round = 0; round < 10; round++) {
        const unsigned h0 = __umulhi(0xD2511F53u, c0), l0 = 0xD2511F53u * c0;
        const unsigned h1 = __umulhi(0xCD9E8D57u, c2), l1 = 0xCD9E8D57u * c2;
        c0 = h1 ^ c1 ^ k0;
        c1 = l1;
        c2 = h0 ^ c3 ^ k1;
        c3 = l0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    words w = {{c0, c1, c2, c3}};
    return w;
}

/* In (0, 1]. */
static __device__ float uniform_f32(unsigned x)
{
    return __fmaf_rn((float)x, 2.3283064e-10f, 2.3283064e-10f / 2.0f);
}

static __device__ double uniform_f64(unsigned x, unsigned y)
{
    const uint64_t z = (uint64_t)x ^ ((uint64_t)y << (53 - 32));
    return __fma_rn((double)z, 1.1102230246251565e-16, 1.1102230246251565e-16 / 2.0);
}
