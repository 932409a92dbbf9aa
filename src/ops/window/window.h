/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the operations on the window engine: tables of windows, their transposes, and calls of
 * the engine. */
#ifndef CORTEN_OPS_WINDOW_H
#define CORTEN_OPS_WINDOW_H

#include "core/window.h"
#include "ops/front.h"

/* Allocates the table of one dim: `out` windows of at most `width` of `in` elements. `more`:
 * CTI_WINDOW_WEIGHTS, CTI_WINDOW_DIVISORS. The caller fills it in; false: out of memory. */
enum { CTI_WINDOW_WEIGHTS = 1, CTI_WINDOW_DIVISORS = 2 };
bool cti_window_table(struct cti_window_dim *dim, int64_t in, int64_t out, int64_t width, int more);
/* The engine pools 3 dims. For fewer, fills the leading tables of w with one window of size 1. */
bool cti_window_fill(struct cti_window *w, int ndim);
/* Frees the tables. */
void cti_window_clear(struct cti_window *w);
/* Replaces the tables of a weighted sum by those of its derivative. */
bool cti_window_transpose(struct cti_window *w);
/* Runs over the last ndim dims of input, with channels last or contiguous; dtypes that the engine
 * lacks are cast. index: receives the flat indices of maxima, which the caller owns, or NULL. The
 * caller owns the result; the tables are freed in any case. */
ct_tensor *cti_window_run_take(struct cti_window *w, int ndim, bool last, ct_tensor *input,
                               ct_tensor **index);
/* Whether PyTorch would infer channels last from the strides; 4 and 5 dims only. */
bool cti_is_channels_last(const ct_tensor *t);
/* Whether [N, C, L], viewed as images of height 1, is channels last. PyTorch pools such inputs as
 * images, and the result has the layout of that result. */
bool cti_line_is_channels_last(const ct_tensor *t);
/* Returns channels last for 4 or 5 dims if `last`, else contiguous. */
enum ct_memory_format cti_format(bool last, int ndim);
/* Uninitialised, of t's ndim and device. */
ct_tensor *cti_empty_in_format(const ct_tensor *t, enum ct_memory_format format,
                               const int64_t *shape, enum ct_dtype dtype);

#endif
