/* SPDX-License-Identifier: BSD-3-Clause */
/* The server of a TCP store: one thread, one table, any number of connections. A request that waits
 * for a key is kept by its connection and retried when the table changes. Clients are untrusted:
 * lengths are bounded, and a connection that violates the protocol is closed. */
#define _GNU_SOURCE
#include "core/alloc.h"
#include "dist/dist.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/* A connection. Handles one request at a time: nothing more is read until the answer is sent, so
 * that a client cannot use more memory than its request needs. */
struct client {
    int fd;
    bool bad;
    char *in, *out;                   /* the request so far, and the answer */
    int64_t nin, in_room, nout, sent; /* bytes */
};

struct cti_server {
    pthread_t thread;
    int listener, stop; /* stop: eventfd */
    int pid;
    bool full; /* out of descriptors for new connections */
    struct cti_table table;
    struct client *client;
    int count, room;
};

#define FULL_MS 100    /* interval for retrying accept when full */
#define KEPT 4096      /* bytes of an idle buffer that are kept */
#define READ (1 << 16) /* minimum space in bytes for receiving */

static bool client_reserve(struct client *c, int64_t length)
{
    int64_t need = c->nin + READ < length ? c->nin + READ : length;
    if (need <= c->in_room)
        return true;
    int64_t more = need > 2 * c->in_room ? need : 2 * c->in_room;
    char *grown = cti_realloc(c->in, (size_t)more);
    if (!grown)
        return false;
    c->in = grown;
    c->in_room = more;
    return true;
}

/* Stores the answer to a request for sending. error: the value is an error text. */
static bool queue_answer(struct client *c, bool error, struct cti_piece value, int64_t number)
{
    struct cti_wire wire = {
        .magic = CTI_WIRE_MAGIC, .kind = error, .value = (uint32_t)value.nbytes, .number = number};
    c->out = cti_malloc(sizeof wire + (size_t)value.nbytes);
    if (!c->out)
        return false;
    memcpy(c->out, &wire, sizeof wire);
    if (value.nbytes)
        memcpy(c->out + sizeof wire, value.data, (size_t)value.nbytes);
    c->nout = (int64_t)sizeof wire + value.nbytes;
    c->sent = 0;
    return true;
}

/* The length of the request, as far as it is known from the received part. */
static int64_t length_of(struct client *c)
{
    struct cti_wire wire;
    if (c->nin < (int64_t)sizeof wire)
        return sizeof wire;
    memcpy(&wire, c->in, sizeof wire);
    c->bad |= wire.magic != CTI_WIRE_MAGIC || wire.kind >= CTI_REQUESTS ||
              wire.key > CTI_WIRE_MAX || wire.value > CTI_WIRE_MAX || wire.desired > CTI_WIRE_MAX;
    return (int64_t)sizeof wire + wire.key + wire.value + wire.desired;
}

/* Parses a complete request; false if it is incomplete. */
static bool parse_request(struct client *c, struct cti_request *q)
{
    struct cti_wire wire;
    if (c->nin < length_of(c) || c->nin < (int64_t)sizeof wire || c->bad)
        return false;
    memcpy(&wire, c->in, sizeof wire);
    char *at = c->in + sizeof wire;
    *q = (struct cti_request){.kind = (enum cti_request_kind)wire.kind,
                              .key = {at, wire.key},
                              .value = {at + wire.key, wire.value},
                              .desired = {at + wire.key + wire.value, wire.desired},
                              .number = wire.number};
    return true;
}

/* Answers a request if possible; true if the table may have changed. */
static bool serve(struct cti_server *server, struct client *c)
{
    struct cti_request q;
    struct cti_reply reply = {0};
    if (c->bad || c->nout || !parse_request(c, &q))
        return false;
    enum cti_answer said = cti_table_answer(&server->table, &q, &reply);
    if (said == CTI_NOT_YET)
        return false;
    const char *text = said == CTI_UNANSWERED ? ct_error() : NULL;
    struct cti_piece value = {reply.value.data, reply.value.n};
    if (text)
        value = (struct cti_piece){(char *)(uintptr_t)text, (int64_t)strlen(text)};
    c->bad = !queue_answer(c, said == CTI_UNANSWERED, value, reply.number);
    ct_clear_error();
    cti_free(reply.value.data);
    c->nin = 0;
    if (c->in_room > KEPT) {
        cti_free(c->in);
        c->in = NULL;
        c->in_room = 0;
    }
    return q.kind != CTI_GET && q.kind != CTI_CHECK && q.kind != CTI_WAIT && q.kind != CTI_COUNT;
}

/* Receives a part of the request. Data after a complete request violates the protocol. */
static void client_receive(struct client *c)
{
    int64_t length = length_of(c);
    bool complete = c->nin == length;
    char more;
    if (c->bad || !client_reserve(c, length)) {
        c->bad = true;
        return;
    }
    int64_t room = (c->in_room < length ? c->in_room : length) - c->nin;
    ssize_t n = recv(c->fd, complete ? &more : c->in + c->nin, complete ? 1 : (size_t)room, 0);
    if (n > 0 && !complete)
        c->nin += n;
    else
        c->bad |= n >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

static void transmit(struct client *c)
{
    while (c->nout > 0 && !c->bad) {
        ssize_t n = send(c->fd, c->out + c->sent, (size_t)(c->nout - c->sent), MSG_NOSIGNAL);
        if (n > 0) {
            c->sent += n;
            if (c->sent == c->nout) {
                cti_free(c->out);
                c->out = NULL;
                c->nout = 0;
            }
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        } else if (n == 0 || errno != EINTR) {
            c->bad = true;
        }
    }
}

static void client_remove(struct cti_server *server, int i)
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
    server->full = false;
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
    server->full = errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
}

/* Answers requests until none changes the table any more, then sends the answers. */
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
            client_remove(server, i);
    }
}

/* Fills the poll set: `stop`, the listener, then the clients. */
static void set_polls(const struct cti_server *server, struct pollfd *p)
{
    p[0] = (struct pollfd){.fd = server->stop, .events = POLLIN};
    p[1] = (struct pollfd){.fd = server->full ? -1 : server->listener, .events = POLLIN};
    for (int i = 0; i < server->count; i++)
        p[i + 2] = (struct pollfd){.fd = server->client[i].fd,
                                   .events = server->client[i].nout ? POLLOUT : POLLIN};
}

/* Closes all connections, so that no client waits for an answer forever. */
static void hang_up(struct cti_server *server)
{
    while (server->count)
        client_remove(server, server->count - 1);
    cti_socket_close(server->listener);
    server->listener = -1;
}

static void *server_thread(void *context)
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
        set_polls(server, p);
        if (poll(p, (nfds_t)n, server->full ? FULL_MS : -1) < 0) {
            if (errno != EINTR)
                break;
            continue; /* p is undefined */
        }
        if (p[0].revents)
            break;
        for (int i = 0; i < n - 2; i++) {
            if (p[i + 2].revents & ~POLLOUT)
                client_receive(&server->client[i]);
        }
        if (p[1].revents || server->full)
            accept_all(server);
        serve_all(server);
        ct_clear_error();
    }
    cti_free(p);
    hang_up(server);
    return NULL;
}

static void free_server(struct cti_server *server)
{
    hang_up(server);
    cti_free(server->client);
    cti_table_clear(&server->table);
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
    if (server->stop >= 0 && server->listener >= 0 &&
        cti_dist_thread(&server->thread, server_thread, server))
        return server;
    ct_fail(CT_ERR_NETWORK, "a store could not start its thread");
    free_server(server);
    return NULL;
}

void cti_server_stop(struct cti_server *server)
{
    if (!server || server->pid != getpid()) /* in a forked child the thread does not exist */
        return;
    uint64_t one = 1;
    if (write(server->stop, &one, sizeof one) == sizeof one)
        pthread_join(server->thread, NULL);
    free_server(server);
}
