/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions in two dims whose groups have one channel of the input: each output is a short sum,
 * so that reading is all there is to do. KIND 0 and 1 have a thread for each element of the output
 * or of the input, in the order of memory; KIND 2 a block for each channel of the output and part
 * of the images, whose threads sum all HEIGHT by WIDTH taps and meet in a tree; KIND 3 adds the
 * parts up. Numbers of elements fit into 31 bits. */
#define THREADS 256
#define TAPS (HEIGHT * WIDTH)

struct side {
    T *data;
    int outer, channel, row, column; /* strides */
};

struct arguments {
    side input, weight, output;
    const T *bias;
    T *parts; /* KIND 2 and 3: [nparts, out_channels, TAPS] */
    int images, in_channels, out_channels, per, n, nparts; /* per: outputs of one input channel */
    int in[2], out[2], stride[2], padding[2], dilation[2];
    bool channels_last;
};

/* Element i of a tensor in the order of its memory: image, channel, row, column. */
struct place {
    int image, channel, y, x;
};

static __device__ place place_of(const arguments &a, int i, int channels, const int *size)
{
    place p;
    if (a.channels_last) {
        p.channel = i % channels;
        i /= channels;
    }
    p.x = i % size[1];
    i /= size[1];
    p.y = i % size[0];
    i /= size[0];
    if (!a.channels_last) {
        p.channel = i % channels;
        i /= channels;
    }
    p.image = i;
    return p;
}

static __device__ T forward(const arguments &a, const place &p)
{
    const T *const w = a.weight.data + p.channel * a.weight.outer;
    const T *const in =
        a.input.data + p.image * a.input.outer + p.channel / a.per * a.input.channel;
    T sum = a.bias ? a.bias[p.channel] : (T)0;
#pragma unroll
    for (int s = 0; s < HEIGHT; s++) {
        const int y = p.y * a.stride[0] + s * a.dilation[0] - a.padding[0];
#pragma unroll
        for (int t = 0; t < WIDTH; t++) {
            const int x = p.x * a.stride[1] + t * a.dilation[1] - a.padding[1];
            if (y >= 0 && y < a.in[0] && x >= 0 && x < a.in[1])
                sum = fma(w[s * a.weight.row + t * a.weight.column],
                          in[y * a.input.row + x * a.input.column], sum);
        }
    }
    return sum;
}

/* Where an output read this input. */
static __device__ T backward(const arguments &a, const place &p)
{
    T sum = a.bias ? a.bias[p.channel] : (T)0;
    for (int o = p.channel * a.per; o < (p.channel + 1) * a.per; o++) {
        const T *const w = a.weight.data + o * a.weight.outer;
        const T *const out = a.output.data + p.image * a.output.outer + o * a.output.channel;
#pragma unroll
        for (int s = 0; s < HEIGHT; s++) {
            const int v = p.y + a.padding[0] - s * a.dilation[0], y = v / a.stride[0];
#pragma unroll
            for (int t = 0; t < WIDTH; t++) {
                const int u = p.x + a.padding[1] - t * a.dilation[1], x = u / a.stride[1];
                if (v >= 0 && u >= 0 && y < a.out[0] && x < a.out[1] && y * a.stride[0] == v &&
                    x * a.stride[1] == u)
                    sum = fma(w[s * a.weight.row + t * a.weight.column],
                              out[y * a.output.row + x * a.output.column], sum);
            }
        }
    }
    return sum;
}

#if KIND == 2
static __device__ void weight_part(const arguments &a)
{
    __shared__ T room[THREADS / 32];
    const int o = blockIdx.x, area = a.out[0] * a.out[1], all = a.images * area;
    const int each = (all + a.nparts - 1) / a.nparts, begin = blockIdx.y * each;
    const int end = begin + each < all ? begin + each : all;
    T sum[TAPS];
    for (int k = 0; k < TAPS; k++)
        sum[k] = 0;
    for (int i = begin + threadIdx.x; i < end; i += THREADS) {
        const int image = i / area, rest = i - image * area, oy = rest / a.out[1];
        const int ox = rest - oy * a.out[1];
        const T g = a.output.data[image * a.output.outer + o * a.output.channel +
                                  oy * a.output.row + ox * a.output.column];
        const T *const in = a.input.data + image * a.input.outer + o / a.per * a.input.channel;
#pragma unroll
        for (int s = 0; s < HEIGHT; s++) {
            const int y = oy * a.stride[0] + s * a.dilation[0] - a.padding[0];
#pragma unroll
            for (int t = 0; t < WIDTH; t++) {
                const int x = ox * a.stride[1] + t * a.dilation[1] - a.padding[1];
                if (y >= 0 && y < a.in[0] && x >= 0 && x < a.in[1])
                    sum[s * WIDTH + t] =
                        fma(g, in[y * a.input.row + x * a.input.column], sum[s * WIDTH + t]);
            }
        }
    }
#pragma unroll
    for (int k = 0; k < TAPS; k++) {
        for (int step = 16; step > 0; step /= 2)
            sum[k] += __shfl_xor_sync(0xffffffffu, sum[k], step);
        __syncthreads();
        if (threadIdx.x % 32 == 0)
            room[threadIdx.x / 32] = sum[k];
        __syncthreads();
        if (threadIdx.x == 0) {
            T total = 0;
            for (int w = 0; w < THREADS / 32; w++)
                total += room[w];
            a.parts[(blockIdx.y * a.out_channels + o) * TAPS + k] = total;
        }
    }
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) k(const arguments a)
{
#if KIND == 2
    weight_part(a);
#else
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.n)
        return;
#if KIND == 3
    T sum = 0;
    for (int p = 0; p < a.nparts; p++)
        sum += a.parts[p * a.n + i];
    const int o = i / TAPS, tap = i % TAPS;
    a.weight.data[o * a.weight.outer + tap / WIDTH * a.weight.row + tap % WIDTH * a.weight.column] =
        sum;
#else
    const side &to = KIND ? a.input : a.output;
    const place p = place_of(a, i, KIND ? a.in_channels : a.out_channels, KIND ? a.in : a.out);
    to.data[p.image * to.outer + p.channel * to.channel + p.y * to.row + p.x * to.column] =
        KIND ? backward(a, p) : forward(a, p);
#endif
#endif
}
