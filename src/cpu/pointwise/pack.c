/* SPDX-License-Identifier: BSD-3-Clause */
/* See pack.h. The functions are generic in the element size; inlined with a constant size, they
 * compile to loads and stores of that size. */
#include "cpu/pointwise/pack.h"

#include "cpu/isa.h"

#include <string.h>

#define LONG_FILL 1024 /* bytes */
#define INLINE static inline __attribute__((always_inline))

INLINE void pack(char *dst, const char *src, int64_t bstride, int64_t n, int64_t size)
{
    for (int64_t i = 0; i < n; i++)
        __builtin_memcpy(dst + i * size, src + i * bstride, (size_t)size);
}

INLINE void unpack(char *dst, const char *src, int64_t bstride, int64_t n, int64_t size)
{
    for (int64_t i = 0; i < n; i++)
        __builtin_memcpy(dst + i * bstride, src + i * size, (size_t)size);
}

/* Copies elements in reverse: `src` is the address of the first, the others precede it. */
INLINE void reverse(char *dst, const char *src, int64_t n, int64_t size)
{
    for (int64_t i = 0; i < n; i++)
        __builtin_memcpy(dst + i * size, src - i * size, (size_t)size);
}

INLINE void spread(char *dst, const char *src, int64_t n, int64_t size)
{
    char one[16];
    __builtin_memcpy(one, src, (size_t)size);
    for (int64_t i = 0; i < n; i++)
        __builtin_memcpy(dst + i * size, one, (size_t)size);
}

/* Eight columns at a time: each row gets a run of writes, and each cache line of a column is read
 * once. */
INLINE void transpose(char *dst, int64_t dst_bstride, const char *src, int64_t src_bstride,
                      int64_t rows, int64_t columns, int64_t size)
{
    int64_t c = 0;
    for (; c + 8 <= columns; c += 8)
        for (int64_t r = 0; r < rows; r++)
            for (int64_t k = 0; k < 8; k++)
                __builtin_memcpy(dst + r * dst_bstride + (c + k) * size,
                                 src + (c + k) * src_bstride + r * size, (size_t)size);
    for (; c < columns; c++)
        for (int64_t r = 0; r < rows; r++)
            __builtin_memcpy(dst + r * dst_bstride + c * size, src + c * src_bstride + r * size,
                             (size_t)size);
}

/* Calls one of the above with its size as a constant. */
#define BY_SIZE(mover, ...)                                                                        \
    switch (itemsize) {                                                                            \
    case 1:                                                                                        \
        mover(__VA_ARGS__, 1);                                                                     \
        return;                                                                                    \
    case 2:                                                                                        \
        mover(__VA_ARGS__, 2);                                                                     \
        return;                                                                                    \
    case 4:                                                                                        \
        mover(__VA_ARGS__, 4);                                                                     \
        return;                                                                                    \
    case 8:                                                                                        \
        mover(__VA_ARGS__, 8);                                                                     \
        return;                                                                                    \
    default:                                                                                       \
        mover(__VA_ARGS__, 16);                                                                    \
    }

/* memmove, except where `rep movsb` would run at a tenth of its speed: if dst is 1 to 15 bytes
 * ahead of src modulo a page, the processor takes each load to depend on the previous store (4K
 * aliasing). Copying from back to front avoids that. */
void cti_cpu_copy_bytes(char *dst, const char *src, int64_t n)
{
    uintptr_t ahead = ((uintptr_t)dst - (uintptr_t)src) % 4096;
    bool apart = dst + n <= src || src + n <= dst;
    if (!apart || ahead == 0 || ahead >= 16 || n < 2048 || n > 1 << 20) {
        memmove(dst, src, (size_t)n);
        return;
    }
    for (; n >= 64; n -= 64)
        memcpy(dst + n - 64, src + n - 64, 64);
    memcpy(dst, src, (size_t)n);
}

typedef int64_t simd_reverse(char *, const char *, int64_t, int64_t);
simd_reverse CTI_ISA_NAMES(cti_simd_reverse);
static simd_reverse *const reverse_vectors[] = CTI_ISA_TABLE(cti_simd_reverse);

static void reverse_any(char *dst, const char *src, int64_t n, int64_t itemsize)
{
    BY_SIZE(reverse, dst, src, n)
}

static void reverse_line(char *dst, const char *src, int64_t n, int64_t itemsize)
{
    int64_t done = reverse_vectors[cti_cpu_isa()](dst, src, n, itemsize);
    reverse_any(dst + done * itemsize, src - done * itemsize, n - done, itemsize);
}

void cti_cpu_pack(char *dst, const char *src, int64_t bstride, int64_t n, int64_t itemsize)
{
    if (bstride == -itemsize) {
        reverse_line(dst, src, n, itemsize);
        return;
    }
    if (bstride == itemsize) {
        cti_cpu_copy_bytes(dst, src, n * itemsize);
        return;
    }
    BY_SIZE(pack, dst, src, bstride, n)
}

void cti_cpu_unpack(char *dst, const char *src, int64_t bstride, int64_t n, int64_t itemsize)
{
    if (bstride == itemsize) {
        cti_cpu_copy_bytes(dst, src, n * itemsize);
        return;
    }
    BY_SIZE(unpack, dst, src, bstride, n)
}

static void spread_any(char *dst, const char *src, int64_t n, int64_t itemsize)
{
    BY_SIZE(spread, dst, src, n)
}

typedef void simd_fill(char *, const char *, int64_t);
simd_fill CTI_ISA_NAMES(cti_simd_fill);
static simd_fill *const fill[] = CTI_ISA_TABLE(cti_simd_fill);

/* Long fills store a pattern with wide vectors; zeros use memset. */
void cti_cpu_spread(char *dst, const char *src, int64_t n, int64_t itemsize)
{
    static const char zeros[16];
    int64_t bytes = n * itemsize;
    char pattern[64];
    if (bytes <= LONG_FILL || (uintptr_t)dst % (uintptr_t)itemsize) {
        spread_any(dst, src, n, itemsize);
    } else if (memcmp(src, zeros, (size_t)itemsize) == 0) {
        memset(dst, 0, (size_t)bytes);
    } else {
        spread_any(pattern, src, (int64_t)sizeof pattern / itemsize, itemsize);
        fill[cti_cpu_isa()](dst, pattern, bytes);
    }
}

/* Writes adjacent rows, each filled with one number. All but the last are written in pieces of 16
 * bytes; the next row overwrites the excess. */
INLINE void spread_rows(char *dst, const char *src, const struct cti_rows *of, int64_t size)
{
    char pattern[16];
    int64_t bytes = of->n * size, left = of->rows * bytes;
    for (; left >= bytes + 16; left -= bytes, dst += bytes, src += of->src_row) {
        for (int64_t i = 0; i < 16; i += size)
            __builtin_memcpy(pattern + i, src, (size_t)size);
        for (int64_t i = 0; i < bytes; i += 16)
            __builtin_memcpy(dst + i, pattern, 16);
    }
    for (; left > 0; left -= bytes, dst += bytes, src += of->src_row)
        spread(dst, src, of->n, size);
}

static void spread_rows_any(char *dst, const char *src, const struct cti_rows *of,
                            int64_t itemsize){BY_SIZE(spread_rows, dst, src, of)}

INLINE void grid(char *dst, const char *src, const struct cti_rows *of, int64_t size)
{
    int64_t n = of->n, to = of->dst_bstride, from = of->src_bstride;
    for (int64_t r = 0; r < of->rows; r++, dst += of->dst_row, src += of->src_row)
        for (int64_t i = 0; i < n; i++)
            __builtin_memcpy(dst + i * to, src + i * from, (size_t)size);
}

static void grid_any(char *dst, const char *src, const struct cti_rows *of, int64_t itemsize)
{
    BY_SIZE(grid, dst, src, of)
}

#define SHORT 8 /* shorter rows are copied inline */

void cti_cpu_move_rows(char *dst, const char *src, const struct cti_rows *of)
{
    int64_t size = of->itemsize, n = of->n;
    bool to = of->dst_bstride == size, from = of->src_bstride == size;
    if (to && of->src_bstride == 0 && of->dst_row == n * size && n * size <= LONG_FILL) {
        spread_rows_any(dst, src, of, size);
        return;
    }
    if (n < SHORT || !(to || from)) {
        grid_any(dst, src, of, size);
        return;
    }
    for (int64_t r = 0; r < of->rows; r++, dst += of->dst_row, src += of->src_row) {
        if (to && of->src_bstride == 0)
            cti_cpu_spread(dst, src, n, size);
        else if (to)
            cti_cpu_pack(dst, src, of->src_bstride, n, size);
        else
            cti_cpu_unpack(dst, src, of->dst_bstride, n, size);
    }
}

static void transpose_any(char *dst, int64_t dst_bstride, const char *src, int64_t src_bstride,
                          int64_t rows, int64_t columns, int64_t itemsize)
{
    BY_SIZE(transpose, dst, dst_bstride, src, src_bstride, rows, columns)
}

typedef void simd_transpose(char *, int64_t, const char *, int64_t, int64_t, int64_t, int64_t,
                            int64_t *, int64_t *);
simd_transpose CTI_ISA_NAMES(cti_simd_transpose);
static simd_transpose *const transpose_squares[] = CTI_ISA_TABLE(cti_simd_transpose);

/* Square tiles are transposed in registers if the instruction set can; the edges element by
 * element. */
void cti_cpu_transpose(char *dst, int64_t dst_bstride, const char *src, int64_t src_bstride,
                       int64_t rows, int64_t columns, int64_t itemsize)
{
    int64_t r = 0, c = 0;
    if (dst_bstride % itemsize == 0 && src_bstride % itemsize == 0)
        transpose_squares[cti_cpu_isa()](dst, dst_bstride / itemsize, src, src_bstride / itemsize,
                                         rows, columns, itemsize, &r, &c);
    if (r < rows && c)
        transpose_any(dst + r * dst_bstride, dst_bstride, src + r * itemsize, src_bstride, rows - r,
                      c, itemsize);
    if (c < columns)
        transpose_any(dst + c * itemsize, dst_bstride, src + c * src_bstride, src_bstride, rows,
                      columns - c, itemsize);
}
