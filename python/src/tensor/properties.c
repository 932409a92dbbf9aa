/* SPDX-License-Identifier: BSD-3-Clause */
/* Queries of a tensor: attributes (shape, dtype, grad, ...) and methods that compute nothing (size,
 * stride, item, data_ptr, ...). */
#include "parse/parse.h"

#include <corten/autograd.h>
#include <corten/cuda.h>
#include <corten/own.h>

/* ---- attributes ---- */

static PyObject *get_shape(PyObject *self, void *unused)
{
    return py_size(ct_shape_ptr(py_tensor_of(self)), ct_ndim(py_tensor_of(self)));
}

static PyObject *get_dtype(PyObject *self, void *unused)
{
    return py_dtype(ct_dtype(py_tensor_of(self)));
}

static PyObject *get_device(PyObject *self, void *unused)
{
    return py_device(ct_device_of(py_tensor_of(self)));
}

static PyObject *get_layout(PyObject *self, void *unused)
{
    return py_layout(ct_layout_of(py_tensor_of(self)));
}

static PyObject *get_ndim(PyObject *self, void *unused)
{
    return PyLong_FromLongLong(ct_ndim(py_tensor_of(self)));
}

static PyObject *get_nbytes(PyObject *self, void *unused)
{
    /* An expanded tensor may have more bytes than fit into an int64. */
    PyObject *n = PyLong_FromLongLong(ct_numel(py_tensor_of(self)));
    PyObject *size = PyLong_FromLongLong(ct_element_size(py_tensor_of(self)));
    PyObject *nbytes = n && size ? PyNumber_Multiply(n, size) : NULL;
    Py_XDECREF(n);
    Py_XDECREF(size);
    return nbytes;
}

static PyObject *get_itemsize(PyObject *self, void *unused)
{
    return PyLong_FromLongLong(ct_element_size(py_tensor_of(self)));
}

static PyObject *get_version(PyObject *self, void *unused)
{
    if (ct_is_inference(py_tensor_of(self)))
        return PyErr_Format(PyExc_RuntimeError, "Inference tensors do not track version counter.");
    return PyLong_FromLongLong(ct_version(py_tensor_of(self)));
}

static PyObject *get_base(PyObject *self, void *unused)
{
    ct_tensor *t = py_tensor_of(self);
    return py_wrap_borrowed(ct_is_inference(t) ? NULL : ct_base_of(t));
}

static PyObject *get_output_nr(PyObject *self, void *unused)
{
    return PyLong_FromLongLong(ct_output_nr(py_tensor_of(self)));
}

static PyObject *get_is_leaf(PyObject *self, void *unused)
{
    ct_node *fn = ct_own_grad_fn(py_tensor_of(self));
    if (!fn && ct_error()) /* a view that autograd has invalidated */
        return py_raise();
    ct_node_release(fn);
    ct_tensor *t = py_tensor_of(self);
    return PyBool_FromLong(ct_is_leaf(t) || ct_is_only_dual(t));
}

static PyObject *get_retains_grad(PyObject *self, void *unused)
{
    return PyBool_FromLong(ct_retains_grad(py_tensor_of(self)));
}

static PyObject *get_requires_grad(PyObject *self, void *unused)
{
    ct_tensor *t = py_tensor_of(self);
    return PyBool_FromLong(ct_requires_grad(t) && !ct_is_only_dual(t));
}

static int set_requires_grad(PyObject *self, PyObject *value, void *unused)
{
    if (!value || !PyBool_Check(value)) {
        PyErr_SetString(PyExc_RuntimeError, "requires_grad must be a bool");
        return -1;
    }
    return ct_set_requires_grad(py_tensor_of(self), value == Py_True) ? 0 : py_raise_int();
}

static const char of_no_leaf[] =
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad "
    "attribute won't be populated during autograd.backward(). If you indeed want the .grad field "
    "to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf Tensor. If you "
    "access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
    "github.com/pytorch/pytorch/pull/30531 for more information.";

static PyObject *get_grad(PyObject *self, void *unused)
{
    ct_tensor *grad = ct_own_grad(py_tensor_of(self));
    if (grad)
        return py_wrap(grad);
    if (ct_error())
        return py_raise();
    ct_tensor *t = py_tensor_of(self);
    if (!ct_is_leaf(t) && !ct_retains_grad(t) && PyErr_WarnEx(PyExc_UserWarning, of_no_leaf, 1) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static int set_grad(PyObject *self, PyObject *value, void *unused)
{
    if (value && value != Py_None && !py_is_tensor(value)) {
        PyErr_Format(PyExc_TypeError,
                     "assigned grad expected to be a Tensor or None but got grad of type %s",
                     py_typename(value));
        return -1;
    }
    ct_tensor *grad = value && value != Py_None ? py_tensor_of(value) : CT_NO_TENSOR;
    return ct_set_grad(py_tensor_of(self), grad) ? 0 : py_raise_int();
}

static PyObject *get_data(PyObject *self, void *unused)
{
    return py_wrap_as(ct_own_data(py_tensor_of(self)), py_class_like(self));
}

static int set_data(PyObject *self, PyObject *value, void *unused)
{
    if (!value) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Deleting tensor data is not allowed. Delete tensor instead!");
        return -1;
    }
    if (!py_is_tensor(value)) {
        PyErr_Format(PyExc_TypeError, "Variable data has to be a tensor, but got %s",
                     py_typename(value));
        return -1;
    }
    ct_tensor *data = py_tensor_of(value);
    if (ct_guard_kind() != CT_GUARD_NONE && ct_requires_grad(data)) { /* its graph would be lost */
        PyErr_SetString(PyExc_RuntimeError, "mutating directly with `.data` inside functorch "
                                            "transform is not allowed.");
        return -1;
    }
    return ct_set_data(py_tensor_of(self), data) ? 0 : py_raise_int();
}

static PyObject *grad_dtype(PyObject *self, void *unused)
{
    enum ct_dtype dtype = ct_grad_dtype(py_tensor_of(self));
    return py_dtype(dtype);
}

static int set_grad_dtype(PyObject *self, PyObject *o, void *unused)
{
    bool is_dtype = o && py_is_dtype(o) && !PyType_Check(o);
    if (!is_dtype && o != Py_None) {
        PyErr_Format(PyExc_RuntimeError, "grad_dtype must be a torch.dtype or None, but got %s",
                     o ? py_typename(o) : "nothing");
        return -1;
    }
    enum ct_dtype dtype = is_dtype ? py_dtype_of(o) : CT_NO_DTYPE;
    return ct_set_grad_dtype(py_tensor_of(self), dtype) ? 0 : py_raise_int();
}

static PyObject *is_on(PyObject *self, void *type)
{
    return PyBool_FromLong(ct_device_of(py_tensor_of(self)).type ==
                           (enum ct_device_type)(intptr_t)type);
}

static PyObject *is_sparse(PyObject *self, void *unused)
{
    return PyBool_FromLong(ct_layout_of(py_tensor_of(self)) == CT_SPARSE_COO);
}

static PyObject *is_sparse_csr(PyObject *self, void *unused)
{
    return PyBool_FromLong(ct_layout_of(py_tensor_of(self)) == CT_SPARSE_CSR);
}

static PyObject *never(PyObject *self, void *unused)
{
    Py_RETURN_FALSE;
}

PyGetSetDef py_tensor_getset[] = {
    {"shape", get_shape, NULL, "The sizes of all dims, a torch.Size.", NULL},
    {"dtype", get_dtype, NULL, "The data type of the elements.", NULL},
    {"device", get_device, NULL, "The device whose memory holds the elements.", NULL},
    {"layout", get_layout, NULL, "The layout: torch.strided, or a sparse layout.", NULL},
    {"ndim", get_ndim, NULL, "The number of dims.", NULL},
    {"nbytes", get_nbytes, NULL, "The number of bytes of all elements.", NULL},
    {"itemsize", get_itemsize, NULL, "The number of bytes of one element.", NULL},
    {"requires_grad", get_requires_grad, set_requires_grad,
     "Whether autograd records operations on this tensor. Can be set for leaves.", NULL},
    {"grad", get_grad, set_grad, "The gradient that backward has accumulated, or None.", NULL},
    {"data", get_data, set_data,
     "A tensor that shares the memory of this one, without its history. Prefer detach().", NULL},
    {"grad_dtype", grad_dtype, set_grad_dtype,
     "The data type of the gradient: the tensor's, another one that gradients are cast to, or None "
     "for any.",
     NULL},
    {"is_leaf", get_is_leaf, NULL,
     "Whether the tensor was not made by a recorded operation. Only leaves get a `grad` from "
     "backward.",
     NULL},
    {"retains_grad", get_retains_grad, NULL,
     "Whether backward stores the gradient of this tensor although it is not a leaf.", NULL},
    {"output_nr", get_output_nr, NULL, "The index of this tensor among the results of its grad_fn.",
     NULL},
    {"_base", get_base, NULL, "The tensor that this one is a view of, or None.", NULL},
    {"_version", get_version, NULL, "The number of in-place writes to the memory.", NULL},
    {"is_cpu", is_on, NULL, "Whether the elements are in the memory of a device of this type.",
     (void *)CT_CPU},
    {"is_cuda", is_on, NULL, "Whether the elements are in the memory of a device of this type.",
     (void *)CT_CUDA},
    {"is_xla", is_on, NULL, "Whether the elements are in the memory of a device of this type.",
     (void *)CT_XLA},
    {"is_meta", is_on, NULL, "Whether this is a meta tensor, which has no elements.",
     (void *)CT_META},
    {"is_sparse", is_sparse, NULL, "Whether the layout is torch.sparse_coo.", NULL},
    {"is_sparse_csr", is_sparse_csr, NULL, "Whether the layout is torch.sparse_csr.", NULL},
    {"is_quantized", never, NULL, "Always False: Corten has no such tensors.", NULL},
    {"is_nested", never, NULL, "Always False: Corten has no such tensors.", NULL},
    {"is_mkldnn", never, NULL, "Always False: Corten has no such tensors.", NULL},
    {"is_mps", never, NULL, "Always False: Corten has no such tensors.", NULL},
    {"is_xpu", never, NULL, "Always False: Corten has no such tensors.", NULL},
    {"is_ipu", never, NULL, "Always False: Corten has no such tensors.", NULL},
    {"is_maia", never, NULL, "Always False: Corten has no such tensors.", NULL},
    {"is_mtia", never, NULL, "Always False: Corten has no such tensors.", NULL},
    {"is_vulkan", never, NULL, "Always False: Corten has no such tensors.", NULL},
    {0},
};

/* ---- size(), stride(): all, or one by its dim ---- */

static struct py_arg dim_arg[] = {
    PY_OR_NONE("dim", PY_INT, 0),
};
static struct py_signature dim_signature = {
    .args = dim_arg, .n = 1, .which = 0, .returns = PY_RETURNS_OBJECT};
static struct py_op size_op = {.name = "size", .signatures = &dim_signature, .n = 1};
static struct py_op stride_op = {.name = "stride", .signatures = &dim_signature, .n = 1};

/* Parses the optional argument `dim`; CT_NO_DIM if it is absent. */
static bool read_dim(struct py_op *op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                     PyObject *names, int64_t *dim)
{
    *dim = CT_NO_DIM;
    if (nargs == 0 && !names)
        return true;
    if (nargs == 1 && !names && PyLong_CheckExact(args[0]))
        return py_int64(args[0], dim);
    struct py_frame frame;
    bool good = py_read(&frame, op, self, args, nargs, names) >= 0;
    if (good)
        *dim = frame.v[0].i;
    return good;
}

static PyObject *one_or_error(int64_t value)
{
    return ct_error() ? py_raise() : PyLong_FromLongLong(value);
}

static PyObject *size(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    int64_t dim;
    if (!read_dim(&size_op, self, args, nargs, names, &dim))
        return NULL;
    if (dim == CT_NO_DIM)
        return get_shape(self, NULL);
    return one_or_error(ct_size(py_tensor_of(self), dim));
}

static PyObject *stride(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    int64_t dim;
    if (!read_dim(&stride_op, self, args, nargs, names, &dim))
        return NULL;
    if (dim == CT_NO_DIM)
        return py_int_tuple(ct_stride_ptr(py_tensor_of(self)), ct_ndim(py_tensor_of(self)));
    return one_or_error(ct_stride(py_tensor_of(self), dim));
}

/* ---- other queries ---- */

static PyObject *dim(PyObject *self, PyObject *unused)
{
    return PyLong_FromLongLong(ct_ndim(py_tensor_of(self)));
}

static PyObject *numel(PyObject *self, PyObject *unused)
{
    return PyLong_FromLongLong(ct_numel(py_tensor_of(self)));
}

static PyObject *element_size(PyObject *self, PyObject *unused)
{
    return PyLong_FromLongLong(ct_element_size(py_tensor_of(self)));
}

static PyObject *storage_offset(PyObject *self, PyObject *unused)
{
    return PyLong_FromLongLong(ct_storage_offset(py_tensor_of(self)));
}

static PyObject *data_ptr(PyObject *self, PyObject *unused)
{
    if (ct_device_of(py_tensor_of(self)).type == CT_META)
        return PyLong_FromLong(0);
    void *p = ct_data(py_tensor_of(self));
    if (!p && ct_error())
        return py_raise();
    return PyLong_FromVoidPtr(p);
}

static PyObject *get_device_method(PyObject *self, PyObject *unused)
{
    return PyLong_FromLong(ct_device_of(py_tensor_of(self)).index);
}

static PyObject *is_floating_point(PyObject *self, PyObject *unused)
{
    return PyBool_FromLong(ct_dtype_is_floating(ct_dtype(py_tensor_of(self))));
}

static PyObject *is_complex(PyObject *self, PyObject *unused)
{
    return PyBool_FromLong(ct_dtype_is_complex(ct_dtype(py_tensor_of(self))));
}

static PyObject *is_signed(PyObject *self, PyObject *unused)
{
    return PyBool_FromLong(ct_dtype_is_signed(ct_dtype(py_tensor_of(self))));
}

static PyObject *is_conj(PyObject *self, PyObject *unused)
{
    return PyBool_FromLong(ct_is_conj(py_tensor_of(self)));
}

static PyObject *is_neg(PyObject *self, PyObject *unused)
{
    return PyBool_FromLong(ct_is_neg(py_tensor_of(self)));
}

static PyObject *is_pinned(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    return PyBool_FromLong(ct_is_pinned(py_tensor_of(self)));
}

static PyObject *is_shared(PyObject *self, PyObject *unused)
{
    const ct_storage *s = ct_storage_of(py_tensor_of(self));
    return s ? PyBool_FromLong(ct_storage_is_shared(s)) : py_raise();
}

static PyObject *share_memory_(PyObject *self, PyObject *unused)
{
    if (!ct_storage_share(ct_storage_of(py_tensor_of(self))))
        return py_raise();
    return Py_NewRef(self);
}

static PyObject *item(PyObject *self, PyObject *unused)
{
    return py_item(py_tensor_of(self));
}

static struct py_arg format_arg[] = {
    {.name = "memory_format",
     .kind = PY_FORMAT,
     .flags = PY_DEFAULT | PY_KEYWORD,
     .fallback = {.small = CT_CONTIGUOUS_FORMAT},
     .shown = "torch.contiguous_format"},
};
static struct py_signature format_signature = {
    .args = format_arg, .n = 1, .which = 0, .returns = PY_RETURNS_OBJECT};
static struct py_op is_contiguous_op = {
    .name = "is_contiguous", .signatures = &format_signature, .n = 1};

static PyObject *is_contiguous(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *names)
{
    if (nargs == 0 && !names)
        return PyBool_FromLong(ct_is_contiguous(py_tensor_of(self)));
    struct py_frame frame;
    if (py_read(&frame, &is_contiguous_op, self, args, nargs, names) < 0)
        return NULL;
    return PyBool_FromLong(
        ct_is_contiguous_as(py_tensor_of(self), (enum ct_memory_format)frame.v[0].small));
}

/* reversed(x): a copy with the first dim reversed. */
static PyObject *reversed(PyObject *self, PyObject *unused)
{
    if (ct_ndim(py_tensor_of(self)) == 0)
        return Py_NewRef(self);
    int64_t first = 0;
    return py_wrap_as(ct_own_flip(py_tensor_of(self), ct_ints_of(&first, 1)), py_class_like(self));
}

static PyMethodDef methods[] = {
    {"size", PY_FAST(size),
     "size($self, dim=None)\n--\n\nReturns the sizes of all dims, or the size of one.\n\n"
     "Arguments:\n"
     "    dim (int or None): the dim; None: all.\n\n"
     "    >>> torch.ones(2, 3).size()\n"
     "    torch.Size([2, 3])\n"
     "    >>> torch.ones(2, 3).size(1)\n"
     "    3"},
    {"stride", PY_FAST(stride),
     "stride($self, dim=None)\n--\n\nReturns the strides of all dims, or the stride of one: how "
     "many elements in memory are between\n"
     "neighbours along the dim.\n\n"
     "Arguments:\n"
     "    dim (int or None): the dim; None: all.\n\n"
     "Example:\n"
     "    >>> torch.ones(2, 3).t().stride()\n"
     "    (1, 3)"},
    {"dim", dim, METH_NOARGS,
     "dim($self)\n--\n\nReturns the number of dims.\n\n"
     "    >>> torch.ones(2, 3).dim()\n"
     "    2"},
    {"ndimension", dim, METH_NOARGS,
     "ndimension($self)\n--\n\nReturns the number of dims; the same as dim()."},
    {"numel", numel, METH_NOARGS,
     "numel($self)\n--\n\nReturns the number of elements.\n\n"
     "    >>> torch.ones(2, 3).numel()\n"
     "    6"},
    {"nelement", numel, METH_NOARGS,
     "nelement($self)\n--\n\nReturns the number of elements; the same as numel()."},
    {"element_size", element_size, METH_NOARGS,
     "element_size($self)\n--\n\nReturns the number of bytes of one element.\n\n"
     "    >>> torch.ones(2, dtype=torch.float64).element_size()\n"
     "    8"},
    {"storage_offset", storage_offset, METH_NOARGS,
     "storage_offset($self)\n--\n\nReturns the index in the storage of the first element.\n\n"
     "    >>> torch.arange(5)[2:].storage_offset()\n"
     "    2"},
    {"data_ptr", data_ptr, METH_NOARGS,
     "data_ptr($self)\n--\n\nReturns the address of the first element."},
    {"get_device", get_device_method, METH_NOARGS,
     "get_device($self)\n--\n\nReturns the index of the tensor's GPU, or -1 for the CPU."},
    {"is_floating_point", is_floating_point, METH_NOARGS,
     "is_floating_point($self)\n--\n\nReturns whether the data type is a floating one, such as "
     "float32 or bfloat16."},
    {"is_complex", is_complex, METH_NOARGS,
     "is_complex($self)\n--\n\nReturns whether the data type is complex."},
    {"is_signed", is_signed, METH_NOARGS,
     "is_signed($self)\n--\n\nReturns whether the data type has negative numbers."},
    {"is_conj", is_conj, METH_NOARGS,
     "is_conj($self)\n--\n\nReturns whether the tensor is a conjugated view, whose elements are "
     "conjugated when they are read."},
    {"is_neg", is_neg, METH_NOARGS,
     "is_neg($self)\n--\n\nReturns whether the tensor is a negated view, whose elements are "
     "negated when they are read."},
    {"is_pinned", (PyCFunction)(void (*)(void))is_pinned, METH_FASTCALL,
     "Returns whether the memory is page-locked."},
    {"is_shared", is_shared, METH_NOARGS,
     "is_shared($self)\n--\n\nReturns whether the memory is shared with forked processes."},
    {"share_memory_", share_memory_, METH_NOARGS,
     "share_memory_($self)\n--\n\nMoves the storage to memory that is shared with processes that "
     "are forked later."},
    {"is_contiguous", PY_FAST(is_contiguous),
     "is_contiguous(*, memory_format=torch.contiguous_format) -> bool\n\n"
     "Returns whether the elements are adjacent in memory, in the order of the format."
     "\n\n    >>> torch.ones(2, 3).t().is_contiguous()"
     "\n    False"},
    {"item", item, METH_NOARGS,
     "item($self)\n--\n\nReturns the only element as a Python number. Fails for tensors with more "
     "than one element.\n\n"
     "    >>> torch.tensor([2.5]).item()\n"
     "    2.5"},
    {"__reversed__", reversed, METH_NOARGS, NULL},
    {0},
};

bool py_init_properties(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods);
}
