/* SPDX-License-Identifier: BSD-3-Clause */
/* x[...] and x[...] = value: converts Python's index objects to ct_index items and calls the
 * library, which interprets them. A single int or slice takes a fast path without the item list.
 * Nested lists and arrays become index tensors here. */
#include "parse/parse.h"

#define MAX_ITEMS 128

struct items {
    ct_index v[MAX_ITEMS];
    ct_tensor *made[MAX_ITEMS]; /* index tensors created here, owned */
    int n, nmade;
    PyObject *items; /* owned: the tuple of indices, or NULL */
};

static void items_free(struct items *list)
{
    for (int i = 0; i < list->nmade; i++)
        ct_release(list->made[i]);
    Py_XDECREF(list->items);
}

/* Raises PyTorch's error for an object that cannot be an index. */
static bool refuse_index(PyObject *o)
{
    PyErr_Format(
        PyExc_IndexError,
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
        "valid indices (got %s)",
        py_typename(o));
    if (PyFloat_Check(o))
        py_note("write x[int(i)]; i // 2 gives an int, i / 2 a float");
    return false;
}

/* ---- one item ---- */

static bool slice_bound(PyObject *o, int64_t *v)
{
    if (o == Py_None) {
        *v = CT_NO_DIM;
        return true;
    }
    if (!PyIndex_Check(o)) {
        PyErr_SetString(PyExc_TypeError,
                        "slice indices must be integers or None or have an __index__ method");
        return false;
    }
    Py_ssize_t i = PyNumber_AsSsize_t(o, NULL); /* clamps, as slices do */
    *v = i < -PY_SSIZE_T_MAX ? -PY_SSIZE_T_MAX : i;
    return i != -1 || !PyErr_Occurred();
}

static bool slice_item(PyObject *o, ct_index *item)
{
    PySliceObject *s = (PySliceObject *)o;
    item->kind = CT_INDEX_SLICE;
    if (!slice_bound(s->start, &item->start) || !slice_bound(s->stop, &item->stop) ||
        !slice_bound(s->step, &item->step))
        return false;
    if (py_strict && item->step < 0 && item->step != CT_NO_DIM) {
        PyErr_SetString(PyExc_ValueError, "step must be greater than zero");
        return false;
    }
    if (item->step == 0) {
        PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
        return false;
    }
    return true;
}

static bool tensor_item(ct_index *item, ct_tensor *t)
{
    item->kind = CT_INDEX_TENSOR;
    item->tensor = t;
    return true;
}

/* Copies a list, range or array into an index tensor. */
static bool sequence_item(struct items *list, ct_index *item, PyObject *o)
{
    ct_tensor *t = py_tensor_from_data(o, CT_NO_DTYPE);
    if (!t)
        return false;
    list->made[list->nmade++] = t;
    /* Converts to integers: an empty list would become float, and PyTorch truncates [0, 1.5]. */
    if (ct_dtype_is_floating(ct_dtype(t)) && (!py_is_numpy(o) || ct_numel(t) == 0)) {
        ct_tensor *ints = py_tensor_from_data(o, CT_INT64);
        if (!ints)
            return false;
        ct_release(t);
        list->made[list->nmade - 1] = t = ints;
    }
    return tensor_item(item, t);
}

static bool add_item(struct items *list, PyObject *o)
{
    if (list->n == MAX_ITEMS) {
        PyErr_SetString(PyExc_IndexError, "too many indices for tensor");
        return false;
    }
    ct_index *item = &list->v[list->n++];
    *item = (ct_index){.kind = CT_INDEX_INT};
    if (PyLong_CheckExact(o))
        return py_int64(o, &item->start);
    if (PySlice_Check(o))
        return slice_item(o, item);
    if (o == Py_Ellipsis) {
        item->kind = CT_INDEX_ELLIPSIS;
        return true;
    }
    if (o == Py_None) {
        item->kind = CT_INDEX_NONE;
        return true;
    }
    if (PyBool_Check(o)) {
        item->kind = CT_INDEX_BOOL;
        item->start = o == Py_True;
        return true;
    }
    if (py_is_tensor(o))
        return tensor_item(item, py_tensor_of(o));
    if (PyUnicode_Check(o) || PyBytes_Check(o)) {
        PyErr_Format(PyExc_TypeError, "new(): invalid data type '%s'", py_typename(o));
        return false;
    }
    if (py_is_numpy(o) && py_numpy_scalar_kind(o) == 0)
        return sequence_item(list, item, o);
    if (py_is_index(o))
        return py_int64(o, &item->start);
    if (PySequence_Check(o) && !PyDict_Check(o))
        return sequence_item(list, item, o);
    return refuse_index(o);
}

/* Whether an index is a sequence of indices. A tuple is; as in PyTorch so is a short sequence that
 * contains a sequence, slice, tensor, `...` or None, which is deprecated. 1, 0, or -1 with an
 * exception. */
static int is_several(PyObject *index)
{
    if (PyTuple_Check(index))
        return 1;
    if (py_is_tensor(index) || py_is_numpy(index) || !PySequence_Check(index))
        return 0;
    Py_ssize_t n = PySequence_Size(index);
    if (n < 0)
        PyErr_Clear();
    for (Py_ssize_t i = 0; i < n && n < 32; i++) {
        PyObject *o = PySequence_GetItem(index, i);
        if (!o)
            return -1;
        bool part = py_is_tensor(o) || PySequence_Check(o) || PySlice_Check(o) || o == Py_None ||
                    o == Py_Ellipsis;
        Py_DECREF(o);
        if (part)
            return PyErr_WarnEx(
                       PyExc_UserWarning,
                       "Using a non-tuple sequence for multidimensional indexing is deprecated "
                       "and will be changed in pytorch 2.9; use x[tuple(seq)] instead of x[seq]. "
                       "In pytorch 2.9 this will be interpreted as tensor index, "
                       "x[torch.tensor(seq)], which will result either in an error or a different "
                       "result",
                       1) < 0
                       ? -1
                       : 1;
    }
    return 0;
}

static bool add_items(struct items *list, PyObject *const *item, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++)
        if (!add_item(list, item[i]))
            return false;
    return true;
}

static bool read_index(struct items *list, PyObject *index)
{
    list->n = list->nmade = 0;
    list->items = NULL;
    if (PyLong_CheckExact(index) || PySlice_Check(index))
        return add_item(list, index);
    if (py_is_int(index)) /* a scalar cannot be a sequence of indices */
        return add_item(list, index);
    int several = is_several(index);
    if (several <= 0)
        return several == 0 && add_items(list, &index, 1);
    PyObject *items = PySequence_Tuple(index);
    bool good = items && add_items(list, PySequence_Fast_ITEMS(items), PyTuple_GET_SIZE(items));
    list->items = items;                                           /* keeps the tensors alive */
    if (good && list->n == 1 && list->v[0].kind == CT_INDEX_SLICE) /* x[:,] is not x[:] */
        list->v[list->n++] = (ct_index){.kind = CT_INDEX_ELLIPSIS};
    return good;
}

/* ---- reading ---- */

static PyObject *wrap_view(PyObject *self, ct_tensor *result)
{
    if (py_is_plain(self))
        return py_wrap(result);
    return py_wrap_as(result, py_class_like(self));
}

static bool mode_is_active(void)
{
    return py_modes > 0 && !py_dispatch_disabled();
}

/* Dispatches to __torch_function__ if a mode is active or if the index or the value overrides it.
 * 1: handled, *answer is the result or NULL with an exception; 0: not overridden. Subclasses of
 * Tensor are handled by their descriptors (subclass_descriptors.c). */
static int dispatch_indexing(PyObject *self, PyObject *index, PyObject *value, PyObject **answer)
{
    bool overrides =
        mode_is_active() || py_has_override(index) || (value && py_has_override(value));
    for (Py_ssize_t i = 0; !overrides && PyTuple_Check(index) && i < PyTuple_GET_SIZE(index); i++)
        overrides = py_has_override(PyTuple_GET_ITEM(index, i));
    if (!overrides)
        return 0;
    PyObject *func =
        PyObject_GetAttrString((PyObject *)&py_TensorBase, value ? "__setitem__" : "__getitem__");
    PyObject *args = value ? PyTuple_Pack(3, self, index, value) : PyTuple_Pack(2, self, index);
    *answer = func && args ? py_dispatch(func, args, NULL) : NULL;
    Py_XDECREF(func);
    Py_XDECREF(args);
    return 1;
}

PyObject *py_tensor_getitem(PyObject *self, PyObject *index)
{
    ct_tensor *t = py_tensor_of(self);
    PyObject *result = NULL;
    if (__builtin_expect(py_modes > 0, 0) && dispatch_indexing(self, index, NULL, &result))
        return result;
    if (PyLong_CheckExact(index)) {
        ct_index item = {.kind = CT_INDEX_INT};
        if (!py_int64(index, &item.start))
            return NULL;
        return wrap_view(self, ct_own_getitem(t, &item, 1));
    }
    if (PySlice_Check(index)) {
        ct_index item;
        if (!slice_item(index, &item))
            return NULL;
        return wrap_view(self, ct_own_getitem(t, &item, 1));
    }
    struct items list;
    if (dispatch_indexing(self, index, NULL, &result))
        return result;
    if (read_index(&list, index))
        result = py_emit_warnings(wrap_view(self, ct_own_getitem(t, list.v, list.n)));
    items_free(&list);
    return result;
}

PyObject *py_tensor_sq_item(PyObject *self, Py_ssize_t i)
{
    ct_index item = {.kind = CT_INDEX_INT, .start = i};
    if (!py_check_signals(i)) /* list(x) runs no Python code between items */
        return NULL;
    return wrap_view(self, ct_own_getitem(py_tensor_of(self), &item, 1));
}

/* ---- writing ---- */

static bool read_value(PyObject *self, PyObject *o, ct_value *value)
{
    if (py_is_tensor(o)) {
        *value = ct_value_tensor(py_tensor_of(o));
        return true;
    }
    if (PyLong_CheckExact(o) && ct_dtype(py_tensor_of(self)) == CT_UINT64) {
        *value = ct_value_uint(PyLong_AsUnsignedLongLong(o));
        return !PyErr_Occurred();
    }
    if (PyLong_CheckExact(o)) {
        *value = ct_value_int(0);
        return py_int64(o, &value->as.i);
    }
    bool odd = py_is_numpy(o) && !PyFloat_Check(o) && !PyComplex_Check(o) && !py_is_index(o);
    if (py_is_number(o) && !(py_strict && odd)) /* PyTorch rejects np.float32 */
        return py_number(o, value);
    PyErr_Format(PyExc_TypeError, "can't assign a %s to a torch.%sTensor", py_typename(o),
                 ct_dtype_scalar_name(ct_dtype(py_tensor_of(self))));
    return false;
}

int py_tensor_setitem(PyObject *self, PyObject *index, PyObject *o)
{
    ct_tensor *t = py_tensor_of(self);
    if (!o) {
        PyErr_SetString(PyExc_TypeError, "Tensor does not support deleting items");
        return -1;
    }
    struct items list;
    ct_value value;
    int rc = -1;
    PyObject *answer;
    if (dispatch_indexing(self, index, o, &answer)) {
        Py_XDECREF(answer);
        return answer ? 0 : -1;
    }
    if (!read_value(self, o, &value))
        return -1;
    if (read_index(&list, index))
        rc = ct_own_setitem(t, list.v, list.n, value) ? 0 : py_raise_int();
    items_free(&list);
    if (rc == 0) {
        PyObject *fine = py_emit_warnings(Py_NewRef(Py_None));
        rc = fine ? 0 : -1;
        Py_XDECREF(fine);
    }
    return rc;
}

/* ---- as a sequence ---- */

Py_ssize_t py_tensor_length(PyObject *self)
{
    ct_tensor *t = py_tensor_of(self);
    if (ct_ndim(t) > 0)
        return (Py_ssize_t)ct_shape_ptr(t)[0];
    PyErr_SetString(PyExc_TypeError, "len() of a 0-d tensor");
    py_note("a 0-d tensor holds a single number: x.item()");
    return -1;
}

PyObject *py_tensor_iter(PyObject *self)
{
    ct_tensor *t = py_tensor_of(self);
    if (ct_ndim(t) > 0 && ct_requires_grad(t) && ct_is_grad_enabled()) {
        /* unbind() has one backward step for all parts. Indexing would have one for each part,
         * which fills the rest with zeros. */
        PyObject *parts = PyObject_CallMethod(self, "unbind", NULL);
        PyObject *iterator = parts ? PyObject_GetIter(parts) : NULL;
        Py_XDECREF(parts);
        return iterator;
    }
    if (ct_ndim(t) > 0)
        return PySeqIter_New(self);
    PyErr_SetString(PyExc_TypeError, "iteration over a 0-d tensor");
    py_note("a 0-d tensor holds a single number, x.item(); range(x) counts up to it");
    return NULL;
}

int py_tensor_contains(PyObject *self, PyObject *value)
{
    if (!py_is_tensor(value) && !py_is_number(value)) {
        PyErr_Format(PyExc_RuntimeError,
                     "Tensor.__contains__ only supports Tensor or scalar, but you passed in a %R.",
                     Py_TYPE(value));
        return -1;
    }
    PyObject *equal = py_tensor_richcompare(self, value, Py_EQ);
    PyObject *any = equal ? PyObject_CallMethod(equal, "any", NULL) : NULL;
    int truth = any ? PyObject_IsTrue(any) : -1;
    Py_XDECREF(equal);
    Py_XDECREF(any);
    return truth;
}

/* ---- indices by the dim they belong to ---- */

/* Stores an index at position `dim` of a key. */
static bool set_index(PyObject *key, PyObject *dim, PyObject *index)
{
    Py_ssize_t n = PyTuple_GET_SIZE(key);
    if (!PyLong_Check(dim)) {
        PyErr_Format(PyExc_TypeError, "expected a dimension specifyer but found %R", dim);
        return false;
    }
    Py_ssize_t d = PyLong_AsSsize_t(dim);
    if (d == -1 && PyErr_Occurred())
        return false;
    if (d < -n || d >= n) {
        PyErr_Format(PyExc_TypeError, "dimension %zd not in tensor of %zd dimensions", d, n);
        return false;
    }
    return PyTuple_SetItem(key, d < 0 ? d + n : d, Py_NewRef(index)) == 0;
}

/* x.index((0, 2), (i, j)) is x[i, :, j]. */
static PyObject *index_dims(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("positions", PY_OBJECT),
                                  PY_REQUIRED("dims", PY_OBJECT)};
    static struct py_signature signature = {.args = arg, .n = 2};
    static struct py_op op = {.name = "index", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    PyObject *dims = frame.v[0].object, *given = frame.v[1].object, *all = NULL;
    bool several = PyTuple_Check(dims) || PyList_Check(dims);
    several = several && (PyTuple_Check(given) || PyList_Check(given));
    PyObject *at = several ? PySequence_Tuple(dims) : PyTuple_Pack(1, dims);
    PyObject *index = several ? PySequence_Tuple(given) : PyTuple_Pack(1, given);
    PyObject *key = PyTuple_New(ct_ndim(py_tensor_of(self)));
    bool good = at && index && key && (all = PySlice_New(NULL, NULL, NULL));
    for (Py_ssize_t d = 0; good && d < PyTuple_GET_SIZE(key); d++)
        PyTuple_SET_ITEM(key, d, Py_NewRef(all));
    if (good && PyTuple_GET_SIZE(at) != PyTuple_GET_SIZE(index)) {
        PyErr_Format(PyExc_TypeError, "dims (%zd) and indices (%zd) must have the same length",
                     PyTuple_GET_SIZE(at), PyTuple_GET_SIZE(index));
        good = false;
    }
    for (Py_ssize_t i = 0; good && i < PyTuple_GET_SIZE(at); i++)
        good = set_index(key, PyTuple_GET_ITEM(at, i), PyTuple_GET_ITEM(index, i));
    PyObject *found = good ? PyObject_GetItem(self, key) : NULL;
    Py_XDECREF(all);
    Py_XDECREF(key);
    Py_XDECREF(index);
    Py_XDECREF(at);
    return found;
}

static PyMethodDef methods[] = {
    {"index", PY_FAST(index_dims),
     "index($self, positions, dims)\n--\n\nIndexes the given dims; x.index((0, 2), (i, j)) is x[i, "
     ":, j]."},
    {0},
};

bool py_init_index(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods);
}
