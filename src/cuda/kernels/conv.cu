/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions straight from their definition, for shapes and types of every kind. KIND 0 and 1
 * have a thread for each element of the output or of the input; KIND 2 a block for each element of
 * the weight, whose threads share the images and meet in a tree. Sums are of type A. */
#define THREADS 256

struct side {
    MEMORY *data;
    long long outer, channel, step[3]; /* strides: of images, of channels, of the dims */
};

struct arguments {
    side input, weight, output; /* weight: outer is the output's channel */
    const MEMORY *bias;
    long long images, in_channels, out_channels, groups, n;
    long long in[3], out[3], taps[3], stride[3], padding[3], dilation[3];
};

static __device__ A value(const MEMORY *p)
{
    return LOAD(*p);
}

/* The sum of one row of dims of a forward convolution, at output (y0, y1, y2). */
static __device__ A forward(const arguments &a, long long image, long long o, const long long *y)
{
    const long long per = a.in_channels / a.groups, group = o / (a.out_channels / a.groups);
    A sum = a.bias ? value(a.bias + o) : (A)0;
    for (long long t0 = 0; t0 < a.taps[0]; t0++)
        for (long long t1 = 0; t1 < a.taps[1]; t1++)
            for (long long t2 = 0; t2 < a.taps[2]; t2++) {
                const long long x0 = y[0] * a.stride[0] + t0 * a.dilation[0] - a.padding[0];
                const long long x1 = y[1] * a.stride[1] + t1 * a.dilation[1] - a.padding[1];
                const long long x2 = y[2] * a.stride[2] + t2 * a.dilation[2] - a.padding[2];
                if (x0 < 0 || x0 >= a.in[0] || x1 < 0 || x1 >= a.in[1] || x2 < 0 || x2 >= a.in[2])
                    continue;
                const MEMORY *p = a.input.data + image * a.input.outer +
                                  group * per * a.input.channel + x0 * a.input.step[0] +
                                  x1 * a.input.step[1] + x2 * a.input.step[2];
                const MEMORY *w = a.weight.data + o * a.weight.outer + t0 * a.weight.step[0] +
                                  t1 * a.weight.step[1] + t2 * a.weight.step[2];
                for (long long c = 0; c < per; c++)
                    sum += value(p + c * a.input.channel) * value(w + c * a.weight.channel);
            }
    return sum;
}

/* Where an output read this input: the sum of those outputs times their weights. */
static __device__ A backward(const arguments &a, long long image, long long c, const long long *x)
{
    const long long per = a.in_channels / a.groups, each = a.out_channels / a.groups;
    const long long group = c / per;
    A sum = a.bias ? value(a.bias + c) : (A)0;
    for (long long t0 = 0; t0 < a.taps[0]; t0++)
        for (long long t1 = 0; t1 < a.taps[1]; t1++)
            for (long long t2 = 0; t2 < a.taps[2]; t2++) {
                const long long y0 = x[0] + a.padding[0] - t0 * a.dilation[0];
                const long long y1 = x[1] + a.padding[1] - t1 * a.dilation[1];
                const long long y2 = x[2] + a.padding[2] - t2 * a.dilation[2];
                if (y0 < 0 || y1 < 0 || y2 < 0 || y0 % a.stride[0] || y1 % a.stride[1] ||
                    y2 % a.stride[2] || y0 / a.stride[0] >= a.out[0] ||
                    y1 / a.stride[1] >= a.out[1] || y2 / a.stride[2] >= a.out[2])
                    continue;
                const MEMORY *p = a.output.data + image * a.output.outer +
                                  group * each * a.output.channel +
                                  y0 / a.stride[0] * a.output.step[0] +
                                  y1 / a.stride[1] * a.output.step[1] +
                                  y2 / a.stride[2] * a.output.step[2];
                const MEMORY *w = a.weight.data + group * each * a.weight.outer +
                                  (c - group * per) * a.weight.channel + t0 * a.weight.step[0] +
                                  t1 * a.weight.step[1] + t2 * a.weight.step[2];
                for (long long o = 0; o < each; o++)
                    sum += value(p + o * a.output.channel) * value(w + o * a.weight.outer);
            }
    return sum;
}

/* Takes an index apart: [outer, channel, x0, x1, x2]. */
static __device__ void place(long long i, long long channels, const long long *size, long long *at)
{
    at[4] = i % size[2];
    i /= size[2];
    at[3] = i % size[1];
    i /= size[1];
    at[2] = i % size[0];
    i /= size[0];
    at[1] = i % channels;
    at[0] = i / channels;
}

extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
    long long at[5];
#if KIND == 2
    __shared__ A room[THREADS];
    place(blockIdx.x, a.in_channels / a.groups, a.taps, at);
    const long long o = at[0], group = o / (a.out_channels / a.groups);
    const long long c = group * (a.in_channels / a.groups) + at[1];
    const long long area = a.out[0] * a.out[1] * a.out[2];
    A sum = 0;
    for (long long i = threadIdx.x; i < a.images * area; i += THREADS) {
        const long long image = i / area, rest = i % area;
        const long long y2 = rest % a.out[2], y1 = rest / a.out[2] % a.out[1];
        const long long y0 = rest / a.out[2] / a.out[1];
        const long long x0 = y0 * a.stride[0] + at[2] * a.dilation[0] - a.padding[0];
        const long long x1 = y1 * a.stride[1] + at[3] * a.dilation[1] - a.padding[1];
        const long long x2 = y2 * a.stride[2] + at[4] * a.dilation[2] - a.padding[2];
        if (x0 < 0 || x0 >= a.in[0] || x1 < 0 || x1 >= a.in[1] || x2 < 0 || x2 >= a.in[2])
            continue;
        sum += value(a.input.data + image * a.input.outer + c * a.input.channel +
                     x0 * a.input.step[0] + x1 * a.input.step[1] + x2 * a.input.step[2]) *
               value(a.output.data + image * a.output.outer + o * a.output.channel +
                     y0 * a.output.step[0] + y1 * a.output.step[1] + y2 * a.output.step[2]);
    }
    room[threadIdx.x] = sum;
    for (int width = THREADS / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width)
            room[threadIdx.x] += room[threadIdx.x + width];
    }
    if (threadIdx.x == 0)
        a.weight.data[o * a.weight.outer + at[1] * a.weight.channel + at[2] * a.weight.step[0] +
                      at[3] * a.weight.step[1] + at[4] * a.weight.step[2]] = STORE(room[0]);
#else
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.n)
        return;
    const side &to = KIND ? a.input : a.output;
    place(i, KIND ? a.in_channels : a.out_channels, KIND ? a.in : a.out, at);
    const A sum = KIND ? backward(a, at[0], at[1], at + 2) : forward(a, at[0], at[1], at + 2);
    to.data[at[0] * to.outer + at[1] * to.channel + at[2] * to.step[0] + at[3] * to.step[1] +
            at[4] * to.step[2]] = STORE(sum);
#endif
}
