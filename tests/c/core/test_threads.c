/* SPDX-License-Identifier: BSD-3-Clause */
/* Many threads use the library at once, on private and on shared tensors. Results are the same as
 * with one thread, and scopes, errors and gradient mode stay with their thread. Also run under the
 * thread sanitizer. */
#include <corten.h>

#include "../check.h"
#include <pthread.h>

enum { THREADS = 6, ROUNDS = 40 };

struct shared {
    ct_tensor *x, *weight; /* shared, read-only */
    double want;
};

struct job {
    const struct shared *shared;
    int number, wrong;
};

/* A product, a reduction, views, random numbers and a backward pass; the sum of a gradient. */
static double work(const struct shared *s, int number)
{
    ct_tensor *w = ct_requires_grad_(ct_clone(s->weight));
    ct_tensor *y = ct_tanh(ct_matmul(ct_at(s->x, "::2"), w));
    ct_tensor *rows = ct_index_select(y, 0, ct_arange(8));
    ct_tensor *noise = ct_rand(CT_SHAPE(number + 1, 3));
    ct_backward(ct_sum(ct_mul(rows, rows)));
    return ct_item(ct_sum(ct_grad(w))) + (ct_item(ct_max(noise)) < 1 ? 0 : 100);
}

static void *run(void *argument)
{
    struct job *job = argument;
    for (int i = 0; i < ROUNDS; i++) {
        CT_SCOPE;
        job->wrong += work(job->shared, job->number) != job->shared->want;
        if (job->number % 2 == 0) {
            CT_NO_GRAD;
            job->wrong += ct_requires_grad(ct_mul(job->shared->weight, 2)) || ct_is_grad_enabled();
        }
        if (i % 8 == job->number) {
            ct_at(job->shared->x, 1000000);
            job->wrong += ct_error_kind() != CT_ERR_INDEX;
            ct_clear_error();
        }
        job->wrong += ct_error() != NULL;
    }
    job->wrong += ct_live_count() != 0;
    return NULL;
}

/* Several threads call with tensors large enough to be split across the library's threads. */
static void *run_large(void *argument)
{
    struct job *job = argument;
    for (int i = 0; i < 4; i++) {
        CT_SCOPE;
        ct_tensor *big = ct_arange(400000, .dtype = CT_FLOAT64);
        job->wrong += ct_item(ct_sum(ct_add(big, 1))) != 400000. * 400001. / 2;
    }
    return NULL;
}

static void together(void *(*body)(void *), const struct shared *shared)
{
    pthread_t thread[THREADS];
    struct job job[THREADS];
    int started = 0;
    for (; started < THREADS; started++) {
        job[started] = (struct job){shared, started, 0};
        if (pthread_create(&thread[started], NULL, body, &job[started]) != 0)
            break;
    }
    CHECK(started == THREADS);
    for (int i = 0; i < started; i++) {
        pthread_join(thread[i], NULL);
        CHECK(job[i].wrong == 0);
    }
}

/* Packing a strided view allocates a buffer in each of the library's threads. Leak checkers detect
 * if it is not freed at exit. */
static void test_packing_buffers_are_freed(void)
{
    ct_set_num_threads(3);
    for (int i = 0; i < 3; i++) {
        CT_SCOPE;
        ct_tensor *odd = ct_at(ct_ones(CT_SHAPE(500, 1000)), ":, ::2");
        CHECK(ct_item(ct_sum(ct_sum(odd, .dim = CT_DIMS(1)))) == 250000);
    }
}

int main(void)
{
    CT_SCOPE;
    struct shared shared = {.x = ct_view(ct_arange(320., .step = 0.25), CT_SHAPE(32, -1)),
                            .weight = ct_full(CT_SHAPE(40, 3), 0.001)};
    shared.want = work(&shared, 0);
    CHECK(ct_error() == NULL);
    together(run, &shared);
    together(run_large, &shared);
    CHECK(ct_is_grad_enabled());
    test_packing_buffers_are_freed();
    CHECK(ct_error() == NULL);
    return failures != 0;
}
