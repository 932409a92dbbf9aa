/* SPDX-License-Identifier: BSD-3-Clause */
/* Conversions between Python or NumPy numbers and ct_value. Used by the parser, the operators and
 * torch.tensor. NumPy is not linked: its scalars are recognised by the name of their type and read
 * through Python's number protocol. */
#include "binding.h"

char py_numpy_scalar_kind(PyObject *o)
{
    if (!py_is_numpy(o) || strcmp(Py_TYPE(o)->tp_name, "numpy.ndarray") == 0)
        return 0;
    PyObject *dtype = PyObject_GetAttrString(o, "dtype");
    PyObject *kind = dtype ? PyObject_GetAttrString(dtype, "kind") : NULL;
    Py_XDECREF(dtype);
    const char *text = kind && PyUnicode_Check(kind) ? PyUnicode_AsUTF8(kind) : NULL;
    char c = text ? text[0] : 0;
    Py_XDECREF(kind);
    PyErr_Clear();
    return c && strchr("biufc", c) ? c : 0;
}

bool py_is_number(PyObject *o)
{
    return PyFloat_Check(o) || PyLong_Check(o) || PyComplex_Check(o) ||
           py_numpy_scalar_kind(o) != 0;
}

bool py_is_int(PyObject *o)
{
    if (PyLong_Check(o))
        return !PyBool_Check(o);
    char kind = py_numpy_scalar_kind(o);
    return kind == 'i' || kind == 'u';
}

/* Like PyTorch, treats an object whose __index__ raises as not being an index. */
bool py_is_index(PyObject *o)
{
    if (PyLong_Check(o))
        return !PyBool_Check(o);
    if (!PyIndex_Check(o))
        return false;
    PyObject *index = PyNumber_Index(o);
    if (!index)
        PyErr_Clear();
    Py_XDECREF(index);
    return index != NULL;
}

bool py_int64(PyObject *o, int64_t *value)
{
    int overflow;
    if (PyLong_CheckExact(o)) {
        if (py_small_int(o, value))
            return true;
        *value = PyLong_AsLongLongAndOverflow(o, &overflow);
    } else {
        PyObject *index = PyNumber_Index(o);
        if (!index)
            return false;
        *value = PyLong_AsLongLongAndOverflow(index, &overflow);
        Py_DECREF(index);
    }
    if (overflow)
        PyErr_SetString(PyExc_ValueError, "Overflow when unpacking long long");
    return !overflow;
}

static bool int_value(PyObject *o, ct_value *value)
{
    PyObject *index = PyLong_CheckExact(o) ? Py_NewRef(o) : PyNumber_Index(o);
    if (!index)
        return false;
    int overflow;
    long long v = PyLong_AsLongLongAndOverflow(index, &overflow);
    bool ok = true;
    if (!overflow) {
        *value = ct_value_int(v);
        ok = v != -1 || !PyErr_Occurred();
    } else { /* its error distinguishes negative from too large values, as PyTorch's does */
        unsigned long long u = PyLong_AsUnsignedLongLong(index);
        ok = !PyErr_Occurred();
        *value = ct_value_uint(u);
    }
    Py_DECREF(index);
    return ok;
}

bool py_number(PyObject *o, ct_value *value)
{
    if (PyFloat_Check(o)) {
        *value = ct_value_float(PyFloat_AS_DOUBLE(o));
        return true;
    }
    if (PyBool_Check(o)) {
        *value = ct_value_bool(o == Py_True);
        return true;
    }
    if (PyLong_Check(o))
        return int_value(o, value);
    if (PyComplex_Check(o)) {
        Py_complex c = PyComplex_AsCComplex(o);
        *value = ct_value_complex_of(c.real, c.imag);
        return true;
    }
    if (py_is_tensor(o)) {
        *value = ct_item_value(py_tensor_of(o));
        return value->kind != CT_VALUE_NULL || py_raise();
    }
    switch (py_numpy_scalar_kind(o)) {
    case 'b': {
        int truth = PyObject_IsTrue(o);
        *value = ct_value_bool(truth > 0);
        return truth >= 0;
    }
    case 'i':
    case 'u':
        return int_value(o, value);
    case 'f': {
        double f = PyFloat_AsDouble(o);
        *value = ct_value_float(f);
        return f != -1.0 || !PyErr_Occurred();
    }
    case 'c': {
        Py_complex c = PyComplex_AsCComplex(o);
        *value = ct_value_complex_of(c.real, c.imag);
        return !PyErr_Occurred();
    }
    default:
        PyErr_Format(PyExc_TypeError, "must be real number, not %s", py_typename(o));
        return false;
    }
}

PyObject *py_from_value(ct_value value)
{
    switch (value.kind) {
    case CT_VALUE_BOOL:
        return PyBool_FromLong(value.as.b);
    case CT_VALUE_INT:
        return PyLong_FromLongLong(value.as.i);
    case CT_VALUE_UINT:
        return PyLong_FromUnsignedLongLong(value.as.u);
    case CT_VALUE_FLOAT:
        return PyFloat_FromDouble(value.as.f);
    case CT_VALUE_COMPLEX:
        return PyComplex_FromDoubles(value.as.c.re, value.as.c.im);
    case CT_VALUE_TENSOR:
        return py_wrap_borrowed(value.as.tensor);
    case CT_VALUE_NONE:
        Py_RETURN_NONE;
    case CT_VALUE_NULL:
    case CT_VALUE_STR:
    case CT_VALUE_END:
        break;
    }
    return py_raise();
}

/* py_element reads one element at p. Half types are converted through float, which represents all
 * of their values exactly. */
static float half_to_float(uint16_t h)
{
    uint32_t sign = (uint32_t)(h >> 15) << 31, exponent = (h >> 10) & 31, fraction = h & 1023;
    if (exponent == 0) {
        float v = (float)fraction * 0x1p-24f;
        return sign ? -v : v;
    }
    union {
        uint32_t u;
        float f;
    } bits = {sign | (exponent == 31 ? 255u << 23 : (exponent + 112) << 23) | fraction << 13};
    return bits.f;
}

static float bfloat_to_float(uint16_t b)
{
    union {
        uint32_t u;
        float f;
    } bits = {(uint32_t)b << 16};
    return bits.f;
}

PyObject *py_element(const char *p, enum ct_dtype dtype)
{
    switch (dtype) {
    case CT_BOOL:
        return PyBool_FromLong(*(const uint8_t *)p);
    case CT_UINT8:
        return PyLong_FromLong(*(const uint8_t *)p);
    case CT_INT8:
        return PyLong_FromLong(*(const int8_t *)p);
    case CT_INT16:
        return PyLong_FromLong(*(const int16_t *)p);
    case CT_INT32:
        return PyLong_FromLong(*(const int32_t *)p);
    case CT_INT64:
        return PyLong_FromLongLong(*(const int64_t *)p);
    case CT_UINT16:
        return PyLong_FromLong(*(const uint16_t *)p);
    case CT_UINT32:
        return PyLong_FromUnsignedLong(*(const uint32_t *)p);
    case CT_UINT64:
        return PyLong_FromUnsignedLongLong(*(const uint64_t *)p);
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
        return PyFloat_FromDouble((double)ct_float8_value(*(const uint8_t *)p, dtype));
    case CT_FLOAT16:
        return PyFloat_FromDouble((double)half_to_float(*(const uint16_t *)p));
    case CT_BFLOAT16:
        return PyFloat_FromDouble((double)bfloat_to_float(*(const uint16_t *)p));
    case CT_FLOAT32:
        return PyFloat_FromDouble((double)*(const float *)p);
    case CT_FLOAT64:
        return PyFloat_FromDouble(*(const double *)p);
    case CT_COMPLEX64:
        return PyComplex_FromDoubles((double)((const float *)p)[0], (double)((const float *)p)[1]);
    case CT_COMPLEX128:
        return PyComplex_FromDoubles(((const double *)p)[0], ((const double *)p)[1]);
    case CT_COMPLEX32:
        return PyComplex_FromDoubles((double)half_to_float(((const uint16_t *)p)[0]),
                                     (double)half_to_float(((const uint16_t *)p)[1]));
    case CT_NO_DTYPE:
    case CT_DTYPE_COUNT:
        break;
    }
    Py_RETURN_NONE;
}

PyObject *py_item(ct_tensor *t)
{
    ct_value value = ct_item_value(t);
    return value.kind == CT_VALUE_NULL ? py_raise() : py_from_value(value);
}
