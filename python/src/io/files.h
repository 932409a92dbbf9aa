/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers shared by the files of this folder: sinks for writing, and results of the scoped C
 * functions. */
#ifndef CORTEN_PYTHON_IO_H
#define CORTEN_PYTHON_IO_H

#include "binding.h"

#include <corten/archive.h>

/* Opens a sink for a path (str), or for a callable that gets memoryviews. NULL with an exception.
 * Close it with py_sink_close. */
ct_sink *py_sink(PyObject *target);
/* Closes a sink. If not `good`, the written data is discarded. False with an exception if writing
 * failed. */
bool py_sink_close(ct_sink *s, bool good);
/* Wraps a tensor that belongs to a scope (retains it). For NULL, raises the library's error. */
PyObject *py_take_scoped(ct_tensor *t);

#endif
