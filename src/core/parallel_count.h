/* SPDX-License-Identifier: BSD-3-Clause */
/* The default number of threads, from which parallel.c starts. */
#ifndef CORTEN_CORE_PARALLEL_COUNT_H
#define CORTEN_CORE_PARALLEL_COUNT_H

/* OMP_NUM_THREADS (its first number), or else the processors that the affinity mask and the cgroup
 * leave to this process. At least 1. */
int cti_parallel_default_threads(void);

#endif
