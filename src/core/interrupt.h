/* SPDX-License-Identifier: BSD-3-Clause */
/* Ending a long call early: ct_interrupt, or the program's own poll callback. Loops poll between
 * blocks; parallel.c does so for every region.
 *
 * Note [Interrupted]: the thread that made the call polls the program, its helpers poll a flag of
 * the region. Once interrupted, every loop of that thread ends at once until its error is cleared,
 * so that nothing is computed from missing results; an engine that runs several loops returns false
 * between them, because the first may have left indices unwritten. At the end of an engine cti_run
 * asks for all of them (core/engine.c). */
#ifndef CORTEN_CORE_INTERRUPT_H
#define CORTEN_CORE_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

/* True: the call is to end; the error is set on the thread that made it. */
bool cti_interrupted(void);

/* The same inside a loop, asked at each `every`-th step i only: asking costs a read of the clock.
 */
static inline bool cti_interrupted_at(int64_t i, int64_t every)
{
    return i % every == every - 1 && cti_interrupted();
}

extern int cti_interrupts; /* atomic; ever */
bool cti_call_stopped(void);

/* While held, nothing on this thread is interrupted: for what must not be half done. */
void cti_interrupt_hold(bool on);

/* One load, so that nothing more is asked where no call was ever interrupted. */
static inline bool cti_ever_interrupted(void)
{
    return __builtin_expect(__atomic_load_n(&cti_interrupts, __ATOMIC_RELAXED) != 0, 0);
}

/* At the end of an engine: whether all its loops ran to completion. */
static inline bool cti_ran(void)
{
    return !cti_ever_interrupted() || !cti_call_stopped();
}

/* For parallel.c: the calling thread works on a region whose flag this is (NULL: no longer), as a
 * helper or as the caller. Returns the previous flag. */
bool *cti_interrupt_share(bool *flag, bool helps);

#endif
