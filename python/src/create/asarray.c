/* SPDX-License-Identifier: BSD-3-Clause */
/* torch.asarray: makes a tensor from any object that holds numbers, sharing its memory if possible.
 * Plain data is read by construct.c, memory is shared through exchange/. */
#include <corten/autograd.h>
#include <corten/own.h>

#include "exchange/exchange.h"
#include "parse/parse.h"

static struct py_arg asarray_args[] = {
    PY_REQUIRED("obj", PY_OBJECT),
    PY_OR_NONE("dtype", PY_DTYPE, PY_KEYWORD),
    PY_OR_NONE("device", PY_DEVICE, PY_KEYWORD),
    PY_OR_NONE("copy", PY_BOOL_OPT, PY_KEYWORD),
    PY_OR_NONE("requires_grad", PY_BOOL_OPT, PY_KEYWORD),
};
static struct py_signature asarray_signature = {
    .args = asarray_args, .n = 5, .returns = PY_RETURNS_OBJECT};
static struct py_op asarray_op = {.name = "asarray", .signatures = &asarray_signature, .n = 1};

/* Makes a tensor over the whole storage of o. The dtype is the requested one, else that of a typed
 * storage, else the default dtype. Consumes the reference s. */
static ct_tensor *over_storage_take(ct_storage *s, PyObject *o, enum ct_dtype own,
                                    enum ct_dtype wanted)
{
    ct_storage_release(s);
    if (wanted == CT_NO_DTYPE)
        wanted = own == CT_NO_DTYPE ? ct_get_default_dtype() : own;
    return py_tensor_of_typed(o, wanted);
}

/* A tensor over the object's memory, owned. NULL with an exception, or with *plain set if the
 * object has no memory to share. */
static ct_tensor *shared(PyObject *o, const union py_value *v, bool *plain)
{
    enum ct_dtype own;
    ct_storage *storage;
    *plain = false;
    if (py_is_tensor(o))
        return ct_retain(py_tensor_of(o));
    if ((storage = py_storage_of(o, &own)) != NULL)
        return over_storage_take(storage, o, own, v[1].dtype);
    if (py_is_array(o))
        return py_share_array(o, v[3].small != 1);
    if (py_is_capsule(o))
        return py_take_capsule(o);
    if (py_numpy_scalar_kind(o) && v[3].small == 0) {
        PyErr_SetString(PyExc_RuntimeError,
                        "can't alias NumPy scalars. Either remove copy=False or "
                        "transform it in a ndarray. ");
        return NULL;
    }
    if (!py_numpy_scalar_kind(o) && PyObject_CheckBuffer(o))
        return py_share_buffer(o, v[1].dtype);
    *plain = true;
    return NULL;
}

/* Converts t to the requested dtype and device; `copy` decides whether to copy. Consumes t. */
static ct_tensor *fitted_take(ct_tensor *t, const union py_value *v)
{
    struct ct_device have = ct_device_of(t), want = v[2].device;
    bool moves = want.type != CT_NO_DEVICE_TYPE && want.type != have.type;
    bool casts = v[1].dtype != CT_NO_DTYPE && v[1].dtype != ct_dtype(t);
    if (v[3].small == 0 && (moves || casts)) {
        char from[32], to[32];
        snprintf(from, sizeof from, "%s", ct_device_str(have));
        snprintf(to, sizeof to, "%s", ct_device_str(want));
        if (moves)
            PyErr_Format(PyExc_ValueError, "can't alias tensor from device '%s' to '%s'.", from,
                         to);
        else
            PyErr_Format(PyExc_ValueError, "can't alias tensor with dtype '%s' into dtype '%s'.",
                         ct_dtype_scalar_name(ct_dtype(t)), ct_dtype_scalar_name(v[1].dtype));
        ct_release(t);
        return NULL;
    }
    if (!moves && !casts && v[3].small != 1)
        return t;
    ct_tensor *made = ct_own_to(t, v[1].dtype, want, false, v[3].small == 1, CT_PRESERVE_FORMAT);
    ct_release(t);
    if (!made)
        py_raise();
    return made;
}

/* Wraps t with requires_grad as given. Consumes t. */
static PyObject *asarray_wrap(ct_tensor *t, bool wanted)
{
    enum ct_dtype dtype = ct_dtype(t);
    if (wanted && !ct_dtype_is_floating(dtype) && !ct_dtype_is_complex(dtype)) {
        ct_release(t);
        return PyErr_Format(
            PyExc_RuntimeError,
            "Only Tensors of floating point and complex dtype can require gradients");
    }
    if (!wanted && !ct_is_leaf(t)) {
        ct_tensor *plain = ct_own_detach(t);
        ct_release(t);
        return py_wrap(plain);
    }
    if (ct_is_leaf(t) && wanted != ct_requires_grad(t) && !ct_set_requires_grad(t, wanted)) {
        ct_release(t);
        t = NULL;
    }
    return py_wrap(t);
}

/* Replaces a missing device by the default device, unless that is the CPU. */
static union py_value device_or_default(union py_value given)
{
    struct ct_device device = ct_get_default_device();
    if (given.device.type == CT_NO_DEVICE_TYPE && device.type != CT_CPU)
        given.device = device;
    return given;
}

static PyObject *asarray_make(union py_value *v, bool given)
{
    static bool warned;
    bool plain, wanted = v[4].small == 1;
    v[2] = device_or_default(v[2]);
    PyObject *o = v[0].object;
    ct_tensor *t = shared(o, v, &plain);
    if (plain && v[3].small == 0)
        return PyErr_Format(PyExc_ValueError, "can't alias arbitrary sequence into a tensor.");
    if (plain)
        t = py_tensor_from_data(o, v[1].dtype);
    if (!t)
        return NULL;
    if (v[4].small < 0)
        wanted = ct_requires_grad(t);
    if (v[4].small < 0 && wanted && !given &&
        !py_warn_once(&warned,
                      "torch.asarray: unspecified requires_grad now defaults to "
                      "obj.requires_grad instead of False. Pass requires_grad=False explicitly "
                      "to get the old behavior and silence this warning.")) {
        ct_release(t);
        return NULL;
    }
    t = fitted_take(t, v);
    return t ? asarray_wrap(t, wanted) : NULL;
}

static PyObject *asarray(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    bool given = false;
    for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++)
        given = given ||
                PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), "requires_grad") == 0;
    return py_read(&frame, &asarray_op, NULL, args, nargs, names) < 0
               ? NULL
               : asarray_make(frame.v, given);
}

/* ---- the array API standard ---- */

static PyObject *array_namespace(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *names)
{
    static struct py_arg arg[] = {PY_OR_NONE("api_version", PY_OBJECT, PY_KEYWORD)};
    static struct py_signature signature = {.args = arg, .n = 1};
    static struct py_op op = {.name = "__array_namespace__", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    PyObject *version = frame.v[0].object ? frame.v[0].object : Py_None;
    PyObject *module = PyImport_ImportModule("corten.array_api");
    PyObject *found = module ? PyObject_CallMethod(module, "_namespace", "O", version) : NULL;
    Py_XDECREF(module);
    return found;
}

static PyObject *to_device(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("device", PY_DEVICE),
                                  PY_OR_NONE("stream", PY_OBJECT, PY_KEYWORD)};
    static struct py_signature signature = {.args = arg, .n = 2};
    static struct py_op op = {.name = "to_device", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    if (frame.v[1].object && frame.v[1].object != Py_None)
        return PyErr_Format(PyExc_ValueError, "to_device: stream must be None");
    ct_tensor *t = ct_own_to(py_tensor_of(self), CT_NO_DTYPE, frame.v[0].device, false, false,
                             CT_PRESERVE_FORMAT);
    return py_wrap_as(t, py_class_like(self));
}

static PyMethodDef functions[] = {
    {"asarray", PY_FAST(asarray),
     "asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=None)\n--\n\nConverts data "
     "to a tensor, as the array API standard defines it.\n\n"
     "Arguments:\n"
     "    obj: a number, nested sequences, an array, a buffer, a DLPack capsule or a tensor.\n"
     "    dtype (dtype or None): the data type; None: that of the data.\n"
     "    device (device or None): the device; None: that of the data.\n"
     "    copy (bool or None): True copies, False refuses to, None copies only if necessary.\n"
     "    requires_grad (bool or None): whether autograd records operations on the result.\n\n"
     "Example:\n"
     "    >>> torch.asarray([1., 2.]) + 1\n"
     "    tensor([2., 3.])"},
    {0},
};

static PyMethodDef methods[] = {
    {"__array_namespace__", PY_FAST(array_namespace),
     "__array_namespace__($self, *, api_version=None)\n--\n\ncorten.array_api."},
    {"to_device", PY_FAST(to_device),
     "to_device($self, device, /, *, stream=None)\n--\n\nReturns the tensor on another device: the "
     "method `to_device` of the array API standard."},
    {0},
};

bool py_init_asarray(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0 && py_add_methods(&py_TensorBase, methods);
}
