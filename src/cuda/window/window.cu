/* SPDX-License-Identifier: BSD-3-Clause */
/* Windows: a thread for each element of the result, which walks its box; see core/window.h. Boxes
 * that follow from a kernel size, a stride and a padding (REGULAR) are computed, others read from
 * the tables of the three dims, which lie one after the other in device memory. NUMBER counts
 * elements: int where they are few, and then division is multiplication. SMALL: boxes in two dims of
 * at most K1 by K2 elements, known here, so that all of a box is read at once; of REGULAR ones
 * strides are known, too. */
struct dim {
    long long in, out, step, width;
    const long long *start, *count, *divisor;
    const double *weight;
    long long stride, padding, by; /* REGULAR; by: the divisor, 0: the elements of the box */
    unsigned magic, shift;         /* of a division by `out` */
};

struct arguments {
    const T *in;
    T *out;
    long long *index;
    long long outer, inner, n;
    dim d[3];
};

struct box {
    NUMBER start, count;
};

static __device__ box box_of(const dim &d, NUMBER at)
{
#ifdef REGULAR
    const NUMBER step = (NUMBER)d.step, first = at * (NUMBER)d.stride - (NUMBER)d.padding;
    const NUMBER skipped = first < 0 ? (step - 1 - first) / step : 0;
    const NUMBER fit = first < (NUMBER)d.in ? ((NUMBER)d.in - 1 - first) / step + 1 : 0;
    const NUMBER end = fit < (NUMBER)d.width ? fit : (NUMBER)d.width;
    return {first + skipped * step, end - skipped};
#else
    return {(NUMBER)d.start[at], (NUMBER)d.count[at]};
#endif
}

static __device__ double divisor_of(const dim &d, NUMBER at, NUMBER count)
{
#ifdef REGULAR
    return d.by ? (double)d.by : (double)count;
#else
    return d.divisor ? (double)d.divisor[at] : 1.0;
#endif
}

static __device__ double weight_of(const dim &d, NUMBER at, NUMBER k)
{
#ifdef REGULAR
    return 1;
#else
    return d.weight ? d.weight[at * d.width + k] : 1.0;
#endif
}

#ifdef SMALL
static __device__ __forceinline__ int over(const dim &d, int i)
{
    return (int)((__umulhi((unsigned)i, d.magic) + (unsigned)i) >> d.shift);
}

extern "C" __global__ void __launch_bounds__(256) window_small(const arguments a)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= (int)a.n)
        return;
    const int rows = over(a.d[2], i), x = i - rows * (int)a.d[2].out;
    const int plane = over(a.d[1], rows), y = rows - plane * (int)a.d[1].out;
    const int height = (int)a.d[1].in, width = (int)a.d[2].in;
    const T *const from = a.in + plane * height * width;
    T v[K1 * K2];
    bool there[K1 * K2];
#ifdef REGULAR
    const int top = y * S1 - (int)a.d[1].padding, left = x * S2 - (int)a.d[2].padding;
    const int down = 1, right = 1;
#else
    const box high = box_of(a.d[1], y), wide = box_of(a.d[2], x);
    const int top = high.start, left = wide.start, down = (int)a.d[1].step, right = (int)a.d[2].step;
#endif
#pragma unroll
    for (int q = 0; q < K1; q++)
#pragma unroll
        for (int r = 0; r < K2; r++) {
            const int row = top + q * down, column = left + r * right, k = q * K2 + r;
#ifdef REGULAR
            there[k] = (unsigned)row < (unsigned)height && (unsigned)column < (unsigned)width;
#else
            there[k] = q < high.count && r < wide.count;
#endif
            v[k] = there[k] ? from[row * width + column] : (T)0;
        }
#if MAX
    T best = 0;
    int found = -1;
#pragma unroll
    for (int k = 0; k < K1 * K2; k++)
        if (there[k] && (found < 0 || v[k] > best || v[k] != v[k])) {
            best = v[k];
            found = (top + k / K2 * down) * width + left + k % K2 * right;
        }
    a.out[i] = best;
    if (a.index)
        a.index[i] = found;
#else
    double sum = 0;
#ifndef REGULAR
    for (int q = 0; q < K1; q++)
        for (int r = 0; r < K2; r++)
            if (there[q * K2 + r])
                sum += (double)v[q * K2 + r] * weight_of(a.d[1], y, q) * weight_of(a.d[2], x, r);
    a.out[i] = (T)(sum * weight_of(a.d[0], 0, 0) /
                   (divisor_of(a.d[0], 0, 1) * divisor_of(a.d[1], y, high.count) *
                    divisor_of(a.d[2], x, wide.count)));
#else
    int count[2] = {};
#pragma unroll
    for (int k = 0; k < K1 * K2; k++)
        sum += (double)v[k];
    for (int q = 0; q < K1; q++)
        count[0] += (unsigned)(top + q) < (unsigned)height;
    for (int r = 0; r < K2; r++)
        count[1] += (unsigned)(left + r) < (unsigned)width;
    a.out[i] = (T)(sum / (divisor_of(a.d[1], y, count[0]) * divisor_of(a.d[2], x, count[1])));
#endif
#endif
}
#else
extern "C" __global__ void __launch_bounds__(256) window_boxes(const arguments a)
{
    const NUMBER i = (NUMBER)blockIdx.x * 256 + threadIdx.x, inner = (NUMBER)a.inner;
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
            const NUMBER x = b[0].start + p * (NUMBER)a.d[0].step;
            const NUMBER y = b[1].start + q * (NUMBER)a.d[1].step;
            const NUMBER row = (x * height + y) * width;
            for (NUMBER r = 0; r < b[2].count; r++) {
                const NUMBER place = row + b[2].start + r * (NUMBER)a.d[2].step;
                const T v = from[place * inner];
                if (MAX) {
                    if (found < 0 || v > best || v != v) {
                        best = v;
                        found = place;
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
