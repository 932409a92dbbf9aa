/* SPDX-License-Identifier: BSD-3-Clause */
/* Per-thread workspace for the blocks of an engine. It is too large for the stack of a thread (128
 * KB with some C libraries) and needed too often for malloc; and it is always available, since the
 * body of a parallel loop cannot report an error. */
#ifndef CORTEN_CORE_SCRATCH_H
#define CORTEN_CORE_SCRATCH_H

#define CTI_SCRATCH_BYTES (136 * 1024)

/* Returns CTI_SCRATCH_BYTES bytes, 64-byte aligned. The same thread must release them soon, because
 * other threads may be waiting for them. */
char *cti_scratch_take(void);
void cti_scratch_release(char *buffer);

#endif
