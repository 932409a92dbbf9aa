/* SPDX-License-Identifier: BSD-3-Clause */
/* Misbehaving peers and clients, and bad files: messages of wrong lengths, endless requests, a
 * store file that is not a store's, no file descriptors left. */
#define _GNU_SOURCE
#include "../check.h"

#include <corten.h>
#include <corten/dist.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND 0
#endif

static int connected(int port)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof a) == 0);
    return fd;
}

static bool all_sent(int fd, const void *data, size_t n)
{
    const char *at = data;
    while (n > 0) {
        ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

/* ---- a peer that sends malformed messages ---- */

struct peer {
    pthread_t thread;
    ct_store *store;
    int64_t key, nbytes; /* of its only message */
    size_t sent;         /* bytes that follow */
    bool leaves;
};

static void *speak(void *context)
{
    static char junk[1 << 14];
    struct peer *p = context;
    struct {
        uint64_t magic;
        char token[16];
        int64_t rank;
    } hello = {.magic = 0x6f6c6c6568545243u, .rank = 1};
    int64_t n, header[2] = {p->key, p->nbytes};
    char *address = ct_store_get(p->store, "0", &n), *token = ct_store_get(p->store, "token", &n);
    CHECK(address && token && n == sizeof hello.token);
    memcpy(hello.token, token, sizeof hello.token);
    int fd = connected(atoi(address));
    memset(junk, 0x40, sizeof junk);
    all_sent(fd, &hello, sizeof hello);
    all_sent(fd, header, sizeof header);
    all_sent(fd, junk, p->sent);
    while (!p->leaves && recv(fd, junk, sizeof junk, 0) > 0)
        ;
    close(fd);
    free(address);
    free(token);
    return NULL;
}

/* Receives 16 bytes with tag 3 into the middle of a larger buffer. */
static void receive_from(struct peer p, const char *text)
{
    CT_SCOPE;
    ct_tensor *around = ct_zeros(CT_SHAPE(4096)), *x = ct_at(around, "100:104");
    p.store = ct_store_hash();
    CHECK(pthread_create(&p.thread, NULL, speak, &p) == 0);
    ct_group *g = ct_group_create("gloo", p.store, 0, 2, 30);
    CHECK(g && !ct_wait(ct_dist_irecv(g, x, 1, 3)));
    CHECK(ct_error() && strstr(ct_error(), text));
    ct_clear_error();
    ct_group_close(g);
    pthread_join(p.thread, NULL);
    CHECK(ct_item(ct_any(ct_at(around, ":100"))) == 0 &&
          ct_item(ct_any(ct_at(around, "104:"))) == 0);
    ct_store_release(p.store);
}

static void test_messages(void)
{
    receive_from((struct peer){.key = 3, .nbytes = -1, .sent = 1 << 14}, "doesn't match");
    receive_from((struct peer){.key = 3, .nbytes = 17, .sent = 1 << 14}, "doesn't match");
    receive_from((struct peer){.key = 9, .nbytes = -1, .sent = 1 << 14}, "doesn't match");
    receive_from((struct peer){.key = 9, .nbytes = (int64_t)1 << 62}, "out of memory");
    receive_from((struct peer){.key = 3, .nbytes = INT64_MIN}, "doesn't match");
    receive_from((struct peer){.key = 3, .nbytes = 16, .sent = 8, .leaves = true},
                 "closed by peer");
}

/* ---- a group of one process ---- */

static void test_own_parts(void)
{
    CT_SCOPE;
    static const char text[] = "ProcessGroupGloo::alltoall: input and output tensors must have the "
                               "same size";
    ct_group *g = ct_group_create("gloo", NULL, 0, 1, 30);
    ct_tensor *around = ct_zeros(CT_SHAPE(4096)), *x = ct_at(around, "10:11");
    ct_tensor *three = ct_ones(CT_SHAPE(3));
    CHECK(!ct_dist_all_to_all(g, ct_list_of(&x, 1), ct_list_of(&three, 1)));
    CHECK_ERROR("RuntimeError", text);
    CHECK(!ct_dist_all_to_all_single(g, x, three, CT_NO_DIMS, CT_NO_DIMS));
    CHECK_ERROR("RuntimeError", text);
    CHECK(ct_item(ct_any(around)) == 0);
    int64_t negative = -3;
    CHECK(!ct_dist_all_to_all_single(g, three, three, ct_ints_of(&negative, 1), CT_NO_DIMS));
    CHECK_ERROR("RuntimeError", "Split sizes must be non-negative");
    CHECK(!ct_dist_isend(g, x, 0, 0) && ct_error());
    ct_clear_error();
    ct_group_close(g);
    CHECK(!ct_group_create("gloo", NULL, -1, 0, 1));
    CHECK_ERROR("RuntimeError", "a group has at least one process, not 0");
    CHECK(ct_group_rank(NULL) == -1 && ct_group_size(NULL) == -1 && !ct_work_done(NULL));
    CHECK_ERROR("TypeError", "ct_group_rank(): argument 'g' is NULL");
}

/* ---- clients of a store ---- */

struct wire {
    uint32_t magic, kind, key, value, desired, unused;
    int64_t number;
};

enum { GET = 1, CHECK_KEY = 2 };

static void test_clients(void)
{
    static char more[1 << 16];
    struct {
        struct wire wire;
        char key[2];
    } request = {{.magic = 0x31545243u, .kind = CHECK_KEY, .key = 2}, "no"};
    enum { BYTES = sizeof request.wire + sizeof request.key };
    char two[2 * BYTES];
    struct wire reply[2];
    ct_store *server = ct_store_tcp("127.0.0.1", 0, true, 0, 30);
    int fd = connected(ct_store_port(server));
    for (int i = 0; i < 2; i++)
        memcpy(two + i * BYTES, &request, BYTES);
    CHECK(all_sent(fd, two, sizeof two)); /* two requests in one write */
    CHECK(recv(fd, reply, sizeof reply, MSG_WAITALL) == sizeof reply && reply[1].number == 0);
    request.wire.kind = GET; /* blocks; the server closes a client that keeps sending */
    bool open = all_sent(fd, &request, BYTES);
    for (int i = 0; i < 2000 && open; i++)
        open = all_sent(fd, more, sizeof more);
    CHECK(!open);
    close(fd);
    CHECK(ct_store_set(server, "k", "v", 1) && ct_store_check(server, "k") == 1);
    CHECK(!ct_store_tcp("127.0.0.1", 70000, true, 0, 1));
    CHECK_ERROR("TypeError", "port must be between 0 and 65535, not 70000");
    ct_store_release(server);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A server without free descriptors waits for one, and does not spin. */
static void test_no_descriptors(void)
{
    struct rlimit before, few;
    int taken[64], n = 0;
    ct_store *server = ct_store_tcp("127.0.0.1", 0, true, 0, 30);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    getrlimit(RLIMIT_NOFILE, &before);
    few = before;
    few.rlim_cur = 48;
    CHECK(fd < 48 && setrlimit(RLIMIT_NOFILE, &few) == 0);
    while (n < 64 && (taken[n] = dup(fd)) >= 0)
        n++;
    struct sockaddr_in a = {.sin_family = AF_INET,
                            .sin_port = htons((uint16_t)ct_store_port(server))};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(connect(fd, (struct sockaddr *)&a, sizeof a) == 0);
    double start = cpu_seconds();
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    CHECK(cpu_seconds() - start < 0.1);
    while (n > 0)
        close(taken[--n]);
    setrlimit(RLIMIT_NOFILE, &before);
    struct wire ask = {.magic = 0x31545243u, .kind = CHECK_KEY}, reply;
    CHECK(all_sent(fd, &ask, sizeof ask));
    CHECK(recv(fd, &reply, sizeof reply, MSG_WAITALL) == sizeof reply);
    close(fd);
    ct_store_release(server);
}

static void test_long_values(void)
{
    ct_store *s = ct_store_hash();
    int64_t n = (int64_t)1 << 30, length;
    char *zeros = calloc(1, (size_t)n);
    CHECK(zeros && ct_store_set(s, "k", "v", 1) && !ct_store_append(s, "k", zeros, n));
    CHECK_ERROR("ValueError", "keys and values of a store are limited to 1 GiB");
    char *value = ct_store_get(s, "k", &length);
    CHECK(value && length == 1);
    CHECK(ct_store_set(s, "n", "5\0x", 3) && ct_store_add(s, "n", 1) == INT64_MIN);
    ct_clear_error();
    free(value);
    free(zeros);
    ct_store_release(s);
}

/* ---- a store's file ---- */

static void append_to(const char *path, const void *data, size_t n)
{
    FILE *f = fopen(path, "ab");
    CHECK(f && fwrite(data, 1, n, f) == n && fclose(f) == 0);
}

static void test_files(void)
{
    static const char path[] = "peers.test", text[] = "a letter to a friend";
    char back[64] = "";
    char value[200] = "";
    remove(path);
    append_to(path, text, sizeof text);
    ct_store *s = ct_store_file(path);
    CHECK(!ct_store_set(s, "k", "v", 1));
    CHECK_ERROR("RuntimeError", "'peers.test' is not the file of a store");
    FILE *f = fopen(path, "rb");
    CHECK(f && fread(back, 1, sizeof back, f) == sizeof text && strcmp(back, text) == 0);
    fclose(f);
    remove(path);
    CHECK(ct_store_set(s, "a", value, sizeof value)); /* creates the file again, longer */
    f = fopen(path, "rb");
    CHECK(f && fread(value, 1, 150, f) == 150);
    fclose(f);
    append_to(path, value, 150); /* as if a process died while writing */
    CHECK(ct_store_set(s, "b", "v", 1));
    ct_store *other = ct_store_file(path);
    CHECK(ct_store_num_keys(other) == 2 && ct_store_check(other, "b") == 1);
    CHECK(ct_store_set(other, "c", "v", 1) && ct_store_check(s, "c") == 1);
    remove(path); /* other processes create it again */
    ct_store *third = ct_store_file(path);
    CHECK(ct_store_set(third, "d", "v", 1));
    CHECK(ct_store_num_keys(s) == 1 && ct_store_check(s, "d") == 1);
    ct_store_release(third);
    ct_store_release(other);
    ct_store_release(s);
    remove(path);
}

/* ---- children of a fork ---- */

static int in_child(ct_store *store, ct_group *g, ct_work *w, ct_tensor *x)
{
    int64_t n;
    char *value = ct_store_get(store, "k", &n);
    if (!value || n != 1 || ct_dist_all_reduce(g, x, CT_REDUCE_SUM) || !ct_error())
        return 1;
    ct_clear_error();
    if (ct_work_wait(w, 0) || !ct_error() || !strstr(ct_error(), "forked"))
        return 2;
    free(value);
    return 0;
}

/* In the child, the parent's descriptor numbers may belong to other files, which must stay open. */
static int files_stay(ct_store *store)
{
    int file[64], bad = 0;
    for (int i = 0; i < 64; i++)
        file[i] = open("/dev/null", O_RDONLY);
    ct_store_release(store);
    for (int i = 0; i < 64; i++)
        bad += fcntl(file[i], F_GETFD) < 0;
    return bad;
}

static int status_of(int child)
{
    int status = -1;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_forks(void)
{
    CT_SCOPE;
    ct_store *server = ct_store_tcp("127.0.0.1", 0, true, 0, 5), *table = ct_store_hash();
    ct_store *client = ct_store_tcp("127.0.0.1", ct_store_port(server), false, 0, 5);
    struct peer p = {.store = table, .key = 8, .nbytes = 0};
    CHECK(pthread_create(&p.thread, NULL, speak, &p) == 0);
    ct_group *g = ct_group_create("gloo", table, 0, 2, 30);
    ct_tensor *x = ct_zeros(CT_SHAPE(4));
    ct_work *w = ct_dist_irecv(g, x, 1, 3);
    CHECK(ct_store_set(server, "k", "v", 1));
    int child = fork();
    if (child == 0) {
        alarm(30);
        _exit(in_child(client, g, w, x));
    }
    CHECK(status_of(child) == 0);
    if ((child = fork()) == 0)
        _exit(files_stay(client));
    CHECK(status_of(child) == 0);
    CHECK(ct_store_check(client, "k") == 1);
    ct_group_close(g);
    pthread_join(p.thread, NULL);
    ct_work_release(w);
    ct_store_release(client);
    ct_store_release(server);
    ct_store_release(table);
}

/* ---- a store that two threads use ---- */

static void *wait_for_key(void *store)
{
    int64_t n;
    char *value = ct_store_get(store, "late", &n);
    CHECK(value && n == 1);
    free(value);
    return NULL;
}

static void test_waiting_threads(void)
{
    pthread_t thread;
    ct_store *server = ct_store_tcp("127.0.0.1", 0, true, 0, 5);
    CHECK(pthread_create(&thread, NULL, wait_for_key, server) == 0);
    nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
    CHECK(ct_store_set(server, "late", "v", 1));
    pthread_join(thread, NULL);
    ct_clear_error();
    ct_store_release(server);
}

int main(void)
{
    test_messages();
    test_own_parts();
    test_clients();
    if (!RUNNING_ON_VALGRIND) /* valgrind needs descriptors itself */
        test_no_descriptors();
    test_long_values();
    test_files();
    test_waiting_threads();
    if (!RUNNING_ON_VALGRIND) /* valgrind reports other threads' memory as lost in a child */
        test_forks();
    return failures > 0;
}
