/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the best loop for the machine: AVX-512 if the operation has such a loop, otherwise AVX2,
 * otherwise baseline. */
#include "cpu/pointwise/loops.h"

#include "cpu/isa.h"

typedef cti_loop *const loop_table[CTI_ROW_COUNT][CT_DTYPE_COUNT];
extern loop_table CTI_ISA_NAMES(cti_loop_table);

cti_loop *cti_cpu_find_loop(uint16_t row, enum ct_dtype dtype)
{
    static loop_table *const loops[] = CTI_ISA_TABLE(cti_loop_table);
    cti_loop *loop = NULL;
    for (int isa = (int)cti_cpu_isa(); isa >= 0 && !loop; isa--)
        loop = (*loops[isa])[row][dtype];
    return loop;
}
