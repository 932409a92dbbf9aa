/* SPDX-License-Identifier: BSD-3-Clause */
/* Creation and queries of sparse tensors. Operations on them are generated, like all others. */
#include "parse/parse.h"

#include <corten/autograd.h>
#include <corten/own.h>

/* ---- sparse_coo_tensor ---- */

#define OPTIONS(last, kind)                                                                        \
    PY_OR_NONE("dtype", PY_DTYPE, PY_KEYWORD), PY_OR_NONE("device", PY_DEVICE, PY_KEYWORD),        \
        PY_OR_NONE("pin_memory", PY_BOOL_OPT, PY_KEYWORD),                                         \
        PY_OR_NONE("requires_grad", PY_BOOL_OPT, PY_KEYWORD),                                      \
        PY_OR_NONE("check_invariants", PY_BOOL_OPT, PY_KEYWORD),                                   \
        PY_OR_NONE(last, kind, PY_KEYWORD)
enum { DTYPE, DEVICE, PINNED, REQUIRES_GRAD, CHECKED, LAST, NOPTIONS };
#define OF_COO OPTIONS("is_coalesced", PY_BOOL_OPT)

static struct py_arg of_size[] = {PY_REQUIRED("size", PY_INTS), OF_COO};
static struct py_arg of_values[] = {PY_REQUIRED("indices", PY_OBJECT),
                                    PY_REQUIRED("values", PY_OBJECT),
                                    PY_OR_NONE("size", PY_INTS, 0), OF_COO};
static struct py_signature signatures[] = {
    {.args = of_values, .n = 3 + NOPTIONS, .which = 0, .returns = PY_RETURNS_OBJECT},
    {.args = of_size, .n = 1 + NOPTIONS, .which = 1, .returns = PY_RETURNS_OBJECT},
};
static struct py_op coo_op = {.name = "sparse_coo_tensor", .signatures = signatures, .n = 2};

/* An empty tensor of a given size; all dims are sparse. */
static ct_tensor *empty_coo(ct_ints size, enum ct_dtype dtype, struct ct_device device)
{
    int64_t none[2] = {size.n, 0};
    dtype = dtype == CT_NO_DTYPE ? ct_get_default_dtype() : dtype;
    ct_tensor *indices = ct_own_zeros(ct_ints_of(none, 2), CT_INT64, device, false);
    ct_tensor *values = ct_own_zeros(ct_ints_of(none + 1, 1), dtype, device, false);
    ct_tensor *t = ct_own_sparse_coo_tensor(indices, values, size, true);
    ct_release(indices);
    ct_release(values);
    return t ? t : (ct_tensor *)py_raise();
}

static ct_tensor *coo_of(const union py_value *v, const union py_value *option)
{
    struct ct_device device = option[DEVICE].device;
    ct_tensor *values = py_as_tensor(v[1].object, option[DTYPE].dtype, device);
    if (!values)
        return NULL;
    ct_tensor *indices = py_as_tensor(v[0].object, CT_INT64, ct_device_of(values));
    ct_tensor *t = NULL;
    if (indices) {
        t = ct_own_sparse_coo_tensor(indices, values, v[2].ints, option[LAST].small > 0);
        if (!t)
            py_raise();
    }
    ct_release(indices);
    ct_release(values);
    return t;
}

/* Wraps the tensor; if `leaf`, detaches it first and sets requires_grad. Consumes t. */
static PyObject *wrapped_take(ct_tensor *t, bool leaf)
{
    if (t && leaf) {
        ct_tensor *alone = ct_own_detach(t);
        ct_release(t);
        t = alone && ct_set_requires_grad(alone, true) ? alone : NULL;
        if (!t) {
            ct_release(alone);
            return py_raise();
        }
    }
    return t ? py_emit_warnings(py_wrap(t)) : NULL;
}

static PyObject *sparse_coo_tensor(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *names)
{
    struct py_frame frame;
    int which = py_parse(&frame, &coo_op, NULL, args, nargs, names);
    if (which < 0) {
        py_frame_end(&frame);
        return NULL;
    }
    const union py_value *option = frame.v + (which ? 1 : 3);
    ct_tensor *t = which ? empty_coo(frame.v[0].ints, option[DTYPE].dtype, option[DEVICE].device)
                         : coo_of(frame.v, option);
    bool leaf = option[REQUIRES_GRAD].small > 0;
    py_frame_end(&frame);
    return wrapped_take(t, leaf);
}

/* ---- compressed rows and columns ---- */

static bool order_checked; /* torch.sparse.check_sparse_tensor_invariants */

#define COMPRESSED(made, begins, plain)                                                            \
    static struct py_arg made##_args[] = {                                                         \
        PY_REQUIRED(begins, PY_OBJECT), PY_REQUIRED(plain, PY_OBJECT),                             \
        PY_REQUIRED("values", PY_OBJECT), PY_OR_NONE("size", PY_INTS, 0),                          \
        OPTIONS("layout", PY_LAYOUT)};                                                             \
    static struct py_signature made##_signature = {                                                \
        .args = made##_args, .n = 4 + NOPTIONS, .returns = PY_RETURNS_OBJECT};                     \
    static struct py_op made##_op = {.name = #made, .signatures = &made##_signature, .n = 1}
COMPRESSED(sparse_compressed_tensor, "compressed_indices", "plain_indices");
COMPRESSED(sparse_csr_tensor, "crow_indices", "col_indices");
COMPRESSED(sparse_csc_tensor, "ccol_indices", "row_indices");
COMPRESSED(sparse_bsr_tensor, "crow_indices", "col_indices");
COMPRESSED(sparse_bsc_tensor, "ccol_indices", "row_indices");

/* Lists are read as int64, even empty ones; tensors and arrays keep their dtype. */
static ct_tensor *indices_from(PyObject *data)
{
    bool plain = PyList_Check(data) || PyTuple_Check(data);
    return py_as_tensor(data, plain ? CT_INT64 : CT_NO_DTYPE, CT_NO_DEVICE);
}

/* Makes a compressed sparse tensor. layout: the one that the function's name fixes, -1 if the
 * argument gives it. */
static PyObject *compressed(struct py_op *op, int layout, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names)
{
    struct py_frame frame;
    ct_tensor *begins = NULL, *plain = NULL, *values = NULL, *t = NULL;
    if (py_parse(&frame, op, NULL, args, nargs, names) < 0) {
        py_frame_end(&frame);
        return NULL;
    }
    const union py_value *v = frame.v, *option = frame.v + 4;
    int given = option[LAST].small, checked = option[CHECKED].small;
    bool leaf = option[REQUIRES_GRAD].small > 0;
    if (layout >= 0 && given >= 0 && given != layout)
        PyErr_Format(PyExc_RuntimeError, "%s: layout must be %s but got %s", op->name,
                     py_layout_name(layout), py_layout_name(given));
    else if ((values = py_as_tensor(v[2].object, option[DTYPE].dtype, option[DEVICE].device)) &&
             (begins = indices_from(v[0].object)) && (plain = indices_from(v[1].object)) &&
             !(t = ct_own_sparse_compressed_tensor(begins, plain, values, v[3].ints,
                                                   layout < 0 ? given : layout,
                                                   checked < 0 ? order_checked : checked)))
        py_raise();
    ct_release(begins);
    ct_release(plain);
    ct_release(values);
    py_frame_end(&frame);
    return wrapped_take(t, leaf);
}

static PyObject *sparse_compressed_tensor(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                          PyObject *names)
{
    return compressed(&sparse_compressed_tensor_op, -1, args, nargs, names);
}

static PyObject *sparse_csr_tensor(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *names)
{
    return compressed(&sparse_csr_tensor_op, CT_SPARSE_CSR, args, nargs, names);
}

static PyObject *sparse_csc_tensor(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *names)
{
    return compressed(&sparse_csc_tensor_op, CT_SPARSE_CSC, args, nargs, names);
}

static PyObject *sparse_bsr_tensor(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *names)
{
    return compressed(&sparse_bsr_tensor_op, CT_SPARSE_BSR, args, nargs, names);
}

static PyObject *sparse_bsc_tensor(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *names)
{
    return compressed(&sparse_bsc_tensor_op, CT_SPARSE_BSC, args, nargs, names);
}

/* Switches the check of invariants; returns the previous state. */
static PyObject *check_order(PyObject *module, PyObject *on)
{
    int is = PyObject_IsTrue(on);
    bool was = order_checked;
    if (is < 0)
        return NULL;
    order_checked = is;
    return PyBool_FromLong(was);
}

/* ---- queries ---- */

static PyObject *own_indices(PyObject *self, PyObject *unused)
{
    return py_wrap(ct_own_sparse_indices(py_tensor_of(self)));
}

static PyObject *own_values(PyObject *self, PyObject *unused)
{
    return py_wrap(ct_own_sparse_values(py_tensor_of(self)));
}

static PyObject *nnz(PyObject *self, PyObject *unused)
{
    int64_t n = ct_sparse_nnz(py_tensor_of(self));
    return n < 0 ? py_raise() : PyLong_FromLongLong(n);
}

static PyObject *is_coalesced(PyObject *self, PyObject *unused)
{
    int is = ct_sparse_is_coalesced(py_tensor_of(self));
    return is < 0 ? py_raise() : PyBool_FromLong(is);
}

static PyObject *set_coalesced(PyObject *self, PyObject *coalesced)
{
    int is = PyObject_IsTrue(coalesced);
    if (is < 0)
        return NULL;
    return ct_sparse_set_coalesced(py_tensor_of(self), is) ? Py_NewRef(self) : py_raise();
}

static PyObject *dense_dim(PyObject *self, PyObject *unused)
{
    return PyLong_FromLongLong(ct_dense_dim(py_tensor_of(self)));
}

static PyObject *sparse_dim(PyObject *self, PyObject *unused)
{
    return PyLong_FromLongLong(ct_sparse_dim(py_tensor_of(self)));
}

static PyObject *to_sparse_coo(PyObject *self, PyObject *unused)
{
    return py_wrap(ct_own_to_sparse(py_tensor_of(self), CT_NO_DIM, -1, (ct_ints){0}, CT_NO_DIM));
}

static PyMethodDef methods[] = {
    {"to_sparse_coo", to_sparse_coo, METH_NOARGS,
     "to_sparse_coo($self)\n--\n\nReturns the elements that are not 0 as a sparse tensor; the same "
     "as to_sparse()."},
    {"_indices", own_indices, METH_NOARGS, "Returns the indices unchanged, without history."},
    {"_values", own_values, METH_NOARGS, "Returns the values unchanged, without history."},
    {"_nnz", nnz, METH_NOARGS, "The number of values."},
    {"is_coalesced", is_coalesced, METH_NOARGS,
     "is_coalesced($self)\n--\n\nReturns whether the indices are sorted and no index occurs "
     "twice."},
    {"_coalesced_", set_coalesced, METH_O, "Asserts that no index occurs twice."},
    {"dense_dim", dense_dim, METH_NOARGS,
     "dense_dim($self)\n--\n\nReturns the number of dims of each value."},
    {"sparse_dim", sparse_dim, METH_NOARGS,
     "sparse_dim($self)\n--\n\nReturns the number of dims that have indices."},
    {0},
};

static PyMethodDef functions[] = {
    {"sparse_coo_tensor", PY_FAST(sparse_coo_tensor),
     "sparse_coo_tensor(indices, values, size=None, *, dtype=None, device=None, "
     "requires_grad=False, is_coalesced=None)\n--\n\nReturns a sparse tensor in coordinate format: "
     "values at given positions, 0 elsewhere.\n\n"
     "Arguments:\n"
     "    indices (Tensor or sequences): the positions: row d holds the indices in dim d, column i "
     "belongs\n"
     "        to value i. Values at equal positions are added.\n"
     "    values (Tensor or sequence): the values.\n"
     "    size (sequence of ints or None): the shape; None: the smallest that contains all "
     "indices.\n"
     "    dtype (dtype or None): the data type; None: that of the values.\n"
     "    device (device or None): the device; None: that of the values.\n"
     "    requires_grad (bool): whether autograd records operations on the result. Default: "
     "`False`.\n"
     "    is_coalesced (bool or None): True states that the indices are sorted and distinct.\n\n"
     "Example:\n"
     "    >>> torch.sparse_coo_tensor([[0, 2]], [1., 2.], (4,)).to_dense()\n"
     "    tensor([1., 0., 2., 0.])"},
    {"sparse_csr_tensor", PY_FAST(sparse_csr_tensor),
     "sparse_csr_tensor(crow_indices, col_indices, values, size=None, *, dtype=None, device=None, "
     "requires_grad=False, check_invariants=None)\n--\n\nReturns a sparse matrix in compressed "
     "rows: row i has the values from `crow_indices[i]` to\n"
     "`crow_indices[i + 1]`, in the columns that `col_indices` lists.\n\n"
     "    >>> torch.sparse_csr_tensor([0, 2, 3], [0, 2, 1], [1., 2., 3.]).to_dense()\n"
     "    tensor([[1., 0., 2.],\n"
     "            [0., 3., 0.]])"},
    {"sparse_bsr_tensor", PY_FAST(sparse_bsr_tensor),
     "Returns a sparse matrix in compressed rows of blocks: like sparse_csr_tensor, with a dense "
     "block\n"
     "instead of each value.\n\n"
     "    >>> torch.sparse_bsr_tensor([0, 1], [0], [[[1., 2.], [3., 4.]]]).to_dense()\n"
     "    tensor([[1., 2.],\n"
     "            [3., 4.]])"},
    {"sparse_bsc_tensor", PY_FAST(sparse_bsc_tensor),
     "Returns a sparse matrix in compressed columns of blocks: like sparse_csc_tensor, with a "
     "dense block\n"
     "instead of each value.\n\n"
     "    >>> torch.sparse_bsc_tensor([0, 1], [0], [[[1., 2.], [3., 4.]]]).to_dense()\n"
     "    tensor([[1., 2.],\n"
     "            [3., 4.]])"},
    {"sparse_csc_tensor", PY_FAST(sparse_csc_tensor),
     "sparse_csc_tensor(ccol_indices, row_indices, values, size=None, *, dtype=None, device=None, "
     "requires_grad=False, check_invariants=None)\n--\n\nReturns a sparse matrix in compressed "
     "columns: column i has the values from `ccol_indices[i]` to\n"
     "`ccol_indices[i + 1]`, in the rows that `row_indices` lists.\n\n"
     "    >>> torch.sparse_csc_tensor([0, 1, 2, 3], [0, 1, 0], [1., 3., 2.]).to_dense()\n"
     "    tensor([[1., 0., 2.],\n"
     "            [0., 3., 0.]])"},
    {"sparse_compressed_tensor", PY_FAST(sparse_compressed_tensor),
     "sparse_compressed_tensor(compressed_indices, plain_indices, values, size=None, *, layout, "
     "dtype=None, device=None, requires_grad=False, check_invariants=None)\n--\n\nReturns a sparse "
     "matrix in the compressed format that `layout` names.\n\n"
     "    >>> torch.sparse_compressed_tensor([0, 1, 2], [1, 0], [1., 2.], "
     "layout=torch.sparse_csr).to_dense()\n"
     "    tensor([[0., 1.],\n"
     "            [2., 0.]])"},
    {"_check_sparse_order", check_order, METH_O, NULL},
    {0},
};

bool py_init_sparse(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0 && py_add_methods(&py_TensorBase, methods);
}
