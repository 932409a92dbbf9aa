/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods of storages, and methods of tensors that use them: storage(), untyped_storage(), set_(),
 * is_set_to(). Typed storages are in corten/storage.py. */
#include "exchange/exchange.h"

#include <corten/own.h>

#include "parse/parse.h"

static ct_storage *storage_of(PyObject *o)
{
    return ((StorageObject *)o)->s;
}

/* ---- methods of storages ---- */

static PyObject *size(PyObject *self, PyObject *unused)
{
    return PyLong_FromLongLong(ct_storage_nbytes(storage_of(self)));
}

static PyObject *element_size(PyObject *self, PyObject *unused)
{
    return PyLong_FromLong(1);
}

static PyObject *data_ptr(PyObject *self, PyObject *unused)
{
    if (ct_storage_device(storage_of(self)).type == CT_META)
        return PyLong_FromLong(0);
    return PyLong_FromVoidPtr(ct_storage_data(storage_of(self)));
}

static PyObject *resizable(PyObject *self, PyObject *unused)
{
    return PyBool_FromLong(ct_storage_resizable(storage_of(self)));
}

static PyObject *resize_(PyObject *self, PyObject *o)
{
    int64_t nbytes;
    if (!py_is_int(o))
        return PyErr_Format(PyExc_RuntimeError, "resize_ expects an int, but got %s",
                            py_typename(o));
    if (!py_int64(o, &nbytes))
        return NULL;
    return ct_storage_resize(storage_of(self), nbytes) ? Py_NewRef(self) : py_raise();
}

static PyObject *fill_(PyObject *self, PyObject *o)
{
    if (!PyLong_Check(o))
        return PyErr_Format(PyExc_RuntimeError, "fill_ expects int, but got %s", py_typename(o));
    ct_tensor *bytes = py_tensor_of_storage(storage_of(self), CT_UINT8);
    uint8_t value = (uint8_t)PyLong_AsUnsignedLongLongMask(o);
    ct_tensor *done = bytes ? ct_own_fill_(bytes, ct_value_int(value)) : NULL;
    ct_release(bytes);
    return done ? Py_NewRef(self) : py_raise();
}

static struct py_arg copy_args[] = {
    PY_REQUIRED("src", PY_STORAGE),
    PY_OFF("non_blocking", 0),
};
static struct py_signature copy_signature = {
    .args = copy_args, .n = 2, .returns = PY_RETURNS_OBJECT};
static struct py_op copy_op = {.name = "copy_", .signatures = &copy_signature, .n = 1};

static PyObject *copy_(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    enum ct_dtype unused;
    if (py_read(&frame, &copy_op, NULL, args, nargs, names) < 0)
        return NULL;
    ct_storage *source = py_storage_of(frame.v[0].object, &unused);
    if (!source)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "a storage is needed");
    int64_t n = ct_storage_nbytes(storage_of(self)), m = ct_storage_nbytes(source);
    bool good = false;
    if (n != m)
        PyErr_Format(PyExc_RuntimeError,
                     "size does not match, self was %lld bytes but src was %lld bytes",
                     (long long)n, (long long)m);
    else if (ct_storage_device(source).type == CT_META)
        PyErr_SetString(PyExc_NotImplementedError, "Cannot copy out of meta tensor; no data!");
    else
        good = py_copy_storage(storage_of(self), source);
    ct_storage_release(source);
    return good ? Py_NewRef(self) : NULL;
}

ct_tensor *py_tensor_of_storage(ct_storage *s, enum ct_dtype dtype)
{
    int64_t n = ct_storage_nbytes(s) / ct_dtype_size(dtype);
    ct_tensor *t = ct_own_from_storage(s, dtype, ct_ints_of(&n, 1), CT_NO_DIMS, 0);
    if (!t)
        py_raise();
    return t;
}

bool py_copy_storage(ct_storage *dst, ct_storage *src)
{
    ct_tensor *to = py_tensor_of_storage(dst, CT_UINT8),
              *from = py_tensor_of_storage(src, CT_UINT8);
    bool good = to && from;
    if (good && !ct_own_copy_(to, from, false))
        good = py_raise() != NULL;
    ct_release(to);
    ct_release(from);
    return good;
}

/* _elements(dtype): the storage as a 1-d tensor. */
static PyObject *as_elements(PyObject *self, PyObject *dtype)
{
    if (!py_is_dtype(dtype))
        return PyErr_Format(PyExc_TypeError, "expected a torch.dtype, not %s", py_typename(dtype));
    ct_tensor *t = py_tensor_of_storage(storage_of(self), py_dtype_of(dtype));
    return t ? py_wrap(t) : NULL;
}

static PyObject *text(PyObject *self, PyObject *dtype)
{
    char *printed = ct_own_storage_repr(storage_of(self),
                                        py_is_dtype(dtype) ? py_dtype_of(dtype) : CT_NO_DTYPE);
    PyObject *result = printed ? PyUnicode_FromString(printed) : py_raise();
    free(printed);
    return result;
}

static PyObject *get_device(PyObject *self, void *unused)
{
    return py_device(ct_storage_device(storage_of(self)));
}

static PyObject *get_cdata(PyObject *self, void *unused)
{
    return PyLong_FromVoidPtr(storage_of(self));
}

static PyMethodDef storage_methods[] = {
    {"size", size, METH_NOARGS, "The number of bytes."},
    {"nbytes", size, METH_NOARGS, "The number of bytes."},
    {"element_size", element_size, METH_NOARGS, "1: elements are bytes."},
    {"data_ptr", data_ptr, METH_NOARGS, "Returns the address of the first byte."},
    {"resizable", resizable, METH_NOARGS, "Returns whether resize_ may move the memory."},
    {"resize_", resize_, METH_O, "resize_($self, size)\n--\n\nChanges the number of bytes."},
    {"fill_", fill_, METH_O, "fill_($self, value)\n--\n\nSets every byte."},
    {"copy_", PY_FAST(copy_),
     "copy_($self, source, non_blocking=False)\n--\n\nCopies the bytes of a storage of equal "
     "size."},
    {"_elements", as_elements, METH_O, NULL},
    {"_text", text, METH_O, NULL},
    {0},
};

static PyGetSetDef storage_getset[] = {
    {"device", get_device, NULL, "The device of the memory.", NULL},
    {"_cdata", get_cdata, NULL, "Returns a number that identifies the storage.", NULL},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {0},
};

/* ---- what tensors do with storages ---- */

static PyObject *untyped_storage(PyObject *self, PyObject *unused)
{
    return py_wrap_storage(ct_storage_of(py_tensor_of(self)));
}

static PyObject *typed_storage(PyObject *self, PyObject *unused)
{
    PyObject *module = PyImport_ImportModule("corten.storage");
    PyObject *storage = module ? PyObject_CallMethod(module, "_of_tensor", "O", self) : NULL;
    Py_XDECREF(module);
    return storage;
}

ct_tensor *py_tensor_of_typed(PyObject *storage, enum ct_dtype dtype)
{
    enum ct_dtype own;
    ct_storage *s = py_storage_of(storage, &own);
    if (own != CT_NO_DTYPE && own != dtype) {
        PyErr_Format(PyExc_RuntimeError,
                     "Expected a Storage of type %s or an UntypedStorage, but got type %s for "
                     "argument 1 'storage'",
                     ct_dtype_scalar_name(dtype), ct_dtype_scalar_name(own));
        ct_storage_release(s);
        return NULL;
    }
    ct_tensor *t = s ? py_tensor_of_storage(s, dtype) : NULL;
    if (!s)
        PyErr_SetString(PyExc_TypeError, "a storage is needed");
    ct_storage_release(s);
    return t;
}

struct source {
    PyObject *what, *offset, *size, *stride;
    ct_storage *storage; /* owned: reading sizes may run the program's code */
    int64_t room[2][64];
};

static PyObject *wrong_source(PyObject *args)
{
    PyObject *got = PyUnicode_FromString("");
    for (Py_ssize_t i = 0; got && i < PyTuple_GET_SIZE(args); i++)
        Py_SETREF(got, PyUnicode_FromFormat("%U%s%s", got, i ? ", " : "",
                                            py_typename(PyTuple_GET_ITEM(args, i))));
    if (got)
        PyErr_Format(PyExc_TypeError,
                     "set_() received an invalid combination of arguments - got (%U), but expected "
                     "one of:\n * ()\n * (torch.Storage source)\n"
                     " * (torch.Storage source, int storage_offset, tuple of ints size, tuple of "
                     "ints stride = None)\n * (Tensor source)\n"
                     " * (Tensor source, int storage_offset, tuple of ints size, tuple of ints "
                     "stride = None)\n",
                     got);
    Py_XDECREF(got);
    return NULL;
}

static bool read_dims(PyObject *o, int64_t *room, ct_ints *ints)
{
    PyObject *items = PySequence_Tuple(o); /* __index__ may change the list */
    if (!items)
        return false;
    Py_ssize_t n = PyTuple_GET_SIZE(items);
    bool good = n <= 64;
    if (!good)
        PyErr_SetString(PyExc_RuntimeError, "a tensor has at most 64 dimensions");
    for (Py_ssize_t i = 0; good && i < n; i++)
        good = py_int64(PyTuple_GET_ITEM(items, i), &room[i]);
    Py_DECREF(items);
    *ints = ct_ints_of(room, n);
    return good;
}

/* set_() with an offset and sizes. */
static bool set_part(ct_tensor *t, struct source *from)
{
    ct_ints size, stride = CT_NO_DIMS;
    int64_t offset;
    if (!py_int64(from->offset, &offset) || !read_dims(from->size, from->room[0], &size))
        return false;
    if (from->stride && from->stride != Py_None &&
        (!read_dims(from->stride, from->room[1], &stride)))
        return false;
    if (stride.v && stride.n == 0 && size.n > 0)
        stride = CT_NO_DIMS;
    return ct_set_source(t, from->storage, size, stride, offset) || py_raise();
}

static bool set_tensor(ct_tensor *t, ct_tensor *other)
{
    int64_t n = ct_ndim(other);
    return ct_set_source(t, ct_storage_of(other), ct_ints_of(ct_shape_ptr(other), n),
                         ct_ints_of(ct_stride_ptr(other), n), ct_storage_offset(other)) ||
           py_raise();
}

static bool set_whole(ct_tensor *t, ct_storage *s)
{
    int64_t n = ct_storage_nbytes(s) / ct_element_size(t);
    return ct_set_source(t, s, ct_ints_of(&n, 1), CT_NO_DIMS, 0) || py_raise();
}

static bool set_nothing(ct_tensor *t)
{
    ct_storage *s = ct_storage_create(0, ct_device_of(t));
    bool good = s ? set_whole(t, s) : py_raise() != NULL;
    ct_storage_release(s);
    return good;
}

/* Checks that a typed storage has the tensor's dtype; untyped ones fit any. */
static bool same_type(ct_tensor *t, enum ct_dtype dtype, bool is_tensor)
{
    if (dtype == CT_NO_DTYPE || dtype == ct_dtype(t))
        return true;
    if (is_tensor)
        PyErr_Format(PyExc_RuntimeError, "Could not set tensor of type %s to a tensor of type %s",
                     ct_dtype_cpp_name(dtype), ct_dtype_cpp_name(ct_dtype(t)));
    else
        PyErr_Format(PyExc_RuntimeError,
                     "Expected a Storage of type %s or an UntypedStorage, but got type %s for "
                     "argument 1 'storage'",
                     ct_dtype_cpp_name(ct_dtype(t)), ct_dtype_scalar_name(dtype));
    return false;
}

static PyObject *set_(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"source", "storage_offset", "size", "stride", NULL};
    struct source from = {0};
    ct_tensor *t = py_tensor_of(self);
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOOO:set_", keywords, &from.what, &from.offset,
                                     &from.size, &from.stride)) {
        PyErr_Clear();
        return wrong_source(args);
    }
    if (!from.what)
        return set_nothing(t) ? Py_NewRef(self) : NULL;
    enum ct_dtype dtype;
    bool is_tensor = py_is_tensor(from.what);
    if (is_tensor) {
        from.storage = ct_storage_retain(ct_storage_of(py_tensor_of(from.what)));
        if (!from.storage)
            return py_raise();
        dtype = ct_dtype(py_tensor_of(from.what));
    } else {
        from.storage = py_storage_of(from.what, &dtype);
    }
    bool fits = from.storage && (!from.offset || (py_is_index(from.offset) && from.size));
    if (!fits)
        wrong_source(args);
    bool good = fits && same_type(t, dtype, is_tensor) &&
                (from.offset ? set_part(t, &from)
                 : is_tensor ? set_tensor(t, py_tensor_of(from.what))
                             : set_whole(t, from.storage));
    ct_storage_release(from.storage);
    return good ? Py_NewRef(self) : NULL;
}

static PyObject *is_set_to(PyObject *self, PyObject *other)
{
    if (!py_is_tensor(other))
        return PyErr_Format(PyExc_TypeError,
                            "is_set_to(): argument 'tensor' (position 1) must be Tensor, not %s",
                            py_typename(other));
    ct_tensor *a = py_tensor_of(self), *b = py_tensor_of(other);
    size_t bytes = (size_t)ct_ndim(a) * sizeof(int64_t);
    const ct_storage *of_a = ct_storage_of(a), *of_b = ct_storage_of(b);
    if (!of_a || !of_b)
        return py_raise();
    return PyBool_FromLong(of_a == of_b && ct_storage_offset(a) == ct_storage_offset(b) &&
                           ct_ndim(a) == ct_ndim(b) &&
                           memcmp(ct_shape_ptr(a), ct_shape_ptr(b), bytes) == 0 &&
                           memcmp(ct_stride_ptr(a), ct_stride_ptr(b), bytes) == 0);
}

static PyMethodDef tensor_methods[] = {
    {"untyped_storage", untyped_storage, METH_NOARGS,
     "untyped_storage($self)\n--\n\nReturns the storage: the bytes that this tensor views."},
    {"storage", typed_storage, METH_NOARGS,
     "storage($self)\n--\n\nReturns the storage as elements of the tensor's data type. Prefer "
     "untyped_storage()."},
    {"_typed_storage", typed_storage, METH_NOARGS, NULL},
    {"set_", PY_KEYWORDS(set_),
     "set_($self, source=None, storage_offset=0, size=None, stride=None)\n--\n\nMakes this tensor "
     "a view of another storage.\n\n"
     "Arguments:\n"
     "    source (Tensor, storage or None): the storage, or a tensor whose storage is used; None: "
     "an empty one.\n"
     "    storage_offset (int): the index of the first element. Default: `0`.\n"
     "    size (sequence of ints or None): the shape; None: all elements in one dim.\n"
     "    stride (sequence of ints or None): the strides; None: contiguous."},
    {"is_set_to", is_set_to, METH_O,
     "is_set_to($self, tensor)\n--\n\nReturns whether both tensors are the same view of the same "
     "storage."},
    {0},
};

static PyObject *is_storage(PyObject *module, PyObject *o)
{
    enum ct_dtype dtype;
    ct_storage *s = py_storage_of(o, &dtype);
    ct_storage_release(s);
    return PyBool_FromLong(s != NULL);
}

static PyMethodDef functions[] = {
    {"is_storage", is_storage, METH_O,
     "is_storage(obj)\n--\n\nReturns whether an object is a storage."},
    {0},
};

bool py_init_storage(PyObject *module)
{
    py_StorageBase.tp_methods = storage_methods;
    py_StorageBase.tp_getset = storage_getset;
    return PyType_Ready(&py_StorageBase) == 0 &&
           PyModule_AddObjectRef(module, "StorageBase", (PyObject *)&py_StorageBase) == 0 &&
           PyModule_AddFunctions(module, functions) == 0 &&
           py_add_methods(&py_TensorBase, tensor_methods);
}
