/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores and collectives from C. The ranks are threads of one process, each with its own group over
 * the loopback interface. Sums of every type, messages, a rank that leaves, and errors. */
#include "../check.h"

#include <corten.h>
#include <corten/dist.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 3 };

struct rank {
    pthread_t thread;
    ct_store *store;
    int rank;
    void (*body)(ct_group *g);
    bool created;
};

static void *enter(void *context)
{
    struct rank *r = context;
    ct_group *g = ct_group_create("gloo", r->store, r->rank, RANKS, 60);
    r->created = g != NULL;
    if (g)
        r->body(g);
    ct_group_close(g);
    return NULL;
}

/* Runs body in RANKS threads that form a group. */
static void together(void (*body)(ct_group *g))
{
    struct rank r[RANKS];
    ct_store *store = ct_store_hash();
    for (int i = 0; i < RANKS; i++) {
        r[i] = (struct rank){.store = store, .rank = i, .body = body};
        CHECK(pthread_create(&r[i].thread, NULL, enter, &r[i]) == 0);
    }
    for (int i = 0; i < RANKS; i++) {
        pthread_join(r[i].thread, NULL);
        CHECK(r[i].created);
    }
    ct_store_release(store);
}

static void sums(ct_group *g)
{
    static const int64_t sizes[] = {0, 1, 2, 7, 1000, 300007};
    static const enum ct_dtype types[] = {CT_FLOAT32, CT_FLOAT64, CT_FLOAT16, CT_INT64, CT_UINT16};
    CHECK(ct_group_size(g) == RANKS && strcmp(ct_group_engine(g), "gloo") == 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
            CT_SCOPE;
            ct_tensor *x = ct_full(CT_SHAPE(sizes[i]), ct_group_rank(g) + 1., .dtype = types[k]);
            CHECK(ct_wait(ct_dist_all_reduce(g, x, CT_REDUCE_SUM)));
            CHECK(ct_item(ct_all(ct_eq(x, 6.))) == 1);
            CHECK(ct_wait(ct_dist_all_reduce(g, x, CT_REDUCE_MAX)));
        }
    }
    CHECK(ct_error() == NULL);
}

static void moves(ct_group *g)
{
    CT_SCOPE;
    int rank = ct_group_rank(g), right = (rank + 1) % RANKS, left = (rank + RANKS - 1) % RANKS;
    ct_tensor *x = ct_full(CT_SHAPE(5), (double)rank), *y = ct_zeros(CT_SHAPE(5));
    ct_work *receive = ct_dist_irecv(g, y, left, 3);
    CHECK(ct_wait(ct_dist_isend(g, x, right, 3)) && ct_work_wait(receive, 30));
    CHECK(ct_work_done(receive) && ct_work_source(receive) == left);
    ct_work_release(receive);
    CHECK(ct_item(ct_sum(y)) == 5. * left);
    CHECK(ct_wait(ct_dist_broadcast(g, x, 2)) && ct_item(ct_sum(x)) == 10);
    ct_tensor *all = ct_zeros(CT_SHAPE(RANKS, 2));
    CHECK(ct_wait(ct_dist_all_gather_into_tensor(g, all, ct_full(CT_SHAPE(2), (double)rank))));
    CHECK(ct_item(ct_sum(ct_at(all, "2"))) == 4 && ct_item(ct_sum(all)) == 6);
    CHECK(ct_wait(ct_dist_barrier(g)));
}

static void refusals(ct_group *g)
{
    CT_SCOPE;
    ct_tensor *x = ct_zeros(CT_SHAPE(4));
    CHECK(!ct_dist_all_reduce(g, x, CT_REDUCE_BAND));
    CHECK_ERROR("RuntimeError", "Cannot use ReduceOp.BAND with non-integral dtype");
    CHECK(!ct_dist_broadcast(g, x, 9));
    CHECK_ERROR("RuntimeError", "ProcessGroupGloo::broadcast: invalid root rank: 9");
    CHECK(!ct_wait(ct_dist_all_to_all_single(g, x, x, CT_NO_DIMS, CT_NO_DIMS)));
    CHECK_ERROR("RuntimeError", "Tensor's dim 0 does not divide equally across group size");
    CHECK(!ct_wait(NULL));
    ct_clear_error();
    CHECK(ct_wait(ct_dist_barrier(g)));
}

/* Rank 2 leaves; pending and later calls of the other ranks fail. */
static void one_leaves(ct_group *g)
{
    CT_SCOPE;
    ct_tensor *x = ct_ones(CT_SHAPE(1000));
    if (ct_group_rank(g) == 2)
        return;
    CHECK(!ct_wait(ct_dist_all_reduce(g, x, CT_REDUCE_SUM)));
    CHECK(ct_error() && strstr(ct_error(), "peer"));
    ct_clear_error();
    CHECK(!ct_wait(ct_dist_barrier(g)));
    ct_clear_error();
}

static void test_store(ct_store *a, ct_store *b)
{
    int64_t n = 0;
    CHECK(ct_store_set(a, "k", "value", 5));
    char *value = ct_store_get(b, "k", &n);
    CHECK(value && n == 5 && strcmp(value, "value") == 0);
    free(value);
    CHECK(ct_store_add(a, "n", 40) == 40 && ct_store_add(b, "n", 2) == 42);
    value = ct_store_compare_set(b, "c", "", 0, "x", 1, &n);
    CHECK(value && n == 1 && *value == 'x');
    free(value);
    CHECK(ct_store_check(a, "c") == 1 && ct_store_check(a, "no") == 0);
    CHECK(ct_store_delete(a, "c") == 1 && ct_store_delete(b, "c") == 0);
    CHECK(!ct_store_wait(a, (const char *const[]){"no"}, 1, 0.05));
    CHECK_ERROR("DistStoreError", "wait timeout after 50ms, keys: /no");
    CHECK(ct_store_num_keys(a) == ct_store_num_keys(b) && ct_store_num_keys(a) >= 2);
}

static void test_stores(void)
{
    ct_store *server = ct_store_tcp("127.0.0.1", 0, true, 1, 60);
    ct_store *client = ct_store_tcp("127.0.0.1", ct_store_port(server), false, 0, 60);
    CHECK(server && client);
    test_store(server, client);
    ct_store *file = ct_store_file("store.test"), *same = ct_store_file("store.test");
    test_store(file, same);
    ct_store *prefix = ct_store_prefix("a", client);
    test_store(prefix, prefix);
    int64_t n;
    char *value = ct_store_get(server, "a/k", &n);
    CHECK(value && n == 5);
    free(value);
    ct_store_release(prefix);
    ct_store_release(file);
    ct_store_release(same);
    ct_store_release(client);
    ct_store_release(server);
    remove("store.test");
}

int main(void)
{
    remove("store.test");
    test_stores();
    together(sums);
    together(moves);
    together(refusals);
    together(one_leaves);
    CHECK(!ct_group_create("smoke signals", NULL, 0, 1, 1));
    CHECK_ERROR("ValueError", "Unknown backend type smoke signals");
    return failures > 0;
}
