/* SPDX-License-Identifier: BSD-3-Clause */
/* __torch_function__: objects that say themselves what an operation on them does, tensors of a
 * class of their own or none at all, and modes, which are asked before them. As in PyTorch all of
 * them among the arguments are asked, the first one first, but a class before the one it derives
 * from, until one does not answer NotImplemented. Called by parse.c and the operators; what classes
 * there are, and what is inherited, is in subclass.c. */
#include "parse/parse.h"

#define MANY 64 /* classes in one call; more are an error */

struct asked {
    PyObject *v[MANY]; /* borrowed, one of each class, in the order they are asked */
    int n;
    bool too_many;
};

_Thread_local int py_modes;
static _Thread_local PyObject *mode_stack; /* a list, the innermost last */

/* ---- who is asked ---- */

bool py_has_override(PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    if (o == Py_None || type == &PyLong_Type || type == &PyFloat_Type || type == &PyUnicode_Type ||
        type == &PyTuple_Type || type == &PyList_Type || type == &PyDict_Type ||
        type == &PyBool_Type || type == &PySlice_Type || py_is_tensor(o) || py_dispatch_disabled())
        return false;
    static PyObject *name;
    if (!name && !(name = PyUnicode_InternFromString("__torch_function__")))
        return false;
    PyObject *found = PyObject_GetAttr((PyObject *)type, name);
    PyErr_Clear();
    Py_XDECREF(found);
    return found && !PyType_Check(o);
}

static void add_asked(struct asked *a, PyObject *o)
{
    bool asks =
        py_is_tensor(o) ? !py_is_plain(o) && py_manner(Py_TYPE(o)) != PY_PLAIN : py_has_override(o);
    int at = a->n;
    for (int i = a->n - 1; asks && i >= 0; i--) {
        if (Py_TYPE(a->v[i]) == Py_TYPE(o))
            return;
        if (PyType_IsSubtype(Py_TYPE(o), Py_TYPE(a->v[i])))
            at = i;
    }
    a->too_many = a->too_many || (asks && a->n == MANY);
    if (!asks || a->n == MANY)
        return;
    memmove(a->v + at + 1, a->v + at, (size_t)(a->n - at) * sizeof *a->v);
    a->v[at] = o;
    a->n++;
}

/* An argument, or the items of a list of tensors. */
static void look_at(struct asked *a, PyObject *o)
{
    if (!PyTuple_Check(o) && !PyList_Check(o)) {
        add_asked(a, o);
        return;
    }
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); i++) /* no code of the program's runs */
        add_asked(a, PySequence_Fast_GET_ITEM(o, i));
}

static PyObject *types_of(const struct asked *a)
{
    PyObject *types = PyTuple_New(a->n);
    for (int i = 0; types && i < a->n; i++)
        PyTuple_SET_ITEM(types, i, Py_NewRef(Py_TYPE(a->v[i])));
    return types;
}

/* ---- asking ---- */

/* Does the class inherit what Tensor does, and may it speak for all the others? */
static bool speaks_for_all(const struct asked *a, PyObject *o)
{
    for (int i = 0; i < a->n; i++)
        if (!PyType_IsSubtype(Py_TYPE(o), Py_TYPE(a->v[i])))
            return false;
    return true;
}

static PyObject *ask(PyObject *o, PyObject *func, PyObject *types, PyObject *args, PyObject *kwargs)
{
    PyObject *function = PyObject_GetAttrString(o, "__torch_function__");
    PyObject *answer =
        function ? PyObject_CallFunctionObjArgs(function, func, types, args, kwargs, NULL) : NULL;
    Py_XDECREF(function);
    return answer;
}

/* The innermost mode is asked with itself switched off, so that it can compute. */
static PyObject *ask_mode(PyObject *func, PyObject *types, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t last = PyList_GET_SIZE(mode_stack) - 1;
    PyObject *mode = Py_NewRef(PyList_GET_ITEM(mode_stack, last)), *stack = mode_stack;
    PyObject *answer = NULL;
    Py_INCREF(stack);
    if (PyList_SetSlice(stack, last, last + 1, NULL) == 0) {
        py_modes--;
        answer = ask(mode, func, types, args, kwargs);
        PyObject *type, *value, *trace;
        PyErr_Fetch(&type, &value, &trace);
        if (PyList_Append(stack, mode) == 0)
            py_modes++;
        PyErr_Restore(type, value, trace);
    }
    Py_DECREF(stack);
    Py_DECREF(mode);
    return answer;
}

static PyObject *nobody_answered(const struct asked *a, const char *home, PyObject *func)
{
    PyObject *name = PyObject_GetAttrString(func, "__name__");
    PyObject *lines = PyUnicode_FromString("");
    PyErr_Clear();
    for (int i = 0; lines && i < a->n; i++)
        Py_SETREF(lines,
                  PyUnicode_FromFormat("%U  - tensor subclass %R\n", lines, Py_TYPE(a->v[i])));
    if (lines)
        PyErr_Format(PyExc_TypeError,
                     "Multiple dispatch failed for '%s%S'; all __torch_function__ handlers "
                     "returned NotImplemented:\n\n%U\nFor more information, try re-running with "
                     "TORCH_LOGS=not_implemented",
                     name ? home : "", name ? name : func, lines);
    Py_XDECREF(name);
    Py_XDECREF(lines);
    return NULL;
}

/* What one of them answers: Py_NotImplemented (new) where nobody does, NULL raised. *native:
 * instead the operation runs, and its results are of the class of *native (borrowed). */
static PyObject *ask_all(const struct asked *a, PyObject *func, PyObject *args, PyObject *kwargs,
                         PyObject **native)
{
    if (a->too_many)
        return PyErr_Format(PyExc_TypeError,
                            "a call has arguments of more than %d classes with "
                            "__torch_function__",
                            MANY);
    PyObject *types = types_of(a), *answer = NULL;
    if (types && py_modes > 0)
        answer = ask_mode(func, types, args, kwargs);
    else if (types)
        answer = Py_NewRef(Py_NotImplemented);
    for (int i = 0; answer == Py_NotImplemented && i < a->n; i++) {
        if (py_is_tensor(a->v[i]) && py_manner(Py_TYPE(a->v[i])) == PY_CONVERT) {
            if (!speaks_for_all(a, a->v[i]))
                continue;
            *native = a->v[i];
            break;
        }
        Py_DECREF(answer);
        answer = ask(a->v[i], func, types, args, kwargs);
    }
    Py_XDECREF(types);
    return answer;
}

/* ---- calls that were parsed ---- */

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
    struct asked a; /* v is filled as it is needed */
    a.n = 0;
    a.too_many = false;
    if (py_dispatch_disabled())
        return false;
    if (frame->self)
        look_at(&a, frame->self);
    Py_ssize_t n = frame->nargs + (frame->names ? PyTuple_GET_SIZE(frame->names) : 0);
    for (Py_ssize_t i = 0; i < n; i++)
        look_at(&a, frame->args[i]);
    if (a.n == 0 && py_modes == 0)
        return false;
    if (a.n == 1 && py_modes == 0 && py_is_tensor(a.v[0]) &&
        py_manner(Py_TYPE(a.v[0])) == PY_CONVERT) {
        frame->special = a.v[0];
        return false;
    }
    PyObject *func = function_object(frame), *args = argument_tuple(frame),
             *kwargs = keyword_dict(frame), *native = NULL;
    *answer = func && args && kwargs ? ask_all(&a, func, args, kwargs, &native) : NULL;
    bool ours = native || (a.n == 0 && *answer == Py_NotImplemented);
    if (*answer == Py_NotImplemented) {
        Py_CLEAR(*answer);
        if (ours)
            frame->special = native;
        else if (frame->quiet)
            *answer = Py_NewRef(Py_NotImplemented); /* an operator: Python asks further */
        else
            nobody_answered(&a, frame->self ? "torch.Tensor." : "torch.", func);
    }
    Py_XDECREF(func);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    return !ours;
}

PyObject *py_dispatch(PyObject *func, PyObject *args, PyObject *kwargs)
{
    struct asked a; /* v is filled as it is needed */
    a.n = 0;
    a.too_many = false;
    PyObject *key, *value, *native = NULL;
    for (Py_ssize_t i = 0; !py_dispatch_disabled() && i < PyTuple_GET_SIZE(args); i++)
        look_at(&a, PyTuple_GET_ITEM(args, i));
    for (Py_ssize_t at = 0;
         !py_dispatch_disabled() && kwargs && PyDict_Next(kwargs, &at, &key, &value);)
        look_at(&a, value);
    if (a.n == 0 && (py_modes == 0 || py_dispatch_disabled()))
        return PyObject_Call(func, args, kwargs);
    PyObject *names = kwargs ? Py_NewRef(kwargs) : PyDict_New();
    PyObject *answer = names ? ask_all(&a, func, args, names, &native) : NULL;
    Py_XDECREF(names);
    if (answer != Py_NotImplemented)
        return answer;
    Py_DECREF(answer);
    return native ? PyObject_Call(func, args, kwargs) : nobody_answered(&a, "torch.Tensor.", func);
}

/* ---- what torch.overrides calls ---- */

/* _overloaded(*objects): those that are asked, in order. */
static PyObject *overloaded(PyObject *module, PyObject *args)
{
    struct asked a; /* v is filled as it is needed */
    a.n = 0;
    a.too_many = false;
    for (Py_ssize_t i = 0; !py_dispatch_disabled() && i < PyTuple_GET_SIZE(args); i++)
        add_asked(&a, PyTuple_GET_ITEM(args, i));
    PyObject *list = PyList_New(a.n);
    for (int i = 0; list && i < a.n; i++)
        PyList_SET_ITEM(list, i, Py_NewRef(a.v[i]));
    return list;
}

static _Thread_local bool skips; /* the next question of a function that is written in Python */

/* _skip_asking(on): the next _asks answers no. */
static PyObject *skip_asking(PyObject *module, PyObject *on)
{
    skips = on == Py_True;
    Py_RETURN_NONE;
}

/* _asks(args, kwargs or None): is anybody asked? */
static PyObject *asks(PyObject *module, PyObject *given)
{
    PyObject *args, *kwargs = NULL, *key, *value;
    if (!PyArg_ParseTuple(given, "O!|O", &PyTuple_Type, &args, &kwargs))
        return NULL;
    if (skips) {
        skips = false;
        Py_RETURN_FALSE;
    }
    struct asked a; /* v is filled as it is needed */
    a.n = 0;
    a.too_many = false;
    for (Py_ssize_t i = 0; !py_dispatch_disabled() && i < PyTuple_GET_SIZE(args); i++)
        look_at(&a, PyTuple_GET_ITEM(args, i));
    for (Py_ssize_t at = 0; !py_dispatch_disabled() && kwargs && PyDict_Check(kwargs) &&
                            PyDict_Next(kwargs, &at, &key, &value);)
        look_at(&a, value);
    return PyBool_FromLong(a.n > 0 || (py_modes > 0 && !py_dispatch_disabled()));
}

/* _handle_torch_function(func, relevant, args, kwargs) */
static PyObject *handle(PyObject *module, PyObject *given)
{
    PyObject *func, *relevant, *args, *kwargs, *native = NULL;
    if (!PyArg_ParseTuple(given, "OO!O!O!", &func, &PyTuple_Type, &relevant, &PyTuple_Type, &args,
                          &PyDict_Type, &kwargs) ||
        !PyArg_ValidateKeywordArguments(kwargs))
        return NULL;
    struct asked a; /* v is filled as it is needed */
    a.n = 0;
    a.too_many = false;
    for (Py_ssize_t i = 0; !py_dispatch_disabled() && i < PyTuple_GET_SIZE(relevant); i++)
        look_at(&a, PyTuple_GET_ITEM(relevant, i));
    PyObject *answer = ask_all(&a, func, args, kwargs, &native);
    if (answer != Py_NotImplemented)
        return answer;
    Py_DECREF(answer);
    if (native || a.n == 0) {
        bool before = py_disable_dispatch(true);
        answer = PyObject_Call(func, args, kwargs);
        py_disable_dispatch(before);
        return native ? py_convert_answer(answer, Py_TYPE(native)) : answer;
    }
    return nobody_answered(&a, "torch.", func);
}

static PyObject *push_mode(PyObject *module, PyObject *mode)
{
    if (!mode_stack && !(mode_stack = PyList_New(0)))
        return NULL;
    if (PyList_Append(mode_stack, mode) < 0)
        return NULL;
    py_modes++;
    Py_RETURN_NONE;
}

static PyObject *pop_mode(PyObject *module, PyObject *unused)
{
    Py_ssize_t last = mode_stack ? PyList_GET_SIZE(mode_stack) - 1 : -1;
    if (last < 0)
        return PyErr_Format(PyExc_RuntimeError, "no mode is active");
    PyObject *mode = Py_NewRef(PyList_GET_ITEM(mode_stack, last));
    if (PyList_SetSlice(mode_stack, last, last + 1, NULL) < 0)
        Py_CLEAR(mode);
    else
        py_modes--;
    return mode;
}

static PyObject *modes(PyObject *module, PyObject *unused)
{
    return mode_stack ? PyList_AsTuple(mode_stack) : PyTuple_New(0);
}

/* _ask_nobody(on): switches asking off or on, answers what it was. */
static PyObject *set_asking(PyObject *module, PyObject *on)
{
    int truth = PyObject_IsTrue(on);
    return truth < 0 ? NULL : PyBool_FromLong(py_disable_dispatch(truth > 0));
}

/* with torch._C.DisableTorchFunctionSubclass(): nobody is asked. */
typedef struct {
    PyObject ob_base;
    bool before;
} SilenceObject;

static PyObject *silence_enter(PyObject *self, PyObject *unused)
{
    ((SilenceObject *)self)->before = py_disable_dispatch(true);
    return Py_NewRef(self);
}

static PyObject *silence_exit(PyObject *self, PyObject *unused)
{
    py_disable_dispatch(((SilenceObject *)self)->before);
    Py_RETURN_NONE;
}

static PyMethodDef silence_methods[] = {
    {"__enter__", silence_enter, METH_NOARGS, NULL},
    {"__exit__", silence_exit, METH_VARARGS, NULL},
    {0},
};

static PyTypeObject silence_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C.DisableTorchFunctionSubclass",
    .tp_basicsize = sizeof(SilenceObject),
    .tp_new = PyType_GenericNew,
    .tp_methods = silence_methods,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static PyMethodDef functions[] = {
    {"_asks", asks, METH_VARARGS, NULL},
    {"_skip_asking", skip_asking, METH_O, NULL},
    {"_overloaded", overloaded, METH_VARARGS, NULL},
    {"_handle_torch_function", handle, METH_VARARGS, NULL},
    {"_push_mode", push_mode, METH_O, NULL},
    {"_pop_mode", pop_mode, METH_NOARGS, NULL},
    {"_modes", modes, METH_NOARGS, NULL},
    {"_ask_nobody", set_asking, METH_O, NULL},
    {0},
};

bool py_init_dispatch(PyObject *module)
{
    PyObject *silence = (PyObject *)&silence_type;
    return PyModule_AddFunctions(module, functions) == 0 && PyType_Ready(&silence_type) == 0 &&
           PyModule_AddObjectRef(module, "DisableTorchFunctionSubclass", silence) == 0 &&
           PyModule_AddObjectRef(module, "DisableTorchFunction", silence) == 0;
}
