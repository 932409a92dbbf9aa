/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of corten/cuda.h, for the package corten.cuda. Streams, events and graphs are
 * passed as addresses; Python classes wrap them. Calls that wait release the GIL. */
#include "create/construct.h"
#include "parse/parse.h"

#include <corten/cuda.h>

static PyObject *none_or_raise(bool good)
{
    return good ? Py_NewRef(Py_None) : py_raise();
}

static PyObject *device_count(PyObject *module, PyObject *unused)
{
    return PyLong_FromLong(ct_cuda_device_count());
}

static PyObject *is_initialized(PyObject *module, PyObject *unused)
{
    return PyBool_FromLong(ct_cuda_is_initialized());
}

static PyObject *current_device(PyObject *module, PyObject *unused)
{
    return PyLong_FromLong(ct_cuda_current_device());
}

static PyObject *driver_version(PyObject *module, PyObject *unused)
{
    return PyLong_FromLong(ct_cuda_driver_version());
}

static PyObject *waits(PyObject *module, PyObject *unused)
{
    return PyLong_FromLongLong(ct_cuda_waits());
}

static PyObject *empty_cache(PyObject *module, PyObject *unused)
{
    ct_cuda_empty_cache();
    Py_RETURN_NONE;
}

static PyObject *set_device(PyObject *module, PyObject *args)
{
    int device;
    return PyArg_ParseTuple(args, "i", &device) ? none_or_raise(ct_cuda_set_device(device)) : NULL;
}

static PyObject *synchronize(PyObject *module, PyObject *args)
{
    int device;
    bool good;
    if (!PyArg_ParseTuple(args, "i", &device))
        return NULL;
    Py_BEGIN_ALLOW_THREADS good = ct_cuda_synchronize(device);
    Py_END_ALLOW_THREADS return none_or_raise(good);
}

static PyObject *properties(PyObject *module, PyObject *args)
{
    int device;
    struct ct_cuda_properties p;
    if (!PyArg_ParseTuple(args, "i", &device))
        return NULL;
    if (!ct_cuda_get_properties(device, &p))
        return py_raise();
    return Py_BuildValue(
        "{sssisisisisisisisLsLsLsLsLsisisisisisisisisy#}", "name", p.name, "major", p.major,
        "minor", p.minor, "multi_processor_count", p.multiprocessors, "warp_size", p.warp_size,
        "max_threads_per_multi_processor", p.threads_per_multiprocessor, "max_threads_per_block",
        p.max_threads_per_block, "regs_per_multiprocessor", p.registers_per_multiprocessor,
        "total_memory", (long long)p.total_memory, "L2_cache_size", (long long)p.l2_bytes,
        "shared_memory_per_block", (long long)p.shared_per_block,
        "shared_memory_per_multiprocessor", (long long)p.shared_per_multiprocessor,
        "shared_memory_per_block_optin", (long long)p.shared_optin, "is_integrated",
        p.is_integrated, "is_multi_gpu_board", p.is_multi_gpu_board, "pci_bus_id", p.pci_bus,
        "pci_device_id", p.pci_device, "pci_domain_id", p.pci_domain, "clock_rate", p.clock_rate,
        "memory_clock_rate", p.memory_clock_rate, "memory_bus_width", p.memory_bus_width, "uuid",
        (const char *)p.uuid, (Py_ssize_t)16);
}

static PyObject *can_access_peer(PyObject *module, PyObject *args)
{
    int device, peer;
    return PyArg_ParseTuple(args, "ii", &device, &peer)
               ? PyBool_FromLong(ct_cuda_can_access_peer(device, peer))
               : NULL;
}

static PyObject *memory(PyObject *module, PyObject *args)
{
    int device;
    struct ct_cuda_memory m;
    if (!PyArg_ParseTuple(args, "i", &device))
        return NULL;
    if (!ct_cuda_get_memory(device, &m))
        return py_raise();
    static const char *const names[CT_CUDA_COUNTS] = {
        "allocation", "allocated_bytes", "requested_bytes", "segment", "reserved_bytes"};
    static const char *const pools[CT_CUDA_POOLS] = {"all", "large_pool", "small_pool"};
    PyObject *facts =
        Py_BuildValue("{sLsLsLsL}", "free", (long long)m.unused, "total", (long long)m.total,
                      "num_alloc_retries", (long long)m.retries, "num_ooms", (long long)m.fails);
    for (int i = 0; i < CT_CUDA_COUNTS && facts; i++)
        for (int pool = 0; pool < CT_CUDA_POOLS && facts; pool++) {
            const struct ct_cuda_counter *c = &m.count[i][pool];
            const int64_t values[] = {c->current, c->peak, c->allocated, c->freed};
            static const char *const ends[] = {"current", "peak", "allocated", "freed"};
            for (int k = 0; k < 4 && facts; k++) {
                PyObject *key = PyUnicode_FromFormat("%s.%s.%s", names[i], pools[pool], ends[k]);
                PyObject *value = PyLong_FromLongLong(values[k]);
                if (!key || !value || PyDict_SetItem(facts, key, value) < 0)
                    Py_CLEAR(facts);
                Py_XDECREF(key);
                Py_XDECREF(value);
            }
        }
    return facts;
}

static PyObject *counter_facts(const struct ct_cuda_counter *c)
{
    return Py_BuildValue("{sLsLsLsL}", "current", (long long)c->current, "peak", (long long)c->peak,
                         "allocated", (long long)c->allocated, "freed", (long long)c->freed);
}

static PyObject *timer_facts(const struct ct_cuda_timer *t)
{
    return Py_BuildValue("{sLsLsLsLsL}", "total", (long long)t->total, "max", (long long)t->most,
                         "min", (long long)t->least, "count", (long long)t->count, "avg",
                         (long long)(t->count ? t->total / t->count : 0));
}

static PyObject *host_memory(PyObject *module, PyObject *unused)
{
    struct ct_cuda_host_memory m;
    ct_cuda_get_host_memory(&m);
    return Py_BuildValue("{sNsNsNsN}", "blocks", counter_facts(&m.blocks), "bytes",
                         counter_facts(&m.bytes), "pinning", timer_facts(&m.pinning), "releasing",
                         timer_facts(&m.releasing));
}

static PyObject *reset_host_memory(PyObject *module, PyObject *args)
{
    int peak;
    if (!PyArg_ParseTuple(args, "p", &peak))
        return NULL;
    ct_cuda_reset_host_memory(peak);
    Py_RETURN_NONE;
}

static PyObject *snapshot(PyObject *module, PyObject *args)
{
    int device;
    if (!PyArg_ParseTuple(args, "i", &device))
        return NULL;
    int64_t n = ct_cuda_snapshot(device, NULL, 0), most = n + 64; /* room for later allocations */
    struct ct_cuda_block *blocks = PyMem_Malloc((size_t)most * sizeof *blocks);
    if (!blocks)
        return PyErr_NoMemory();
    n = ct_cuda_snapshot(device, blocks, most);
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; i < n && i < most && list; i++) {
        const struct ct_cuda_block *b = &blocks[i];
        PyObject *row = Py_BuildValue(
            "KKKLLLi", (unsigned long long)(uintptr_t)b->segment,
            (unsigned long long)(uintptr_t)b->address, (unsigned long long)(uintptr_t)b->stream,
            (long long)b->size, (long long)b->requested, (long long)b->segment_size, b->state);
        if (!row || PyList_Append(list, row) < 0)
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    PyMem_Free(blocks);
    return list;
}

static PyObject *memory_fraction(PyObject *module, PyObject *args)
{
    int device;
    double fraction = -1;
    if (!PyArg_ParseTuple(args, "i|d", &device, &fraction))
        return NULL;
    if (fraction >= 0 && !ct_cuda_set_memory_fraction(device, fraction))
        return py_raise();
    return PyFloat_FromDouble(ct_cuda_memory_fraction(device));
}

static PyObject *reset_accumulated(PyObject *module, PyObject *args)
{
    int device;
    if (!PyArg_ParseTuple(args, "i", &device))
        return NULL;
    ct_cuda_reset_accumulated(device);
    Py_RETURN_NONE;
}

static PyObject *reset_peak(PyObject *module, PyObject *args)
{
    int device;
    if (!PyArg_ParseTuple(args, "i", &device))
        return NULL;
    ct_cuda_reset_peak(device);
    Py_RETURN_NONE;
}

static PyObject *manual_seed_all(PyObject *module, PyObject *args)
{
    unsigned long long seed;
    if (!PyArg_ParseTuple(args, "K", &seed))
        return NULL;
    ct_cuda_manual_seed_all(seed);
    Py_RETURN_NONE;
}

static PyObject *default_generator(PyObject *module, PyObject *args)
{
    int device;
    if (!PyArg_ParseTuple(args, "i", &device))
        return NULL;
    ct_generator *g = ct_cuda_default_generator(device);
    return g ? py_wrap_generator(ct_generator_retain(g)) : py_raise();
}

/* ---- switches ---- */

/* _cuda_switch(name[, value]): sets a switch; returns its previous value. */
static PyObject *switch_(PyObject *module, PyObject *args)
{
    static const char *const names[CT_CUDA_SWITCHES] = {
        "matmul_tf32",           "fp16_reduced",        "bf16_reduced",    "fp16_accumulation",
        "deterministic",         "sync_debug",          "cudnn_enabled",   "cudnn_benchmark",
        "cudnn_benchmark_limit", "cudnn_deterministic", "cudnn_conv_tf32", "cudnn_rnn_tf32",
    };
    const char *name;
    int value = -1;
    if (!PyArg_ParseTuple(args, "s|i", &name, &value))
        return NULL;
    for (int i = 0; i < CT_CUDA_SWITCHES; i++) {
        if (strcmp(names[i], name) != 0)
            continue;
        int old = ct_cuda_switch((enum ct_cuda_switch)i);
        if (value >= 0)
            ct_cuda_set_switch((enum ct_cuda_switch)i, value);
        return PyLong_FromLong(old);
    }
    return PyErr_Format(PyExc_KeyError, "%s", name);
}

static PyObject *library_version(PyObject *module, PyObject *args)
{
    const char *name;
    return PyArg_ParseTuple(args, "s", &name) ? PyLong_FromLong(ct_cuda_library_version(name))
                                              : NULL;
}

static PyObject *library_handle(PyObject *module, PyObject *args)
{
    int device;
    const char *name;
    if (!PyArg_ParseTuple(args, "is", &device, &name))
        return NULL;
    void *handle = ct_cuda_library_handle(device, name);
    return handle ? PyLong_FromVoidPtr(handle)
                  : PyErr_Format(PyExc_RuntimeError, "lib%s is not available", name);
}

static PyObject *fft_plans(PyObject *module, PyObject *args)
{
    int device, most = -1;
    if (!PyArg_ParseTuple(args, "i|i", &device, &most))
        return NULL;
    if (most == 0) /* clears the cache, keeps the limit */
        ct_cuda_clear_fft_plans(device);
    else if (most > 0)
        ct_cuda_set_fft_plans(device, most - 1);
    return Py_BuildValue("ii", ct_cuda_fft_plans(device), ct_cuda_fft_most_plans(device));
}

/* ---- streams, events, graphs ---- */

static PyObject *wrap_address(const void *p)
{
    return PyLong_FromVoidPtr((void *)(uintptr_t)p);
}

static PyObject *bool_or_raise(int answer)
{
    return answer < 0 ? py_raise() : PyBool_FromLong(answer);
}

/* Reads (device, address, address); missing addresses are NULL. */
static bool read_args(PyObject *args, int *device, void **a, void **b)
{
    PyObject *first = NULL, *second = NULL;
    if (!PyArg_ParseTuple(args, "i|OO", device, &first, &second))
        return false;
    *a = first ? PyLong_AsVoidPtr(first) : NULL;
    *b = second ? PyLong_AsVoidPtr(second) : NULL;
    return !PyErr_Occurred();
}

static PyObject *stream_create(PyObject *module, PyObject *args)
{
    int device, priority;
    if (!PyArg_ParseTuple(args, "ii", &device, &priority))
        return NULL;
    void *stream = ct_cuda_stream_create(device, priority);
    return stream ? wrap_address(stream) : py_raise();
}

static PyObject *current_stream(PyObject *module, PyObject *args)
{
    int device;
    return PyArg_ParseTuple(args, "i", &device) ? wrap_address(ct_cuda_current_stream(device))
                                                : NULL;
}

/* Defines a function that takes a device and up to two addresses. */
#define TAKES(name, result)                                                                        \
    static PyObject *name(PyObject *module, PyObject *args)                                        \
    {                                                                                              \
        int device;                                                                                \
        void *a, *b;                                                                               \
        (void)module;                                                                              \
        if (!read_args(args, &device, &a, &b))                                                     \
            return NULL;                                                                           \
        (void)a, (void)b;                                                                          \
        return result;                                                                             \
    }
TAKES(set_stream, none_or_raise(ct_cuda_set_stream(device, a)))
TAKES(stream_query, bool_or_raise(ct_cuda_stream_query(device, a)))
TAKES(stream_wait_event, none_or_raise(ct_cuda_stream_wait_event(device, a, b)))
TAKES(stream_destroy, (ct_cuda_stream_destroy(a), Py_NewRef(Py_None)))
TAKES(event_destroy, (ct_cuda_event_destroy(a), Py_NewRef(Py_None)))
TAKES(event_record, none_or_raise(ct_cuda_event_record(device, a, b)))
TAKES(event_query, bool_or_raise(ct_cuda_event_query(device, a)))
TAKES(event_elapsed, PyFloat_FromDouble(ct_cuda_event_elapsed(device, a, b)))
TAKES(is_capturing, bool_or_raise(ct_cuda_is_capturing(device)))
TAKES(capture_begin, none_or_raise(ct_cuda_capture_begin(device)))
TAKES(graph_launch, none_or_raise(ct_cuda_graph_launch(device, a)))
TAKES(graph_destroy, (ct_cuda_graph_destroy(a), Py_NewRef(Py_None)))

static PyObject *wait_unlocked(PyObject *args, bool (*wait)(int, void *))
{
    int device;
    void *a, *b;
    bool good;
    if (!read_args(args, &device, &a, &b))
        return NULL;
    Py_BEGIN_ALLOW_THREADS good = wait(device, a);
    Py_END_ALLOW_THREADS return none_or_raise(good);
}

static PyObject *stream_synchronize(PyObject *module, PyObject *args)
{
    return wait_unlocked(args, ct_cuda_stream_synchronize);
}

static PyObject *event_synchronize(PyObject *module, PyObject *args)
{
    return wait_unlocked(args, ct_cuda_event_synchronize);
}

static PyObject *event_create(PyObject *module, PyObject *args)
{
    int device, timing, blocking;
    if (!PyArg_ParseTuple(args, "ipp", &device, &timing, &blocking))
        return NULL;
    void *event = ct_cuda_event_create(device, timing, blocking);
    return event ? wrap_address(event) : py_raise();
}

static PyObject *capture_end(PyObject *module, PyObject *args)
{
    int device;
    if (!PyArg_ParseTuple(args, "i", &device))
        return NULL;
    void *graph = ct_cuda_capture_end(device);
    return graph ? wrap_address(graph) : py_raise();
}

/* x.record_stream(s) */
static PyObject *record_stream(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("s", PY_OBJECT)};
    static struct py_signature signature = {.args = arg, .n = 1};
    static struct py_op op = {.name = "record_stream", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    PyObject *s = frame.v[0].object;
    bool of_gpu = PyObject_HasAttrString(s, "cuda_stream");
    if (!of_gpu && strcmp(py_typename(s), "Stream") != 0)
        return PyErr_Format(PyExc_RuntimeError, "unknown parameter type");
    if (!of_gpu || ct_device_of(py_tensor_of(self)).type != CT_CUDA)
        return PyErr_Format(PyExc_NotImplementedError, "Could not run 'aten::record_stream' with "
                                                       "arguments from the 'CPU' backend.");
    PyObject *stream = PyObject_GetAttrString(s, "cuda_stream");
    void *at = stream ? PyLong_AsVoidPtr(stream) : NULL;
    Py_XDECREF(stream);
    if (PyErr_Occurred())
        return NULL;
    return none_or_raise(ct_cuda_record_stream(py_tensor_of(self), at));
}

#define FUNCTION(name)                                                                             \
    {                                                                                              \
        "_cuda_" #name, name, METH_VARARGS, "See corten/cuda.h."                                   \
    }
#define PLAIN(name)                                                                                \
    {                                                                                              \
        "_cuda_" #name, name, METH_NOARGS, "See corten/cuda.h."                                    \
    }
static PyMethodDef functions[] = {
    PLAIN(device_count),
    PLAIN(is_initialized),
    PLAIN(current_device),
    PLAIN(driver_version),
    PLAIN(waits),
    PLAIN(empty_cache),
    PLAIN(host_memory),
    FUNCTION(set_device),
    FUNCTION(synchronize),
    FUNCTION(properties),
    FUNCTION(can_access_peer),
    FUNCTION(memory),
    FUNCTION(reset_peak),
    FUNCTION(reset_host_memory),
    FUNCTION(reset_accumulated),
    FUNCTION(memory_fraction),
    FUNCTION(snapshot),
    {"_cuda_switch", switch_, METH_VARARGS, "See corten/cuda.h."},
    FUNCTION(library_version),
    FUNCTION(library_handle),
    FUNCTION(fft_plans),
    FUNCTION(manual_seed_all),
    FUNCTION(default_generator),
    FUNCTION(stream_create),
    FUNCTION(stream_destroy),
    FUNCTION(current_stream),
    FUNCTION(set_stream),
    FUNCTION(stream_query),
    FUNCTION(stream_synchronize),
    FUNCTION(stream_wait_event),
    FUNCTION(event_create),
    FUNCTION(event_destroy),
    FUNCTION(event_record),
    FUNCTION(event_query),
    FUNCTION(event_synchronize),
    FUNCTION(event_elapsed),
    FUNCTION(is_capturing),
    FUNCTION(capture_begin),
    FUNCTION(capture_end),
    FUNCTION(graph_launch),
    FUNCTION(graph_destroy),
    {0},
};

static PyMethodDef methods[] = {
    {"record_stream", PY_FAST(record_stream),
     "record_stream($self, s)\n--\n\nKeeps the memory allocated until work queued on a GPU stream "
     "has finished."},
    {0},
};

bool py_init_cuda(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0 && py_add_methods(&py_TensorBase, methods);
}
