/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of distributed, from bottom to top: sockets and the key table; stores; engines, which
 * carry messages between the processes of a group; collectives, made of messages; groups, each with
 * a thread that runs operations in order.
 *
 * Deadlines are milliseconds of the monotonic clock, or CTI_NEVER. */
#ifndef CORTEN_DIST_DIST_H
#define CORTEN_DIST_DIST_H

#include "corten/dist.h"

#include <pthread.h>

#define CTI_NEVER INT64_MAX

/* Starts a thread with all signals blocked, so that the program's handlers run on its own
 * threads. */
bool cti_dist_thread(pthread_t *thread, void *(*body)(void *context), void *context);

int64_t cti_now_ms(void);
int64_t cti_deadline(double seconds); /* from now; 0 or less: CTI_NEVER */

/* Condition variables on the monotonic clock. */
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

/* ---- stores: every kind answers the same requests ---- */

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
    ct_store *(*clone)(ct_store *s); /* for another thread; NULL: a reference suffices */
    bool (*address)(ct_store *s, char *text, size_t size); /* local address as seen by peers */
    void (*free)(ct_store *s);
};

struct ct_store {
    const struct cti_store_kind *kind;
    int64_t refs; /* atomic */
    double timeout;
    int port;
};

/* ct_store is the first member of each kind's struct. cti_store_begin initialises it;
 * cti_store_request runs a request: false with an error, or without one if it was interrupted. */
void cti_store_begin(ct_store *s, const struct cti_store_kind *kind, double timeout);
bool cti_store_request(ct_store *s, const struct cti_request *q, struct cti_reply *reply,
                       int64_t deadline);
ct_store *cti_store_clone(ct_store *s);
bool cti_store_address(ct_store *s, char *text, size_t size);
bool cti_store_timed_out(int64_t since, struct cti_piece key); /* sets the error; returns false */

/* ---- the table behind them ---- */

struct cti_table {
    struct cti_entry **bucket;
    int64_t nbuckets, count;
};

enum cti_answer { CTI_ANSWERED, CTI_NOT_YET, CTI_UNANSWERED };
/* Applies a request. NOT_YET: it waits for a key that does not exist. UNANSWERED: an error is
 * set. */
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

/* The wire format in both directions: this header, then the bytes of key, value and desired. */
struct cti_wire {
    uint32_t magic, kind; /* in a reply: 1 if the value is an error text */
    uint32_t key, value, desired, unused;
    int64_t number;
};
#define CTI_WIRE_MAGIC 0x31545243u
#define CTI_WIRE_MAX ((uint32_t)1 << 30) /* limit of each of the three parts */

/* ---- sockets: non-blocking, closed in forked children ---- */

int cti_socket_listen(const char *host, int *port);
int cti_socket_accept(int listener); /* -1: none pending */
/* Retries until the deadline while the connection is refused. */
int cti_socket_connect(const char *host, int port, int64_t deadline);
void cti_socket_close(int fd);
bool cti_socket_send(int fd, const void *data, int64_t n, int64_t deadline);
bool cti_socket_recv(int fd, void *data, int64_t n, int64_t deadline);
bool cti_socket_local_address(int fd, char *text, size_t size);
bool cti_interface_address(const char *name, char *text, size_t size);
/* Waits for events on a descriptor, and checks periodically for Ctrl-C. False with an error, or
 * without one at the deadline. */
bool cti_socket_wait(int fd, int events, int64_t deadline);

/* ---- messages ---- */

struct cti_transfer {
    struct cti_transfer *next;
    struct cti_piece piece;
    uint64_t key; /* matches sender and receiver */
    int64_t deadline;
    int peer;          /* -1: any; set to the sender afterwards */
    bool sends, exact; /* exact: a message of another length is an error */
    bool done, failed; /* set by the engine; `why` is static or owned by it */
    const char *why;
    int64_t moved; /* bytes transferred so far */
    void *request; /* for the engine */
};

/* Set in the keys of collectives, so that they never match point-to-point messages. */
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

/* Operations on the event that marks the end of a work on a GPU. */
enum cti_event {
    CTI_EVENT_WAIT,  /* the current stream waits for it */
    CTI_EVENT_QUERY, /* 1: completed */
    CTI_EVENT_FREE,
};

/* An engine carries messages. Collectives are built from messages (collective.c) unless the engine
 * has native ones. Entries marked "or NULL" are optional. */
struct cti_engine {
    const char *name;
    bool on_device; /* GPU memory, runs on the calling thread */
    bool (*available)(void);
    bool (*open)(ct_group *g, ct_store *store);
    bool (*split)(ct_group *g, ct_group *parent, const int *ranks, int n); /* or NULL */
    void (*close)(ct_group *g, bool politely);
    /* post starts a transfer; cancel abandons it. progress blocks until data moves, wake is called,
     * or the deadline passes. */
    bool (*post)(ct_group *g, struct cti_transfer *t);
    void (*cancel)(ct_group *g, struct cti_transfer *t);
    bool (*progress)(ct_group *g, int64_t deadline);
    void (*wake)(ct_group *g);
    /* Returns false with an error if a process that collectives need has left. Or NULL. */
    bool (*all_there)(ct_group *g);
    /* Runs several transfers to completion. NULL: uses post and progress. */
    bool (*exchange)(ct_group *g, struct cti_transfer *t, int n);
    /* Runs a collective natively: 1 done, 0 failed, -1 unsupported (use messages). Or NULL. */
    int (*collective)(ct_group *g, ct_work *w);
    /* For on_device: start and end a work on the stream, and operate on its event. */
    bool (*begin)(ct_group *g, ct_work *w);
    bool (*end)(ct_group *g, ct_work *w);
    int (*event)(ct_work *w, enum cti_event what);
};

extern const struct cti_engine cti_engine_tcp, cti_engine_mpi, cti_engine_nccl;

/* ---- work ---- */

/* A tensor of a work, as contiguous bytes at `data`: its own memory, or a copy that is copied back
 * if `out`. */
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
    struct cti_piece *in, *out; /* one per process, or `whole` */
    struct cti_piece whole;
    struct cti_transfer transfer; /* of send and recv */
    struct ct_work *next;
    void *event, *stream; /* on_device */
    int device;
    int pid; /* process that started it */
    const struct cti_engine *engine;
    /* guarded by lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool finished;
    enum ct_error_kind error;
    char *error_text;
};

ct_work *cti_work_new(ct_group *g, enum cti_work_kind kind);
/* Marks a work as finished. If not good, moves the calling thread's error into it. */
void cti_work_finish(ct_work *w, bool good);
/* Queues a work, or runs it at once on a device. Consumes w; NULL with an error. */
ct_work *cti_work_submit_take(ct_group *g, ct_work *w);

/* ---- groups ---- */

struct ct_group {
    const struct cti_engine *engine;
    void *state;     /* for the engine */
    ct_store *store; /* owned, or NULL */
    int rank, size;
    double timeout;    /* atomic: see cti_group_timeout */
    uint64_t sequence; /* number of the current collective */
    uint64_t key;      /* key of its messages */
    double limit;      /* its time limit in seconds */
    int64_t deadline;
    pthread_t thread;
    bool threaded;
    int pid;         /* process that owns the thread */
    ct_work *posted; /* messages in progress; used by the thread only */
    /* guarded by lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    ct_work *first, **last;
    bool closing, politely, busy; /* busy: the thread may be inside progress */
    enum ct_error_kind failure;   /* what ended the group */
    char *failure_text;
};

double cti_group_timeout(const ct_group *g);
/* One iteration of the thread: starts queued messages, makes progress, ends finished ones. */
bool cti_group_step(ct_group *g, int64_t deadline);
bool cti_collective_run(ct_group *g, ct_work *w);
/* Runs n transfers of a collective to completion; skips empty ones. */
bool cti_exchange(ct_group *g, struct cti_transfer *t, int n);
/* Removes a transfer from a list; false if it is not in it. */
bool cti_transfer_unlink(struct cti_transfer **list, struct cti_transfer *t);
/* Whether the pieces of all processes have equal size and are adjacent in memory. */
bool cti_pieces_adjoin(const ct_group *g, const struct cti_piece *p);
/* dst = dst op src, n elements. */
bool cti_combine(char *dst, char *src, int64_t n, enum ct_dtype dtype, enum ct_reduce_op op);
bool cti_average(char *data, int64_t n, enum ct_dtype dtype, int count);

#endif
