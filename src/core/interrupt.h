/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends long calls early, after ct_interrupt or when the program's poll function says so. Loops poll
 * between blocks of work; parallel.c does so for every region.
 *
 * Note [Interrupted]: the thread that made the call polls the program; its helpers poll a flag of
 * the region. After an interruption every loop of that thread ends at once until its error is
 * cleared, so that nothing is computed from incomplete results. An engine that runs several loops
 * returns between them, because an interrupted loop may have left indices unwritten, which the next
 * one would follow. At the end of an engine cti_run checks cti_ran() for all of them
 * (core/engine.c). */
#ifndef CORTEN_CORE_INTERRUPT_H
#define CORTEN_CORE_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

/* True: the call must end. The error is set on the thread that made it. */
bool cti_interrupted(void);

/* The same for step i of a loop, checked only at every `every`-th step, because a check reads the
 * clock. */
static inline bool cti_interrupted_at(int64_t i, int64_t every)
{
    return i % every == every - 1 && cti_interrupted();
}

extern int cti_interrupts; /* atomic: nonzero once a call was interrupted */
bool cti_call_stopped(void);

/* While on, this thread is not interrupted: for work that must not stop halfway. */
void cti_interrupt_hold(bool on);

/* One load, so that a process without interruptions skips the other checks. */
static inline bool cti_ever_interrupted(void)
{
    return __builtin_expect(__atomic_load_n(&cti_interrupts, __ATOMIC_RELAXED) != 0, 0);
}

/* At the end of an engine: whether all its loops ran to completion. */
static inline bool cti_ran(void)
{
    return !cti_ever_interrupted() || !cti_call_stopped();
}

/* For parallel.c: the calling thread works on a region with this flag (NULL: no longer), as a
 * helper or as the caller. Returns the earlier flag. */
bool *cti_interrupt_share(bool *flag, bool helps);

#endif
