/* SPDX-License-Identifier: BSD-3-Clause */
/* parallel.h on POSIX threads, made and joined for each region: slow and plain, so that the thread
 * sanitizer sees every edge between threads (it sees none of libgomp's). Built in place of
 * parallel.c by the sanitizer's build and in no other. */
#include "core/parallel.h"
#include "core/parallel_count.h"

#include <pthread.h>
#include <stdatomic.h>

enum { TEAM_MAX = 64 };

struct piece {
    void (*body)(void *context, int64_t begin, int64_t end);
    void *context;
    int64_t begin, end;
    pthread_t thread;
    bool started;
};

static atomic_int thread_count; /* 0: not asked for yet */
static atomic_bool forked;
static _Thread_local bool inside;

/* A child could make threads here; it stays alone so that both versions behave the same. */
static void after_fork_in_child(void)
{
    atomic_store(&forked, true);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

int cti_parallel_threads(void)
{
    if (inside || atomic_load(&forked))
        return 1;
    int count = atomic_load(&thread_count);
    if (count == 0) {
        int fresh = cti_parallel_default_threads();
        count = atomic_compare_exchange_strong(&thread_count, &count, fresh) ? fresh : count;
    }
    return count;
}

void cti_parallel_set_threads(int count)
{
    atomic_store(&thread_count, count < 1 ? 1 : count);
}

bool cti_parallel_inside(void)
{
    return inside;
}

static void *run_piece(void *argument)
{
    struct piece *piece = argument;
    inside = true;
    piece->body(piece->context, piece->begin, piece->end);
    inside = false;
    return NULL;
}

void cti_parallel_for(int64_t n, int64_t grain,
                      void (*body)(void *context, int64_t begin, int64_t end), void *context)
{
    if (n <= 0)
        return;
    if (grain < 1)
        grain = 1;
    int64_t team = n / grain;
    int threads = team < 2 ? 1 : cti_parallel_threads();
    if (threads == 1) {
        body(context, 0, n);
        return;
    }
    if (team > threads)
        team = threads;
    if (team > TEAM_MAX)
        team = TEAM_MAX;
    struct piece pieces[TEAM_MAX];
    int64_t share = n / team, rest = n % team, begin = 0;
    for (int64_t i = 0; i < team; i++) {
        int64_t end = begin + share + (i < rest);
        pieces[i] = (struct piece){.body = body, .context = context, .begin = begin, .end = end};
        pieces[i].started =
            i > 0 && pthread_create(&pieces[i].thread, NULL, run_piece, &pieces[i]) == 0;
        begin = end;
    }
    for (int64_t i = 0; i < team; i++)
        if (!pieces[i].started) /* the caller's own, and any the system refused a thread for */
            run_piece(&pieces[i]);
    for (int64_t i = 0; i < team; i++)
        if (pieces[i].started)
            pthread_join(pieces[i].thread, NULL);
}
