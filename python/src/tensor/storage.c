/* SPDX-License-Identifier: BSD-3-Clause */
/* torch._C.StorageBase: the Python object of a storage, one for each (x.untyped_storage() is
 * x.untyped_storage()). UntypedStorage and the typed storages of corten/storage.py derive from it.
 * This file creates and finds objects and accesses bytes by index; the methods are in
 * storage_methods.c. */
#include "exchange/exchange.h"

/* ---- making and finding ---- */

static PyTypeObject *untyped_class; /* corten.storage.UntypedStorage, loaded on first use */

static PyTypeObject *load_class(void)
{
    if (!untyped_class) {
        PyObject *module = PyImport_ImportModule("corten.storage");
        untyped_class =
            module ? (PyTypeObject *)PyObject_GetAttrString(module, "UntypedStorage") : NULL;
        Py_XDECREF(module);
    }
    return untyped_class;
}

/* Consumes the reference. */
static PyObject *new_object(PyTypeObject *type, ct_storage *owned)
{
    StorageObject *self = owned ? (StorageObject *)type->tp_alloc(type, 0) : NULL;
    if (!self) {
        ct_storage_release(owned);
        return owned ? NULL : py_raise();
    }
    self->s = owned;
    ct_storage_set_handle(owned, self);
    return (PyObject *)self;
}

PyObject *py_wrap_storage(ct_storage *borrowed)
{
    PyObject *known = ct_storage_handle(borrowed);
    if (known)
        return Py_NewRef(known);
    PyTypeObject *type = load_class();
    return type ? new_object(type, ct_storage_retain(borrowed)) : NULL;
}

ct_storage *py_storage_of(PyObject *o, enum ct_dtype *dtype)
{
    *dtype = CT_NO_DTYPE;
    if (PyObject_TypeCheck(o, &py_StorageBase))
        return ct_storage_retain(((StorageObject *)o)->s);
    if (py_is_tensor(o) || !untyped_class)
        return NULL;
    PyObject *untyped = PyObject_GetAttrString(o, "_untyped_storage");
    PyObject *type = untyped ? PyObject_GetAttrString(o, "dtype") : NULL;
    ct_storage *s = NULL;
    if (type && PyObject_TypeCheck(untyped, &py_StorageBase) && py_is_dtype(type)) {
        *dtype = py_dtype_of(type);
        s = ct_storage_retain(((StorageObject *)untyped)->s); /* a property may make a new one */
    }
    PyErr_Clear();
    Py_XDECREF(type);
    Py_XDECREF(untyped);
    return s;
}

static void storage_dealloc(PyObject *o)
{
    StorageObject *self = (StorageObject *)o;
    PyObject_GC_UnTrack(o);
    if (self->weakrefs)
        PyObject_ClearWeakRefs(o);
    Py_CLEAR(self->dict);
    if (self->s) {
        ct_storage_set_handle(self->s, NULL);
        ct_storage_release(self->s);
    }
    Py_TYPE(o)->tp_free(o); /* for subclasses, Python's own dealloc releases the type */
}

static int storage_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(((StorageObject *)o)->dict);
    return 0;
}

static int storage_clear(PyObject *o)
{
    Py_CLEAR(((StorageObject *)o)->dict);
    return 0;
}

/* ---- UntypedStorage(), UntypedStorage(size), UntypedStorage(sequence of bytes) ---- */

static ct_storage *from_sequence(PyObject *items, struct ct_device device)
{
    if (!PySequence_Check(items)) {
        PyErr_Format(PyExc_RuntimeError,
                     "torch.UntypedStorage(): Expected a sequence type, but got %s",
                     py_typename(items));
        return NULL;
    }
    Py_ssize_t n = PySequence_Length(items);
    ct_storage *s = n < 0 ? NULL : ct_storage_create(n, (struct ct_device){CT_CPU, -1});
    if (!s && n >= 0)
        py_raise();
    uint8_t *bytes = s && ct_storage_device(s).type == CT_CPU ? ct_storage_data(s) : NULL;
    for (Py_ssize_t i = 0; s && i < n; i++) {
        PyObject *item = PySequence_GetItem(items, i);
        bool good = item && PyLong_Check(item);
        if (good && bytes)
            bytes[i] = (uint8_t)PyLong_AsUnsignedLongLongMask(item);
        else if (item && !good)
            PyErr_Format(PyExc_RuntimeError,
                         "torch.UntypedStorage(): tried to construct a storage from a sequence "
                         "(%s), but one of the items was of type %s instead of int",
                         py_typename(items), py_typename(item));
        Py_XDECREF(item);
        if (!good) {
            ct_storage_release(s);
            return NULL;
        }
    }
    if (!s || device.type == CT_CPU)
        return s;
    ct_storage *there = ct_storage_create(n, device);
    bool good = there ? device.type == CT_META || py_copy_storage(there, s) : py_raise() != NULL;
    ct_storage_release(s);
    if (good)
        return there;
    ct_storage_release(there);
    return NULL;
}

static PyObject *wrong_arguments(PyObject *args, PyObject *kwargs)
{
    PyObject *got = PyUnicode_FromString("");
    for (Py_ssize_t i = 0; got && i < PyTuple_GET_SIZE(args); i++)
        Py_SETREF(got, PyUnicode_FromFormat("%U%s%s", got, i ? ", " : "",
                                            py_typename(PyTuple_GET_ITEM(args, i))));
    PyObject *key, *value;
    for (Py_ssize_t at = 0; got && kwargs && PyDict_Next(kwargs, &at, &key, &value);)
        Py_SETREF(got, PyUnicode_FromFormat("%U%U=%s, ", got, key, py_typename(value)));
    if (got)
        PyErr_Format(PyExc_TypeError,
                     "torch.UntypedStorage() received an invalid combination of arguments - got "
                     "(%U), but expected one of:\n"
                     " * (*, int allocator = None, torch.device device = None)\n"
                     " * (int size, *, int allocator = None, torch.device device = None)\n"
                     " * (object sequence, *, int allocator = None, torch.device device = None)\n",
                     got);
    Py_XDECREF(got);
    return NULL;
}

static PyObject *storage_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"", "device", NULL};
    PyObject *what = NULL, *where = Py_None;
    struct ct_device device = {CT_CPU, -1};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O$O:UntypedStorage", names, &what, &where)) {
        PyErr_Clear();
        return wrong_arguments(args, kwargs);
    }
    if (where != Py_None) {
        if (!py_is_device(where))
            return wrong_arguments(args, kwargs);
        if (!py_device_of(where, &device))
            return NULL;
    }
    int64_t size = 0;
    if (what && !py_is_int(what)) {
        ct_storage *s = from_sequence(what, device);
        return s ? new_object(type, s) : NULL;
    }
    if (what && !py_int64(what, &size))
        return NULL;
    return new_object(type, ct_storage_create(size, device));
}

/* ---- bytes by index ---- */

static Py_ssize_t storage_length(PyObject *o)
{
    return (Py_ssize_t)ct_storage_nbytes(((StorageObject *)o)->s);
}

static bool refuse_device(ct_storage *s)
{
    if (ct_storage_device(s).type == CT_CPU)
        return false;
    PyErr_Format(PyExc_NotImplementedError, "Not available for '%s' device type",
                 ct_storage_device(s).type == CT_META ? "meta" : "cuda");
    return true;
}

static void slice_release(void *whole)
{
    ct_storage_pin(whole, -1);
    ct_storage_release(whole);
}

/* Reads a slice with step 1: the first byte and the number of bytes. */
static bool read_slice(PyObject *o, PyObject *index, Py_ssize_t *start, int64_t *n)
{
    Py_ssize_t stop, step;
    if (PySlice_Unpack(index, start, &stop, &step) < 0)
        return false;
    *n = PySlice_AdjustIndices(storage_length(o), start, &stop, step);
    if (step != 1)
        PyErr_Format(PyExc_RuntimeError,
                     "Trying to slice with a step of %zd, but only a step of 1 is supported", step);
    return step == 1;
}

/* A storage over part of another. It holds a reference to the other storage and pins its memory (no
 * resizing). */
static PyObject *slice_of(PyObject *o, PyObject *index)
{
    ct_storage *s = ((StorageObject *)o)->s;
    Py_ssize_t start;
    int64_t n;
    if (!read_slice(o, index, &start, &n))
        return NULL;
    ct_storage_pin(s, 1);
    ct_tensor *t =
        ct_own_from_memory((char *)ct_storage_data(s) + start, CT_UINT8, ct_ints_of(&n, 1),
                           CT_NO_DIMS, slice_release, ct_storage_retain(s));
    PyObject *part = t ? py_wrap_storage(ct_storage_of(t)) : py_raise();
    ct_release(t);
    return part;
}

static bool byte_at(PyObject *o, PyObject *index, uint8_t **byte)
{
    ct_storage *s = ((StorageObject *)o)->s;
    int64_t i, n = ct_storage_nbytes(s);
    if (!py_int64(index, &i))
        return false;
    if (i < -n || i >= n) {
        PyErr_Format(PyExc_IndexError, "index %lld out of range for storage of size %lld",
                     (long long)i, (long long)n);
        return false;
    }
    *byte = (uint8_t *)ct_storage_data(s) + (i < 0 ? i + n : i);
    return true;
}

static PyObject *cannot_index(PyObject *index)
{
    return PyErr_Format(PyExc_TypeError, "can't index a torch.UntypedStorage with %s",
                        py_typename(index));
}

static PyObject *storage_getitem(PyObject *o, PyObject *index)
{
    uint8_t *byte;
    if (refuse_device(((StorageObject *)o)->s))
        return NULL;
    if (PySlice_Check(index))
        return slice_of(o, index);
    if (!py_is_index(index))
        return cannot_index(index);
    return byte_at(o, index, &byte) ? PyLong_FromLong(*byte) : NULL;
}

static int storage_setitem(PyObject *o, PyObject *index, PyObject *value)
{
    uint8_t *byte;
    if (refuse_device(((StorageObject *)o)->s))
        return -1;
    if (!value || !PyLong_Check(value)) {
        PyErr_Format(PyExc_RuntimeError,
                     "can only set storage content with a int types, but got %s instead",
                     value ? py_typename(value) : "nothing");
        return -1;
    }
    uint8_t v = (uint8_t)PyLong_AsUnsignedLongLongMask(value);
    if (PySlice_Check(index)) {
        Py_ssize_t start;
        int64_t n;
        if (!read_slice(o, index, &start, &n))
            return -1;
        memset((char *)ct_storage_data(((StorageObject *)o)->s) + start, v, (size_t)n);
        return 0;
    }
    if (!py_is_index(index)) {
        cannot_index(index);
        return -1;
    }
    if (!byte_at(o, index, &byte))
        return -1;
    *byte = v;
    return 0;
}

static PyObject *storage_repr(PyObject *o)
{
    char *text = ct_own_storage_repr(((StorageObject *)o)->s, CT_NO_DTYPE);
    PyObject *result = text ? PyUnicode_FromString(text) : py_raise();
    free(text);
    return result;
}

/* A buffer holds a reference to the storage object and pins its memory (no resizing). */
static int storage_getbuffer(PyObject *o, Py_buffer *view, int flags)
{
    ct_storage *s = ((StorageObject *)o)->s;
    if (ct_storage_device(s).type != CT_CPU) {
        view->obj = NULL;
        PyErr_SetString(PyExc_BufferError, "the storage is not in the CPU's memory");
        return -1;
    }
    if (PyBuffer_FillInfo(view, o, ct_storage_data(s), storage_length(o), 0, flags) < 0)
        return -1;
    ct_storage_pin(s, 1);
    return 0;
}

static void storage_releasebuffer(PyObject *o, Py_buffer *view)
{
    ct_storage_pin(((StorageObject *)o)->s, -1);
}

static PyMappingMethods as_mapping = {
    .mp_length = storage_length,
    .mp_subscript = storage_getitem,
    .mp_ass_subscript = storage_setitem,
};
static PySequenceMethods as_sequence = {.sq_length = storage_length};
static PyBufferProcs as_buffer = {storage_getbuffer, storage_releasebuffer};

PyTypeObject py_StorageBase = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C.StorageBase",
    .tp_doc = "The base class of UntypedStorage: a block of memory that tensors view.",
    .tp_basicsize = sizeof(StorageObject),
    .tp_dealloc = storage_dealloc,
    .tp_repr = storage_repr,
    .tp_as_sequence = &as_sequence,
    .tp_as_mapping = &as_mapping,
    .tp_as_buffer = &as_buffer,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = storage_traverse,
    .tp_clear = storage_clear,
    .tp_weaklistoffset = offsetof(StorageObject, weakrefs),
    .tp_dictoffset = offsetof(StorageObject, dict),
    .tp_new = storage_new,
};
