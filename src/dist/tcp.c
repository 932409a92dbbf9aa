/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine "gloo": a TCP connection between every two processes of a group, set up through the
 * store when the group is created. Messages have headers; a message that arrives before its receive
 * is posted is kept. Only the group's thread calls these functions.
 *
 * Note [Who is gone]: a process that leaves a group sends BYE before it closes. A connection that
 * ends without BYE means that the process died: every collective of the group then fails at once,
 * in all processes, since a process that fails closes its connections, too. After BYE only
 * operations that still need that process fail. While waiting, the end of every connection is
 * watched for, and the data that is still in it is read first. */
#define _GNU_SOURCE
#include "core/alloc.h"
#include "dist/dist.h"

#include <errno.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define BYE UINT64_MAX
#define HELLO_MAGIC 0x6f6c6c6568545243u
#define LINGER_MS 2000 /* wait this long for our data to be acknowledged */

struct header {
    uint64_t key;
    int64_t nbytes;
};

struct message { /* arrived before its receive was posted */
    struct message *next;
    struct header header;
    char data[];
};

struct connection {
    int fd; /* -1: closed */
    bool bye;
    struct cti_transfer *sends, *wanted;
    struct header out, in;
    size_t out_done, in_done;     /* bytes of the headers sent and received */
    struct cti_transfer *filling; /* destination of the incoming message, */
    struct message *storing;      /* or its buffer */
    int64_t stored;
    struct message *early, **early_end;
    char why[300]; /* reason for closing */
};

struct mesh {
    int wake;             /* eventfd */
    struct connection *c; /* by rank; our own is never open */
    struct cti_transfer *any_source;
    struct pollfd *poll;
};

static struct mesh *mesh_of(ct_group *g)
{
    return g->state;
}

/* ---- lists of transfers ---- */

static void list_append(struct cti_transfer **list, struct cti_transfer *t)
{
    while (*list)
        list = &(*list)->next;
    t->next = NULL;
    *list = t;
}

static void transfer_finish(struct cti_transfer *t, const char *why)
{
    t->why = why;
    t->failed = why != NULL;
    t->done = true;
}

static void fail_all(struct cti_transfer **list, const char *why)
{
    while (*list) {
        struct cti_transfer *t = *list;
        *list = t->next;
        transfer_finish(t, why);
    }
}

/* ---- ends of connections ---- */

static void connection_close(struct connection *c)
{
    cti_socket_close(c->fd);
    c->fd = -1;
    cti_free(c->storing);
    c->storing = NULL;
}

/* Closes a connection and fails its transfers. text: the reason, NULL if the peer closed it. */
static void lose(ct_group *g, int peer, const char *text)
{
    struct mesh *m = mesh_of(g);
    struct connection *c = &m->c[peer];
    bool any_open = false;
    if (c->fd < 0)
        return;
    connection_close(c);
    snprintf(c->why, sizeof c->why, "%s%s", text ? text : "Connection closed by peer",
             text     ? ""
             : c->bye ? " which has left the group"
                      : ". This is typically caused by a remote worker hanging or bugs in "
                        "the application. Check the logs of the remote worker before "
                        "reporting an error.");
    size_t n = strlen(c->why);
    snprintf(c->why + n, sizeof c->why - n, " (rank %d)", peer);
    fail_all(&c->sends, c->why);
    fail_all(&c->wanted, c->why);
    if (c->filling) /* it is in no list */
        transfer_finish(c->filling, c->why);
    c->filling = NULL;
    for (int i = 0; i < g->size; i++)
        any_open |= m->c[i].fd >= 0;
    if (!c->bye || !any_open)
        fail_all(&m->any_source, c->why);
}

static bool tcp_all_there(ct_group *g)
{
    struct mesh *m = mesh_of(g);
    for (int i = 0; i < g->size; i++) {
        if (i != g->rank && m->c[i].fd < 0 && !m->c[i].bye)
            return ct_fail(CT_ERR_RUNTIME, "%s", m->c[i].why);
    }
    return true;
}

/* ---- sending ---- */

/* Sends as much of the header and data as one system call accepts. False: cannot send more now. */
static bool send_some(struct connection *c, struct cti_transfer *t, bool *lost)
{
    struct iovec part[2];
    int n = 0;
    if (c->out_done < sizeof c->out)
        part[n++] = (struct iovec){(char *)&c->out + c->out_done, sizeof c->out - c->out_done};
    if (t->moved < t->piece.nbytes)
        part[n++] = (struct iovec){t->piece.data + t->moved, (size_t)(t->piece.nbytes - t->moved)};
    ssize_t sent =
        sendmsg(c->fd, &(struct msghdr){.msg_iov = part, .msg_iovlen = (size_t)n}, MSG_NOSIGNAL);
    if (sent < 0) {
        *lost = errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR;
        return errno == EINTR;
    }
    size_t head = sizeof c->out - c->out_done;
    head = (size_t)sent < head ? (size_t)sent : head;
    c->out_done += head;
    t->moved += sent - (ssize_t)head;
    return true;
}

static void send_queue(ct_group *g, int peer)
{
    struct connection *c = &mesh_of(g)->c[peer];
    bool lost = false;
    while (c->sends && !lost) {
        struct cti_transfer *t = c->sends;
        if (c->out_done == 0)
            c->out = (struct header){t->key, t->piece.nbytes};
        if (!send_some(c, t, &lost))
            break;
        if (c->out_done == sizeof c->out && t->moved == t->piece.nbytes) {
            c->sends = t->next;
            c->out_done = 0;
            transfer_finish(t, NULL);
        }
    }
    if (lost)
        lose(g, peer, NULL);
}

/* ---- receiving ---- */

static const char *const mismatch = "Received data size doesn't match expected size. Is there a "
                                    "distributed collective mismatch in your code?";

static bool length_fits(const struct cti_transfer *t, int64_t nbytes)
{
    return t->exact ? nbytes == t->piece.nbytes : nbytes <= t->piece.nbytes;
}

/* Finds and unlinks the receive that matches a header. */
static struct cti_transfer *match_receive(struct mesh *m, int peer, struct header h)
{
    struct cti_transfer **lists[2] = {&m->c[peer].wanted, &m->any_source};
    for (int i = 0; i < 2; i++) {
        for (struct cti_transfer *t = *lists[i]; t; t = t->next) {
            if (t->key == h.key) {
                cti_transfer_unlink(lists[i], t);
                t->peer = peer;
                return t;
            }
        }
    }
    return NULL;
}

/* Whether a collective with the same number but another kind is expected: the processes
 * disagree. */
static bool contradicts(struct mesh *m, int peer, struct header h)
{
    uint64_t number = ((uint64_t)1 << 56) - 1;
    for (struct cti_transfer *t = m->c[peer].wanted; t; t = t->next) {
        if (t->key & h.key & CTI_KEY_COLLECTIVE && (t->key & number) == (h.key & number))
            return true;
    }
    return false;
}

/* Handles a complete header. False if the connection is lost. */
static bool begin_message(ct_group *g, int peer)
{
    struct mesh *m = mesh_of(g);
    struct connection *c = &m->c[peer];
    struct header h = c->in;
    if (h.key == BYE) {
        c->bye = true;
        c->in_done = 0;
        return true;
    }
    c->filling = match_receive(m, peer, h);
    if (h.nbytes < 0 ||
        (c->filling ? !length_fits(c->filling, h.nbytes) : contradicts(m, peer, h))) {
        lose(g, peer, mismatch);
        return false;
    }
    if (c->filling) {
        c->filling->moved = 0;
        c->filling->piece.nbytes = h.nbytes;
        return true;
    }
    c->storing = cti_malloc(sizeof *c->storing + (size_t)h.nbytes);
    c->stored = 0;
    if (c->storing) {
        *c->storing = (struct message){.header = h};
        return true;
    }
    ct_clear_error();
    lose(g, peer, "out of memory for a message received early");
    return false;
}

/* Copies a stored message to the receive that it matches, and frees it. */
static void deliver(struct cti_transfer *t, struct message *s)
{
    bool good = length_fits(t, s->header.nbytes);
    if (good) {
        memcpy(t->piece.data, s->data, (size_t)s->header.nbytes);
        t->moved = t->piece.nbytes = s->header.nbytes;
    }
    transfer_finish(t, good ? NULL : mismatch);
    cti_free(s);
}

static void end_message(ct_group *g, int peer)
{
    struct mesh *m = mesh_of(g);
    struct connection *c = &m->c[peer];
    struct message *s = c->storing;
    c->in_done = 0;
    if (c->filling) {
        transfer_finish(c->filling, NULL);
        c->filling = NULL;
        return;
    }
    c->storing = NULL;
    struct cti_transfer *t = match_receive(m, peer, s->header); /* posted meanwhile */
    if (!t) {
        s->next = NULL;
        *c->early_end = s;
        c->early_end = &s->next;
        return;
    }
    deliver(t, s);
}

/* Where the next received bytes go. */
static struct cti_piece receive_target(struct connection *c)
{
    struct cti_transfer *t = c->filling;
    if (c->in_done < sizeof c->in)
        return (struct cti_piece){(char *)&c->in + c->in_done,
                                  (int64_t)(sizeof c->in - c->in_done)};
    if (t)
        return (struct cti_piece){t->piece.data + t->moved, t->piece.nbytes - t->moved};
    return (struct cti_piece){c->storing->data + c->stored, c->storing->header.nbytes - c->stored};
}

/* Accounts for n received bytes. False if the connection is lost. */
static bool advance(ct_group *g, int peer, int64_t n)
{
    struct connection *c = &mesh_of(g)->c[peer];
    if (c->in_done < sizeof c->in) {
        c->in_done += (size_t)n;
        if (c->in_done < sizeof c->in)
            return true;
        if (!begin_message(g, peer))
            return false;
    } else if (c->filling) {
        c->filling->moved += n;
    } else {
        c->stored += n;
    }
    if (c->in_done == sizeof c->in && receive_target(c).nbytes == 0)
        end_message(g, peer);
    return true;
}

/* Receives messages. all: everything, since the connection is ending; otherwise only while a
 * receive is pending, so that a fast sender fills its own memory rather than ours. */
static void tcp_receive(ct_group *g, int peer, bool all)
{
    struct mesh *m = mesh_of(g);
    struct connection *c = &m->c[peer];
    while (c->fd >= 0 && (all || c->in_done || c->wanted || m->any_source)) {
        struct cti_piece p = receive_target(c);
        ssize_t n = recv(c->fd, p.data, (size_t)p.nbytes, 0);
        if (n > 0) {
            if (!advance(g, peer, n))
                return;
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        } else if (n == 0 || errno != EINTR) {
            c->bye = c->bye && c->in_done == 0;
            lose(g, peer, NULL);
        }
    }
}

/* ---- the engine's entries ---- */

static bool take_early(struct connection *c, struct cti_transfer *t)
{
    for (struct message **at = &c->early; *at; at = &(*at)->next) {
        struct message *s = *at;
        if (s->header.key != t->key)
            continue;
        *at = s->next;
        if (c->early_end == &s->next)
            c->early_end = at;
        deliver(t, s);
        return true;
    }
    return false;
}

static bool tcp_post(ct_group *g, struct cti_transfer *t)
{
    struct mesh *m = mesh_of(g);
    t->moved = 0;
    if (t->peer < 0) {
        for (int i = 0; i < g->size; i++) {
            if (take_early(&m->c[i], t)) {
                t->peer = i;
                return true;
            }
        }
        list_append(&m->any_source, t);
        return true;
    }
    struct connection *c = &m->c[t->peer];
    if (!t->sends && take_early(c, t))
        return true;
    if (c->fd < 0) {
        transfer_finish(t, c->why);
        return true;
    }
    list_append(t->sends ? &c->sends : &c->wanted, t);
    if (t->sends)
        send_queue(g, t->peer);
    return true;
}

/* A transfer that has started cannot be undone, so its connection is closed. */
static void tcp_cancel(ct_group *g, struct cti_transfer *t)
{
    struct mesh *m = mesh_of(g);
    if (t->done || cti_transfer_unlink(&m->any_source, t) || t->peer < 0)
        return;
    struct connection *c = &m->c[t->peer];
    bool moving = c->filling == t || (t->sends && c->sends == t && c->out_done);
    if (moving)
        lose(g, t->peer, "a transfer was cancelled");
    else
        cti_transfer_unlink(t->sends ? &c->sends : &c->wanted, t);
}

static void tcp_wake(ct_group *g)
{
    uint64_t one = 1;
    ssize_t n = write(mesh_of(g)->wake, &one, sizeof one);
    (void)n; /* full: already awake */
}

static bool tcp_progress(ct_group *g, int64_t deadline)
{
    struct mesh *m = mesh_of(g);
    int64_t left = deadline == CTI_NEVER ? -1 : deadline - cti_now_ms();
    for (int i = 0; i < g->size; i++) {
        struct connection *c = &m->c[i];
        bool reads = c->in_done || c->wanted || m->any_source;
        m->poll[i] = (struct pollfd){
            .fd = c->fd,
            .events = (short)(POLLRDHUP | (reads ? POLLIN : 0) | (c->sends ? POLLOUT : 0))};
    }
    m->poll[g->size] = (struct pollfd){.fd = m->wake, .events = POLLIN};
    if (left < 0 && deadline != CTI_NEVER)
        left = 0;
    if (left > 1000000)
        left = 1000000;
    if (poll(m->poll, (nfds_t)g->size + 1, (int)left) < 0)
        return errno == EINTR || ct_fail(CT_ERR_RUNTIME, "%s", strerror(errno));
    for (int i = 0; i < g->size; i++) {
        short got = m->poll[i].revents;
        if (got & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL))
            tcp_receive(g, i, true);
        else if (got & POLLIN)
            tcp_receive(g, i, false);
        if (got & POLLOUT && m->c[i].fd >= 0)
            send_queue(g, i);
    }
    uint64_t count;
    if (m->poll[g->size].revents && read(m->wake, &count, sizeof count) < 0)
        return errno == EAGAIN || errno == EINTR || ct_fail(CT_ERR_OS, "%s", strerror(errno));
    return true;
}

/* ---- closing ---- */

static void send_bye(struct connection *c, int64_t deadline)
{
    struct header bye = {BYE, 0};
    if (c->fd >= 0 && c->out_done == 0 && !cti_socket_send(c->fd, &bye, sizeof bye, deadline))
        ct_clear_error();
}

/* Waits until our data is acknowledged: closing a socket with unread input discards unsent
 * output. */
static void linger(struct connection *c, int64_t deadline)
{
    struct pollfd p = {.fd = c->fd};
    int unsent = 0;
    while (c->fd >= 0 && ioctl(c->fd, SIOCOUTQ, &unsent) == 0 && unsent > 0 &&
           cti_now_ms() < deadline && poll(&p, 1, 1) == 0) /* otherwise the peer has closed */
        ;
}

static void tcp_close(ct_group *g, bool politely)
{
    struct mesh *m = mesh_of(g);
    int64_t deadline = cti_now_ms() + LINGER_MS;
    if (!m)
        return;
    for (int i = 0; i < g->size && politely; i++)
        send_bye(&m->c[i], deadline);
    for (int i = 0; i < g->size && m->c; i++) {
        if (politely)
            linger(&m->c[i], deadline);
        lose(g, i, "the group was closed");
        for (struct message *s = m->c[i].early, *next; s; s = next) {
            next = s->next;
            cti_free(s);
        }
    }
    fail_all(&m->any_source, "the group was closed");
    if (m->wake >= 0)
        close(m->wake);
    cti_free(m->c);
    cti_free(m->poll);
    cti_free(m);
    g->state = NULL;
}

/* ---- connecting ---- */

struct hello {
    uint64_t magic;
    unsigned char token[16];
    int64_t rank;
};

/* Agrees on a random token through the store; it identifies members to each other. */
static bool agree_on_token(ct_store *store, struct hello *hello)
{
    unsigned char mine[16];
    int64_t n = 0;
    if (getrandom(mine, sizeof mine, 0) != sizeof mine)
        return ct_fail(CT_ERR_OS, "no random bytes");
    char *token = ct_store_compare_set(store, "token", "", 0, mine, sizeof mine, &n);
    if (token && n == sizeof mine)
        memcpy(hello->token, token, sizeof mine);
    bool good = token && n == sizeof mine;
    free(token);
    return good;
}

static bool publish(ct_group *g, ct_store *store, int *listener)
{
    char address[128] = "127.0.0.1", key[32], text[160];
    const char *interface = getenv("GLOO_SOCKET_IFNAME");
    int port = 0;
    if (interface && *interface && !cti_interface_address(interface, address, sizeof address))
        return ct_fail(CT_ERR_RUNTIME, "Unable to find address for: %s", interface);
    if (!interface || !*interface)
        cti_store_address(store, address, sizeof address);
    *listener = cti_socket_listen(address, &port);
    int n = snprintf(text, sizeof text, "%d %s", port, address);
    snprintf(key, sizeof key, "%d", g->rank);
    return *listener >= 0 && ct_store_set(store, key, text, n);
}

/* Connects to a lower rank at the address that it published, and sends our hello. */
static bool connect_to(ct_group *g, ct_store *store, int peer, struct hello hello, int64_t deadline)
{
    char key[32];
    int64_t n;
    snprintf(key, sizeof key, "%d", peer);
    char *text = ct_store_get(store, key, &n), *host = NULL;
    if (!text)
        return false;
    int port = (int)strtol(text, &host, 10);
    int fd = *host == ' ' ? cti_socket_connect(host + 1, port, deadline) : -1;
    free(text);
    mesh_of(g)->c[peer].fd = fd;
    hello.rank = g->rank;
    return fd >= 0 && cti_socket_send(fd, &hello, sizeof hello, deadline);
}

static bool timed_out(const ct_group *g)
{
    return ct_error_kind() == CT_ERR_NONE
               ? ct_fail(CT_ERR_RUNTIME, "Gloo connectFullMesh failed with timeout after %.0f ms",
                         cti_group_timeout(g) * 1000)
               : false;
}

/* Accepts connections from all higher ranks, in any order; rejects others. */
static bool accept_others(ct_group *g, int listener, const struct hello *want, int64_t deadline)
{
    struct mesh *m = mesh_of(g);
    for (int missing = g->size - 1 - g->rank; missing > 0;) {
        struct hello hello;
        if (!cti_socket_wait(listener, POLLIN, deadline))
            return timed_out(g);
        int fd = cti_socket_accept(listener);
        int64_t patience = cti_now_ms() + 5000;
        if (fd < 0 && (errno == EMFILE || errno == ENFILE))
            return ct_fail(CT_ERR_OS, "[Errno %d] %s", errno, strerror(errno));
        if (fd < 0)
            continue;
        bool good =
            cti_socket_recv(fd, &hello, sizeof hello, patience < deadline ? patience : deadline) &&
            hello.magic == want->magic &&
            memcmp(hello.token, want->token, sizeof hello.token) == 0 && hello.rank > g->rank &&
            hello.rank < g->size && m->c[hello.rank].fd < 0;
        if (good) {
            m->c[hello.rank].fd = fd;
            missing--;
        } else {
            cti_socket_close(fd);
            if (ct_error_kind() == CT_ERR_INTERRUPT)
                return false;
            ct_clear_error();
        }
    }
    return true;
}

static bool tcp_open(ct_group *g, ct_store *store)
{
    struct hello hello = {.magic = HELLO_MAGIC};
    int64_t deadline = cti_deadline(cti_group_timeout(g));
    int listener = -1;
    struct mesh *m = g->state = cti_calloc(1, sizeof *m);
    if (!m)
        return false;
    m->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    m->c = cti_calloc((size_t)g->size, sizeof *m->c);
    m->poll = cti_calloc((size_t)g->size + 1, sizeof *m->poll);
    bool good = m->c && m->poll &&
                (m->wake >= 0 || ct_fail(CT_ERR_OS, "[Errno %d] %s", errno, strerror(errno)));
    for (int i = 0; i < g->size && m->c; i++)
        m->c[i] = (struct connection){.fd = -1, .early_end = &m->c[i].early};
    good =
        good && (g->size == 1 || (agree_on_token(store, &hello) && publish(g, store, &listener)));
    for (int i = 0; i < g->rank && good; i++)
        good = connect_to(g, store, i, hello, deadline) || timed_out(g);
    good = good && accept_others(g, listener, &hello, deadline);
    cti_socket_close(listener);
    if (m->c)
        m->c[g->rank].bye = true;
    return good;
}

static bool tcp_available(void)
{
    return true;
}

const struct cti_engine cti_engine_tcp = {
    .name = "gloo",
    .available = tcp_available,
    .open = tcp_open,
    .close = tcp_close,
    .post = tcp_post,
    .cancel = tcp_cancel,
    .progress = tcp_progress,
    .wake = tcp_wake,
    .all_there = tcp_all_there,
};
