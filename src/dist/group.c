/* SPDX-License-Identifier: BSD-3-Clause */
/* A group and its thread. Collectives run one after another, in the order of their calls.
 * Point-to-point messages start at once and progress while anything runs, so that a waiting receive
 * does not block others. The first failure of a collective ends the group: its connections are
 * closed, so that the other processes fail instead of waiting. */
#include "core/alloc.h"
#include "core/check_args.h"
#include "dist/dist.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cti_engine *const engines[] = {&cti_engine_tcp, &cti_engine_mpi,
                                                   &cti_engine_nccl};

static const struct cti_engine *engine_of(const char *name)
{
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        if (strcmp(engines[i]->name, name) == 0)
            return engines[i];
    }
    return NULL;
}

bool ct_dist_available(const char *engine)
{
    if (!cti_check_text(engine, "ct_dist_available", "engine"))
        return false;
    const struct cti_engine *e = engine_of(engine);
    return e && e->available();
}

int ct_group_rank(const ct_group *g)
{
    return cti_check_pointer(g, "ct_group_rank", "g") ? g->rank : -1;
}

int ct_group_size(const ct_group *g)
{
    return cti_check_pointer(g, "ct_group_size", "g") ? g->size : -1;
}

const char *ct_group_engine(const ct_group *g)
{
    return cti_check_pointer(g, "ct_group_engine", "g") ? g->engine->name : NULL;
}

void ct_group_set_timeout(ct_group *g, double timeout)
{
    if (!cti_check_pointer(g, "ct_group_set_timeout", "g"))
        return;
    __atomic_store(&g->timeout, &timeout, __ATOMIC_RELAXED);
}

double cti_group_timeout(const ct_group *g)
{
    double timeout;
    __atomic_load(&g->timeout, &timeout, __ATOMIC_RELAXED);
    return timeout;
}

/* ---- the queue ---- */

static bool is_message(const ct_work *w)
{
    return w->kind == CTI_SEND || w->kind == CTI_RECV;
}

/* Dequeues the first work that is (or is not) a message; the caller holds the lock. */
static ct_work *dequeue(ct_group *g, bool message)
{
    for (ct_work **at = &g->first; *at; at = &(*at)->next) {
        ct_work *w = *at;
        if (is_message(w) != message)
            continue;
        *at = w->next;
        if (g->last == &w->next)
            g->last = at;
        w->next = NULL;
        return w;
    }
    return NULL;
}

static double limit_of(const ct_group *g, const ct_work *w)
{
    return w->timeout > 0 ? w->timeout : cti_group_timeout(g);
}

static void finish_work(ct_work *w, bool good)
{
    cti_work_finish(w, good);
    ct_work_release(w);
}

/* ---- messages ---- */

static void post(ct_group *g, ct_work *w)
{
    struct cti_transfer *t = &w->transfer;
    t->deadline = cti_deadline(limit_of(g, w));
    t->piece = w->whole;
    if (!g->engine->post(g, t)) {
        finish_work(w, false);
        return;
    }
    w->next = g->posted;
    g->posted = w;
}

static void post_queued(ct_group *g)
{
    ct_work *w;
    do {
        pthread_mutex_lock(&g->lock);
        w = dequeue(g, true);
        pthread_mutex_unlock(&g->lock);
        if (w)
            post(g, w);
    } while (w);
}

/* Finishes completed messages. False with an error if one has timed out. */
static bool sweep(ct_group *g)
{
    int64_t now = cti_now_ms();
    bool good = true;
    for (ct_work **at = &g->posted; *at;) {
        ct_work *w = *at;
        struct cti_transfer *t = &w->transfer;
        if (!t->done && now < t->deadline) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        if (!t->done) {
            g->engine->cancel(g, t);
            good = false;
            ct_fail(CT_ERR_RUNTIME, "Timed out waiting %.0fms for %s operation to complete",
                    limit_of(g, w) * 1000, t->sends ? "send" : "recv");
        } else if (t->failed) {
            ct_fail(CT_ERR_RUNTIME, "%s", t->why);
        }
        if (!good) { /* finish clears the error; the group needs it, too */
            const char *text = ct_error();
            char copy[200];
            snprintf(copy, sizeof copy, "%s", text ? text : "");
            finish_work(w, false);
            return ct_fail(CT_ERR_RUNTIME, "%s", copy);
        }
        finish_work(w, !t->failed);
    }
    return good;
}

static int64_t next_deadline(const ct_group *g, int64_t deadline)
{
    for (ct_work *w = g->posted; w; w = w->next)
        deadline = w->transfer.deadline < deadline ? w->transfer.deadline : deadline;
    return deadline;
}

bool cti_group_step(ct_group *g, int64_t deadline)
{
    post_queued(g);
    pthread_mutex_lock(&g->lock);
    bool closing = g->closing;
    pthread_mutex_unlock(&g->lock);
    if (closing)
        return ct_fail(CT_ERR_RUNTIME, "The process group was destroyed or aborted.");
    return g->engine->progress(g, next_deadline(g, deadline)) && sweep(g);
}

/* ---- the thread ---- */

/* Ends the group with the thread's error, which every pending work gets. */
static void fail_group(ct_group *g)
{
    pthread_mutex_lock(&g->lock);
    if (!g->failure) {
        g->failure = ct_error_kind() == CT_ERR_NONE ? CT_ERR_RUNTIME : ct_error_kind();
        g->failure_text = cti_strdup(ct_error() ? ct_error() : "the process group failed");
    }
    g->busy = false;
    ct_work *queued = g->first;
    g->first = NULL;
    g->last = &g->first;
    bool politely = g->closing && g->politely;
    pthread_mutex_unlock(&g->lock);
    ct_clear_error();
    g->engine->close(g, politely);
    ct_work *lists[2] = {g->posted, queued};
    g->posted = NULL;
    for (int i = 0; i < 2; i++) {
        for (ct_work *w = lists[i], *next; w; w = next) {
            next = w->next;
            ct_fail(g->failure, "%s", g->failure_text ? g->failure_text : "failed");
            finish_work(w, false);
        }
    }
    ct_clear_error();
}

static bool run_collective(ct_group *g, ct_work *w)
{
    uint64_t number = ++g->sequence & (((uint64_t)1 << 56) - 1);
    g->key = CTI_KEY_COLLECTIVE | (uint64_t)w->kind << 56 | number;
    g->limit = limit_of(g, w);
    g->deadline = cti_deadline(g->limit);
    bool good = (!g->engine->all_there || g->engine->all_there(g)) && cti_collective_run(g, w);
    char text[512] = "";
    enum ct_error_kind kind = ct_error_kind();
    bool fatal = !good && w->kind != CTI_MONITORED_BARRIER;
    if (fatal)
        snprintf(text, sizeof text, "%s", ct_error() ? ct_error() : "");
    finish_work(w, good);
    return !fatal || ct_fail(kind ? kind : CT_ERR_RUNTIME, "%s", text);
}

static void *group_thread(void *context)
{
    ct_group *g = context;
    ct_set_grad_enabled(false);
    for (bool good = true; good;) {
        pthread_mutex_lock(&g->lock);
        g->busy = false;
        while (!g->closing && !g->first && !g->posted)
            pthread_cond_wait(&g->changed, &g->lock);
        g->busy = true;
        bool closing = g->closing;
        ct_work *w = closing ? NULL : dequeue(g, false);
        pthread_mutex_unlock(&g->lock);
        if (closing)
            break;
        post_queued(g);
        if (w)
            good = run_collective(g, w);
        else if (g->posted)
            good = sweep(g) && (!g->posted || cti_group_step(g, CTI_NEVER));
    }
    if (ct_error_kind() == CT_ERR_NONE)
        ct_fail(CT_ERR_RUNTIME, "The process group was destroyed or aborted.");
    fail_group(g);
    return NULL;
}

/* ---- submitting ---- */

static ct_work *run_here(ct_group *g, ct_work *w)
{
    bool message = is_message(w);
    bool good = g->engine->begin(g, w);
    g->key = 0;
    w->transfer.piece = w->whole;
    if (good && message)
        good = g->engine->exchange(g, &w->transfer, 1);
    else if (good)
        good = cti_collective_run(g, w);
    good = good && g->engine->end(g, w);
    if (good) {
        cti_work_finish(w, true);
        return w;
    }
    ct_work_release(w);
    return NULL;
}

ct_work *cti_work_submit_take(ct_group *g, ct_work *w)
{
    if (!w)
        return NULL;
    if (g->pid != getpid()) {
        ct_work_release(w);
        return ct_fail(CT_ERR_RUNTIME, "a process group cannot be used in a forked child: "
                                       "create one there");
    }
    if (g->engine->on_device)
        return run_here(g, w);
    pthread_mutex_lock(&g->lock);
    if (g->failure) {
        ct_fail(g->failure, "%s", g->failure_text ? g->failure_text : "the process group failed");
        pthread_mutex_unlock(&g->lock);
        ct_work_release(w);
        return NULL;
    }
    w->refs = 2; /* of the queue and of the caller */
    *g->last = w;
    g->last = &w->next;
    if (g->busy)
        g->engine->wake(g);
    pthread_cond_signal(&g->changed);
    pthread_mutex_unlock(&g->lock);
    return w;
}

/* ---- beginning and end ---- */

static void free_group(ct_group *g)
{
    pthread_mutex_destroy(&g->lock);
    pthread_cond_destroy(&g->changed);
    cti_free(g->failure_text);
    ct_store_release(g->store);
    cti_free(g);
}

static void end_group(ct_group *g, bool politely)
{
    if (!g || g->pid != getpid())
        return;
    if (g->threaded) {
        pthread_mutex_lock(&g->lock);
        g->closing = true;
        g->politely = politely;
        if (g->busy)
            g->engine->wake(g);
        pthread_cond_signal(&g->changed);
        pthread_mutex_unlock(&g->lock);
        pthread_join(g->thread, NULL);
    } else {
        g->engine->close(g, politely);
    }
    free_group(g);
}

void ct_group_close(ct_group *g)
{
    end_group(g, true);
}

void ct_group_abort(ct_group *g)
{
    end_group(g, false);
}

/* Allocates a group without connections; group_start completes it. */
static ct_group *new_group(const struct cti_engine *engine, int rank, int size, double timeout)
{
    ct_group *g = cti_calloc(1, sizeof *g);
    if (!g)
        return NULL;
    *g = (ct_group){.engine = engine, .rank = rank, .size = size, .timeout = timeout};
    g->last = &g->first;
    g->pid = getpid();
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->changed, NULL);
    return g;
}

static ct_group *group_start(ct_group *g, bool opened)
{
    if (opened && !g->engine->on_device) {
        g->threaded = cti_dist_thread(&g->thread, group_thread, g);
        opened = g->threaded;
    }
    if (opened)
        return g;
    if (g->state)
        g->engine->close(g, false);
    ct_fail(CT_ERR_RUNTIME, "a process group could not start");
    free_group(g);
    return NULL;
}

ct_group *ct_group_create(const char *name, ct_store *store, int rank, int size, double timeout)
{
    if (!cti_check_text(name, "ct_group_create", "engine"))
        return NULL;
    const struct cti_engine *engine = engine_of(name);
    if (!engine)
        return ct_fail(CT_ERR_VALUE, "Unknown backend type %s", name);
    if (size < 1 && engine != &cti_engine_mpi)
        return ct_fail(CT_ERR_RUNTIME, "a group has at least one process, not %d", size);
    if (size >= 1 && (rank < 0 || rank >= size))
        return ct_fail(CT_ERR_RUNTIME, "Invalid rank %d, rank should be in the interval [0, %d]",
                       rank, size - 1);
    ct_group *g = new_group(engine, rank, size, timeout);
    if (!g)
        return NULL;
    ct_store *own = store ? cti_store_clone(store) : NULL;
    bool good = (!store || own) && engine->open(g, own);
    ct_store_release(own);
    return group_start(g, good);
}

ct_group *ct_group_split(ct_group *group, const int *ranks, int n, double timeout)
{
    if (!(cti_check_pointer(group, "ct_group_split", "group") &&
          cti_check_array(ranks, n, "ct_group_split", "ranks")))
        return NULL;
    int rank = -1;
    for (int i = 0; i < n; i++)
        rank = ranks[i] == group->rank ? i : rank;
    if (!group->engine->split || rank < 0)
        return ct_fail(CT_ERR_RUNTIME, "%s groups cannot be split", group->engine->name);
    ct_group *g = new_group(group->engine, rank, n, timeout);
    return g ? group_start(g, group->engine->split(g, group, ranks, n)) : NULL;
}

/* ---- from the launcher's environment ---- */

static const char *first_set(const char *const *names)
{
    for (; *names; names++) {
        const char *value = getenv(*names);
        if (value && *value)
            return value;
    }
    return NULL;
}

static bool number_from(const char *const *names, int *number)
{
    const char *text = first_set(names);
    char *end = NULL;
    long value = text ? strtol(text, &end, 10) : -1;
    if (!text || *end || value < 0 || value > INT_MAX)
        return ct_fail(CT_ERR_VALUE,
                       "Error initializing torch.distributed using env:// rendezvous: environment "
                       "variable %s expected, but not set",
                       names[0]);
    *number = (int)value;
    return true;
}

/* Connects to the launcher's store if it runs one, else to one that rank 0 runs. */
static ct_store *store_from_env(const char *host, int port, int rank, int size)
{
    static const char *const agent_names[] = {"TORCHELASTIC_USE_AGENT_STORE", NULL};
    static const char *const attempt_names[] = {"TORCHELASTIC_RESTART_COUNT", NULL};
    const char *agent = first_set(agent_names), *attempt = first_set(attempt_names);
    char prefix[64];
    if (!agent || strcmp(agent, "True") != 0)
        return ct_store_tcp(host, port, rank == 0, size, 300);
    snprintf(prefix, sizeof prefix, "/worker/attempt_%.20s/c", attempt ? attempt : "0");
    ct_store *inner = ct_store_tcp(host, port, false, 0, 300);
    ct_store *store = inner ? ct_store_prefix(prefix, inner) : NULL;
    ct_store_release(inner);
    return store;
}

ct_group *ct_group_from_env(const char *engine)
{
    if (!cti_check_text(engine, "ct_group_from_env", "engine"))
        return NULL;
    static const char *const rank_names[] = {"RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                             "SLURM_PROCID", NULL};
    static const char *const size_names[] = {"WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                             "SLURM_NTASKS", NULL};
    static const char *const host_names[] = {"MASTER_ADDR", NULL};
    static const char *const port_names[] = {"MASTER_PORT", NULL};
    int rank = -1, size = -1, port = 0;
    if (strcmp(engine, "mpi") == 0)
        return ct_group_create(engine, NULL, -1, -1, 1800);
    if (!number_from(rank_names, &rank) || !number_from(size_names, &size) ||
        !number_from(port_names, &port))
        return NULL;
    const char *host = first_set(host_names);
    if (!host)
        return ct_fail(CT_ERR_VALUE,
                       "Error initializing torch.distributed using env:// rendezvous: environment "
                       "variable MASTER_ADDR expected, but not set");
    ct_store *store = store_from_env(host, port, rank, size);
    ct_group *g = store ? ct_group_create(engine, store, rank, size, 1800) : NULL;
    if (!g)
        ct_store_release(store);
    else
        g->store = store; /* keeps its server running until the group is closed */
    return g;
}
