/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of corten/dist.h, for the package corten.distributed. Stores, groups and works are
 * capsules; Python classes wrap them. Calls that may wait release the GIL. */
#include "parse/parse.h"

#include <corten/dist.h>
#include <stdlib.h>
#include <time.h>

#define STORE "corten.store"
#define GROUP "corten.group"
#define WORK "corten.work"

static PyObject *none_or_raise(bool good)
{
    return good ? Py_NewRef(Py_None) : py_raise();
}

static int store_from(PyObject *o, void *out)
{
    return (*(ct_store **)out = PyCapsule_GetPointer(o, STORE)) != NULL;
}

static int store_or_none(PyObject *o, void *out)
{
    *(ct_store **)out = NULL;
    return o == Py_None || store_from(o, out);
}

/* A group and the number of its calls that run without the GIL; group_close waits for them. */
struct member {
    ct_group *group;
    int calls;
};

static int member_from(PyObject *o, void *out)
{
    return (*(struct member **)out = PyCapsule_GetPointer(o, GROUP)) != NULL;
}

static int group_from(PyObject *o, void *out)
{
    struct member *m = NULL;
    if (!member_from(o, &m))
        return 0;
    *(ct_group **)out = m->group;
    return 1;
}

static PyObject *wrap_group(ct_group *g)
{
    struct member *m = g ? PyMem_Calloc(1, sizeof *m) : NULL;
    if (!g)
        return py_raise();
    if (m)
        m->group = g;
    PyObject *capsule = m ? PyCapsule_New(m, GROUP, NULL) : PyErr_NoMemory();
    if (capsule)
        return capsule;
    PyMem_Free(m);
    Py_BEGIN_ALLOW_THREADS ct_group_abort(g);
    Py_END_ALLOW_THREADS return NULL;
}

static int work_from(PyObject *o, void *out)
{
    return (*(ct_work **)out = PyCapsule_GetPointer(o, WORK)) != NULL;
}

/* ---- stores ---- */

static void free_store(PyObject *capsule)
{
    ct_store *s = PyCapsule_GetPointer(capsule, STORE);
    Py_BEGIN_ALLOW_THREADS ct_store_release(s); /* may join a server thread */
    Py_END_ALLOW_THREADS
}

static PyObject *wrap_store(ct_store *s)
{
    return s ? PyCapsule_New(s, STORE, free_store) : py_raise();
}

static PyObject *store_tcp(PyObject *module, PyObject *args)
{
    const char *host;
    int port, serve;
    long long world;
    double timeout;
    ct_store *s;
    if (!PyArg_ParseTuple(args, "sipLd", &host, &port, &serve, &world, &timeout))
        return NULL;
    Py_BEGIN_ALLOW_THREADS s = ct_store_tcp(host, port, serve, world, timeout);
    Py_END_ALLOW_THREADS return wrap_store(s);
}

static PyObject *store_file(PyObject *module, PyObject *args)
{
    PyObject *path;
    if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path))
        return NULL;
    PyObject *store = wrap_store(ct_store_file(PyBytes_AS_STRING(path)));
    Py_DECREF(path);
    return store;
}

static PyObject *store_hash(PyObject *module, PyObject *unused)
{
    return wrap_store(ct_store_hash());
}

static PyObject *store_prefix(PyObject *module, PyObject *args)
{
    const char *prefix;
    ct_store *inner;
    if (!PyArg_ParseTuple(args, "sO&", &prefix, store_from, &inner))
        return NULL;
    return wrap_store(ct_store_prefix(prefix, inner));
}

static PyObject *store_set(PyObject *module, PyObject *args)
{
    ct_store *s;
    const char *key;
    Py_buffer value;
    bool good;
    int append;
    if (!PyArg_ParseTuple(args, "O&sy*p", store_from, &s, &key, &value, &append))
        return NULL;
    Py_BEGIN_ALLOW_THREADS good = append ? ct_store_append(s, key, value.buf, value.len)
                                         : ct_store_set(s, key, value.buf, value.len);
    Py_END_ALLOW_THREADS PyBuffer_Release(&value);
    return none_or_raise(good);
}

/* Converts malloc'ed bytes and frees them. */
static PyObject *bytes_take(char *value, int64_t n)
{
    PyObject *bytes = value ? PyBytes_FromStringAndSize(value, n) : py_raise();
    free(value);
    return bytes;
}

static PyObject *store_get(PyObject *module, PyObject *args)
{
    ct_store *s;
    const char *key;
    char *value;
    int64_t n = 0;
    if (!PyArg_ParseTuple(args, "O&s", store_from, &s, &key))
        return NULL;
    Py_BEGIN_ALLOW_THREADS value = ct_store_get(s, key, &n);
    Py_END_ALLOW_THREADS return bytes_take(value, n);
}

static PyObject *store_wait(PyObject *module, PyObject *args)
{
    ct_store *s;
    PyObject *list;
    double timeout;
    bool good = true;
    if (!PyArg_ParseTuple(args, "O&O!d", store_from, &s, &PyList_Type, &list, &timeout))
        return NULL;
    Py_ssize_t n = PyList_GET_SIZE(list);
    const char **keys = PyMem_Calloc((size_t)n + 1, sizeof *keys);
    for (Py_ssize_t i = 0; keys && i < n && good; i++)
        good = (keys[i] = PyUnicode_AsUTF8(PyList_GET_ITEM(list, i))) != NULL;
    if (!keys || !good) {
        PyMem_Free(keys);
        return keys ? NULL : PyErr_NoMemory();
    }
    Py_BEGIN_ALLOW_THREADS good = ct_store_wait(s, keys, n, timeout);
    Py_END_ALLOW_THREADS PyMem_Free(keys);
    return none_or_raise(good);
}

static PyObject *store_add(PyObject *module, PyObject *args)
{
    ct_store *s;
    const char *key;
    long long by;
    int64_t sum;
    if (!PyArg_ParseTuple(args, "O&sL", store_from, &s, &key, &by))
        return NULL;
    ct_clear_error(); /* INT64_MIN is a valid sum, too: check for an error */
    Py_BEGIN_ALLOW_THREADS sum = ct_store_add(s, key, by);
    Py_END_ALLOW_THREADS bool failed = sum == INT64_MIN && ct_error_kind() != CT_ERR_NONE;
    return failed ? py_raise() : PyLong_FromLongLong(sum);
}

static PyObject *store_compare_set(PyObject *module, PyObject *args)
{
    ct_store *s;
    const char *key;
    Py_buffer expected, desired;
    char *value;
    int64_t n = 0;
    if (!PyArg_ParseTuple(args, "O&sy*y*", store_from, &s, &key, &expected, &desired))
        return NULL;
    Py_BEGIN_ALLOW_THREADS value =
        ct_store_compare_set(s, key, expected.buf, expected.len, desired.buf, desired.len, &n);
    Py_END_ALLOW_THREADS PyBuffer_Release(&expected);
    PyBuffer_Release(&desired);
    return bytes_take(value, n);
}

/* _store_query(store, "check" | "delete" | "num_keys", key) */
static PyObject *store_ask(PyObject *module, PyObject *args)
{
    ct_store *s;
    const char *what, *key;
    int64_t answer;
    if (!PyArg_ParseTuple(args, "O&ss", store_from, &s, &what, &key))
        return NULL;
    Py_BEGIN_ALLOW_THREADS answer = what[0] == 'c'   ? ct_store_check(s, key)
                                    : what[0] == 'd' ? ct_store_delete(s, key)
                                                     : ct_store_num_keys(s);
    Py_END_ALLOW_THREADS return answer < 0 ? py_raise() : PyLong_FromLongLong(answer);
}

static PyObject *store_timeout(PyObject *module, PyObject *args)
{
    ct_store *s;
    double timeout = -1;
    if (!PyArg_ParseTuple(args, "O&|d", store_from, &s, &timeout))
        return NULL;
    if (timeout >= 0)
        ct_store_set_timeout(s, timeout);
    return PyFloat_FromDouble(ct_store_timeout(s));
}

static PyObject *store_port(PyObject *module, PyObject *args)
{
    ct_store *s;
    return PyArg_ParseTuple(args, "O&", store_from, &s) ? PyLong_FromLong(ct_store_port(s)) : NULL;
}

/* ---- groups ---- */

static PyObject *available(PyObject *module, PyObject *args)
{
    const char *name;
    return PyArg_ParseTuple(args, "s", &name) ? PyBool_FromLong(ct_dist_available(name)) : NULL;
}

static PyObject *group_new(PyObject *module, PyObject *args)
{
    const char *engine;
    ct_store *store;
    int rank, size;
    double timeout;
    ct_group *g;
    if (!PyArg_ParseTuple(args, "sO&iid", &engine, store_or_none, &store, &rank, &size, &timeout))
        return NULL;
    Py_BEGIN_ALLOW_THREADS g = ct_group_create(engine, store, rank, size, timeout);
    Py_END_ALLOW_THREADS return wrap_group(g);
}

static PyObject *group_split(PyObject *module, PyObject *args)
{
    struct member *parent;
    ct_group *g;
    PyObject *list;
    double timeout;
    if (!PyArg_ParseTuple(args, "O&O!d", member_from, &parent, &PyList_Type, &list, &timeout))
        return NULL;
    Py_ssize_t n = PyList_GET_SIZE(list);
    int *ranks = PyMem_Calloc((size_t)n + 1, sizeof *ranks);
    if (!ranks)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++)
        ranks[i] = (int)PyLong_AsLong(PyList_GET_ITEM(list, i));
    if (PyErr_Occurred()) {
        PyMem_Free(ranks);
        return NULL;
    }
    parent->calls++;
    Py_BEGIN_ALLOW_THREADS g = ct_group_split(parent->group, ranks, (int)n, timeout);
    Py_END_ALLOW_THREADS parent->calls--;
    PyMem_Free(ranks);
    return wrap_group(g);
}

/* (rank, size) */
static PyObject *group_facts(PyObject *module, PyObject *args)
{
    ct_group *g;
    if (!PyArg_ParseTuple(args, "O&", group_from, &g))
        return NULL;
    return Py_BuildValue("ii", ct_group_rank(g), ct_group_size(g));
}

static PyObject *group_set_timeout(PyObject *module, PyObject *args)
{
    ct_group *g;
    double timeout;
    if (!PyArg_ParseTuple(args, "O&d", group_from, &g, &timeout))
        return NULL;
    ct_group_set_timeout(g, timeout);
    Py_RETURN_NONE;
}

static PyObject *group_close(PyObject *module, PyObject *args)
{
    struct member *m;
    PyObject *capsule;
    int politely;
    if (!PyArg_ParseTuple(args, "Op", &capsule, &politely) || !member_from(capsule, &m))
        return NULL;
    if (PyCapsule_SetName(capsule, "corten.closed group") < 0)
        return NULL;
    while (m->calls) {
        Py_BEGIN_ALLOW_THREADS nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        Py_END_ALLOW_THREADS
    }
    Py_BEGIN_ALLOW_THREADS if (politely) ct_group_close(m->group);
    else ct_group_abort(m->group);
    Py_END_ALLOW_THREADS PyMem_Free(m);
    Py_RETURN_NONE;
}

/* ---- work ---- */

static void free_work(PyObject *capsule)
{
    ct_work *w = PyCapsule_GetPointer(capsule, WORK);
    Py_BEGIN_ALLOW_THREADS ct_work_release(w);
    Py_END_ALLOW_THREADS
}

static PyObject *work_wait(PyObject *module, PyObject *args)
{
    ct_work *w;
    double timeout;
    bool good;
    if (!PyArg_ParseTuple(args, "O&d", work_from, &w, &timeout))
        return NULL;
    Py_BEGIN_ALLOW_THREADS good = ct_work_wait(w, timeout);
    Py_END_ALLOW_THREADS return none_or_raise(good);
}

static PyObject *work_done(PyObject *module, PyObject *args)
{
    ct_work *w;
    return PyArg_ParseTuple(args, "O&", work_from, &w) ? PyBool_FromLong(ct_work_done(w)) : NULL;
}

static PyObject *work_error(PyObject *module, PyObject *args)
{
    ct_work *w;
    const char *text;
    if (!PyArg_ParseTuple(args, "O&", work_from, &w))
        return NULL;
    if (ct_work_error(w, &text) == CT_ERR_NONE)
        Py_RETURN_NONE;
    return PyUnicode_FromString(text ? text : "failed");
}

static PyObject *work_source(PyObject *module, PyObject *args)
{
    ct_work *w;
    return PyArg_ParseTuple(args, "O&", work_from, &w) ? PyLong_FromLong(ct_work_source(w)) : NULL;
}

/* ---- collectives and messages ---- */

struct call {
    ct_group *g;
    ct_list out, in;
    int number, op, tag; /* number: a rank, or a flag */
    double timeout;
    ct_ints out_sizes, in_sizes;
};

static ct_tensor *first(ct_list list)
{
    return list.n == 1 ? list.v[0] : ct_fail(CT_ERR_TYPE, "expected a single tensor");
}

static ct_work *call_all_reduce(const struct call *c)
{
    return ct_dist_all_reduce(c->g, first(c->out), (enum ct_reduce_op)c->op);
}

static ct_work *call_reduce(const struct call *c)
{
    return ct_dist_reduce(c->g, first(c->out), c->number, (enum ct_reduce_op)c->op);
}

static ct_work *call_broadcast(const struct call *c)
{
    return ct_dist_broadcast(c->g, first(c->out), c->number);
}

static ct_work *call_all_gather(const struct call *c)
{
    return ct_dist_all_gather(c->g, c->out, first(c->in));
}

static ct_work *call_all_gather_into_tensor(const struct call *c)
{
    return ct_dist_all_gather_into_tensor(c->g, first(c->out), first(c->in));
}

static ct_work *call_gather(const struct call *c)
{
    return ct_dist_gather(c->g, c->out, first(c->in), c->number);
}

static ct_work *call_scatter(const struct call *c)
{
    return ct_dist_scatter(c->g, first(c->out), c->in, c->number);
}

static ct_work *call_reduce_scatter(const struct call *c)
{
    return ct_dist_reduce_scatter(c->g, first(c->out), c->in, (enum ct_reduce_op)c->op);
}

static ct_work *call_reduce_scatter_tensor(const struct call *c)
{
    return ct_dist_reduce_scatter_tensor(c->g, first(c->out), first(c->in),
                                         (enum ct_reduce_op)c->op);
}

static ct_work *call_all_to_all(const struct call *c)
{
    return ct_dist_all_to_all(c->g, c->out, c->in);
}

static ct_work *call_all_to_all_single(const struct call *c)
{
    return ct_dist_all_to_all_single(c->g, first(c->out), first(c->in), c->out_sizes, c->in_sizes);
}

static ct_work *call_barrier(const struct call *c)
{
    return ct_dist_barrier_within(c->g, c->timeout);
}

static ct_work *call_monitored_barrier(const struct call *c)
{
    return ct_dist_monitored_barrier(c->g, c->timeout, c->number != 0);
}

static ct_work *call_isend(const struct call *c)
{
    return ct_dist_isend(c->g, first(c->in), c->number, c->tag);
}

static ct_work *call_irecv(const struct call *c)
{
    return ct_dist_irecv(c->g, first(c->out), c->number, c->tag);
}

static const struct {
    const char *name;
    ct_work *(*call)(const struct call *c);
} calls[] = {
    {"all_reduce", call_all_reduce},
    {"reduce", call_reduce},
    {"broadcast", call_broadcast},
    {"all_gather", call_all_gather},
    {"all_gather_into_tensor", call_all_gather_into_tensor},
    {"gather", call_gather},
    {"scatter", call_scatter},
    {"reduce_scatter", call_reduce_scatter},
    {"reduce_scatter_tensor", call_reduce_scatter_tensor},
    {"all_to_all", call_all_to_all},
    {"all_to_all_single", call_all_to_all_single},
    {"barrier", call_barrier},
    {"monitored_barrier", call_monitored_barrier},
    {"isend", call_isend},
    {"irecv", call_irecv},
};

static void drop_tensors(ct_list tensors)
{
    for (int64_t i = 0; tensors.v && i < tensors.n; i++)
        ct_release(tensors.v[i]);
    PyMem_Free((void *)(uintptr_t)tensors.v);
}

/* Retains the tensors of a list, which may change while the GIL is released; see drop_tensors. */
static bool tensors_of(PyObject *list, ct_list *tensors)
{
    Py_ssize_t n = PyList_GET_SIZE(list);
    ct_tensor **v = PyMem_Calloc((size_t)n + 1, sizeof *v);
    *tensors = ct_list_of(v, n);
    if (!v)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *o = PyList_GET_ITEM(list, i);
        if (!py_is_tensor(o)) {
            PyErr_Format(PyExc_TypeError, "expected a tensor, not %s", py_typename(o));
            return false;
        }
        v[i] = ct_retain(py_tensor_of(o));
    }
    return true;
}

static bool sizes_of(PyObject *o, ct_ints *sizes)
{
    *sizes = CT_NO_DIMS;
    if (o == Py_None)
        return true;
    Py_ssize_t n = PyList_Check(o) ? PyList_GET_SIZE(o) : 0;
    int64_t *v = PyMem_Calloc((size_t)n + 1, sizeof *v);
    *sizes = ct_ints_of(v, n);
    for (Py_ssize_t i = 0; v && i < n; i++) {
        if (!py_int64(PyList_GET_ITEM(o, i), &v[i]))
            return false;
    }
    return v || PyErr_NoMemory();
}

/* _group_call(group, name, outputs, inputs, rank, op, tag, timeout, output sizes, input sizes) */
static PyObject *group_call(PyObject *module, PyObject *args)
{
    struct call c = {0};
    struct member *m;
    const char *name;
    PyObject *out, *in, *out_sizes, *in_sizes;
    ct_work *w = NULL;
    if (!PyArg_ParseTuple(args, "O&sO!O!iiidOO", member_from, &m, &name, &PyList_Type, &out,
                          &PyList_Type, &in, &c.number, &c.op, &c.tag, &c.timeout, &out_sizes,
                          &in_sizes))
        return NULL;
    c.g = m->group;
    bool good = tensors_of(out, &c.out) && tensors_of(in, &c.in) &&
                sizes_of(out_sizes, &c.out_sizes) && sizes_of(in_sizes, &c.in_sizes);
    for (size_t i = 0; good && i < sizeof calls / sizeof *calls; i++) {
        if (strcmp(calls[i].name, name) == 0) {
            m->calls++;
            Py_BEGIN_ALLOW_THREADS w = calls[i].call(&c);
            Py_END_ALLOW_THREADS m->calls--;
        }
    }
    drop_tensors(c.out);
    drop_tensors(c.in);
    PyMem_Free((void *)(uintptr_t)c.out_sizes.v);
    PyMem_Free((void *)(uintptr_t)c.in_sizes.v);
    if (!good)
        return NULL;
    return w ? PyCapsule_New(w, WORK, free_work) : py_raise();
}

static PyMethodDef functions[] = {
    {"_store_tcp", store_tcp, METH_VARARGS, NULL},
    {"_store_file", store_file, METH_VARARGS, NULL},
    {"_store_hash", store_hash, METH_NOARGS, NULL},
    {"_store_prefix", store_prefix, METH_VARARGS, NULL},
    {"_store_set", store_set, METH_VARARGS, NULL},
    {"_store_get", store_get, METH_VARARGS, NULL},
    {"_store_wait", store_wait, METH_VARARGS, NULL},
    {"_store_add", store_add, METH_VARARGS, NULL},
    {"_store_compare_set", store_compare_set, METH_VARARGS, NULL},
    {"_store_ask", store_ask, METH_VARARGS, NULL},
    {"_store_timeout", store_timeout, METH_VARARGS, NULL},
    {"_store_port", store_port, METH_VARARGS, NULL},
    {"_dist_available", available, METH_VARARGS, NULL},
    {"_group_new", group_new, METH_VARARGS, NULL},
    {"_group_split", group_split, METH_VARARGS, NULL},
    {"_group_facts", group_facts, METH_VARARGS, NULL},
    {"_group_set_timeout", group_set_timeout, METH_VARARGS, NULL},
    {"_group_close", group_close, METH_VARARGS, NULL},
    {"_group_call", group_call, METH_VARARGS, NULL},
    {"_work_wait", work_wait, METH_VARARGS, NULL},
    {"_work_done", work_done, METH_VARARGS, NULL},
    {"_work_error", work_error, METH_VARARGS, NULL},
    {"_work_source", work_source, METH_VARARGS, NULL},
    {0},
};

bool py_init_dist(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
