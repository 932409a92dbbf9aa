/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives built from messages, for engines without native ones. The order of additions depends
 * only on ranks and sizes, so sums are bitwise reproducible and identical in all processes.
 *
 * All-reduce uses the ring algorithm: each process owns one chunk; partial sums travel around the
 * ring once, finished chunks a second time. Every process sends 2 (n - 1) / n of the data, which is
 * optimal. Long chunks are sent in segments, so that the data to be added is still in the cache. */
#include "core/alloc.h"
#include "core/error.h"
#include "core/small.h"
#include "dist/dist.h"

#include <string.h>

#define SEGMENT ((int64_t)1 << 20) /* bytes; a multiple of every element size */

/* ---- exchanging ---- */

static bool all_done(const struct cti_transfer *t, int n)
{
    for (int i = 0; i < n; i++) {
        if (!t[i].done)
            return false;
    }
    return true;
}

static bool wait_transfers(ct_group *g, struct cti_transfer *t, int n)
{
    while (!all_done(t, n)) {
        if (cti_now_ms() >= g->deadline)
            return ct_fail(CT_ERR_RUNTIME, "Timed out waiting %lldms for %s operation to complete",
                           (long long)(g->limit * 1000), t[0].sends ? "send" : "recv");
        if ((g->engine->all_there && !g->engine->all_there(g)) || !cti_group_step(g, g->deadline))
            return false;
    }
    for (int i = 0; i < n; i++) {
        if (t[i].failed)
            return ct_fail(CT_ERR_RUNTIME, "%s", t[i].why);
    }
    return true;
}

bool cti_transfer_unlink(struct cti_transfer **list, struct cti_transfer *t)
{
    while (*list && *list != t)
        list = &(*list)->next;
    bool found = *list != NULL;
    if (found)
        *list = t->next;
    return found;
}

bool cti_pieces_adjoin(const ct_group *g, const struct cti_piece *p)
{
    for (int i = 1; i < g->size; i++) {
        if (p[i].nbytes != p[0].nbytes || p[i].data != p[0].data + i * p[0].nbytes)
            return false;
    }
    return true;
}

/* Empty messages are not sent; both sides know their size. */
bool cti_exchange(ct_group *g, struct cti_transfer *t, int n)
{
    bool good = true;
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (t[i].piece.nbytes > 0)
            t[used++] = t[i];
    }
    if (used == 0)
        return true;
    if (g->engine->exchange)
        return g->engine->exchange(g, t, used);
    for (int i = 0; i < used; i++) {
        t[i].key = g->key;
        t[i].exact = true;
        t[i].done = t[i].failed = false;
        t[i].deadline = g->deadline;
    }
    int posted = 0;
    for (; posted < used && good; posted++)
        good = g->engine->post(g, &t[posted]);
    good = good && wait_transfers(g, t, used);
    for (int i = 0; i < posted && !good; i++) /* transfers are on our stack, so cancel the
                                               * unfinished ones */
        g->engine->cancel(g, &t[i]);
    return good;
}

static struct cti_transfer to(int peer, char *data, int64_t nbytes)
{
    return (struct cti_transfer){.piece = {data, nbytes}, .peer = peer, .sends = true};
}

static struct cti_transfer from(int peer, char *data, int64_t nbytes)
{
    return (struct cti_transfer){.piece = {data, nbytes}, .peer = peer};
}

static void copy_piece(struct cti_piece dst, struct cti_piece src)
{
    if (src.nbytes && dst.data != src.data)
        memmove(dst.data, src.data, (size_t)src.nbytes);
}

/* ---- the ring ---- */

static int ring_rank(const ct_group *g, int rank)
{
    return (rank % g->size + g->size) % g->size;
}

/* Chunk i of `size` nearly equal chunks: their lengths differ by at most one element. */
static struct cti_piece chunk(struct cti_piece whole, int64_t size, int i, int64_t element)
{
    int64_t n = whole.nbytes / element, base = n / size, rest = n % size;
    int64_t begin = i * base + min64(i, rest), count = base + (i < rest);
    return (struct cti_piece){whole.data + begin * element, count * element};
}

/* Sends `out` to the next rank and adds what arrives from the previous rank to `sum`. */
static bool send_and_add(ct_group *g, const ct_work *w, struct cti_piece out, struct cti_piece sum,
                         char *scratch)
{
    int64_t element = ct_dtype_size(w->dtype);
    int64_t n = out.nbytes > sum.nbytes ? out.nbytes : sum.nbytes;
    for (int64_t at = 0; at < n; at += SEGMENT) {
        int64_t nout = min64(SEGMENT, out.nbytes - at), nin = min64(SEGMENT, sum.nbytes - at);
        struct cti_transfer t[2] = {
            from(ring_rank(g, g->rank - 1), scratch, nin > 0 ? nin : 0),
            to(ring_rank(g, g->rank + 1), out.data + at, nout > 0 ? nout : 0)};
        if (!cti_exchange(g, t, 2))
            return false;
        if (nin > 0 && !cti_combine(sum.data + at, scratch, nin / element, w->dtype, w->op))
            return false;
    }
    return true;
}

/* Reduce-scatter in place: afterwards chunk rank + 1 of `whole` holds the sum, the others hold
 * partial sums. */
static bool ring_reduce(ct_group *g, const ct_work *w, struct cti_piece whole)
{
    int64_t element = ct_dtype_size(w->dtype);
    char *scratch = cti_malloc((size_t)min64(SEGMENT, whole.nbytes) + 1);
    bool good = scratch != NULL;
    for (int step = 0; step < g->size - 1 && good; step++)
        good =
            send_and_add(g, w, chunk(whole, g->size, ring_rank(g, g->rank - step), element),
                         chunk(whole, g->size, ring_rank(g, g->rank - step - 1), element), scratch);
    cti_free(scratch);
    struct cti_piece mine = chunk(whole, g->size, ring_rank(g, g->rank + 1), element);
    if (good && w->op == CT_REDUCE_AVG)
        good = cti_average(mine.data, mine.nbytes / element, w->dtype, g->size);
    return good;
}

static bool all_reduce(ct_group *g, ct_work *w)
{
    int64_t element = ct_dtype_size(w->dtype);
    if (!ring_reduce(g, w, w->whole))
        return false;
    for (int step = 0; step < g->size - 1; step++) {
        struct cti_piece out = chunk(w->whole, g->size, ring_rank(g, g->rank + 1 - step), element);
        struct cti_piece in = chunk(w->whole, g->size, ring_rank(g, g->rank - step), element);
        struct cti_transfer t[2] = {from(ring_rank(g, g->rank - 1), in.data, in.nbytes),
                                    to(ring_rank(g, g->rank + 1), out.data, out.nbytes)};
        if (!cti_exchange(g, t, 2))
            return false;
    }
    return true;
}

/* Works on a copy, because tensors of non-root ranks must not change. */
static bool collective_reduce(ct_group *g, ct_work *w)
{
    int64_t element = ct_dtype_size(w->dtype);
    struct cti_piece sums = {cti_malloc((size_t)w->whole.nbytes + 1), w->whole.nbytes};
    struct cti_transfer *t = cti_calloc((size_t)g->size, sizeof *t);
    bool good = sums.data && t;
    if (good) {
        copy_piece(sums, w->whole);
        good = ring_reduce(g, w, sums);
    }
    int n = 0;
    for (int i = 0; good && i < g->size; i++) {
        struct cti_piece part = chunk(sums, g->size, ring_rank(g, i + 1), element);
        if (i == g->rank && i != w->root)
            t[n++] = to(w->root, part.data, part.nbytes);
        else if (i != g->rank && g->rank == w->root)
            t[n++] = from(i, part.data, part.nbytes);
    }
    good = good && cti_exchange(g, t, n);
    if (good && g->rank == w->root)
        copy_piece(w->whole, sums);
    cti_free(sums.data);
    cti_free(t);
    return good;
}

/* For each process a partial sum travels around the ring and ends there; inputs are not
 * modified. */
static bool reduce_scatter(ct_group *g, ct_work *w)
{
    int64_t element = ct_dtype_size(w->dtype), most = 0;
    for (int i = 0; i < g->size; i++)
        most = w->in[i].nbytes > most ? w->in[i].nbytes : most;
    char *sum[2] = {cti_malloc((size_t)most + 1), cti_malloc((size_t)most + 1)};
    bool good = sum[0] && sum[1];
    struct cti_piece sent = w->in[ring_rank(g, g->rank - 1)];
    for (int step = 1; step < g->size && good; step++) {
        struct cti_piece own = w->in[ring_rank(g, g->rank - step - 1)];
        char *got = sum[step % 2];
        struct cti_transfer t[2] = {from(ring_rank(g, g->rank - 1), got, own.nbytes),
                                    to(ring_rank(g, g->rank + 1), sent.data, sent.nbytes)};
        good = cti_exchange(g, t, 2) &&
               cti_combine(got, own.data, own.nbytes / element, w->dtype, w->op);
        sent = (struct cti_piece){got, own.nbytes};
    }
    if (good)
        copy_piece(w->whole, g->size == 1 ? w->in[0] : sent);
    if (good && w->op == CT_REDUCE_AVG)
        good = cti_average(w->whole.data, w->whole.nbytes / element, w->dtype, g->size);
    cti_free(sum[0]);
    cti_free(sum[1]);
    return good;
}

static bool all_gather(ct_group *g, ct_work *w)
{
    copy_piece(w->out[g->rank], w->whole);
    for (int step = 0; step < g->size - 1; step++) {
        struct cti_piece out = w->out[ring_rank(g, g->rank - step)];
        struct cti_piece in = w->out[ring_rank(g, g->rank - step - 1)];
        struct cti_transfer t[2] = {from(ring_rank(g, g->rank - 1), in.data, in.nbytes),
                                    to(ring_rank(g, g->rank + 1), out.data, out.nbytes)};
        if (!cti_exchange(g, t, 2))
            return false;
    }
    return true;
}

/* ---- trees and stars ---- */

/* Binomial tree: in step k every rank that has the data sends it to the rank 2^k further on. */
static bool broadcast_segment(ct_group *g, int root, struct cti_piece p)
{
    int relative = ring_rank(g, g->rank - root), n = 0, bit = 1;
    struct cti_transfer t[32];
    while (bit <= relative)
        bit *= 2;
    if (relative > 0) {
        t[0] = from(ring_rank(g, relative - bit / 2 + root), p.data, p.nbytes);
        if (!cti_exchange(g, t, 1))
            return false;
    }
    for (; bit < g->size && n < 32; bit *= 2) {
        if (relative < bit && relative + bit < g->size)
            t[n++] = to(ring_rank(g, relative + bit + root), p.data, p.nbytes);
    }
    return cti_exchange(g, t, n);
}

static bool tree_broadcast(ct_group *g, ct_work *w)
{
    for (int64_t at = 0; at < w->whole.nbytes; at += SEGMENT) {
        struct cti_piece p = {w->whole.data + at, min64(SEGMENT, w->whole.nbytes - at)};
        if (!broadcast_segment(g, w->root, p))
            return false;
    }
    return true;
}

/* Scatter, gather and all-to-all: all transfers at the same time. */
static bool star(ct_group *g, ct_work *w)
{
    struct cti_transfer *t = cti_calloc(2 * (size_t)g->size, sizeof *t);
    bool all = w->kind == CTI_ALL_TO_ALL, root = g->rank == w->root;
    bool gives = all || (w->kind == CTI_SCATTER && root);
    bool gets = all || (w->kind == CTI_GATHER && root);
    int n = 0;
    if (!t)
        return false;
    for (int i = 1; i < g->size; i++) {
        int right = ring_rank(g, g->rank + i), left = ring_rank(g, g->rank - i);
        if (gets)
            t[n++] = from(left, w->out[left].data, w->out[left].nbytes);
        if (gives)
            t[n++] = to(right, w->in[right].data, w->in[right].nbytes);
    }
    if (!all && !root)
        t[n++] = w->kind == CTI_GATHER ? to(w->root, w->whole.data, w->whole.nbytes)
                                       : from(w->root, w->whole.data, w->whole.nbytes);
    if (gets)
        copy_piece(w->out[g->rank], all ? w->in[g->rank] : w->whole);
    if (gives && !all)
        copy_piece(w->whole, w->in[g->rank]);
    bool good = cti_exchange(g, t, n);
    cti_free(t);
    return good;
}

/* Dissemination barrier: after round k each process has heard from 2^(k + 1) - 1 others. */
static bool dissemination_barrier(ct_group *g)
{
    char out = 1, in = 0;
    for (int step = 1; step < g->size; step *= 2) {
        struct cti_transfer t[2] = {from(ring_rank(g, g->rank - step), &in, 1),
                                    to(ring_rank(g, g->rank + step), &out, 1)};
        if (!cti_exchange(g, t, 2))
            return false;
    }
    return true;
}

/* ---- the monitored barrier ---- */

/* Sets the error that names the ranks whose transfers are not done: all of them, or the first.
 * Returns false. */
static bool name_missing(ct_group *g, const struct cti_transfer *t, bool wait_all, double timeout)
{
    char names[256] = "";
    size_t at = 0;
    int missing = 0;
    for (int i = 1; i < g->size && at < sizeof names; i++) {
        if (t[i].done && !t[i].failed)
            continue;
        if (missing++ && !wait_all)
            break;
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%d", missing > 1 ? ", " : "", i);
    }
    if (wait_all)
        return ct_fail(CT_ERR_RUNTIME,
                       "[Rank 0]: Ranks %s failed to pass monitoredBarrier in %.0f ms", names,
                       timeout * 1000);
    return ct_fail(CT_ERR_RUNTIME, "[Rank 0]: Rank %s failed to pass monitoredBarrier in %.0f ms",
                   names, timeout * 1000);
}

/* Runs transfers without failing the group at the deadline; true if all completed. *broken: the
 * group has failed. */
static bool gather_marks(ct_group *g, struct cti_transfer *t, int begin, int end, bool *broken)
{
    for (int i = begin; i < end; i++) {
        t[i].key = g->key;
        t[i].exact = true;
        if (!g->engine->post(g, &t[i]))
            return !(*broken = true);
    }
    while (!all_done(t + begin, end - begin) && cti_now_ms() < g->deadline && !*broken)
        *broken = !cti_group_step(g, g->deadline);
    bool good = !*broken;
    for (int i = begin; i < end; i++) {
        if (!t[i].done)
            g->engine->cancel(g, &t[i]);
        good = good && t[i].done && !t[i].failed;
    }
    return good;
}

static bool monitored_barrier(ct_group *g, ct_work *w)
{
    struct cti_transfer *t = cti_calloc(2 * (size_t)g->size, sizeof *t);
    double timeout = w->timeout > 0 ? w->timeout : cti_group_timeout(g);
    bool broken = false, good = t != NULL;
    char mark = 1, marks = 0;
    if (good && g->rank == 0) {
        for (int i = 1; i < g->size; i++)
            t[i] = from(i, &marks, 1);
        good = gather_marks(g, t, 1, g->size, &broken);
        if (!good && !broken)
            name_missing(g, t, w->wait_all, timeout);
        for (int i = 1; i < g->size; i++)
            t[i] = to(i, &mark, 1);
        good = good && gather_marks(g, t, 1, g->size, &broken);
    } else if (good) {
        t[0] = to(0, &mark, 1);
        t[1] = from(0, &marks, 1);
        good = gather_marks(g, t, 0, 2, &broken);
        if (!good && !broken)
            ct_fail(CT_ERR_RUNTIME,
                    "[Rank %d]: Rank 0 did not acknowledge monitoredBarrier in %.0f ms: its log "
                    "names the missing ranks",
                    g->rank, timeout * 1000);
    }
    cti_free(t);
    return good;
}

bool cti_collective_run(ct_group *g, ct_work *w)
{
    int own = g->engine->collective ? g->engine->collective(g, w) : -1;
    if (own >= 0)
        return own;
    switch (w->kind) {
    case CTI_ALL_REDUCE:
        return all_reduce(g, w);
    case CTI_REDUCE:
        return collective_reduce(g, w);
    case CTI_BROADCAST:
        return tree_broadcast(g, w);
    case CTI_ALL_GATHER:
        return all_gather(g, w);
    case CTI_REDUCE_SCATTER:
        return reduce_scatter(g, w);
    case CTI_GATHER:
    case CTI_SCATTER:
    case CTI_ALL_TO_ALL:
        return star(g, w);
    case CTI_BARRIER:
        return dissemination_barrier(g);
    case CTI_MONITORED_BARRIER:
        return monitored_barrier(g, w);
    case CTI_SEND:
    case CTI_RECV:
    case CTI_WORK_KINDS:
        break;
    }
    return ct_fail(CT_ERR_RUNTIME, "no such collective");
}
