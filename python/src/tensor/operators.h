/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's operators on tensors. The generated py_operators.c fills the type's slots from the
 * `operator` entries of operations and calls the functions of operators.c, which implement the
 * common rules: operand types, overrides, NotImplemented. */
#ifndef CORTEN_PYTHON_OPERATORS_H
#define CORTEN_PYTHON_OPERATORS_H

#include "binding.h"

typedef ct_tensor *(*py_binary_call)(ct_value a, ct_value b);
typedef ct_tensor *(*py_tensors_call)(ct_tensor *a, ct_tensor *b);
typedef ct_tensor *(*py_unary_call)(ct_tensor *a);
typedef ct_tensor *(*py_inplace_call)(ct_tensor *self, ct_value other);
typedef ct_tensor *(*py_inplace_tensor_call)(ct_tensor *self, ct_tensor *other);

/* Entry points of the slots; `name` is the slot's method ("__add__"). They return a new reference,
 * NotImplemented for operands that the library does not accept, or NULL with an exception. */
PyObject *py_binary(PyObject *a, PyObject *b, py_binary_call call, const char *name);
PyObject *py_binary_tensors(PyObject *a, PyObject *b, py_tensors_call call, const char *name);
PyObject *py_unary(PyObject *a, py_unary_call call, const char *name);
bool py_can_invert(PyObject *a); /* false: raised */
PyObject *py_inplace(PyObject *self, PyObject *other, py_inplace_call call, const char *name);
PyObject *py_inplace_tensor(PyObject *self, PyObject *other, py_inplace_tensor_call call,
                            const char *name);

/* Generated: fills py_tensor_as_number and the comparisons, which are indexed by Py_LT ...
 * Py_GE. */
void py_fill_operators(void);
extern py_binary_call py_comparisons[6];

#endif
