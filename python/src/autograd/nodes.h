/* SPDX-License-Identifier: BSD-3-Clause */
/* What nodes.c, hooks.c and the files of autograd.Function share: objects of nodes. */
#ifndef CORTEN_PYTHON_NODES_H
#define CORTEN_PYTHON_NODES_H

#include "binding.h"

#include <corten/autograd.h>

typedef struct {
    PyObject ob_base;
    ct_node *node; /* owned */
} NodeObject;

extern PyTypeObject py_Node, py_FunctionBase;

PyObject *py_wrap_node(ct_node *owned); /* takes the reference over; None for NULL */
/* Borrowed tensors as a tuple; NULL entries are None. */
PyObject *py_tensors_tuple(ct_tensor *const *v, int64_t n);

/* For tp_traverse: what only t, or n, holds. */
int py_traverse_tensor(ct_tensor *t, visitproc visit, void *arg);
int py_traverse_node(ct_node *n, visitproc visit, void *arg);

/* ---- hooks.c ---- */

PyObject *py_node_register_hook(PyObject *self, PyObject *hook);
PyObject *py_node_register_prehook(PyObject *self, PyObject *hook);

/* ---- function.c ---- */

/* Note [Who owns a function]: the object that a user's forward and backward know as ctx is the
 * handle of its node. While Python holds it, it owns a reference to the node, so a grad_fn that is
 * kept keeps the graph. When Python's last reference goes and the graph still holds the node, the
 * node keeps the object instead (kept_by_c), with all the attributes that forward gave it; it flips
 * back when Python meets it again: the user's backward, y.grad_fn. As with tensors (Note [Who owns
 * whom]). */
typedef struct {
    PyObject ob_base;
    ct_node *node; /* as in NodeObject; NULL: nothing was recorded; not owned if kept_by_c */
    struct py_function_link *link;
    PyObject *to_save, *non_differentiable, *dirty, *needs_input_grad, *saved_for_forward;
    PyObject *tensors; /* bytes: which arguments are tensors */
    bool kept_by_c, materialize;
} FunctionObject;

/* What a node knows of its object, which may go first. */
struct py_function_link {
    FunctionObject *function;
};

/* A new reference to the object of a node; takes the reference to the node over. */
PyObject *py_hold_function(PyObject *handle, ct_node *owned);
/* The gradient of a function: runs the user's backward. */
bool py_run_function(void *context, struct ct_derivative_call *c);
void py_release_function(void *context);
/* function_apply.c: Function.apply(*args, **kwargs) */
PyObject *py_apply_function(PyObject *cls, PyObject *args, PyObject *kwargs);
PyObject *py_function_tools(PyObject *module, PyObject *args);
PyObject *py_watch_functions(PyObject *module, PyObject *f);
PyObject *py_intercept_functions(PyObject *module, PyObject *f);

#endif
