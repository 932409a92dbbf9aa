/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolutions by cuDNN's graph API, with one operation per graph. A plan uses the first engine in
 * cuDNN's ranking that the switches allow and that finalizes; plans are cached by geometry. Handles
 * are not thread-safe, so a lock for each device guards its handle and its plans. Called by
 * conv.c. */
#include "cuda/conv/cudnn.h"

#include "accelerator/plans.h"
#include "core/alloc.h"
#include "cuda/runtime/kernel.h"

#include <pthread.h>
#include <string.h>

/* ---- the library: our own declarations of cudnn_graph.h ---- */

typedef struct descriptor *descriptor;

enum {
    SUCCESS = 0,
    /* kinds of descriptors */
    CONVOLUTION = 1,
    ENGINECFG = 3,
    ENGINEHEUR = 4,
    EXECUTION_PLAN = 5,
    OPERATION_FORWARD = 10,
    OPERATION_FILTER = 11,
    OPERATION_DATA = 12,
    OPERATIONGRAPH = 15,
    VARIANT_PACK = 16,
    TENSOR = 17,
    ENGINE = 2,
    /* types of attributes */
    TYPE_HANDLE = 0,
    TYPE_DATA_TYPE = 1,
    TYPE_INT64 = 3,
    TYPE_FLOAT = 4,
    TYPE_DOUBLE = 5,
    TYPE_POINTER = 6,
    TYPE_CONVOLUTION_MODE = 7,
    TYPE_HEUR_MODE = 8,
    TYPE_NUMERICAL_NOTE = 11,
    TYPE_DESCRIPTOR = 15,
    /* attributes */
    CONV_COMPUTE = 100,
    CONV_MODE,
    CONV_DILATIONS,
    CONV_STRIDES,
    CONV_POST_PADDINGS,
    CONV_PRE_PADDINGS,
    CONV_DIMS,
    HEUR_MODE = 200,
    HEUR_GRAPH,
    HEUR_RESULTS,
    CFG_ENGINE = 300,
    PLAN_HANDLE = 400,
    PLAN_CONFIG,
    PLAN_WORKSPACE,
    FORWARD_ALPHA = 700, /* then beta, convolution, w, x, y; likewise the others */
    DATA_ALPHA = 706,    /* w, dx, dy */
    FILTER_ALPHA = 712,  /* dw, x, dy */
    GRAPH_HANDLE = 800,
    GRAPH_OPS,
    TENSOR_ALIGNMENT = 900,
    TENSOR_TYPE,
    TENSOR_SHAPE,
    TENSOR_STRIDE,
    TENSOR_ID = 906,
    PACK_IDS = 1000,
    PACK_POINTERS,
    PACK_WORKSPACE = 1003,
    ENGINE_NOTES = 1303,
    /* values */
    MODE_INSTANT = 0,
    MODE_BEST = 1,
    MODE_FALLBACK = 2,
    CROSS_CORRELATION = 1,
    NOTE_TENSOR_CORE = 0,
    NOTE_DOWN_CONVERT = 1,
    NOTE_NONDETERMINISTIC = 4,
};

static struct {
    int (*create)(void **handle);
    int (*set_stream)(void *handle, cu_stream stream);
    const char *(*error_string)(int status);
    int (*make)(int kind, descriptor *made);
    int (*destroy)(descriptor d);
    int (*set)(descriptor d, int name, int type, int64_t count, const void *elements);
    int (*finalize)(descriptor d);
    int (*get)(descriptor d, int name, int type, int64_t wanted, int64_t *count, void *elements);
    int (*execute)(void *handle, descriptor plan, descriptor pack);
} dnn;
static bool opened;

/* The state of a device. */
static struct device {
    pthread_mutex_t lock;
    void *handle;
    cu_stream stream; /* the stream that the handle is bound to */
    struct cti_plans plans;
} devices[CTI_CUDA_MAX_DEVICES];

static void open_cudnn(void)
{
    static const char *const versions[] = {".9", "", NULL};
    const struct cti_library_function functions[] = {
        {"cudnnCreate", &dnn.create},
        {"cudnnSetStream", &dnn.set_stream},
        {"cudnnGetErrorString", &dnn.error_string},
        {"cudnnBackendCreateDescriptor", &dnn.make},
        {"cudnnBackendDestroyDescriptor", &dnn.destroy},
        {"cudnnBackendSetAttribute", &dnn.set},
        {"cudnnBackendFinalize", &dnn.finalize},
        {"cudnnBackendGetAttribute", &dnn.get},
        {"cudnnBackendExecute", &dnn.execute},
    };
    opened = cti_library_functions(&cti_nvidia, "libcudnn", versions, functions,
                                   (int)(sizeof functions / sizeof *functions));
    for (int i = 0; i < CTI_CUDA_MAX_DEVICES; i++)
        pthread_mutex_init(&devices[i].lock, NULL);
}

bool cti_cudnn_found(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_cudnn);
    return opened && !cti_cuda_fake();
}

/* The device's handle, bound to the stream; NULL: cuDNN failed. */
static void *cudnn_handle_of(struct device *d, cu_stream stream)
{
    if (!d->handle && dnn.create(&d->handle) != SUCCESS)
        return d->handle = NULL;
    if (d->stream != stream && dnn.set_stream(d->handle, stream) != SUCCESS)
        return NULL;
    d->stream = stream;
    return d->handle;
}

/* ---- descriptors ---- */

/* The descriptors that a plan is built from, destroyed once it is finalized. `status` keeps the
 * first failure; after that, calls do nothing. */
struct build {
    int status, n;
    descriptor made[24];
};

static descriptor build_make(struct build *b, int kind)
{
    descriptor d = NULL;
    if (b->status == SUCCESS)
        b->status = dnn.make(kind, &d);
    if (b->status == SUCCESS)
        b->made[b->n++] = d;
    return d;
}

static void build_set(struct build *b, descriptor d, int name, int type, int64_t count,
                      const void *from)
{
    if (b->status == SUCCESS)
        b->status = dnn.set(d, name, type, count, from);
}

static void build_finalize(struct build *b, descriptor d)
{
    if (b->status == SUCCESS)
        b->status = dnn.finalize(d);
}

static void build_clear(struct build *b)
{
    while (b->n)
        dnn.destroy(b->made[--b->n]);
}

static int cudnn_type(int dtype)
{
    return dtype == CT_FLOAT32 ? 0 : dtype == CT_FLOAT64 ? 1 : dtype == CT_FLOAT16 ? 2 : 9;
}

enum { ID_INPUT = 1, ID_WEIGHT, ID_OUTPUT };

static descriptor tensor_descriptor(struct build *b, const struct cti_cudnn_conv *w, int64_t id,
                                    const struct cti_cudnn_tensor *t)
{
    descriptor d = build_make(b, TENSOR);
    int64_t alignment = w->alignment, ndim = w->dims + 2;
    int type = cudnn_type(w->dtype);
    build_set(b, d, TENSOR_TYPE, TYPE_DATA_TYPE, 1, &type);
    build_set(b, d, TENSOR_SHAPE, TYPE_INT64, ndim, t->shape);
    build_set(b, d, TENSOR_STRIDE, TYPE_INT64, ndim, t->stride);
    build_set(b, d, TENSOR_ID, TYPE_INT64, 1, &id);
    build_set(b, d, TENSOR_ALIGNMENT, TYPE_INT64, 1, &alignment);
    build_finalize(b, d);
    return d;
}

static descriptor convolution_descriptor(struct build *b, const struct cti_cudnn_conv *w)
{
    descriptor d = build_make(b, CONVOLUTION);
    int type = cudnn_type(cti_cuda_compute(w->dtype)), mode = CROSS_CORRELATION;
    int64_t dims = w->dims;
    build_set(b, d, CONV_COMPUTE, TYPE_DATA_TYPE, 1, &type);
    build_set(b, d, CONV_MODE, TYPE_CONVOLUTION_MODE, 1, &mode);
    build_set(b, d, CONV_DIMS, TYPE_INT64, 1, &dims);
    build_set(b, d, CONV_DILATIONS, TYPE_INT64, dims, w->dilation);
    build_set(b, d, CONV_STRIDES, TYPE_INT64, dims, w->stride);
    build_set(b, d, CONV_PRE_PADDINGS, TYPE_INT64, dims, w->padding);
    build_set(b, d, CONV_POST_PADDINGS, TYPE_INT64, dims, w->padding);
    build_finalize(b, d);
    return d;
}

static descriptor operation_graph(struct build *b, const struct cti_cudnn_conv *w, void *handle)
{
    static const int kinds[] = {[CTI_CONV_FORWARD] = OPERATION_FORWARD,
                                [CTI_CONV_INPUT] = OPERATION_DATA,
                                [CTI_CONV_WEIGHT] = OPERATION_FILTER};
    static const int firsts[] = {[CTI_CONV_FORWARD] = FORWARD_ALPHA,
                                 [CTI_CONV_INPUT] = DATA_ALPHA,
                                 [CTI_CONV_WEIGHT] = FILTER_ALPHA};
    descriptor input = tensor_descriptor(b, w, ID_INPUT, &w->input);
    descriptor weight = tensor_descriptor(b, w, ID_WEIGHT, &w->weight);
    descriptor output = tensor_descriptor(b, w, ID_OUTPUT, &w->output);
    descriptor conv = convolution_descriptor(b, w);
    descriptor operation = build_make(b, kinds[w->kind]), g = build_make(b, OPERATIONGRAPH);
    int first = firsts[w->kind];
    bool wide = w->dtype == CT_FLOAT64;
    const float one = 1, zero = 0;
    const double wide_one = 1, wide_zero = 0;
    int scalar = wide ? TYPE_DOUBLE : TYPE_FLOAT;
    build_set(b, operation, first, scalar, 1, wide ? (const void *)&wide_one : &one);
    build_set(b, operation, first + 1, scalar, 1, wide ? (const void *)&wide_zero : &zero);
    build_set(b, operation, first + 2, TYPE_DESCRIPTOR, 1, &conv);
    build_set(b, operation, first + 3, TYPE_DESCRIPTOR, 1, &weight);
    build_set(b, operation, first + 4, TYPE_DESCRIPTOR, 1, &input);
    build_set(b, operation, first + 5, TYPE_DESCRIPTOR, 1, &output);
    build_finalize(b, operation);
    build_set(b, g, GRAPH_HANDLE, TYPE_HANDLE, 1, &handle);
    build_set(b, g, GRAPH_OPS, TYPE_DESCRIPTOR, 1, &operation);
    build_finalize(b, g);
    return g;
}

/* ---- plans ---- */

struct plan {
    struct cti_plan link;
    struct cti_cudnn_conv work;
    descriptor plan; /* NULL: no engine supports the work */
    int64_t workspace;
    const char *why; /* why `plan` is NULL */
};

/* Whether the switches forbid an engine. */
static bool is_forbidden(const struct cti_cudnn_conv *w, descriptor config)
{
    int notes[16];
    int64_t n = 0;
    descriptor engine = NULL;
    bool bad = dnn.make(ENGINE, &engine) != SUCCESS ||
               dnn.get(config, CFG_ENGINE, TYPE_DESCRIPTOR, 1, &n, &engine) != SUCCESS ||
               dnn.get(engine, ENGINE_NOTES, TYPE_NUMERICAL_NOTE, 16, &n, notes) != SUCCESS;
    for (int64_t i = 0; i < n && i < 16 && !bad; i++)
        bad = notes[i] == NOTE_DOWN_CONVERT ||
              (notes[i] == NOTE_NONDETERMINISTIC && w->deterministic) ||
              (notes[i] == NOTE_TENSOR_CORE && w->dtype == CT_FLOAT32 && !w->tf32);
    if (engine)
        dnn.destroy(engine);
    return bad;
}

static bool finalize_plan(struct plan *p, void *handle, descriptor config)
{
    struct build b = {0};
    descriptor plan = build_make(&b, EXECUTION_PLAN);
    int64_t count = 0;
    build_set(&b, plan, PLAN_HANDLE, TYPE_HANDLE, 1, &handle);
    build_set(&b, plan, PLAN_CONFIG, TYPE_DESCRIPTOR, 1, &config);
    build_finalize(&b, plan);
    if (b.status == SUCCESS)
        b.status = dnn.get(plan, PLAN_WORKSPACE, TYPE_INT64, 1, &count, &p->workspace);
    if (b.status != SUCCESS) {
        build_clear(&b);
        return false;
    }
    p->plan = plan;
    return true;
}

enum { MAX_ENGINES = 24 }; /* tried for a plan */

/* Tries the engines of one of cuDNN's rankings, best first. */
static bool choose_engine(struct plan *p, void *handle, descriptor g, int mode)
{
    struct build b = {0};
    descriptor configs[MAX_ENGINES];
    descriptor heuristics = build_make(&b, ENGINEHEUR);
    int64_t n = 0, have = 0;
    build_set(&b, heuristics, HEUR_GRAPH, TYPE_DESCRIPTOR, 1, &g);
    build_set(&b, heuristics, HEUR_MODE, TYPE_HEUR_MODE, 1, &mode);
    build_finalize(&b, heuristics);
    while (b.status == SUCCESS && have < MAX_ENGINES &&
           dnn.make(ENGINECFG, &configs[have]) == SUCCESS)
        have++;
    if (have)
        b.status = dnn.get(heuristics, HEUR_RESULTS, TYPE_DESCRIPTOR, have, &n, configs);
    for (int64_t i = 0; b.status == SUCCESS && i < n && i < have && !p->plan; i++)
        if (!is_forbidden(&p->work, configs[i]))
            finalize_plan(p, handle, configs[i]);
    for (int64_t i = 0; i < have; i++)
        dnn.destroy(configs[i]);
    build_clear(&b);
    return p->plan != NULL;
}

static void cudnn_make_plan(struct plan *p, const struct cti_cudnn_conv *w, void *handle)
{
    struct build b = {0};
    *p = (struct plan){.work = *w};
    descriptor g = operation_graph(&b, w, handle);
    if (b.status == SUCCESS && !choose_engine(p, handle, g, MODE_BEST) &&
        !choose_engine(p, handle, g, MODE_INSTANT))
        choose_engine(p, handle, g, MODE_FALLBACK);
    if (!p->plan)
        p->why = b.status == SUCCESS ? "no algorithm" : dnn.error_string(b.status);
    build_clear(&b);
}

static void cudnn_free_plan(struct plan *p)
{
    if (p && p->plan)
        dnn.destroy(p->plan);
    cti_free(p);
}

/* PyTorch counts 200 KB of host memory for a plan. */
#define MOST_PLANS 1024

/* NULL: out of memory, without an error. */
static struct plan *cudnn_plan_of(struct device *d, const struct cti_cudnn_conv *w, void *handle)
{
    struct plan *p = cti_plans_find(&d->plans, w, sizeof *w);
    if (__builtin_expect(p != NULL, 1))
        return p;
    if (!(p = cti_malloc(sizeof *p))) {
        ct_clear_error();
        return NULL;
    }
    cudnn_make_plan(p, w, handle);
    cudnn_free_plan(cti_plans_add(&d->plans, &p->link, &p->work, sizeof p->work, MOST_PLANS));
    return p;
}

/* Addresses are passed in a variant pack, which cannot be changed once it is finalized. Caching
 * packs would not help: the allocator hardly ever returns the same three addresses again. */
static int cudnn_execute(void *handle, const struct plan *p, void *const data[3], void *room)
{
    struct build b = {0};
    descriptor pack = build_make(&b, VARIANT_PACK);
    const int64_t ids[] = {ID_INPUT, ID_WEIGHT, ID_OUTPUT};
    build_set(&b, pack, PACK_IDS, TYPE_INT64, 3, ids);
    build_set(&b, pack, PACK_POINTERS, TYPE_POINTER, 3, data);
    build_set(&b, pack, PACK_WORKSPACE, TYPE_POINTER, 1, &room);
    build_finalize(&b, pack);
    if (b.status == SUCCESS)
        b.status = dnn.execute(handle, p->plan, pack);
    build_clear(&b);
    return b.status;
}

const char *cti_cudnn_run(const struct cti_cudnn_conv *w, void *input, void *weight, void *output)
{
    void *const data[] = {input, weight, output};
    if (!cti_cudnn_found())
        return "libcudnn was not found";
    struct device *d = &devices[w->device];
    cu_stream stream = cti_cuda_stream(w->device);
    pthread_mutex_lock(&d->lock);
    void *handle = cudnn_handle_of(d, stream), *block = NULL;
    struct plan *p = handle ? cudnn_plan_of(d, w, handle) : NULL;
    const char *why = p ? p->why : handle ? "out of memory" : "no handle";
    void *room = NULL;
    if (!why && p->workspace && !(room = cti_cuda_scratch(w->device, p->workspace, &block))) {
        ct_clear_error();
        why = "no memory for its workspace";
    }
    if (!why) {
        int status = cudnn_execute(handle, p, data, room);
        why = status == SUCCESS ? NULL : dnn.error_string(status);
    }
    cti_cuda_scratch_end(block);
    pthread_mutex_unlock(&d->lock);
    return why;
}
