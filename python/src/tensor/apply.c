/* SPDX-License-Identifier: BSD-3-Clause */
/* apply_, map_ and map2_: call a Python function for each element. Slow, but many scripts use
 * them. */
#include "parse/parse.h"

#include <corten/autograd.h>
#include <corten/own.h>

static bool check_no_grad(const char *name, ct_tensor *const *t, int n)
{
    for (int i = 0; i < n; i++) {
        if (!ct_requires_grad(t[i]))
            continue;
        PyErr_Format(PyExc_RuntimeError,
                     "Can't call %s() on Variable that requires grad. Use var.detach().%s() "
                     "instead.",
                     name, name);
        return false;
    }
    return true;
}

/* Returns all elements in order, as a flat list of Python numbers. */
static PyObject *flat_list(ct_tensor *t)
{
    ct_tensor *flat = ct_own_reshape(t, ct_ints_of(&(int64_t){-1}, 1));
    PyObject *o = flat ? py_wrap(flat) : py_raise();
    PyObject *list = o ? PyObject_CallMethod(o, "tolist", NULL) : NULL;
    if (list && !(PyList_Check(list) && PyList_GET_SIZE(list) == ct_numel(t))) {
        PyErr_SetString(PyExc_TypeError, "tolist() must return a list of all elements");
        Py_CLEAR(list); /* the program may have replaced the method */
    }
    Py_XDECREF(o);
    return list;
}

/* Calls function(a[i], b[i], ...) for every element; returns a new list. */
static PyObject *call_each(PyObject *function, PyObject *const *lists, int n)
{
    Py_ssize_t count = PyList_GET_SIZE(lists[0]);
    PyObject *results = PyList_New(count);
    for (Py_ssize_t i = 0; results && i < count; i++) {
        PyObject *row[3];
        for (int k = 0; k < n; k++)
            row[k] = PyList_GET_ITEM(lists[k], i);
        PyObject *o = PyObject_Vectorcall(function, row, (size_t)n, NULL);
        if (o)
            PyList_SET_ITEM(results, i, o);
        else
            Py_CLEAR(results);
    }
    return results;
}

static bool write_back(ct_tensor *self, PyObject *results)
{
    ct_tensor *flat = py_tensor_from_data(results, ct_dtype(self));
    if (!flat)
        return false;
    ct_tensor *shaped = ct_own_reshape(flat, ct_ints_of(ct_shape_ptr(self), ct_ndim(self)));
    ct_tensor *done = shaped ? ct_own_copy_(self, shaped, false) : NULL;
    ct_release(shaped);
    ct_release(flat);
    return done || py_raise();
}

/* Writes function(t[0][i], ..., t[n - 1][i]) to every element of t[0], which is self's tensor; the
 * others are broadcast. */
static PyObject *apply_all(PyObject *self, PyObject *function, ct_tensor *const *t, int n)
{
    PyObject *lists[3] = {NULL}, *results = NULL;
    bool good = true;
    if (ct_device_of(t[0]).type == CT_META)
        return Py_NewRef(self);
    for (int i = 0; i < n && good; i++) {
        ct_tensor *expanded =
            ct_own_expand(t[i], ct_ints_of(ct_shape_ptr(t[0]), ct_ndim(t[0])), false);
        lists[i] = expanded ? flat_list(expanded) : py_raise();
        ct_release(expanded);
        good = lists[i] != NULL;
    }
    if (good)
        results = call_each(function, lists, n);
    good = results && write_back(t[0], results);
    Py_XDECREF(results);
    for (int i = 0; i < n; i++)
        Py_XDECREF(lists[i]);
    return good ? Py_NewRef(self) : NULL;
}

static PyObject *apply_(PyObject *self, PyObject *function)
{
    ct_tensor *t = py_tensor_of(self);
    return check_no_grad("apply_", &t, 1) ? apply_all(self, function, &t, 1) : NULL;
}

static struct py_arg map_args[] = {PY_REQUIRED("other", PY_TENSOR),
                                   PY_REQUIRED("callable", PY_OBJECT)};
static struct py_arg map2_args[] = {PY_REQUIRED("x", PY_TENSOR), PY_REQUIRED("y", PY_TENSOR),
                                    PY_REQUIRED("callable", PY_OBJECT)};
static struct py_signature map_signature = {.args = map_args, .n = 2},
                           map2_signature = {.args = map2_args, .n = 3};
static struct py_op map_op = {.name = "map_", .signatures = &map_signature, .n = 1},
                    map2_op = {.name = "map2_", .signatures = &map2_signature, .n = 1};

/* map_ and map2_: parses `others` tensors and a function, checks dtypes, and applies the
 * function. */
static PyObject *map_with(struct py_op *op, int others, PyObject *self, PyObject *const *args,
                          Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, op, self, args, nargs, names) < 0)
        return NULL;
    ct_tensor *t[3] = {py_tensor_of(self)};
    for (int k = 0; k < others; k++)
        t[k + 1] = frame.v[k].tensor;
    if (!check_no_grad(op->name, t, others + 1))
        return NULL;
    for (int k = 1; k <= others; k++) {
        if (ct_dtype(t[k]) == ct_dtype(t[0]))
            continue;
        return PyErr_Format(PyExc_TypeError,
                            "%s: expected torch.%sTensor for %s'%s' (got torch.%sTensor)", op->name,
                            ct_dtype_scalar_name(ct_dtype(t[0])), others > 1 ? "argument " : "",
                            op->signatures->args[k - 1].name, ct_dtype_scalar_name(ct_dtype(t[k])));
    }
    return apply_all(self, frame.v[others].object, t, others + 1);
}

static PyObject *map_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    return map_with(&map_op, 1, self, args, nargs, names);
}

static PyObject *map2_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    return map_with(&map2_op, 2, self, args, nargs, names);
}

static PyMethodDef methods[] = {
    {"apply_", apply_, METH_O,
     "Replaces each element by function(element). Slow: calls Python for each element.\n\n"
     "    >>> torch.tensor([1., 2.]).apply_(lambda v: v + 10)\n"
     "    tensor([11., 12.])"},
    {"map_", PY_FAST(map_),
     "map_($self, other, callable)\n--\n\nReplaces each element by function(element, element of "
     "other). Slow: calls Python for each element.\n\n"
     "    >>> torch.tensor([1., 2.]).map_(torch.tensor([3., 4.]), lambda a, b: a * b)\n"
     "    tensor([3., 8.])"},
    {"map2_", PY_FAST(map2_),
     "map2_($self, x, y, callable)\n--\n\nReplaces each element by function(element, element of x, "
     "element of y). Slow: calls Python for each element."},
    {0},
};

bool py_init_apply(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods);
}
