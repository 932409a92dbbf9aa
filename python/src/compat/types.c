/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of PyTorch's first versions: calling a tensor class (torch.Tensor(2, 3),
 * torch.FloatTensor([1, 2]), x.new(...)), tensor type names, and x.type(), which returns and
 * accepts them. construct.c reads the data. */
#include "create/construct.h"

#include <corten/autograd.h>
#include <corten/own.h>

#include "exchange/exchange.h"
#include "parse/parse.h"

/* ---- names ---- */

/* "torch.FloatTensor", "torch.cuda.FloatTensor", ... */
static PyObject *type_name_of(ct_tensor *t)
{
    const char *name = ct_dtype_scalar_name(ct_dtype(t));
    if (ct_is_sparse(t))
        return PyUnicode_FromFormat(ct_device_of(t).type == CT_CUDA ? "torch.cuda.sparse.%sTensor"
                                                                    : "torch.sparse.%sTensor",
                                    name);
    switch (ct_device_of(t).type) {
    case CT_CUDA:
        return PyUnicode_FromFormat("torch.cuda.%sTensor", name);
    case CT_XLA:
        return PyUnicode_FromFormat("torch.xla.%sTensor", name);
    case CT_META:
        return PyUnicode_FromFormat("torch.meta.%sTensor", name);
    case CT_NO_DEVICE_TYPE:
    case CT_CPU:
    case CT_BAD_DEVICE:
        break;
    }
    return PyUnicode_FromFormat("torch.%sTensor", name);
}

static bool read_type_name(PyObject *name, enum ct_dtype *dtype, struct ct_device *device)
{
    const char *text = PyUnicode_AsUTF8(name);
    if (!text)
        return false;
    if (strcmp(text, "torch.Tensor") == 0) {
        *dtype = ct_get_default_dtype();
        return true;
    }
    const char *rest = strncmp(text, "torch.", 6) == 0 ? text + 6 : "";
    *device = (struct ct_device){CT_CPU, -1};
    if (strncmp(rest, "cuda.", 5) == 0) {
        *device = (struct ct_device){CT_CUDA, -1};
        rest += 5;
    }
    for (int d = 0; d < CT_DTYPE_COUNT; d++) {
        const char *scalar = ct_dtype_scalar_name((enum ct_dtype)d);
        size_t n = strlen(scalar);
        if (strncmp(rest, scalar, n) == 0 && strcmp(rest + n, "Tensor") == 0) {
            *dtype = (enum ct_dtype)d;
            return true;
        }
    }
    PyErr_Format(PyExc_ValueError, "invalid type: '%U'", name);
    return false;
}

/* ---- x.type() ---- */

static struct py_arg type_args[] = {
    PY_OR_NONE("dtype", PY_OBJECT, 0),
    PY_OFF("non_blocking", 0),
    PY_OR_NONE("memory_format", PY_FORMAT, PY_KEYWORD),
};
static struct py_signature type_signature = {
    .args = type_args, .n = 3, .which = 0, .returns = PY_RETURNS_OBJECT};
static struct py_op type_op = {.name = "type", .signatures = &type_signature, .n = 1};

/* Reads a dtype, a type name, or a legacy class (by its _legacy_name). Other classes raise
 * PyTorch's error. */
static bool read_type(PyObject *o, enum ct_dtype *dtype, struct ct_device *device)
{
    *device = CT_NO_DEVICE;
    if (Py_IS_TYPE(o, &py_DType)) {
        *dtype = py_dtype_of(o);
        return true;
    }
    if (o == (PyObject *)py_Tensor) {
        *dtype = ct_get_default_dtype();
        return true;
    }
    PyObject *name = NULL;
    if (PyUnicode_Check(o)) {
        name = Py_NewRef(o);
    } else if (PyType_Check(o)) {
        name = PyObject_GetAttrString(o, "_legacy_name");
        if (!name) {
            PyErr_Clear();
            name = PyObject_GetAttrString(o, "__name__");
        }
    } else {
        PyErr_SetString(PyExc_TypeError, "dtype must be a type, str, or dtype object");
    }
    bool good = name && read_type_name(name, dtype, device);
    Py_XDECREF(name);
    return good;
}

static PyObject *type(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &type_op, self, args, nargs, names) < 0)
        return NULL;
    ct_tensor *t = py_tensor_of(self);
    if (!frame.v[0].object)
        return type_name_of(t);
    enum ct_dtype dtype;
    struct ct_device device;
    if (!read_type(frame.v[0].object, &dtype, &device))
        return NULL;
    int format = frame.v[2].small < 0 ? CT_PRESERVE_FORMAT : frame.v[2].small;
    ct_tensor *result = ct_own_to(t, dtype, device, frame.v[1].b, false, format);
    if (result == t) {
        ct_release(result);
        return Py_NewRef(self);
    }
    return py_emit_warnings(py_wrap_as(result, py_class_like(self)));
}

/* ---- the old constructor ---- */

#define DEVICE PY_OR_NONE("device", PY_DEVICE, PY_KEYWORD)
static struct py_arg by_nothing[] = {DEVICE}, by_storage[] = {PY_REQUIRED("storage", PY_STORAGE)},
                     by_tensor[] = {PY_REQUIRED("other", PY_TENSOR)},
                     by_size[] = {PY_REQUIRED("size", PY_INTS), DEVICE},
                     by_data[] = {PY_REQUIRED("data", PY_OBJECT), DEVICE};
enum { BY_NOTHING, BY_STORAGE, BY_TENSOR, BY_SIZE, BY_DATA, NEW_FORMS };
static struct py_signature new_signatures[NEW_FORMS] = {
    [BY_NOTHING] = {.args = by_nothing, .n = 1}, [BY_STORAGE] = {.args = by_storage, .n = 1},
    [BY_TENSOR] = {.args = by_tensor, .n = 1},   [BY_SIZE] = {.args = by_size, .n = 2},
    [BY_DATA] = {.args = by_data, .n = 2},
};
static struct py_op new_op = {.name = "new", .signatures = new_signatures, .n = NEW_FORMS};
static struct py_op data_op = {.name = "new", .signatures = &new_signatures[BY_DATA], .n = 1};

/* torch.Tensor(tensor) shares the memory; torch.FloatTensor(tensor) requires its dtype to match. */
static ct_tensor *alias(ct_tensor *from, enum ct_dtype dtype)
{
#define OPTIONS(name)                                                                              \
    "TensorOptions(dtype=" name ", device=%s, layout=Strided, requires_grad=false (default), "     \
    "pinned_memory=false (default), memory_format=(nullopt))"
    struct ct_device there = ct_device_of(from);
    if (dtype != CT_NO_DTYPE && (ct_dtype(from) != dtype || there.type != CT_CPU)) {
        PyErr_Format(PyExc_TypeError, "expected " OPTIONS("%s") " (got " OPTIONS("%s") ")",
                     ct_dtype_cpp_name(dtype), "cpu", ct_dtype_cpp_name(ct_dtype(from)),
                     there.type == CT_META ? "meta" : "cpu");
        return NULL;
    }
    ct_tensor *t = ct_own_data(from);
    return t ? t : (ct_tensor *)py_raise();
}

static ct_tensor *from_data(PyObject *data, enum ct_dtype dtype)
{
    if (PySequence_Check(data) || PyUnicode_Check(data))
        return py_tensor_from_data(data, dtype);
    PyErr_Format(PyExc_TypeError, "new(): data must be a sequence (got %s)", py_typename(data));
    return NULL;
}

static bool is_cpu(struct ct_device device)
{
    if (device.type == CT_NO_DEVICE_TYPE || device.type == CT_CPU)
        return true;
    PyErr_Format(PyExc_RuntimeError,
                 "legacy constructor expects device type: cpu but device type: %s was passed",
                 ct_device_str((struct ct_device){device.type, -1}));
    return false;
}

static ct_tensor *of_size(ct_ints size, enum ct_dtype dtype)
{
    ct_tensor *t = ct_own_empty(size, dtype, (struct ct_device){CT_CPU, -1}, false, -1);
    return t ? t : (ct_tensor *)py_raise();
}

/* The legacy constructor. CT_NO_DTYPE means torch.Tensor, which uses the default dtype. */
static ct_tensor *old_style(PyObject *const *args, Py_ssize_t nargs, PyObject *names,
                            enum ct_dtype dtype)
{
    struct py_frame frame;
    enum ct_dtype real = dtype == CT_NO_DTYPE ? ct_get_default_dtype() : dtype;
    PyObject *first = nargs ? args[0] : NULL;
    ct_tensor *t = NULL;
    if (nargs == 1 && !names && (PyList_Check(first) || PyTuple_CheckExact(first)))
        return from_data(first, real);
    bool is_data = nargs == 1 && names && PyTuple_GET_SIZE(names) == 1 && PyList_Check(first) &&
                   PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), "device") == 0;
    int way = py_parse(&frame, is_data ? &data_op : &new_op, NULL, args, nargs, names);
    way = is_data && way == 0 ? BY_DATA : way;
    switch (way) {
    case BY_NOTHING:
        t = is_cpu(frame.v[0].device) ? of_size(ct_ints_of(&(int64_t){0}, 1), real) : NULL;
        break;
    case BY_STORAGE:
        t = py_tensor_of_typed(frame.v[0].object, real);
        break;
    case BY_TENSOR:
        t = alias(frame.v[0].tensor, dtype);
        break;
    case BY_SIZE:
        if (!is_cpu(frame.v[1].device))
            break;
        /* A list of ints is data. Sizes are separate ints or a torch.Size. */
        if (first && !py_is_index(first) && !Py_IS_TYPE(first, &py_Size))
            t = from_data(first, real);
        else
            t = of_size(frame.v[0].ints, real);
        break;
    case BY_DATA:
        t = is_cpu(frame.v[1].device) ? from_data(frame.v[0].object, real) : NULL;
        break;
    default:
        break;
    }
    py_frame_end(&frame);
    return t;
}

/* torch.FloatTensor(...), torch.LongTensor(...), ...: _legacy_tensor(dtype, ...) */
static PyObject *legacy_tensor(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *names)
{
    if (nargs == 0 || !py_is_dtype(args[0]))
        return PyErr_Format(PyExc_TypeError, "a torch.dtype is needed");
    ct_tensor *t = old_style(args + 1, nargs - 1, names, py_dtype_of(args[0]));
    return t ? py_wrap(t) : NULL;
}

/* Converts the tuple and dict of tp_new to the parser's vectorcall arguments. */
PyObject *py_tensor_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (type == &py_TensorBase) {
        PyErr_SetString(PyExc_TypeError, "cannot create 'torch._C.TensorBase' instances");
        return NULL;
    }
    Py_ssize_t n = PyTuple_GET_SIZE(args), keywords = kwargs ? PyDict_GET_SIZE(kwargs) : 0;
    PyObject **row = PyMem_Calloc((size_t)(n + keywords + 1), sizeof *row);
    PyObject *names = keywords ? PyTuple_New(keywords) : NULL, *key, *value;
    if (!row || (keywords && !names)) {
        PyMem_Free(row);
        Py_XDECREF(names);
        return PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; i < n; i++)
        row[i] = PyTuple_GET_ITEM(args, i);
    for (Py_ssize_t i = 0, at = 0; keywords && PyDict_Next(kwargs, &at, &key, &value); i++) {
        PyTuple_SET_ITEM(names, i, Py_NewRef(key));
        row[n + i] = value;
    }
    ct_tensor *t = old_style(row, n, names, CT_NO_DTYPE);
    PyMem_Free(row);
    Py_XDECREF(names);
    return t ? py_wrap_as(t, type) : NULL;
}

/* x.new(...): the legacy constructor with x's dtype. */
static PyObject *new_like(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    ct_tensor *t = old_style(args, nargs, names, ct_dtype(py_tensor_of(self)));
    return t ? py_wrap_as(t, py_class_like(self)) : NULL;
}

static PyMethodDef methods[] = {
    {"new", PY_FAST(new_like),
     "Returns a new tensor of this type, constructed like torch.Tensor(...)."},
    {"type", PY_FAST(type),
     "type($self, dtype=None, non_blocking=False)\n--\n\n"
     "Returns the name of the type, or the tensor converted to another type."},
    {0},
};

static PyMethodDef functions[] = {{"_legacy_tensor", PY_FAST(legacy_tensor), NULL}, {0}};

bool py_init_types(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods) && PyModule_AddFunctions(module, functions) == 0;
}
