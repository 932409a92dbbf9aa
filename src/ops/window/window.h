/* SPDX-License-Identifier: BSD-3-Clause */
/* What fronts of the window engine share: tables, their transposes, and a run over a tensor. */
#ifndef CORTEN_OPS_WINDOW_H
#define CORTEN_OPS_WINDOW_H

#include "core/window.h"
#include "ops/front.h"

/* Makes room for the table of one dim; `more`: CTI_WINDOW_WEIGHTS, CTI_WINDOW_DIVISORS. The table
 * is filled by the caller, starts and counts with it; false: no memory. */
enum { CTI_WINDOW_WEIGHTS = 1, CTI_WINDOW_DIVISORS = 2 };
bool cti_window_table(struct cti_window_dim *dim, int64_t in, int64_t out, int64_t width, int more);
/* Dims in front that are not there. */
bool cti_window_fill(struct cti_window *w, int ndim);
void cti_window_clear(struct cti_window *w);
/* What the derivative of a sum over windows is a sum over. Takes w's tables. */
bool cti_window_transpose(struct cti_window *w);
/* Over the last ndim dims of input; last: with channels last, else contiguous. Types that the
 * engine lacks are cast. index: where to leave the numbers of the greatest, or NULL. Owned; the
 * tables go in any case. */
ct_tensor *cti_window_run_take(struct cti_window *w, int ndim, bool last, ct_tensor *input,
                               ct_tensor **index);
/* Channels last, as PyTorch guesses it from strides, of 4 and 5 dims. */
bool cti_is_channels_last(const ct_tensor *t);
/* Lines whose channels lie side by side: channels last, seen as images of height 1. PyTorch
 * computes lines so, and gives results the layout that the image's result has. */
bool cti_line_is_channels_last(const ct_tensor *t);
/* The format that says so; contiguous unless there are 4 or 5 dims. */
enum ct_memory_format cti_format(bool last, int ndim);
/* Memory of another shape in a format, on t's device. */
ct_tensor *cti_empty_in_format(const ct_tensor *t, enum ct_memory_format format,
                               const int64_t *shape, enum ct_dtype dtype);

#endif
