// SPDX-License-Identifier: BSD-3-Clause
// CUDA's extensions of C++ for kernels that run on the fibers of device.cpp: built-in variables, barriers, shuffles,
// votes, atomic operations, intrinsics. The lanes of a warp synchronize once at every collective operation: each
// publishes a value, and reads those of the others when all have arrived.
#include <math.h>
#include <stdint.h>
#include <string.h>

// Names that the C library uses as well.
#define __expf emu__expf
#define __logf emu__logf
#define __log2f emu__log2f
#define __sinf emu__sinf
#define __cosf emu__cosf
#define __sincosf emu__sincosf

struct emu_uint3 {
    unsigned x, y, z;
};
struct emu_state {
    emu_uint3 thread, block, block_dim, grid_dim;
    void (*sync_block)(void);
    void (*sync_warp)(unsigned mask);
    unsigned long long *given, *seen; // 4 words per thread: published now, and by the last collective
    unsigned *alive;                  // for each warp: lanes that had not exited at its last collective
    int id;
    unsigned (*counted)(int op, int v);
    void (*pause)(void); // lets other fibers run
};
extern "C" {
struct emu_state *emu_E;
}
#define threadIdx (emu_E->thread)
#define blockIdx (emu_E->block)
#define blockDim (emu_E->block_dim)
#define gridDim (emu_E->grid_dim)
#define warpSize 32
#define __device__
#define __host__
#define __global__
#define __constant__
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __grid_constant__
static inline void __syncthreads() { emu_E->sync_block(); }
static inline void __syncwarp(unsigned m = 0xffffffffu) { emu_E->sync_warp(m); }
static inline int __syncthreads_or(int v) { return emu_E->counted(0, v) != 0; }
static inline int __syncthreads_and(int v) { return emu_E->counted(1, v); }
static inline int __syncthreads_count(int v) { return emu_E->counted(2, v); }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
static inline void __threadfence_system() {}
static inline void __nanosleep(unsigned) {}
template <typename T> static void emu_meet(unsigned m, const T &v) {
    static_assert(sizeof(T) <= 32, "");
    memcpy(&emu_E->given[4 * emu_E->id], &v, sizeof v);
    emu_E->sync_warp(m);
}
// Whether a lane took part in the last collective operation, and its value.
static inline bool emu_there(int lane) { return emu_E->alive[emu_E->id / 32] >> lane & 1; }
template <typename T> static T emu_value(int lane) {
    T v;
    memcpy(&v, &emu_E->seen[4 * (emu_E->id / 32 * 32 + lane)], sizeof v);
    return v;
}
template <typename T> static T emu_shuffle(unsigned m, T v, int from, bool ok) {
    emu_meet(m, v);
    return ok && from >= 0 && from < 32 && emu_there(from) ? emu_value<T>(from) : v;
}
template <typename T> static T __shfl_sync(unsigned m, T v, int s, int w = 32) {
    int l = emu_E->id % 32;
    return emu_shuffle(m, v, l / w * w + (s & (w - 1)), true);
}
template <typename T> static T __shfl_up_sync(unsigned m, T v, unsigned d, int w = 32) {
    int l = emu_E->id % 32;
    return emu_shuffle(m, v, l - (int)d, l % w >= (int)d);
}
template <typename T> static T __shfl_down_sync(unsigned m, T v, unsigned d, int w = 32) {
    int l = emu_E->id % 32;
    return emu_shuffle(m, v, l + (int)d, l % w + (int)d < w);
}
template <typename T> static T __shfl_xor_sync(unsigned m, T v, int x, int w = 32) {
    int l = emu_E->id % 32;
    return emu_shuffle(m, v, l ^ x, (l ^ x) / w == l / w);
}
static inline unsigned __ballot_sync(unsigned m, int p) {
    unsigned r = 0;
    emu_meet(m, p != 0);
    for (int i = 0; i < 32; i++)
        if (m >> i & 1 && emu_there(i) && emu_value<bool>(i)) r |= 1u << i;
    return r;
}
template <typename T> static unsigned __match_any_sync(unsigned m, T v) {
    unsigned r = 0;
    emu_meet(m, v);
    for (int i = 0; i < 32; i++) {
        const T other = emu_value<T>(i);
        if (m >> i & 1 && emu_there(i) && !memcmp(&other, &v, sizeof v)) r |= 1u << i;
    }
    return r;
}
static inline int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
static inline int __all_sync(unsigned m, int p) { return __ballot_sync(m, !p) == 0; }
template <typename F> static unsigned emu_reduce(unsigned m, unsigned v, F f) {
    unsigned r = v;
    emu_meet(m, v);
    for (int i = 0; i < 32; i++)
        if (m >> i & 1 && i != emu_E->id % 32 && emu_there(i)) r = f(r, emu_value<unsigned>(i));
    return r;
}
static inline unsigned __reduce_add_sync(unsigned m, unsigned v) {
    return emu_reduce(m, v, [](unsigned a, unsigned b) { return a + b; });
}
static inline unsigned __reduce_max_sync(unsigned m, unsigned v) {
    return emu_reduce(m, v, [](unsigned a, unsigned b) { return a > b ? a : b; });
}
static inline unsigned __reduce_min_sync(unsigned m, unsigned v) {
    return emu_reduce(m, v, [](unsigned a, unsigned b) { return a < b ? a : b; });
}
static inline unsigned __reduce_or_sync(unsigned m, unsigned v) {
    return emu_reduce(m, v, [](unsigned a, unsigned b) { return a | b; });
}
template <typename T> struct emu_same { typedef T t; };
template <typename T> static T atomicAdd(T *p, typename emu_same<T>::t v) {
    T o = *p;
    *p = o + v;
    return o;
}
template <typename T> static T atomicSub(T *p, typename emu_same<T>::t v) {
    T o = *p;
    *p = o - v;
    return o;
}
template <typename T> static T atomicMax(T *p, typename emu_same<T>::t v) {
    T o = *p;
    if (v > o) *p = v;
    return o;
}
template <typename T> static T atomicMin(T *p, typename emu_same<T>::t v) {
    T o = *p;
    if (v < o) *p = v;
    return o;
}
template <typename T> static T atomicOr(T *p, typename emu_same<T>::t v) {
    T o = *p;
    *p = o | v;
    return o;
}
template <typename T> static T atomicAnd(T *p, typename emu_same<T>::t v) {
    T o = *p;
    *p = o & v;
    return o;
}
template <typename T> static T atomicExch(T *p, typename emu_same<T>::t v) {
    T o = *p;
    *p = v;
    return o;
}
template <typename T> static T atomicCAS(T *p, typename emu_same<T>::t c, typename emu_same<T>::t v) {
    T o = *p;
    if (!memcmp(&o, &c, sizeof o)) *p = v;
    return o;
}
template <typename T> static T atomicInc(T *p, typename emu_same<T>::t m) {
    T o = *p;
    *p = o >= m ? 0 : o + 1;
    return o;
}
#define atomicCAS_system atomicCAS
#define atomicAdd_system atomicAdd
#define atomicExch_system atomicExch
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz(x) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll(x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned __brev(unsigned x) {
    unsigned r = 0;
    for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i);
    return r;
}
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
template <typename A, typename B> static A emu_bits(B b) {
    A a;
    memcpy(&a, &b, sizeof a);
    return a;
}
static inline int __float_as_int(float x) { return emu_bits<int>(x); }
static inline unsigned __float_as_uint(float x) { return emu_bits<unsigned>(x); }
static inline float __int_as_float(int x) { return emu_bits<float>(x); }
static inline float __uint_as_float(unsigned x) { return emu_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return emu_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return emu_bits<double>(x); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdividef(float a, float b) { return a / b; }
static inline float __expf(float a) { return expf(a); }
static inline float __logf(float a) { return logf(a); }
static inline float __log2f(float a) { return log2f(a); }
static inline float __sinf(float a) { return sinf(a); }
static inline float __cosf(float a) { return cosf(a); }
static inline float __frcp_rn(float a) { return 1 / a; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline int __double2loint(double a) { return (int)emu_bits<long long>(a); }
static inline int __double2hiint(double a) { return (int)(emu_bits<long long>(a) >> 32); }
static inline float rsqrtf(float a) { return 1 / sqrtf(a); }
static inline double rsqrt(double a) { return 1 / sqrt(a); }
static inline void __sincosf(float a, float *s, float *c) {
    *s = sinf(a);
    *c = cosf(a);
}
static inline void sincospi(double a, double *s, double *c) {
    *s = sin(a * M_PI);
    *c = cos(a * M_PI);
}
static inline void sincospif(float a, float *s, float *c) {
    *s = sinf(a * (float)M_PI);
    *c = cosf(a * (float)M_PI);
}
static inline double sinpi(double a) { return sin(a * M_PI); }
static inline double cospi(double a) { return cos(a * M_PI); }
static inline double normcdfinv(double) { return 0; }
#define EMU_MINMAX(T)                                                                                                  \
    static inline T min(T a, T b) { return b < a ? b : a; }                                                            \
    static inline T max(T a, T b) { return a < b ? b : a; }
EMU_MINMAX(int)
EMU_MINMAX(unsigned) EMU_MINMAX(long) EMU_MINMAX(unsigned long) EMU_MINMAX(long long) EMU_MINMAX(unsigned long long)
    EMU_MINMAX(float) EMU_MINMAX(double) template <typename T>
    static T __ldg(const T *p) {
    return *p;
}
template <typename T> static T __ldcs(const T *p) { return *p; }
template <typename T> static T __ldcg(const T *p) { return *p; }
template <typename T> static void __stcs(T *p, T v) { *p = v; }
template <typename T> static void __stcg(T *p, T v) { *p = v; }
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) double2 {
    double x, y;
};
struct alignas(8) int2 {
    int x, y;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) longlong2 {
    long long x, y;
};
struct alignas(16) ulonglong2 {
    unsigned long long x, y;
};
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return uint4{x, y, z, w}; }
static inline uint2 make_uint2(unsigned x, unsigned y) { return uint2{x, y}; }
static inline float4 make_float4(float x, float y, float z, float w) { return float4{x, y, z, w}; }
static inline float2 make_float2(float x, float y) { return float2{x, y}; }
static inline int2 make_int2(int x, int y) { return int2{x, y}; }
#define signbit __builtin_signbit
#define __CUDA_ARCH__ 900
#define CORTEN_EMULATED 1
#define int64_t emu_int64_t
#define uint64_t emu_uint64_t
typedef long long int64_t;
typedef unsigned long long uint64_t;
// cuda/common/mma.cuh
#define EMULATED
static inline float emulated_round(float x) {
    unsigned bits = emu_bits<unsigned>(x);
    if ((bits & 0x7f800000) == 0x7f800000) return x;
    return emu_bits<float>((bits + 0x1000) & 0xffffe000);
}
static inline void emulated_mma(float (&c)[4], const float (&a)[4], const float (&b)[2]) {
    struct factors {
        float a[4], b[2];
    } own;
    const int lane = emu_E->id % 32, g = lane / 4, t = lane % 4;
    auto cut = [](float x) { return emu_bits<float>(emu_bits<unsigned>(x) & 0xffffe000); };
    for (int i = 0; i < 4; i++) own.a[i] = cut(a[i]);
    for (int i = 0; i < 2; i++) own.b[i] = cut(b[i]);
    emu_meet(~0u, own);
    for (int k = 0; k < 8; k++) {
        const factors row = emu_value<factors>(g * 4 + k % 4);
        const float above = row.a[k / 4 * 2], below = row.a[k / 4 * 2 + 1];
        const float even = emu_value<factors>(2 * t * 4 + k % 4).b[k / 4];
        const float odd = emu_value<factors>((2 * t + 1) * 4 + k % 4).b[k / 4];
        c[0] += above * even;
        c[1] += above * odd;
        c[2] += below * even;
        c[3] += below * odd;
    }
}
// For cuda/common/wgmma.cuh: barriers that count arrivals, shared memory addresses, and warpgroup products, whose operand
// in shared memory is addressed by a descriptor as defined in the PTX ISA.
static inline void emulated_barrier_init(unsigned long long *b, int n) { *b = (unsigned long long)n << 32 | (unsigned)n << 1; }
static inline void emulated_barrier_arrive(unsigned long long *b) { // arrivals per phase, missing arrivals, parity
    *b -= 2;
    if ((*b & 0xfffffffe) == 0) *b = (*b >> 32 << 32) | (unsigned)(*b >> 32) << 1 | ((*b & 1) ^ 1);
}
static inline void emulated_barrier_wait(unsigned long long *b, unsigned parity) {
    while ((*b & 1) == parity) emu_E->pause();
}
static char *emulated_window;
static inline unsigned emulated_shared(void *p) {
    if (!emulated_window) emulated_window = (char *)p - 48; // an arbitrary offset
    return (unsigned)((char *)p - emulated_window);
}
static inline unsigned emulated_pack_bf16(float high, float low) {
    auto round = [](float x) {
        unsigned bits = emu_bits<unsigned>(x);
        return x != x ? 0x7fffu : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    };
    return round(high) << 16 | round(low);
}
// Reads b[n][k] with contiguous k: rows of `line` bytes, groups of eight rows at `stride`, swizzled vectors of 16 bytes.
static inline float emulated_right(unsigned long long descriptor, int n, int k) {
    const unsigned start = (unsigned)(descriptor & 0x3fff) << 4, stride = (unsigned)(descriptor >> 32 & 0x3fff) << 4;
    const unsigned mode = (unsigned)(descriptor >> 62), bits = mode == 1 ? 3 : mode == 2 ? 2 : mode == 3 ? 1 : 0;
    const unsigned line = 16u << bits;
    if (!bits || (descriptor >> 49 & 7) || start % line + 32 > line) __builtin_trap();
    unsigned at = start + n / 8 * stride + n % 8 * line + k * 2;
    at ^= (at >> 7 & ((1u << bits) - 1)) << 4;
    unsigned short v;
    memcpy(&v, emulated_window + at, 2);
    return emu_bits<float>((unsigned)v << 16);
}
// As measured on an H200: terms are truncated two bits below the last bit of the largest, and their sum to 24 bits.
static inline float emulated_sum(float c, const float *a, const float *b) {
    double terms[17], plain = c;
    unsigned long long most = 0, sum = 0;
    terms[16] = c;
    for (int k = 0; k < 16; k++) plain += terms[k] = (double)a[k] * b[k];
    for (double t : terms) most = max(most, emu_bits<unsigned long long>(t) >> 52 & 0x7ff);
    if (most == 0 || most == 0x7ff) return (float)plain;
    const double up = emu_bits<double>((1023 + 25 + 1023 - most) << 52);
    for (double t : terms) sum += (unsigned long long)(long long)(t * up);
    const double all = (double)(long long)sum / up;
    const float near = (float)all;
    return fabs((double)near) > fabs(all) ? emu_bits<float>(emu_bits<unsigned>(near) - 1) : near;
}
template <int N>
static inline void emulated_wgmma(float (&d)[N], const unsigned (&a)[4], unsigned long long descriptor, int keep) {
    struct operands {
        unsigned a[4];
        unsigned long long descriptor;
    } own = {{a[0], a[1], a[2], a[3]}, descriptor};
    const int lane = emu_E->id % 32, g = lane / 4, t = lane % 4;
    float row[2][16], column[16];
    emu_meet(~0u, own);
    for (int i = 0; i < 32; i++)
        if (emu_value<operands>(i).descriptor != descriptor) __builtin_trap();
    for (int j = 0; j < 4; j++) {
        const operands other = emu_value<operands>(g * 4 + j);
        for (int i = 0; i < 4; i++) {
            row[i % 2][i / 2 * 8 + j * 2] = emu_bits<float>(other.a[i] << 16);
            row[i % 2][i / 2 * 8 + j * 2 + 1] = emu_bits<float>(other.a[i] & 0xffff0000);
        }
    }
    for (int i = 0; i < N / 2; i++) {
        const int n = i / 2 * 8 + t * 2 + i % 2;
        for (int k = 0; k < 16; k++) column[k] = emulated_right(descriptor, n, k);
        for (int r = 0; r < 2; r++) {
            float &c = d[i / 2 * 4 + r * 2 + i % 2];
            c = emulated_sum(keep ? c : 0, row[r], column);
        }
    }
}
