/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading and writing NumPy files, safetensors and text tables. Images are in images.c, PyTorch's
 * files in save.c and unpickle.c. */
#include "io/files.h"
#include "exchange/exchange.h"

#include <corten/io.h>
#include <string.h>

PyObject *py_take_scoped(ct_tensor *t)
{
    return t ? py_wrap(ct_retain(t)) : py_raise();
}

static PyObject *read_npy(PyObject *module, PyObject *arg)
{
    Py_buffer data;
    if (PyObject_GetBuffer(arg, &data, PyBUF_SIMPLE) < 0)
        return NULL;
    ct_tensor *t = ct_own_read_npy(data.buf, data.len);
    PyBuffer_Release(&data);
    return t ? py_wrap(t) : py_raise();
}

/* _load_dict(path, format) */
static PyObject *load_dict(PyObject *module, PyObject *args)
{
    const char *path, *format;
    if (!PyArg_ParseTuple(args, "ss", &path, &format))
        return NULL;
    ct_scope scope = ct_scope_begin();
    ct_dict dict = ct_load_dict_as(path, format);
    PyObject *answer = dict.v ? PyDict_New() : py_raise();
    for (int64_t i = 0; answer && i < dict.n; i++) {
        PyObject *t = py_wrap(ct_retain(dict.v[i].tensor));
        if (!t || PyDict_SetItemString(answer, dict.v[i].name, t) < 0)
            Py_CLEAR(answer);
        Py_XDECREF(t);
    }
    ct_scope_end(scope);
    return answer;
}

/* Converts a Python dict to a ct_dict that borrows its names and tensors. Free *memory
 * afterwards. */
static ct_dict dict_of(PyObject *tensors, ct_named **memory)
{
    Py_ssize_t n = PyDict_Size(tensors), at = 0, i = 0;
    PyObject *name, *tensor;
    *memory = n < 0 ? NULL : malloc((size_t)(n + 1) * sizeof **memory);
    if (!*memory) {
        if (n >= 0)
            PyErr_NoMemory();
        return CT_NO_DICT;
    }
    while (PyDict_Next(tensors, &at, &name, &tensor) && i < n) {
        const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
        if (!text || !py_is_tensor(tensor)) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "expected a dict of names and tensors");
            return CT_NO_DICT;
        }
        (*memory)[i++] = (ct_named){text, py_tensor_of(tensor)};
    }
    return (ct_dict){*memory, i};
}

/* _save_dict(tensors, target, format, metadata or None, compress) */
static PyObject *save_dict(PyObject *module, PyObject *args)
{
    PyObject *tensors, *target;
    const char *format, *metadata;
    int compress;
    if (!PyArg_ParseTuple(args, "O!Oszp", &PyDict_Type, &tensors, &target, &format, &metadata,
                          &compress))
        return NULL;
    ct_named *memory;
    ct_dict dict = dict_of(tensors, &memory);
    ct_sink *sink = dict.v ? py_sink(target) : NULL;
    bool good = false;
    if (sink) {
        good = ct_save_dict_as(dict, sink, format, metadata, compress) || py_raise();
        good = py_sink_close(sink, good);
    }
    free(memory);
    return good ? Py_NewRef(Py_None) : NULL;
}

/* _loadtxt(path, dtype, delimiter or None, comment or None, skiprows) */
static PyObject *loadtxt(PyObject *module, PyObject *args)
{
    const char *path;
    PyObject *dtype;
    struct ct_loadtxt_args a = ct_loadtxt_defaults;
    long long skip;
    if (!PyArg_ParseTuple(args, "sO!zzL", &path, &py_DType, &dtype, &a.delimiter, &a.comment,
                          &skip))
        return NULL;
    a.dtype = py_dtype_of(dtype);
    a.skiprows = skip;
    ct_scope scope = ct_scope_begin();
    PyObject *answer = py_take_scoped(ct_loadtxt_ex(path, &a));
    ct_scope_end(scope);
    return answer;
}

static PyMethodDef functions[] = {
    {"_read_npy", read_npy, METH_O, NULL},
    {"_load_dict", load_dict, METH_VARARGS, NULL},
    {"_save_dict", save_dict, METH_VARARGS, NULL},
    {"_loadtxt", loadtxt, METH_VARARGS, NULL},
    {0},
};

bool py_init_files(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
