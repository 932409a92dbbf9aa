/* SPDX-License-Identifier: BSD-3-Clause */
/* Objects for functions of nn.functional that are Python functions in PyTorch. Libraries set
 * attributes on them (`F.relu.__default_init__ = ...`), which built-in functions do not allow. Each
 * object wraps the built-in function and has a dict; calls are forwarded directly.
 * corten/nn/functional.py creates them. */
#include "binding.h"

typedef struct {
    PyObject ob_base;
    vectorcallfunc call;
    PyObject *function; /* the built-in one */
    PyObject *dict, *weakrefs;
} FunctionalObject;

static PyObject *functional_call(PyObject *self, PyObject *const *args, size_t nargs,
                                 PyObject *names)
{
    return PyObject_Vectorcall(((FunctionalObject *)self)->function, args, nargs, names);
}

/* Falls back to the attributes of the built-in function: __doc__ and __text_signature__. */
static PyObject *functional_getattro(PyObject *self, PyObject *name)
{
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyErr_Clear();
    found = PyObject_GetAttr(((FunctionalObject *)self)->function, name);
    if (!found && PyErr_ExceptionMatches(PyExc_AttributeError))
        PyErr_Format(PyExc_AttributeError, "'function' object has no attribute '%U'", name);
    return found;
}

/* Binds as a method, like a Python function stored in a class. */
static PyObject *functional_get(PyObject *self, PyObject *o, PyObject *type)
{
    return o && o != Py_None ? PyMethod_New(self, o) : Py_NewRef(self);
}

static PyObject *functional_repr(PyObject *self)
{
    PyObject *name = PyObject_GetAttrString(self, "__name__");
    PyObject *text = name ? PyUnicode_FromFormat("<function %S at %p>", name, self) : NULL;
    Py_XDECREF(name);
    return text;
}

/* Pickled by name: unpickling looks it up in its module. */
static PyObject *functional_reduce(PyObject *self, PyObject *protocol)
{
    return PyObject_GetAttrString(self, "__name__");
}

static int functional_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(((FunctionalObject *)self)->function);
    Py_VISIT(((FunctionalObject *)self)->dict);
    return 0;
}

static int functional_clear(PyObject *self)
{
    Py_CLEAR(((FunctionalObject *)self)->dict);
    return 0;
}

static void functional_dealloc(PyObject *self)
{
    FunctionalObject *f = (FunctionalObject *)self;
    PyObject_GC_UnTrack(self);
    if (f->weakrefs)
        PyObject_ClearWeakRefs(self);
    Py_CLEAR(f->dict);
    Py_CLEAR(f->function);
    Py_TYPE(self)->tp_free(self);
}

static PyMethodDef functional_methods[] = {
    {"__reduce_ex__", functional_reduce, METH_O, NULL},
    {0},
};

static PyGetSetDef functional_getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {0},
};

static PyTypeObject functional_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C._FunctionalFunction",
    .tp_basicsize = sizeof(FunctionalObject),
    .tp_dealloc = functional_dealloc,
    .tp_repr = functional_repr,
    .tp_call = PyVectorcall_Call,
    .tp_vectorcall_offset = offsetof(FunctionalObject, call),
    .tp_getattro = functional_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = functional_traverse,
    .tp_clear = functional_clear,
    .tp_methods = functional_methods,
    .tp_getset = functional_getset,
    .tp_descr_get = functional_get,
    .tp_dictoffset = offsetof(FunctionalObject, dict),
    .tp_weaklistoffset = offsetof(FunctionalObject, weakrefs),
};

/* _functional(function, attributes): wraps a function and takes over `attributes` as its dict. */
static PyObject *functional_new(PyObject *module, PyObject *args)
{
    PyObject *function, *attributes;
    if (!PyArg_ParseTuple(args, "OO!", &function, &PyDict_Type, &attributes))
        return NULL;
    FunctionalObject *f = PyObject_GC_New(FunctionalObject, &functional_type);
    if (!f)
        return NULL;
    f->call = functional_call;
    f->function = Py_NewRef(function);
    f->dict = Py_NewRef(attributes);
    f->weakrefs = NULL;
    PyObject_GC_Track(f);
    return (PyObject *)f;
}

static PyMethodDef functions[] = {
    {"_functional", functional_new, METH_VARARGS, NULL},
    {0},
};

bool py_init_functional(PyObject *module)
{
    return PyType_Ready(&functional_type) == 0 && PyModule_AddFunctions(module, functions) == 0 &&
           PyModule_AddObjectRef(module, "_FunctionalFunction", (PyObject *)&functional_type) == 0;
}
