/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse tensors: there are none, so a tensor says that it is dense and refuses the rest as PyTorch
 * does. */
#include "parse.h"

#include <corten/own.h>

static PyObject *not_sparse(const char *name, const char *kind)
{
    return PyErr_Format(PyExc_RuntimeError, "%s expected sparse %stensor layout but got Strided",
                        name, kind);
}

static PyObject *values(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return not_sparse("values", "");
}

static PyObject *indices(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return not_sparse("indices", "coordinate ");
}

static PyObject *coalesce(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return not_sparse("coalesce", "coordinate ");
}

static PyObject *is_coalesced(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return not_sparse("is_coalesced", "coordinate ");
}

static PyObject *col_indices(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return not_sparse("col_indices", "row compressed ");
}

static PyObject *crow_indices(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return not_sparse("crow_indices", "row compressed ");
}

static PyObject *row_indices(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return not_sparse("row_indices", "column compressed ");
}

static PyObject *ccol_indices(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return not_sparse("ccol_indices", "column compressed ");
}

static PyObject *dense_dim(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromLongLong(ct_ndim(py_tensor_of(self)));
}

static PyObject *sparse_dim(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    return PyLong_FromLong(0);
}

static PyObject *to_dense(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    static struct py_arg arg[] = {
        PY_OR_NONE("dtype", PY_DTYPE, 0),
        PY_OR_NONE("masked_grad", PY_BOOL_OPT, PY_KEYWORD),
    };
    static struct py_signature signature = {.args = arg, .n = 2};
    static struct py_op op = {.name = "to_dense", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    ct_tensor *t = ct_own_to(py_tensor_of(self), frame.v[0].dtype, CT_NO_DEVICE, false, false,
                             CT_PRESERVE_FORMAT);
    return py_warned(py_wrap_as(t, py_class_like(self)));
}

static PyMethodDef methods[] = {
    {"values", values, METH_NOARGS, "Of sparse tensors only."},
    {"indices", indices, METH_NOARGS, "Of sparse tensors only."},
    {"coalesce", coalesce, METH_NOARGS, "Of sparse tensors only."},
    {"is_coalesced", is_coalesced, METH_NOARGS, "Of sparse tensors only."},
    {"col_indices", col_indices, METH_NOARGS, "Of sparse tensors only."},
    {"crow_indices", crow_indices, METH_NOARGS, "Of sparse tensors only."},
    {"row_indices", row_indices, METH_NOARGS, "Of sparse tensors only."},
    {"ccol_indices", ccol_indices, METH_NOARGS, "Of sparse tensors only."},
    {"dense_dim", dense_dim, METH_NOARGS, "All dims are dense."},
    {"sparse_dim", sparse_dim, METH_NOARGS, "No dim is sparse."},
    {"to_dense", PY_FAST(to_dense),
     "to_dense($self, dtype=None, *, masked_grad=None)\n--\n\nItself."},
    {0},
};

bool py_init_sparse(PyObject *module)
{
    (void)module;
    return py_add_methods(&py_TensorBase, methods);
}
