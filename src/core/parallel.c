/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread pool: one team for the process, asleep when idle. Every engine with enough work calls
 * it.
 *
 * Note [No barrier]: a region is cut into a few pieces for each thread, which threads claim
 * dynamically: first from their own band of pieces, so that a thread touches the same memory as in
 * the last call, then by stealing from the bands of others. The caller claims pieces, too. When
 * none is left, it waits only for pieces that were started, not for every thread to arrive. So a
 * thread that the scheduler has preempted costs only its share of the speed; at an OpenMP barrier
 * all threads would wait until it runs again, perhaps for ten milliseconds. */
#define _GNU_SOURCE
#include "core/parallel.h"
#include "core/interrupt.h"
#include "core/parallel_count.h"
#include "core/settings.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

enum {
    TEAM_MAX = 256,
    CUTS = 4,         /* pieces for each thread, where the grain allows */
    LONG = 4,         /* grains in a piece at most, to bound the latency of an interruption */
    SPINS = 10000,    /* polls for the next region before a worker sleeps: about 300 us */
    SPINS_BACK = 2000 /* polls for the last worker before the caller sleeps */
};

struct region {
    void (*body)(void *context, int64_t begin, int64_t end);
    void *context;
    int64_t n, pieces;
    int team;            /* threads it may use, including the caller */
    unsigned float_mode; /* of the caller */
};

struct band {
    _Alignas(64) atomic_llong next; /* next piece to claim */
    int64_t end;
};

/* Note [Open and closed]: a worker increments `inside`, then checks whether the region is open; the
 * caller closes it, then checks `inside`. This is Dekker's pattern: whatever the order, one of them
 * sees the other, so no worker reads a region that is over. The same holds for `round` and
 * `asleep`. All four are sequentially consistent for that reason. */
static struct {
    pthread_mutex_t lock; /* for sleeping, and for the start of a region */
    pthread_cond_t called, left;
    pthread_t worker[TEAM_MAX];
    int workers;       /* started */
    atomic_bool taken; /* by a caller; a second caller works alone */
    atomic_bool open, stopping, caller_sleeps;
    atomic_int inside, asleep; /* workers */
    atomic_uint round;         /* the number of the latest region */
    struct region region;
    struct band band[TEAM_MAX];
    bool stop; /* atomic: the region was interrupted */
} team = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .called = PTHREAD_COND_INITIALIZER,
          .left = PTHREAD_COND_INITIALIZER};

static atomic_int thread_count; /* 0: not determined yet */
static atomic_bool forked;      /* this is a forked child, without the workers */
static _Thread_local bool inside;

static void backoff(int tries)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
    if (tries % 256 == 255)
        sched_yield();
}

/* ---- the work ---- */

static void run_piece(const struct region *region, int64_t piece)
{
    int64_t share = region->n / region->pieces, rest = region->n % region->pieces;
    int64_t begin = piece * share + (piece < rest ? piece : rest);
    region->body(region->context, begin, begin + share + (piece < rest));
}

/* Claims pieces until none is left: from the bands from `first` on, then from those before it. */
static void run_pieces(int first)
{
    const struct region *region = &team.region;
    inside = true;
    bool *before = cti_interrupt_share(&team.stop, first != 0);
    for (int i = 0; i < region->team; i++) {
        struct band *band = &team.band[(first + i) % region->team];
        for (;;) {
            int64_t piece = atomic_fetch_add_explicit(&band->next, 1, memory_order_relaxed);
            if (piece >= band->end || cti_interrupted())
                break;
            run_piece(region, piece);
        }
    }
    cti_interrupt_share(before, false);
    inside = false;
}

/* ---- workers ---- */

/* Waits for a region with another number than *seen, that of the last one. False: the worker must
 * end. */
static bool await_call(unsigned *seen)
{
    for (int tries = 0; tries < SPINS && atomic_load(&team.round) == *seen; tries++)
        backoff(tries);
    if (atomic_load(&team.round) == *seen) {
        pthread_mutex_lock(&team.lock);
        atomic_fetch_add(&team.asleep, 1);
        while (atomic_load(&team.round) == *seen)
            pthread_cond_wait(&team.called, &team.lock);
        atomic_fetch_sub(&team.asleep, 1);
        pthread_mutex_unlock(&team.lock);
    }
    *seen = atomic_load(&team.round);
    return !atomic_load(&team.stopping);
}

static void *worker_main(void *argument)
{
    int index = (int)(intptr_t)argument;
    unsigned seen = 0; /* rounds begin at 1, so any region is new to a new worker */
    while (await_call(&seen)) {
        atomic_fetch_add(&team.inside, 1);
        if (atomic_load(&team.open) && index < team.region.team) {
            if (cti_float_mode() != team.region.float_mode)
                cti_set_float_mode(team.region.float_mode);
            run_pieces(index);
        }
        if (atomic_fetch_sub(&team.inside, 1) == 1 && atomic_load(&team.caller_sleeps)) {
            pthread_mutex_lock(&team.lock);
            pthread_cond_signal(&team.left);
            pthread_mutex_unlock(&team.lock);
        }
    }
    return NULL;
}

static void call_workers(void)
{
    atomic_fetch_add(&team.round, 1);
    if (atomic_load(&team.asleep) == 0)
        return;
    pthread_mutex_lock(&team.lock);
    pthread_cond_broadcast(&team.called);
    pthread_mutex_unlock(&team.lock);
}

/* Starts up to `count` workers, as many as the system allows. Workers block all signals, which stay
 * with the program's threads. */
static void start_workers(int count)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (team.workers < count) {
        void *index = (void *)(intptr_t)(team.workers + 1);
        if (pthread_create(&team.worker[team.workers], NULL, worker_main, index) != 0)
            break;
        team.workers++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void take_team(void)
{
    for (int tries = 0; atomic_exchange(&team.taken, true); tries++)
        backoff(tries);
}

static void dismiss_workers(void)
{
    take_team();
    atomic_store(&team.stopping, true);
    call_workers();
    while (team.workers > 0)
        pthread_join(team.worker[--team.workers], NULL);
    atomic_store(&team.stopping, false);
    atomic_store(&team.round, 0);
    atomic_store(&team.taken, false);
}

/* ---- the process ---- */

static void after_fork_in_child(void)
{
    atomic_store_explicit(&forked, true, memory_order_relaxed);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* Workers are joined before the library is unloaded, so that leak checkers find nothing. */
__attribute__((destructor)) static void end_threads(void)
{
    if (!atomic_load_explicit(&forked, memory_order_relaxed))
        dismiss_workers();
}

int cti_parallel_threads(void)
{
    if (inside || atomic_load_explicit(&forked, memory_order_relaxed))
        return 1;
    int count = atomic_load_explicit(&thread_count, memory_order_relaxed);
    if (count == 0) {
        int fresh = cti_parallel_default_threads();
        /* A concurrent call of set_threads takes precedence. */
        count = atomic_compare_exchange_strong(&thread_count, &count, fresh) ? fresh : count;
    }
    return count;
}

void cti_parallel_set_threads(int count)
{
    count = count < 1 ? 1 : count;
    int before = atomic_exchange(&thread_count, count);
    /* Surplus workers would be woken in vain at every region. */
    if (count < before && !inside && !atomic_load_explicit(&forked, memory_order_relaxed))
        dismiss_workers();
}

bool cti_parallel_inside(void)
{
    return inside;
}

/* ---- regions ---- */

static void open_region(struct region region)
{
    if (team.workers < region.team - 1)
        start_workers(region.team - 1);
    for (int i = 0; i < region.team; i++) {
        atomic_store_explicit(&team.band[i].next, region.pieces * i / region.team,
                              memory_order_relaxed);
        team.band[i].end = region.pieces * (i + 1) / region.team;
    }
    team.region = region;
    __atomic_store_n(&team.stop, false, __ATOMIC_RELAXED);
    atomic_store(&team.open, true);
    call_workers();
}

static void close_region(void)
{
    atomic_store(&team.open, false);
    for (int tries = 0; tries < SPINS_BACK; tries++) {
        if (atomic_load(&team.inside) == 0)
            return;
        backoff(tries);
    }
    pthread_mutex_lock(&team.lock);
    atomic_store(&team.caller_sleeps, true);
    while (atomic_load(&team.inside) > 0)
        pthread_cond_wait(&team.left, &team.lock);
    atomic_store(&team.caller_sleeps, false);
    pthread_mutex_unlock(&team.lock);
}

/* The maximum length of a piece. A grain of 1 means that one step may already be long work. */
static int64_t longest(int64_t grain)
{
    return grain == 1 ? 1 : grain < INT64_MAX / LONG ? LONG * grain : INT64_MAX;
}

/* Runs the loop on the calling thread, which may be inside another region. */
static bool run_alone(int64_t n, int64_t step,
                      void (*body)(void *context, int64_t begin, int64_t end), void *context)
{
    for (int64_t begin = 0, end; begin < n; begin = end) {
        if (begin && cti_interrupted())
            return false;
        end = n - begin < step ? n : begin + step;
        body(context, begin, end);
    }
    return cti_ran();
}

bool cti_parallel_for(int64_t n, int64_t grain,
                      void (*body)(void *context, int64_t begin, int64_t end), void *context)
{
    if (n <= 0)
        return true;
    grain = grain < 1 ? 1 : grain;
    int64_t pieces = n / grain;
    if (pieces > 1 && cti_interrupted())
        return false;
    int64_t threads = pieces < 2 ? 1 : cti_parallel_threads();
    if (threads > TEAM_MAX)
        threads = TEAM_MAX;
    if (threads > pieces)
        threads = pieces;
    if (threads < 2)
        return run_alone(n, longest(grain), body, context);
    if (atomic_exchange(&team.taken, true)) /* the team is taken: everything is one piece */
        return run_alone(n, n > CUTS * threads ? longest(grain) : n, body, context);
    /* The same number for each thread; otherwise all would wait for the thread with one more. */
    if (pieces <= CUTS * threads)
        pieces -= pieces % threads;
    else
        pieces = n / longest(grain) > CUTS * threads ? n / longest(grain) : CUTS * threads;
    open_region((struct region){body, context, n, pieces, (int)threads, cti_float_mode()});
    run_pieces(0);
    close_region();
    atomic_store(&team.taken, false);
    return cti_ran();
}
