/* SPDX-License-Identifier: BSD-3-Clause */
/* TCP sockets. All are non-blocking and recorded, so that a forked child (such as a data loader
 * worker) closes its copies; otherwise it would keep the connections of a dead parent open. */
#define _GNU_SOURCE
#include "core/error.h"
#include "core/interrupt.h"
#include "dist/dist.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_MARKED 65536
#define SLICE_MS 50 /* between checks for Ctrl-C */

static unsigned char marked[MAX_MARKED / 8]; /* open descriptors, accessed atomically */

static void close_all_marked(void)
{
    for (int fd = 0; fd < MAX_MARKED; fd++) {
        if (marked[fd / 8] & 1 << fd % 8)
            close(fd);
    }
    memset(marked, 0, sizeof marked);
}

static void at_forks(void)
{
    pthread_atfork(NULL, NULL, close_all_marked);
}

static void mark(int fd, bool on)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, at_forks);
    if (fd < 0 || fd >= MAX_MARKED)
        return;
    unsigned char bit = (unsigned char)(1 << fd % 8);
    if (on)
        __atomic_fetch_or(&marked[fd / 8], bit, __ATOMIC_RELAXED);
    else
        __atomic_fetch_and(&marked[fd / 8], (unsigned char)~bit, __ATOMIC_RELAXED);
}

void cti_socket_close(int fd)
{
    if (fd < 0)
        return;
    mark(fd, false);
    close(fd);
}

static int socket_ready(int fd)
{
    if (fd < 0)
        return -1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &(int){1}, sizeof(int)); /* detects dead hosts */
    mark(fd, true);
    return fd;
}

/* ---- addresses ---- */

/* Resolves a host name: 0, or an error code for gai_strerror. */
static int resolve(const char *host, int port, struct addrinfo **found)
{
    char text[16];
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    *found = NULL;
    snprintf(text, sizeof text, "%d", port);
    return getaddrinfo(host, text, &hints, found);
}

static bool is_loopback(const struct sockaddr *a)
{
    if (a->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)a)->sin_addr.s_addr) >> 24 == 127;
    return a->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)a)->sin6_addr);
}

static bool address_text(const struct sockaddr *a, char *text, size_t size)
{
    static const char mapped[] = "::ffff:"; /* prefix of an IPv4 address on an IPv6 socket */
    char full[INET6_ADDRSTRLEN];
    const void *bytes = NULL;
    if (a->sa_family == AF_INET)
        bytes = &((const struct sockaddr_in *)a)->sin_addr;
    else if (a->sa_family == AF_INET6)
        bytes = &((const struct sockaddr_in6 *)a)->sin6_addr;
    if (!bytes || !inet_ntop(a->sa_family, bytes, full, sizeof full))
        return false;
    bool is_mapped = strncmp(full, mapped, sizeof mapped - 1) == 0;
    int n = snprintf(text, size, "%s", full + (is_mapped ? sizeof mapped - 1 : 0));
    return n > 0 && (size_t)n < size;
}

bool cti_socket_local_address(int fd, char *text, size_t size)
{
    struct sockaddr_storage a;
    socklen_t n = sizeof a;
    return getsockname(fd, (struct sockaddr *)&a, &n) == 0 &&
           address_text((struct sockaddr *)&a, text, size);
}

bool cti_interface_address(const char *name, char *text, size_t size)
{
    struct ifaddrs *all = NULL;
    bool good = false;
    if (getifaddrs(&all) != 0)
        return false;
    for (struct ifaddrs *i = all; i && !good; i = i->ifa_next)
        good = i->ifa_addr && i->ifa_addr->sa_family == AF_INET && strcmp(i->ifa_name, name) == 0 &&
               address_text(i->ifa_addr, text, size);
    freeifaddrs(all);
    return good;
}

/* ---- listening ---- */

static int port_of(int fd)
{
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } a = {.six = {0}};
    socklen_t n = sizeof a;
    if (getsockname(fd, &a.any, &n) != 0)
        return 0;
    return ntohs(a.any.sa_family == AF_INET6 ? a.six.sin6_port : a.four.sin_port);
}

static int listen_at(const struct sockaddr *a, socklen_t n)
{
    int fd = socket(a->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
    if (a->sa_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &(int){0}, sizeof(int));
    if (bind(fd, a, n) == 0 && listen(fd, 1024) == 0)
        return fd;
    int code = errno;
    close(fd);
    errno = code;
    return -1;
}

/* Listens on all addresses of this host, since other hosts may know it by any of them. */
static int listen_anywhere(int port)
{
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = listen_at((struct sockaddr *)&six, sizeof six);
    return fd >= 0 || errno == EADDRINUSE ? fd : listen_at((struct sockaddr *)&four, sizeof four);
}

/* Listens on the loopback interface only if the name resolves to it. */
int cti_socket_listen(const char *host, int *port)
{
    struct addrinfo *found = NULL;
    int fd = -1, unknown = host ? resolve(host, *port, &found) : 0;
    if (unknown) {
        ct_fail(CT_ERR_NETWORK, "The hostname of %s cannot be found: %s", host,
                gai_strerror(unknown));
        return -1;
    }
    if (found && is_loopback(found->ai_addr))
        fd = listen_at(found->ai_addr, found->ai_addrlen);
    else
        fd = listen_anywhere(*port);
    int code = errno;
    if (found)
        freeaddrinfo(found);
    if (fd < 0) {
        ct_fail(CT_ERR_NETWORK,
                "The server socket has failed to listen on any local network address. port: %d, "
                "useIpv6: false, code: %d, name: %s, message: %s",
                *port, -code, code == EADDRINUSE ? "EADDRINUSE" : "E?",
                code == EADDRINUSE ? "address already in use" : strerror(code));
        return -1;
    }
    *port = port_of(fd);
    return socket_ready(fd);
}

int cti_socket_accept(int listener)
{
    return socket_ready(accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

/* ---- connecting ---- */

bool cti_socket_wait(int fd, int events, int64_t deadline)
{
    for (;;) {
        int64_t left = deadline == CTI_NEVER ? SLICE_MS : deadline - cti_now_ms();
        struct pollfd p = {.fd = fd, .events = (short)events};
        if (left < 0)
            left = 0;
        int n = poll(&p, 1, (int)(left < SLICE_MS ? left : SLICE_MS));
        if (n > 0)
            return true;
        if (n < 0 && errno != EINTR)
            return ct_fail(CT_ERR_NETWORK, "%s", strerror(errno));
        if (cti_interrupted() || (n == 0 && left == 0))
            return false;
    }
}

/* If nothing listens on a port of the ephemeral range, a connecting socket may get that very port
 * and be connected with itself. */
static bool is_self_connected(int fd)
{
    struct sockaddr_storage here = {0}, there = {0};
    socklen_t nhere = sizeof here, nthere = sizeof there;
    return getsockname(fd, (struct sockaddr *)&here, &nhere) == 0 &&
           getpeername(fd, (struct sockaddr *)&there, &nthere) == 0 && nhere == nthere &&
           memcmp(&here, &there, nhere) == 0;
}

/* Tries one address; returns the descriptor, or -1 with errno. */
static int try_address(const struct addrinfo *a, int64_t deadline)
{
    int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int code = 0;
    socklen_t n = sizeof code;
    if (fd < 0)
        return -1;
    if (connect(fd, a->ai_addr, a->ai_addrlen) != 0)
        code = errno;
    if (code == EINPROGRESS) {
        code = ETIMEDOUT;
        if (cti_socket_wait(fd, POLLOUT, deadline))
            getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &n);
    }
    if (code == 0 && is_self_connected(fd))
        code = ECONNREFUSED;
    if (code == 0)
        return fd;
    close(fd);
    errno = code;
    return -1;
}

int cti_socket_connect(const char *host, int port, int64_t deadline)
{
    int64_t since = cti_now_ms();
    int pause = 5;
    for (;;) {
        struct addrinfo *found;
        int fd = -1, unknown = resolve(host, port, &found); /* retried: it may become known */
        for (struct addrinfo *a = found; a && fd < 0; a = a->ai_next)
            fd = try_address(a, deadline);
        if (found)
            freeaddrinfo(found);
        if (fd >= 0)
            return socket_ready(fd);
        if (ct_error_kind() != CT_ERR_NONE || cti_interrupted())
            return -1;
        if (cti_now_ms() + pause > deadline) {
            ct_fail(CT_ERR_NETWORK,
                    "The client socket has timed out after %lldms while trying to connect to "
                    "(%s, %d).%s%s",
                    (long long)(deadline - since), host, port, unknown ? " " : "",
                    unknown ? gai_strerror(unknown) : "");
            return -1;
        }
        poll(NULL, 0, pause);
        pause = pause < 100 ? 2 * pause : 100;
    }
}

/* ---- whole messages ---- */

static bool closed_error(void)
{
    return ct_fail(CT_ERR_NETWORK, "Failed to recv, got 0 bytes. Connection was likely closed. Did "
                                   "the remote server shutdown or crash?");
}

bool cti_socket_send(int fd, const void *data, int64_t n, int64_t deadline)
{
    const char *at = data;
    while (n > 0) {
        ssize_t sent = send(fd, at, (size_t)n, MSG_NOSIGNAL);
        if (sent > 0) {
            at += sent;
            n -= sent;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!cti_socket_wait(fd, POLLOUT, deadline))
                return false;
        } else if (errno != EINTR) {
            return closed_error();
        }
    }
    return true;
}

bool cti_socket_recv(int fd, void *data, int64_t n, int64_t deadline)
{
    char *at = data;
    while (n > 0) {
        ssize_t got = recv(fd, at, (size_t)n, 0);
        if (got > 0) {
            at += got;
            n -= got;
        } else if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            if (!cti_socket_wait(fd, POLLIN, deadline))
                return false;
        } else if (got == 0 || errno != EINTR) {
            return closed_error();
        }
    }
    return true;
}
