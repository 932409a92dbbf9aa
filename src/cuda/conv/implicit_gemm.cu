/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions of every kind as products of matrices that are never made: a block has a tile of 64
 * by 64 results, and brings 16 of their summands at a time into shared memory, each read from where
 * its numbers say. With o, c and t for channels of output and input and for taps, and y and x for
 * places of all images in output and input, the products are
 *   KIND 0  output[o, y] = weight[o, (c, t)] input[(c, t), y]
 *        1  input[c, x] = weight[c, (o, t)] output[(o, t), x]
 *        2  weight[o, (c, t)] = output[o, y] input[y, (c, t)]; y in parts (partial_sums.cu)
 * in each group. Sums are of type A. NUMBER counts elements: int where they are few. */
#define THREADS 256
#define TILE 64
#define DEEP 16

struct side {
    MEMORY *data;
    long long outer, channel, step[3]; /* strides: of images, of channels, of the dims */
};

struct arguments {
    side input, weight, output; /* weight: outer is the output's channel */
    const MEMORY *bias;
    A *parts; /* KIND 2: [parts, groups, rows, columns] */
    long long images, per, each, groups, span; /* channels of a group: input, output */
    long long in[3], out[3], taps[3], stride[3], padding[3], dilation[3];
};

struct alignas(16) four {
    A v[4];
};

static __device__ NUMBER product(const long long *size)
{
    return (NUMBER)(size[0] * size[1] * size[2]);
}

/* A number of [outer, x0, x1, x2]. */
struct place {
    NUMBER outer, x[3];
};

static __device__ place place_of(NUMBER i, const long long *size)
{
    place p;
    for (int d = 2; d >= 0; d--) {
        const NUMBER n = (NUMBER)size[d], next = i / n;
        p.x[d] = i - next * n;
        i = next;
    }
    p.outer = i;
    return p;
}

static __device__ const MEMORY *at(const side &s, long long outer, long long channel,
                                   const NUMBER *x)
{
    return s.data + outer * s.outer + channel * s.channel + x[0] * s.step[0] + x[1] * s.step[1] +
           x[2] * s.step[2];
}

/* What the input has where an output meets a tap. */
static __device__ A input_at(const arguments &a, NUMBER group, const place &y, const place &t)
{
    NUMBER x[3];
    for (int d = 0; d < 3; d++) {
        x[d] = y.x[d] * (NUMBER)a.stride[d] + t.x[d] * (NUMBER)a.dilation[d] - (NUMBER)a.padding[d];
        if (x[d] < 0 || x[d] >= a.in[d])
            return 0;
    }
    return LOAD(*at(a.input, y.outer, group * a.per + t.outer, x));
}

/* What the output has where it met an input by a tap. */
static __device__ A output_at(const arguments &a, NUMBER group, const place &x, const place &t)
{
    NUMBER y[3];
    for (int d = 0; d < 3; d++) {
        const NUMBER from =
            x.x[d] + (NUMBER)a.padding[d] - t.x[d] * (NUMBER)a.dilation[d];
        y[d] = from / (NUMBER)a.stride[d];
        if (from < 0 || y[d] * (NUMBER)a.stride[d] != from || y[d] >= a.out[d])
            return 0;
    }
    return LOAD(*at(a.output, x.outer, group * a.each + t.outer, y));
}

/* Element (m, k) of the left factor and (k, n) of the right one; `n` is taken apart before. */
static __device__ A left(const arguments &a, NUMBER group, NUMBER m, NUMBER k)
{
    if (KIND == 2) {
        const place y = place_of(k, a.out);
        return LOAD(*at(a.output, y.outer, group * a.each + m, y.x));
    }
    const place t = place_of(k, a.taps);
    const NUMBER o = KIND ? t.outer : m, c = KIND ? m : t.outer;
    return LOAD(*at(a.weight, group * a.each + o, c, t.x));
}

static __device__ A right(const arguments &a, NUMBER group, NUMBER k, const place &n)
{
    if (KIND == 2)
        return input_at(a, group, place_of(k, a.out), n);
    const place t = place_of(k, a.taps);
    return KIND ? output_at(a, group, n, t) : input_at(a, group, n, t);
}

static __device__ void store(const arguments &a, NUMBER group, NUMBER m, const place &n, A sum)
{
    const side &to = KIND ? a.input : a.output;
    const NUMBER channel = group * (NUMBER)(KIND ? a.per : a.each) + m;
    if (a.bias)
        sum += LOAD(a.bias[channel]);
    *(MEMORY *)at(to, n.outer, channel, n.x) = STORE(sum);
}

extern "C" __global__ void __launch_bounds__(THREADS) conv_implicit_gemm(const arguments a)
{
    __shared__ four one[DEEP][TILE / 4], other[DEEP][TILE / 4];
    const NUMBER taps = product(a.taps), group = blockIdx.z;
    const NUMBER places = (NUMBER)a.images * product(KIND == 1 ? a.in : a.out);
    const NUMBER rows = (NUMBER)(KIND == 1 ? a.per : a.each);
    const NUMBER columns = KIND == 2 ? (NUMBER)a.per * taps : places;
    const NUMBER deep = KIND == 2 ? places : (NUMBER)(KIND ? a.each : a.per) * taps;
    /* Blocks of one row of tiles follow each other; those of KIND 2 have a part each. */
    const NUMBER wide = (columns + TILE - 1) / TILE;
    const NUMBER m0 = blockIdx.x / wide * TILE, n0 = blockIdx.x % wide * TILE;
    const NUMBER span = KIND == 2 ? (NUMBER)a.span : deep;
    const NUMBER begin = KIND == 2 ? blockIdx.y * span : 0;
    const NUMBER end = begin + span < deep ? begin + span : deep;
    const long long *const size = KIND == 2 ? a.taps : KIND ? a.in : a.out;
    /* Which column this thread brings; rows of the left factor lie as the memory does. */
    const int mine = threadIdx.x % TILE, first = threadIdx.x / TILE;
    const NUMBER n = n0 + mine;
    const place column = place_of(n < columns ? n : 0, size);
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    A sum[4][4] = {};
    for (NUMBER k0 = begin; k0 < end; k0 += DEEP) {
        __syncthreads();
        for (int i = 0; i < DEEP; i += THREADS / TILE) {
            const NUMBER k = k0 + first + i;
            ((A *)other[first + i])[mine] =
                n < columns && k < end ? right(a, group, k, column) : (A)0;
        }
        for (int i = 0; i < DEEP; i += THREADS / TILE) {
            const int deepest = threadIdx.x % DEEP, row = threadIdx.x / DEEP + 4 * i;
            ((A *)one[deepest])[row] = m0 + row < rows && k0 + deepest < end
                                           ? left(a, group, m0 + row, k0 + deepest)
                                           : (A)0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEEP; k++) {
            const four x = one[k][ty], y = other[k][tx];
            for (int r = 0; r < 4; r++)
                for (int c = 0; c < 4; c++)
                    sum[r][c] = fma(x.v[r], y.v[c], sum[r][c]);
        }
    }
    for (int c = 0; c < 4; c++) {
        const NUMBER to = n0 + tx * 4 + c;
        if (to >= columns)
            continue;
        const place p = place_of(to, size);
        for (int r = 0; r < 4; r++) {
            const NUMBER m = m0 + ty * 4 + r;
            if (m < rows && KIND == 2)
                a.parts[((blockIdx.y * a.groups + group) * rows + m) * columns + to] = sum[r][c];
            else if (m < rows)
                store(a, group, m, p, sum[r][c]);
        }
    }
}
