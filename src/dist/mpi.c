/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine "mpi". Uses the library's collectives where it supports the dtype; builds the others
 * from messages. A group has two communicators: one for collectives, whose messages are matched by
 * order alone, and one for tagged messages. All calls are made under one lock, so that the library
 * needs no thread support; none of them blocks. */
#define _GNU_SOURCE
#include "dist/mpi.h"
#include "core/alloc.h"
#include "core/error.h"
#include "dist/dist.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct communicators {
    mpi_handle collective, tagged;
    struct cti_transfer *posted;
    int idle; /* iterations without progress */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ours, broken; /* ours: we initialised MPI; broken: a group ended in an error */

static struct communicators *comms_of(ct_group *g)
{
    return g->state;
}

static bool mpi_check(int code)
{
    char text[512] = "";
    int n = 0;
    if (code == 0)
        return true;
    cti_mpi.error_text(code, text, &n);
    return ct_fail(CT_ERR_RUNTIME, "MPI error in: %s", text);
}

/* ---- beginning and end ---- */

/* Used to choose an engine. Under a launcher other than mpirun, each process would be in a world of
 * size 1. */
static bool mpi_available(void)
{
    bool other = getenv("WORLD_SIZE") && !getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PMIX_RANK");
    return !other && cti_mpi_open();
}

/* Skipped after an error: MPI_Finalize would wait for the others, and the launcher ends them if we
 * exit without it. */
static void finalize(void)
{
    if (ours && !broken)
        cti_mpi.finalize();
}

static bool begin_library(void)
{
    int flag = 0, provided = MPI_SERIALIZED_;
    if (!cti_mpi_open())
        return ct_fail(CT_ERR_RUNTIME, "MPI cannot be used: %s", cti_mpi_why());
    if (!mpi_check(cti_mpi.initialized(&flag)))
        return false;
    if (!flag) {
        if (!mpi_check(cti_mpi.init(NULL, NULL, MPI_SERIALIZED_, &provided)))
            return false;
        ours = true;
        atexit(finalize);
    }
    return provided >= MPI_SERIALIZED_ ||
           cti_refuse(CT_ERR_RUNTIME, "MPI cannot be used: the library does not allow threads");
}

static bool new_state(ct_group *g)
{
    return (g->state = cti_calloc(1, sizeof(struct communicators))) != NULL;
}

static bool know_errors(struct communicators *c)
{
    return mpi_check(cti_mpi.comm_errors(c->collective, cti_mpi.errors_return)) &&
           mpi_check(cti_mpi.comm_errors(c->tagged, cti_mpi.errors_return));
}

static bool mpi_open(ct_group *g, ct_store *store)
{
    int rank = 0, size = 0;
    pthread_mutex_lock(&lock);
    bool good = begin_library() && new_state(g) &&
                mpi_check(cti_mpi.comm_rank(cti_mpi.world, &rank)) &&
                mpi_check(cti_mpi.comm_size(cti_mpi.world, &size)) &&
                mpi_check(cti_mpi.comm_dup(cti_mpi.world, &comms_of(g)->collective)) &&
                mpi_check(cti_mpi.comm_dup(cti_mpi.world, &comms_of(g)->tagged)) &&
                know_errors(comms_of(g));
    pthread_mutex_unlock(&lock);
    (void)store; /* the library connects the processes */
    if (good && g->size >= 1 && (g->size != size || g->rank != rank))
        good = ct_fail(CT_ERR_VALUE, "mpirun started this as process %d of %d", rank, size);
    g->rank = rank;
    g->size = size;
    return good;
}

static bool mpi_split(ct_group *g, ct_group *parent, const int *ranks, int n)
{
    mpi_handle all = NULL, some = NULL;
    struct communicators *from = comms_of(parent);
    pthread_mutex_lock(&lock);
    bool good =
        new_state(g) && mpi_check(cti_mpi.comm_group(from->collective, &all)) &&
        mpi_check(cti_mpi.group_some(all, n, ranks, &some)) &&
        mpi_check(cti_mpi.comm_create(from->collective, some, 0, &comms_of(g)->collective)) &&
        mpi_check(cti_mpi.comm_create(from->collective, some, 1, &comms_of(g)->tagged)) &&
        know_errors(comms_of(g));
    if (all)
        cti_mpi.group_free(&all);
    if (some)
        cti_mpi.group_free(&some);
    pthread_mutex_unlock(&lock);
    return good;
}

static void mpi_close(ct_group *g, bool politely)
{
    struct communicators *c = comms_of(g);
    if (!c)
        return;
    pthread_mutex_lock(&lock);
    broken = broken || !politely;
    if (politely && !broken) {
        cti_mpi.comm_free(&c->collective);
        cti_mpi.comm_free(&c->tagged);
    }
    pthread_mutex_unlock(&lock);
    cti_free(c);
    g->state = NULL;
}

/* ---- messages ---- */

static bool mpi_post(ct_group *g, struct cti_transfer *t)
{
    struct communicators *c = comms_of(g);
    bool collective = t->key & CTI_KEY_COLLECTIVE;
    mpi_handle comm = collective ? c->collective : c->tagged, request = NULL;
    int tag = collective ? 0 : (int)(t->key & INT_MAX), n = (int)t->piece.nbytes;
    if (t->piece.nbytes > INT_MAX)
        return ct_fail(CT_ERR_RUNTIME, "MPI messages are limited to 2 GiB");
    pthread_mutex_lock(&lock);
    int peer = t->peer < 0 ? MPI_ANY_SOURCE_ : t->peer;
    int code = t->sends
                   ? cti_mpi.send(t->piece.data, n, cti_mpi.byte, peer, tag, comm, &request)
                   : cti_mpi.receive(t->piece.data, n, cti_mpi.byte, peer, tag, comm, &request);
    bool good = mpi_check(code);
    pthread_mutex_unlock(&lock);
    if (!good)
        return false;
    t->request = request;
    t->next = c->posted;
    c->posted = t;
    return true;
}

static void mpi_cancel(ct_group *g, struct cti_transfer *t)
{
    mpi_handle request = t->request;
    if (t->done)
        return;
    cti_transfer_unlink(&comms_of(g)->posted, t);
    pthread_mutex_lock(&lock);
    broken = true; /* the library may still write to its memory */
    cti_mpi.cancel(&request);
    cti_mpi.request_free(&request);
    pthread_mutex_unlock(&lock);
}

/* Tests whether a transfer has ended; the caller holds the lock. */
static bool test(struct cti_transfer *t)
{
    struct mpi_status status = {0};
    mpi_handle request = t->request;
    int done = 0, n = 0;
    int code = cti_mpi.test(&request, &done, &status);
    t->request = request;
    if (code) {
        t->done = t->failed = true;
        t->why = "an MPI message failed or was longer than expected";
        return true;
    }
    if (!done)
        return false;
    if (!t->sends && t->piece.nbytes && t->key != CTI_KEY_COLLECTIVE &&
        cti_mpi.count(&status, cti_mpi.byte, &n) == 0) {
        t->peer = status.source;
        t->failed = t->exact && n != t->piece.nbytes;
        t->why = "Received data size doesn't match expected size. Is there a distributed "
                 "collective mismatch in your code?";
    }
    t->done = true;
    return true;
}

/* MPI offers no way to block on progress: spin first, then sleep longer and longer. */
static void pause_for(struct communicators *c)
{
    c->idle++;
    if (c->idle < 200)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = c->idle < 2000 ? 20000 : 200000}, NULL);
}

static bool mpi_progress(ct_group *g, int64_t deadline)
{
    struct communicators *c = comms_of(g);
    bool moved = false;
    (void)deadline; /* unused: sleeps are short */
    pthread_mutex_lock(&lock);
    for (struct cti_transfer **at = &c->posted; *at;) {
        struct cti_transfer *t = *at;
        if (test(t)) {
            *at = t->next;
            moved = true;
        } else {
            at = &t->next;
        }
    }
    pthread_mutex_unlock(&lock);
    if (moved)
        c->idle = 0;
    else
        pause_for(c);
    return true;
}

static void mpi_wake(ct_group *g)
{
    (void)g; /* unused: it never sleeps for long */
}

/* ---- native collectives ---- */

/* Waits for a request by posting it as an empty transfer. */
static bool mpi_wait(ct_group *g, int code, mpi_handle request)
{
    struct cti_transfer t = {.key = CTI_KEY_COLLECTIVE, .peer = -1, .request = request};
    struct communicators *c = comms_of(g);
    if (!mpi_check(code))
        return false;
    t.next = c->posted;
    c->posted = &t;
    while (!t.done) {
        bool late = cti_now_ms() >= g->deadline;
        if (late)
            ct_fail(CT_ERR_RUNTIME, "Timed out waiting %.0fms for the operation to complete",
                    g->limit * 1000);
        if (late || !cti_group_step(g, g->deadline)) {
            cti_transfer_unlink(&c->posted, &t);
            broken = true;
            return false;
        }
    }
    return !t.failed || cti_refuse(CT_ERR_RUNTIME, "MPI error in a collective");
}

static int mpi_reduce(ct_group *g, ct_work *w)
{
    mpi_handle type = cti_mpi.type[w->dtype], op = cti_mpi.op[w->op],
               comm = comms_of(g)->collective;
    int64_t n = w->whole.nbytes / ct_dtype_size(w->dtype);
    mpi_handle request = NULL;
    bool root = g->rank == w->root, all = w->kind == CTI_ALL_REDUCE;
    void *data = w->whole.data;
    if (!type || !op || n > INT_MAX || n == 0)
        return -1;
    pthread_mutex_lock(&lock);
    int code = all ? cti_mpi.all_reduce(MPI_IN_PLACE_, data, (int)n, type, op, comm, &request)
                   : cti_mpi.reduce(root ? MPI_IN_PLACE_ : data, root ? data : NULL, (int)n, type,
                                    op, w->root, comm, &request);
    pthread_mutex_unlock(&lock);
    bool good = mpi_wait(g, code, request);
    if (good && w->op == CT_REDUCE_AVG && (all || root))
        good = cti_average(data, n, w->dtype, g->size);
    return good;
}

static int mpi_collective(ct_group *g, ct_work *w)
{
    mpi_handle request = NULL, comm = comms_of(g)->collective;
    int code = 0;
    if (w->kind == CTI_ALL_REDUCE || w->kind == CTI_REDUCE)
        return mpi_reduce(g, w);
    bool gathers =
        w->kind == CTI_ALL_GATHER && w->out[0].nbytes <= INT_MAX && cti_pieces_adjoin(g, w->out);
    bool casts = w->kind == CTI_BROADCAST && w->whole.nbytes <= INT_MAX;
    int n = gathers || casts ? (int)w->whole.nbytes : 0;
    if (!gathers && !casts && w->kind != CTI_BARRIER)
        return -1;
    pthread_mutex_lock(&lock);
    if (gathers)
        code = cti_mpi.all_gather(w->whole.data, n, cti_mpi.byte, w->out[0].data, n, cti_mpi.byte,
                                  comm, &request);
    else if (casts)
        code = cti_mpi.broadcast(w->whole.data, n, cti_mpi.byte, w->root, comm, &request);
    else
        code = cti_mpi.barrier(comm, &request);
    pthread_mutex_unlock(&lock);
    return mpi_wait(g, code, request);
}

const struct cti_engine cti_engine_mpi = {
    .name = "mpi",
    .available = mpi_available,
    .open = mpi_open,
    .split = mpi_split,
    .close = mpi_close,
    .post = mpi_post,
    .cancel = mpi_cancel,
    .progress = mpi_progress,
    .wake = mpi_wake,
    .collective = mpi_collective,
};
