/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this room share. From below: sockets and the table of keys; stores on them;
 * engines, which carry messages between the processes of a group; collectives, which are sequences
 * of messages; groups with a thread that runs them in order.
 *
 * Times are deadlines: milliseconds of the monotonic clock, CTI_NEVER where there is none. */
#ifndef CORTEN_DIST_DIST_H
#define CORTEN_DIST_DIST_H

#include "corten/dist.h"

#include <pthread.h>

#define CTI_NEVER INT64_MAX

/* A thread that no signal goes to: handlers are the program's, and run on its threads. */
bool cti_dist_thread(pthread_t *thread, void *(*body)(void *context), void *context);

int64_t cti_now_ms(void);
int64_t cti_deadline(double seconds); /* from now on; 0 or less: CTI_NEVER */

/* A condition that is waited for by the monotonic clock. */
void cti_cond_begin(pthread_cond_t *changed);
void cti_cond_wait(pthread_cond_t *changed, pthread_mutex_t *lock, int64_t ms);

/* ---- bytes ---- */

struct cti_bytes {
    char *data; /* malloc'ed */
    int64_t n;
};

struct cti_piece { /* borrowed memory of one message */
    char *data;
    int64_t nbytes;
};

/* ---- stores: one request, one reply, whatever the kind ---- */

enum cti_request_kind {
    CTI_SET,
    CTI_GET, /* waits */
    CTI_CHECK,
    CTI_WAIT,
    CTI_ADD,
    CTI_COMPARE_SET,
    CTI_APPEND,
    CTI_DELETE,
    CTI_COUNT,
    CTI_REQUESTS
};

struct cti_request {
    enum cti_request_kind kind;
    struct cti_piece key, value, desired;
    int64_t number;
};

struct cti_reply {
    struct cti_bytes value;
    int64_t number;
};

struct cti_store_kind {
    bool (*ask)(ct_store *s, const struct cti_request *q, struct cti_reply *reply,
                int64_t deadline);
    ct_store *(*clone)(ct_store *s); /* for a thread of its own; NULL: a reference will do */
    bool (*address)(ct_store *s, char *text, size_t size); /* ours, as the others see it */
    void (*free)(ct_store *s);
};

struct ct_store {
    const struct cti_store_kind *kind;
    int64_t refs; /* atomic */
    double timeout;
    int port;
};

/* Kinds embed ct_store as their first member. */
void cti_store_begin(ct_store *s, const struct cti_store_kind *kind, double timeout);
bool cti_store_request(ct_store *s, const struct cti_request *q, struct cti_reply *reply,
                       int64_t deadline);
ct_store *cti_store_clone(ct_store *s);
bool cti_store_address(ct_store *s, char *text, size_t size);
bool cti_store_timed_out(int64_t since, struct cti_piece key); /* the error; false */

/* ---- the table behind them ---- */

struct cti_table {
    struct cti_entry **bucket;
    int64_t nbuckets, count;
};

enum cti_answer { CTI_ANSWERED, CTI_NOT_YET, CTI_UNANSWERED };
/* NOT_YET: the request waits for a key that is not there. */
enum cti_answer cti_table_answer(struct cti_table *table, const struct cti_request *q,
                                 struct cti_reply *reply);
bool cti_table_get(const struct cti_table *table, struct cti_piece key, struct cti_piece *value);
bool cti_table_set(struct cti_table *table, struct cti_piece key, struct cti_piece value);
bool cti_table_delete(struct cti_table *table, struct cti_piece key);
void cti_table_clear(struct cti_table *table);

/* ---- the server of a TCP store ---- */

struct cti_server;
struct cti_server *cti_server_start(const char *host, int *port);
void cti_server_stop(struct cti_server *server);

/* Messages of both directions: this header, then the bytes of key, value and desired. */
struct cti_wire {
    uint32_t magic, kind; /* of a reply: 1 for an error whose text is the value */
    uint32_t key, value, desired, unused;
    int64_t number;
};
#define CTI_WIRE_MAGIC 0x31545243u
#define CTI_WIRE_MAX ((uint32_t)1 << 30) /* of one of the three */

/* ---- sockets: non-blocking, closed in children of a fork ---- */

int cti_socket_listen(const char *host, int *port);
int cti_socket_accept(int listener); /* -1: nobody is waiting */
/* Tries again until the deadline while nobody listens. */
int cti_socket_connect(const char *host, int port, int64_t deadline);
void cti_socket_close(int fd);
bool cti_socket_send(int fd, const void *data, int64_t n, int64_t deadline);
bool cti_socket_recv(int fd, void *data, int64_t n, int64_t deadline);
bool cti_socket_local_address(int fd, char *text, size_t size);
bool cti_interface_address(const char *name, char *text, size_t size);
/* Waits for one descriptor, and asks now and then whether the call was interrupted. False: an
 * error, or the deadline: then without one. */
bool cti_socket_wait(int fd, int events, int64_t deadline);

/* ---- messages ---- */

struct cti_transfer {
    struct cti_transfer *next;
    struct cti_piece piece;
    uint64_t key; /* what sender and receiver agree on */
    int64_t deadline;
    int peer;          /* -1: from anybody, and who it was afterwards */
    bool sends, exact; /* exact: a message of another length is an error */
    bool done, failed; /* by the engine; failed: `why` is an error's text, static or the engine's */
    const char *why;
    int64_t moved; /* bytes of the piece */
    void *request; /* the engine's */
};

/* Keys of collectives and of messages between two processes never meet. */
#define CTI_KEY_COLLECTIVE ((uint64_t)1 << 63)

/* ---- engines ---- */

enum cti_work_kind {
    CTI_ALL_REDUCE,
    CTI_REDUCE,
    CTI_BROADCAST,
    CTI_ALL_GATHER,
    CTI_GATHER,
    CTI_SCATTER,
    CTI_REDUCE_SCATTER,
    CTI_ALL_TO_ALL,
    CTI_BARRIER,
    CTI_MONITORED_BARRIER,
    CTI_SEND,
    CTI_RECV,
    CTI_WORK_KINDS
};

/* What is asked of the event at the end of a work on a GPU. */
enum cti_event {
    CTI_EVENT_WAIT,  /* the current stream waits for it */
    CTI_EVENT_QUERY, /* 1: it has come */
    CTI_EVENT_FREE,
};

/* An engine carries messages; the collectives are made of them (collective.c) unless it has its
 * own. Entries that say so may be NULL. */
struct cti_engine {
    const char *name;
    bool on_device; /* its memory is the GPU's, and it runs in the calling thread */
    bool (*available)(void);
    bool (*open)(ct_group *g, ct_store *store);
    bool (*split)(ct_group *g, ct_group *parent, const int *ranks, int n); /* or NULL */
    void (*close)(ct_group *g, bool politely);
    /* Begins a transfer. progress: until something moved, somebody woke it or the deadline came. */
    bool (*post)(ct_group *g, struct cti_transfer *t);
    void (*cancel)(ct_group *g, struct cti_transfer *t);
    bool (*progress)(ct_group *g, int64_t deadline);
    void (*wake)(ct_group *g);
    /* Whether somebody whom a collective needs is gone: the error, and false. Or NULL. */
    bool (*all_there)(ct_group *g);
    /* All of them at once; NULL: by post and progress. */
    bool (*exchange)(ct_group *g, struct cti_transfer *t, int n);
    /* A collective of its own: 1 done, 0 failed, -1 by messages after all. Or NULL. */
    int (*collective)(ct_group *g, ct_work *w);
    /* on_device: what begins and ends a work on the streams, and waiting there. */
    bool (*begin)(ct_group *g, ct_work *w);
    bool (*end)(ct_group *g, ct_work *w);
    int (*event)(ct_work *w, enum cti_event what);
};

extern const struct cti_engine cti_engine_tcp, cti_engine_mpi, cti_engine_nccl;

/* ---- work ---- */

/* A tensor of a work: its bytes lie one after the other at `data`, in the tensor itself or in a
 * copy that goes back into it. */
struct cti_work_operand {
    ct_tensor *t, *copy; /* owned; copy may be NULL */
    bool out;
    struct cti_piece piece;
};

struct ct_work {
    int64_t refs; /* atomic */
    enum cti_work_kind kind;
    enum ct_reduce_op op;
    enum ct_dtype dtype;
    int root;
    bool wait_all;
    double timeout; /* 0: the group's */
    struct cti_work_operand *operand;
    int noperands;
    struct cti_piece *in, *out; /* one for each process; whole where a kind has one */
    struct cti_piece whole;
    struct cti_transfer transfer; /* of a send or a receive */
    struct ct_work *next;
    void *event, *stream; /* on_device */
    int device;
    int pid; /* of whoever began it */
    const struct cti_engine *engine;
    /* guarded by lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool finished;
    enum ct_error_kind error;
    char *error_text;
};

ct_work *cti_work_new(ct_group *g, enum cti_work_kind kind);
/* Takes the error of the calling thread, if good is false. */
void cti_work_finish(ct_work *w, bool good);
/* Queues it, or runs it at once. Takes w over; NULL: it could not. */
ct_work *cti_work_submit_take(ct_group *g, ct_work *w);

/* ---- groups ---- */

struct ct_group {
    const struct cti_engine *engine;
    void *state;     /* the engine's */
    ct_store *store; /* released with the group; or NULL */
    int rank, size;
    double timeout;    /* atomic: see cti_group_timeout */
    uint64_t sequence; /* of the collective that is running */
    uint64_t key;      /* of its messages */
    double limit;      /* seconds that it may take */
    int64_t deadline;
    pthread_t thread;
    bool threaded;
    int pid;         /* whose thread it is: not that of a child after a fork */
    ct_work *posted; /* messages under way; the thread's */
    /* guarded by lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    ct_work *first, **last;
    bool closing, politely, busy; /* busy: the thread may be inside progress */
    enum ct_error_kind failure;   /* what ended the group */
    char *failure_text;
};

double cti_group_timeout(const ct_group *g);
/* One round of the thread: messages that were queued begin, others end. */
bool cti_group_step(ct_group *g, int64_t deadline);
bool cti_collective_run(ct_group *g, ct_work *w);
bool cti_exchange(ct_group *g, struct cti_transfer *t, int n);
/* dst = dst op src, n elements. */
bool cti_combine(char *dst, char *src, int64_t n, enum ct_dtype dtype, enum ct_reduce_op op);
bool cti_average(char *data, int64_t n, enum ct_dtype dtype, int count);

#endif
