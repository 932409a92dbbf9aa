/* SPDX-License-Identifier: BSD-3-Clause */
/* The server of a TCP store: one thread, one table, any number of connections. Requests that wait
 * for a key stay with their connection and are tried again when the table has changed. What comes
 * in is not believed: lengths are bounded, and a connection that speaks otherwise is closed. */
#define _GNU_SOURCE
#include "core/alloc.h"
#include "dist/dist.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

struct client {
    int fd;
    bool waiting, bad;          /* waiting: the request in `in` is whole and has no answer yet */
    char *in, *out;             /* bytes received; answers not sent yet */
    int64_t nin, in_room, nout; /* bytes */
};

struct cti_server {
    pthread_t thread;
    int listener, stop; /* stop: an eventfd */
    int pid;
    struct cti_table table;
    struct client *client;
    int count, room;
};

static bool reserve(char **data, int64_t *room, int64_t need)
{
    if (need <= *room)
        return true;
    int64_t more = need > 2 * *room ? need : 2 * *room;
    char *grown = cti_realloc(*data, (size_t)more);
    if (!grown)
        return false;
    *data = grown;
    *room = more;
    return true;
}

static bool answer(struct client *c, bool error, struct cti_piece value, int64_t number)
{
    struct cti_wire wire = {
        .magic = CTI_WIRE_MAGIC, .kind = error, .value = (uint32_t)value.nbytes, .number = number};
    char *grown = cti_realloc(c->out, (size_t)c->nout + sizeof wire + (size_t)value.nbytes);
    if (!grown)
        return false;
    c->out = grown;
    memcpy(grown + c->nout, &wire, sizeof wire);
    if (value.nbytes)
        memcpy(grown + c->nout + sizeof wire, value.data, (size_t)value.nbytes);
    c->nout += (int64_t)sizeof wire + value.nbytes;
    return true;
}

/* The request at the front of what came in; false: it is not whole. */
static bool parse(struct client *c, struct cti_request *q, int64_t *length)
{
    struct cti_wire wire;
    if (c->nin < (int64_t)sizeof wire)
        return false;
    memcpy(&wire, c->in, sizeof wire);
    if (wire.magic != CTI_WIRE_MAGIC || wire.kind >= CTI_REQUESTS || wire.key > CTI_WIRE_MAX ||
        wire.value > CTI_WIRE_MAX || wire.desired > CTI_WIRE_MAX) {
        c->bad = true;
        return false;
    }
    *length = (int64_t)sizeof wire + wire.key + wire.value + wire.desired;
    if (c->nin < *length)
        return false;
    char *at = c->in + sizeof wire;
    *q = (struct cti_request){.kind = (enum cti_request_kind)wire.kind,
                              .key = {at, wire.key},
                              .value = {at + wire.key, wire.value},
                              .desired = {at + wire.key + wire.value, wire.desired},
                              .number = wire.number};
    return true;
}

/* Answers what can be answered; true: the table may have changed. */
static bool serve(struct cti_server *server, struct client *c)
{
    struct cti_request q;
    int64_t length;
    bool changed = false;
    c->waiting = false;
    while (!c->bad && parse(c, &q, &length)) {
        struct cti_reply reply = {0};
        enum cti_answer said = cti_table_ask(&server->table, &q, &reply);
        if (said == CTI_NOT_YET) {
            c->waiting = true;
            break;
        }
        const char *text = said == CTI_FAILED ? ct_error() : NULL;
        struct cti_piece value = {reply.value.data, reply.value.n};
        if (text)
            value = (struct cti_piece){(char *)(uintptr_t)text, (int64_t)strlen(text)};
        c->bad = !answer(c, said == CTI_FAILED, value, reply.number);
        ct_clear_error();
        cti_free(reply.value.data);
        c->nin -= length;
        memmove(c->in, c->in + length, (size_t)c->nin);
        changed |= q.kind != CTI_GET && q.kind != CTI_CHECK && q.kind != CTI_WAIT;
    }
    return changed;
}

static void receive(struct client *c)
{
    for (;;) {
        if (!reserve(&c->in, &c->in_room, c->nin + 4096)) {
            c->bad = true;
            return;
        }
        ssize_t n = recv(c->fd, c->in + c->nin, (size_t)(c->in_room - c->nin), 0);
        if (n > 0) {
            c->nin += n;
        } else if (n < 0 && errno == EINTR) {
            continue;
        } else {
            c->bad |= n == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
            return;
        }
    }
}

static void transmit(struct client *c)
{
    while (c->nout > 0 && !c->bad) {
        ssize_t n = send(c->fd, c->out, (size_t)c->nout, MSG_NOSIGNAL);
        if (n > 0) {
            c->nout -= n;
            memmove(c->out, c->out + n, (size_t)c->nout);
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        } else if (n == 0 || errno != EINTR) {
            c->bad = true;
        }
    }
}

static void drop(struct cti_server *server, int i)
{
    struct client *c = &server->client[i];
    cti_socket_close(c->fd);
    cti_free(c->in);
    cti_free(c->out);
    *c = server->client[--server->count];
}

static void accept_all(struct cti_server *server)
{
    int fd;
    while ((fd = cti_socket_accept(server->listener)) >= 0) {
        if (server->count == server->room) {
            int room = server->room ? 2 * server->room : 16;
            struct client *grown = cti_realloc(server->client, (size_t)room * sizeof *grown);
            if (!grown) {
                cti_socket_close(fd);
                return;
            }
            server->client = grown;
            server->room = room;
        }
        server->client[server->count++] = (struct client){.fd = fd};
    }
}

/* Until nobody's request changes anything for the others. */
static void serve_all(struct cti_server *server)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < server->count; i++)
            changed |= serve(server, &server->client[i]);
    }
    for (int i = server->count; i-- > 0;) {
        transmit(&server->client[i]);
        if (server->client[i].bad)
            drop(server, i);
    }
}

static void *run(void *context)
{
    struct cti_server *server = context;
    struct pollfd *p = NULL;
    int room = 0;
    for (;;) {
        int n = server->count + 2;
        if (!p || n > room) {
            struct pollfd *grown = cti_realloc(p, 2 * (size_t)n * sizeof *grown);
            if (!grown)
                break;
            p = grown;
            room = 2 * n;
        }
        p[0] = (struct pollfd){.fd = server->stop, .events = POLLIN};
        p[1] = (struct pollfd){.fd = server->listener, .events = POLLIN};
        for (int i = 0; i < server->count; i++)
            p[i + 2] =
                (struct pollfd){.fd = server->client[i].fd,
                                .events = server->client[i].nout ? POLLIN | POLLOUT : POLLIN};
        if (poll(p, (nfds_t)n, -1) < 0 && errno != EINTR)
            break;
        if (p[0].revents)
            break;
        for (int i = 0; i < n - 2; i++) {
            if (p[i + 2].revents & ~POLLOUT)
                receive(&server->client[i]);
        }
        if (p[1].revents)
            accept_all(server);
        serve_all(server);
        ct_clear_error();
    }
    cti_free(p);
    return NULL;
}

static void free_server(struct cti_server *server)
{
    while (server->count)
        drop(server, server->count - 1);
    cti_free(server->client);
    cti_table_clear(&server->table);
    cti_socket_close(server->listener);
    if (server->stop >= 0)
        close(server->stop);
    cti_free(server);
}

struct cti_server *cti_server_start(const char *host, int *port)
{
    struct cti_server *server = cti_calloc(1, sizeof *server);
    if (!server)
        return NULL;
    server->pid = getpid();
    server->stop = eventfd(0, EFD_CLOEXEC);
    server->listener = cti_socket_listen(host, port);
    if (server->stop >= 0 && server->listener >= 0 && cti_dist_thread(&server->thread, run, server))
        return server;
    ct_fail(CT_ERR_NETWORK, "a store could not start its thread");
    free_server(server);
    return NULL;
}

void cti_server_stop(struct cti_server *server)
{
    if (!server || server->pid != getpid()) /* after a fork the thread is the parent's */
        return;
    uint64_t one = 1;
    if (write(server->stop, &one, sizeof one) == sizeof one)
        pthread_join(server->thread, NULL);
    free_server(server);
}
