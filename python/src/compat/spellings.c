/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods and attributes that old scripts use: Python 2's operator names, storage classes,
 * attributes of the former Variable. */
#include "parse/parse.h"

/* ---- Python 2's names ---- */

static PyObject *to_long(PyObject *self, PyObject *unused)
{
    return PyNumber_Long(self);
}

static PyObject *divided(PyObject *self, PyObject *other)
{
    return PyNumber_TrueDivide(self, other);
}

static PyObject *dividing(PyObject *self, PyObject *other)
{
    return PyNumber_TrueDivide(other, self);
}

static PyObject *divided_in_place(PyObject *self, PyObject *other)
{
    return PyNumber_InPlaceTrueDivide(self, other);
}

/* ---- nested tensors (unsupported) ---- */

static PyObject *to_padded_tensor(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                  PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("padding", PY_FLOAT),
                                  PY_OR_NONE("output_size", PY_INTS, 0)};
    static struct py_signature signature = {.args = arg, .n = 2};
    static struct py_op op = {.name = "to_padded_tensor", .signatures = &signature, .n = 1};
    struct py_frame frame;
    int i = py_parse(&frame, &op, self, args, nargs, names);
    py_frame_end(&frame);
    return i < 0 ? NULL
                 : PyErr_Format(PyExc_NotImplementedError,
                                "Could not run 'aten::to_padded_tensor' with arguments from the "
                                "'CPU' backend.");
}

/* ---- classes ---- */

/* torch.FloatStorage for a float32 tensor; None for dtypes without a storage class. */
static PyObject *storage_type(PyObject *self, PyObject *unused)
{
    PyObject *module = PyImport_ImportModule("corten");
    PyObject *name =
        PyUnicode_FromFormat("%sStorage", ct_dtype_scalar_name(ct_dtype(py_tensor_of(self))));
    PyObject *found = module && name ? PyObject_GetAttr(module, name) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyErr_Clear();
    Py_RETURN_NONE;
}

static PyObject *const_data_ptr(PyObject *self, PyObject *unused)
{
    return PyObject_CallMethod(self, "data_ptr", NULL);
}

/* ---- attributes ---- */

static PyObject *none(PyObject *self, void *unused)
{
    Py_RETURN_NONE;
}

static PyObject *is_volatile(PyObject *self, void *unused)
{
    const char *text = "volatile was removed (Variable.volatile is always False)";
    return PyErr_WarnEx(PyExc_UserWarning, text, 1) < 0 ? NULL : Py_NewRef(Py_False);
}

static PyObject *address(PyObject *self, void *unused)
{
    return PyLong_FromVoidPtr(py_tensor_of(self));
}

static PyGetSetDef attributes[] = {
    {"name", none, NULL, "Always None: tensors have no names.", NULL},
    {"volatile", is_volatile, NULL, "False: see torch.no_grad().", NULL},
    {"_cdata", address, NULL, "The address of the C tensor.", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"to_padded_tensor", PY_FAST(to_padded_tensor),
     "to_padded_tensor($self, padding, output_size=None)\n--\n\nOnly for nested tensors."},
    {"__long__", to_long, METH_NOARGS, "int(x)"},
    {"__div__", divided, METH_O, "x / other"},
    {"__rdiv__", dividing, METH_O, "other / x"},
    {"__idiv__", divided_in_place, METH_O, "x /= other"},
    {"storage_type", storage_type, METH_NOARGS, "Returns the legacy class of the storage."},
    {"const_data_ptr", const_data_ptr, METH_NOARGS, "The address of the first element."},
    {0},
};

/* torch._C._get_tracing_state(): always None, since calls are never traced. */
static PyObject *get_tracing_state(PyObject *module, PyObject *unused)
{
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"_get_tracing_state", get_tracing_state, METH_NOARGS, "Returns None: calls are never traced."},
    {0},
};

bool py_init_spellings(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0 &&
           py_add_methods(&py_TensorBase, methods) && py_add_getset(&py_TensorBase, attributes);
}
