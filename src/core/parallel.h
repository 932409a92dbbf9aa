/* SPDX-License-Identifier: BSD-3-Clause */
/* The only way to threads: engines divide their work here. The division may follow the number of
 * threads only where the result does not depend on it. */
#ifndef CORTEN_CORE_PARALLEL_H
#define CORTEN_CORE_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

/* Runs body(context, begin, end) over disjoint pieces of [0, n). No piece but the last is smaller
 * than `grain`; with n <= grain, one thread, inside another region or after a fork everything runs
 * on the calling thread, and so it does while another thread's region has the team. False: it was
 * interrupted, and not all pieces have run (Note [Interrupted]). A long-running body polls
 * cti_interrupted() now and then, and returns. */
bool cti_parallel_for(int64_t n, int64_t grain,
                      void (*body)(void *context, int64_t begin, int64_t end), void *context);

int cti_parallel_threads(void);           /* how many threads the next region may use */
void cti_parallel_set_threads(int count); /* at least 1 */
bool cti_parallel_inside(void);           /* true on a thread that runs a region's body */

#endif
