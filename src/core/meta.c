/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend of meta tensors, which have sizes and no memory: fronts check and allocate as always,
 * and these engines have nothing left to do. What needs to look at elements fails. */
#include "core/engines.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static bool depends_on_data(void)
{
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                      "meta tensors have no elements, on which the size of this result depends");
}

#define DONE(engine, ...)                                                                          \
    static bool engine(__VA_ARGS__)                                                                \
    {                                                                                              \
        return true;                                                                               \
    }
CTI_ENGINES(DONE)

#define FAIL(engine, ...)                                                                          \
    static bool engine(__VA_ARGS__)                                                                \
    {                                                                                              \
        return depends_on_data();                                                                  \
    }
CTI_ENGINES_OF_ELEMENTS(FAIL)

static int64_t count_nonzero(ct_tensor *mask)
{
    depends_on_data();
    return -1;
}

static int class_loss(const struct cti_class_loss *work)
{
    return 1;
}

static int scatter_lines(ct_tensor *out, ct_tensor *index, ct_tensor *src)
{
    return 1;
}

static bool bag_sum(ct_tensor *out, ct_tensor *in, ct_tensor *index, ct_tensor *ends)
{
    return true;
}

#define ENTRY(engine, ...) .engine = engine,
const struct cti_backend cti_meta_backend = {.count_nonzero = count_nonzero,
                                             .scatter_lines = scatter_lines,
                                             .class_loss = class_loss,
                                             .bag_sum = bag_sum,
                                             CTI_ENGINES(ENTRY) CTI_ENGINES_OF_ELEMENTS(ENTRY)};
