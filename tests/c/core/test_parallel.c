/* SPDX-License-Identifier: BSD-3-Clause */
/* The contract of src/core/parallel.h: pieces cover the range exactly once; only the last may be
 * smaller than the grain, and none is longer than four grains. Nested regions and forked children
 * run inline, several threads may call at once, and an interruption skips pieces that have not
 * begun. Exits with 0 if all checks pass. */
#include "core/interrupt.h"
#include "core/parallel.h"
#include "corten/base.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures;

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "FAILED: %s\n", what);
        failures++;
    }
}

struct cover {
    int64_t n, grain;
    unsigned char *seen;
    atomic_int pieces, small, large, nested_places, nested_outside;
};

static void nested(void *context, int64_t begin, int64_t end)
{
    struct cover *cover = context;
    atomic_fetch_add(&cover->nested_places, (int)(end - begin));
    if (!cti_parallel_inside())
        atomic_fetch_add(&cover->nested_outside, 1);
}

static void mark(void *context, int64_t begin, int64_t end)
{
    struct cover *cover = context;
    atomic_fetch_add(&cover->pieces, 1);
    if (end - begin < cover->grain && end != cover->n)
        atomic_fetch_add(&cover->small, 1);
    if (end - begin > 8 * (cover->grain ? cover->grain : 1))
        atomic_fetch_add(&cover->large, 1);
    for (int64_t i = begin; i < end; i++)
        cover->seen[i]++;
}

static void mark_and_nest(void *context, int64_t begin, int64_t end)
{
    mark(context, begin, end);
    cti_parallel_for(1000, 1, nested, context);
}

static void one_range(int64_t n, int64_t grain, int threads)
{
    struct cover cover = {.n = n, .grain = grain, .seen = calloc((size_t)n + 1, 1)};
    cti_parallel_set_threads(threads);
    cti_parallel_for(n, grain, mark, &cover);
    bool once = true;
    for (int64_t i = 0; i < n; i++)
        once = once && cover.seen[i] == 1;
    int pieces = atomic_load(&cover.pieces);
    check(once && cover.seen[n] == 0, "each index once");
    check(atomic_load(&cover.small) == 0, "no piece smaller than the grain");
    check(atomic_load(&cover.large) == 0, "no piece that an interruption would wait for");
    check(n > 0 || pieces == 0, "nothing of nothing");
    check(n > grain || pieces <= 1, "small work is one piece");
    free(cover.seen);
}

static void test_cover(void)
{
    const int64_t sizes[] = {0, 1, 2, 7, 63, 64, 65, 1000, 4097};
    const int64_t grains[] = {0, 1, 3, 64, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t g = 0; g < sizeof grains / sizeof *grains; g++)
            for (int threads = 1; threads <= 5; threads++)
                one_range(sizes[s], grains[g], threads);
}

static void test_nested(void)
{
    unsigned char seen[100] = {0};
    struct cover cover = {.n = 100, .grain = 1, .seen = seen};
    cti_parallel_set_threads(4);
    check(!cti_parallel_inside(), "outside before");
    cti_parallel_for(100, 1, mark_and_nest, &cover);
    check(!cti_parallel_inside(), "outside after");
    int pieces = atomic_load(&cover.pieces);
    check(pieces >= 4, "a piece for each thread");
    check(atomic_load(&cover.nested_places) == 1000 * pieces, "nested regions run whole");
    check(atomic_load(&cover.nested_outside) == 0, "nested regions run inline and know it");
}

static void test_count(void)
{
    cti_parallel_set_threads(0);
    check(cti_parallel_threads() == 1, "at least one thread");
    cti_parallel_set_threads(3);
    check(cti_parallel_threads() == 3, "the count that was set");
}

static void test_fork(void)
{
    cti_parallel_set_threads(4);
    unsigned char seen[100] = {0};
    struct cover cover = {.n = 100, .grain = 1, .seen = seen};
    cti_parallel_for(100, 1, mark, &cover); /* the threads exist before the fork */
    pid_t child = fork();
    if (child == 0) {
        alarm(20); /* a hang is a failure, not a stuck test run */
        memset(seen, 0, sizeof seen);
        atomic_store(&cover.pieces, 0);
        cti_parallel_for(100, 1, mark, &cover);
        bool ok = cti_parallel_threads() == 1;
        for (int i = 0; i < 100; i++)
            ok = ok && seen[i] == 1;
        _exit(ok ? 0 : 1);
    }
    int status = -1;
    check(child > 0 && waitpid(child, &status, 0) == child, "fork");
    check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a forked child runs alone");
    atomic_store(&cover.pieces, 0);
    cti_parallel_for(100, 1, mark, &cover);
    check(atomic_load(&cover.pieces) >= 4, "the parent still has its threads");
}

static void *caller(void *argument)
{
    (void)argument;
    for (int round = 0; round < 50; round++) {
        unsigned char seen[300] = {0};
        struct cover cover = {.n = 300, .grain = 1, .seen = seen};
        cti_parallel_for(300, 1, mark, &cover);
        for (int i = 0; i < 300; i++)
            if (seen[i] != 1)
                return (void *)1;
    }
    return NULL;
}

static void test_callers(void)
{
    pthread_t threads[4];
    cti_parallel_set_threads(2);
    for (int i = 0; i < 4; i++)
        check(pthread_create(&threads[i], NULL, caller, NULL) == 0, "pthread_create");
    for (int i = 0; i < 4; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        check(!bad, "regions from several threads at once");
    }
}

/* The thread pool grows, shrinks and is shut down while other threads use it. */
static void test_count_changes(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        check(pthread_create(&threads[i], NULL, caller, NULL) == 0, "pthread_create");
    for (int round = 0; round < 60; round++) {
        cti_parallel_set_threads(round * 7 % 5 + 1);
        check(caller(NULL) == NULL, "regions after a change of the count");
    }
    for (int i = 0; i < 2; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        check(!bad, "regions while the count changes");
    }
}

/* ---- interruptions ---- */

static void interrupt_early(void *context, int64_t begin, int64_t end)
{
    struct cover *cover = context;
    mark(context, begin, end);
    if (cover->n == 10000 && atomic_load(&cover->pieces) >= 3)
        ct_interrupt();
    usleep(100);
}

static void test_interrupt(void)
{
    static unsigned char seen[10000];
    for (int threads = 1; threads <= 4; threads++) {
        struct cover cover = {.n = 10000, .grain = 1, .seen = seen};
        cti_parallel_set_threads(threads);
        check(!cti_parallel_for(10000, 1, interrupt_early, &cover), "the region says so");
        check(atomic_load(&cover.pieces) < 100, "and ends early");
        check(ct_error_kind() == CT_ERR_INTERRUPT && !cti_ran(), "with an error");
        int before = atomic_load(&cover.pieces);
        check(!cti_parallel_for(10000, 1, mark, &cover), "the next one does not begin");
        check(atomic_load(&cover.pieces) == before, "at all");
        ct_clear_error();
        check(cti_ran() && cti_parallel_for(10000, 1, mark, &cover), "until the error is cleared");
    }
    ct_clear_error();
}

static int polls;

static bool refuse_third(void)
{
    return ++polls < 3;
}

static void test_poll(void)
{
    static unsigned char seen[100000];
    struct cover cover = {.n = 100000, .grain = 1, .seen = seen};
    ct_set_poll(refuse_third);
    check(!cti_parallel_for(100000, 1, interrupt_early, &cover), "a program may refuse");
    check(polls == 3, "and is asked now and then");
    ct_set_poll(NULL);
    ct_clear_error();
}

int main(void)
{
    check(cti_parallel_threads() >= 1, "a default count");
    test_cover();
    test_nested();
    test_count();
    test_callers();
    test_count_changes();
    test_interrupt();
    test_poll();
    test_fork();
    if (failures == 0)
        printf("parallel: all right\n");
    return failures != 0;
}
