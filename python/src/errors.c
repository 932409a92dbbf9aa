/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts the library's error (one kind and message per thread) to a Python exception of PyTorch's
 * class. Additional detail becomes a note on the exception. */
#include "binding.h"

#include <stdlib.h>

static PyObject *linalg_error; /* torch.linalg.LinAlgError */
static PyObject *memory_error, *accelerator_error;
static PyObject *store_error, *network_error, *backend_error; /* of torch.distributed */

static PyObject *exception_class(enum ct_error_kind kind)
{
    switch (kind) {
    case CT_ERR_INDEX:
        return PyExc_IndexError;
    case CT_ERR_TYPE:
        return PyExc_TypeError;
    case CT_ERR_VALUE:
        return PyExc_ValueError;
    case CT_ERR_KEY:
        return PyExc_KeyError;
    case CT_ERR_NOT_IMPLEMENTED:
        return PyExc_NotImplementedError;
    case CT_ERR_FILE_NOT_FOUND:
        return PyExc_FileNotFoundError;
    case CT_ERR_SYNTAX:
        return PyExc_SyntaxError;
    case CT_ERR_LINALG:
        return linalg_error;
    case CT_ERR_BUFFER:
        return PyExc_BufferError;
    case CT_ERR_ASSERTION:
        return PyExc_AssertionError;
    case CT_ERR_OS:
        return PyExc_OSError;
    case CT_ERR_RECURSION:
        return PyExc_RecursionError;
    case CT_ERR_DEVICE_MEMORY:
        return memory_error;
    case CT_ERR_ACCELERATOR:
        return accelerator_error;
    case CT_ERR_INTERRUPT:
        return PyExc_KeyboardInterrupt;
    case CT_ERR_STORE:
        return store_error;
    case CT_ERR_NETWORK:
        return network_error;
    case CT_ERR_BACKEND:
        return backend_error;
    case CT_ERR_NONE:
    case CT_ERR_RUNTIME:
    case CT_ERR_OUT_OF_MEMORY:
    case CT_ERR_KIND_COUNT:
        break;
    }
    return PyExc_RuntimeError;
}

PyObject *py_note(const char *note)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject *done = PyObject_CallMethod(value, "add_note", "s", note);
    if (!done)
        PyErr_Clear();
    Py_XDECREF(done);
    PyErr_Restore(type, value, trace);
    return NULL;
}

/* Issues the library's pending warnings; false if one was turned into an exception. An exception
 * that is already pending is kept. */
static bool issue_warnings(void)
{
    bool good = true;
    PyObject *type, *value, *trace;
    for (char *text; (text = ct_take_warning()) != NULL; free(text)) {
        PyErr_Fetch(&type, &value, &trace);
        bool said = PyErr_WarnEx(PyExc_UserWarning, text, 1) == 0;
        if (type)
            PyErr_Restore(type, value, trace);
        good = good && said;
    }
    return good;
}

PyObject *py_raise(void)
{
    /* Keep an exception that is already pending, for instance from a hook. */
    if (!PyErr_Occurred()) {
        const char *text = ct_error();
        PyErr_SetString(exception_class(ct_error_kind()), text ? text : "unknown error");
        if (ct_error_detail())
            py_note(ct_error_detail());
    }
    ct_clear_error();
    issue_warnings();
    return NULL;
}

int py_raise_int(void)
{
    py_raise();
    return -1;
}

const char *py_typename(PyObject *o)
{
    return Py_TYPE(o)->tp_name;
}

PyObject *py_emit_warnings(PyObject *answer)
{
    if (!issue_warnings())
        Py_CLEAR(answer);
    return answer;
}

bool py_warn_once(bool *said, const char *text)
{
    if (*said && !ct_get_warn_always())
        return true;
    *said = true;
    return PyErr_WarnEx(PyExc_UserWarning, text, 1) == 0;
}

static bool init_dist_errors(PyObject *module)
{
    PyObject *base = PyErr_NewExceptionWithDoc(
        "torch.distributed.DistError", "An error of torch.distributed.", PyExc_RuntimeError, NULL);
    store_error = PyErr_NewExceptionWithDoc("torch.distributed.DistStoreError",
                                            "A store operation failed or timed out.", base, NULL);
    network_error = PyErr_NewExceptionWithDoc("torch.distributed.DistNetworkError",
                                              "The connection to a store failed.", base, NULL);
    backend_error = PyErr_NewExceptionWithDoc("torch.distributed.DistBackendError",
                                              "A collective library failed.", base, NULL);
    return base && store_error && network_error && backend_error &&
           PyModule_AddObjectRef(module, "_DistError", base) == 0 &&
           PyModule_AddObjectRef(module, "_DistStoreError", store_error) == 0 &&
           PyModule_AddObjectRef(module, "_DistNetworkError", network_error) == 0 &&
           PyModule_AddObjectRef(module, "_DistBackendError", backend_error) == 0;
}

bool py_init_errors(PyObject *module)
{
    linalg_error = PyErr_NewExceptionWithDoc("torch._C._LinAlgError",
                                             "A matrix is singular or not positive definite.",
                                             PyExc_RuntimeError, NULL);
    memory_error = PyErr_NewExceptionWithDoc("torch.OutOfMemoryError", "A GPU is out of memory.",
                                             PyExc_RuntimeError, NULL);
    accelerator_error = PyErr_NewExceptionWithDoc("torch.AcceleratorError",
                                                  "The driver of a GPU reported an error.",
                                                  PyExc_RuntimeError, NULL);
    return linalg_error && memory_error && accelerator_error && init_dist_errors(module) &&
           PyModule_AddObjectRef(module, "_LinAlgError", linalg_error) == 0 &&
           PyModule_AddObjectRef(module, "OutOfMemoryError", memory_error) == 0 &&
           PyModule_AddObjectRef(module, "AcceleratorError", accelerator_error) == 0;
}
