/* SPDX-License-Identifier: BSD-3-Clause */
/* Ending a long call early: ct_interrupt, or what the program's own poll says. Loops ask between
 * blocks; parallel.c does so for every region.
 *
 * Note [Interrupted]: the thread that made the call asks the program, its helpers look at a flag of
 * the region. Once the answer was "end", every loop of that thread ends at once until its error is
 * cleared, so that nothing is computed from results that are not there; an engine that goes on
 * from one loop to the next returns false between them, because the first may have left indices
 * unwritten. The engines' table returns false for all (cpu/backend.c). */
#ifndef CORTEN_CORE_INTERRUPT_H
#define CORTEN_CORE_INTERRUPT_H

#include <stdbool.h>

/* True: the call is to end; the error is set on the thread that made it. */
bool cti_interrupted(void);

extern int cti_interrupts; /* atomic; ever */
bool cti_call_stopped(void);

/* Until it is let go of, nothing on this thread is interrupted: what must not be half done. */
void cti_interrupt_hold(bool on);

/* At the end of an engine: whether all its loops ran to their ends. One load where nobody has ever
 * interrupted anything. */
static inline bool cti_ran(void)
{
    return __builtin_expect(__atomic_load_n(&cti_interrupts, __ATOMIC_RELAXED) == 0, 1) ||
           !cti_call_stopped();
}

/* For parallel.c: the calling thread works on a region whose flag this is (NULL: no more), as one
 * that helps or as the one that called. Returns the flag before. */
bool *cti_interrupt_share(bool *flag, bool helps);

#endif
