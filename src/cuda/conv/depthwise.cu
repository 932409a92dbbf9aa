/* SPDX-License-Identifier: BSD-3-Clause */
/* 2-d depthwise convolution: groups of one input channel, so each output is a short sum and memory
 * bandwidth is the limit. Launched by depthwise.c. KIND is an enum cti_conv_kind:
 *   0  forward              a thread for EACH adjacent results of a row, in memory order
 *   1  gradient of input    the same
 *   2  gradient of weight   a block sums all KH by KW taps of one output channel over its share of
 *                           the positions of all images; partial_sums.cu adds the shares
 * Offsets fit into 31 bits. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#include "cuda/conv/depthwise_args.h"
#define TAPS (KH * KW)

/* The EACH adjacent results of a thread. */
struct item {
    int image, channel, y, x; /* x: of the first */
};

/* Item i of a tensor with rows of `width` elements, in memory order. */
static __device__ item item_at(const depthwise_args &a, int i, int channels, int height, int width)
{
    const int row_items = (width + EACH - 1) / EACH;
    item p;
    if (a.channels_last) {
        p.channel = i % channels;
        i /= channels;
    }
    p.x = i % row_items * EACH;
    i /= row_items;
    p.y = i % height;
    i /= height;
    if (!a.channels_last) {
        p.channel = i % channels;
        i /= channels;
    }
    p.image = i;
    return p;
}

/* Adds the products of a row of taps, w, with a row of n elements; element `first` is under the
 * first tap. tap and step are strides in memory. PLAIN: stride_w and dilation_w are 1, so windows
 * overlap and each element is loaded only once, into registers. */
static __device__ void add_row(T (&sum)[EACH], const T *w, int tap, const T *from, int step, int n,
                               int first, int stride, int dilation)
{
#ifdef PLAIN
    T line[EACH + KW - 1];
#pragma unroll
    for (int i = 0; i < EACH + KW - 1; i++)
        line[i] = first + i >= 0 && first + i < n ? from[(first + i) * step] : (T)0;
#endif
#pragma unroll
    for (int t = 0; t < KW; t++) {
        const T by = w[t * tap];
#pragma unroll
        for (int e = 0; e < EACH; e++) {
#ifdef PLAIN
            if (first + e + t >= 0 && first + e + t < n)
                sum[e] = fma(by, line[e + t], sum[e]);
#else
            const int x = first + e * stride + t * dilation;
            if (x >= 0 && x < n)
                sum[e] = fma(by, from[x * step], sum[e]);
#endif
        }
    }
}

/* Sums over the taps for a result of forward. */
static __device__ void forward(const depthwise_args &a, const item &p, T (&sum)[EACH])
{
    const T *const w = a.weight.data + p.channel * a.weight.n;
    const T *const in =
        a.input.data + p.image * a.input.n + p.channel / a.multiplier * a.input.c;
#pragma unroll
    for (int s = 0; s < KH; s++) {
        const int y = p.y * a.stride_h + s * a.dilation_h - a.pad_h;
        if (y >= 0 && y < a.IH)
            add_row(sum, w + s * a.weight.h, a.weight.w, in + y * a.input.h,
                    a.input.w, a.IW, p.x * a.stride_w - a.pad_w, a.stride_w,
                    a.dilation_w);
    }
}

/* Sums the gradients of the outputs that read this input. */
static __device__ void backward(const depthwise_args &a, const item &p, T (&sum)[EACH])
{
    for (int o = p.channel * a.multiplier; o < (p.channel + 1) * a.multiplier; o++) {
        const T *const w = a.weight.data + o * a.weight.n;
        const T *const out = a.output.data + p.image * a.output.n + o * a.output.c;
#pragma unroll
        for (int s = 0; s < KH; s++) {
            const int v = p.y + a.pad_h - s * a.dilation_h, y = v / a.stride_h;
            if (v < 0 || y >= a.OH || y * a.stride_h != v)
                continue;
            const T *const row = out + y * a.output.h;
#ifdef PLAIN
            /* a correlation with the taps reversed */
            add_row(sum, w + s * a.weight.h + (KW - 1) * a.weight.w, -a.weight.w,
                    row, a.output.w, a.OW, p.x + a.pad_w - (KW - 1), 1, 1);
#else
#pragma unroll
            for (int t = 0; t < KW; t++)
                for (int e = 0; e < EACH; e++) {
                    const int u = p.x + e + a.pad_w - t * a.dilation_w, x = u / a.stride_w;
                    if (u >= 0 && x < a.OW && x * a.stride_w == u)
                        sum[e] = fma(w[s * a.weight.h + t * a.weight.w],
                                     row[x * a.output.w], sum[e]);
                }
#endif
        }
    }
}

#if KIND == 2
/* Sums the taps one by one; the sums of the threads are added in a tree of fixed shape. */
static __device__ void weight_part(const depthwise_args &a)
{
    __shared__ T warp_sums[THREADS / 32];
    const int o = blockIdx.x, area = a.OH * a.OW, all = a.N * area;
    const int begin = blockIdx.y * a.span, end = begin + a.span < all ? begin + a.span : all;
    T sum[TAPS];
    for (int k = 0; k < TAPS; k++)
        sum[k] = 0;
    for (int i = begin + threadIdx.x; i < end; i += THREADS) {
        const int image = i / area, rest = i - image * area, oy = rest / a.OW;
        const int ox = rest - oy * a.OW;
        const T g = a.output.data[image * a.output.n + o * a.output.c +
                                  oy * a.output.h + ox * a.output.w];
        const T *const in = a.input.data + image * a.input.n + o / a.multiplier * a.input.c;
#pragma unroll
        for (int s = 0; s < KH; s++) {
            const int y = oy * a.stride_h + s * a.dilation_h - a.pad_h;
#pragma unroll
            for (int t = 0; t < KW; t++) {
                const int x = ox * a.stride_w + t * a.dilation_w - a.pad_w;
                if (y >= 0 && y < a.IH && x >= 0 && x < a.IW)
                    sum[s * KW + t] =
                        fma(g, in[y * a.input.h + x * a.input.w], sum[s * KW + t]);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < TAPS; k++) {
        for (int step = 16; step > 0; step /= 2)
            sum[k] += __shfl_xor_sync(0xffffffffu, sum[k], step);
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            warp_sums[threadIdx.x / 32] = sum[k];
        __syncthreads();
        if (threadIdx.x == 0) {
            T total = 0;
            for (int w = 0; w < THREADS / 32; w++)
                total += warp_sums[w];
            a.parts[(blockIdx.y * a.OC + o) * TAPS + k] = total;
        }
    }
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) conv_depthwise(const depthwise_args a)
{
#if KIND == 2
    weight_part(a);
#else
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.items)
        return;
    const depthwise_side &to = KIND ? a.input : a.output;
    const int width = KIND ? a.IW : a.OW;
    const item p = item_at(a, i, KIND ? a.IC : a.OC, KIND ? a.IH : a.OH, width);
    T sum[EACH];
    for (int e = 0; e < EACH; e++)
        sum[e] = a.bias ? a.bias[p.channel] : (T)0;
    if (KIND)
        backward(a, p, sum);
    else
        forward(a, p, sum);
    T *const row = to.data + p.image * to.n + p.channel * to.c + p.y * to.h;
    for (int e = 0; e < EACH; e++)
        if (p.x + e < width)
            row[(p.x + e) * to.w] = sum[e];
#endif
}
