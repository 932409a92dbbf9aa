/* SPDX-License-Identifier: BSD-3-Clause */
/* Stores: the public calls, expressed as requests, and the two kinds that need neither file nor
 * socket: a table within this process, and another store under a prefix. */
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/interrupt.h"
#include "dist/dist.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#define DEFAULT_TIMEOUT 300.0 /* seconds, as in PyTorch */
#define SLICE_MS 50           /* between checks for Ctrl-C */

bool cti_dist_thread(pthread_t *thread, void *(*body)(void *context), void *context)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool good = pthread_create(thread, NULL, body, context) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

int64_t cti_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void cti_cond_begin(pthread_cond_t *changed)
{
    pthread_condattr_t how;
    pthread_condattr_init(&how);
    pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
    pthread_cond_init(changed, &how);
    pthread_condattr_destroy(&how);
}

void cti_cond_wait(pthread_cond_t *changed, pthread_mutex_t *lock, int64_t ms)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ms * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(changed, lock, &until);
}

int64_t cti_deadline(double seconds)
{
    if (!(seconds > 0) || seconds > 1e12)
        return CTI_NEVER;
    return cti_now_ms() + (int64_t)(seconds * 1000 + 0.5);
}

void cti_store_begin(ct_store *s, const struct cti_store_kind *kind, double timeout)
{
    *s = (ct_store){.kind = kind, .refs = 1, .timeout = timeout};
}

bool cti_store_request(ct_store *s, const struct cti_request *q, struct cti_reply *reply,
                       int64_t deadline)
{
    *reply = (struct cti_reply){0};
    return s && s->kind->ask(s, q, reply, deadline);
}

ct_store *cti_store_clone(ct_store *s)
{
    return s->kind->clone ? s->kind->clone(s) : ct_store_retain(s);
}

bool cti_store_address(ct_store *s, char *text, size_t size)
{
    return s->kind->address && s->kind->address(s, text, size);
}

bool cti_store_timed_out(int64_t since, struct cti_piece key)
{
    return ct_fail(CT_ERR_STORE, "wait timeout after %lldms, keys: /%.*s",
                   (long long)(cti_now_ms() - since), (int)(key.nbytes < 1000 ? key.nbytes : 1000),
                   key.data);
}

ct_store *ct_store_retain(ct_store *s)
{
    if (s)
        __atomic_fetch_add(&s->refs, 1, __ATOMIC_RELAXED);
    return s;
}

void ct_store_release(ct_store *s)
{
    if (s && __atomic_fetch_sub(&s->refs, 1, __ATOMIC_ACQ_REL) == 1)
        s->kind->free(s);
}

double ct_store_timeout(const ct_store *s)
{
    if (!cti_check_pointer(s, "ct_store_timeout", "s"))
        return NAN;
    return s->timeout;
}

void ct_store_set_timeout(ct_store *s, double timeout)
{
    if (!cti_check_pointer(s, "ct_store_set_timeout", "s"))
        return;
    s->timeout = timeout;
}

int ct_store_port(const ct_store *s)
{
    return cti_check_pointer(s, "ct_store_port", "s") ? s->port : -1;
}

/* ---- the calls ---- */

static struct cti_piece text_piece(const char *text)
{
    return (struct cti_piece){(char *)(uintptr_t)text, (int64_t)strlen(text)};
}

static struct cti_piece bytes_piece(const void *data, int64_t n)
{
    return (struct cti_piece){(char *)(uintptr_t)data, n};
}

bool ct_store_set(ct_store *s, const char *key, const void *value, int64_t n)
{
    if (!(cti_check_pointer(s, "ct_store_set", "s") && cti_check_text(key, "ct_store_set", "key") &&
          cti_check_array(value, n, "ct_store_set", "value")))
        return false;
    struct cti_reply reply;
    struct cti_request q = {CTI_SET, .key = text_piece(key), .value = bytes_piece(value, n)};
    return cti_store_request(s, &q, &reply, cti_deadline(s->timeout));
}

char *ct_store_get(ct_store *s, const char *key, int64_t *n)
{
    if (!(cti_check_pointer(s, "ct_store_get", "s") && cti_check_text(key, "ct_store_get", "key") &&
          cti_check_pointer(n, "ct_store_get", "n")))
        return NULL;
    struct cti_reply reply;
    struct cti_request q = {CTI_GET, .key = text_piece(key)};
    if (!cti_store_request(s, &q, &reply, cti_deadline(s->timeout)))
        return NULL;
    *n = reply.value.n;
    return reply.value.data;
}

/* Sets PyTorch's message, which names all keys of the call. */
static bool name_keys(const char *const *keys, int64_t count, int64_t ms)
{
    char text[1024];
    size_t at = 0;
    text[0] = 0;
    for (int64_t i = 0; i < count && at < sizeof text; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s/%s", i ? ", " : "", keys[i]);
    ct_clear_error();
    return ct_fail(CT_ERR_STORE, "wait timeout after %lldms, keys: %s", (long long)ms, text);
}

bool ct_store_wait(ct_store *s, const char *const *keys, int64_t count, double timeout)
{
    if (!(cti_check_pointer(s, "ct_store_wait", "s") &&
          cti_check_array(keys, count, "ct_store_wait", "keys")))
        return false;
    int64_t deadline = cti_deadline(timeout);
    struct cti_reply reply;
    for (int64_t i = 0; i < count; i++) {
        struct cti_request q = {CTI_WAIT, .key = text_piece(keys[i])};
        if (cti_store_request(s, &q, &reply, deadline))
            continue;
        return ct_error_kind() == CT_ERR_STORE ? name_keys(keys, count, (int64_t)(timeout * 1000))
                                               : false;
    }
    return true;
}

/* Runs a request that returns a number. */
static int64_t number_of(ct_store *s, struct cti_request q, int64_t failed)
{
    struct cti_reply reply;
    return cti_store_request(s, &q, &reply, cti_deadline(s->timeout)) ? reply.number : failed;
}

int ct_store_check(ct_store *s, const char *key)
{
    if (!(cti_check_pointer(s, "ct_store_check", "s") &&
          cti_check_text(key, "ct_store_check", "key")))
        return -1;
    return (int)number_of(s, (struct cti_request){CTI_CHECK, .key = text_piece(key)}, -1);
}

int64_t ct_store_add(ct_store *s, const char *key, int64_t by)
{
    if (!(cti_check_pointer(s, "ct_store_add", "s") && cti_check_text(key, "ct_store_add", "key")))
        return INT64_MIN;
    struct cti_request q = {CTI_ADD, .key = text_piece(key), .number = by};
    return number_of(s, q, INT64_MIN);
}

char *ct_store_compare_set(ct_store *s, const char *key, const void *expected, int64_t nexpected,
                           const void *desired, int64_t ndesired, int64_t *n)
{
    if (!(cti_check_pointer(s, "ct_store_compare_set", "s") &&
          cti_check_text(key, "ct_store_compare_set", "key") &&
          cti_check_array(expected, nexpected, "ct_store_compare_set", "expected") &&
          cti_check_array(desired, ndesired, "ct_store_compare_set", "desired") &&
          cti_check_pointer(n, "ct_store_compare_set", "n")))
        return NULL;
    struct cti_reply reply;
    struct cti_request q = {CTI_COMPARE_SET, .key = text_piece(key),
                            .value = bytes_piece(expected, nexpected),
                            .desired = bytes_piece(desired, ndesired)};
    if (!cti_store_request(s, &q, &reply, cti_deadline(s->timeout)))
        return NULL;
    *n = reply.value.n;
    return reply.value.data;
}

bool ct_store_append(ct_store *s, const char *key, const void *value, int64_t n)
{
    if (!(cti_check_pointer(s, "ct_store_append", "s") &&
          cti_check_text(key, "ct_store_append", "key") &&
          cti_check_array(value, n, "ct_store_append", "value")))
        return false;
    struct cti_request q = {CTI_APPEND, .key = text_piece(key), .value = bytes_piece(value, n)};
    return number_of(s, q, -1) >= 0;
}

int ct_store_delete(ct_store *s, const char *key)
{
    if (!(cti_check_pointer(s, "ct_store_delete", "s") &&
          cti_check_text(key, "ct_store_delete", "key")))
        return -1;
    return (int)number_of(s, (struct cti_request){CTI_DELETE, .key = text_piece(key)}, -1);
}

int64_t ct_store_num_keys(ct_store *s)
{
    if (!cti_check_pointer(s, "ct_store_num_keys", "s"))
        return -1;
    return number_of(s, (struct cti_request){CTI_COUNT, .key = text_piece("")}, -1);
}

/* ---- a table of this process ---- */

struct hash_store {
    ct_store store;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct cti_table table;
};

/* Runs a request; those that wait for a key are retried after every change. */
static bool hash_ask(ct_store *s, const struct cti_request *q, struct cti_reply *reply,
                     int64_t deadline)
{
    struct hash_store *h = (struct hash_store *)s;
    int64_t since = cti_now_ms();
    enum cti_answer answer;
    bool stopped = false;
    pthread_mutex_lock(&h->lock);
    while ((answer = cti_table_answer(&h->table, q, reply)) == CTI_NOT_YET &&
           cti_now_ms() < deadline && !stopped) {
        cti_cond_wait(&h->changed, &h->lock, SLICE_MS);
        pthread_mutex_unlock(&h->lock);
        stopped = cti_interrupted(); /* unlocked: a signal handler may use the store */
        pthread_mutex_lock(&h->lock);
    }
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
    if (answer == CTI_NOT_YET && !stopped)
        return cti_store_timed_out(since, q->key);
    return answer == CTI_ANSWERED;
}

static void hash_free(ct_store *s)
{
    struct hash_store *h = (struct hash_store *)s;
    cti_table_clear(&h->table);
    pthread_mutex_destroy(&h->lock);
    pthread_cond_destroy(&h->changed);
    cti_free(h);
}

ct_store *ct_store_hash(void)
{
    static const struct cti_store_kind kind = {.ask = hash_ask, .free = hash_free};
    struct hash_store *h = cti_calloc(1, sizeof *h);
    if (!h)
        return NULL;
    cti_store_begin(&h->store, &kind, DEFAULT_TIMEOUT);
    pthread_mutex_init(&h->lock, NULL);
    cti_cond_begin(&h->changed);
    return &h->store;
}

/* ---- another store under a prefix ---- */

struct prefix_store {
    ct_store store, *inner;
    size_t nprefix;
    char prefix[];
};

/* Passes a request with a prefixed key to the inner store. */
static bool prefix_ask(ct_store *s, const struct cti_request *q, struct cti_reply *reply,
                       int64_t deadline)
{
    struct prefix_store *p = (struct prefix_store *)s;
    size_t nkey = (size_t)q->key.nbytes;
    struct cti_request below = *q;
    char *key = cti_malloc(p->nprefix + nkey + 1);
    if (!key)
        return false;
    memcpy(key, p->prefix, p->nprefix);
    memcpy(key + p->nprefix, q->key.data, nkey);
    below.key = (struct cti_piece){key, (int64_t)(p->nprefix + nkey)};
    bool good = cti_store_request(p->inner, &below, reply, deadline);
    cti_free(key);
    return good;
}

static ct_store *prefix_over(struct prefix_store *p, ct_store *inner);

static ct_store *prefix_clone(ct_store *s)
{
    struct prefix_store *p = (struct prefix_store *)s;
    ct_store *inner = cti_store_clone(p->inner);
    ct_store *copy = inner ? prefix_over(p, inner) : NULL;
    ct_store_release(inner);
    return copy;
}

static bool prefix_address(ct_store *s, char *text, size_t size)
{
    return cti_store_address(((struct prefix_store *)s)->inner, text, size);
}

static void prefix_free(ct_store *s)
{
    ct_store_release(((struct prefix_store *)s)->inner);
    cti_free(s);
}

static const struct cti_store_kind prefix_kind = {
    .ask = prefix_ask, .clone = prefix_clone, .address = prefix_address, .free = prefix_free};

static ct_store *prefix_new(const char *prefix, size_t n, ct_store *inner)
{
    struct prefix_store *p = cti_malloc(sizeof *p + n);
    if (!p)
        return NULL;
    cti_store_begin(&p->store, &prefix_kind, inner->timeout);
    p->store.port = inner->port;
    p->inner = ct_store_retain(inner);
    p->nprefix = n;
    memcpy(p->prefix, prefix, n);
    return &p->store;
}

static ct_store *prefix_over(struct prefix_store *p, ct_store *inner)
{
    return prefix_new(p->prefix, p->nprefix, inner);
}

ct_store *ct_store_prefix(const char *prefix, ct_store *inner)
{
    if (!(cti_check_text(prefix, "ct_store_prefix", "prefix") &&
          cti_check_pointer(inner, "ct_store_prefix", "inner")))
        return NULL;
    size_t n = strlen(prefix);
    char *with_slash = inner ? cti_malloc(n + 2) : NULL;
    if (!with_slash)
        return NULL;
    memcpy(with_slash, prefix, n);
    memcpy(with_slash + n, "/", 2);
    ct_store *s = prefix_new(with_slash, n + 1, inner);
    cti_free(with_slash);
    return s;
}
