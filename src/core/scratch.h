/* SPDX-License-Identifier: BSD-3-Clause */
/* Room for the blocks that an engine works on, one for each thread: too large for the stack of a
 * thread (128 KB with some C libraries), needed too often for malloc, and never refused, since the
 * middle of a parallel region is no place for an error. */
#ifndef CORTEN_CORE_SCRATCH_H
#define CORTEN_CORE_SCRATCH_H

#define CTI_SCRATCH_BYTES (136 * 1024)

/* 64-byte aligned room of CTI_SCRATCH_BYTES; to be given back by the same thread, soon. */
char *cti_scratch_take(void);
void cti_scratch_give(char *room);

#endif
