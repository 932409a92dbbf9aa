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
    {"shape", get_shape, NULL, "The sizes, as torch.Size.", NULL},
    {"dtype", get_dtype, NULL, "The data type.", NULL},
    {"device", get_device, NULL, "The device of the memory.", NULL},
    {"layout", get_layout, NULL, "torch.strided, or a sparse one.", NULL},
    {"ndim", get_ndim, NULL, "The number of dimensions.", NULL},
    {"nbytes", get_nbytes, NULL, "The size of all elements in bytes.", NULL},
    {"itemsize", get_itemsize, NULL, "The size of an element in bytes.", NULL},
    {"requires_grad", get_requires_grad, set_requires_grad, "Whether gradients are recorded.",
     NULL},
    {"grad", get_grad, set_grad, "The gradient accumulated by backward, or None.", NULL},
    {"data", get_data, set_data, "A tensor over the same memory, detached from the graph.", NULL},
    {"grad_dtype", grad_dtype, set_grad_dtype,
     "The dtype of its gradient, to which gradients are cast; None allows any.", NULL},
    {"is_leaf", get_is_leaf, NULL, "Whether it was not created by a recorded operation.", NULL},
    {"retains_grad", get_retains_grad, NULL, "Whether a non-leaf keeps its gradient.", NULL},
    {"output_nr", get_output_nr, NULL, "The index of this tensor among the outputs of its grad_fn.",
     NULL},
    {"_base", get_base, NULL, "The tensor that this is a view of, or None.", NULL},
    {"_version", get_version, NULL, "The number of in-place writes to its memory.", NULL},
    {"is_cpu", is_on, NULL, NULL, (void *)CT_CPU},
    {"is_cuda", is_on, NULL, NULL, (void *)CT_CUDA},
    {"is_xla", is_on, NULL, NULL, (void *)CT_XLA},
    {"is_meta", is_on, NULL, NULL, (void *)CT_META},
    {"is_sparse", is_sparse, NULL, NULL, NULL},
    {"is_sparse_csr", is_sparse_csr, NULL, NULL, NULL},
    {"is_quantized", never, NULL, NULL, NULL},
    {"is_nested", never, NULL, NULL, NULL},
    {"is_mkldnn", never, NULL, NULL, NULL},
    {"is_mps", never, NULL, NULL, NULL},
    {"is_xpu", never, NULL, NULL, NULL},
    {"is_ipu", never, NULL, NULL, NULL},
    {"is_maia", never, NULL, NULL, NULL},
    {"is_mtia", never, NULL, NULL, NULL},
    {"is_vulkan", never, NULL, NULL, NULL},
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
     "size($self, dim=None)\n--\n\nThe sizes, or the size of one dimension."
     "\n\n    >>> torch.ones(2, 3).size()"
     "\n    torch.Size([2, 3])"
     "\n    >>> torch.ones(2, 3).size(1)"
     "\n    3"},
    {"stride", PY_FAST(stride),
     "stride($self, dim=None)\n--\n\nThe strides in elements, or that of one dimension."
     "\n\n    >>> torch.ones(2, 3).t().stride()"
     "\n    (1, 3)"},
    {"dim", dim, METH_NOARGS,
     "The number of dimensions."
     "\n\n    >>> torch.ones(2, 3).dim()"
     "\n    2"},
    {"ndimension", dim, METH_NOARGS, "The number of dimensions."},
    {"numel", numel, METH_NOARGS,
     "The number of elements."
     "\n\n    >>> torch.ones(2, 3).numel()"
     "\n    6"},
    {"nelement", numel, METH_NOARGS, "The number of elements."},
    {"element_size", element_size, METH_NOARGS,
     "The size of an element in bytes."
     "\n\n    >>> torch.ones(2, dtype=torch.float64).element_size()"
     "\n    8"},
    {"storage_offset", storage_offset, METH_NOARGS,
     "The offset of the first element in the storage, in elements."
     "\n\n    >>> torch.arange(5)[2:].storage_offset()"
     "\n    2"},
    {"data_ptr", data_ptr, METH_NOARGS, "The address of the first element."},
    {"get_device", get_device_method, METH_NOARGS, "The index of the device, -1 for the CPU."},
    {"is_floating_point", is_floating_point, METH_NOARGS, "Whether the type is floating-point."},
    {"is_complex", is_complex, METH_NOARGS, "Whether the type is complex."},
    {"is_signed", is_signed, METH_NOARGS, "Whether the type has negative values."},
    {"is_conj", is_conj, METH_NOARGS, "Whether it is a lazily conjugated view."},
    {"is_neg", is_neg, METH_NOARGS, "Whether it is a lazily negated view."},
    {"is_pinned", (PyCFunction)(void (*)(void))is_pinned, METH_FASTCALL,
     "Whether the memory is page-locked."},
    {"is_shared", is_shared, METH_NOARGS, "Whether forked processes share its memory."},
    {"share_memory_", share_memory_, METH_NOARGS,
     "Moves its storage to shared memory, visible in processes forked afterwards."},
    {"is_contiguous", PY_FAST(is_contiguous),
     "is_contiguous($self, *, memory_format=torch.contiguous_format)\n--\n\n"
     "Returns whether the elements are adjacent in memory, in the order of the format."
     "\n\n    >>> torch.ones(2, 3).t().is_contiguous()"
     "\n    False"},
    {"item", item, METH_NOARGS,
     "The single element as a Python number."
     "\n\n    >>> torch.tensor([2.5]).item()"
     "\n    2.5"},
    {"__reversed__", reversed, METH_NOARGS, NULL},
    {0},
};

bool py_init_properties(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods);
}
