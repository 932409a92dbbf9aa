/* SPDX-License-Identifier: BSD-3-Clause */
/* torch.tensor, torch.as_tensor and new_tensor. construct.c reads the data; calling the class
 * (torch.Tensor(...)) is in compat/types.c. */
#include "create/construct.h"

#include <corten/autograd.h>
#include <corten/cuda.h>
#include <corten/own.h>

#include "exchange/exchange.h"
#include "parse/parse.h"

#define COPY_WARNING                                                                               \
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "  \
    "sourceTensor.detach().clone().requires_grad_(True), rather than "

/* ---- common steps ---- */

static ct_tensor *to_take(ct_tensor *owned, enum ct_dtype dtype, struct ct_device device)
{
    if (!owned)
        return NULL;
    ct_tensor *t = ct_own_to(owned, dtype, device, false, false, CT_PRESERVE_FORMAT);
    ct_release(owned);
    if (!t)
        py_raise();
    return t;
}

ct_tensor *py_cast_take(ct_tensor *owned, enum ct_dtype dtype)
{
    return to_take(owned, dtype, CT_NO_DEVICE);
}

static ct_tensor *move_take(ct_tensor *owned, struct ct_device device)
{
    if (device.type == CT_NO_DEVICE_TYPE)
        device = ct_get_default_device();
    return device.type == CT_CPU ? owned : to_take(owned, CT_NO_DTYPE, device);
}

/* A 1-d view of all memory between a tensor's first and last element. */
static ct_tensor *flat_of(ct_tensor *t)
{
    int64_t extent = ct_numel(t) ? 1 : 0, one = 1;
    for (int d = 0; extent && d < ct_ndim(t); d++)
        extent += (ct_size(t, d) - 1) * ct_stride(t, d);
    return ct_own_as_strided(t, ct_ints_of(&extent, 1), ct_ints_of(&one, 1), 0);
}

ct_tensor *py_pinned_if(ct_tensor *made, bool pin)
{
    enum ct_device_type where = made && pin ? ct_device_of(made).type : CT_META;
    if (where == CT_META)
        return made;
    ct_tensor *plain = ct_own_data(made), *flat = plain ? flat_of(plain) : NULL;
    ct_tensor *pinned = flat ? ct_own_pin_memory(flat) : NULL, *view = NULL, *t = NULL;
    int64_t ndim = ct_ndim(made), stride[64];
    for (int64_t d = 0; d < ndim; d++)
        stride[d] = ct_stride(made, d);
    if (pinned)
        view = ct_own_as_strided(pinned, ct_ints_of(ct_shape_ptr(made), ndim),
                                 ct_ints_of(stride, ndim), 0);
    if (view)
        t = ct_own_data(view);
    if (t && ct_requires_grad(made))
        ct_set_requires_grad(t, true);
    ct_release(plain);
    ct_release(flat);
    ct_release(pinned);
    ct_release(view);
    ct_release(made);
    return t;
}

/* Moves a new tensor to the device and to pinned memory as requested, sets requires_grad, and wraps
 * it. Consumes `owned`; NULL passes through. */
static PyObject *tensor_wrap(ct_tensor *owned, struct ct_device device, bool pin,
                             bool requires_grad)
{
    ct_tensor *t = move_take(owned, device);
    if (!t)
        return NULL;
    t = py_pinned_if(t, pin);
    if (!t)
        return py_raise();
    enum ct_dtype d = ct_dtype(t);
    if (requires_grad && !ct_dtype_is_floating(d) && !ct_dtype_is_complex(d)) {
        ct_release(t);
        PyErr_SetString(PyExc_RuntimeError,
                        "Only Tensors of floating point and complex dtype can require gradients");
        return py_note(
            "integers have no derivative; use dtype=torch.float32, or write 1. instead of 1");
    }
    if (requires_grad)
        ct_set_requires_grad(t, true);
    return py_wrap(t);
}

/* Copies a tensor, detached from the graph. */
static ct_tensor *copy_of(ct_tensor *t, enum ct_dtype dtype)
{
    ct_tensor *plain = ct_own_data(t);
    ct_tensor *copy =
        plain ? ct_own_to(plain, dtype, CT_NO_DEVICE, false, true, CT_PRESERVE_FORMAT) : NULL;
    if (plain)
        ct_release(plain);
    if (!copy)
        py_raise();
    return copy;
}

/* ---- torch.tensor and torch.as_tensor ---- */

static struct py_arg tensor_args[] = {
    PY_REQUIRED("data", PY_OBJECT),
    PY_OR_NONE("dtype", PY_DTYPE, PY_KEYWORD),
    PY_OR_NONE("device", PY_DEVICE, PY_KEYWORD),
    PY_OFF("pin_memory", PY_KEYWORD),
    PY_OFF("requires_grad", PY_KEYWORD),
};
static struct py_signature tensor_signature = {
    .args = tensor_args, .n = 5, .which = 0, .returns = PY_RETURNS_OBJECT};
static struct py_op tensor_op = {.name = "tensor", .signatures = &tensor_signature, .n = 1};

static PyObject *make_tensor(const union py_value *v, const char *copy_warning)
{
    PyObject *data = v[0].object;
    ct_tensor *t;
    if (py_is_tensor(data)) {
        if (PyErr_WarnEx(PyExc_UserWarning, copy_warning, 1) < 0)
            return NULL;
        t = copy_of(py_tensor_of(data), v[1].dtype);
    } else {
        t = py_tensor_from_data(data, v[1].dtype);
    }
    return tensor_wrap(t, v[2].device, v[3].b, v[4].b);
}

static PyObject *tensor_function(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *names)
{
    if (nargs == 1 && !names && !py_is_tensor(args[0])) {
        return tensor_wrap(py_tensor_from_data(args[0], CT_NO_DTYPE), CT_NO_DEVICE, false, false);
    }
    struct py_frame frame;
    return py_read(&frame, &tensor_op, NULL, args, nargs, names) < 0
               ? NULL
               : make_tensor(frame.v, COPY_WARNING "torch.tensor(sourceTensor).");
}

static struct py_arg as_tensor_args[] = {
    PY_REQUIRED("data", PY_OBJECT),
    PY_OR_NONE("dtype", PY_DTYPE, PY_KEYWORD),
    PY_OR_NONE("device", PY_DEVICE, PY_KEYWORD),
};
static struct py_signature as_tensor_signature = {
    .args = as_tensor_args, .n = 3, .which = 0, .returns = PY_RETURNS_OBJECT};
static struct py_op as_tensor_op = {
    .name = "as_tensor", .signatures = &as_tensor_signature, .n = 1};

ct_tensor *py_as_tensor(PyObject *data, enum ct_dtype dtype, struct ct_device device)
{
    ct_tensor *t;
    if (device.type == CT_NO_DEVICE_TYPE && ct_get_default_device().type != CT_CPU)
        device = ct_get_default_device();
    if (py_is_tensor(data))
        t = ct_retain(py_tensor_of(data));
    else if (py_is_array(data))
        t = py_share_array(data, true);
    else if (py_has_cuda_interface(data)) /* as in PyTorch, on the default device by default */
        return to_take(py_share_cuda(data), dtype,
                       device.type == CT_NO_DEVICE_TYPE ? ct_get_default_device() : device);
    else
        return move_take(py_tensor_from_data(data, dtype), device);
    return to_take(t, dtype, device);
}

static PyObject *as_tensor_function(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &as_tensor_op, NULL, args, nargs, names) < 0)
        return NULL;
    ct_tensor *t = py_as_tensor(frame.v[0].object, frame.v[1].dtype, frame.v[2].device);
    return t ? py_wrap(t) : NULL;
}

/* ---- x.new_tensor(data) ---- */

static struct py_op new_tensor_op = {.name = "new_tensor", .signatures = &tensor_signature, .n = 1};

static PyObject *new_tensor(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &new_tensor_op, self, args, nargs, names) < 0)
        return NULL;
    if (frame.v[1].dtype == CT_NO_DTYPE)
        frame.v[1].dtype = ct_dtype(py_tensor_of(self));
    if (frame.v[2].device.type == CT_NO_DEVICE_TYPE)
        frame.v[2].device = ct_device_of(py_tensor_of(self));
    return make_tensor(frame.v, COPY_WARNING "tensor.new_tensor(sourceTensor).");
}

/* Tensor._make_subclass(cls, data, require_grad=False): an object of class cls over data's
 * memory. */
static struct py_arg subclass_args[] = {
    PY_REQUIRED("cls", PY_OBJECT),
    PY_REQUIRED("data", PY_TENSOR),
    PY_OFF("require_grad", 0),
};
static struct py_signature subclass_signature = {
    .args = subclass_args, .n = 3, .returns = PY_RETURNS_OBJECT};
static struct py_op subclass_op = {
    .name = "_make_subclass", .signatures = &subclass_signature, .n = 1};

static PyObject *make_subclass(PyObject *unused, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &subclass_op, NULL, args, nargs, names) < 0)
        return NULL;
    PyObject *cls = frame.v[0].object;
    if (!PyType_Check(cls))
        return PyErr_Format(PyExc_TypeError, "cls must be a type (got %s)", py_typename(cls));
    if (!PyType_IsSubtype((PyTypeObject *)cls, &py_TensorBase))
        return PyErr_Format(PyExc_TypeError, "cls must be a subclass of Tensor");
    ct_tensor *t = ct_own_data(frame.v[1].tensor);
    if (t && frame.v[2].b && !ct_set_requires_grad(t, true)) {
        ct_release(t);
        t = NULL;
    }
    return py_wrap_as(t, (PyTypeObject *)cls);
}

static PyMethodDef functions[] = {
    {"tensor", PY_FAST(tensor_function),
     "tensor(data, *, dtype=None, device=None, requires_grad=False, "
     "pin_memory=False)\n--\n\nReturns a new tensor with a copy of the data.\n\n"
     "The result never shares memory with the data and has no history; use `x.detach().clone()` to "
     "copy a\n"
     "tensor, and `as_tensor` or `from_numpy` to avoid the copy.\n\n"
     "Arguments:\n"
     "    data: a number, nested sequences of numbers, an array or a tensor.\n"
     "    dtype (dtype or None): the data type; None: bool, int64, the default floating type or a "
     "complex\n"
     "        type, whichever the data needs, or the type of an array.\n"
     "    device (device or None): the device; None: that of a tensor, otherwise the default one.\n"
     "    requires_grad (bool): whether autograd records operations on the result. Default: "
     "`False`.\n"
     "    pin_memory (bool): whether the memory is page-locked. Default: `False`.\n\n"
     "Returns:\n"
     "    Tensor\n\n"
     "Example:\n"
     "    >>> torch.tensor([[1, 2], [3, 4]], dtype=torch.float64)\n"
     "    tensor([[1., 2.],\n"
     "            [3., 4.]], dtype=torch.float64)"},
    {"as_tensor", PY_FAST(as_tensor_function),
     "as_tensor(data, dtype=None, device=None)\n--\n\nConverts data to a tensor, without a copy if "
     "possible.\n\n"
     "A tensor of the right type and device is returned as it is, with its history; a NumPy array "
     "shares its\n"
     "memory with the result. Everything else is copied, as by `tensor`.\n\n"
     "Arguments:\n"
     "    data: a number, nested sequences of numbers, an array or a tensor.\n"
     "    dtype (dtype or None): the data type; None: that of the data.\n"
     "    device (device or None): the device; None: that of the data.\n\n"
     "Returns:\n"
     "    Tensor\n\n"
     "Example:\n"
     "    >>> x = torch.ones(2)\n"
     "    >>> torch.as_tensor(x) is x\n"
     "    True"},
    {0},
};

static PyMethodDef methods[] = {
    {"new_tensor", PY_FAST(new_tensor),
     "new_tensor($self, data, *, dtype=None, device=None, requires_grad=False)\n--\n\nReturns a "
     "new tensor with a copy of the data, with the data type and device of this tensor.\n\n"
     "Arguments:\n"
     "    data: a number, nested sequences of numbers, an array or a tensor.\n"
     "    dtype (dtype or None): the data type; None: that of this tensor.\n"
     "    device (device or None): the device; None: that of this tensor.\n"
     "    requires_grad (bool): whether autograd records operations on the result. Default: "
     "`False`.\n\n"
     "Example:\n"
     "    >>> torch.ones(1, dtype=torch.int32).new_tensor([1, 2])\n"
     "    tensor([1, 2], dtype=torch.int32)"},
    {"_make_subclass", PY_FAST(make_subclass) | METH_STATIC, NULL},
    {0},
};

bool py_init_construct(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods) && PyModule_AddFunctions(module, functions) == 0;
}
