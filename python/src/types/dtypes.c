/* SPDX-License-Identifier: BSD-3-Clause */
/* torch.dtype, torch.layout and torch.memory_format: closed sets of singletons, pickled by their
 * names in corten. */
#include "binding.h"

/* ---- torch.dtype ---- */

#define DTYPES(X)                                                                                  \
    X(CT_BOOL, "bool")                                                                             \
    X(CT_UINT8, "uint8")                                                                           \
    X(CT_INT8, "int8")                                                                             \
    X(CT_INT16, "int16")                                                                           \
    X(CT_INT32, "int32")                                                                           \
    X(CT_INT64, "int64")                                                                           \
    X(CT_UINT16, "uint16")                                                                         \
    X(CT_UINT32, "uint32")                                                                         \
    X(CT_UINT64, "uint64")                                                                         \
    X(CT_FLOAT16, "float16")                                                                       \
    X(CT_BFLOAT16, "bfloat16")                                                                     \
    X(CT_FLOAT32, "float32")                                                                       \
    X(CT_FLOAT64, "float64")                                                                       \
    X(CT_COMPLEX64, "complex64")                                                                   \
    X(CT_COMPLEX128, "complex128")                                                                 \
    X(CT_COMPLEX32, "complex32")                                                                   \
    X(CT_FLOAT8_E4M3FN, "float8_e4m3fn")                                                           \
    X(CT_FLOAT8_E5M2, "float8_e5m2")                                                               \
    X(CT_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz")                                                       \
    X(CT_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz") X(CT_FLOAT8_E8M0FNU, "float8_e8m0fnu")
#define DTYPE_OBJECT(id, text) [id] = {PyObject_HEAD_INIT(&py_DType) id, text},

static DTypeObject dtypes[CT_DTYPE_COUNT] = {DTYPES(DTYPE_OBJECT)};

static const struct {
    const char *alias;
    enum ct_dtype dtype;
} dtype_aliases[] = {
    {"half", CT_FLOAT16},     {"float", CT_FLOAT32},      {"double", CT_FLOAT64},
    {"short", CT_INT16},      {"int", CT_INT32},          {"long", CT_INT64},
    {"cfloat", CT_COMPLEX64}, {"cdouble", CT_COMPLEX128}, {"chalf", CT_COMPLEX32},
};

PyObject *py_dtype(enum ct_dtype dtype)
{
    if (dtype == CT_NO_DTYPE)
        Py_RETURN_NONE;
    return Py_NewRef(&dtypes[dtype]);
}

bool py_is_dtype(PyObject *o)
{
    return Py_IS_TYPE(o, &py_DType) || o == (PyObject *)&PyFloat_Type ||
           o == (PyObject *)&PyLong_Type || o == (PyObject *)&PyBool_Type ||
           o == (PyObject *)&PyComplex_Type;
}

enum ct_dtype py_dtype_of(PyObject *o)
{
    if (Py_IS_TYPE(o, &py_DType))
        return ((DTypeObject *)o)->dtype;
    if (o == (PyObject *)&PyFloat_Type)
        return CT_FLOAT64;
    if (o == (PyObject *)&PyLong_Type)
        return CT_INT64;
    if (o == (PyObject *)&PyBool_Type)
        return CT_BOOL;
    return CT_COMPLEX128;
}

static enum ct_dtype self_dtype(PyObject *self)
{
    return ((DTypeObject *)self)->dtype;
}

static PyObject *dtype_repr(PyObject *self)
{
    return PyUnicode_FromString(ct_dtype_str(self_dtype(self)));
}

static PyObject *dtype_reduce(PyObject *self, PyObject *unused)
{
    return PyUnicode_FromString(((DTypeObject *)self)->name);
}

static PyObject *home_module(PyObject *self, void *unused)
{
    return PyUnicode_FromString("corten");
}

static PyObject *is_floating_point(PyObject *self, void *unused)
{
    return PyBool_FromLong(ct_dtype_is_floating(self_dtype(self)));
}

static PyObject *is_complex(PyObject *self, void *unused)
{
    return PyBool_FromLong(ct_dtype_is_complex(self_dtype(self)));
}

static PyObject *is_signed(PyObject *self, void *unused)
{
    return PyBool_FromLong(ct_dtype_is_signed(self_dtype(self)));
}

static PyObject *itemsize(PyObject *self, void *unused)
{
    return PyLong_FromLongLong(ct_dtype_size(self_dtype(self)));
}

static PyObject *to_real(PyObject *self, PyObject *unused)
{
    enum ct_dtype d = self_dtype(self);
    return py_dtype(d == CT_COMPLEX64    ? CT_FLOAT32
                    : d == CT_COMPLEX128 ? CT_FLOAT64
                    : d == CT_COMPLEX32  ? CT_FLOAT16
                                         : d);
}

static PyObject *to_complex(PyObject *self, PyObject *unused)
{
    enum ct_dtype d = self_dtype(self);
    if (!ct_dtype_is_floating(d) && !ct_dtype_is_complex(d))
        return PyErr_Format(PyExc_RuntimeError, "Unknown Complex ScalarType for %s",
                            ct_dtype_scalar_name(d));
    return py_dtype(d == CT_FLOAT64 || d == CT_COMPLEX128  ? CT_COMPLEX128
                    : d == CT_FLOAT16 || d == CT_COMPLEX32 ? CT_COMPLEX32
                                                           : CT_COMPLEX64);
}

static PyGetSetDef dtype_getset[] = {
    {"__module__", home_module, NULL, NULL, NULL},
    {"is_floating_point", is_floating_point, NULL, "Whether the type is floating-point.", NULL},
    {"is_complex", is_complex, NULL, "Whether the type is complex.", NULL},
    {"is_signed", is_signed, NULL, "Whether the type can represent negative values.", NULL},
    {"itemsize", itemsize, NULL, "The size of an element in bytes.", NULL},
    {0},
};

static PyMethodDef dtype_methods[] = {
    {"__reduce__", dtype_reduce, METH_NOARGS, NULL},
    {"to_real", to_real, METH_NOARGS, "The type of the real part."},
    {"to_complex", to_complex, METH_NOARGS, "The complex type of the same precision."},
    {0},
};

PyTypeObject py_DType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.dtype",
    .tp_doc = "A data type, such as torch.float32. Data types are attributes of the module; "
              "none can be made.\n\n"
              "Attributes:\n"
              "    itemsize: the number of bytes of one element.\n"
              "    is_floating_point, is_complex, is_signed: what kind of numbers it has.\n\n"
              "Example:\n"
              "    >>> torch.int16.itemsize\n"
              "    2",
    .tp_basicsize = sizeof(DTypeObject),
    .tp_repr = dtype_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_methods = dtype_methods,
    .tp_getset = dtype_getset,
};

/* ---- torch.layout and torch.memory_format ---- */

static NamedObject layouts[] = {
    [CT_STRIDED] = {PyObject_HEAD_INIT(&py_Layout) CT_STRIDED, "strided"},
    [CT_SPARSE_COO] = {PyObject_HEAD_INIT(&py_Layout) CT_SPARSE_COO, "sparse_coo"},
    [CT_SPARSE_CSR] = {PyObject_HEAD_INIT(&py_Layout) CT_SPARSE_CSR, "sparse_csr"},
    [CT_SPARSE_CSC] = {PyObject_HEAD_INIT(&py_Layout) CT_SPARSE_CSC, "sparse_csc"},
    [CT_SPARSE_BSR] = {PyObject_HEAD_INIT(&py_Layout) CT_SPARSE_BSR, "sparse_bsr"},
    [CT_SPARSE_BSC] = {PyObject_HEAD_INIT(&py_Layout) CT_SPARSE_BSC, "sparse_bsc"},
};

static NamedObject formats[] = {
    [CT_CONTIGUOUS_FORMAT] = {PyObject_HEAD_INIT(&py_MemoryFormat) CT_CONTIGUOUS_FORMAT,
                              "contiguous_format"},
    [CT_PRESERVE_FORMAT] = {PyObject_HEAD_INIT(&py_MemoryFormat) CT_PRESERVE_FORMAT,
                            "preserve_format"},
    [CT_CHANNELS_LAST] = {PyObject_HEAD_INIT(&py_MemoryFormat) CT_CHANNELS_LAST, "channels_last"},
    [CT_CHANNELS_LAST_3D] = {PyObject_HEAD_INIT(&py_MemoryFormat) CT_CHANNELS_LAST_3D,
                             "channels_last_3d"},
};

PyObject *py_layout(enum ct_layout layout)
{
    return Py_NewRef(&layouts[layout]);
}

PyObject *py_memory_format(enum ct_memory_format format)
{
    return Py_NewRef(&formats[format]);
}

static PyObject *named_repr(PyObject *self)
{
    return PyUnicode_FromFormat("torch.%s", ((NamedObject *)self)->name);
}

static PyObject *named_reduce(PyObject *self, PyObject *unused)
{
    if (Py_IS_TYPE(self, &py_Layout)) { /* as in PyTorch's files */
        PyObject *module = PyImport_ImportModule("corten.serialization");
        PyObject *make = module ? PyObject_GetAttrString(module, "_get_layout") : NULL;
        Py_XDECREF(module);
        return make ? Py_BuildValue("N(N)", make, named_repr(self)) : NULL;
    }
    return PyUnicode_FromString(((NamedObject *)self)->name);
}

static PyMethodDef named_methods[] = {{"__reduce__", named_reduce, METH_NOARGS, NULL}, {0}};
static PyGetSetDef named_getset[] = {{"__module__", home_module, NULL, NULL, NULL}, {0}};

PyTypeObject py_Layout = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.layout",
    .tp_doc = "How the elements of a tensor are stored: torch.strided (dense) or a sparse layout.",
    .tp_basicsize = sizeof(NamedObject),
    .tp_repr = named_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_methods = named_methods,
    .tp_getset = named_getset,
};

PyTypeObject py_MemoryFormat = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.memory_format",
    .tp_doc =
        "The order of the dims in memory: torch.contiguous_format, torch.channels_last and others.",
    .tp_basicsize = sizeof(NamedObject),
    .tp_repr = named_repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_methods = named_methods,
    .tp_getset = named_getset,
};

static bool add_named(PyObject *module, NamedObject *object)
{
    return PyModule_AddObjectRef(module, object->name, (PyObject *)object) == 0;
}

bool py_init_dtypes(PyObject *module)
{
    if (PyType_Ready(&py_DType) < 0 || PyType_Ready(&py_Layout) < 0 ||
        PyType_Ready(&py_MemoryFormat) < 0)
        return false;
    for (int d = 0; d < CT_DTYPE_COUNT; d++) {
        if (PyModule_AddObjectRef(module, dtypes[d].name, (PyObject *)&dtypes[d]) < 0)
            return false;
    }
    for (size_t i = 0; i < sizeof dtype_aliases / sizeof *dtype_aliases; i++) {
        PyObject *o = (PyObject *)&dtypes[dtype_aliases[i].dtype];
        if (PyModule_AddObjectRef(module, dtype_aliases[i].alias, o) < 0)
            return false;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (!add_named(module, &formats[i]))
            return false;
    }
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (!add_named(module, &layouts[i]))
            return false;
    }
    return PyModule_AddObjectRef(module, "dtype", (PyObject *)&py_DType) == 0 &&
           PyModule_AddObjectRef(module, "layout", (PyObject *)&py_Layout) == 0 &&
           PyModule_AddObjectRef(module, "memory_format", (PyObject *)&py_MemoryFormat) == 0;
}
