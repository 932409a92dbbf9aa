/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this folder that deal with files share. */
#ifndef CORTEN_PYTHON_IO_H
#define CORTEN_PYTHON_IO_H

#include "binding.h"

#include <corten/archive.h>

/* A sink for a path (str) or for a callable that takes memoryviews; NULL: raised. */
ct_sink *py_sink(PyObject *target);
/* Closes it; false: raised. */
bool py_sink_close(ct_sink *s, bool good);
/* The object of a tensor that a scope holds; NULL: the library's error is raised. */
PyObject *py_take_scoped(ct_tensor *t);

#endif
