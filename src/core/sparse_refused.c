/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend of sparse tensors, which have no elements that an engine could read: every engine
 * refuses. Rows that take sparse tensors never come here: see Note [Sparse tensors]. */
#include "core/engines.h"
#include "core/sparse.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define REFUSE(engine, ...)                                                                        \
    static bool engine(__VA_ARGS__)                                                                \
    {                                                                                              \
        return cti_sparse_refused(#engine) != NULL;                                                \
    }
CTI_ENGINES(REFUSE)
CTI_ENGINES_OF_ELEMENTS(REFUSE)

static int64_t count_nonzero(ct_tensor *mask)
{
    cti_sparse_refused("count_nonzero");
    return -1;
}

static int class_loss(const struct cti_class_loss *work)
{
    cti_sparse_refused("class_loss");
    return -1;
}

static int scatter_lines(ct_tensor *out, ct_tensor *index, ct_tensor *src)
{
    cti_sparse_refused("scatter_lines");
    return -1;
}

static bool bag_sum(ct_tensor *out, ct_tensor *in, ct_tensor *index, ct_tensor *ends)
{
    return cti_sparse_refused("bag_sum") != NULL;
}

#define ENTRY(engine, ...) .engine = engine,
const struct cti_backend cti_sparse_backend = {.count_nonzero = count_nonzero,
                                               .scatter_lines = scatter_lines,
                                               .class_loss = class_loss,
                                               .bag_sum = bag_sum,
                                               CTI_ENGINES(ENTRY) CTI_ENGINES_OF_ELEMENTS(ENTRY)};
