/* SPDX-License-Identifier: BSD-3-Clause */
/* depthwise.c's text for one type, included there with T and NAME(name). A *line* is contiguous:
 * the last dim of a plane, or the channels of a place. */

/* One tap over `count` elements: to[i * to_step] += w * from[i * from_step]. */
static inline void NAME(add_line)(T *to, int64_t to_step, const T *from, int64_t from_step, T w,
                                  int64_t count)
{
    if (to_step == 1 && from_step == 1)
        for (int64_t i = 0; i < count; i++)
            to[i] = NAME(madd)(to[i], from[i], w);
    else
        for (int64_t i = 0; i < count; i++)
            to[i * to_step] = NAME(madd)(to[i * to_step], from[i * from_step], w);
}

/* The same with a weight for each element. */
static inline void NAME(add_channels)(T *to, const T *from, const T *w, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = NAME(madd)(to[i], from[i], w[i]);
}

/* The dot product of two lines, in sixteen partial sums. */
static inline void NAME(dot_line)(T sum[16], const T *a, const T *b, int64_t b_step, int64_t count)
{
    int64_t i = 0;
    for (; b_step == 1 && i + 16 <= count; i += 16)
        for (int l = 0; l < 16; l++)
            sum[l] = NAME(madd)(sum[l], a[i + l], b[i + l]);
    for (; i < count; i++)
        sum[i & 15] = NAME(madd)(sum[i & 15], a[i], b[i * b_step]);
}

/* Walks the rows of an output plane and the taps that are inside the input there. Of `in`, `out`
 * and `w` one is written. */
enum { NAME(FORWARD), NAME(INPUT), NAME(WEIGHT) };

static inline __attribute__((always_inline)) void
NAME(plane)(const struct cti_depthwise *d, int way, T *in, T *out, const T *w, T (*sum)[16])
{
    for (int64_t o0 = 0; o0 < d->out[0]; o0++)
        for (int64_t o1 = 0; o1 < d->out[1]; o1++) {
            T *line = out + o0 * d->out_stride[0] + o1 * d->out_stride[1];
            int64_t tap = 0;
            for (int64_t t0 = 0; t0 < d->taps[0]; t0++)
                for (int64_t t1 = 0; t1 < d->taps[1]; t1++) {
                    int64_t y0 = o0 * d->stride[0] + t0 * d->dilation[0] - d->padding[0];
                    int64_t y1 = o1 * d->stride[1] + t1 * d->dilation[1] - d->padding[1];
                    bool outside =
                        (uint64_t)y0 >= (uint64_t)d->in[0] || (uint64_t)y1 >= (uint64_t)d->in[1];
                    T *row = in + y0 * d->in_stride[0] + y1 * d->in_stride[1];
                    for (int64_t t2 = 0; t2 < d->taps[2]; t2++, tap++) {
                        int64_t shift = t2 * d->dilation[2] - d->padding[2], first, end;
                        if (outside)
                            continue;
                        int64_t step = d->stride[2];
                        valid_range(d->out[2], step, shift, d->in[2], &first, &end);
                        T *from = row + first * step + shift;
                        if (way == NAME(FORWARD))
                            NAME(add_line)(line + first, 1, from, step, w[tap], end - first);
                        else if (way == NAME(INPUT))
                            NAME(add_line)(from, step, line + first, 1, w[tap], end - first);
                        else
                            NAME(dot_line)(sum[tap], line + first, from, step, end - first);
                    }
                }
        }
}

/* ---- planes with stride 1: bands of rows with a zero halo, so that taps need no bounds checks
 * ---- */

typedef T NAME(lanes) __attribute__((vector_size(64), aligned(sizeof(T)), may_alias));
enum { NAME(LANES) = 64 / sizeof(T), NAME(BAND) = (32 << 10) / sizeof(T) };

/* Accumulates all taps of LANES elements of a row; `from` is under the first tap. */
static inline __attribute__((always_inline)) void NAME(add_taps)(T *to, const T *from,
                                                                 int64_t pitch, const T *w,
                                                                 const int64_t taps[2],
                                                                 const int64_t hop[2])
{
    NAME(lanes) sum = *(const NAME(lanes) *)to;
    for (int64_t t1 = 0; t1 < taps[0]; t1++)
        for (int64_t t2 = 0; t2 < taps[1]; t2++)
            sum += *(const NAME(lanes) *)(from + t1 * hop[0] * pitch + t2 * hop[1]) *
                   w[t1 * taps[1] + t2];
    *(NAME(lanes) *)to = sum;
}

static inline __attribute__((always_inline)) void NAME(add_row)(T *to, int64_t count, const T *from,
                                                                int64_t pitch, const T *w,
                                                                const int64_t taps[2],
                                                                const int64_t hop[2])
{
    int64_t i = 0;
    for (; i + NAME(LANES) <= count; i += NAME(LANES))
        NAME(add_taps)(to + i, from + i, pitch, w, taps, hop);
    if (i < count) {
        T rest[NAME(LANES)] = {0};
        memcpy(rest, to + i, (size_t)(count - i) * sizeof(T));
        NAME(add_taps)(rest, from + i, pitch, w, taps, hop);
        memcpy(to + i, rest, (size_t)(count - i) * sizeof(T));
    }
}

/* Adds one plane, filtered, to another; both are contiguous. */
struct NAME(bands) {
    const T *from, *w;
    T *to;
    int64_t from_size[2], to_size[2], taps[2], hop[2], before[2]; /* zeros before the first */
};

/* False: a row does not fit into a band. */
static bool NAME(add_bands)(const struct NAME(bands) * b)
{
    static const int64_t three[2] = {3, 3}, one[2] = {1, 1};
    bool usual = b->taps[0] == 3 && b->taps[1] == 3 && b->hop[0] == 1 && b->hop[1] == 1;
    int64_t reach = (b->taps[0] - 1) * b->hop[0], zeros = b->before[1] > 0 ? b->before[1] : 0;
    int64_t pitch = b->to_size[1] + (b->taps[1] - 1) * b->hop[1] + NAME(LANES);
    int64_t rows = NAME(BAND) / pitch - reach;
    if (rows < 1 || rows + reach < 2 * reach)
        return false;
    T band[NAME(BAND)];
    int64_t skip = b->before[1] < 0 ? -b->before[1] : 0, width = b->from_size[1] - skip;
    width = width < pitch - zeros ? width : pitch - zeros;
    for (int64_t first = 0; first < b->to_size[0]; first += rows) {
        int64_t count = b->to_size[0] - first < rows ? b->to_size[0] - first : rows;
        memset(band, 0, (size_t)((count + reach) * pitch) * sizeof(T));
        for (int64_t r = 0; r < count + reach && width > 0; r++) {
            int64_t y = first + r - b->before[0];
            if (y >= 0 && y < b->from_size[0])
                memcpy(band + r * pitch + zeros, b->from + y * b->from_size[1] + skip,
                       (size_t)width * sizeof(T));
        }
        for (int64_t r = 0; r < count; r++) {
            T *to = b->to + (first + r) * b->to_size[1];
            if (usual)
                NAME(add_row)(to, b->to_size[1], band + r * pitch, pitch, b->w, three, one);
            else
                NAME(add_row)(to, b->to_size[1], band + r * pitch, pitch, b->w, b->taps, b->hop);
        }
    }
    return true;
}

/* Forward, or the derivative of the input, which is the same with flipped taps. False: not
 * applicable. */
static bool NAME(plane_by_bands)(const struct cti_depthwise *d, bool input, T *in, T *out,
                                 const T *w)
{
    enum { MOST = 128 }; /* taps that conv.c sends here */
    if (d->in[0] * d->out[0] * d->taps[0] != 1 || d->stride[1] != 1 || d->stride[2] != 1 ||
        d->padding[0])
        return false;
    struct NAME(bands) b = {.from = input ? out : in, .to = input ? in : out};
    int64_t taps = d->taps[1] * d->taps[2];
    T backwards[MOST];
    for (int i = 0; i < 2; i++) {
        b.from_size[i] = input ? d->out[1 + i] : d->in[1 + i];
        b.to_size[i] = input ? d->in[1 + i] : d->out[1 + i];
        b.taps[i] = d->taps[1 + i];
        b.hop[i] = d->dilation[1 + i];
        int64_t reach = (b.taps[i] - 1) * b.hop[i];
        b.before[i] = input ? reach - d->padding[1 + i] : d->padding[1 + i];
    }
    for (int64_t t = 0; input && t < taps; t++)
        backwards[t] = w[taps - 1 - t];
    b.w = input ? backwards : w;
    return NAME(add_bands)(&b);
}

/* The same where lines are the channels [begin, end) of a place; w and sums are lines too. */
static inline __attribute__((always_inline)) void NAME(places)(const struct cti_depthwise *d,
                                                               int way, T *in, T *out, T *w,
                                                               int64_t begin, int64_t end,
                                                               int64_t channels)
{
    int64_t count = end - begin, at[3], t[3];
    for (at[0] = 0; at[0] < d->out[0]; at[0]++)
        for (at[1] = 0; at[1] < d->out[1]; at[1]++)
            for (at[2] = 0; at[2] < d->out[2]; at[2]++) {
                T *line = out + at[0] * d->out_stride[0] + at[1] * d->out_stride[1] +
                          at[2] * d->out_stride[2] + begin;
                T *weights = w + begin;
                for (t[0] = 0; t[0] < d->taps[0]; t[0]++)
                    for (t[1] = 0; t[1] < d->taps[1]; t[1]++)
                        for (t[2] = 0; t[2] < d->taps[2]; t[2]++, weights += channels) {
                            T *from = in + begin;
                            bool inside = true;
                            for (int i = 0; i < 3; i++) {
                                int64_t y =
                                    at[i] * d->stride[i] + t[i] * d->dilation[i] - d->padding[i];
                                inside = inside && (uint64_t)y < (uint64_t)d->in[i];
                                from += y * d->in_stride[i];
                            }
                            if (!inside)
                                continue;
                            if (way == NAME(FORWARD))
                                NAME(add_channels)(line, from, weights, count);
                            else if (way == NAME(INPUT))
                                NAME(add_channels)(from, line, weights, count);
                            else
                                NAME(add_channels)(weights, from, line, count);
                        }
            }
}

/* Initialises the result: a plane to its bias, or the channels of all places of an image. */
static void NAME(start)(const struct cti_depthwise *d, T *to, const int64_t size[3],
                        const int64_t stride[3], int64_t channel, int64_t begin, int64_t end)
{
    const T *bias = d->bias;
    int64_t places = size[0] * size[1] * size[2];
    if (d->channels_last) {
        for (int64_t p = 0; p < places; p++)
            for (int64_t c = begin; c < end; c++)
                to[p * stride[2] + c] = bias ? bias[c] : 0;
        return;
    }
    for (int64_t c = begin; c < end; c++) {
        T value = bias ? bias[c] : 0;
        for (int64_t p = 0; p < places; p++)
            to[c * channel + p] = value;
    }
}

static void NAME(forward)(const struct cti_depthwise *d, int64_t image, int64_t begin, int64_t end)
{
    T *in = (T *)d->input + image * d->in_image, *out = (T *)d->output + image * d->out_image;
    T *w = d->weight;
    int64_t taps = d->taps[0] * d->taps[1] * d->taps[2];
    NAME(start)(d, out, d->out, d->out_stride, d->out_channel, begin, end);
    if (d->channels_last) {
        NAME(places)(d, NAME(FORWARD), in, out, w, begin, end, d->in_stride[2]);
        return;
    }
    for (int64_t o = begin; o < end; o++) {
        T *from = in + o / d->multiple * d->in_channel, *to = out + o * d->out_channel;
        if (!NAME(plane_by_bands)(d, false, from, to, w + o * taps))
            NAME(plane)(d, NAME(FORWARD), from, to, w + o * taps, NULL);
    }
}

static void NAME(input)(const struct cti_depthwise *d, int64_t image, int64_t begin, int64_t end)
{
    T *in = (T *)d->input + image * d->in_image, *out = (T *)d->output + image * d->out_image;
    T *w = d->weight;
    int64_t taps = d->taps[0] * d->taps[1] * d->taps[2];
    NAME(start)(d, in, d->in, d->in_stride, d->in_channel, begin, end);
    if (d->channels_last) {
        NAME(places)(d, NAME(INPUT), in, out, w, begin, end, d->in_stride[2]);
        return;
    }
    for (int64_t o = begin * d->multiple; o < end * d->multiple; o++) {
        T *to = in + o / d->multiple * d->in_channel, *from = out + o * d->out_channel;
        if (!NAME(plane_by_bands)(d, true, to, from, w + o * taps))
            NAME(plane)(d, NAME(INPUT), to, from, w + o * taps, NULL);
    }
}

static void NAME(weight)(const struct cti_depthwise *d, int64_t begin, int64_t end)
{
    enum { MOST = 128 }; /* taps that conv.c sends here */
    T *w = d->weight;
    int64_t taps = d->taps[0] * d->taps[1] * d->taps[2], channels = d->in_stride[2];
    if (d->channels_last) {
        for (int64_t t = 0; t < taps; t++)
            for (int64_t c = begin; c < end; c++)
                w[t * channels + c] = 0;
        for (int64_t i = 0; i < d->images; i++)
            NAME(places)
        (d, NAME(WEIGHT), (T *)d->input + i * d->in_image, (T *)d->output + i * d->out_image, w,
         begin, end, channels);
        return;
    }
    for (int64_t o = begin; o < end; o++) {
        T sum[MOST][16] = {{0}};
        for (int64_t i = 0; i < d->images; i++)
            NAME(plane)
        (d, NAME(WEIGHT), (T *)d->input + i * d->in_image + o / d->multiple * d->in_channel,
         (T *)d->output + i * d->out_image + o * d->out_channel, NULL, sum);
        for (int64_t t = 0; t < taps; t++) {
            for (int half = 8; half; half /= 2)
                for (int l = 0; l < half; l++)
                    sum[t][l] += sum[t][l + half];
            w[o * taps + t] = sum[t][0];
        }
    }
}

#undef T
#undef NAME
