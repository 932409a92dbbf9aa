/* SPDX-License-Identifier: BSD-3-Clause */
/* torch.finfo and torch.iinfo: the limits of the dtypes. */
#include "binding.h"

#include <float.h>

struct facts {
    const char *name;
    int bits;
    double resolution, min, max, eps, tiny;
};

typedef struct {
    PyObject ob_base;
    enum ct_dtype dtype;
    const struct facts *facts; /* for finfo only */
} InfoObject;

static PyTypeObject finfo_type, iinfo_type;

static const struct facts floats[CT_DTYPE_COUNT] = {
    [CT_FLOAT8_E4M3FN] = {"float8_e4m3fn", 8, 1, -448, 448, 0.125, 0x1p-6},
    [CT_FLOAT8_E5M2] = {"float8_e5m2", 8, 1, -57344, 57344, 0.25, 0x1p-14},
    [CT_FLOAT8_E4M3FNUZ] = {"float8_e4m3fnuz", 8, 1, -240, 240, 0.125, 0x1p-7},
    [CT_FLOAT8_E5M2FNUZ] = {"float8_e5m2fnuz", 8, 1, -57344, 57344, 0.25, 0x1p-15},
    [CT_FLOAT8_E8M0FNU] = {"float8_e8m0fnu", 8, 1, 0x1p-127, 0x1p127, 1, 0x1p-127},
    [CT_FLOAT16] = {"float16", 16, 1e-3, -65504, 65504, 0x1p-10, 0x1p-14},
    [CT_BFLOAT16] = {"bfloat16", 16, 1e-2, -0x1.fep127, 0x1.fep127, 0x1p-7, 0x1p-126},
    [CT_FLOAT32] = {"float32", 32, 1e-6, -FLT_MAX, FLT_MAX, FLT_EPSILON, FLT_MIN},
    [CT_FLOAT64] = {"float64", 64, 1e-15, -DBL_MAX, DBL_MAX, DBL_EPSILON, DBL_MIN},
};

static enum ct_dtype info_dtype(PyObject *self)
{
    return ((InfoObject *)self)->dtype;
}

static const struct facts *facts_of(PyObject *self)
{
    return ((InfoObject *)self)->facts;
}

static PyObject *info_new(PyTypeObject *type, enum ct_dtype dtype, const struct facts *facts)
{
    InfoObject *self = PyObject_New(InfoObject, type);
    if (self) {
        self->dtype = dtype;
        self->facts = facts;
    }
    return (PyObject *)self;
}

static PyObject *finfo_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"type", NULL};
    PyObject *o = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:finfo", names, &o))
        return NULL;
    enum ct_dtype dtype = o && py_is_dtype(o) ? py_dtype_of(o) : ct_get_default_dtype();
    if (dtype == CT_COMPLEX64)
        dtype = CT_FLOAT32;
    if (dtype == CT_COMPLEX128)
        dtype = CT_FLOAT64;
    if (dtype == CT_COMPLEX32)
        dtype = CT_FLOAT16;
    if (o && !py_is_dtype(o) && !py_dtype_name(o))
        return PyErr_Format(PyExc_TypeError,
                            "finfo(): argument 'type' (position 1) must be torch.dtype, not %s",
                            py_typename(o));
    if ((o && !py_is_dtype(o)) || !ct_dtype_is_floating(dtype))
        return PyErr_Format(PyExc_TypeError, "torch.finfo() requires a floating point input type. "
                                             "Use torch.iinfo to handle 'torch.finfo'");
    return info_new(type, dtype, &floats[dtype]);
}

static PyObject *iinfo_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"type", NULL};
    PyObject *o = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:iinfo", names, &o))
        return NULL;
    if (!o)
        return PyErr_Format(PyExc_TypeError,
                            "iinfo() missing 1 required positional arguments: \"type\"");
    if (!py_is_dtype(o))
        return PyErr_Format(PyExc_TypeError,
                            "iinfo(): argument 'type' (position 1) must be torch.dtype, not %s",
                            py_typename(o));
    enum ct_dtype dtype = py_dtype_of(o);
    if (dtype == CT_BOOL)
        return PyErr_Format(PyExc_TypeError, "torch.bool is not supported by torch.iinfo");
    if (ct_dtype_is_floating(dtype) || ct_dtype_is_complex(dtype))
        return PyErr_Format(PyExc_TypeError, "torch.iinfo() requires an integer input type. Use "
                                             "torch.finfo to handle 'torch.iinfo'");
    return info_new(type, dtype, NULL);
}

static Py_hash_t info_hash(PyObject *self)
{
    return (Py_hash_t)info_dtype(self) + 1;
}

static PyObject *get_dtype(PyObject *self, void *unused)
{
    const struct facts *facts = facts_of(self);
    return PyUnicode_FromString(facts ? facts->name
                                      : ct_dtype_str(info_dtype(self)) + strlen("torch."));
}

static PyObject *get_bits(PyObject *self, void *unused)
{
    const struct facts *facts = facts_of(self);
    return PyLong_FromLongLong(facts ? facts->bits : 8 * ct_dtype_size(info_dtype(self)));
}

enum fact { RESOLUTION, MIN, MAX, EPS, TINY };

static PyObject *get_float(PyObject *self, void *fact)
{
    const struct facts *f = facts_of(self);
    const double values[] = {f->resolution, f->min, f->max, f->eps, f->tiny};
    return PyFloat_FromDouble(values[(enum fact)(intptr_t)fact]);
}

static PyObject *get_integer(PyObject *self, void *fact)
{
    enum ct_dtype dtype = info_dtype(self);
    int bits = (int)(8 * ct_dtype_size(dtype));
    if (!ct_dtype_is_signed(dtype))
        return PyLong_FromUnsignedLongLong((intptr_t)fact == MIN ? 0 : UINT64_MAX >> (64 - bits));
    int64_t max = (int64_t)(UINT64_MAX >> (65 - bits));
    return PyLong_FromLongLong((intptr_t)fact == MIN ? -max - 1 : max);
}

static PyObject *finfo_repr(PyObject *self)
{
    const struct facts *f = facts_of(self);
    char text[256];
    PyOS_snprintf(
        text, sizeof text,
        "finfo(resolution=%g, min=%g, max=%g, eps=%g, smallest_normal=%g, tiny=%g, dtype=%s)",
        f->resolution, f->min, f->max, f->eps, f->tiny, f->tiny, f->name);
    return PyUnicode_FromString(text);
}

static PyObject *iinfo_repr(PyObject *self)
{
    PyObject *min = get_integer(self, (void *)MIN), *max = get_integer(self, (void *)MAX);
    char text[2][32];
    if (min && max) { /* PyTorch prints six digits */
        PyOS_snprintf(text[0], sizeof text[0], "%g", PyLong_AsDouble(min));
        PyOS_snprintf(text[1], sizeof text[1], "%g", PyLong_AsDouble(max));
    }
    PyObject *shown =
        min && max ? PyUnicode_FromFormat("iinfo(min=%s, max=%s, dtype=%s)", text[0], text[1],
                                          ct_dtype_str(info_dtype(self)) + strlen("torch."))
                   : NULL;
    Py_XDECREF(min);
    Py_XDECREF(max);
    return shown;
}

static PyObject *info_compare(PyObject *a, PyObject *b, int op)
{
    if (!Py_IS_TYPE(b, Py_TYPE(a)) || (op != Py_EQ && op != Py_NE))
        Py_RETURN_NOTIMPLEMENTED;
    bool same = info_dtype(a) == info_dtype(b) && facts_of(a) == facts_of(b);
    return PyBool_FromLong(same == (op == Py_EQ));
}

static PyGetSetDef finfo_getset[] = {
    {"bits", get_bits, NULL, "The number of bits.", NULL},
    {"resolution", get_float, NULL, "The decimal resolution.", (void *)RESOLUTION},
    {"min", get_float, NULL, "The minimum.", (void *)MIN},
    {"max", get_float, NULL, "The maximum.", (void *)MAX},
    {"eps", get_float, NULL, "The difference between 1 and the next larger number.", (void *)EPS},
    {"smallest_normal", get_float, NULL, "The smallest positive normal number.", (void *)TINY},
    {"tiny", get_float, NULL, "The same as smallest_normal.", (void *)TINY},
    {"dtype", get_dtype, NULL, "The name of the type.", NULL},
    {0},
};

static PyGetSetDef iinfo_getset[] = {
    {"bits", get_bits, NULL, "The number of bits.", NULL},
    {"min", get_integer, NULL, "The minimum.", (void *)MIN},
    {"max", get_integer, NULL, "The maximum.", (void *)MAX},
    {"dtype", get_dtype, NULL, "The name of the type.", NULL},
    {0},
};

static PyTypeObject finfo_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.finfo",
    .tp_doc =
        "The limits of a floating-point data type; without an argument, of the default dtype.\n\n"
        "Attributes:\n"
        "    bits: the number of bits.\n"
        "    eps: the difference between 1 and the next larger number.\n"
        "    max, min: the largest and the lowest number.\n"
        "    tiny, smallest_normal: the smallest positive normal number.\n"
        "    resolution: the decimal resolution.\n\n"
        "Example:\n"
        "    >>> torch.finfo(torch.float32).max\n"
        "    3.4028234663852886e+38",
    .tp_basicsize = sizeof(InfoObject),
    .tp_repr = finfo_repr,
    .tp_richcompare = info_compare,
    .tp_hash = info_hash,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_getset = finfo_getset,
    .tp_new = finfo_new,
};

static PyTypeObject iinfo_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.iinfo",
    .tp_doc = "The limits of an integer data type.\n\n"
              "Attributes:\n"
              "    bits: the number of bits.\n"
              "    max, min: the largest and the smallest number.\n\n"
              "Example:\n"
              "    >>> torch.iinfo(torch.int8).max\n"
              "    127",
    .tp_basicsize = sizeof(InfoObject),
    .tp_repr = iinfo_repr,
    .tp_richcompare = info_compare,
    .tp_hash = info_hash,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_getset = iinfo_getset,
    .tp_new = iinfo_new,
};

bool py_init_finfo(PyObject *module)
{
    if (PyType_Ready(&finfo_type) < 0 || PyType_Ready(&iinfo_type) < 0)
        return false;
    return PyModule_AddObjectRef(module, "finfo", (PyObject *)&finfo_type) == 0 &&
           PyModule_AddObjectRef(module, "iinfo", (PyObject *)&iinfo_type) == 0;
}
