/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions behind corten.autograd.profiler. The library records events (corten/profile.h);
 * Python receives them as tuples when profiling stops; to record stacks, it can register a callback
 * for the start of each event. */
#include "parse/parse.h"

#include "corten/profile.h"

bool py_profiling;
static PyObject *begun_function;

/* ---- operations ---- */

#define MOST_GIVEN 16

static ct_tensor *operand_tensor(ct_value v)
{
    return v.kind == CT_VALUE_TENSOR ? v.as.tensor : CT_NO_TENSOR;
}

int64_t py_event_call(struct py_frame *frame, const struct py_signature *s)
{
    ct_tensor *given[MOST_GIVEN];
    int64_t n = 0;
    for (int i = 0; i < s->n && n < MOST_GIVEN; i++) {
        const union py_value *v = py_slot(frame, s, i);
        enum py_kind kind = s->args[i].kind;
        if (s->args[i].flags & PY_OUT)
            continue;
        if (kind == PY_TENSORS && v->list.v && v->list.n >= 0)
            for (int64_t k = 0; k < v->list.n && n < MOST_GIVEN; k++)
                given[n++] = v->list.v[k];
        else if (kind == PY_TENSOR)
            given[n++] = v->tensor;
        else if (kind == PY_OPERAND || kind == PY_VALUE)
            given[n++] = operand_tensor(v->value);
    }
    return ct_profile_begin_call(frame->op->name, (ct_list){given, n});
}

int64_t py_event_operator(const char *name, ct_value a, ct_value b)
{
    ct_tensor *given[] = {operand_tensor(a), operand_tensor(b)};
    return ct_profile_begin_call(name, (ct_list){given, b.kind == CT_VALUE_NULL ? 1 : 2});
}

/* ---- profiles ---- */

/* Calls the callback for a new event. An exception in it is printed and ignored. */
static void begun(void *context, int64_t event)
{
    PyGILState_STATE locked = PyGILState_Ensure();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *function = Py_XNewRef(begun_function);
    PyObject *done = function ? PyObject_CallFunction(function, "L", (long long)event) : NULL;
    if (function && !done)
        PyErr_WriteUnraisable(function);
    Py_XDECREF(done);
    Py_XDECREF(function);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(locked);
}

/* _profile_start(shapes, begun=None): calls begun(index) when an event begins. */
static PyObject *profile_start(PyObject *module, PyObject *args)
{
    int shapes;
    PyObject *function = Py_None;
    if (!PyArg_ParseTuple(args, "p|O", &shapes, &function))
        return NULL;
    struct ct_profile_start_args how = ct_profile_start_defaults;
    how.shapes = shapes;
    how.begun = function == Py_None ? NULL : begun;
    if (!ct_profile_start_ex(&how))
        return py_raise();
    py_profiling = true;
    Py_XSETREF(begun_function, function == Py_None ? NULL : Py_NewRef(function));
    Py_RETURN_NONE;
}

/* The shapes of an event's tensors as lists: [[2, 3], []] */
static PyObject *shapes_of(const struct ct_profile_event *e)
{
    PyObject *all = PyList_New(0);
    for (int64_t at = 0; all && at < e->nshapes;) {
        int64_t ndim = e->shapes[at++];
        PyObject *one = PyList_New(ndim > 0 ? ndim : 0);
        for (int64_t d = 0; one && d < ndim; d++) {
            PyObject *size = PyLong_FromLongLong(e->shapes[at++]);
            if (size)
                PyList_SET_ITEM(one, d, size);
            else
                Py_CLEAR(one);
        }
        if (!one || PyList_Append(all, one) < 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

/* _profile_stop(): [(name, kind, thread, start, end, inside, memory, shapes, made)], ordered by
 * start; see struct ct_profile_event. */
static PyObject *profile_stop(PyObject *module, PyObject *unused)
{
    py_profiling = false;
    ct_profile *p = ct_own_profile_stop();
    if (!p)
        return py_raise();
    Py_CLEAR(begun_function);
    int64_t n = ct_profile_count(p);
    PyObject *events = PyList_New(n);
    for (int64_t i = 0; events && i < n; i++) {
        const struct ct_profile_event *e = ct_profile_at(p, i);
        const char *prefix = e->kind == CT_PROFILE_OPERATION ? "aten::" : "";
        PyObject *name = PyUnicode_FromFormat("%s%s", prefix, e->name), *shapes = shapes_of(e);
        PyObject *event =
            name && shapes
                ? Py_BuildValue("OiLLLLLOL", name, (int)e->kind, (long long)e->thread,
                                (long long)e->start, (long long)e->end, (long long)e->inside,
                                (long long)e->memory, shapes, (long long)e->made)
                : NULL;
        Py_XDECREF(name);
        Py_XDECREF(shapes);
        if (event)
            PyList_SET_ITEM(events, i, event);
        else
            Py_CLEAR(events);
    }
    ct_profile_free(p);
    return events;
}

static PyObject *is_on(PyObject *module, PyObject *unused)
{
    return PyBool_FromLong(ct_profile_is_on());
}

/* _profile_begin(name): begins an event; returns an index for _profile_end. */
static PyObject *block_begin(PyObject *module, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8(name);
    return text ? PyLong_FromLongLong(ct_profile_begin(text)) : NULL;
}

static PyObject *block_end(PyObject *module, PyObject *block)
{
    long long number = PyLong_AsLongLong(block);
    if (number == -1 && PyErr_Occurred())
        return NULL;
    ct_profile_end(number);
    Py_RETURN_NONE;
}

/* ---- counting arithmetic ---- */

static void count_product(void *function, const struct ct_product *product)
{
    PyGILState_STATE locked = PyGILState_Ensure();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *shapes = PyTuple_New(product->n);
    for (int i = 0; shapes && i < product->n; i++) {
        PyObject *shape = py_size(product->shape[i].v, product->shape[i].n);
        if (shape)
            PyTuple_SET_ITEM(shapes, i, shape);
        else
            Py_CLEAR(shapes);
    }
    PyObject *transposed = product->transposed ? Py_True : Py_False;
    PyObject *done =
        shapes ? PyObject_CallFunction(function, "sOO", product->name, shapes, transposed) : NULL;
    if (!done)
        PyErr_WriteUnraisable(function);
    Py_XDECREF(done);
    Py_XDECREF(shapes);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(locked);
}

static __thread PyObject *counter; /* owned; in use until replaced */

/* _count_products(function): calls function(name, shapes, transposed) for each matrix product or
 * convolution that this thread computes; None stops it. */
static PyObject *count_products(PyObject *module, PyObject *function)
{
    PyObject *before = counter;
    counter = function == Py_None ? NULL : Py_NewRef(function);
    ct_count_products(counter ? count_product : NULL, counter);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"_count_products", count_products, METH_O, NULL},
    {"_profile_start", profile_start, METH_VARARGS, NULL},
    {"_profile_stop", profile_stop, METH_NOARGS, NULL},
    {"_profile_is_on", is_on, METH_NOARGS, NULL},
    {"_profile_begin", block_begin, METH_O, NULL},
    {"_profile_end", block_end, METH_O, NULL},
    {0},
};

bool py_init_profile(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
