/* SPDX-License-Identifier: BSD-3-Clause */
/* Distances of rows from rows by p-norms, one pair after the other. Called through the backend
 * table by cdist; distances by way of products of matrices are the front's business. */
#include "cpu/distance.h"

#include "core/parallel.h"
#include "math/math.h"

struct work {
    const char *a, *b;
    char *out;
    int64_t rows_a, rows_b, n; /* of one batch; elements of a row */
    double p;
};

#define T float
#define NAME(x) x##_f32
#include "cpu/distance_typed.h"

#define T double
#define NAME(x) x##_f64
#include "cpu/distance_typed.h"

bool cti_cpu_distance(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p)
{
    struct work w = {.a = cti_data(a),
                     .b = cti_data(b),
                     .out = cti_data(out),
                     .rows_a = a->shape[a->ndim - 2],
                     .rows_b = b->shape[b->ndim - 2],
                     .n = a->shape[a->ndim - 1],
                     .p = p};
    int64_t per = w.rows_b * (w.n ? w.n : 1), grain = per ? 8192 / per : 1;
    if (out->numel)
        cti_parallel_for(out->numel / w.rows_b, grain ? grain : 1,
                         out->dtype == CT_FLOAT64 ? rows_f64 : rows_f32, &w);
    return true;
}
