/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements by index. Over a space of positions there is a value for each position and a tensor that
 * is indexed: some of its dims follow the position, others an index tensor. GET reads it, PUT
 * writes it, ADD, MUL, LESS and MORE combine with what is there, by atomic operations. An index
 * that is out of bounds is written down for the host to tell, and its element is left out. */
#define DIMS 12
#define INDICES 8

struct fault {
    int set, what; /* what: see driver.h */
    long long index, size;
};

struct arguments {
    char *value, *indexed;
    fault *bad;
    long long n;
    int ndim, nindex, wrap; /* wrap: negative ones count from the end */
    int what;
    long long size[DIMS], value_step[DIMS], indexed_step[DIMS];
    const char *index[INDICES];
    long long index_step[INDICES][DIMS], bound[INDICES], bound_step[INDICES];
};

#ifdef COMBINE
static __device__ MEMORY combined(MEMORY a, MEMORY b)
{
    return COMBINE(a, b);
}

/* By compare and swap of the word that holds it. */
static __device__ void combine(MEMORY *at, MEMORY b)
{
#ifdef ATOMIC_ADD
    atomicAdd((ATOMIC_ADD *)at, (ATOMIC_ADD)b);
#else
    const unsigned long long place = (unsigned long long)at;
    if (sizeof(MEMORY) == 8) {
        unsigned long long *word = (unsigned long long *)place, old = *word, seen;
        do {
            seen = old;
            union {
                unsigned long long w;
                MEMORY m;
            } v;
            v.w = seen;
            v.m = combined(v.m, b);
            old = atomicCAS(word, seen, v.w);
        } while (old != seen);
    } else {
        unsigned *word = (unsigned *)(place / 4 * 4), old = *word, seen;
        const int shift = (int)(place % 4) * 8;
        const unsigned mask = sizeof(MEMORY) == 4 ? ~0u : (1u << (8 * sizeof(MEMORY) % 32)) - 1;
        do {
            seen = old;
            union {
                unsigned w;
                MEMORY m;
            } v;
            v.w = seen >> shift & mask;
            v.m = combined(v.m, b);
            old = atomicCAS(word, seen, (seen & ~(mask << shift)) | (v.w & mask) << shift);
        } while (old != seen);
    }
#endif
}
#endif

extern "C" __global__ void __launch_bounds__(256) k(const arguments a)
{
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    if (i >= a.n)
        return;
    char *value = a.value, *indexed = a.indexed;
    long long where[INDICES] = {0}, rest = i;
    for (int d = a.ndim - 1; d >= 0; d--) {
        long long x = rest;
        if (d > 0) {
            const long long next = a.n <= 0x7fffffff
                                       ? (long long)((unsigned)rest / (unsigned)a.size[d])
                                       : rest / a.size[d];
            x = rest - next * a.size[d];
            rest = next;
        }
        value += x * a.value_step[d];
        indexed += x * a.indexed_step[d];
        for (int k = 0; k < a.nindex; k++)
            where[k] += x * a.index_step[k][d];
    }
    for (int k = 0; k < a.nindex; k++) {
        const long long given = *(const long long *)(a.index[k] + where[k]);
        const long long x = given < 0 && a.wrap ? given + a.bound[k] : given;
        if (x < 0 || x >= a.bound[k]) {
            if (atomicCAS_system(&a.bad->set, 0, 1) == 0) {
                a.bad->what = a.what;
                a.bad->index = given;
                a.bad->size = a.bound[k];
                __threadfence_system();
            }
            return;
        }
        indexed += x * a.bound_step[k];
    }
#ifdef COMBINE
    combine((MEMORY *)indexed, *(const MEMORY *)value);
#elif defined(GET)
    *(MEMORY *)value = *(const MEMORY *)indexed;
#else
    *(MEMORY *)indexed = *(const MEMORY *)value;
#endif
}
