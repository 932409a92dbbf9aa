/* SPDX-License-Identifier: BSD-3-Clause */
/* Making tensors from Python data, for construct.c, create.c and the bridges. */
#ifndef CORTEN_PYTHON_CONSTRUCT_H
#define CORTEN_PYTHON_CONSTRUCT_H

#include "binding.h"

enum ct_dtype py_numpy_dtype(PyObject *array); /* of an array or scalar; CT_NO_DTYPE: raised */
ct_tensor *py_new_empty(enum ct_dtype dtype, const int64_t *sizes, int ndim); /* not initialised */
ct_tensor *py_cast_take(ct_tensor *owned, enum ct_dtype dtype); /* takes over; NULL: raised */

#endif
