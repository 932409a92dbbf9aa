/* SPDX-License-Identifier: BSD-3-Clause */
/* x[...] and x[...] = value: turns what Python passes between the brackets into ct_index items and
 * calls the library. One int or one slice takes a short way without memory of its own. Nested lists
 * and arrays become index tensors here; what the items mean is the library's business. */
#include "parse/parse.h"

#define MAX_ITEMS 128

struct items {
    ct_index v[MAX_ITEMS];
    ct_tensor *made[MAX_ITEMS]; /* index tensors that were built here */
    int n, nmade;
    PyObject *items; /* owned: a sequence that is several indices; or NULL */
};

static void drop_items(struct items *list)
{
    for (int i = 0; i < list->nmade; i++)
        ct_release(list->made[i]);
    Py_XDECREF(list->items);
}

static bool refuse(PyObject *o)
{
    PyErr_Format(
        PyExc_IndexError,
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are "
        "valid indices (got %s)",
        py_typename(o));
    if (PyFloat_Check(o))
        py_note("x[int(i)]; i // 2 is a whole number where i / 2 is a floating one");
    return false;
}

/* ---- one item ---- */

static bool bound(PyObject *o, int64_t *v)
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
    Py_ssize_t i = PyNumber_AsSsize_t(o, NULL); /* clips, as slices do */
    *v = i < -PY_SSIZE_T_MAX ? -PY_SSIZE_T_MAX : i;
    return i != -1 || !PyErr_Occurred();
}

static bool slice_item(PyObject *o, ct_index *item)
{
    PySliceObject *s = (PySliceObject *)o;
    item->kind = CT_INDEX_SLICE;
    if (!bound(s->start, &item->start) || !bound(s->stop, &item->stop) ||
        !bound(s->step, &item->step))
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

/* Lists, ranges and arrays. */
static bool sequence_item(struct items *list, ct_index *item, PyObject *o)
{
    ct_tensor *t = py_tensor_from_data(o, CT_NO_DTYPE);
    if (!t)
        return false;
    list->made[list->nmade++] = t;
    /* An empty list has no type of its own, and [0, 1.5] counts as ints. */
    if (ct_dtype_is_floating(ct_dtype(t)) && (!py_is_numpy(o) || ct_numel(t) == 0)) {
        ct_tensor *whole = py_tensor_from_data(o, CT_INT64);
        if (!whole)
            return false;
        ct_release(t);
        list->made[list->nmade - 1] = t = whole;
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
    return refuse(o);
}

/* A tuple is several indices. As in PyTorch so is a short sequence with a sequence, slice, tensor,
 * `...` or None in it, which is deprecated. 1, 0, or -1 with an exception. */
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
    if (py_is_int(index)) /* nothing to count */
        return add_item(list, index);
    int several = is_several(index);
    if (several <= 0)
        return several == 0 && add_items(list, &index, 1);
    PyObject *items = PySequence_Tuple(index);
    bool good = items && add_items(list, PySequence_Fast_ITEMS(items), PyTuple_GET_SIZE(items));
    list->items = items;                                           /* which hold the tensors */
    if (good && list->n == 1 && list->v[0].kind == CT_INDEX_SLICE) /* x[:,] is not x[:] */
        list->v[list->n++] = (ct_index){.kind = CT_INDEX_ELLIPSIS};
    return good;
}

/* ---- reading ---- */

static PyObject *answer(PyObject *self, ct_tensor *result)
{
    if (py_is_plain(self))
        return py_wrap(result);
    return py_wrap_as(result, py_class_like(self));
}

static bool mode_asks(void)
{
    return py_modes > 0 && !py_dispatch_disabled();
}

/* A mode, or an index or a value that is no tensor, says itself what is done with it. 0: none does.
 */
static int ask_others(PyObject *self, PyObject *index, PyObject *value, PyObject **answer)
{
    bool asks = mode_asks() || py_has_override(index) || (value && py_has_override(value));
    for (Py_ssize_t i = 0; !asks && PyTuple_Check(index) && i < PyTuple_GET_SIZE(index); i++)
        asks = py_has_override(PyTuple_GET_ITEM(index, i));
    if (!asks)
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
    if (__builtin_expect(py_modes > 0, 0) && ask_others(self, index, NULL, &result))
        return result;
    if (PyLong_CheckExact(index)) {
        ct_index item = {.kind = CT_INDEX_INT};
        if (!py_int64(index, &item.start))
            return NULL;
        return answer(self, ct_own_getitem(t, &item, 1));
    }
    if (PySlice_Check(index)) {
        ct_index item;
        if (!slice_item(index, &item))
            return NULL;
        return answer(self, ct_own_getitem(t, &item, 1));
    }
    struct items list;
    if (ask_others(self, index, NULL, &result))
        return result;
    if (read_index(&list, index))
        result = py_warned(answer(self, ct_own_getitem(t, list.v, list.n)));
    drop_items(&list);
    return result;
}

PyObject *py_tensor_sq_item(PyObject *self, Py_ssize_t i)
{
    ct_index item = {.kind = CT_INDEX_INT, .start = i};
    if (!py_heeds_signals(i)) /* list(x) runs no Python code in between */
        return NULL;
    return answer(self, ct_own_getitem(py_tensor_of(self), &item, 1));
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
    if (py_is_number(o) && !(py_strict && odd)) /* np.float32: PyTorch refuses it */
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
    if (ask_others(self, index, o, &answer)) {
        Py_XDECREF(answer);
        return answer ? 0 : -1;
    }
    if (!read_value(self, o, &value))
        return -1;
    if (read_index(&list, index))
        rc = ct_own_setitem(t, list.v, list.n, value) ? 0 : py_raise_int();
    drop_items(&list);
    if (rc == 0) {
        PyObject *fine = py_warned(Py_NewRef(Py_None));
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
    py_note("it is one number, x.item(), and has no dims");
    return -1;
}

PyObject *py_tensor_iter(PyObject *self)
{
    ct_tensor *t = py_tensor_of(self);
    if (ct_ndim(t) > 0 && ct_requires_grad(t) && ct_is_grad_enabled()) {
        /* One step of backward for all parts, not one that fills the rest with zeros for each. */
        PyObject *parts = PyObject_CallMethod(self, "unbind", NULL);
        PyObject *iterator = parts ? PyObject_GetIter(parts) : NULL;
        Py_XDECREF(parts);
        return iterator;
    }
    if (ct_ndim(t) > 0)
        return PySeqIter_New(self);
    PyErr_SetString(PyExc_TypeError, "iteration over a 0-d tensor");
    py_note("it is one number, x.item(); range(x) counts to it");
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

/* Puts one index at its dim of a key. */
static bool place_index(PyObject *key, PyObject *dim, PyObject *index)
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
        good = place_index(key, PyTuple_GET_ITEM(at, i), PyTuple_GET_ITEM(index, i));
    PyObject *found = good ? PyObject_GetItem(self, key) : NULL;
    Py_XDECREF(all);
    Py_XDECREF(key);
    Py_XDECREF(index);
    Py_XDECREF(at);
    return found;
}

static PyMethodDef methods[] = {
    {"index", PY_FAST(index_dims),
     "index($self, positions, dims)\n--\n\nIndices, each with the dim it belongs to."},
    {0},
};

bool py_init_index(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods);
}
