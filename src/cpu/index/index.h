/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the engines of this folder, scan/scan.c and order/: iteration over the lines of a few
 * tensors of equal shape, and the check of index values. Included only in src/cpu. */
#ifndef CORTEN_CPU_INDEX_H
#define CORTEN_CPU_INDEX_H

#include "core/backend.h"
#include "core/tensor.h"
#include "cpu/index/compress.h"

#define CTI_LINES_MAX 4 /* tensors that are iterated together */
#define CTI_NO_SKIP (-1)

/* A 0-d tensor counts as 1-d with one element. */
struct cti_geometry {
    int ndim;
    const int64_t *shape, *stride;
};
struct cti_geometry cti_geometry_of(const ct_tensor *t);

/* Note [Lines]: iterates over all dims of a shape but one or two, which belong to the inner loops
 * of the caller. Lines are numbered in C order. Each operand has its own byte strides;
 * cti_lines_hold sets one to 0, so that the operand does not advance along that dim. */
struct cti_lines {
    int ndim, noperands;
    int64_t count;
    int dim[CTI_MAX_DIMS]; /* the tensor's dim for each dim of the iteration */
    int64_t shape[CTI_MAX_DIMS];
    int64_t bstride[CTI_LINES_MAX][CTI_MAX_DIMS];
    char *base[CTI_LINES_MAX];
};

struct cti_line {
    int64_t at[CTI_MAX_DIMS];
    char *p[CTI_LINES_MAX]; /* the start of the line in each operand */
};

void cti_lines_begin(struct cti_lines *l, int ndim, const int64_t *shape, int skip, int skip_too);
/* Adds an operand with the same number of dims; only its strides count, so it may be larger. */
void cti_lines_add(struct cti_lines *l, const ct_tensor *t);
void cti_lines_hold(struct cti_lines *l, int operand, int dim);
void cti_line_at(const struct cti_lines *l, int64_t number, struct cti_line *line);
void cti_line_next(const struct cti_lines *l, struct cti_line *line);
/* cti_line_row returns how many lines, at most `most`, follow from this one by steps along the
 * innermost dim; cti_line_skip advances past that many. */
int64_t cti_line_row(const struct cti_lines *l, const struct cti_line *line, int64_t most);
void cti_line_skip(const struct cti_lines *l, struct cti_line *line, int64_t count);
/* Returns the number of bytes between consecutive lines of a row. */
static inline int64_t cti_line_step(const struct cti_lines *l, int operand)
{
    return l->ndim ? l->bstride[operand][l->ndim - 1] : 0;
}

/* The best dim for inner loops: the one with the smallest stride among those longer than 1. */
int cti_inner_dim(struct cti_geometry g);

/* Returns how many lines of n elements to process together, so that short lines share the set-up
 * cost. */
static inline int64_t cti_line_together(int64_t n)
{
    return n < 256 ? 4096 / (n > 0 ? n : 1) : 1;
}

/* Returns how many lines of n elements justify a separate thread. */
static inline int64_t cti_line_grain(int64_t n)
{
    int64_t grain = 32768 / (n > 0 ? n : 1);
    return grain > 0 ? grain : 1;
}

/* Whether every index of a line is in [0, size), or in [-size, size) with `wrap`. Branch-free:
 * combines the sign bits of index and size - 1 - index. Long lines use vectors. */
static inline bool cti_index_line_good(const char *index, int64_t bstride, int64_t n, int64_t size,
                                       bool wrap)
{
    uint64_t bad = 0, low = wrap ? (uint64_t)size : 0, high = (uint64_t)size - 1;
    const int64_t *v = (const int64_t *)(const void *)index;
    if (bstride == 8 && n >= 64) {
        bad = cti_compress_best()->beyond(v, n, low, high);
    } else if (bstride == 8) {
        for (int64_t i = 0; i < n; i++)
            bad |= ((uint64_t)v[i] + low) | (high - (uint64_t)v[i]);
    } else {
        for (int64_t i = 0; i < n; i++) {
            uint64_t at = (uint64_t) * (const int64_t *)(const void *)(index + i * bstride);
            bad |= (at + low) | (high - at);
        }
    }
    return !(bad >> 63);
}

/* How scatter and index_put combine a value with the element at its destination. */
/* Reads one line: dst[i] = src[i * src_step + index[i] * jump]. Steps are in bytes. `more` lines
 * like it follow, their starts *_row apart. */
struct cti_read {
    char *dst;
    const char *src, *index;
    int64_t dst_step, src_step, index_step, jump, n;
    int64_t more, dst_row, src_row, index_row;
};
void cti_read_line(struct cti_read r, int64_t size);

/* Values with the same destination must be written in order. So with this many threads or more,
 * threads divide the destinations, not the values; every thread reads all indices. */
#define CTI_FEW_THREADS 4

/* Writes one line: combines dst[i * dst_step + index[i] * jump] with src[i]; `more` lines
 * follow. */
struct cti_write {
    char *dst;
    const char *src, *index;
    int64_t dst_step, src_step, index_step, jump, n;
    int64_t more, dst_row, src_row, index_row;
};
typedef void cti_write_fn(struct cti_write w);
/* The loop for a data type; NULL if it has none (float16; minima of complex numbers). */
cti_write_fn *cti_write_line(enum ct_dtype dtype, enum cti_combine how);

/* The engine index_check: true if all values are in range. Otherwise *bad is the first value out of
 * range, or the call was interrupted. */
bool cti_index_inside(ct_tensor *index, int64_t size, bool wrap, int64_t *bad);

#endif
