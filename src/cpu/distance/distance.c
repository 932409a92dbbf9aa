/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairwise distances of rows in a p-norm, for cdist; threads divide the rows. Called through the
 * backend table. (Distances via matrix products are computed by the entry point of cdist.) */
#include "cpu/distance/distance.h"
#include "cpu/engines.h"

#include "core/parallel.h"
#include "cpu/isa.h"

#define GRAIN 8192 /* elements worth a thread */

extern const struct cti_distance_loops CTI_ISA_NAMES(cti_distance_loops);
static const struct cti_distance_loops *const loops_by_isa[] = CTI_ISA_TABLE(cti_distance_loops);

enum cti_status cti_cpu_distance(struct cti_distance *work)
{
    ct_tensor *out = work->out, *a = work->a, *b = work->b;
    double p = work->p;
    const struct cti_distance_loops *loops = loops_by_isa[cti_cpu_isa()];
    struct cti_distance_run run = {.a = cti_data(a),
                                   .b = cti_data(b),
                                   .out = cti_data(out),
                                   .rows_a = a->shape[a->ndim - 2],
                                   .rows_b = b->shape[b->ndim - 2],
                                   .n = a->shape[a->ndim - 1],
                                   .p = p};
    int64_t per = run.rows_b * (run.n ? run.n : 1), grain = per ? GRAIN / per : 1;
    if (out->numel)
        cti_parallel_for(out->numel / run.rows_b, grain ? grain : 1,
                         out->dtype == CT_FLOAT64 ? loops->rows_f64 : loops->rows_f32, &run);
    return true;
}
