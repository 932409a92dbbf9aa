/* SPDX-License-Identifier: BSD-3-Clause */
/* Records an invalid argument for the host; the first one wins. See fault.h. */
#include "cuda/common/fault.h"

static __device__ __forceinline__ void record_fault(cti_fault_page *page, int what, int64_t index,
                                                    int64_t size)
{
    if (atomicCAS_system(&page->set, 0, 1) == 0) {
        page->what = what;
        page->index = index;
        page->size = size;
        __threadfence_system();
    }
}
