/* SPDX-License-Identifier: BSD-3-Clause */
/* torch.no_grad, enable_grad, set_grad_enabled and inference_mode: context managers and decorators.
 * Entering and leaving cost two calls each; corten._decorate does the decorating. */
#include "parse/parse.h"

#include <corten/autograd.h>

enum mode { NO_GRAD, ENABLE_GRAD, SET_GRAD_ENABLED, INFERENCE_MODE };

typedef struct {
    PyObject ob_base;
    enum mode mode;
    bool on; /* the argument of set_grad_enabled and inference_mode */
    bool old_grad, old_inference;
} ModeObject;

static PyTypeObject types[4];

static enum mode mode_of(PyObject *self)
{
    return ((ModeObject *)self)->mode;
}

static PyObject *new_mode(PyTypeObject *type)
{
    PyObject *self = type->tp_alloc(type, 0);
    for (int i = 0; self && i < 4; i++) {
        if (PyType_IsSubtype(type, &types[i]))
            ((ModeObject *)self)->mode = (enum mode)i;
    }
    return self;
}

static void switch_on(ModeObject *self)
{
    switch (mode_of((PyObject *)self)) {
    case NO_GRAD:
        self->old_grad = ct_set_grad_enabled(false);
        return;
    case ENABLE_GRAD:
        self->old_grad = ct_set_grad_enabled(true);
        return;
    case SET_GRAD_ENABLED:
        self->old_grad = ct_set_grad_enabled(self->on);
        return;
    case INFERENCE_MODE:
        self->old_grad = ct_set_grad_enabled(!self->on);
        self->old_inference = ct_set_inference_mode(self->on);
        return;
    }
}

static PyObject *mode_enter(PyObject *o, PyObject *unused)
{
    if (mode_of(o) != SET_GRAD_ENABLED)
        switch_on((ModeObject *)o); /* set_grad_enabled acts when it is created */
    Py_RETURN_NONE;
}

static PyObject *mode_leave(PyObject *o, PyObject *const *args, Py_ssize_t nargs)
{
    ModeObject *self = (ModeObject *)o;
    ct_set_grad_enabled(self->old_grad);
    if (mode_of(o) == INFERENCE_MODE)
        ct_set_inference_mode(self->old_inference);
    Py_RETURN_NONE;
}

static PyObject *clone_mode(PyObject *o, PyObject *unused)
{
    enum mode mode = mode_of(o);
    if (mode == NO_GRAD || mode == ENABLE_GRAD)
        return PyObject_CallNoArgs((PyObject *)Py_TYPE(o));
    PyObject *on = ((ModeObject *)o)->on ? Py_True : Py_False;
    return PyObject_CallOneArg((PyObject *)Py_TYPE(o), on);
}

/* Decorates a function, or applies the mode as a decorator factory. */
static PyObject *mode_decorate(PyObject *o, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"orig_func", NULL};
    PyObject *function;
    if (!py_fits("_DecoratorContextManager.__call__", names, 1, 1, args, kwargs) ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "O", names, &function))
        return NULL;
    if (mode_of(o) == SET_GRAD_ENABLED)
        ct_set_grad_enabled(((ModeObject *)o)->old_grad);
    PyObject *module = PyImport_ImportModule("corten._decorate");
    PyObject *result = module ? PyObject_CallMethod(module, "decorate", "OO", o, function) : NULL;
    Py_XDECREF(module);
    return result;
}

static PyObject *new_plain(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"orig_func", NULL};
    PyObject *function = Py_None;
    if (!py_fits("_NoParamDecoratorContextManager.__new__", names, 0, 1, args, kwargs) ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "|O", names, &function))
        return NULL;
    PyObject *self = new_mode(type);
    if (!self || function == Py_None)
        return self;
    PyObject *decorated = PyObject_CallOneArg(self, function); /* @no_grad without parentheses */
    Py_DECREF(self);
    return decorated;
}

static PyObject *new_with_mode(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"mode", NULL};
    PyObject *mode = PyType_IsSubtype(type, &types[INFERENCE_MODE]) ? Py_True : NULL;
    if (!py_fits(mode ? "inference_mode.__new__" : "set_grad_enabled.__init__", names, !mode, 1,
                 args, kwargs) ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "|O", names, &mode))
        return NULL;
    if (!PyBool_Check(mode) && PyCallable_Check(mode)) { /* @inference_mode */
        PyObject *self = PyObject_CallNoArgs((PyObject *)type);
        PyObject *decorated = self ? PyObject_CallOneArg(self, mode) : NULL;
        Py_XDECREF(self);
        return decorated;
    }
    if (!PyBool_Check(mode) && PyType_IsSubtype(type, &types[SET_GRAD_ENABLED]))
        return PyErr_Format(PyExc_TypeError,
                            "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                            "%s",
                            Py_TYPE(mode)->tp_name);
    int on = PyObject_IsTrue(mode);
    if (on < 0)
        return NULL;
    ModeObject *self = (ModeObject *)new_mode(type);
    if (!self)
        return NULL;
    self->on = on;
    if (PyType_IsSubtype(type, &types[SET_GRAD_ENABLED]))
        switch_on(self);
    return (PyObject *)self;
}

static PyObject *repr_with_mode(PyObject *o)
{
    return PyUnicode_FromFormat("%s(mode=%s)", Py_TYPE(o)->tp_name,
                                ((ModeObject *)o)->on ? "True" : "False");
}

static PyMethodDef methods[] = {
    {"__enter__", mode_enter, METH_NOARGS, NULL},
    {"__exit__", (PyCFunction)(void (*)(void))mode_leave, METH_FASTCALL, NULL},
    {"clone", clone_mode, METH_NOARGS, "Returns a new context manager with the same settings."},
    {0},
};

#define MODE_TYPE(text, make, show, says)                                                          \
    {                                                                                              \
        PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.autograd.grad_mode." text,                 \
                                    .tp_basicsize = sizeof(ModeObject), .tp_call = mode_decorate,  \
                                    .tp_new = make, .tp_repr = show, .tp_methods = methods,        \
                                    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,          \
                                    .tp_doc = says,                                                \
    }

static PyTypeObject types[4] = {
    [NO_GRAD] =
        MODE_TYPE("no_grad", new_plain, NULL,
                  "A context manager and decorator that turns recording for autograd off.\n\n"
                  "Use it for inference, and for updates of parameters. Results do not require "
                  "gradients, and no memory is\n"
                  "kept for backward. The setting belongs to the thread.\n\n"
                  "Example:\n"
                  "    >>> x = torch.ones(2, requires_grad=True)\n"
                  "    >>> with torch.no_grad():\n"
                  "    ...     y = x * 2\n"
                  "    >>> y.requires_grad\n"
                  "    False"),
    [ENABLE_GRAD] = MODE_TYPE("enable_grad", new_plain, NULL,
                              "A context manager and decorator that turns recording for autograd "
                              "on, for instance within no_grad.\n\n"
                              "Example:\n"
                              "    >>> x = torch.ones(2, requires_grad=True)\n"
                              "    >>> with torch.no_grad(), torch.enable_grad():\n"
                              "    ...     y = x * 2\n"
                              "    >>> y.requires_grad\n"
                              "    True"),
    [SET_GRAD_ENABLED] = MODE_TYPE(
        "set_grad_enabled", new_with_mode, repr_with_mode,

        "Turns recording for autograd on or off, at once; as a context manager, until its end.\n\n"
        "Example:\n"
        "    >>> with torch.set_grad_enabled(False):\n"
        "    ...     torch.is_grad_enabled()\n"
        "    False"),
    [INFERENCE_MODE] =
        MODE_TYPE("inference_mode", new_with_mode, NULL,

                  "A context manager and decorator like no_grad, but stricter: tensors that are "
                  "made inside can never be\n"
                  "part of a graph, so that versions and views need not be tracked.\n\n"
                  "Example:\n"
                  "    >>> with torch.inference_mode():\n"
                  "    ...     y = torch.ones(2) * 2\n"
                  "    >>> y.is_inference()\n"
                  "    True"),
};

static PyObject *is_grad_enabled(PyObject *module, PyObject *unused)
{
    return PyBool_FromLong(ct_is_grad_enabled());
}

static PyObject *is_inference_mode_enabled(PyObject *module, PyObject *unused)
{
    return PyBool_FromLong(ct_inference_mode());
}

static PyMethodDef functions[] = {
    {"is_grad_enabled", is_grad_enabled, METH_NOARGS,
     "is_grad_enabled()\n--\n\nReturns whether autograd records operations on this thread.\n\n"
     "See also: `no_grad`, `enable_grad`, `set_grad_enabled`."},
    {"is_inference_mode_enabled", is_inference_mode_enabled, METH_NOARGS,
     "is_inference_mode_enabled()\n--\n\nReturns whether inference mode is on."},
    {0},
};

bool py_init_grad_mode(PyObject *module)
{
    static const char *const names[] = {"no_grad", "enable_grad", "set_grad_enabled",
                                        "inference_mode"};
    for (int i = 0; i < 4; i++) {
        if (PyType_Ready(&types[i]) < 0 ||
            PyModule_AddObjectRef(module, names[i], (PyObject *)&types[i]) < 0)
            return false;
    }
    return PyModule_AddFunctions(module, functions) == 0;
}
