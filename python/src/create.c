/* SPDX-License-Identifier: BSD-3-Clause */
/* torch.tensor, torch.as_tensor, new_tensor and the class called as a function: the ways to make a
 * tensor of Python data. What data means is construct.c's. */
#include "construct.h"

#include <corten/autograd.h>
#include <corten/own.h>

#include "bridge.h"
#include "parse.h"

#define COPY_WARNING                                                                               \
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "  \
    "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor)."

/* ---- steps that several of them take ---- */

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
    bool is_here = device.type == CT_NO_DEVICE_TYPE || device.type == CT_CPU;
    return is_here ? owned : to_take(owned, CT_NO_DTYPE, device);
}

static PyObject *finish(ct_tensor *owned, struct ct_device device, bool requires_grad)
{
    ct_tensor *t = move_take(owned, device);
    if (!t)
        return NULL;
    enum ct_dtype d = ct_dtype(t);
    if (requires_grad && !ct_dtype_is_floating(d) && !ct_dtype_is_complex(d)) {
        ct_release(t);
        return PyErr_Format(
            PyExc_RuntimeError,
            "Only Tensors of floating point and complex dtype can require gradients");
    }
    if (requires_grad)
        ct_set_requires_grad(t, true);
    return py_wrap(t);
}

/* A copy without history. */
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
    {.name = "data", .kind = PY_OBJECT},
    {.name = "dtype",
     .kind = PY_DTYPE,
     .flags = PY_DEFAULT | PY_NONE | PY_KEYWORD | PY_ABSENT,
     .shown = "None"},
    {.name = "device",
     .kind = PY_DEVICE,
     .flags = PY_DEFAULT | PY_NONE | PY_KEYWORD | PY_ABSENT,
     .shown = "None"},
    {.name = "pin_memory",
     .kind = PY_BOOL,
     .flags = PY_DEFAULT | PY_NONE | PY_KEYWORD,
     .shown = "False"},
    {.name = "requires_grad",
     .kind = PY_BOOL,
     .flags = PY_DEFAULT | PY_NONE | PY_KEYWORD,
     .shown = "False"},
};
static struct py_signature tensor_signature = {
    .args = tensor_args, .n = 5, .which = 0, .returns = PY_RETURNS_OBJECT};
static struct py_op tensor_op = {.name = "tensor", .signatures = &tensor_signature, .n = 1};

static PyObject *make_tensor(PyObject *data, const union py_value *v)
{
    ct_tensor *t;
    if (py_is_tensor(data)) {
        if (PyErr_WarnEx(PyExc_UserWarning, COPY_WARNING, 1) < 0)
            return NULL;
        t = copy_of(py_tensor_of(data), v[1].dtype);
    } else {
        t = py_tensor_from_data(data, v[1].dtype);
    }
    return finish(t, v[2].device, v[4].b);
}

static PyObject *tensor_function(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                 PyObject *names)
{
    (void)module;
    if (nargs == 1 && !names && !py_is_tensor(args[0])) {
        ct_tensor *t = py_tensor_from_data(args[0], CT_NO_DTYPE);
        return t ? py_wrap(t) : NULL;
    }
    struct py_frame frame;
    int i = py_parse(&frame, &tensor_op, NULL, args, nargs, names);
    PyObject *answer = i < 0 ? NULL : make_tensor(frame.v[0].object, frame.v);
    py_frame_end(&frame);
    return answer;
}

static struct py_arg as_tensor_args[] = {
    {.name = "data", .kind = PY_OBJECT},
    {.name = "dtype", .kind = PY_DTYPE, .flags = PY_DEFAULT | PY_NONE | PY_ABSENT, .shown = "None"},
    {.name = "device",
     .kind = PY_DEVICE,
     .flags = PY_DEFAULT | PY_NONE | PY_ABSENT,
     .shown = "None"},
};
static struct py_signature as_tensor_signature = {
    .args = as_tensor_args, .n = 3, .which = 0, .returns = PY_RETURNS_OBJECT};
static struct py_op as_tensor_op = {
    .name = "as_tensor", .signatures = &as_tensor_signature, .n = 1};

static ct_tensor *as_tensor(PyObject *data, enum ct_dtype dtype, struct ct_device device)
{
    ct_tensor *t;
    if (py_is_tensor(data))
        t = ct_retain(py_tensor_of(data));
    else if (py_is_array(data))
        t = py_share_array(data, true);
    else
        return move_take(py_tensor_from_data(data, dtype), device);
    return to_take(t, dtype, device);
}

static PyObject *as_tensor_function(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                    PyObject *names)
{
    (void)module;
    struct py_frame frame;
    PyObject *answer = NULL;
    if (py_parse(&frame, &as_tensor_op, NULL, args, nargs, names) >= 0) {
        ct_tensor *t = as_tensor(frame.v[0].object, frame.v[1].dtype, frame.v[2].device);
        answer = t ? py_wrap(t) : NULL;
    }
    py_frame_end(&frame);
    return answer;
}

/* ---- x.new_tensor(data) ---- */

static struct py_op new_tensor_op = {.name = "new_tensor", .signatures = &tensor_signature, .n = 1};

static PyObject *new_tensor(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names)
{
    struct py_frame frame;
    PyObject *answer = NULL;
    if (py_parse(&frame, &new_tensor_op, self, args, nargs, names) >= 0) {
        if (frame.v[1].dtype == CT_NO_DTYPE)
            frame.v[1].dtype = ct_dtype(py_tensor_of(self));
        if (frame.v[2].device.type == CT_NO_DEVICE_TYPE)
            frame.v[2].device = ct_device_of(py_tensor_of(self));
        answer = make_tensor(frame.v[0].object, frame.v);
    }
    py_frame_end(&frame);
    return answer;
}

/* ---- torch.Tensor(...), the old constructor ---- */

/* torch.Tensor(tensor): the same memory; torch.FloatTensor(tensor) asks for its type. */
static ct_tensor *old_style_alias(ct_tensor *from, enum ct_dtype dtype)
{
#define OPTIONS(name)                                                                              \
    "TensorOptions(dtype=" name ", device=cpu, layout=Strided, requires_grad=false (default), "    \
    "pinned_memory=false (default), memory_format=(nullopt))"
    if (dtype != CT_NO_DTYPE && ct_dtype(from) != dtype) {
        PyErr_Format(PyExc_TypeError, "expected " OPTIONS("%s") " (got " OPTIONS("%s") ")",
                     py_plain_type_name(dtype), py_plain_type_name(ct_dtype(from)));
        return NULL;
    }
    ct_tensor *t = ct_own_data(from);
    return t ? t : (ct_tensor *)py_raise();
}

/* CT_NO_DTYPE: torch.Tensor, which takes the default type. */
static ct_tensor *old_style(PyObject *args, enum ct_dtype dtype)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    PyObject *first = n ? PyTuple_GET_ITEM(args, 0) : NULL;
    int64_t sizes[64] = {0};
    enum ct_dtype unused;
    if (n == 1 && py_is_tensor(first))
        return old_style_alias(py_tensor_of(first), dtype);
    if (dtype == CT_NO_DTYPE)
        dtype = ct_get_default_dtype();
    if (n == 0)
        return py_new_empty(dtype, sizes, 1);
    if (n == 1 && py_storage_of(first, &unused))
        return py_tensor_of_typed(first, dtype);
    bool is_size = Py_IS_TYPE(first, &py_Size) && n == 1;
    PyObject *items = is_size ? first : args;
    n = PyTuple_GET_SIZE(items);
    if (!is_size && !py_is_index(first)) {
        if (n == 1 && (PySequence_Check(first) || PyUnicode_Check(first)))
            return py_tensor_from_data(first, dtype);
        PyErr_Format(PyExc_TypeError, "new(): data must be a sequence (got %s)",
                     py_typename(first));
        return NULL;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (i == 64 || !py_is_index(PyTuple_GET_ITEM(items, i))) {
            PyErr_Format(PyExc_TypeError,
                         "new(): argument 'size' failed to unpack the object at pos %zd with error "
                         "\"type must be tuple of ints,but got %s\"",
                         i + 1, py_typename(PyTuple_GET_ITEM(items, i)));
            return NULL;
        }
        if (!py_int64(PyTuple_GET_ITEM(items, i), &sizes[i]))
            return NULL;
    }
    return py_new_empty(dtype, sizes, (int)n);
}

/* torch.FloatTensor(...) and its kin: _legacy_tensor(dtype, ...) */
static PyObject *legacy_tensor(PyObject *module, PyObject *args)
{
    (void)module;
    if (PyTuple_GET_SIZE(args) == 0 || !py_is_dtype(PyTuple_GET_ITEM(args, 0)))
        return PyErr_Format(PyExc_TypeError, "a torch.dtype is needed");
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args));
    ct_tensor *t = rest ? old_style(rest, py_dtype_of(PyTuple_GET_ITEM(args, 0))) : NULL;
    Py_XDECREF(rest);
    return t ? py_wrap(t) : NULL;
}

PyObject *py_tensor_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)kwargs; /* a subclass may take keywords for its own __init__ */
    if (type == &py_TensorBase) {
        PyErr_SetString(PyExc_TypeError, "cannot create 'torch._C.TensorBase' instances");
        return NULL;
    }
    ct_tensor *t = old_style(args, CT_NO_DTYPE);
    return t ? py_wrap_as(t, type) : NULL;
}

/* Tensor._make_subclass(cls, data, require_grad=False): data's memory as an object of a class. */
static PyObject *make_subclass(PyObject *unused, PyObject *args, PyObject *kwargs)
{
    (void)unused;
    static char *names[] = {"cls", "data", "require_grad", NULL};
    PyObject *cls, *data;
    int requires_grad = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O|p:_make_subclass", names, &PyType_Type,
                                     &cls, &data, &requires_grad))
        return NULL;
    if (!py_is_tensor(data))
        return PyErr_Format(PyExc_TypeError,
                            "_make_subclass(): argument 'data' (position 2) must be Tensor, not %s",
                            py_typename(data));
    if (!PyType_IsSubtype((PyTypeObject *)cls, &py_TensorBase))
        return PyErr_Format(PyExc_TypeError, "cls must be a subclass of Tensor");
    ct_tensor *t = ct_own_data(py_tensor_of(data));
    if (t && requires_grad && !ct_set_requires_grad(t, true)) {
        ct_release(t);
        t = NULL;
    }
    return py_wrap_as(t, (PyTypeObject *)cls);
}

static PyMethodDef functions[] = {
    {"_legacy_tensor", legacy_tensor, METH_VARARGS, NULL},
    {"tensor", (PyCFunction)(void (*)(void))tensor_function, METH_FASTCALL | METH_KEYWORDS,
     "tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False)\n--\n\n"
     "A new tensor with a copy of data: a number, nested sequences, an array or a tensor."},
    {"as_tensor", (PyCFunction)(void (*)(void))as_tensor_function, METH_FASTCALL | METH_KEYWORDS,
     "as_tensor(data, dtype=None, device=None)\n--\n\n"
     "Data as a tensor, without a copy where that is possible."},
    {0},
};

/* x.new(...): the old constructor in x's type. */
static PyObject *new_like(PyObject *self, PyObject *args)
{
    ct_tensor *t = old_style(args, ct_dtype(py_tensor_of(self)));
    return t ? py_wrap_as(t, py_class_like(self)) : NULL;
}

static PyMethodDef methods[] = {
    {"new", new_like, METH_VARARGS, "A tensor of this type, made as torch.Tensor makes one."},
    {"new_tensor", (PyCFunction)(void (*)(void))new_tensor, METH_FASTCALL | METH_KEYWORDS,
     "new_tensor($self, data, *, dtype=None, device=None, requires_grad=False)\n--\n\n"
     "A new tensor with a copy of data, of this tensor's type and device."},
    {"_make_subclass", (PyCFunction)(void (*)(void))make_subclass,
     METH_VARARGS | METH_KEYWORDS | METH_STATIC, NULL},
    {0},
};

bool py_init_construct(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods) && PyModule_AddFunctions(module, functions) == 0;
}
