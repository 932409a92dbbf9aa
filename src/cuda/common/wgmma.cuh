/* SPDX-License-Identifier: BSD-3-Clause */
/* Hopper's asynchronous warpgroup MMA: d[64, N] += a[64, 16] b[16, N] in bfloat16 with float32
 * accumulators, a from registers, b[n][k] from swizzled shared memory. Fragment layout (PTX ISA,
 * wgmma.m64nNk16): lane 4 g + t of warp w holds of a, in four pairs, rows 16 w + g (+ 8 in odd
 * pairs), columns 2 t, 2 t + 1 (+ 8 in pairs 2, 3); of d the same rows, columns 8 j + 2 t, + 1:
 * d[4 j], [4 j + 1], of the second row [4 j + 2], [+ 3]. Waits for an mbarrier pass the parity of
 * its phase; the first phase has parity 0. EMULATED: tests/emulator supplies the instructions as
 * plain C++. */
#ifdef EMULATED
#define WGMMA(d, a, b, keep) emulated_wgmma(d, a, b, keep)
#else
#define WGMMA(d, a, b, keep) wgmma(d, a, b, keep)
#define WGMMA_TEXT(shape, list, a, b, keep)                                                        \
    "{\n.reg .pred p;\nsetp.ne.b32 p, " keep ", 0;\n"                                              \
    "wgmma.mma_async.sync.aligned." shape ".f32.bf16.bf16 {" list "}, {" a "}, " b                 \
    ", p, 1, 1, 0;\n}\n"
#define EIGHT(x)                                                                                   \
    "+f"(d[x]), "+f"(d[x + 1]), "+f"(d[x + 2]), "+f"(d[x + 3]), "+f"(d[x + 4]), "+f"(d[x + 5]),    \
        "+f"(d[x + 6]), "+f"(d[x + 7])
#define LIST_32                                                                                    \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                       \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define LIST_64                                                                                    \
    LIST_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "   \
            "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"

static __device__ __forceinline__ void wgmma(float (&d)[32], const unsigned (&a)[4],
                                             unsigned long long b, int keep)
{
    asm volatile(WGMMA_TEXT("m64n64k16", LIST_32, "%32, %33, %34, %35", "%36", "%37")
                 : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep));
}

static __device__ __forceinline__ void wgmma(float (&d)[64], const unsigned (&a)[4],
                                             unsigned long long b, int keep)
{
    asm volatile(WGMMA_TEXT("m64n128k16", LIST_64, "%64, %65, %66, %67", "%68", "%69")
                 : EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48),
                   EIGHT(56)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep));
}
#endif

#ifdef EMULATED
#define WGMMA_BEGIN()
#define WGMMA_COMMIT()
#define WGMMA_WAIT(n)
#define KEEP_BEHIND(x)
#define FENCE_ASYNC()
#define MORE_REGISTERS(n)
#define FEWER_REGISTERS(n)
#define SHARED_ADDRESS(p) emulated_shared(p)
#define PACK_BF16(high, low) emulated_pack_bf16(high, low)
#define BARRIER_INIT(b, n) emulated_barrier_init(b, n)
#define BARRIER_ARRIVE(b) emulated_barrier_arrive(b)
#define BARRIER_WAIT(b, parity) emulated_barrier_wait(b, parity)
#else
/* wgmma.fence orders register accesses before the MMAs; wait_group(n) leaves at most n groups in
 * flight. */
#define WGMMA_BEGIN() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WGMMA_WAIT(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
#define WGMMA_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define KEEP_BEHIND(x) asm volatile("" : "+f"(x)::"memory")
/* Makes this thread's shared-memory stores visible to the async proxy, which wgmma reads
 * through. */
#define FENCE_ASYNC() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define MORE_REGISTERS(n) asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(n))
#define FEWER_REGISTERS(n) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(n))
#define SHARED_ADDRESS(p) (unsigned)__cvta_generic_to_shared(p)
#define PACK_BF16(high, low) pack_bf16(high, low)
#define BARRIER_INIT(b, n)                                                                         \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(SHARED_ADDRESS(b)), "r"(n)        \
                 : "memory")
#define BARRIER_ARRIVE(b)                                                                          \
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(SHARED_ADDRESS(b)) : "memory")
#define BARRIER_WAIT(b, parity) barrier_wait(SHARED_ADDRESS(b), parity)

static __device__ __forceinline__ unsigned pack_bf16(float high, float low)
{
    unsigned both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
    return both;
}

static __device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity)
{
    unsigned done;
    do
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.b32 %0, 1, 0, p;\n}\n"
                     : "=r"(done)
                     : "r"(barrier), "r"(parity)
                     : "memory");
    while (!done);
}
#endif
