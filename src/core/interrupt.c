/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides whether a long call must end early; see interrupt.h. */
#include "core/interrupt.h"

#include "core/thread.h"

#include <time.h>

#define PERIOD_MS 20 /* between two calls of the program's poll function */

int cti_interrupts;

static int requested; /* atomic: ct_interrupt was called */
static bool (*poll)(void);
static __thread bool *shared; /* the flag of the parallel region that this thread works on */
static __thread bool helping, held;
static __thread int64_t last_ms;

void ct_interrupt(void)
{
    __atomic_store_n(&requested, 1, __ATOMIC_RELAXED);
}

void ct_set_poll(bool (*function)(void))
{
    __atomic_store_n(&poll, function, __ATOMIC_RELEASE);
}

bool *cti_interrupt_share(bool *flag, bool helps)
{
    bool *before = shared;
    shared = flag;
    helping = helps;
    return before;
}

void cti_interrupt_hold(bool on)
{
    held = on;
}

bool cti_call_stopped(void)
{
    return cti_thread.stopped || (shared && __atomic_load_n(shared, __ATOMIC_RELAXED));
}

void cti_interrupt_clear(void)
{
    cti_thread.stopped = false;
    __atomic_store_n(&requested, 0, __ATOMIC_RELAXED);
}

/* The coarse clock costs only a read of memory. */
static bool is_due(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC_COARSE, &now) != 0)
        return false;
    int64_t ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    if (ms - last_ms < PERIOD_MS)
        return false;
    last_ms = ms;
    return true;
}

bool cti_interrupted(void)
{
    if (cti_call_stopped())
        return true;
    if (helping || held)
        return false;
    bool end = __atomic_load_n(&requested, __ATOMIC_RELAXED) != 0;
    bool (*go_on)(void) = __atomic_load_n(&poll, __ATOMIC_ACQUIRE);
    if (!end && go_on && is_due())
        end = !go_on();
    if (__builtin_expect(!end, 1))
        return false;
    __atomic_store_n(&cti_interrupts, 1, __ATOMIC_RELAXED);
    cti_thread.stopped = true;
    ct_fail(CT_ERR_INTERRUPT, "interrupted");
    if (shared)
        __atomic_store_n(shared, true, __ATOMIC_RELAXED);
    return true;
}
