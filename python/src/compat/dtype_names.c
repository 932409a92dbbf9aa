/* SPDX-License-Identifier: BSD-3-Clause */
/* Dtypes and layouts that exist in PyTorch but not in Corten: objects with their names and
 * properties, so that programs can mention them. Operations refuse them by name. */
#include "binding.h"

typedef struct {
    PyObject ob_base;
    enum ct_dtype dtype; /* same as in DTypeObject */
    const char *name;
    int size;
    bool is_floating, is_signed;
} NameObject;

static PyTypeObject type;

#define TYPE(text, size, floating, sign)                                                           \
    {                                                                                              \
        PyObject_HEAD_INIT(&type) CT_NO_DTYPE, text, size, floating, sign                          \
    }

static NameObject names[] = {
    TYPE("float4_e2m1fn_x2", 1, true, true),
    TYPE("qint8", 1, false, true),
    TYPE("quint8", 1, false, false),
    TYPE("qint32", 4, false, true),
    TYPE("quint4x2", 1, false, false),
    TYPE("quint2x4", 1, false, false),
    TYPE("bits1x8", 1, false, false),
    TYPE("bits2x4", 1, false, false),
    TYPE("bits4x2", 1, false, false),
    TYPE("bits8", 1, false, false),
    TYPE("bits16", 2, false, false),
    TYPE("uint1", 1, false, false),
    TYPE("uint2", 1, false, false),
    TYPE("uint3", 1, false, false),
    TYPE("uint4", 1, false, false),
    TYPE("uint5", 1, false, false),
    TYPE("uint6", 1, false, false),
    TYPE("uint7", 1, false, false),
    TYPE("int1", 1, false, true),
    TYPE("int2", 1, false, true),
    TYPE("int3", 1, false, true),
    TYPE("int4", 1, false, true),
    TYPE("int5", 1, false, true),
    TYPE("int6", 1, false, true),
    TYPE("int7", 1, false, true),
};

static NamedObject layouts[] = {
    {PyObject_HEAD_INIT(&py_Layout) 6, "jagged"},
};

static PyObject *repr(PyObject *self)
{
    return PyUnicode_FromFormat("torch.%s", ((NameObject *)self)->name);
}

static PyObject *is_floating_point(PyObject *self, void *unused)
{
    return PyBool_FromLong(((NameObject *)self)->is_floating);
}

static PyObject *is_complex(PyObject *self, void *unused)
{
    Py_RETURN_FALSE;
}

static PyObject *is_signed(PyObject *self, void *unused)
{
    return PyBool_FromLong(((NameObject *)self)->is_signed);
}

static PyObject *itemsize(PyObject *self, void *unused)
{
    return PyLong_FromLong(((NameObject *)self)->size);
}

static PyObject *to_real(PyObject *self, PyObject *unused)
{
    return Py_NewRef(self);
}

static PyObject *to_complex(PyObject *self, PyObject *unused)
{
    return PyErr_Format(PyExc_RuntimeError, "Unknown Complex ScalarType for %s",
                        ((NameObject *)self)->name);
}

static PyGetSetDef getset[] = {
    {"is_floating_point", is_floating_point, NULL, "Whether the type is floating-point.", NULL},
    {"is_complex", is_complex, NULL, "Whether the type is complex.", NULL},
    {"is_signed", is_signed, NULL, "Whether the type has negative values.", NULL},
    {"itemsize", itemsize, NULL, "The size of an element in bytes.", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"to_real", to_real, METH_NOARGS, "The type of the real part."},
    {"to_complex", to_complex, METH_NOARGS, "The complex type of the same precision."},
    {0},
};

static PyTypeObject type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.dtype",
    .tp_basicsize = sizeof(NameObject),
    .tp_repr = repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_methods = methods,
    .tp_getset = getset,
    .tp_base = &py_DType,
};

const char *py_dtype_name(PyObject *o)
{
    return Py_IS_TYPE(o, &type) ? ((NameObject *)o)->name : NULL;
}

bool py_refuse_dtype_name(PyObject *o)
{
    const char *name = py_dtype_name(o);
    if (!name)
        return false;
    const char *instead =
        name[0] == 'q' ? "keep integers in torch.int8 or torch.uint8, with scale and zero point "
                         "as separate tensors"
                       : "keep the bits in torch.uint8, packed as the program needs them";
    PyObject *module = PyImport_ImportModule("corten._missing");
    PyObject *kind = module ? PyObject_GetAttrString(module, "MissingFeature") : NULL;
    PyObject *error = kind ? PyObject_CallFunction(
                                 kind, "Ns", PyUnicode_FromFormat("dtype=torch.%s", name), instead)
                           : NULL;
    if (error)
        PyErr_SetObject(kind, error);
    Py_XDECREF(error);
    Py_XDECREF(kind);
    Py_XDECREF(module);
    return true;
}

bool py_init_dtype_names(PyObject *module)
{
    if (PyType_Ready(&type) < 0)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (PyModule_AddObjectRef(module, names[i].name, (PyObject *)&names[i]) < 0)
            return false;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (PyModule_AddObjectRef(module, layouts[i].name, (PyObject *)&layouts[i]) < 0)
            return false;
    return true;
}
