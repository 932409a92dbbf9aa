/* SPDX-License-Identifier: BSD-3-Clause */
/* The engine "nccl", for tensors on GPUs: NVIDIA's library, loaded at run time. The calling thread
 * launches work on the current stream of its GPU. The host does not wait for it; an event marks its
 * end. The communicator is created for the GPU of the first tensor, since programs select their GPU
 * after joining a group. CORTEN_NCCL names another library file. */
#define _GNU_SOURCE
#include "core/alloc.h"
#include "core/error.h"
#include "corten/cuda.h"
#include "corten/own.h"
#include "dist/dist.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct nccl_comm *nccl_comm;
struct nccl_id {
    char bytes[128];
};

/* field, name in the library, arguments */
#define NCCL_FUNCTIONS(X)                                                                          \
    X(unique_id, ncclGetUniqueId, (struct nccl_id * id))                                           \
    X(init, ncclCommInitRank, (nccl_comm * comm, int size, struct nccl_id id, int rank))           \
    X(destroy, ncclCommDestroy, (nccl_comm comm))                                                  \
    X(abort, ncclCommAbort, (nccl_comm comm))                                                      \
    X(group_start, ncclGroupStart, (void))                                                         \
    X(group_end, ncclGroupEnd, (void))                                                             \
    X(all_reduce, ncclAllReduce,                                                                   \
      (const void *in, void *out, size_t n, int type, int op, nccl_comm comm, void *stream))       \
    X(reduce, ncclReduce,                                                                          \
      (const void *in, void *out, size_t n, int type, int op, int root, nccl_comm comm,            \
       void *stream))                                                                              \
    X(broadcast, ncclBroadcast,                                                                    \
      (const void *in, void *out, size_t n, int type, int root, nccl_comm comm, void *stream))     \
    X(all_gather, ncclAllGather,                                                                   \
      (const void *in, void *out, size_t n, int type, nccl_comm comm, void *stream))               \
    X(reduce_scatter, ncclReduceScatter,                                                           \
      (const void *in, void *out, size_t n, int type, int op, nccl_comm comm, void *stream))       \
    X(send, ncclSend,                                                                              \
      (const void *data, size_t n, int type, int peer, nccl_comm comm, void *stream))              \
    X(receive, ncclRecv, (void *data, size_t n, int type, int peer, nccl_comm comm, void *stream))

static struct {
#define FIELD(name, symbol, arguments) int(*name) arguments;
    NCCL_FUNCTIONS(FIELD)
#undef FIELD
    const char *(*error_text)(int code);
} nccl;

enum { NCCL_BYTE = 1, NCCL_SUM = 0, NCCL_PRODUCT, NCCL_MAX, NCCL_MIN, NCCL_AVG };

struct communicator {
    nccl_comm comm; /* NULL until the first work */
    int device;
    void *stream; /* stream of the current work */
    ct_store *store;
};

static bool usable;

static void nccl_load(void)
{
    static const char *const versions[] = {".2", "", NULL};
    const char *chosen = getenv("CORTEN_NCCL");
    void *library = chosen && *chosen ? dlopen(chosen, RTLD_NOW | RTLD_LOCAL)
                                      : ct_cuda_open_library("libnccl", versions);
    if (!library)
        return;
    usable = true;
#define LOAD(name, symbol, arguments)                                                              \
    *(void **)&nccl.name = dlsym(library, #symbol);                                                \
    usable = usable && nccl.name;
    NCCL_FUNCTIONS(LOAD)
#undef LOAD
    *(void **)&nccl.error_text = dlsym(library, "ncclGetErrorString");
    usable = usable && nccl.error_text;
}

static bool nccl_available(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (ct_cuda_device_count() == 0)
        return false;
    pthread_once(&once, nccl_load);
    return usable;
}

static bool nccl_check(int code)
{
    return code == 0 || cti_refuse(CT_ERR_BACKEND, "NCCL error in: %s", nccl.error_text(code));
}

static struct communicator *comm_of(ct_group *g)
{
    return g->state;
}

/* ---- beginning and end ---- */

static bool nccl_open(ct_group *g, ct_store *store)
{
    if (ct_cuda_device_count() == 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "ProcessGroupNCCL is only supported with GPUs, no GPUs found!");
    if (!nccl_available())
        return ct_fail(CT_ERR_RUNTIME, "Distributed package doesn't have NCCL built in");
    if (!store)
        return ct_fail(CT_ERR_VALUE, "nccl needs a store");
    struct communicator *c = g->state = cti_calloc(1, sizeof *c);
    if (c)
        c->store = ct_store_retain(store);
    return c != NULL;
}

static void nccl_close(ct_group *g, bool politely)
{
    struct communicator *c = comm_of(g);
    if (!c)
        return;
    if (c->comm && politely) {
        ct_cuda_synchronize(c->device);
        nccl.destroy(c->comm);
    } else if (c->comm) {
        nccl.abort(c->comm);
    }
    ct_store_release(c->store);
    cti_free(c);
    g->state = NULL;
}

/* Distributes rank 0's id through the store. */
static bool agree_on_id(ct_group *g, struct nccl_id *id)
{
    ct_store *store = comm_of(g)->store;
    int64_t n = 0;
    if (g->rank == 0)
        return nccl_check(nccl.unique_id(id)) && ct_store_set(store, "nccl", id, sizeof *id);
    char *value = ct_store_get(store, "nccl", &n);
    bool good = value && n == sizeof *id;
    if (good)
        memcpy(id, value, sizeof *id);
    free(value);
    return good;
}

static bool nccl_join(ct_group *g, int device)
{
    struct communicator *c = comm_of(g);
    struct nccl_id id;
    if (c->comm)
        return device == c->device || cti_refuse(CT_ERR_RUNTIME,
                                                 "all tensors of a group must be on one GPU per "
                                                 "process: expected cuda:%d, got cuda:%d",
                                                 c->device, device);
    c->device = device;
    /* ct_cuda_stream_query makes the GPU's context current, which NCCL requires. */
    return ct_cuda_set_device(device) && agree_on_id(g, &id) &&
           ct_cuda_stream_query(device, NULL) >= 0 &&
           nccl_check(nccl.init(&c->comm, g->size, id, g->rank));
}

/* NCCL works on the thread's current GPU; restores the program's choice afterwards. */
static bool nccl_begin(ct_group *g, ct_work *w)
{
    struct communicator *c = comm_of(g);
    int before = ct_cuda_current_device();
    /* A barrier has no tensor: use the GPU of the group's tensors. */
    w->device = w->noperands ? ct_device_of(w->operand[0].t).index : c->comm ? c->device : before;
    bool good = nccl_join(g, w->device) && ct_cuda_set_device(w->device);
    if (good)
        c->stream = w->stream = ct_cuda_current_stream(w->device);
    if (before != w->device)
        ct_cuda_set_device(before);
    return good;
}

static bool nccl_end(ct_group *g, ct_work *w)
{
    (void)g;
    w->event = ct_cuda_event_create(w->device, false, false);
    return w->event && ct_cuda_event_record(w->device, w->event, w->stream);
}

static int nccl_event(ct_work *w, enum cti_event what)
{
    void *now;
    switch (what) {
    case CTI_EVENT_WAIT:
        now = ct_cuda_current_stream(w->device);
        return now == w->stream || ct_cuda_stream_wait_event(w->device, now, w->event);
    case CTI_EVENT_QUERY:
        return ct_cuda_event_query(w->device, w->event);
    case CTI_EVENT_FREE:
        ct_cuda_event_destroy(w->event);
        w->event = NULL;
    }
    return 0;
}

/* ---- messages ---- */

static bool nccl_exchange(ct_group *g, struct cti_transfer *t, int n)
{
    struct communicator *c = comm_of(g);
    bool good = nccl_check(nccl.group_start());
    for (int i = 0; i < n && good; i++) {
        size_t nbytes = (size_t)t[i].piece.nbytes;
        if (t[i].peer < 0)
            good = ct_fail(CT_ERR_RUNTIME, "recv from any rank is not supported with NCCL");
        else if (t[i].sends)
            good = nccl_check(
                nccl.send(t[i].piece.data, nbytes, NCCL_BYTE, t[i].peer, c->comm, c->stream));
        else
            good = nccl_check(
                nccl.receive(t[i].piece.data, nbytes, NCCL_BYTE, t[i].peer, c->comm, c->stream));
    }
    return nccl_check(nccl.group_end()) && good;
}

/* Sends a piece to every process and receives one from each, including ourselves; for scatter and
 * gather only to or from the root. */
static bool scatter_and_gather(ct_group *g, ct_work *w)
{
    struct cti_transfer *t = cti_calloc(2 * (size_t)g->size, sizeof *t);
    int n = 0;
    if (!t)
        return false;
    for (int i = 0; i < g->size; i++) {
        bool mine = g->rank == w->root, root = i == w->root;
        bool all = w->kind == CTI_ALL_TO_ALL || w->kind == CTI_ALL_GATHER;
        if (all || (w->kind == CTI_SCATTER ? mine : root))
            t[n++] = (struct cti_transfer){
                .piece = w->kind == CTI_ALL_TO_ALL || w->kind == CTI_SCATTER ? w->in[i] : w->whole,
                .peer = i,
                .sends = true};
        if (all || (w->kind == CTI_SCATTER ? root : mine))
            t[n++] = (struct cti_transfer){.piece = w->kind == CTI_SCATTER ? w->whole : w->out[i],
                                           .peer = i};
    }
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (t[i].piece.nbytes)
            t[used++] = t[i];
    }
    bool good = used == 0 || nccl_exchange(g, t, used);
    cti_free(t);
    return good;
}

/* ---- reductions ---- */

/* Complex numbers are reduced as pairs of real ones. */
static bool nccl_type(const ct_work *w, int *type, int64_t *element)
{
    static const int types[CT_DTYPE_COUNT] = {
        [CT_BOOL] = 2,      [CT_INT8] = 1,       [CT_UINT8] = 2,     [CT_INT32] = 3,
        [CT_UINT32] = 4,    [CT_INT64] = 5,      [CT_UINT64] = 6,    [CT_FLOAT16] = 7,
        [CT_FLOAT32] = 8,   [CT_FLOAT64] = 9,    [CT_BFLOAT16] = 10, [CT_COMPLEX32] = 7,
        [CT_COMPLEX64] = 8, [CT_COMPLEX128] = 9,
    };
    *type = types[w->dtype] - 1;
    *element = ct_dtype_size(w->dtype) / (ct_dtype_is_complex(w->dtype) ? 2 : 1);
    return *type >= 0 ||
           cti_refuse(CT_ERR_RUNTIME,
                      "Input tensor data type is not supported for NCCL process group: %s",
                      w->dtype == CT_INT16 ? "Short" : "UInt16");
}

static bool nccl_op(const ct_work *w, int *op)
{
    static const int ops[CT_REDUCE_OPS] = {[CT_REDUCE_SUM] = NCCL_SUM,
                                           [CT_REDUCE_AVG] = NCCL_AVG,
                                           [CT_REDUCE_PRODUCT] = NCCL_PRODUCT,
                                           [CT_REDUCE_MIN] = NCCL_MIN,
                                           [CT_REDUCE_MAX] = NCCL_MAX};
    if (w->op >= CT_REDUCE_BAND)
        return ct_fail(CT_ERR_VALUE, "Cannot use ReduceOp.%s with NCCL",
                       w->op == CT_REDUCE_BAND  ? "BAND"
                       : w->op == CT_REDUCE_BOR ? "BOR"
                                                : "BXOR");
    *op = ops[w->op];
    if (w->dtype == CT_BOOL) /* for bytes 0 and 1, "or" is max and "and" is min */
        *op = w->op == CT_REDUCE_SUM || w->op == CT_REDUCE_MAX ? NCCL_MAX : NCCL_MIN;
    return true;
}

static bool nccl_reduce(ct_group *g, ct_work *w)
{
    struct communicator *c = comm_of(g);
    int type = 0, op = 0;
    int64_t element = 1;
    if (!nccl_type(w, &type, &element) || !nccl_op(w, &op))
        return false;
    void *data = w->whole.data;
    size_t n = (size_t)(w->whole.nbytes / element);
    if (w->kind == CTI_ALL_REDUCE)
        return nccl_check(nccl.all_reduce(data, data, n, type, op, c->comm, c->stream));
    if (w->kind == CTI_REDUCE)
        return nccl_check(nccl.reduce(data, data, n, type, op, w->root, c->comm, c->stream));
    if (cti_pieces_adjoin(g, w->in))
        return nccl_check(
            nccl.reduce_scatter(w->in[0].data, data, n, type, op, c->comm, c->stream));
    bool good = nccl_check(nccl.group_start());
    for (int i = 0; i < g->size && good; i++)
        good = nccl_check(nccl.reduce(w->in[i].data, data, (size_t)(w->in[i].nbytes / element),
                                      type, op, i, c->comm, c->stream));
    return nccl_check(nccl.group_end()) && good;
}

/* All-reduces one byte and synchronises the host. */
static bool nccl_barrier(ct_group *g)
{
    struct communicator *c = comm_of(g);
    struct ct_device device = {CT_CUDA, c->device};
    ct_tensor *mark = ct_own_zeros(ct_ints_of((int64_t[]){1}, 1), CT_UINT8, device, false);
    void *data = mark ? ct_data(mark) : NULL;
    bool good =
        data &&
        nccl_check(nccl.all_reduce(data, data, 1, NCCL_BYTE, NCCL_SUM, c->comm, c->stream)) &&
        ct_cuda_stream_synchronize(c->device, c->stream);
    ct_release(mark);
    return good;
}

static int nccl_collective(ct_group *g, ct_work *w)
{
    struct communicator *c = comm_of(g);
    void *data = w->whole.data;
    size_t n = (size_t)w->whole.nbytes;
    switch (w->kind) {
    case CTI_ALL_REDUCE:
    case CTI_REDUCE:
    case CTI_REDUCE_SCATTER:
        return nccl_reduce(g, w);
    case CTI_BROADCAST:
        return nccl_check(nccl.broadcast(data, data, n, NCCL_BYTE, w->root, c->comm, c->stream));
    case CTI_ALL_GATHER:
        if (cti_pieces_adjoin(g, w->out))
            return nccl_check(
                nccl.all_gather(data, w->out[0].data, n, NCCL_BYTE, c->comm, c->stream));
        return scatter_and_gather(g, w);
    case CTI_GATHER:
    case CTI_SCATTER:
    case CTI_ALL_TO_ALL:
        return scatter_and_gather(g, w);
    case CTI_BARRIER:
        return nccl_barrier(g);
    case CTI_MONITORED_BARRIER:
    case CTI_SEND:
    case CTI_RECV:
    case CTI_WORK_KINDS:
        break;
    }
    return cti_refuse(CT_ERR_RUNTIME, "no such collective");
}

const struct cti_engine cti_engine_nccl = {
    .name = "nccl",
    .on_device = true,
    .available = nccl_available,
    .open = nccl_open,
    .close = nccl_close,
    .exchange = nccl_exchange,
    .collective = nccl_collective,
    .begin = nccl_begin,
    .end = nccl_end,
    .event = nccl_event,
};
