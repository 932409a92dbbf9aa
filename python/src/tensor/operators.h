/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's operators on tensors. The generated py_operators.c fills the slots of the type from the
 * rows' `operator` entries; operators.c holds the rules they share: who may stand on either side,
 * when to say NotImplemented. */
#ifndef CORTEN_PYTHON_OPERATORS_H
#define CORTEN_PYTHON_OPERATORS_H

#include "binding.h"

typedef ct_tensor *(*py_binary_call)(ct_value a, ct_value b);
typedef ct_tensor *(*py_tensors_call)(ct_tensor *a, ct_tensor *b);
typedef ct_tensor *(*py_unary_call)(ct_tensor *a);
typedef ct_tensor *(*py_inplace_call)(ct_tensor *self, ct_value other);
typedef ct_tensor *(*py_inplace_tensor_call)(ct_tensor *self, ct_tensor *other);

PyObject *py_binary(PyObject *a, PyObject *b, py_binary_call call, const char *name);
PyObject *py_binary_tensors(PyObject *a, PyObject *b, py_tensors_call call, const char *name);
PyObject *py_unary(PyObject *a, py_unary_call call, const char *name);
bool py_can_invert(PyObject *a); /* false: raised */
PyObject *py_inplace(PyObject *self, PyObject *other, py_inplace_call call, const char *name);
PyObject *py_inplace_tensor(PyObject *self, PyObject *other, py_inplace_tensor_call call,
                            const char *name);

/* generated: fills py_tensor_as_number and the comparisons (indexed by Py_LT ... Py_GE) */
void py_fill_operators(void);
extern py_binary_call py_comparisons[6];

#endif
