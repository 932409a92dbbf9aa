/* SPDX-License-Identifier: BSD-3-Clause */
/* torch.Size: a tuple of ints that prints as torch.Size([2, 3]). Slicing, joining and repeating
 * return a Size as well. */
#include "binding.h"

/* Not tracked by the garbage collector: ints cannot be part of a cycle. */
static PyObject *new_size(const int64_t *v, int64_t n)
{
    PyTupleObject *self = PyObject_GC_NewVar(PyTupleObject, &py_Size, (Py_ssize_t)n);
    if (!self)
        return NULL;
    for (Py_ssize_t i = 0; i < n; i++)
        self->ob_item[i] = NULL;
    for (Py_ssize_t i = 0; i < n; i++) {
        self->ob_item[i] = PyLong_FromLongLong(v[i]);
        if (!self->ob_item[i]) {
            Py_DECREF(self);
            return NULL;
        }
    }
    return (PyObject *)self;
}

/* A cache of recently returned sizes, indexed by a hash of their numbers. A Size is immutable, and
 * programs request the same few sizes many times. */
#define RECENT 64
#define RECENT_DIMS 5
static struct recent {
    PyObject *size; /* owned, or NULL */
    int64_t n, v[RECENT_DIMS];
} recent[RECENT];

PyObject *py_size(const int64_t *v, int64_t n)
{
    if (n > RECENT_DIMS)
        return new_size(v, n);
    uint64_t mix = (uint64_t)n;
    for (int64_t i = 0; i < n; i++)
        mix = mix * 31 + (uint64_t)v[i];
    struct recent *found = &recent[(mix ^ mix >> 6) % RECENT];
    bool same = found->size && found->n == n;
    for (int64_t i = 0; same && i < n; i++)
        same = found->v[i] == v[i];
    if (same)
        return Py_NewRef(found->size);
    PyObject *size = new_size(v, n);
    if (!size)
        return NULL;
    Py_XSETREF(found->size, Py_NewRef(size));
    found->n = n;
    for (int64_t i = 0; i < n; i++)
        found->v[i] = v[i];
    return size;
}

PyObject *py_int_tuple(const int64_t *v, int64_t n)
{
    PyObject *self = PyTuple_New((Py_ssize_t)n);
    for (Py_ssize_t i = 0; self && i < n; i++) {
        PyObject *item = PyLong_FromLongLong(v[i]);
        if (!item)
            Py_CLEAR(self);
        else
            PyTuple_SET_ITEM(self, i, item);
    }
    return self;
}

/* Makes a Size from a tuple, which is consumed; NULL and other objects are returned unchanged. */
static PyObject *size_from_tuple(PyObject *tuple)
{
    if (!tuple || !PyTuple_CheckExact(tuple))
        return tuple;
    Py_ssize_t n = PyTuple_GET_SIZE(tuple);
    PyObject *self = py_Size.tp_alloc(&py_Size, n);
    for (Py_ssize_t i = 0; self && i < n; i++)
        PyTuple_SET_ITEM(self, i, Py_NewRef(PyTuple_GET_ITEM(tuple, i)));
    Py_DECREF(tuple);
    return self;
}

static PyObject *size_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *self = PyTuple_Type.tp_new(type, args, kwargs);
    for (Py_ssize_t i = 0; self && i < PyTuple_GET_SIZE(self); i++) {
        PyObject *item = PyTuple_GET_ITEM(self, i);
        if (PyLong_CheckExact(item))
            continue;
        PyObject *number = PyBool_Check(item)  ? PyNumber_Long(item)
                           : py_is_index(item) ? PyNumber_Index(item)
                                               : NULL;
        if (!number) {
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_TypeError,
                             "torch.Size() takes an iterable of 'int' (item %zd is '%s')", i,
                             py_typename(item));
            Py_CLEAR(self);
            return NULL;
        }
        PyTuple_SET_ITEM(self, i, number);
        Py_DECREF(item);
    }
    return self;
}

static PyObject *size_repr(PyObject *self)
{
    PyObject *list = PySequence_List(self);
    if (!list)
        return NULL;
    PyObject *text = PyUnicode_FromFormat("torch.Size(%R)", list);
    Py_DECREF(list);
    return text;
}

/* Also called for (1,) + size, since Python tries the subclass first. */
static PyObject *size_add(PyObject *a, PyObject *b)
{
    if (!PyTuple_Check(b))
        return PyErr_Format(PyExc_TypeError, "can only concatenate tuple (not %s) to torch.Size",
                            py_typename(b));
    if (!PyTuple_Check(a))
        Py_RETURN_NOTIMPLEMENTED;
    return size_from_tuple(PyTuple_Type.tp_as_sequence->sq_concat(a, b));
}

static PyObject *size_concat(PyObject *a, PyObject *b)
{
    return size_from_tuple(PyTuple_Type.tp_as_sequence->sq_concat(a, b));
}

static PyObject *size_repeat(PyObject *self, Py_ssize_t n)
{
    PyObject *plain = PyTuple_GetSlice(self, 0, PyTuple_GET_SIZE(self));
    if (!plain)
        return NULL;
    PyObject *result = PyTuple_Type.tp_as_sequence->sq_repeat(plain, n);
    Py_DECREF(plain);
    return size_from_tuple(result);
}

static PyObject *size_subscript(PyObject *self, PyObject *index)
{
    PyObject *result = PyTuple_Type.tp_as_mapping->mp_subscript(self, index);
    return PySlice_Check(index) ? size_from_tuple(result) : result;
}

static PyObject *size_numel(PyObject *self, PyObject *unused)
{
    PyObject *product = PyLong_FromLong(1);
    for (Py_ssize_t i = 0; product && i < PyTuple_GET_SIZE(self); i++)
        Py_SETREF(product, PyNumber_Multiply(product, PyTuple_GET_ITEM(self, i)));
    return product;
}

static PyObject *size_reduce(PyObject *self, PyObject *unused)
{
    PyObject *module = PyImport_ImportModule("corten._C");
    PyObject *make = module ? PyObject_GetAttrString(module, "_rebuild_size") : NULL;
    Py_XDECREF(module);
    if (!make)
        return NULL;
    return Py_BuildValue("N(N)", make, PyTuple_GetSlice(self, 0, PyTuple_GET_SIZE(self)));
}

static PyObject *rebuild_size(PyObject *module, PyObject *items)
{
    return PyObject_CallOneArg((PyObject *)&py_Size, items);
}

static PyNumberMethods size_as_number = {.nb_add = size_add};
static PySequenceMethods size_as_sequence = {.sq_concat = size_concat, .sq_repeat = size_repeat};
static PyMappingMethods size_as_mapping = {.mp_subscript = size_subscript};

static PyMethodDef size_methods[] = {
    {"numel", size_numel, METH_NOARGS, "Returns the number of elements: the product of the sizes."},
    {"__reduce__", size_reduce, METH_NOARGS, NULL},
    {0},
};

PyTypeObject py_Size = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.Size",
    .tp_doc = "The sizes of a tensor: a tuple of ints.\n\n"
              "Example:\n"
              "    >>> torch.ones(2, 3).shape\n"
              "    torch.Size([2, 3])\n"
              "    >>> torch.Size([2, 3]).numel()\n"
              "    6",
    .tp_repr = size_repr,
    .tp_as_number = &size_as_number,
    .tp_as_sequence = &size_as_sequence,
    .tp_as_mapping = &size_as_mapping,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = size_methods,
    .tp_base = &PyTuple_Type,
    .tp_new = size_new,
};

static PyMethodDef functions[] = {{"_rebuild_size", rebuild_size, METH_O, NULL}, {0}};

bool py_init_size(PyObject *module)
{
    size_as_mapping.mp_length = PyTuple_Type.tp_as_mapping->mp_length;
    if (PyType_Ready(&py_Size) < 0)
        return false;
    return PyModule_AddFunctions(module, functions) == 0 &&
           PyModule_AddObjectRef(module, "Size", (PyObject *)&py_Size) == 0;
}
