/* SPDX-License-Identifier: BSD-3-Clause */
/* __torch_function__: operations are overridden by tensor subclasses, by other objects, and by
 * TorchFunctionModes, which come first. As in PyTorch, the overloaded arguments are tried from left
 * to right, but a subclass before its base class, until one returns something other than
 * NotImplemented. Called by parse.c and the operators; the __torch_function__ that classes inherit
 * is in subclass.c. */
#include "parse/parse.h"

#define MAX_OVERLOADED 64 /* distinct classes in one call; more are an error */

struct overload_list {
    PyObject *v[MAX_OVERLOADED]; /* borrowed; one object per class, in calling order */
    int n;
    bool too_many;
};

_Thread_local int py_modes;
static _Thread_local PyObject *mode_stack; /* list; the innermost mode is last */

/* ---- overloaded arguments ---- */

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

static void add_overloaded(struct overload_list *a, PyObject *o)
{
    bool overrides = py_is_tensor(o)
                         ? !py_is_plain(o) && py_override_kind(Py_TYPE(o)) != PY_RESULTS_PLAIN
                         : py_has_override(o);
    int at = a->n;
    for (int i = a->n - 1; overrides && i >= 0; i--) {
        if (Py_TYPE(a->v[i]) == Py_TYPE(o))
            return;
        if (PyType_IsSubtype(Py_TYPE(o), Py_TYPE(a->v[i])))
            at = i;
    }
    a->too_many = a->too_many || (overrides && a->n == MAX_OVERLOADED);
    if (!overrides || a->n == MAX_OVERLOADED)
        return;
    memmove(a->v + at + 1, a->v + at, (size_t)(a->n - at) * sizeof *a->v);
    a->v[at] = o;
    a->n++;
}

/* Adds an argument, or the items of a list of tensors. */
static void collect_overloaded(struct overload_list *a, PyObject *o)
{
    if (!PyTuple_Check(o) && !PyList_Check(o)) {
        add_overloaded(a, o);
        return;
    }
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); i++) /* runs no code of the program */
        add_overloaded(a, PySequence_Fast_GET_ITEM(o, i));
}

static PyObject *types_of(const struct overload_list *a)
{
    PyObject *types = PyTuple_New(a->n);
    for (int i = 0; types && i < a->n; i++)
        PyTuple_SET_ITEM(types, i, Py_NewRef(Py_TYPE(a->v[i])));
    return types;
}

/* ---- calling overrides ---- */

/* Tensor.__torch_function__ returns NotImplemented unless o's class derives from all other
 * classes. */
static bool accepts_all_types(const struct overload_list *a, PyObject *o)
{
    for (int i = 0; i < a->n; i++)
        if (!PyType_IsSubtype(Py_TYPE(o), Py_TYPE(a->v[i])))
            return false;
    return true;
}

/* Calls o.__torch_function__(func, types, args, kwargs). */
static PyObject *call_torch_function(PyObject *o, PyObject *func, PyObject *types, PyObject *args,
                                     PyObject *kwargs)
{
    PyObject *function = PyObject_GetAttrString(o, "__torch_function__");
    PyObject *answer =
        function ? PyObject_CallFunctionObjArgs(function, func, types, args, kwargs, NULL) : NULL;
    Py_XDECREF(function);
    return answer;
}

/* Calls the innermost mode. The mode is removed from the stack during the call, so that its handler
 * can use operations. */
static PyObject *call_mode(PyObject *func, PyObject *types, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t last = PyList_GET_SIZE(mode_stack) - 1;
    PyObject *mode = Py_NewRef(PyList_GET_ITEM(mode_stack, last)), *stack = mode_stack;
    PyObject *answer = NULL;
    Py_INCREF(stack);
    if (PyList_SetSlice(stack, last, last + 1, NULL) == 0) {
        py_modes--;
        answer = call_torch_function(mode, func, types, args, kwargs);
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

static PyObject *raise_all_declined(const struct overload_list *a, const char *home, PyObject *func)
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

/* Calls modes and overloaded arguments until one returns a result. Returns Py_NotImplemented (new
 * reference) if all decline, NULL with an exception. If the next object inherits
 * Tensor.__torch_function__, sets *native to it (borrowed): the caller then runs the operation
 * itself, and results get the class of *native. */
static PyObject *call_overrides(const struct overload_list *a, PyObject *func, PyObject *args,
                                PyObject *kwargs, PyObject **native)
{
    if (a->too_many)
        return PyErr_Format(PyExc_TypeError,
                            "a call can have arguments of at most %d classes with "
                            "__torch_function__",
                            MAX_OVERLOADED);
    PyObject *types = types_of(a), *answer = NULL;
    if (types && py_modes > 0)
        answer = call_mode(func, types, args, kwargs);
    else if (types)
        answer = Py_NewRef(Py_NotImplemented);
    for (int i = 0; answer == Py_NotImplemented && i < a->n; i++) {
        if (py_is_tensor(a->v[i]) && py_override_kind(Py_TYPE(a->v[i])) == PY_RESULTS_CONVERTED) {
            if (!accepts_all_types(a, a->v[i]))
                continue;
            *native = a->v[i];
            break;
        }
        Py_DECREF(answer);
        answer = call_torch_function(a->v[i], func, types, args, kwargs);
    }
    Py_XDECREF(types);
    return answer;
}

/* ---- calls that were parsed ---- */

/* The positional arguments as Python sees them: self first for methods. */
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

/* Finds special.erf for the name special_erf. The AttributeError of the first lookup is pending,
 * and stays if nothing is found. */
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
    struct overload_list a;
    a.n = 0;
    a.too_many = false;
    if (py_dispatch_disabled())
        return false;
    if (frame->self)
        collect_overloaded(&a, frame->self);
    Py_ssize_t n = frame->nargs + (frame->names ? PyTuple_GET_SIZE(frame->names) : 0);
    for (Py_ssize_t i = 0; i < n; i++)
        collect_overloaded(&a, frame->args[i]);
    if (a.n == 0 && py_modes == 0)
        return false;
    if (a.n == 1 && py_modes == 0 && py_is_tensor(a.v[0]) &&
        py_override_kind(Py_TYPE(a.v[0])) == PY_RESULTS_CONVERTED) {
        frame->overloaded = a.v[0];
        return false;
    }
    PyObject *func = function_object(frame), *args = argument_tuple(frame),
             *kwargs = keyword_dict(frame), *native = NULL;
    *answer = func && args && kwargs ? call_overrides(&a, func, args, kwargs, &native) : NULL;
    bool ours = native || (a.n == 0 && *answer == Py_NotImplemented);
    if (*answer == Py_NotImplemented) {
        Py_CLEAR(*answer);
        if (ours)
            frame->overloaded = native;
        else if (frame->may_decline)
            *answer = Py_NewRef(Py_NotImplemented); /* Python tries the other operand */
        else
            raise_all_declined(&a, frame->self ? "torch.Tensor." : "torch.", func);
    }
    Py_XDECREF(func);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    return !ours;
}

PyObject *py_dispatch(PyObject *func, PyObject *args, PyObject *kwargs)
{
    struct overload_list a;
    a.n = 0;
    a.too_many = false;
    PyObject *key, *value, *native = NULL;
    for (Py_ssize_t i = 0; !py_dispatch_disabled() && i < PyTuple_GET_SIZE(args); i++)
        collect_overloaded(&a, PyTuple_GET_ITEM(args, i));
    for (Py_ssize_t at = 0;
         !py_dispatch_disabled() && kwargs && PyDict_Next(kwargs, &at, &key, &value);)
        collect_overloaded(&a, value);
    if (a.n == 0 && (py_modes == 0 || py_dispatch_disabled()))
        return PyObject_Call(func, args, kwargs);
    PyObject *names = kwargs ? Py_NewRef(kwargs) : PyDict_New();
    PyObject *answer = names ? call_overrides(&a, func, args, names, &native) : NULL;
    Py_XDECREF(names);
    if (answer != Py_NotImplemented)
        return answer;
    Py_DECREF(answer);
    return native ? PyObject_Call(func, args, kwargs)
                  : raise_all_declined(&a, "torch.Tensor.", func);
}

/* ---- functions of torch.overrides ---- */

/* _overloaded(*objects): the overloaded arguments, in calling order. */
static PyObject *overloaded(PyObject *module, PyObject *args)
{
    struct overload_list a;
    a.n = 0;
    a.too_many = false;
    for (Py_ssize_t i = 0; !py_dispatch_disabled() && i < PyTuple_GET_SIZE(args); i++)
        add_overloaded(&a, PyTuple_GET_ITEM(args, i));
    PyObject *list = PyList_New(a.n);
    for (int i = 0; list && i < a.n; i++)
        PyList_SET_ITEM(list, i, Py_NewRef(a.v[i]));
    return list;
}

static _Thread_local bool skip_next; /* _has_torch_function returns False once */

/* _skip_next_dispatch(on): makes the next _has_torch_function return False. redispatch_function
 * uses it to call a Python function without dispatching on that function again. */
static PyObject *skip_next_dispatch(PyObject *module, PyObject *on)
{
    skip_next = on == Py_True;
    Py_RETURN_NONE;
}

/* _has_torch_function(args, kwargs or None): whether a mode or an argument overrides the call. */
static PyObject *has_torch_function(PyObject *module, PyObject *given)
{
    PyObject *args, *kwargs = NULL, *key, *value;
    if (!PyArg_ParseTuple(given, "O!|O", &PyTuple_Type, &args, &kwargs))
        return NULL;
    if (skip_next) {
        skip_next = false;
        Py_RETURN_FALSE;
    }
    struct overload_list a;
    a.n = 0;
    a.too_many = false;
    for (Py_ssize_t i = 0; !py_dispatch_disabled() && i < PyTuple_GET_SIZE(args); i++)
        collect_overloaded(&a, PyTuple_GET_ITEM(args, i));
    for (Py_ssize_t at = 0; !py_dispatch_disabled() && kwargs && PyDict_Check(kwargs) &&
                            PyDict_Next(kwargs, &at, &key, &value);)
        collect_overloaded(&a, value);
    return PyBool_FromLong(a.n > 0 || (py_modes > 0 && !py_dispatch_disabled()));
}

/* _handle_torch_function(func, relevant, args, kwargs): the result of the first override among
 * `relevant` that does not decline. */
static PyObject *handle_torch_function(PyObject *module, PyObject *given)
{
    PyObject *func, *relevant, *args, *kwargs, *native = NULL;
    if (!PyArg_ParseTuple(given, "OO!O!O!", &func, &PyTuple_Type, &relevant, &PyTuple_Type, &args,
                          &PyDict_Type, &kwargs) ||
        !PyArg_ValidateKeywordArguments(kwargs))
        return NULL;
    struct overload_list a;
    a.n = 0;
    a.too_many = false;
    for (Py_ssize_t i = 0; !py_dispatch_disabled() && i < PyTuple_GET_SIZE(relevant); i++)
        collect_overloaded(&a, PyTuple_GET_ITEM(relevant, i));
    PyObject *answer = call_overrides(&a, func, args, kwargs, &native);
    if (answer != Py_NotImplemented)
        return answer;
    Py_DECREF(answer);
    if (native || a.n == 0) {
        bool before = py_disable_dispatch(true);
        answer = PyObject_Call(func, args, kwargs);
        py_disable_dispatch(before);
        return native ? py_convert_result(answer, Py_TYPE(native)) : answer;
    }
    return raise_all_declined(&a, "torch.", func);
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

/* _disable_torch_function(on): disables or enables dispatch; returns the previous state. */
static PyObject *set_dispatch_disabled(PyObject *module, PyObject *on)
{
    int truth = PyObject_IsTrue(on);
    return truth < 0 ? NULL : PyBool_FromLong(py_disable_dispatch(truth > 0));
}

/* The context manager torch._C.DisableTorchFunctionSubclass(). */
typedef struct {
    PyObject ob_base;
    bool before;
} DisableObject;

static PyObject *disable_enter(PyObject *self, PyObject *unused)
{
    ((DisableObject *)self)->before = py_disable_dispatch(true);
    return Py_NewRef(self);
}

static PyObject *disable_exit(PyObject *self, PyObject *unused)
{
    py_disable_dispatch(((DisableObject *)self)->before);
    Py_RETURN_NONE;
}

static PyMethodDef disable_methods[] = {
    {"__enter__", disable_enter, METH_NOARGS, NULL},
    {"__exit__", disable_exit, METH_VARARGS, NULL},
    {0},
};

static PyTypeObject disable_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C.DisableTorchFunctionSubclass",
    .tp_basicsize = sizeof(DisableObject),
    .tp_new = PyType_GenericNew,
    .tp_methods = disable_methods,
    .tp_flags = Py_TPFLAGS_DEFAULT,
};

static PyMethodDef functions[] = {
    {"_has_torch_function", has_torch_function, METH_VARARGS, NULL},
    {"_skip_next_dispatch", skip_next_dispatch, METH_O, NULL},
    {"_overloaded", overloaded, METH_VARARGS, NULL},
    {"_handle_torch_function", handle_torch_function, METH_VARARGS, NULL},
    {"_push_mode", push_mode, METH_O, NULL},
    {"_pop_mode", pop_mode, METH_NOARGS, NULL},
    {"_modes", modes, METH_NOARGS, NULL},
    {"_disable_torch_function", set_dispatch_disabled, METH_O, NULL},
    {0},
};

bool py_init_dispatch(PyObject *module)
{
    PyObject *disable_class = (PyObject *)&disable_type;
    return PyModule_AddFunctions(module, functions) == 0 && PyType_Ready(&disable_type) == 0 &&
           PyModule_AddObjectRef(module, "DisableTorchFunctionSubclass", disable_class) == 0 &&
           PyModule_AddObjectRef(module, "DisableTorchFunction", disable_class) == 0;
}
