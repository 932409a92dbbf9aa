/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling at locations for one type; sample.c includes this after it has defined T, FLOOR, NEARBY,
 * FMOD and NAME(x). A location has taps: elements of the input, each with a weight and the slopes
 * of that weight along each dim. In every mode, taps are products of taps along single dims, so the
 * loops below do not depend on the mode. With a direction (`along`), weights and slopes are
 * replaced by their derivatives in that direction. */

struct NAME(line) { /* the taps along one dim */
    int n;
    int64_t at[4];                   /* index; -1: outside */
    T weight[4], slope[4], curve[4]; /* the weight and its first two derivatives */
};

struct NAME(taps) {
    int n;
    int64_t at[64];
    T weight[64], slope[3][64];
};

/* Converts a grid coordinate to an element index; *by is the derivative of the conversion. */
static T NAME(location)(T x, int64_t n, bool corners, T *by)
{
    *by = corners ? (T)(n - 1) / 2 : (T)n / 2;
    return corners ? (x + 1) * *by : (x + 1) * *by - (T)0.5;
}

/* Moves a location outside the image inside, according to the padding mode; NaN becomes 0. */
static T NAME(inside)(T x, int64_t n, const struct cti_sample *w, T *by)
{
    if (w->padding == CTI_SAMPLE_ZEROS)
        return x;
    if (w->padding == CTI_SAMPLE_REFLECTION) {
        T low = w->corners ? 0 : (T)-0.5, span = w->corners ? (T)(n - 1) : (T)n;
        if (span == 0) {
            *by = 0;
            return 0;
        }
        T away = x - low, rest;
        if (away < 0) {
            away = -away;
            *by = -*by;
        }
        rest = FMOD(away, span);
        bool flipped = FMOD(FLOOR(away / span), 2) != 0;
        x = (flipped ? span - rest : rest) + low;
        *by = flipped ? -*by : *by;
    }
    if (x > 0 && x < (T)(n - 1))
        return x;
    *by = 0;
    return x > 0 ? (T)(n - 1) : 0;
}

static int64_t NAME(whole)(T x, int64_t n)
{
    return x >= 0 && x <= (T)(n - 1) ? (int64_t)x : -1;
}

/* Keys' cubic kernel with a = -0.75 at distance x from the tap, and its first two derivatives. */
static T NAME(keys)(T x, T *slope, T *curve)
{
    const T a = (T)-0.75;
    T sign = x < 0 ? (T)-1 : 1;
    x = x < 0 ? -x : x;
    if (x <= 1) {
        *slope = sign * (3 * (a + 2) * x - 2 * (a + 3)) * x;
        *curve = 6 * (a + 2) * x - 2 * (a + 3);
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    }
    *slope = sign * ((3 * a * x - 10 * a) * x + 8 * a);
    *curve = 6 * a * x - 10 * a;
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
}

static void NAME(taps_of_dim)(struct NAME(line) * line, T x, int64_t n, const struct cti_sample *w)
{
    T by, at = NAME(location)(x, n, w->corners, &by);
    if (w->mode != CTI_SAMPLE_CUBIC)
        at = NAME(inside)(at, n, w, &by);
    T first = w->mode == CTI_SAMPLE_NEAREST ? NEARBY(at) : FLOOR(at);
    if (w->mode == CTI_SAMPLE_NEAREST) {
        *line = (struct NAME(line)){1, {NAME(whole)(first, n)}, {1}, {0}, {0}};
    } else if (w->mode == CTI_SAMPLE_LINEAR) {
        *line = (struct NAME(line)){2,
                                    {NAME(whole)(first, n), NAME(whole)(first + 1, n)},
                                    {first + 1 - at, at - first},
                                    {-by, by},
                                    {0}};
    } else {
        line->n = 4;
        for (int k = 0; k < 4; k++) {
            T tap = first + (T)(k - 1), flipped = 1, slope, curve;
            line->weight[k] = NAME(keys)(at - tap, &slope, &curve);
            line->slope[k] = slope * by;
            line->curve[k] = curve * by * by;
            line->at[k] = NAME(whole)(NAME(inside)(tap, n, w, &flipped), n);
        }
    }
}

/* Tap n: the product of taps x, y and z of single dims. */
static void NAME(multiply)(struct NAME(taps) * t, int n, const struct NAME(line) line[3], int x,
                           int y, int z)
{
    T wx = line[0].weight[x], wy = line[1].weight[y], wz = line[2].weight[z];
    t->weight[n] = wx * wy * wz;
    t->slope[0][n] = line[0].slope[x] * wy * wz;
    t->slope[1][n] = line[1].slope[y] * wx * wz;
    t->slope[2][n] = line[2].slope[z] * wx * wy;
}

/* The same for the derivatives along v. */
static void NAME(multiply_along)(struct NAME(taps) * t, int n, const struct NAME(line) line[3],
                                 int x, int y, int z, const T v[3])
{
    T wx = line[0].weight[x], wy = line[1].weight[y], wz = line[2].weight[z];
    T sx = line[0].slope[x], sy = line[1].slope[y], sz = line[2].slope[z];
    t->weight[n] = v[0] * sx * wy * wz + v[1] * wx * sy * wz + v[2] * wx * wy * sz;
    t->slope[0][n] = v[0] * line[0].curve[x] * wy * wz + v[1] * sx * sy * wz + v[2] * sx * wy * sz;
    t->slope[1][n] = v[0] * sx * sy * wz + v[1] * wx * line[1].curve[y] * wz + v[2] * wx * sy * sz;
    t->slope[2][n] = v[0] * sx * wy * sz + v[1] * wx * sy * sz + v[2] * wx * wy * line[2].curve[z];
}

/* `location` is counted over the batch. */
static void NAME(taps_of)(struct NAME(taps) * t, const struct cti_sample *w, int64_t location)
{
    const T *grid = (const T *)cti_data(w->grid) + location * w->ndim;
    struct NAME(line) line[3] = {[2] = {1, {0}, {1}, {0}, {0}}}; /* in the grid's order: x, y, z */
    T v[3] = {0};
    for (int d = 0; w->along && d < w->ndim; d++)
        v[d] = ((const T *)cti_data(w->along))[location * w->ndim + d];
    for (int d = 0; d < w->ndim; d++)
        NAME(taps_of_dim)(&line[d], grid[d], w->in[w->ndim - 1 - d], w);
    int64_t width = w->in[w->ndim - 1], height = w->in[w->ndim - 2];
    t->n = 0;
    for (int i = 0; i < line[2].n; i++)
        for (int j = 0; j < line[1].n; j++)
            for (int k = 0; k < line[0].n; k++) {
                int64_t x = line[0].at[k], y = line[1].at[j], z = line[2].at[i];
                int n = t->n++;
                t->at[n] = x < 0 || y < 0 || z < 0 ? -1 : (z * height + y) * width + x;
                if (w->along)
                    NAME(multiply_along)(t, n, line, k, j, i, v);
                else
                    NAME(multiply)(t, n, line, k, j, i);
            }
}

static int64_t NAME(plane)(const struct cti_sample *w)
{
    return w->in[0] * w->in[1] * (w->ndim == 3 ? w->in[2] : 1);
}

static void NAME(forward)(const struct cti_sample *w, int64_t begin, int64_t end)
{
    const T *input = (const T *)cti_data(w->input);
    T *out = (T *)cti_data(w->out);
    int64_t plane = NAME(plane)(w);
    for (int64_t i = begin; i < end; i++) {
        struct NAME(taps) t;
        int64_t first = i / w->places * w->channels, p = i % w->places;
        NAME(taps_of)(&t, w, i);
        for (int64_t c = first; c < first + w->channels; c++) {
            T sum = 0;
            for (int k = 0; k < t.n; k++)
                sum += (t.at[k] < 0 ? 0 : input[c * plane + t.at[k]]) * t.weight[k];
            out[c * w->places + p] = sum;
        }
    }
}

static void NAME(back_grid)(const struct cti_sample *w, int64_t begin, int64_t end)
{
    const T *input = (const T *)cti_data(w->input);
    const T *upstream = (const T *)cti_data(w->upstream);
    T *out = (T *)cti_data(w->grad_grid);
    int64_t plane = NAME(plane)(w);
    for (int64_t i = begin; i < end; i++) {
        struct NAME(taps) t;
        T sum[3] = {0};
        int64_t first = i / w->places * w->channels, p = i % w->places;
        NAME(taps_of)(&t, w, i);
        for (int64_t c = first; c < first + w->channels; c++)
            for (int k = 0; k < t.n; k++)
                for (int d = 0; t.at[k] >= 0 && d < w->ndim; d++)
                    sum[d] +=
                        upstream[c * w->places + p] * input[c * plane + t.at[k]] * t.slope[d][k];
        for (int d = 0; d < w->ndim; d++)
            out[i * w->ndim + d] = sum[d];
    }
}

static void NAME(back_input)(const struct cti_sample *w, int64_t n, int64_t from, int64_t to)
{
    const T *upstream = (const T *)cti_data(w->upstream);
    T *out = (T *)cti_data(w->grad_input);
    int64_t plane = NAME(plane)(w);
    for (int64_t p = 0; p < w->places; p++) {
        struct NAME(taps) t;
        NAME(taps_of)(&t, w, n * w->places + p);
        for (int64_t c = n * w->channels + from; c < n * w->channels + to; c++)
            for (int k = 0; k < t.n; k++)
                if (t.at[k] >= 0)
                    out[c * plane + t.at[k]] += upstream[c * w->places + p] * t.weight[k];
    }
}

#undef T
#undef FLOOR
#undef NEARBY
#undef FMOD
#undef NAME
