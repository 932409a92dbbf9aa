/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods that are called differently in Python than in the library: to() with its three
 * signatures, cpu(), requires_grad_(), and views that are attributes in Python (x.T). */
#include "parse/parse.h"

#include <corten/autograd.h>
#include <corten/cuda.h>
#include <corten/own.h>

/* ---- to() ---- */

#define TO_REST                                                                                    \
    PY_OFF("non_blocking", 0), PY_OFF("copy", 0), PY_OR_NONE("memory_format", PY_FORMAT, PY_KEYWORD)

static struct py_arg to_device[] = {
    PY_OR_NONE("device", PY_DEVICE, 0),
    PY_OR_NONE("dtype", PY_DTYPE, 0),
    TO_REST,
};
static struct py_arg to_dtype[] = {PY_REQUIRED("dtype", PY_DTYPE), TO_REST};
static struct py_arg to_tensor[] = {PY_REQUIRED("tensor", PY_TENSOR), TO_REST};
static struct py_signature to_signatures[] = {
    {.args = to_device, .n = 5, .which = 0, .returns = PY_RETURNS_OBJECT},
    {.args = to_dtype, .n = 4, .which = 1, .returns = PY_RETURNS_OBJECT},
    {.args = to_tensor, .n = 4, .which = 2, .returns = PY_RETURNS_OBJECT},
};
static struct py_op to_op = {.name = "to", .signatures = to_signatures, .n = 3};

/* Calls to(); rest: the values of non_blocking, copy and memory_format. */
static PyObject *finish_to(PyObject *self, enum ct_dtype dtype, struct ct_device device,
                           const union py_value *rest)
{
    ct_tensor *t = py_tensor_of(self), *result;
    int format = rest[2].small < 0 ? CT_PRESERVE_FORMAT : rest[2].small;
    if (ct_numel(t) < 32768) {
        result = ct_own_to(t, dtype, device, rest[0].b, rest[1].b, format);
    } else {
        PyThreadState *unlocked = PyEval_SaveThread();
        result = ct_own_to(t, dtype, device, rest[0].b, rest[1].b, format);
        PyEval_RestoreThread(unlocked);
    }
    return py_emit_warnings(py_wrap_as(result, py_class_like(self)));
}

static PyObject *to(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    PyObject *answer = NULL;
    switch (py_parse(&frame, &to_op, self, args, nargs, names)) {
    case 0:
        answer = finish_to(self, frame.v[1].dtype, frame.v[0].device, frame.v + 2);
        break;
    case 1:
        answer = finish_to(self, frame.v[0].dtype, CT_NO_DEVICE, frame.v + 1);
        break;
    case 2: {
        ct_tensor *other = frame.v[0].tensor;
        answer = finish_to(self, ct_dtype(other), ct_device_of(other), frame.v + 1);
        break;
    }
    default:
        break;
    }
    py_frame_end(&frame);
    return answer;
}

static PyObject *cast(PyObject *self, enum ct_dtype dtype, struct ct_device device)
{
    const union py_value rest[3] = {{.b = false}, {.b = false}, {.small = -1}};
    return finish_to(self, dtype, device, rest);
}

static PyObject *cpu(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    static struct py_arg given[] = {PY_OR_NONE("memory_format", PY_FORMAT, PY_KEYWORD)};
    static struct py_signature signature = {.args = given, .n = 1};
    static struct py_op op = {.name = "cpu", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    const union py_value rest[3] = {{.b = false}, {.b = false}, frame.v[0]};
    return finish_to(self, CT_NO_DTYPE, (struct ct_device){CT_CPU, -1}, rest);
}

static struct py_arg cuda_args[] = {
    PY_OR_NONE("device", PY_DEVICE, 0),
    PY_OFF("non_blocking", 0),
    PY_OR_NONE("memory_format", PY_FORMAT, PY_KEYWORD),
};
static struct py_signature cuda_signature = {
    .args = cuda_args, .n = 3, .returns = PY_RETURNS_OBJECT};
static struct py_op cuda_op = {.name = "cuda", .signatures = &cuda_signature, .n = 1};

static PyObject *cuda(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &cuda_op, self, args, nargs, names) < 0)
        return NULL;
    struct ct_device device = frame.v[0].device;
    if (device.type == CT_NO_DEVICE_TYPE)
        device = (struct ct_device){CT_CUDA, -1};
    if (device.type != CT_CUDA)
        return PyErr_Format(PyExc_RuntimeError, "Invalid device, must be cuda device");
    return cast(self, CT_NO_DTYPE, device);
}

static PyObject *pin_memory(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names)
{
    ct_tensor *t = ct_own_pin_memory(py_tensor_of(self));
    return t ? py_wrap(t) : py_raise();
}

static struct py_arg type_as_args[] = {PY_REQUIRED("other", PY_TENSOR)};
static struct py_signature type_as_signature = {.args = type_as_args, .n = 1};
static struct py_op type_as_op = {.name = "type_as", .signatures = &type_as_signature, .n = 1};

static PyObject *type_as(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &type_as_op, self, args, nargs, names) < 0)
        return NULL;
    ct_tensor *t = frame.v[0].tensor;
    return cast(self, ct_dtype(t), ct_device_of(t));
}

/* ---- arguments of Module.to() ---- */

/* _parse_to(*args): the arguments of to() as (device, dtype, non_blocking, memory_format). */
static PyObject *parse_to(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                          PyObject *names)
{
    struct py_frame frame;
    int which = py_read(&frame, &to_op, NULL, args, nargs, names);
    if (which < 0)
        return NULL;
    struct ct_device device = CT_NO_DEVICE;
    enum ct_dtype dtype = CT_NO_DTYPE;
    if (which == 0) {
        device = frame.v[0].device;
        dtype = frame.v[1].dtype;
    } else if (which == 1) {
        dtype = frame.v[0].dtype;
    } else {
        device = ct_device_of(frame.v[0].tensor);
        dtype = ct_dtype(frame.v[0].tensor);
    }
    const union py_value *rest = &frame.v[which == 0 ? 2 : 1];
    return Py_BuildValue(
        "NNNN", device.type == CT_NO_DEVICE_TYPE ? Py_NewRef(Py_None) : py_device(device),
        py_dtype(dtype), PyBool_FromLong(rest[0].b),
        rest[2].small < 0 ? Py_NewRef(Py_None)
                          : py_memory_format((enum ct_memory_format)rest[2].small));
}

/* ---- requires_grad_() ---- */

static struct py_arg requires_args[] = {{.name = "requires_grad",
                                         .kind = PY_BOOL,
                                         .flags = PY_DEFAULT,
                                         .fallback = {.b = true},
                                         .shown = "True"}};
static struct py_signature requires_signature = {
    .args = requires_args, .n = 1, .which = 0, .returns = PY_RETURNS_OBJECT};
static struct py_op requires_op = {
    .name = "requires_grad_", .signatures = &requires_signature, .n = 1};

static PyObject *requires_grad_(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &requires_op, self, args, nargs, names) < 0)
        return NULL;
    if (!ct_own_requires_grad_(py_tensor_of(self), frame.v[0].b))
        return py_raise();
    return Py_NewRef(self);
}

/* ---- nonzero(): one tensor of indices, or one for each dim ---- */

static struct py_arg nonzero_args[] = {
    {.name = "input", .kind = PY_TENSOR, .flags = PY_SELF},
    PY_OR_NONE("out", PY_TENSOR, PY_KEYWORD | PY_OUT),
    PY_OFF("as_tuple", PY_KEYWORD),
};
static struct py_signature nonzero_signature = {.args = nonzero_args, .n = 3};
static struct py_op nonzero_op = {.name = "nonzero", .signatures = &nonzero_signature, .n = 1};
static struct py_arg nonzero_tuple[] = {
    {.name = "as_tuple", .kind = PY_BOOL, .flags = PY_KEYWORD},
};
static struct py_signature nonzero_signatures[] = {{.args = NULL, .n = 0},
                                                   {.args = nonzero_tuple, .n = 1}};
static struct py_op nonzero_method_op = {
    .name = "nonzero", .signatures = nonzero_signatures, .n = 2};

static PyObject *nonzero_method(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *names)
{
    struct py_frame frame;
    ct_tensor *t = py_tensor_of(self);
    int which = py_read(&frame, &nonzero_method_op, self, args, nargs, names);
    if (which < 0)
        return NULL;
    if (which == 1 && frame.v[0].b)
        return py_emit_warnings(py_wrap_list(ct_own_nonzero_numpy(t)));
    return py_wrap(ct_own_nonzero(t));
}

static PyObject *nonzero_function(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                  PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &nonzero_op, NULL, args, nargs, names) < 0)
        return NULL;
    ct_tensor *t = frame.v[0].tensor;
    if (frame.v[2].b)
        return py_emit_warnings(py_wrap_list(ct_own_nonzero_numpy(t)));
    if (frame.out)
        return py_emit_warnings(py_self(frame.out, ct_own_nonzero_out(frame.v[1].tensor, t)));
    return py_wrap(ct_own_nonzero(t));
}

/* ---- views as attributes ---- */

static PyObject *view_attribute(PyObject *self, void *make)
{
    ct_tensor *(*call)(ct_tensor *) = *(ct_tensor * (**)(ct_tensor *)) make;
    return py_emit_warnings(py_wrap_as(call(py_tensor_of(self)), py_class_like(self)));
}

/* x.H and x.mH of a 0-d tensor, with PyTorch's deprecation warning. */
static ct_tensor *conj_of_number(ct_tensor *t, const char *text, bool *said)
{
    return py_warn_once(said, text) ? ct_own_conj(t) : NULL;
}

static ct_tensor *batch_hermitian(ct_tensor *t)
{
    static bool said;
    if (ct_ndim(t) == 1)
        return ct_fail(CT_ERR_RUNTIME, "tensor.mH is only supported on matrices or batches of "
                                       "matrices. Got 1-D tensor.");
    return ct_ndim(t) ? ct_own_adjoint(t)
                      : conj_of_number(t,
                                       "Tensor.mH is deprecated on 0-D tensors. Consider using "
                                       "x.conj().",
                                       &said);
}

/* x.H is defined for matrices; for other tensors it raises PyTorch's error. */
static ct_tensor *hermitian(ct_tensor *t)
{
    static bool said;
    if (ct_ndim(t) == 0)
        return conj_of_number(t, "Tensor.H is deprecated on 0-D tensors. Consider using x.conj().",
                              &said);
    if (ct_ndim(t) == 2)
        return ct_own_adjoint(t);
    return ct_fail(CT_ERR_RUNTIME,
                   "tensor.H is only supported on matrices (2-D tensors). Got %lld-D tensor.%s",
                   (long long)ct_ndim(t),
                   ct_ndim(t) > 2 ? " For batches of matrices, consider using tensor.mH" : "");
}

static ct_tensor *(*const numpy_t)(ct_tensor *) = ct_own_numpy_T;
static ct_tensor *(*const m_t)(ct_tensor *) = ct_own_mT;
static ct_tensor *(*const m_h)(ct_tensor *) = batch_hermitian;
static ct_tensor *(*const h)(ct_tensor *) = hermitian;
static ct_tensor *(*const real)(ct_tensor *) = ct_own_real;
static ct_tensor *(*const imag)(ct_tensor *) = ct_own_imag;

static int assign_part(PyObject *self, PyObject *value, void *make)
{
    PyObject *part = view_attribute(self, make);
    if (!part)
        return -1;
    int rc = value ? py_tensor_setitem(part, Py_Ellipsis, value) : -1;
    if (!value)
        PyErr_SetString(PyExc_AttributeError, "cannot delete this attribute");
    Py_DECREF(part);
    return rc;
}

static PyGetSetDef attributes[] = {
    {"T", view_attribute, NULL,
     "A view with all dims in reverse order; for matrices, the transpose.", (void *)&numpy_t},
    {"mT", view_attribute, NULL,
     "A view with the last two dims swapped: the transposes of a batch of matrices.", (void *)&m_t},
    {"H", view_attribute, NULL, "A view of a matrix, transposed and conjugated.", (void *)&h},
    {"mH", view_attribute, NULL, "A view with the last two dims swapped, and conjugated.",
     (void *)&m_h},
    {"real", view_attribute, assign_part, "The real parts, as a view.", (void *)&real},
    {"imag", view_attribute, assign_part, "The imaginary parts, as a view.", (void *)&imag},
    {0},
};

static PyMethodDef methods[] = {
    {"to", PY_FAST(to),
     "to($self, *args, **kwargs)\n--\n\nto(dtype, non_blocking=False, copy=False, *, "
     "memory_format=torch.preserve_format) -> Tensor\n"
     "to(device=None, dtype=None, non_blocking=False, copy=False, *, "
     "memory_format=torch.preserve_format) -> Tensor\n"
     "to(other, non_blocking=False, copy=False, *, memory_format=torch.preserve_format) -> "
     "Tensor\n\n"
     "Converts the tensor to a data type, to a device, or to both of another tensor. Returns the "
     "tensor itself\n"
     "if it already has them, otherwise a copy, through which gradients flow.\n\n"
     "Arguments:\n"
     "    dtype (dtype): the data type of the result.\n"
     "    device (device): the device of the result.\n"
     "    other (Tensor): a tensor whose data type and device are used.\n"
     "    non_blocking (bool): whether a copy to a GPU may still be running when the call "
     "returns.\n"
     "        Default: `False`.\n"
     "    copy (bool): whether to copy even if nothing changes. Default: `False`.\n"
     "    memory_format (memory_format): the memory layout of the result.\n\n"
     "Example:\n"
     "    >>> torch.tensor([1.5, 2.]).to(torch.int64)\n"
     "    tensor([1, 2])"},
    {"cpu", PY_FAST(cpu),
     "Returns the tensor in CPU memory; the tensor itself if it is already there."},
    {"cuda", PY_FAST(cuda),
     "cuda($self, device=None, non_blocking=False, *, memory_format=None)\n--\n\nReturns the "
     "tensor in the memory of a GPU; the tensor itself if it is there.\n\n"
     "Arguments:\n"
     "    device (device or None): the GPU; None: the current one.\n"
     "    non_blocking (bool): whether the copy may still be running when the call returns. "
     "Default: `False`."},
    {"pin_memory", PY_FAST(pin_memory),
     "Returns the tensor in page-locked memory, from which copies to a GPU are faster."},
    {"type_as", PY_FAST(type_as),
     "type_as($self, other)\n--\n\nReturns the tensor in the data type of another tensor.\n\n"
     "    >>> torch.ones(2).type_as(torch.ones(1, dtype=torch.int32))\n"
     "    tensor([1, 1], dtype=torch.int32)"},
    {"requires_grad_", PY_FAST(requires_grad_),
     "requires_grad_($self, requires_grad=True)\n--\n\nSets whether autograd records operations on "
     "this tensor, and returns the tensor.\n\n"
     "Arguments:\n"
     "    requires_grad (bool): whether it does. Default: `True`.\n\n"
     "    >>> torch.ones(1).requires_grad_()\n"
     "    tensor([1.], requires_grad=True)"},
    {"nonzero", PY_FAST(nonzero_method),
     "nonzero($self, *, as_tuple=False)\n--\n\nReturns the indices of the elements that are not "
     "zero.\n\n"
     "Arguments:\n"
     "    as_tuple (bool): whether to return a tuple with one 1-d tensor of indices for each dim, "
     "instead of\n"
     "        one tensor with a row for each element. Default: `False`.\n\n"
     "Example:\n"
     "    >>> torch.tensor([0, 5, 7]).nonzero()\n"
     "    tensor([[1],\n"
     "            [2]])"},
    {"_parse_to", PY_FAST(parse_to), "Parses the arguments of to()."},
    {0},
};

static PyMethodDef functions[] = {
    {"nonzero", PY_FAST(nonzero_function),
     "nonzero(input, *, out=None, as_tuple=False)\n--\n\nReturns the indices of the elements that "
     "are not zero.\n\n"
     "Arguments:\n"
     "    input (Tensor): the input tensor.\n"
     "    out (Tensor or None): a tensor to write the result into.\n"
     "    as_tuple (bool): whether to return a tuple with one 1-d tensor of indices for each dim, "
     "instead of\n"
     "        one tensor with a row for each element. Default: `False`.\n\n"
     "Example:\n"
     "    >>> torch.nonzero(torch.tensor([0, 5, 7]))\n"
     "    tensor([[1],\n"
     "            [2]])"},
    {"_parse_to", PY_FAST(parse_to), "Parses the arguments of to()."},
    {0},
};

bool py_init_convert(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0 &&
           py_add_methods(&py_TensorBase, methods) && py_add_getset(&py_TensorBase, attributes);
}
