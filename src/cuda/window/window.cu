/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: a thread computes an element of the result from the elements of its window; see
 * core/window.h. REGULAR windows are computed from a kernel size, a stride and a padding; others
 * are read from tables in device memory. NUMBER is the type of indices: int if there are few enough
 * elements, else int64_t. SMALL windows have two dims and at most KH by KW elements, known at
 * compile time, so that all loads of a window are in flight at once; so are the strides SH and SW
 * of REGULAR windows. */
#include "cuda/window/window_args.h"

struct box {
    NUMBER start, count;
};

static __device__ box box_of(const window_dim &d, NUMBER at)
{
#ifdef REGULAR
    const NUMBER step = (NUMBER)d.dilation, first = at * (NUMBER)d.stride - (NUMBER)d.padding;
    const NUMBER skipped = first < 0 ? (step - 1 - first) / step : 0;
    const NUMBER fit = first < (NUMBER)d.in ? ((NUMBER)d.in - 1 - first) / step + 1 : 0;
    const NUMBER end = fit < (NUMBER)d.kernel_size ? fit : (NUMBER)d.kernel_size;
    return {first + skipped * step, end - skipped};
#else
    return {(NUMBER)d.start[at], (NUMBER)d.count[at]};
#endif
}

static __device__ double divisor_of(const window_dim &d, NUMBER at, NUMBER count)
{
#ifdef REGULAR
    return d.divided_by ? (double)d.divided_by : (double)count;
#else
    return d.divisor ? (double)d.divisor[at] : 1.0;
#endif
}

static __device__ double weight_of(const window_dim &d, NUMBER at, NUMBER k)
{
#ifdef REGULAR
    return 1;
#else
    return d.weight ? d.weight[at * d.kernel_size + k] : 1.0;
#endif
}

#ifdef SMALL
extern "C" __global__ void __launch_bounds__(THREADS) window_small(const window_args a)
{
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= (int)a.n)
        return;
    const int rows = (int)divide(i, a.d[2].by_out), x = i - rows * (int)a.d[2].out;
    const int plane = (int)divide(rows, a.d[1].by_out), y = rows - plane * (int)a.d[1].out;
    const int height = (int)a.d[1].in, width = (int)a.d[2].in;
    const T *const from = a.in + plane * height * width;
    T v[KH * KW];
    bool valid[KH * KW];
#ifdef REGULAR
    const int top = y * SH - (int)a.d[1].padding, left = x * SW - (int)a.d[2].padding;
    const int dilation_h = 1, dilation_w = 1;
#else
    const box bh = box_of(a.d[1], y), bw = box_of(a.d[2], x);
    const int top = bh.start, left = bw.start, dilation_h = (int)a.d[1].dilation,
              dilation_w = (int)a.d[2].dilation;
#endif
#pragma unroll
    for (int q = 0; q < KH; q++)
#pragma unroll
        for (int r = 0; r < KW; r++) {
            const int row = top + q * dilation_h, column = left + r * dilation_w, k = q * KW + r;
#ifdef REGULAR
            valid[k] = (unsigned)row < (unsigned)height && (unsigned)column < (unsigned)width;
#else
            valid[k] = q < bh.count && r < bw.count;
#endif
            v[k] = valid[k] ? from[row * width + column] : (T)0;
        }
#if MAX
    T best = 0;
    int found = -1;
#pragma unroll
    for (int k = 0; k < KH * KW; k++)
        if (valid[k] && (found < 0 || v[k] > best || v[k] != v[k])) {
            best = v[k];
            found = (top + k / KW * dilation_h) * width + left + k % KW * dilation_w;
        }
    a.out[i] = best;
    if (a.index)
        a.index[i] = found;
#else
    double sum = 0;
#ifndef REGULAR
    for (int q = 0; q < KH; q++)
        for (int r = 0; r < KW; r++)
            if (valid[q * KW + r])
                sum += (double)v[q * KW + r] * weight_of(a.d[1], y, q) * weight_of(a.d[2], x, r);
    a.out[i] = (T)(sum * weight_of(a.d[0], 0, 0) /
                   (divisor_of(a.d[0], 0, 1) * divisor_of(a.d[1], y, bh.count) *
                    divisor_of(a.d[2], x, bw.count)));
#else
    int count[2] = {};
#pragma unroll
    for (int k = 0; k < KH * KW; k++)
        sum += (double)v[k];
    for (int q = 0; q < KH; q++)
        count[0] += (unsigned)(top + q) < (unsigned)height;
    for (int r = 0; r < KW; r++)
        count[1] += (unsigned)(left + r) < (unsigned)width;
    a.out[i] = (T)(sum / (divisor_of(a.d[1], y, count[0]) * divisor_of(a.d[2], x, count[1])));
#endif
#endif
}
#else
extern "C" __global__ void __launch_bounds__(THREADS) window_boxes(const window_args a)
{
    const NUMBER i = (NUMBER)blockIdx.x * THREADS + threadIdx.x, inner = (NUMBER)a.inner;
    if (i >= a.n)
        return;
    const NUMBER column = i % inner, height = (NUMBER)a.d[1].in, width = (NUMBER)a.d[2].in;
    NUMBER at[3], rest = i / inner;
    box b[3];
    for (int k = 2; k >= 0; k--) {
        at[k] = rest % (NUMBER)a.d[k].out;
        rest /= (NUMBER)a.d[k].out;
        b[k] = box_of(a.d[k], at[k]);
    }
    const T *const from = a.in + rest * a.d[0].in * a.d[1].in * a.d[2].in * a.inner + column;
    double sum = 0, by = 1;
    T best = 0;
    NUMBER found = -1;
    for (NUMBER p = 0; p < b[0].count; p++)
        for (NUMBER q = 0; q < b[1].count; q++) {
            const NUMBER x = b[0].start + p * (NUMBER)a.d[0].dilation;
            const NUMBER y = b[1].start + q * (NUMBER)a.d[1].dilation;
            const NUMBER row = (x * height + y) * width;
            for (NUMBER r = 0; r < b[2].count; r++) {
                const NUMBER at_input = row + b[2].start + r * (NUMBER)a.d[2].dilation;
                const T v = from[at_input * inner];
                if (MAX) {
                    if (found < 0 || v > best || v != v) {
                        best = v;
                        found = at_input;
                    }
                } else {
                    sum += (double)v * weight_of(a.d[0], at[0], p) * weight_of(a.d[1], at[1], q) *
                           weight_of(a.d[2], at[2], r);
                }
            }
        }
    for (int k = 0; k < 3; k++)
        by *= divisor_of(a.d[k], at[k], b[k].count);
    a.out[i] = MAX ? best : (T)(sum / by);
    if (MAX && a.index)
        a.index[i] = found;
}
#endif
