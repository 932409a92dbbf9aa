/* SPDX-License-Identifier: BSD-3-Clause */
/* 2-d depthwise convolution: groups of one input channel, so each output is a short sum and memory
 * bandwidth is the bound. Launched by depthwise.c. KIND 0 (forward) and 1 (gradient of the input):
 * a thread for EACH adjacent elements of a row, in memory order. KIND 2 (gradient of the weight): a
 * block for each output channel and share of the images sums all HEIGHT by WIDTH taps in a
 * reduction tree; partial_sums.cu adds the parts. Offsets fit into 31 bits. */
#define MANY_BLOCKS /* Note [Overlapping launches] in cuda/runtime/kernel.c */
#define THREADS 256
#define EACH 4
#define TAPS (HEIGHT * WIDTH)

struct side {
    T *data;
    int outer, channel, row, column; /* strides */
};

struct arguments {
    side input, weight, output;
    const T *bias;
    T *parts; /* KIND 2: [parts, out_channels, TAPS] */
    int images, in_channels, out_channels, per, n, span; /* per: outputs of one input channel */
    int in[2], out[2], stride[2], padding[2], dilation[2];
    bool channels_last;
};

/* EACH adjacent elements of a row: image, channel, row, first column. Item i in memory order. */
struct item {
    int image, channel, y, x;
};

static __device__ item item_at(const arguments &a, int i, int channels, const int *size)
{
    const int across = (size[1] + EACH - 1) / EACH;
    item p;
    if (a.channels_last) {
        p.channel = i % channels;
        i /= channels;
    }
    p.x = i % across * EACH;
    i /= across;
    p.y = i % size[0];
    i /= size[0];
    if (!a.channels_last) {
        p.channel = i % channels;
        i /= channels;
    }
    p.image = i;
    return p;
}

/* Accumulates a row of taps, w, over a row of n elements. PLAIN (stride and dilation are 1):
 * windows overlap, so each element is loaded once into registers. */
static __device__ void add_row(T (&sum)[EACH], const T *w, int tap, const T *from, int step, int n,
                               int first, int stride, int dilation)
{
#ifdef PLAIN
    T line[EACH + WIDTH - 1];
#pragma unroll
    for (int i = 0; i < EACH + WIDTH - 1; i++)
        line[i] = first + i >= 0 && first + i < n ? from[(first + i) * step] : (T)0;
#endif
#pragma unroll
    for (int t = 0; t < WIDTH; t++) {
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

static __device__ void forward(const arguments &a, const item &p, T (&sum)[EACH])
{
    const T *const w = a.weight.data + p.channel * a.weight.outer;
    const T *const in =
        a.input.data + p.image * a.input.outer + p.channel / a.per * a.input.channel;
#pragma unroll
    for (int s = 0; s < HEIGHT; s++) {
        const int y = p.y * a.stride[0] + s * a.dilation[0] - a.padding[0];
        if (y >= 0 && y < a.in[0])
            add_row(sum, w + s * a.weight.row, a.weight.column, in + y * a.input.row,
                    a.input.column, a.in[1], p.x * a.stride[1] - a.padding[1], a.stride[1],
                    a.dilation[1]);
    }
}

/* Gathers over the outputs that read this input. */
static __device__ void backward(const arguments &a, const item &p, T (&sum)[EACH])
{
    for (int o = p.channel * a.per; o < (p.channel + 1) * a.per; o++) {
        const T *const w = a.weight.data + o * a.weight.outer;
        const T *const out = a.output.data + p.image * a.output.outer + o * a.output.channel;
#pragma unroll
        for (int s = 0; s < HEIGHT; s++) {
            const int v = p.y + a.padding[0] - s * a.dilation[0], y = v / a.stride[0];
            if (v < 0 || y >= a.out[0] || y * a.stride[0] != v)
                continue;
            const T *const row = out + y * a.output.row;
#ifdef PLAIN
            /* Correlation with the taps reversed. */
            add_row(sum, w + s * a.weight.row + (WIDTH - 1) * a.weight.column, -a.weight.column,
                    row, a.output.column, a.out[1], p.x + a.padding[1] - (WIDTH - 1), 1, 1);
#else
#pragma unroll
            for (int t = 0; t < WIDTH; t++)
                for (int e = 0; e < EACH; e++) {
                    const int u = p.x + e + a.padding[1] - t * a.dilation[1], x = u / a.stride[1];
                    if (u >= 0 && x < a.out[1] && x * a.stride[1] == u)
                        sum[e] = fma(w[s * a.weight.row + t * a.weight.column],
                                     row[x * a.output.column], sum[e]);
                }
#endif
        }
    }
}

#if KIND == 2
static __device__ void weight_part(const arguments &a)
{
    __shared__ T room[THREADS / 32];
    const int o = blockIdx.x, area = a.out[0] * a.out[1], all = a.images * area;
    const int begin = blockIdx.y * a.span, end = begin + a.span < all ? begin + a.span : all;
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

extern "C" __global__ void __launch_bounds__(THREADS) conv_depthwise(const arguments a)
{
#if KIND == 2
    weight_part(a);
#else
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= a.n)
        return;
    const side &to = KIND ? a.input : a.output;
    const int *const size = KIND ? a.in : a.out;
    const item p = item_at(a, i, KIND ? a.in_channels : a.out_channels, size);
    T sum[EACH];
    for (int e = 0; e < EACH; e++)
        sum[e] = a.bias ? a.bias[p.channel] : (T)0;
    if (KIND)
        backward(a, p, sum);
    else
        forward(a, p, sum);
    T *const at = to.data + p.image * to.outer + p.channel * to.channel + p.y * to.row;
    for (int e = 0; e < EACH; e++)
        if (p.x + e < size[1])
            at[(p.x + e) * to.column] = sum[e];
#endif
}
