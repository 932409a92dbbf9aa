/* SPDX-License-Identifier: BSD-3-Clause */
/* The attend engine: attention by tiles of queries and blocks of keys with an online softmax, so
 * that the score matrix is never formed (Dao et al., FlashAttention, 2022). One thread computes a
 * tile of the result, or all gradients of one key head, so results do not depend on the number of
 * threads. Products use the gemm engine; the loops over a tile are in typed.h. Called through the
 * backend table. */
#include "cpu/attend/attend.h"
#include "cpu/engines.h"

#include "core/alloc.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "core/small.h"
#include "core/tensor.h"
#include "cpu/gemm/gemm.h"
#include "cpu/isa.h"
#include "cpu/pointwise/pack.h"

#include <stdatomic.h>
#include <string.h>

enum { QUERIES = CTI_ATTEND_QUERIES, KEYS = CTI_ATTEND_KEYS, WORKERS_MAX = 64 };
#define WORK_ALONE 4e5 /* calls with fewer flops use one thread */

extern const struct cti_attend_loops CTI_ISA_NAMES(cti_attend_f32);
extern const struct cti_attend_loops CTI_ISA_NAMES(cti_attend_f64);
static const struct cti_attend_loops *const loops_f32[] = CTI_ISA_TABLE(cti_attend_f32);
static const struct cti_attend_loops *const loops_f64[] = CTI_ISA_TABLE(cti_attend_f64);

struct job {
    const struct cti_attend *a;
    const struct cti_attend_loops *loops;
    int64_t size; /* bytes of an element */
    int64_t tiles, items;
    bool (*run)(const struct job *job, char *scratch, int64_t item);
    char *scratch;
    int64_t scratch_each;
    atomic_llong next;
    atomic_bool failed;
};

static char *attend_at(const struct job *job, struct cti_attend_side s, int64_t batch, int64_t head,
                       int64_t row)
{
    return (char *)s.data + (batch * s.batch + head * s.head + row * s.row) * job->size;
}

/* One matrix of a product: element (i, j) at i * row + j * column. */
struct matrix {
    void *data;
    int64_t row, column;
};

static bool attend_multiply(const struct job *job, struct matrix c, struct matrix a,
                            struct matrix b, int64_t m, int64_t n, int64_t k, bool add)
{
    struct cti_gemm g = {.dtype = job->a->dtype, .m = m, .n = n, .k = k, .batch = 1};
    g.a = a.data, g.a_row = a.row, g.a_col = a.column;
    g.b = b.data, g.b_row = b.row, g.b_col = b.column;
    g.c = c.data, g.c_row = c.row, g.c_col = c.column;
    g.alpha[0] = 1;
    g.beta[0] = add;
    return cti_cpu_gemm(&g) == CTI_DONE;
}

/* Computes the scores of the queries from query0 on (q, transposed) with a block of keys. */
static bool score(const struct job *job, struct cti_attend_tile *t, int64_t batch, int64_t head,
                  void *q, int64_t key0, int64_t keys)
{
    const struct cti_attend *a = job->a;
    int64_t offset = batch * a->mask_batch + head * a->mask_head + t->query0 * a->mask_row +
                     key0 * a->mask_column;
    t->key0 = key0;
    t->keys = keys;
    t->causal = a->causal && key0 + keys > t->query0 + 1;
    t->mask_is_bool = a->mask_is_bool;
    t->mask = a->mask ? (const char *)a->mask + offset * (a->mask_is_bool ? 1 : job->size) : NULL;
    t->mask_row = a->mask_row;
    t->mask_column = a->mask_column;
    t->scale = a->scale;
    char *key = attend_at(job, a->key, batch, head / a->group, key0);
    return attend_multiply(job, (struct matrix){t->scores, t->columns, 1},
                           (struct matrix){key, a->key.row, 1}, (struct matrix){q, t->columns, 1},
                           keys, t->columns, a->depth, false);
}

/* The number of keys that the queries before `end` attend to. */
static int64_t seen_keys(const struct cti_attend *a, int64_t end)
{
    return a->causal ? min64(a->keys, end) : a->keys;
}

static void *attend_take(char **scratch, int64_t count, int64_t size)
{
    char *here = *scratch;
    *scratch += (count * size + 63) / 64 * 64;
    return here;
}

/* to[column * rows + row] = from[row * stride + column] */
static void attend_transpose(const struct job *job, void *to, const char *from, int64_t stride,
                             int64_t rows, int64_t columns)
{
    cti_cpu_transpose(to, rows * job->size, from, stride * job->size, columns, rows, job->size);
}

/* ---- forward: an item is a tile of queries ---- */

static bool run_forward(const struct job *job, char *scratch, int64_t item)
{
    const struct cti_attend *a = job->a;
    const struct cti_attend_loops *loops = job->loops;
    int64_t query0 = item % job->tiles * QUERIES, head = item / job->tiles % a->heads;
    int64_t batch = item / job->tiles / a->heads, size = job->size;
    int64_t n = min64(QUERIES, a->queries - query0), keys = seen_keys(a, query0 + n);
    struct cti_attend_tile t = {.columns = n, .query0 = query0};
    t.scores = attend_take(&scratch, QUERIES * KEYS, size);
    t.most = attend_take(&scratch, QUERIES, size);
    t.sum = attend_take(&scratch, QUERIES, size);
    t.shrink = attend_take(&scratch, QUERIES, size);
    void *q = attend_take(&scratch, QUERIES * a->depth, size);
    void *sums = attend_take(&scratch, QUERIES * a->width, size);
    for (int64_t i = 0; i < n; i++)
        if (size == 4)
            ((float *)t.most)[i] = -__builtin_inff();
        else
            ((double *)t.most)[i] = -__builtin_inf();
    memset(t.sum, 0, (size_t)(n * size));
    memset(sums, 0, (size_t)(n * a->width * size));
    attend_transpose(job, q, attend_at(job, a->query, batch, head, query0), a->query.row, n,
                     a->depth);
    for (int64_t key0 = 0; key0 < keys; key0 += KEYS) {
        int64_t block = min64(KEYS, keys - key0);
        if (!score(job, &t, batch, head, q, key0, block))
            return false;
        loops->exponentials(&t);
        if (key0)
            loops->scale_rows(sums, a->width, sums, t.shrink, n, a->width);
        char *value = attend_at(job, a->value, batch, head / a->group, key0);
        if (!attend_multiply(job, (struct matrix){sums, a->width, 1},
                             (struct matrix){t.scores, 1, n},
                             (struct matrix){value, a->value.row, 1}, n, a->width, block, key0 > 0))
            return false;
    }
    int64_t row = (batch * a->heads + head) * a->queries + query0;
    loops->finish(t.shrink, (char *)a->logsumexp + row * size, t.most, t.sum, n);
    loops->scale_rows(attend_at(job, a->out, batch, head, query0), a->out.row, sums, t.shrink, n,
                      a->width);
    return true;
}

/* ---- backward: an item is a head of keys and values ---- */

struct back {
    const struct job *job;
    struct cti_attend_tile tile;
    void *q, *grad, *scores_grad, *dot; /* q and the gradient of out are transposed */
    int64_t batch, head;
};

/* Adds the contribution of one tile of queries and one block of keys to all three gradients. */
static bool back_block(struct back *b, int64_t key0, int64_t keys)
{
    const struct job *job = b->job;
    const struct cti_attend *a = job->a;
    struct cti_attend_tile *t = &b->tile;
    int64_t n = t->columns, head = b->head, from = head / a->group, row0 = t->query0;
    bool more = head % a->group || row0; /* add to these gradients: an earlier block has written
                                          * them */
    if (!score(job, t, b->batch, head, b->q, key0, keys))
        return false;
    job->loops->probabilities(t);
    struct matrix p = {t->scores, n, 1}, s = {b->scores_grad, n, 1};
    struct matrix grad = {attend_at(job, a->grad, b->batch, head, row0), a->grad.row, 1};
    if (a->grad_value.data) {
        char *to = attend_at(job, a->grad_value, b->batch, from, key0);
        if (!attend_multiply(job, (struct matrix){to, a->grad_value.row, 1}, p, grad, keys,
                             a->width, n, more))
            return false;
    }
    if (!a->grad_query.data && !a->grad_key.data)
        return true;
    struct matrix value = {attend_at(job, a->value, b->batch, from, key0), a->value.row, 1};
    struct matrix key = {attend_at(job, a->key, b->batch, from, key0), a->key.row, 1};
    struct matrix query = {attend_at(job, a->query, b->batch, head, row0), a->query.row, 1};
    if (!attend_multiply(job, s, value, (struct matrix){b->grad, n, 1}, keys, n, a->width, false))
        return false;
    job->loops->scores_grad(t, b->scores_grad, b->dot);
    bool good = true;
    if (a->grad_query.data) {
        char *to = attend_at(job, a->grad_query, b->batch, head, row0);
        good = attend_multiply(job, (struct matrix){to, a->grad_query.row, 1},
                               (struct matrix){b->scores_grad, 1, n}, key, n, a->depth, keys,
                               key0 > 0);
    }
    if (good && a->grad_key.data) {
        char *to = attend_at(job, a->grad_key, b->batch, from, key0);
        good = attend_multiply(job, (struct matrix){to, a->grad_key.row, 1}, s, query, keys,
                               a->depth, n, more);
    }
    return good;
}

/* Zeroes the gradients of keys that the first tile of queries does not see. */
static void clear_unseen(const struct job *job, int64_t batch, int64_t head, int64_t seen)
{
    const struct cti_attend *a = job->a;
    for (int64_t key = seen; key < a->keys; key++) {
        if (a->grad_key.data)
            memset(attend_at(job, a->grad_key, batch, head, key), 0,
                   (size_t)(a->depth * job->size));
        if (a->grad_value.data)
            memset(attend_at(job, a->grad_value, batch, head, key), 0,
                   (size_t)(a->width * job->size));
    }
}

static bool run_backward(const struct job *job, char *scratch, int64_t item)
{
    const struct cti_attend *a = job->a;
    int64_t size = job->size, key_heads = a->heads / a->group, first = item % key_heads * a->group;
    struct back b = {.job = job, .batch = item / key_heads};
    struct cti_attend_tile *t = &b.tile;
    t->scores = attend_take(&scratch, QUERIES * KEYS, size);
    b.scores_grad = attend_take(&scratch, QUERIES * KEYS, size);
    b.dot = attend_take(&scratch, QUERIES, size);
    b.q = attend_take(&scratch, QUERIES * a->depth, size);
    b.grad = attend_take(&scratch, QUERIES * a->width, size);
    for (b.head = first; b.head < first + a->group; b.head++)
        for (t->query0 = 0; t->query0 < a->queries; t->query0 += QUERIES) {
            int64_t n = t->columns = min64(QUERIES, a->queries - t->query0);
            char *query = attend_at(job, a->query, b.batch, b.head, t->query0);
            char *grad = attend_at(job, a->grad, b.batch, b.head, t->query0);
            char *out = attend_at(job, a->out, b.batch, b.head, t->query0);
            t->most = (char *)a->logsumexp +
                      ((b.batch * a->heads + b.head) * a->queries + t->query0) * size;
            job->loops->dots(b.dot, grad, a->grad.row, out, a->out.row, n, a->width);
            attend_transpose(job, b.q, query, a->query.row, n, a->depth);
            attend_transpose(job, b.grad, grad, a->grad.row, n, a->width);
            int64_t keys = seen_keys(a, t->query0 + n);
            if (b.head == first && t->query0 == 0)
                clear_unseen(job, b.batch, item % key_heads, keys);
            for (int64_t key0 = 0; key0 < keys; key0 += KEYS)
                if (!back_block(&b, key0, min64(KEYS, keys - key0)))
                    return false;
        }
    return true;
}

/* ---- both ---- */

static void attend_work(void *context, int64_t begin, int64_t end)
{
    struct job *job = context;
    char *scratch = job->scratch + begin * job->scratch_each;
    (void)end; /* dynamic scheduling; `begin` names this worker's scratch */
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (item >= job->items || atomic_load_explicit(&job->failed, memory_order_relaxed) ||
            cti_interrupted())
            return;
        if (!job->run(job, scratch, item))
            atomic_store_explicit(&job->failed, true, memory_order_relaxed);
    }
}

static bool attend_run(struct job *job)
{
    const struct cti_attend *a = job->a;
    double each = 2.0 * (double)a->queries * (double)a->keys * (double)(a->depth + a->width);
    bool alone = each * (double)(a->batch * a->heads) < 2 * WORK_ALONE;
    int64_t workers = alone ? 1 : min64(cti_parallel_threads(), WORKERS_MAX);
    workers = min64(workers, job->items);
    int64_t elements = QUERIES * (2 * KEYS + 8 + a->depth + a->width);
    job->size = cti_itemsize(a->dtype);
    job->loops = (a->dtype == CT_FLOAT64 ? loops_f64 : loops_f32)[cti_cpu_isa()];
    job->scratch_each = elements * job->size;
    atomic_init(&job->next, 0);
    atomic_init(&job->failed, false);
    struct cti_block *block = cti_block_new(workers * job->scratch_each);
    if (!block)
        return false;
    job->scratch = block->address;
    cti_parallel_for(workers, 1, attend_work, job);
    cti_block_free(block);
    if (!atomic_load(&job->failed))
        return true;
    /* Sets the error on the calling thread; a worker may have run out of memory. */
    return cti_refuse(CT_ERR_OUT_OF_MEMORY, "out of memory in attention");
}

static bool attend_forward(const struct cti_attend *a)
{
    int64_t tiles = (a->queries + QUERIES - 1) / QUERIES;
    struct job job = {.a = a, .tiles = tiles, .run = run_forward};
    job.items = a->batch * a->heads * tiles;
    return attend_run(&job);
}

static bool attend_backward(const struct cti_attend *a)
{
    struct job job = {.a = a, .run = run_backward};
    job.items = a->batch * a->heads / a->group;
    return attend_run(&job);
}

enum cti_status cti_cpu_attend(struct cti_attend *a)
{
    return a->backward ? attend_backward(a) : attend_forward(a);
}
