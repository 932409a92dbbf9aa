/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes with a __torch_function__ of their own: it is also asked about what is no operation,
 * x.shape, x[0], len(x), x.numpy(). Plain tensors shall not pay for that, so such a class gets
 * attributes of its own when it is made, which ask and stand before those of Tensor. */
#include "parse/parse.h"

typedef struct {
    PyObject ob_base;
    PyObject *own; /* the attribute of Tensor */
} DressedObject;

static PyTypeObject dressed_type;

static PyObject *own_of(PyObject *self)
{
    return ((DressedObject *)self)->own;
}

/* x.shape: asks with Tensor.shape.__get__. */
static PyObject *ask_about(PyObject *own, const char *how, PyObject *args)
{
    PyObject *func = args ? PyObject_GetAttrString(own, how) : NULL;
    PyObject *answer = func ? py_dispatch(func, args, NULL) : NULL;
    Py_XDECREF(func);
    Py_XDECREF(args);
    return answer;
}

static PyObject *dressed_get(PyObject *self, PyObject *o, PyObject *type)
{
    PyObject *own = own_of(self);
    if (!o)
        return Py_NewRef(own);
    if (!Py_IS_TYPE(own, &PyGetSetDescr_Type))
        return PyMethod_New(self, o);
    if (py_manner(Py_TYPE(o)) != PY_ASK)
        return Py_TYPE(own)->tp_descr_get(own, o, (PyObject *)Py_TYPE(o));
    return ask_about(own, "__get__", PyTuple_Pack(1, o));
}

static int dressed_set(PyObject *self, PyObject *o, PyObject *value)
{
    PyObject *own = own_of(self);
    if (!Py_TYPE(own)->tp_descr_set) {
        PyErr_SetString(PyExc_AttributeError, "the attribute is read-only");
        return -1;
    }
    if (py_manner(Py_TYPE(o)) != PY_ASK)
        return Py_TYPE(own)->tp_descr_set(own, o, value);
    PyObject *args = value ? PyTuple_Pack(2, o, value) : PyTuple_Pack(1, o);
    PyObject *answer = ask_about(own, value ? "__set__" : "__delete__", args);
    Py_XDECREF(answer);
    return answer ? 0 : -1;
}

static PyObject *dressed_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    return py_dispatch(own_of(self), args, kwargs);
}

static PyObject *dressed_getattro(PyObject *self, PyObject *name)
{
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyErr_Clear();
    return PyObject_GetAttr(own_of(self), name); /* __name__, __doc__ */
}

static void dressed_dealloc(PyObject *self)
{
    Py_DECREF(own_of(self));
    Py_TYPE(self)->tp_free(self);
}

/* A method is a dressed_type; a property, which is also set, this one. */
static PyTypeObject property_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C._DispatchedProperty",
    .tp_basicsize = sizeof(DressedObject),
    .tp_base = &dressed_type,
    .tp_descr_set = dressed_set,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static PyTypeObject dressed_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C._Dispatched",
    .tp_basicsize = sizeof(DressedObject),
    .tp_dealloc = dressed_dealloc,
    .tp_call = dressed_call,
    .tp_getattro = dressed_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_descr_get = dressed_get,
};

/* What is asked about: properties and methods, and these of Python's own. */
static bool is_asked_about(PyObject *name, PyObject *own)
{
    static const char *const slots[] = {"__getitem__",  "__setitem__", "__len__",   "__iter__",
                                        "__contains__", "__bool__",    "__float__", "__int__",
                                        "__index__",    "__repr__"};
    static const char *const not [] = {"as_subclass",  "__reduce_ex__", "__setstate__",
                                       "__deepcopy__", "__dir__",       "_explain",
                                       "__sizeof__"};
    const char *text = PyUnicode_AsUTF8(name);
    if (!text)
        return false;
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++)
        if (strcmp(text, not [i]) == 0)
            return false;
    if (Py_IS_TYPE(own, &PyMethodDescr_Type))
        return true;
    if (Py_IS_TYPE(own, &PyGetSetDescr_Type))
        return strcmp(text, "__dict__") != 0 && strcmp(text, "__weakref__") != 0;
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (strcmp(text, slots[i]) == 0)
            return true;
    return false;
}

/* Does a class before Tensor have it, by the order in which Python looks? */
static bool has_its_own(PyTypeObject *type, PyObject *name)
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

static bool dress(PyTypeObject *type, PyObject *name, PyObject *own)
{
    PyTypeObject *kind = Py_IS_TYPE(own, &PyGetSetDescr_Type) ? &property_type : &dressed_type;
    DressedObject *made = PyObject_New(DressedObject, kind);
    if (!made)
        return false;
    made->own = Py_NewRef(own);
    int rc = PyObject_SetAttr((PyObject *)type, name, (PyObject *)made);
    Py_DECREF(made);
    return rc == 0;
}

bool py_dress_class(PyTypeObject *type)
{
    if (!PyDict_GetItemString(type->tp_dict, "__torch_function__") || py_manner(type) != PY_ASK)
        return true;
    PyObject *name, *own;
    Py_ssize_t at = 0;
    while (PyDict_Next(py_TensorBase.tp_dict, &at, &name, &own))
        if (is_asked_about(name, own) && !has_its_own(type, name) && !dress(type, name, own))
            return false;
    return true;
}

bool py_init_subclass_descriptors(PyObject *module)
{
    return PyType_Ready(&dressed_type) == 0 && PyType_Ready(&property_type) == 0;
}
