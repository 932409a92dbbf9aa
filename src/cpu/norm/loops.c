/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of the normalisation engine, compiled once for each instruction set; norm.c calls them
 * through a table. Sums run over a fixed number of lanes, so that they do not depend on the vector
 * width. */
#include "cpu/norm/norm.h"

#include "cpu/isa.h"
#include "cpu/pointwise/loop.h"

#include <math.h>

#define LANES 32
#define BLOCK 2048  /* elements whose sums are formed in type T */
#define COLUMNS 512 /* columns that are summed at a time */

/* Count, mean, and the sum of squared deviations of some elements. */
struct moments {
    double n, mean, squares;
};

/* Combines two sets (Chan, Golub and LeVeque, 1979) without cancellation if the mean is much larger
 * than the deviation. */
static inline void combine(struct moments *a, double n, double mean, double squares)
{
    double all = a->n + n, apart = mean - a->mean;
    a->mean += apart * (n / all);
    a->squares += squares + apart * apart * (a->n * n / all);
    a->n = all;
}

#define T float
#define NAME(x) x##_f32
#include "cpu/norm/norm_typed.h"

#include "cpu/norm/backward_typed.h"
#undef T
#undef NAME

#define T double
#define NAME(x) x##_f64
#include "cpu/norm/norm_typed.h"

#include "cpu/norm/backward_typed.h"
#undef T
#undef NAME

extern const struct cti_norm_loops CTI_ISA_NAME(cti_norm_f32);
const struct cti_norm_loops CTI_ISA_NAME(cti_norm_f32) = {
    .lines = lines_f32,
    .channels = channels_f32,
    .column_parts = column_parts_f32,
    .combine_columns = combine_columns_f32,
    .column_rows = column_rows_f32,
    .back_lines = back_lines_f32,
    .combine_back_lines = combine_back_lines_f32,
    .back_channels = back_channels_f32,
    .back_column_parts = back_column_parts_f32,
    .combine_back_columns = combine_back_columns_f32,
    .back_column_rows = back_column_rows_f32};
extern const struct cti_norm_loops CTI_ISA_NAME(cti_norm_f64);
const struct cti_norm_loops CTI_ISA_NAME(cti_norm_f64) = {
    .lines = lines_f64,
    .channels = channels_f64,
    .column_parts = column_parts_f64,
    .combine_columns = combine_columns_f64,
    .column_rows = column_rows_f64,
    .back_lines = back_lines_f64,
    .combine_back_lines = combine_back_lines_f64,
    .back_channels = back_channels_f64,
    .back_column_parts = back_column_parts_f64,
    .combine_back_columns = combine_back_columns_f64,
    .back_column_rows = back_column_rows_f64};
