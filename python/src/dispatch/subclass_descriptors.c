/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptors for classes that define __torch_function__, which PyTorch also calls for attribute
 * access and for methods that are not operations: x.shape, x[0], len(x), x.numpy(). To keep plain
 * tensors fast, dispatching descriptors are installed on such a class when it is created. They come
 * before those of Tensor in the lookup. */
#include "parse/parse.h"

typedef struct {
    PyObject ob_base;
    PyObject *wrapped; /* the attribute of Tensor that is wrapped */
} DescriptorObject;

static PyTypeObject descriptor_type;

static PyObject *wrapped_of(PyObject *self)
{
    return ((DescriptorObject *)self)->wrapped;
}

/* Dispatches an access to a property; `how` is __get__, __set__ or __delete__. Consumes args. */
static PyObject *dispatch_access(PyObject *wrapped, const char *how, PyObject *args)
{
    PyObject *func = args ? PyObject_GetAttrString(wrapped, how) : NULL;
    PyObject *answer = func ? py_dispatch(func, args, NULL) : NULL;
    Py_XDECREF(func);
    Py_XDECREF(args);
    return answer;
}

static PyObject *descriptor_get(PyObject *self, PyObject *o, PyObject *type)
{
    PyObject *wrapped = wrapped_of(self);
    if (!o)
        return Py_NewRef(wrapped);
    if (!Py_IS_TYPE(wrapped, &PyGetSetDescr_Type))
        return PyMethod_New(self, o);
    if (py_override_kind(Py_TYPE(o)) != PY_OVERRIDES)
        return Py_TYPE(wrapped)->tp_descr_get(wrapped, o, (PyObject *)Py_TYPE(o));
    return dispatch_access(wrapped, "__get__", PyTuple_Pack(1, o));
}

static int descriptor_set(PyObject *self, PyObject *o, PyObject *value)
{
    PyObject *wrapped = wrapped_of(self);
    if (!Py_TYPE(wrapped)->tp_descr_set) {
        PyErr_SetString(PyExc_AttributeError, "the attribute is read-only");
        return -1;
    }
    if (py_override_kind(Py_TYPE(o)) != PY_OVERRIDES)
        return Py_TYPE(wrapped)->tp_descr_set(wrapped, o, value);
    PyObject *args = value ? PyTuple_Pack(2, o, value) : PyTuple_Pack(1, o);
    PyObject *answer = dispatch_access(wrapped, value ? "__set__" : "__delete__", args);
    Py_XDECREF(answer);
    return answer ? 0 : -1;
}

static PyObject *descriptor_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return py_dispatch(wrapped_of(self), args, kwargs);
}

static PyObject *descriptor_getattro(PyObject *self, PyObject *name)
{
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyErr_Clear();
    return PyObject_GetAttr(wrapped_of(self), name); /* __name__, __doc__ */
}

static void descriptor_dealloc(PyObject *self)
{
    Py_DECREF(wrapped_of(self));
    Py_TYPE(self)->tp_free(self);
}

/* Methods get a descriptor_type; properties, which can also be set, get this type. */
static PyTypeObject property_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C._DispatchedProperty",
    .tp_basicsize = sizeof(DescriptorObject),
    .tp_base = &descriptor_type,
    .tp_descr_set = descriptor_set,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static PyTypeObject descriptor_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C._Dispatched",
    .tp_basicsize = sizeof(DescriptorObject),
    .tp_dealloc = descriptor_dealloc,
    .tp_call = descriptor_call,
    .tp_getattro = descriptor_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_descr_get = descriptor_get,
};

/* Whether an attribute of Tensor dispatches: properties, methods, and some slots of Python. */
static bool is_dispatched(PyObject *name, PyObject *wrapped)
{
    static const char *const slots[] = {"__getitem__",  "__setitem__", "__len__",   "__iter__",
                                        "__contains__", "__bool__",    "__float__", "__int__",
                                        "__index__",    "__repr__"};
    static const char *const excluded[] = {"as_subclass",  "__reduce_ex__", "__setstate__",
                                           "__deepcopy__", "__dir__",       "_explain",
                                           "__sizeof__"};
    const char *text = PyUnicode_AsUTF8(name);
    if (!text)
        return false;
    for (size_t i = 0; i < sizeof excluded / sizeof *excluded; i++)
        if (strcmp(text, excluded[i]) == 0)
            return false;
    if (Py_IS_TYPE(wrapped, &PyMethodDescr_Type))
        return true;
    if (Py_IS_TYPE(wrapped, &PyGetSetDescr_Type))
        return strcmp(text, "__dict__") != 0 && strcmp(text, "__weakref__") != 0;
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (strcmp(text, slots[i]) == 0)
            return true;
    return false;
}

/* Whether a class before Tensor in the method resolution order defines the attribute. */
static bool defined_before_tensor(PyTypeObject *type, PyObject *name)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_mro); i++) {
        PyTypeObject *base = (PyTypeObject *)PyTuple_GET_ITEM(type->tp_mro, i);
        if (base == py_Tensor)
            return false;
        if (PyDict_GetItemWithError(base->tp_dict, name))
            return true;
    }
    return true;
}

static bool install_descriptor(PyTypeObject *type, PyObject *name, PyObject *wrapped)
{
    PyTypeObject *kind =
        Py_IS_TYPE(wrapped, &PyGetSetDescr_Type) ? &property_type : &descriptor_type;
    DescriptorObject *made = PyObject_New(DescriptorObject, kind);
    if (!made)
        return false;
    made->wrapped = Py_NewRef(wrapped);
    int rc = PyObject_SetAttr((PyObject *)type, name, (PyObject *)made);
    Py_DECREF(made);
    return rc == 0;
}

bool py_install_descriptors(PyTypeObject *type)
{
    if (!PyDict_GetItemString(type->tp_dict, "__torch_function__") ||
        py_override_kind(type) != PY_OVERRIDES)
        return true;
    PyObject *name, *wrapped;
    Py_ssize_t at = 0;
    while (PyDict_Next(py_TensorBase.tp_dict, &at, &name, &wrapped))
        if (is_dispatched(name, wrapped) && !defined_before_tensor(type, name) &&
            !install_descriptor(type, name, wrapped))
            return false;
    return true;
}

bool py_init_subclass_descriptors(PyObject *module)
{
    return PyType_Ready(&descriptor_type) == 0 && PyType_Ready(&property_type) == 0;
}
