/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of depthwise.h for one type, included by depthwise_loops.c with T and NAME(name). A
 * *line* is contiguous: a row of a plane, or the channels of one position. */

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

/* One plane of the input and one of the output: for each row of the output, all taps that fall
 * inside the input. The kind determines which of `in`, `out` and `sum` (one sum for each tap) is
 * written. */
static inline __attribute__((always_inline)) void NAME(plane)(const struct cti_conv_plan *c,
                                                              enum cti_conv_kind kind, T *in,
                                                              T *out, const T *w, T (*sum)[16])
{
    for (int64_t o0 = 0; o0 < c->out.size[0]; o0++)
        for (int64_t o1 = 0; o1 < c->out.size[1]; o1++) {
            T *line = out + o0 * c->out.stride[0] + o1 * c->out.stride[1];
            int64_t tap = 0;
            for (int64_t t0 = 0; t0 < c->taps[0]; t0++)
                for (int64_t t1 = 0; t1 < c->taps[1]; t1++) {
                    int64_t y0 = o0 * c->stride[0] + t0 * c->dilation[0] - c->padding[0];
                    int64_t y1 = o1 * c->stride[1] + t1 * c->dilation[1] - c->padding[1];
                    bool outside = (uint64_t)y0 >= (uint64_t)c->in.size[0] ||
                                   (uint64_t)y1 >= (uint64_t)c->in.size[1];
                    T *row = in + y0 * c->in.stride[0] + y1 * c->in.stride[1];
                    for (int64_t t2 = 0; t2 < c->taps[2]; t2++, tap++) {
                        int64_t shift = t2 * c->dilation[2] - c->padding[2], first, end;
                        if (outside)
                            continue;
                        int64_t step = c->stride[2];
                        valid_range(c->out.size[2], step, shift, c->in.size[2], &first, &end);
                        T *from = row + first * step + shift;
                        if (kind == CTI_CONV_FORWARD)
                            NAME(add_line)(line + first, 1, from, step, w[tap], end - first);
                        else if (kind == CTI_CONV_INPUT)
                            NAME(add_line)(from, step, line + first, 1, w[tap], end - first);
                        else
                            NAME(dot_line)(sum[tap], line + first, from, step, end - first);
                    }
                }
        }
}

/* ---- planes with stride 1, copied to bands of rows with a halo of zeros: no bounds checks ---- */

typedef T NAME(lanes) __attribute__((vector_size(64), aligned(sizeof(T)), may_alias));
enum { NAME(LANES) = 64 / sizeof(T), NAME(BAND) = (32 << 10) / sizeof(T) };

/* Adds all taps to LANES elements of a row; `from` is the element under the first tap. */
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
        T tail[NAME(LANES)] = {0};
        memcpy(tail, to + i, (size_t)(count - i) * sizeof(T));
        NAME(add_taps)(tail, from + i, pitch, w, taps, hop);
        memcpy(to + i, tail, (size_t)(count - i) * sizeof(T));
    }
}

/* Filters one contiguous plane and adds it to another. */
struct NAME(bands) {
    const T *from, *w;
    T *to;
    int64_t from_size[2], to_size[2], taps[2], hop[2],
        before[2]; /* rows and columns of zeros before the first */
};

/* Returns false and does nothing if a row does not fit into a band. */
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

/* Computes the output, or the derivative of the input, which is the same with flipped taps. Returns
 * false and does nothing unless there is one plane of stride 1 (not a volume) whose rows fit into a
 * band. */
static bool NAME(plane_by_bands)(const struct cti_conv_plan *c, bool input, T *in, T *out,
                                 const T *w)
{
    if (c->in.size[0] * c->out.size[0] * c->taps[0] != 1 || c->stride[1] != 1 ||
        c->stride[2] != 1 || c->padding[0])
        return false;
    struct NAME(bands) b = {.from = input ? out : in, .to = input ? in : out};
    int64_t taps = c->taps[1] * c->taps[2];
    T flipped[CTI_DEPTHWISE_TAPS];
    for (int i = 0; i < 2; i++) {
        b.from_size[i] = input ? c->out.size[1 + i] : c->in.size[1 + i];
        b.to_size[i] = input ? c->in.size[1 + i] : c->out.size[1 + i];
        b.taps[i] = c->taps[1 + i];
        b.hop[i] = c->dilation[1 + i];
        int64_t reach = (b.taps[i] - 1) * b.hop[i];
        b.before[i] = input ? reach - c->padding[1 + i] : c->padding[1 + i];
    }
    for (int64_t t = 0; input && t < taps; t++)
        flipped[t] = w[taps - 1 - t];
    b.w = input ? flipped : w;
    return NAME(add_bands)(&b);
}

/* The channels-last counterpart of plane(): a line is the channels [begin, end) of one position,
 * and the weights of a tap are a line, too. */
static inline __attribute__((always_inline)) void NAME(positions)(const struct cti_conv_plan *c,
                                                                  enum cti_conv_kind kind, T *in,
                                                                  T *out, T *w, int64_t begin,
                                                                  int64_t end)
{
    int64_t count = end - begin, channels = c->in.channels, at[3], t[3];
    for (at[0] = 0; at[0] < c->out.size[0]; at[0]++)
        for (at[1] = 0; at[1] < c->out.size[1]; at[1]++)
            for (at[2] = 0; at[2] < c->out.size[2]; at[2]++) {
                T *line = out + at[0] * c->out.stride[0] + at[1] * c->out.stride[1] +
                          at[2] * c->out.stride[2] + begin;
                T *weights = w + begin;
                for (t[0] = 0; t[0] < c->taps[0]; t[0]++)
                    for (t[1] = 0; t[1] < c->taps[1]; t[1]++)
                        for (t[2] = 0; t[2] < c->taps[2]; t[2]++, weights += channels) {
                            T *from = in + begin;
                            bool inside = true;
                            for (int i = 0; i < 3; i++) {
                                int64_t y =
                                    at[i] * c->stride[i] + t[i] * c->dilation[i] - c->padding[i];
                                inside = inside && (uint64_t)y < (uint64_t)c->in.size[i];
                                from += y * c->in.stride[i];
                            }
                            if (!inside)
                                continue;
                            if (kind == CTI_CONV_FORWARD)
                                NAME(add_channels)(line, from, weights, count);
                            else if (kind == CTI_CONV_INPUT)
                                NAME(add_channels)(from, line, weights, count);
                            else
                                NAME(add_channels)(weights, from, line, count);
                        }
            }
}

/* Sets channels of one image of the result to their bias, or to 0. */
static void NAME(start)(const struct cti_conv_plan *c, const struct cti_conv_image *image, T *to,
                        int64_t begin, int64_t end)
{
    const T *bias = (const T *)c->bias;
    int64_t positions = image->size[0] * image->size[1] * image->size[2];
    if (c->work->channels_last) {
        for (int64_t p = 0; p < positions; p++)
            for (int64_t i = begin; i < end; i++)
                to[p * image->stride[2] + i] = bias ? bias[i] : 0;
        return;
    }
    for (int64_t i = begin; i < end; i++) {
        T value = bias ? bias[i] : 0;
        for (int64_t p = 0; p < positions; p++)
            to[i * image->channel_stride + p] = value;
    }
}

static inline __attribute__((always_inline)) void
NAME(correlate)(const struct cti_conv_plan *c, enum cti_conv_kind kind, const void *weights,
                int64_t image, int64_t begin, int64_t end)
{
    bool input = kind == CTI_CONV_INPUT;
    T *in = (T *)c->in.data + image * c->in.image_stride, *w = (T *)weights;
    T *out = (T *)c->out.data + image * c->out.image_stride;
    int64_t taps = c->taps[0] * c->taps[1] * c->taps[2];
    int64_t multiple = c->out.channels / c->in.channels, each = input ? multiple : 1;
    NAME(start)(c, input ? &c->in : &c->out, input ? in : out, begin, end);
    if (c->work->channels_last) {
        NAME(positions)(c, kind, in, out, w, begin, end);
        return;
    }
    for (int64_t o = begin * each; o < end * each; o++) {
        T *x = in + o / multiple * c->in.channel_stride, *y = out + o * c->out.channel_stride;
        if (!NAME(plane_by_bands)(c, input, x, y, w + o * taps))
            NAME(plane)(c, kind, x, y, w + o * taps, NULL);
    }
}

static void NAME(forward)(const struct cti_conv_plan *c, const void *weights, int64_t image,
                          int64_t begin, int64_t end)
{
    NAME(correlate)(c, CTI_CONV_FORWARD, weights, image, begin, end);
}

static void NAME(input)(const struct cti_conv_plan *c, const void *weights, int64_t image,
                        int64_t begin, int64_t end)
{
    NAME(correlate)(c, CTI_CONV_INPUT, weights, image, begin, end);
}

static void NAME(weight)(const struct cti_conv_plan *c, void *weights, int64_t begin, int64_t end)
{
    T *w = weights, *in = (T *)c->in.data, *out = (T *)c->out.data;
    int64_t taps = c->taps[0] * c->taps[1] * c->taps[2], channels = c->in.channels;
    if (c->work->channels_last) {
        for (int64_t t = 0; t < taps; t++)
            for (int64_t i = begin; i < end; i++)
                w[t * channels + i] = 0;
        for (int64_t i = 0; i < c->images; i++)
            NAME(positions)
        (c, CTI_CONV_WEIGHT, in + i * c->in.image_stride, out + i * c->out.image_stride, w, begin,
         end);
        return;
    }
    for (int64_t o = begin; o < end; o++) {
        T sum[CTI_DEPTHWISE_TAPS][16] = {{0}};
        T *x = in + o / (c->out.channels / channels) * c->in.channel_stride;
        T *y = out + o * c->out.channel_stride;
        for (int64_t i = 0; i < c->images; i++)
            NAME(plane)
        (c, CTI_CONV_WEIGHT, x + i * c->in.image_stride, y + i * c->out.image_stride, NULL, sum);
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
