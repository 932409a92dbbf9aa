/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions behind nn.utils.clip_grad_norm_: each handles a list of tensors in one library
 * call. */
#include "parse/parse.h"

#include <corten/optim.h>

static struct py_arg norm_args[] = {PY_REQUIRED("tensors", PY_TENSORS),
                                    PY_REQUIRED("norm_type", PY_FLOAT)};
static struct py_arg scale_args[] = {PY_REQUIRED("tensors", PY_TENSORS),
                                     PY_REQUIRED("max_norm", PY_FLOAT),
                                     PY_REQUIRED("total_norm", PY_TENSOR)};
static struct py_signature norm_signature = {.args = norm_args, .n = 2};
static struct py_signature scale_signature = {
    .args = scale_args, .n = 3, .returns = PY_RETURNS_NONE};

static void call_norm(int which, const union py_value *v, struct py_result *r)
{
    r->tensor = ct_own_total_norm(v[0].list, v[1].f);
}

static void call_scale(int which, const union py_value *v, struct py_result *r)
{
    r->tensor = ct_scale_to_norm(v[0].list, v[1].f, v[2].tensor) ? v[2].tensor : NULL;
}

static struct py_op norm_op = {
    .name = "_total_norm", .call = call_norm, .signatures = &norm_signature, .n = 1};
static struct py_op scale_op = {
    .name = "_scale_to_norm", .call = call_scale, .signatures = &scale_signature, .n = 1};

static PyObject *total_norm(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names)
{
    return py_function(&norm_op, args, nargs, names);
}

static PyObject *scale_to_norm(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *names)
{
    return py_function(&scale_op, args, nargs, names);
}

static PyMethodDef functions[] = {
    {"_total_norm", PY_FAST(total_norm), "Returns the total norm of tensors."},
    {"_scale_to_norm", PY_FAST(scale_to_norm),
     "Scales tensors so that their total norm is at most a bound."},
    {0},
};

bool py_init_clip(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
