/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of the window engine, compiled once for each instruction set; window.c calls them
 * through a table. */
#include "cpu/window/window.h"

#include "cpu/isa.h"
#include "cpu/pointwise/loop.h"

#include <math.h>
#include <string.h>

#define ROOM 4096 /* elements of a row that are buffered at a time */
#define LANES 16  /* elements of short rows, as one or two vectors */

/* Returns the end of the longest run of outputs from o on, at most `stop`, whose windows together
 * span at most `room` columns; the first of these columns is *first. */
static int64_t tile(const struct cti_window_dim *w, int64_t o, int64_t stop, int64_t room,
                    int64_t *first, int64_t *span)
{
    int64_t low = w->start[o], high = low;
    for (; o < stop; o++) {
        int64_t begin = w->start[o], end = begin + (w->count[o] - 1) * w->step + 1;
        int64_t least = begin < low ? begin : low, most = end > high ? end : high;
        if (most - least > room)
            break;
        low = least;
        high = most;
    }
    *first = low;
    *span = high - low;
    return o;
}

/* Windows of p.width by p.rows elements; rows are `next` elements apart. */
struct cti_pick {
    int64_t rows, next, width;
};

#define T float
#define INDEX int32_t
#define IS_NAN(x) ((x) != (x))
#define NAME(x) x##_f32
#include "cpu/window/max_typed.h"
#include "cpu/window/sum_typed.h"
#undef T
#undef INDEX
#undef IS_NAN
#undef NAME

#define T double
#define INDEX int64_t
#define IS_NAN(x) ((x) != (x))
#define NAME(x) x##_f64
#include "cpu/window/max_typed.h"
#include "cpu/window/sum_typed.h"
#undef T
#undef INDEX
#undef IS_NAN
#undef NAME

#define T int64_t
#define INDEX int64_t
#define IS_NAN(x) false
#define NAME(x) x##_i64
#include "cpu/window/max_typed.h"
#undef T
#undef INDEX
#undef IS_NAN
#undef NAME

extern const struct cti_window_loops CTI_ISA_NAME(cti_window_f32);
const struct cti_window_loops CTI_ISA_NAME(cti_window_f32) = {sum_row_f32, max_row_f32};
extern const struct cti_window_loops CTI_ISA_NAME(cti_window_f64);
const struct cti_window_loops CTI_ISA_NAME(cti_window_f64) = {sum_row_f64, max_row_f64};
extern const struct cti_window_loops CTI_ISA_NAME(cti_window_i64);
const struct cti_window_loops CTI_ISA_NAME(cti_window_i64) = {NULL, max_row_i64};
