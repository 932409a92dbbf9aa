/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects of autograd nodes, shared by nodes.c, hooks.c and the files of autograd.Function. */
#ifndef CORTEN_PYTHON_NODES_H
#define CORTEN_PYTHON_NODES_H

#include "binding.h"

#include <corten/autograd.h>

typedef struct {
    PyObject ob_base;
    ct_node *node; /* owned */
} NodeObject;

extern PyTypeObject py_Node, py_FunctionBase;

PyObject *py_wrap_node(ct_node *owned); /* consumes the reference; None for NULL */
/* Wraps borrowed tensors in a tuple; NULL entries become None. */
PyObject *py_tensors_tuple(ct_tensor *const *v, int64_t n);

/* For tp_traverse: visits the Python objects that only t, or n, keeps alive. */
int py_traverse_tensor(ct_tensor *t, visitproc visit, void *arg);
int py_traverse_node(ct_node *n, visitproc visit, void *arg);

/* ---- hooks.c ---- */

/* Methods of nodes: register `hook` and return its handle. */
PyObject *py_node_register_hook(PyObject *self, PyObject *hook);
PyObject *py_node_register_prehook(PyObject *self, PyObject *hook);

/* ---- function.c ---- */

/* Note [Who owns a function]: the object that a user's forward and backward get as ctx is the
 * handle of its node. While Python holds the object, it owns a reference to the node, so keeping a
 * grad_fn keeps the graph. When Python drops its last reference while the graph still holds the
 * node, the node keeps the object instead (kept_by_c), with all the attributes that forward set.
 * Ownership flips back when Python reaches the object again, in the user's backward or through
 * y.grad_fn. Compare Note [Who owns whom]. */
typedef struct {
    PyObject ob_base;
    ct_node *node; /* NULL: not recorded; not owned if kept_by_c */
    struct py_function_link *link;
    PyObject *to_save, *non_differentiable, *dirty, *needs_input_grad, *saved_for_forward;
    PyObject *tensors; /* bytes: 1 for each argument that is a tensor */
    bool kept_by_c, materialize;
} FunctionObject;

/* The node's link to its object, which may be freed before the node. */
struct py_function_link {
    FunctionObject *function;
};

/* Returns a new reference to the object of a node; consumes the reference to the node. */
PyObject *py_hold_function(PyObject *handle, ct_node *owned);
/* Callbacks of the node (ct_derivative): run the user's backward, and release the link. */
bool py_run_function(void *context, struct ct_derivative_call *c);
void py_release_function(void *context);
/* function_apply.c: Function.apply(*args, **kwargs), and the functions by which Python configures
 * it. */
PyObject *py_apply_function(PyObject *cls, PyObject *args, PyObject *kwargs);
PyObject *py_function_tools(PyObject *module, PyObject *args);
PyObject *py_watch_functions(PyObject *module, PyObject *f);
PyObject *py_intercept_functions(PyObject *module, PyObject *f);

#endif
