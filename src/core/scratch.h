/* SPDX-License-Identifier: BSD-3-Clause */
/* Per-thread workspace for the blocks of an engine: too large for a thread's stack (128 KB with
 * some C libraries), needed too often for malloc, and never refused, since a parallel region is no
 * place for an error. */
#ifndef CORTEN_CORE_SCRATCH_H
#define CORTEN_CORE_SCRATCH_H

#define CTI_SCRATCH_BYTES (136 * 1024)

/* CTI_SCRATCH_BYTES, 64-byte aligned; to be returned by the same thread, soon. */
char *cti_scratch_take(void);
void cti_scratch_release(char *room);

#endif
