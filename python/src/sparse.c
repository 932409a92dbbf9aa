/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse tensors in Python: making them, and what only asks. What computes are rows; the layouts
 * that are not there are refused as PyTorch refuses them for a dense tensor. */
#include "parse.h"

#include <corten/autograd.h>
#include <corten/own.h>

/* ---- sparse_coo_tensor ---- */

#define OPTIONS                                                                                    \
    PY_OR_NONE("dtype", PY_DTYPE, PY_KEYWORD), PY_OR_NONE("device", PY_DEVICE, PY_KEYWORD),        \
        PY_OR_NONE("pin_memory", PY_BOOL_OPT, PY_KEYWORD),                                         \
        PY_OR_NONE("requires_grad", PY_BOOL_OPT, PY_KEYWORD),                                      \
        PY_OR_NONE("check_invariants", PY_BOOL_OPT, PY_KEYWORD),                                   \
        PY_OR_NONE("is_coalesced", PY_BOOL_OPT, PY_KEYWORD)
enum { DTYPE, DEVICE, PINNED, REQUIRES_GRAD, CHECKED, COALESCED, NOPTIONS };

static struct py_arg of_size[] = {PY_REQUIRED("size", PY_INTS), OPTIONS};
static struct py_arg of_values[] = {PY_REQUIRED("indices", PY_OBJECT),
                                    PY_REQUIRED("values", PY_OBJECT),
                                    PY_OR_NONE("size", PY_INTS, 0), OPTIONS};
static struct py_signature signatures[] = {
    {.args = of_values, .n = 3 + NOPTIONS, .which = 0, .returns = PY_RETURNS_OBJECT},
    {.args = of_size, .n = 1 + NOPTIONS, .which = 1, .returns = PY_RETURNS_OBJECT},
};
static struct py_op coo_op = {.name = "sparse_coo_tensor", .signatures = signatures, .n = 2};

/* No values at all: [size] is sparse in every dim. */
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
        t = ct_own_sparse_coo_tensor(indices, values, v[2].ints, option[COALESCED].small > 0);
        if (!t)
            py_raise();
    }
    ct_release(indices);
    ct_release(values);
    return t;
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
    if (t && leaf) {
        ct_tensor *alone = ct_own_detach(t);
        ct_release(t);
        t = alone && ct_set_requires_grad(alone, true) ? alone : NULL;
        if (!t) {
            ct_release(alone);
            return py_raise();
        }
    }
    return t ? py_warned(py_wrap(t)) : NULL;
}

/* ---- what only asks ---- */

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

/* ---- layouts that are not there ---- */

static PyObject *refused(PyObject *self, const char *name, const char *kind)
{
    return PyErr_Format(PyExc_RuntimeError, "%s expected sparse %s tensor layout but got %s", name,
                        kind, ct_is_sparse(py_tensor_of(self)) ? "Sparse" : "Strided");
}

static PyObject *col_indices(PyObject *self, PyObject *unused)
{
    return refused(self, "col_indices", "row compressed");
}

static PyObject *crow_indices(PyObject *self, PyObject *unused)
{
    return refused(self, "crow_indices", "row compressed");
}

static PyObject *row_indices(PyObject *self, PyObject *unused)
{
    return refused(self, "row_indices", "column compressed");
}

static PyObject *ccol_indices(PyObject *self, PyObject *unused)
{
    return refused(self, "ccol_indices", "column compressed");
}

static PyObject *to_sparse_coo(PyObject *self, PyObject *unused)
{
    return py_wrap(ct_own_to_sparse(py_tensor_of(self), CT_NO_DIM));
}

static PyMethodDef methods[] = {
    {"to_sparse_coo", to_sparse_coo, METH_NOARGS, "The elements that are not 0, as to_sparse()."},
    {"_indices", own_indices, METH_NOARGS, "The indices as they are, without history."},
    {"_values", own_values, METH_NOARGS, "The values as they are, without history."},
    {"_nnz", nnz, METH_NOARGS, "The number of values."},
    {"is_coalesced", is_coalesced, METH_NOARGS, "Whether no index is there twice."},
    {"_coalesced_", set_coalesced, METH_O, "Says that no index is there twice."},
    {"dense_dim", dense_dim, METH_NOARGS, "The number of dims that values have."},
    {"sparse_dim", sparse_dim, METH_NOARGS, "The number of dims that indices have."},
    {"col_indices", col_indices, METH_NOARGS, "Of compressed rows only."},
    {"crow_indices", crow_indices, METH_NOARGS, "Of compressed rows only."},
    {"row_indices", row_indices, METH_NOARGS, "Of compressed columns only."},
    {"ccol_indices", ccol_indices, METH_NOARGS, "Of compressed columns only."},
    {0},
};

static PyMethodDef functions[] = {
    {"sparse_coo_tensor", PY_FAST(sparse_coo_tensor),
     "sparse_coo_tensor(indices, values, size=None, *, dtype=None, device=None, "
     "requires_grad=False, is_coalesced=None)\n--\n\nValues at indices, a column for each; all "
     "other elements are 0."
     "\n\n    >>> torch.sparse_coo_tensor([[0, 2]], [1., 2.], (4,)).to_dense()"
     "\n    tensor([1., 0., 2., 0.])"},
    {0},
};

bool py_init_sparse(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0 && py_add_methods(&py_TensorBase, methods);
}
