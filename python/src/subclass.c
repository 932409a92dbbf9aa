/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensors of a class that a program made. As in PyTorch an operation on one answers with an object
 * of the same class, unless the class overrides __torch_function__ (which is then asked instead) or
 * switches it off. Called by parse.c and the operators, and only when such a tensor takes part. */
#include "parse.h"

static PyObject *default_function, *disabled_function; /* what __torch_function__ may be */
static _Thread_local int disabled_depth;               /* DisableTorchFunctionSubclass */

enum manner { PLAIN, CONVERT, ASK };

static enum manner manner_of(PyTypeObject *type, PyObject **function)
{
    *function = NULL;
    if (disabled_depth > 0)
        return PLAIN;
    PyObject *f = PyObject_GetAttrString((PyObject *)type, "__torch_function__");
    if (!f) {
        PyErr_Clear();
        return PLAIN;
    }
    PyObject *plain = PyCFunction_Check(f) ? NULL : f;
    bool is_default = PyCFunction_Check(f) &&
                      PyCFunction_GET_FUNCTION(f) == PyCFunction_GET_FUNCTION(default_function);
    if (is_default || plain == Py_None || f == disabled_function) {
        Py_DECREF(f);
        return is_default ? CONVERT : PLAIN;
    }
    *function = f;
    return ASK;
}

PyTypeObject *py_class_like(PyObject *special)
{
    if (py_is_plain(special))
        return py_Tensor;
    PyObject *function;
    enum manner manner = manner_of(Py_TYPE(special), &function);
    Py_XDECREF(function);
    return manner == PLAIN ? py_Tensor : Py_TYPE(special);
}

PyObject *py_wrap_like(ct_tensor *owned, PyObject *like)
{
    if (py_is_plain(like))
        return py_wrap(owned);
    return py_wrap_as(owned, py_class_like(like));
}

/* The arguments as Python would see them: self first for methods. */
static PyObject *argument_tuple(const struct py_frame *frame)
{
    Py_ssize_t shift = frame->self != NULL;
    PyObject *args = PyTuple_New(frame->nargs + shift);
    if (!args)
        return NULL;
    if (shift)
        PyTuple_SET_ITEM(args, 0, Py_NewRef(frame->self));
    for (Py_ssize_t i = 0; i < frame->nargs; i++)
        PyTuple_SET_ITEM(args, i + shift, Py_NewRef(frame->args[i]));
    return args;
}

static PyObject *keyword_dict(const struct py_frame *frame)
{
    PyObject *dict = PyDict_New();
    Py_ssize_t n = frame->names ? PyTuple_GET_SIZE(frame->names) : 0;
    for (Py_ssize_t i = 0; dict && i < n; i++) {
        if (PyDict_SetItem(dict, PyTuple_GET_ITEM(frame->names, i), frame->args[frame->nargs + i]) <
            0)
            Py_CLEAR(dict);
    }
    return dict;
}

/* special.erf of the name special_erf; an AttributeError is set already. */
static PyObject *function_of_submodule(PyObject *module, const char *name)
{
    PyObject *all = PyDict_GetItemString(PyModule_GetDict(module), "_submodules");
    PyObject *home, *one, *f = NULL;
    Py_ssize_t at = 0;
    while (!f && PyDict_Next(all, &at, &home, &one)) {
        const char *prefix = PyUnicode_AsUTF8(home);
        f = prefix ? PyDict_GetItemString(PyModule_GetDict(one), py_name_within(name, prefix))
                   : NULL;
    }
    if (f)
        PyErr_Clear();
    return Py_XNewRef(f);
}

static PyObject *function_object(const struct py_frame *frame)
{
    if (frame->self)
        return PyObject_GetAttrString((PyObject *)py_Tensor, frame->op->name);
    PyObject *module = PyImport_ImportModule("corten._C");
    PyObject *f = module ? PyObject_GetAttrString(module, frame->op->name) : NULL;
    if (module && !f)
        f = function_of_submodule(module, frame->op->name);
    Py_XDECREF(module);
    return f;
}

bool py_overridden(struct py_frame *frame, PyObject **answer)
{
    PyObject *function;
    if (manner_of(Py_TYPE(frame->special), &function) != ASK)
        return false;
    PyObject *what = function_object(frame), *args = argument_tuple(frame),
             *kwargs = keyword_dict(frame), *types = PyTuple_Pack(1, Py_TYPE(frame->special));
    *answer = what && args && kwargs && types
                  ? PyObject_CallFunctionObjArgs(function, what, types, args, kwargs, NULL)
                  : NULL;
    Py_DECREF(function);
    Py_XDECREF(what);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    Py_XDECREF(types);
    return true;
}

/* ---- what Python programs call ---- */

/* A tensor of another class over the same memory; other objects as they are. */
static PyObject *convert(PyObject *o, PyTypeObject *type)
{
    if (!o || !py_is_tensor(o) || PyObject_TypeCheck(o, type) || type == py_Tensor)
        return o;
    if (Py_IS_TYPE(o, py_Tensor) && Py_REFCNT(o) == 1 && ct_reference_count(py_tensor_of(o)) == 1) {
        ct_tensor *t = ct_retain(py_tensor_of(o)); /* fresh: change the class, not the tensor */
        Py_DECREF(o);
        return py_wrap_as(t, type);
    }
    ct_tensor *t = py_alias(py_tensor_of(o));
    Py_DECREF(o);
    return py_wrap_as(t, type);
}

/* (func, types, args, kwargs): runs func without asking classes. */
static PyObject *disabled(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *func, *types, *given = NULL, *kwargs = NULL;
    if (!PyArg_ParseTuple(args, "OO|OO", &func, &types, &given, &kwargs))
        return NULL;
    PyObject *call_args = given && given != Py_None ? Py_NewRef(given) : PyTuple_New(0);
    if (!call_args)
        return NULL;
    disabled_depth++;
    PyObject *answer = PyObject_Call(func, call_args, kwargs == Py_None ? NULL : kwargs);
    disabled_depth--;
    Py_DECREF(call_args);
    return answer;
}

/* Tensor.__torch_function__: converts what func answers. */
static PyObject *torch_function(PyObject *cls, PyObject *args)
{
    return convert(disabled(NULL, args), (PyTypeObject *)cls);
}

static PyObject *as_subclass(PyObject *self, PyObject *cls)
{
    if (!PyType_Check(cls) || !PyType_IsSubtype((PyTypeObject *)cls, &py_TensorBase))
        return PyErr_Format(PyExc_TypeError, "cls must be a subclass of Tensor");
    return py_wrap_as(py_alias(py_tensor_of(self)), (PyTypeObject *)cls);
}

static PyMethodDef methods[] = {
    {"__torch_function__", torch_function, METH_VARARGS | METH_CLASS,
     "What an operation on a tensor of this class does; may be overridden."},
    {"as_subclass", as_subclass, METH_O, "The same tensor as an object of another class."},
    {0},
};

static PyMethodDef functions[] = {
    {"_disabled_torch_function_impl", disabled, METH_VARARGS,
     "As a class's __torch_function__: results are plain tensors."},
    {0},
};

bool py_init_subclass(PyObject *module)
{
    if (!py_add_methods(&py_TensorBase, methods) || PyModule_AddFunctions(module, functions) < 0)
        return false;
    default_function = PyObject_GetAttrString((PyObject *)py_Tensor, "__torch_function__");
    disabled_function = PyObject_GetAttrString(module, "_disabled_torch_function_impl");
    return default_function && disabled_function;
}
