/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs operands into the panels that the micro-kernels read; see pack.h. Layouts contiguous in w
 * or k are copied by vectors, others element by element. Packing is O(1/n) of the product's work,
 * so its speed matters only for small products. */
#include "cpu/gemm/pack.h"

#include "core/tensor.h"
#include "math/half.h"

#include <string.h>

/* Panels and operands are moved as raw bits, whatever their type. */
typedef uint32_t bits4 __attribute__((may_alias));
typedef uint64_t bits8 __attribute__((may_alias));
typedef uint32_t v4 __attribute__((vector_size(16), may_alias, aligned(4)));
typedef uint32_t v4_any __attribute__((vector_size(16), may_alias, aligned(2)));
typedef uint64_t v2 __attribute__((vector_size(16), may_alias, aligned(8)));

/* One panel: w <= width units of each k, byte strides. */
struct panel {
    char *to;
    const char *from;
    int64_t width, w, k;
    int64_t w_bstride, k_bstride;
};

static inline void copy_units(char *to, const char *from, int64_t size, int64_t count)
{
    memcpy(to, from, (size_t)(size * count));
}

/* w contiguous: rows of the panel are contiguous runs. Full rows have constant lengths, so that
 * copies become a few vector moves. The panel must not alias its description. */
static inline __attribute__((always_inline)) void rows_of(char *restrict to,
                                                          const char *restrict from,
                                                          int64_t to_step, int64_t from_step,
                                                          int64_t k, int64_t bytes)
{
    for (; k > 0; k--, to += to_step, from += from_step)
        memcpy(to, from, (size_t)bytes);
}

static inline __attribute__((always_inline)) void panel_of_rows(const struct panel *p, int64_t size)
{
    int64_t step = p->width * size;
    if (p->w == 32)
        rows_of(p->to, p->from, step, p->k_bstride, p->k, 32 * size);
    else if (p->w == 16)
        rows_of(p->to, p->from, step, p->k_bstride, p->k, 16 * size);
    else if (p->w == 14)
        rows_of(p->to, p->from, step, p->k_bstride, p->k, 14 * size);
    else
        rows_of(p->to, p->from, step, p->k_bstride, p->k, p->w * size);
}

#if defined(__AVX2__)
typedef uint32_t v8 __attribute__((vector_size(32), may_alias, aligned(4)));
typedef uint32_t v8_any __attribute__((vector_size(32), may_alias, aligned(2)));

/* An 8 by 8 transpose in three shuffle stages: within pairs, quads and halves. */
static inline void transpose_8x8(bits4 *to, int64_t width, const char *from, int64_t w_bstride)
{
    v8 r[8], t[8];
    for (int i = 0; i < 8; i++)
        r[i] = *(const v8_any *)(from + i * w_bstride);
    for (int i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            r[i + 2 * j] =
                __builtin_shufflevector(t[i + j], t[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            r[i + 2 * j + 1] =
                __builtin_shufflevector(t[i + j], t[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        *(v8 *)(to + i * width) = __builtin_shufflevector(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(v8 *)(to + (i + 4) * width) =
            __builtin_shufflevector(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* Transposes the full 8 by 8 squares of a panel of at least 8 rows; the last square may overlap the
 * one before. Returns how many k are done. */
static int64_t transpose_squares(const struct panel *p)
{
    int64_t whole = p->k & ~(int64_t)7;
    for (int64_t i = 0; i < p->w; i += 8) {
        i = i > p->w - 8 ? p->w - 8 : i;
        for (int64_t k = 0; k < whole; k += 8)
            transpose_8x8((bits4 *)p->to + k * p->width + i, p->width,
                          p->from + i * p->w_bstride + 4 * k, p->w_bstride);
    }
    return whole;
}
#else
static int64_t transpose_squares(const struct panel *p)
{
    (void)p;
    return 0;
}
#endif

/* k contiguous: the panel is the transpose. 4 by 4 units at a time, or 8 by 8; the last group of
 * rows overlaps the one before. At least 4 rows. */
static void panel_transposed_4(const struct panel *all)
{
    struct panel rest = *all, *p = &rest;
    if (p->w >= 8) {
        int64_t done = transpose_squares(p);
        rest.to += done * p->width * 4;
        rest.from += done * 4;
        rest.k -= done;
    }
    int64_t whole = p->k & ~(int64_t)3;
    for (int64_t i = 0; i < p->w; i += 4) {
        if (i > p->w - 4)
            i = p->w - 4;
        const char *r0 = p->from + i * p->w_bstride, *r1 = r0 + p->w_bstride;
        const char *r2 = r1 + p->w_bstride, *r3 = r2 + p->w_bstride;
        bits4 *to = (bits4 *)p->to + i;
        for (int64_t k = 0; k < whole; k += 4, to += 4 * p->width) {
            v4 a = *(const v4_any *)(r0 + 4 * k), b = *(const v4_any *)(r1 + 4 * k);
            v4 c = *(const v4_any *)(r2 + 4 * k), d = *(const v4_any *)(r3 + 4 * k);
            v4 ab = __builtin_shufflevector(a, b, 0, 4, 1, 5);
            v4 cd = __builtin_shufflevector(c, d, 0, 4, 1, 5);
            v4 ef = __builtin_shufflevector(a, b, 2, 6, 3, 7);
            v4 gh = __builtin_shufflevector(c, d, 2, 6, 3, 7);
            *(v4 *)to = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
            *(v4 *)(to + p->width) = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
            *(v4 *)(to + 2 * p->width) = __builtin_shufflevector(ef, gh, 0, 1, 4, 5);
            *(v4 *)(to + 3 * p->width) = __builtin_shufflevector(ef, gh, 2, 3, 6, 7);
        }
        for (int64_t k = whole; k < p->k; k++, to += p->width)
            for (int64_t r = 0; r < 4; r++)
                memcpy(to + r, r0 + r * p->w_bstride + 4 * k, 4);
    }
}

/* The same with 2 by 2 units of eight bytes. At least 2 rows. */
static void panel_transposed_8(const struct panel *p)
{
    int64_t whole = p->k & ~(int64_t)1;
    for (int64_t i = 0; i < p->w; i += 2) {
        if (i > p->w - 2)
            i = p->w - 2;
        const char *r0 = p->from + i * p->w_bstride, *r1 = r0 + p->w_bstride;
        bits8 *to = (bits8 *)p->to + i;
        for (int64_t k = 0; k < whole; k += 2, to += 2 * p->width) {
            v2 a = *(const v2 *)(r0 + 8 * k), b = *(const v2 *)(r1 + 8 * k);
            *(v2 *)to = __builtin_shufflevector(a, b, 0, 2);
            *(v2 *)(to + p->width) = __builtin_shufflevector(a, b, 1, 3);
        }
        for (int64_t k = whole; k < p->k; k++) {
            memcpy(to, r0 + 8 * k, 8);
            memcpy(to + 1, r1 + 8 * k, 8);
        }
    }
}

static inline __attribute__((always_inline)) void panel_any(const struct panel *p, int64_t size)
{
    for (int64_t k = 0; k < p->k; k++)
        for (int64_t i = 0; i < p->w; i++)
            copy_units(p->to + (k * p->width + i) * size,
                       p->from + i * p->w_bstride + k * p->k_bstride, size, 1);
}

static void panel_4(const struct panel *p)
{
    if (p->w_bstride == 4)
        panel_of_rows(p, 4);
    else if (p->k_bstride == 4 && p->w >= 4)
        panel_transposed_4(p);
    else
        panel_any(p, 4);
}

static void panel_8(const struct panel *p)
{
    if (p->w_bstride == 8)
        panel_of_rows(p, 8);
    else if (p->k_bstride == 8 && p->w >= 2)
        panel_transposed_8(p);
    else
        panel_any(p, 8);
}

/* Two elements adjacent in k form a unit. An odd last k is paired with 0. */
static void panel_of_pairs(struct panel p, bool odd)
{
    p.k -= odd;
    if (p.k_bstride == 2) {
        panel_4(&(struct panel){p.to, p.from, p.width, p.w, p.k, p.w_bstride, 4});
    } else {
        for (int64_t k = 0; k < p.k; k++) {
            bits4 *to = (bits4 *)p.to + k * p.width;
            const char *low = p.from + 2 * k * p.k_bstride, *high = low + p.k_bstride;
            if (p.w_bstride == 2)
                for (int64_t i = 0; i < p.w; i++)
                    to[i] = ((const uint16_t *)low)[i] | (uint32_t)((const uint16_t *)high)[i]
                                                             << 16;
            else
                for (int64_t i = 0; i < p.w; i++)
                    to[i] = *(const uint16_t *)(low + i * p.w_bstride) |
                            (uint32_t) * (const uint16_t *)(high + i * p.w_bstride) << 16;
        }
    }
    for (int64_t i = 0; odd && i < p.w; i++)
        ((bits4 *)p.to)[p.k * p.width + i] =
            *(const uint16_t *)(p.from + i * p.w_bstride + 2 * p.k * p.k_bstride);
}

/* Pairs in AMX tile layout: `valid` elements of k, then zero padding. */
static void panel_of_tiles(const struct panel *p, int64_t valid)
{
    enum { RUN = 32 }; /* elements of a tile row */
    memset(p->to, 0, (size_t)(p->k * p->width * 4));
    for (int64_t k = 0; k < valid; k += RUN) {
        int64_t count = valid - k < RUN ? valid - k : RUN;
        for (int64_t i = 0; i < p->w; i++) {
            uint16_t *to = (uint16_t *)p->to + k * p->width + i * RUN;
            const char *from = p->from + i * p->w_bstride + k * p->k_bstride;
            if (p->k_bstride == 2)
                memcpy(to, from, (size_t)(2 * count));
            else
                for (int64_t j = 0; j < count; j++)
                    to[j] = *(const uint16_t *)(from + j * p->k_bstride);
        }
    }
}

static inline uint32_t widened(const char *from, enum ct_dtype dtype)
{
    float f = 0;
    uint32_t bits;
    switch ((int)dtype) {
    case CT_UINT8:
        return *(const uint8_t *)from;
    case CT_INT8:
        return (uint32_t) * (const int8_t *)from;
    case CT_INT16:
        return (uint32_t) * (const int16_t *)from;
    case CT_UINT16:
        return *(const uint16_t *)from;
    case CT_FLOAT16:
        f = ctm_f32_from_f16(*(const uint16_t *)from);
        break;
    case CT_BFLOAT16:
        f = ctm_f32_from_bf16(*(const uint16_t *)from);
        break;
    }
    memcpy(&bits, &f, 4);
    return bits;
}

/* Types narrower than their unit. `dtype` is a compile-time constant where this is inlined. */
static inline __attribute__((always_inline)) void panel_widened(const struct panel *p,
                                                                enum ct_dtype dtype)
{
    bits4 *to = (bits4 *)p->to;
    int64_t size = dtype == CT_INT8 || dtype == CT_UINT8 ? 1 : 2;
    if (p->w_bstride == size) {
        for (int64_t k = 0; k < p->k; k++)
            for (int64_t i = 0; i < p->w; i++)
                to[k * p->width + i] = widened(p->from + k * p->k_bstride + i * size, dtype);
        return;
    }
    /* Contiguous runs are widened, which the compiler vectorises, then transposed. */
    enum { RUN = 64 };
    uint32_t run[CTI_GEMM_NR_MAX * RUN];
    for (int64_t k = 0; k < p->k; k += RUN) {
        int64_t count = p->k - k < RUN ? p->k - k : RUN;
        for (int64_t i = 0; i < p->w; i++) {
            const char *from = p->from + i * p->w_bstride + k * p->k_bstride;
            if (p->k_bstride == size)
                for (int64_t j = 0; j < count; j++)
                    run[i * RUN + j] = widened(from + j * size, dtype);
            else
                for (int64_t j = 0; j < count; j++)
                    run[i * RUN + j] = widened(from + j * p->k_bstride, dtype);
        }
        panel_4(&(struct panel){(char *)(to + k * p->width), (const char *)run, p->width, p->w,
                                count, 4 * RUN, 4});
    }
}

/* A as a real matrix: columns re, im, re, im. p counts units, p->k is even; strides per element. */
static inline __attribute__((always_inline)) void panel_complex_a(const struct panel *p,
                                                                  int64_t size, bool conj)
{
    for (int64_t k = 0; k < p->k; k++) {
        for (int64_t i = 0; i < p->w; i++) {
            char *to = p->to + (k * p->width + i) * size;
            copy_units(to, p->from + i * p->w_bstride + (k >> 1) * p->k_bstride + (k & 1) * size,
                       size, 1);
            if ((k & 1) && conj)
                to[size - 1] ^= (char)0x80; /* the sign bit, little endian */
        }
    }
}

/* B as a real matrix: an element becomes [[re, im], [-im, re]], or [[re, -im], [im, re]] for its
 * conjugate. Bits are moved and the sign bit flipped. */
static void panel_complex_b_4(const struct panel *p, bool conj)
{
    uint32_t above = conj ? 0x80000000u : 0, below = conj ? 0 : 0x80000000u;
    int64_t step = p->w_bstride / 4;
    for (int64_t k = 0; k < p->k; k += 2) {
        bits4 *top = (bits4 *)p->to + k * p->width, *bottom = top + p->width;
        const bits4 *from = (const bits4 *)(p->from + (k >> 1) * p->k_bstride);
        for (int64_t i = 0; i < p->w; i += 2, from += step) {
            top[i] = from[0];
            top[i + 1] = from[1] ^ above;
            bottom[i] = from[1] ^ below;
            bottom[i + 1] = from[0];
        }
    }
}

static void panel_complex_b_8(const struct panel *p, bool conj)
{
    uint64_t above = conj ? 1ull << 63 : 0, below = conj ? 0 : 1ull << 63;
    int64_t step = p->w_bstride / 8;
    for (int64_t k = 0; k < p->k; k += 2) {
        bits8 *top = (bits8 *)p->to + k * p->width, *bottom = top + p->width;
        const bits8 *from = (const bits8 *)(p->from + (k >> 1) * p->k_bstride);
        for (int64_t i = 0; i < p->w; i += 2, from += step) {
            top[i] = from[0];
            top[i + 1] = from[1] ^ above;
            bottom[i] = from[1] ^ below;
            bottom[i + 1] = from[0];
        }
    }
}

static void pack_panel(const struct cti_gemm_side *side, const struct panel *p, bool odd)
{
    switch (side->dtype) {
    case CT_NO_DTYPE:
    case CT_BOOL:
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
    case CT_COMPLEX32:
    case CT_DTYPE_COUNT:
        break;
    case CT_UINT8:
        panel_widened(p, CT_UINT8);
        break;
    case CT_INT8:
        panel_widened(p, CT_INT8);
        break;
    case CT_INT16:
        panel_widened(p, CT_INT16);
        break;
    case CT_UINT16:
        panel_widened(p, CT_UINT16);
        break;
    case CT_FLOAT16:
        panel_widened(p, CT_FLOAT16);
        break;
    case CT_BFLOAT16:
        if (side->unit == CTI_UNIT_PAIR)
            panel_of_pairs(*p, odd);
        else
            panel_widened(p, CT_BFLOAT16);
        break;
    case CT_INT32:
    case CT_UINT32:
    case CT_FLOAT32:
        panel_4(p);
        break;
    case CT_INT64:
    case CT_UINT64:
    case CT_FLOAT64:
        panel_8(p);
        break;
    case CT_COMPLEX64:
        if (side->expand)
            panel_complex_b_4(p, side->conj);
        else if (p->k_bstride == 8 && !side->conj)
            panel_4(&(struct panel){p->to, p->from, p->width, p->w, p->k, p->w_bstride, 4});
        else
            panel_complex_a(p, 4, side->conj);
        break;
    case CT_COMPLEX128:
        if (side->expand)
            panel_complex_b_8(p, side->conj);
        else if (p->k_bstride == 16 && !side->conj)
            panel_8(&(struct panel){p->to, p->from, p->width, p->w, p->k, p->w_bstride, 8});
        else
            panel_complex_a(p, 8, side->conj);
        break;
    }
}

/* w contiguous: a few k at a time of all panels, so that a row of memory is read in one go. If
 * panels were packed one by one, rows that are a page apart would be evicted before the next panel
 * uses the rest of their cache lines. */
static void pack_rows(const struct cti_gemm_side *side, struct panel p, int64_t w, int64_t unit)
{
    enum { AT_A_TIME = 8, SHORT = 2048, LINE = 64 };
    int64_t k_all = p.k, size = cti_itemsize(side->dtype), whole = w / p.width * p.width;
    int64_t run = w * size < SHORT ? w * size : 0; /* too short for the hardware prefetcher */
    if (whole < w)
        memset(p.to + whole * k_all * unit, 0, (size_t)(k_all * p.width * unit));
    for (int64_t k = 0; k < k_all; k += AT_A_TIME) {
        struct panel part = p;
        part.k = k_all - k < AT_A_TIME ? k_all - k : AT_A_TIME;
        part.from += k * p.k_bstride;
        part.to += k * p.width * unit;
        for (int64_t i = AT_A_TIME; i < 2 * AT_A_TIME && i < k_all - k; i++)
            for (int64_t at = 0; at < run; at += LINE)
                __builtin_prefetch(part.from + i * p.k_bstride + at);
        for (int64_t done = 0; done < w; done += p.width) {
            part.w = w - done < p.width ? w - done : p.width;
            pack_panel(side, &part, false);
            part.from += p.width * size;
            part.to += k_all * p.width * unit;
        }
    }
}

void CTI_ISA_NAME(cti_gemm_pack)(const struct cti_gemm_side *side, void *panels, int width,
                                 int64_t w0, int64_t w, int64_t k0, int64_t k)
{
    if (side->gather) {
        CTI_ISA_NAME(cti_gemm_pack_gathered)(side, panels, width, w0, w, k0, k);
        return;
    }
    int64_t unit = side->unit == CTI_UNIT_F64 || side->unit == CTI_UNIT_U64 ? 8 : 4;
    int64_t size = cti_itemsize(side->dtype);
    bool complex = side->dtype == CT_COMPLEX64 || side->dtype == CT_COMPLEX128;
    bool pairs = side->unit == CTI_UNIT_PAIR;
    struct panel p = {panels, NULL, width, 0, k, side->w_stride * size, side->k_stride * size};
    int64_t w_first = side->expand ? w0 / 2 : w0;
    int64_t k_first = complex ? k0 / 2 : pairs ? k0 * 2 : k0;
    int64_t valid = side->k - k_first < 2 * k ? side->k - k_first : 2 * k; /* of pairs */
    bool odd = pairs && valid & 1;
    if (pairs && !side->tiles)
        p.k = (valid + 1) / 2;
    p.from = side->data + w_first * p.w_bstride + k_first * p.k_bstride;
    if (!pairs && !complex && side->w_stride == 1) {
        pack_rows(side, p, w, unit);
        return;
    }
    for (int64_t done = 0; done < w; done += width) {
        p.w = w - done < width ? w - done : width;
        if (p.w < width || p.k < k)
            memset(p.to, 0, (size_t)(k * width * unit));
        if (side->tiles)
            panel_of_tiles(&p, valid);
        else
            pack_panel(side, &p, odd);
        p.to += k * width * unit;
        p.from += (side->expand ? width / 2 : width) * p.w_bstride;
    }
}
