/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers for making tensors from Python data, for this folder and exchange/. The tensors are
 * owned; NULL and CT_NO_DTYPE come with an exception. */
#ifndef CORTEN_PYTHON_CONSTRUCT_H
#define CORTEN_PYTHON_CONSTRUCT_H

#include "binding.h"

enum ct_dtype py_numpy_dtype(PyObject *array); /* of a NumPy array or scalar */
ct_tensor *py_new_empty(enum ct_dtype dtype, const int64_t *sizes, int ndim); /* uninitialised */
ct_tensor *py_cast_take(ct_tensor *owned, enum ct_dtype dtype);               /* consumes `owned` */

#endif
