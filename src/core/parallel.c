/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads by OpenMP (libgomp), which a process shares with oneDNN and whatever else uses it. The
 * only file that knows OpenMP; it never changes OpenMP's own settings, since those belong to the
 * program. Called by every engine with enough work. parallel_pthread.c is the same for the thread
 * sanitizer, which does not understand libgomp. */
#include "core/parallel.h"
#include "core/parallel_count.h"
#include "core/settings.h"

#include <pthread.h>
#include <stdatomic.h>

/* libgomp by its binary interface, what gcc compiles `#pragma omp parallel` to: with the pragma,
 * clang would bring its own runtime, and a process with two of them has two sets of threads. Linked
 * with -lgomp; no compiler flag is needed. */
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
int omp_get_num_threads(void);
int omp_get_thread_num(void);
int omp_in_parallel(void);
int omp_pause_resource_all(int kind);
enum { PAUSE_HARD = 2 }; /* OpenMP 5.0's omp_pause_hard: gives the threads up */

struct region {
    void (*body)(void *context, int64_t begin, int64_t end);
    void *context;
    int64_t n;
    unsigned float_mode; /* of the thread that opened it */
};

static atomic_int thread_count; /* 0: not asked for yet */
static atomic_bool forked;      /* libgomp's threads stayed in the parent; a region would hang */
static _Thread_local bool inside;

static void after_fork_in_child(void)
{
    atomic_store_explicit(&forked, true, memory_order_relaxed);
}

/* At load time, since another library may start libgomp's threads before our first region. */
__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* The waiting threads of the thread that ends the process go first, so that memory checkers find
 * nothing left. A child of a fork has none, and would wait for them. */
__attribute__((destructor)) static void end_threads(void)
{
    if (!atomic_load_explicit(&forked, memory_order_relaxed))
        omp_pause_resource_all(PAUSE_HARD);
}

int cti_parallel_threads(void)
{
    if (inside || atomic_load_explicit(&forked, memory_order_relaxed))
        return 1;
    int count = atomic_load_explicit(&thread_count, memory_order_relaxed);
    if (count == 0) {
        int fresh = cti_parallel_default_threads();
        /* A set_threads on another thread meanwhile wins. */
        count = atomic_compare_exchange_strong(&thread_count, &count, fresh) ? fresh : count;
    }
    return count;
}

void cti_parallel_set_threads(int count)
{
    atomic_store_explicit(&thread_count, count < 1 ? 1 : count, memory_order_relaxed);
}

bool cti_parallel_inside(void)
{
    return inside;
}

static void run_piece(void *data)
{
    const struct region *region = data;
    /* The runtime may give fewer threads than asked; the first pieces take the remainder. */
    int64_t count = omp_get_num_threads(), index = omp_get_thread_num();
    int64_t share = region->n / count, rest = region->n % count;
    int64_t begin = index * share + (index < rest ? index : rest);
    if (cti_float_mode() != region->float_mode)
        cti_set_float_mode(region->float_mode);
    inside = true;
    region->body(region->context, begin, begin + share + (index < rest));
    inside = false;
}

void cti_parallel_for(int64_t n, int64_t grain,
                      void (*body)(void *context, int64_t begin, int64_t end), void *context)
{
    if (n <= 0)
        return;
    if (grain < 1)
        grain = 1;
    int64_t pieces = n / grain;
    int threads = pieces < 2 ? 1 : cti_parallel_threads();
    if (threads == 1 || omp_in_parallel()) {
        body(context, 0, n);
        return;
    }
    struct region region = {body, context, n, cti_float_mode()};
    GOMP_parallel(run_piece, &region, (unsigned)(pieces < threads ? pieces : threads), 0);
}
