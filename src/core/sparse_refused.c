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

#define ENTRY(engine, ...) .engine = engine,
const struct cti_backend cti_sparse_backend = {.count_nonzero = count_nonzero,
                                               CTI_ENGINES(ENTRY) CTI_ENGINES_OF_ELEMENTS(ENTRY)};
