/* SPDX-License-Identifier: BSD-3-Clause */
/* tolist(), complex(x), format(x) and explain. Conversion of a single element is in
 * parse/numbers.c. */
#include "binding.h"

#include <corten/own.h>

#include <string.h>

static PyObject *nested_list(const ct_tensor *t, const char *p, int64_t d)
{
    bool last = d + 1 >= ct_ndim(t);
    enum ct_dtype dtype = ct_dtype(t);
    if (d == ct_ndim(t))
        return py_element(p, dtype);
    int64_t n = ct_shape_ptr(t)[d], step = ct_stride_ptr(t)[d] * ct_element_size(t);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (int64_t i = 0; list && i < n; i++, p += step) {
        PyObject *o = last ? py_element(p, dtype) : nested_list(t, p, d + 1);
        if (o && !py_check_signals(i))
            Py_CLEAR(o);
        if (o)
            PyList_SET_ITEM(list, (Py_ssize_t)i, o);
        else
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *tolist(PyObject *self, PyObject *unused)
{
    if (ct_device_of(py_tensor_of(self)).type == CT_META)
        return PyErr_Format(PyExc_NotImplementedError, "Cannot copy out of meta tensor; no data!");
    ct_tensor *host = ct_own_host(py_tensor_of(self)), *conj = ct_own_resolve_conj(host);
    ct_tensor *here = ct_own_resolve_neg(conj);
    ct_release(host);
    ct_release(conj);
    const char *p = ct_data(here);
    if (!here || (!p && ct_error())) {
        ct_release(here);
        return py_raise();
    }
    PyObject *list = nested_list(here, p, 0);
    ct_release(here);
    return list;
}

static PyObject *format(PyObject *self, PyObject *spec)
{
    ct_tensor *t = py_tensor_of(self);
    if (!PyUnicode_Check(spec))
        return PyErr_Format(PyExc_TypeError, "__format__() argument must be str, not %s",
                            py_typename(spec));
    if (ct_ndim(t) == 0 && ct_device_of(t).type != CT_META && Py_IS_TYPE(self, py_Tensor)) {
        PyObject *number = py_item(t);
        PyObject *text = number ? PyObject_Format(number, spec) : NULL;
        Py_XDECREF(number);
        return text;
    }
    if (PyUnicode_GET_LENGTH(spec) == 0)
        return PyObject_Str(self);
    const char *name = Py_TYPE(self)->tp_name, *dot = strrchr(name, '.');
    return PyErr_Format(PyExc_TypeError, "unsupported format string passed to %s.__format__",
                        dot ? dot + 1 : name);
}

static PyObject *complex_number(PyObject *self, PyObject *unused)
{
    if (ct_numel(py_tensor_of(self)) != 1)
        return PyErr_Format(PyExc_ValueError,
                            "only one element tensors can be converted to Python scalars");
    PyObject *number = py_item(py_tensor_of(self));
    PyObject *result = number ? PyObject_CallOneArg((PyObject *)&PyComplex_Type, number) : NULL;
    Py_XDECREF(number);
    return result;
}

static PyObject *explain(PyObject *self, PyObject *svg)
{
    char *text = ct_own_explain(py_tensor_of(self), svg == Py_True);
    if (!text)
        return py_raise();
    PyObject *result = PyUnicode_FromString(text);
    free(text);
    return result;
}

static PyObject *is_nonzero(PyObject *self, PyObject *unused)
{
    int truth = PyObject_IsTrue(self);
    return truth < 0 ? NULL : PyBool_FromLong(truth);
}

static PyMethodDef methods[] = {
    {"__nonzero__", is_nonzero, METH_NOARGS, "bool(x), by Python 2's name."},
    {"is_nonzero", is_nonzero, METH_NOARGS,
     "is_nonzero($self)\n--\n\nReturns whether the only element is not 0."},
    {"_explain", explain, METH_O, NULL},
    {"tolist", tolist, METH_NOARGS,
     "tolist($self)\n--\n\nReturns the elements as nested lists of Python numbers, or a number for "
     "a 0-d tensor.\n\n"
     "    >>> torch.tensor([[1, 2], [3, 4]]).tolist()\n"
     "    [[1, 2], [3, 4]]"},
    {"__format__", format, METH_O, NULL},
    {"__complex__", complex_number, METH_NOARGS, NULL},
    {0},
};

bool py_init_tolist(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods);
}
