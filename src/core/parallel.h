/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel loops: the only use of threads in engines. Results must not depend on the number of
 * threads, so the division of the work may follow it only if it does not change the result. */
#ifndef CORTEN_CORE_PARALLEL_H
#define CORTEN_CORE_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

/* Runs body(context, begin, end) over disjoint pieces of [0, n). No piece but the last is smaller
 * than `grain`. The loop runs on the calling thread alone if n <= grain, with one thread, inside
 * another region, after a fork, or while another thread's region uses the team. False: the call was
 * interrupted, and not all pieces have run (Note [Interrupted]). A body that runs for long should
 * poll cti_interrupted() and return if it is true. */
bool cti_parallel_for(int64_t n, int64_t grain,
                      void (*body)(void *context, int64_t begin, int64_t end), void *context);

int cti_parallel_threads(void);           /* how many threads the next region may use */
void cti_parallel_set_threads(int count); /* at least 1 */
bool cti_parallel_inside(void);           /* true on a thread that runs a region's body */

#endif
