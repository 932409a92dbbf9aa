/* SPDX-License-Identifier: BSD-3-Clause */
/* The client of a TCP store: one request at a time over one connection. An abandoned request
 * (timeout, Ctrl-C) closes the connection, because its answer may still arrive; the next request
 * reconnects. */
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/error.h"
#include "dist/dist.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tcp_store {
    ct_store store;
    struct cti_server *server; /* NULL: runs in another process */
    pthread_mutex_t lock;
    int fd;  /* -1: not connected */
    int pid; /* process that owns the connection */
    char host[];
};

static bool send_request(int fd, const struct cti_request *q, int64_t deadline)
{
    struct cti_wire wire = {.magic = CTI_WIRE_MAGIC,
                            .kind = (uint32_t)q->kind,
                            .key = (uint32_t)q->key.nbytes,
                            .value = (uint32_t)q->value.nbytes,
                            .desired = (uint32_t)q->desired.nbytes,
                            .number = q->number};
    if (q->key.nbytes > CTI_WIRE_MAX || q->value.nbytes > CTI_WIRE_MAX ||
        q->desired.nbytes > CTI_WIRE_MAX)
        return ct_fail(CT_ERR_VALUE, "keys and values of a store are limited to 1 GiB");
    return cti_socket_send(fd, &wire, sizeof wire, deadline) &&
           cti_socket_send(fd, q->key.data, q->key.nbytes, deadline) &&
           cti_socket_send(fd, q->value.data, q->value.nbytes, deadline) &&
           cti_socket_send(fd, q->desired.data, q->desired.nbytes, deadline);
}

/* Reads a reply. *refused: the server returned an error; the connection remains usable. */
static bool receive_reply(int fd, struct cti_reply *reply, int64_t deadline, bool *refused)
{
    struct cti_wire wire;
    if (!cti_socket_recv(fd, &wire, sizeof wire, deadline))
        return false;
    if (wire.magic != CTI_WIRE_MAGIC || wire.value > CTI_WIRE_MAX)
        return ct_fail(CT_ERR_NETWORK, "the peer is not a store server");
    char *data = cti_malloc((size_t)wire.value + 1);
    if (!data || !cti_socket_recv(fd, data, wire.value, deadline)) {
        cti_free(data);
        return false;
    }
    data[wire.value] = 0;
    if (wire.kind) {
        *refused = true;
        ct_fail(CT_ERR_NETWORK, "%s", data);
        cti_free(data);
        return false;
    }
    reply->value = (struct cti_bytes){data, wire.value};
    reply->number = wire.number;
    return true;
}

/* Runs a request over the connection *fd (-1: connects first), which is closed after a failure. */
static bool ask_over(const struct tcp_store *t, int *fd, const struct cti_request *q,
                     struct cti_reply *reply, int64_t deadline)
{
    bool refused = false;
    if (*fd < 0)
        *fd = cti_socket_connect(t->host, t->store.port, deadline);
    bool good =
        *fd >= 0 && send_request(*fd, q, deadline) && receive_reply(*fd, reply, deadline, &refused);
    if (!good && !refused) {
        cti_socket_close(*fd);
        *fd = -1;
    }
    return good;
}

/* Runs a request. False with an error, or after a timeout with PyTorch's timeout error. */
static bool tcp_ask(ct_store *s, const struct cti_request *q, struct cti_reply *reply,
                    int64_t deadline)
{
    struct tcp_store *t = (struct tcp_store *)s;
    int64_t since = cti_now_ms();
    bool good;
    /* While one thread waits for a key on the connection, other threads use a temporary one. They
     * may be about to set that key, or be a signal handler on the same thread. */
    if (pthread_mutex_trylock(&t->lock) == 0) {
        if (t->pid != getpid()) { /* a forked child has closed the descriptor */
            t->fd = -1;
            t->pid = getpid();
        }
        good = ask_over(t, &t->fd, q, reply, deadline);
        pthread_mutex_unlock(&t->lock);
    } else {
        int fd = -1;
        good = ask_over(t, &fd, q, reply, deadline);
        cti_socket_close(fd);
    }
    if (good && q->kind != CTI_GET && q->kind != CTI_COMPARE_SET) {
        cti_free(reply->value.data);
        reply->value = (struct cti_bytes){0};
    }
    if (!good && ct_error_kind() == CT_ERR_NONE)
        return cti_store_timed_out(since, q->key);
    return good;
}

static bool tcp_address(ct_store *s, char *text, size_t size)
{
    struct tcp_store *t = (struct tcp_store *)s;
    pthread_mutex_lock(&t->lock);
    bool good = t->fd >= 0 && cti_socket_local_address(t->fd, text, size);
    pthread_mutex_unlock(&t->lock);
    return good;
}

static void tcp_free(ct_store *s)
{
    struct tcp_store *t = (struct tcp_store *)s;
    if (t->pid == getpid()) /* in a forked child the number may be in use again */
        cti_socket_close(t->fd);
    cti_server_stop(t->server);
    pthread_mutex_destroy(&t->lock);
    cti_free(t);
}

static ct_store *tcp_clone(ct_store *s);
static const struct cti_store_kind tcp_kind = {
    .ask = tcp_ask, .clone = tcp_clone, .address = tcp_address, .free = tcp_free};

static struct tcp_store *tcp_new(const char *host, int port, double timeout)
{
    size_t n = strlen(host) + 1;
    struct tcp_store *t = cti_malloc(sizeof *t + n);
    if (!t)
        return NULL;
    *t = (struct tcp_store){.fd = -1, .pid = getpid()};
    cti_store_begin(&t->store, &tcp_kind, timeout);
    t->store.port = port;
    pthread_mutex_init(&t->lock, NULL);
    memcpy(t->host, host, n);
    return t;
}

/* A clone has its own connection for waiting; the server stays with the original. */
static ct_store *tcp_clone(ct_store *s)
{
    struct tcp_store *t = (struct tcp_store *)s;
    struct tcp_store *copy = tcp_new(t->host, s->port, s->timeout);
    if (!copy)
        return NULL;
    copy->fd = cti_socket_connect(t->host, s->port, cti_deadline(s->timeout));
    if (copy->fd >= 0)
        return &copy->store;
    ct_store_release(&copy->store);
    return NULL;
}

/* Each process increments a counter; the server's process waits for all of them. */
static bool wait_for_clients(ct_store *s, bool serve, int64_t world_size)
{
    int64_t deadline = cti_deadline(s->timeout), since = cti_now_ms();
    int64_t here = ct_store_add(s, "init/", 1);
    while (here > INT64_MIN && serve && here < world_size) {
        if (cti_now_ms() > deadline)
            return ct_fail(CT_ERR_STORE,
                           "Timed out after %lld seconds waiting for clients. %lld/%lld clients "
                           "joined.",
                           (long long)(cti_now_ms() - since) / 1000, (long long)here,
                           (long long)world_size);
        if (!cti_socket_wait(-1, 0, cti_now_ms() + 10) && ct_error_kind() != CT_ERR_NONE)
            return false;
        here = ct_store_add(s, "init/", 0);
    }
    return here > INT64_MIN;
}

ct_store *ct_store_tcp(const char *host, int port, bool serve, int64_t world_size, double timeout)
{
    if (!cti_check_text(host, "ct_store_tcp", "host"))
        return NULL;
    if (port < 0 || port > UINT16_MAX)
        return ct_fail(CT_ERR_TYPE, "port must be between 0 and 65535, not %d", port);
    struct tcp_store *t = tcp_new(host, port, timeout);
    if (!t)
        return NULL;
    if (serve) {
        t->server = cti_server_start(host, &t->store.port);
        if (!t->server)
            goto failed;
    }
    t->fd = cti_socket_connect(host, t->store.port, cti_deadline(timeout));
    if (t->fd >= 0 && wait_for_clients(&t->store, serve, world_size))
        return &t->store;
failed:
    ct_store_release(&t->store);
    return NULL;
}
