/* SPDX-License-Identifier: BSD-3-Clause */
/* Images for corten.vision: decoding, encoding, grids. */
#include "io/files.h"

#include <corten/io.h>

static ct_tensor *tensor_arg(PyObject *o)
{
    if (py_is_tensor(o))
        return py_tensor_of(o);
    PyErr_Format(PyExc_TypeError, "expected a tensor, got %s", py_typename(o));
    return NULL;
}

/* _decode_image(bytes tensor, mode) */
static PyObject *decode_image(PyObject *module, PyObject *args)
{
    PyObject *data;
    int mode;
    if (!PyArg_ParseTuple(args, "Oi", &data, &mode))
        return NULL;
    ct_tensor *bytes = tensor_arg(data);
    if (!bytes)
        return NULL;
    ct_scope scope = ct_scope_begin();
    PyObject *answer = py_take_scoped(ct_decode_image(bytes, (enum ct_image_mode)mode));
    ct_scope_end(scope);
    return answer;
}

/* _encode_image(tensor, level, jpeg) */
static PyObject *encode_image(PyObject *module, PyObject *args)
{
    PyObject *data;
    long long level;
    int jpeg;
    if (!PyArg_ParseTuple(args, "OLp", &data, &level, &jpeg))
        return NULL;
    ct_tensor *x = tensor_arg(data);
    if (!x)
        return NULL;
    ct_scope scope = ct_scope_begin();
    PyObject *answer = py_take_scoped(jpeg ? ct_encode_jpeg(x, level) : ct_encode_png(x, level));
    ct_scope_end(scope);
    return answer;
}

/* _make_grid(tensor, nrow, padding, normalize, low or None, high, scale_each, pad_value) */
static PyObject *make_grid(PyObject *module, PyObject *args)
{
    PyObject *data, *low, *high;
    long long nrow, padding;
    int normalize, each;
    struct ct_make_grid_args a = ct_make_grid_defaults;
    if (!PyArg_ParseTuple(args, "OLLpOOpd", &data, &nrow, &padding, &normalize, &low, &high, &each,
                          &a.pad_value))
        return NULL;
    ct_tensor *x = tensor_arg(data);
    if (!x)
        return NULL;
    a.nrow = nrow;
    a.padding = padding;
    a.normalize = normalize;
    a.scale_each = each;
    if (low != Py_None) {
        a.low = PyFloat_AsDouble(low);
        a.high = PyFloat_AsDouble(high);
        if (PyErr_Occurred())
            return NULL;
    }
    ct_scope scope = ct_scope_begin();
    PyObject *answer = py_take_scoped(ct_make_grid_ex(x, &a));
    ct_scope_end(scope);
    return answer;
}

static PyMethodDef functions[] = {
    {"_decode_image", decode_image, METH_VARARGS, NULL},
    {"_encode_image", encode_image, METH_VARARGS, NULL},
    {"_make_grid", make_grid, METH_VARARGS, NULL},
    {0},
};

bool py_init_images(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
