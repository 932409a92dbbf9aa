/* SPDX-License-Identifier: BSD-3-Clause */
/* The C base class of nn.Module. It implements the two operations that a training step performs
 * most often: calls and attribute lookup. A call checks one flag and four dicts for hooks and then
 * calls `forward`. Attribute lookup searches __dict__ and then parameters, buffers and modules. All
 * state is kept in plain dicts in `__dict__`, where pickle, copy and programs find it. The rest is
 * Python (nn/modules/module.py). */
#include "binding.h"

typedef struct {
    PyObject ob_base;
    PyObject *dict, *weakrefs;
} ModuleObject;

static PyTypeObject module_type;
static bool global_hooks; /* a hook is registered for all modules */

/* Interned names of entries in __dict__. */
enum { PARAMETERS, BUFFERS, MODULES, MEMBERS };
static const char *const key_texts[] = {"_parameters", "_buffers", "_modules"};
static PyObject *keys[MEMBERS];
static const char *const hook_texts[] = {"_backward_hooks", "_backward_pre_hooks", "_forward_hooks",
                                         "_forward_pre_hooks"};
#define HOOKS (int)(sizeof hook_texts / sizeof *hook_texts)
static PyObject *hook_keys[HOOKS];
static PyObject *forward_key, *hooked_key, *assign_key, *getattr_key, *getattribute_key,
    *not_saved_key, *compiled_key;

/* Looks up a key: a new reference, or NULL with or without an exception. Comparing keys may run the
 * program's code, which may drop the dict or the value, so both are held. */
static inline PyObject *entry(PyObject *dict, PyObject *key)
{
    if (!dict)
        return NULL;
    Py_INCREF(dict);
    PyObject *found = Py_XNewRef(PyDict_GetItemWithError(dict, key));
    Py_DECREF(dict);
    return found;
}

static inline PyObject *own_entry(PyObject *o, PyObject *key)
{
    return entry(((ModuleObject *)o)->dict, key);
}

/* A dict stored in __dict__ (new reference); NULL if Module.__init__ has not run. */
static inline PyObject *own_dict(PyObject *o, PyObject *key)
{
    PyObject *found = own_entry(o, key);
    if (found && !PyDict_Check(found))
        Py_CLEAR(found);
    return found;
}

/* ---- attributes ---- */

static bool is_name(PyObject *name)
{
    if (!PyUnicode_Check(name))
        PyErr_Format(PyExc_TypeError, "attribute name must be string, not '%s'", py_typename(name));
    return PyUnicode_Check(name);
}

static PyObject *no_attribute(PyObject *o, PyObject *name)
{
    if (PyErr_Occurred())
        return NULL;
    PyObject *error =
        PyUnicode_FromFormat("'%s' object has no attribute '%U'", py_typename(o), name);
    PyObject *class = PyExc_AttributeError;
    PyObject *raised = error ? PyObject_CallOneArg(class, error) : NULL;
    if (raised && PyObject_SetAttrString(raised, "name", name) == 0 &&
        PyObject_SetAttrString(raised, "obj", o) == 0) /* traceback prints suggestions from them */
        PyErr_SetObject(class, raised);
    Py_XDECREF(raised);
    Py_XDECREF(error);
    return NULL;
}

/* Finds a parameter, buffer or module: new reference, or NULL with or without an exception. */
static PyObject *member(PyObject *o, PyObject *name)
{
    for (int i = 0; i < MEMBERS; i++) {
        PyObject *members = own_dict(o, keys[i]);
        PyObject *found = entry(members, name);
        Py_XDECREF(members);
        if (found || PyErr_Occurred())
            return found;
    }
    return NULL;
}

static PyObject *module_getattro(PyObject *o, PyObject *name)
{
    if (!is_name(name))
        return NULL;
    PyTypeObject *type = Py_TYPE(o);
    PyObject *in_class = _PyType_Lookup(type, name), *found;
    descrgetfunc get = in_class ? Py_TYPE(in_class)->tp_descr_get : NULL;
    Py_XINCREF(in_class);
    if (get && Py_TYPE(in_class)->tp_descr_set) { /* data descriptors come before __dict__ */
        found = get(in_class, o, (PyObject *)type);
        Py_DECREF(in_class);
        return found;
    }
    found = own_entry(o, name);
    if (found || PyErr_Occurred()) {
        Py_XDECREF(in_class);
        return found;
    }
    if (in_class && !get)
        return in_class;
    if (in_class) {
        found = get(in_class, o, (PyObject *)type);
        Py_DECREF(in_class);
        return found;
    }
    /* For classes with their own tp_getattro, __getattr__ finds the members; it may be user
     * code. */
    found = type->tp_getattro == module_getattro ? member(o, name) : NULL;
    return found ? found : no_attribute(o, name);
}

/* Module.__getattr__(name), for classes that override __getattr__ and call it through super(). */
static PyObject *module_getattr(PyObject *o, PyObject *name)
{
    PyObject *found = is_name(name) ? member(o, name) : NULL;
    return found ? found : no_attribute(o, name);
}

/* By default, a class that inherits __getattr__ gets Python's slow attribute lookup. This restores
 * the fast slot for classes that define neither __getattr__ nor __getattribute__. */
static PyObject *init_subclass(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    PyTypeObject *type = (PyTypeObject *)cls;
    PyObject *base = (PyObject *)&module_type;
    bool own =
        _PyType_Lookup(type, getattr_key) != _PyType_Lookup((PyTypeObject *)base, getattr_key) ||
        _PyType_Lookup(type, getattribute_key) !=
            _PyType_Lookup((PyTypeObject *)base, getattribute_key);
    if (!own)
        type->tp_getattro = module_getattro;
    /* Calls the next base: typing.Generic, for example, needs its __init_subclass__. */
    PyObject *above = PyObject_CallFunctionObjArgs((PyObject *)&PySuper_Type, base, cls, NULL);
    PyObject *next = above ? PyObject_GetAttrString(above, "__init_subclass__") : NULL;
    PyObject *done = next ? PyObject_Call(next, args, kwargs) : NULL;
    Py_XDECREF(above);
    Py_XDECREF(next);
    return done;
}

static int is_member(PyObject *o, PyObject *name)
{
    for (int i = 0; i < MEMBERS; i++) {
        PyObject *members = own_dict(o, keys[i]);
        int found = members ? PyDict_Contains(members, name) : PyErr_Occurred() ? -1 : 0;
        Py_XDECREF(members);
        if (found)
            return found;
    }
    return 0;
}

static int delete_buffer_mark(PyObject *o, PyObject *name)
{
    PyObject *not_saved = own_entry(o, not_saved_key);
    int rc = not_saved && PyAnySet_Check(not_saved) ? PySet_Discard(not_saved, name) : 0;
    Py_XDECREF(not_saved);
    return rc;
}

static int delete_member(PyObject *o, PyObject *name)
{
    int rc = -1;
    bool done = false;
    for (int i = 0; i < MEMBERS && !done; i++) {
        PyObject *members = own_dict(o, keys[i]);
        done = PyErr_Occurred() || (members && PyDict_Contains(members, name) != 0);
        if (done && !PyErr_Occurred() && (i != BUFFERS || delete_buffer_mark(o, name) >= 0))
            rc = PyDict_DelItem(members, name);
        Py_XDECREF(members);
    }
    return done ? rc : PyObject_GenericSetAttr(o, name, NULL);
}

/* Assignments of tensors and modules, and to names of members, go to Module._assign; anything else
 * is stored in __dict__. */
static int module_setattro(PyObject *o, PyObject *name, PyObject *value)
{
    int known = is_name(name) ? is_member(o, name) : -1;
    if (known < 0)
        return -1;
    if (!value)
        return known ? delete_member(o, name) : PyObject_GenericSetAttr(o, name, NULL);
    if (!known && !py_is_tensor(value) && !PyObject_TypeCheck(value, &module_type))
        return PyObject_GenericSetAttr(o, name, value);
    PyObject *done = PyObject_CallMethodObjArgs(o, assign_key, name, value, NULL);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

/* These are methods instead of the tp_setattro slot, because Python refuses object.__setattr__ on
 * types whose slot is written in C. Libraries call object.__setattr__ to store a value that the
 * module must not register. */
static PyObject *set_attribute(PyObject *o, PyObject *const *args, Py_ssize_t n)
{
    if (n != 2)
        return PyErr_Format(PyExc_TypeError, "expected 2 arguments, got %zd", n);
    if (!PyUnicode_Check(args[0]))
        return PyErr_Format(PyExc_TypeError, "attribute name must be string, not '%s'",
                            Py_TYPE(args[0])->tp_name);
    if (module_setattro(o, args[0], args[1]) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *delete_attribute(PyObject *o, PyObject *name)
{
    if (!PyUnicode_Check(name))
        return PyErr_Format(PyExc_TypeError, "attribute name must be string, not '%s'",
                            Py_TYPE(name)->tp_name);
    if (module_setattro(o, name, NULL) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* Module._store(name, value): object.__setattr__. */
static PyObject *store_attribute(PyObject *o, PyObject *args)
{
    PyObject *name, *value;
    if (!PyArg_ParseTuple(args, "UO", &name, &value))
        return NULL;
    if (PyObject_GenericSetAttr(o, name, value) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- the call ---- */

/* Whether a module has no hooks: 1, 0, or -1 with an exception. */
static inline int has_no_hooks(PyObject *o)
{
    if (global_hooks)
        return 0;
    for (int i = 0; i < HOOKS; i++) {
        PyObject *hooks = own_entry(o, hook_keys[i]);
        if (!hooks) { /* Module.__init__ has not run */
            no_attribute(o, hook_keys[i]);
            return -1;
        }
        bool none = PyDict_Check(hooks) && PyDict_GET_SIZE(hooks) == 0;
        Py_DECREF(hooks);
        if (!none)
            return 0;
    }
    return 1;
}

#define SHORT_CALL 6

/* Calls a method with the arguments of a call, avoiding a bound method object. */
static PyObject *call_method(PyObject *o, PyObject *name, PyObject *args, PyObject *kwargs)
{
    PyObject *f = own_entry(o, name); /* the object's own attribute comes first */
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (!f && PyErr_Occurred())
        return NULL;
    PyObject *of_class = f ? NULL : _PyType_Lookup(Py_TYPE(o), name);
    if (of_class && PyFunction_Check(of_class) && n < SHORT_CALL && !kwargs) {
        PyObject *all[SHORT_CALL] = {o};
        for (Py_ssize_t i = 0; i < n; i++)
            all[i + 1] = PyTuple_GET_ITEM(args, i);
        Py_INCREF(of_class);
        PyObject *answer = PyObject_Vectorcall(of_class, all, (size_t)n + 1, NULL);
        Py_DECREF(of_class);
        return answer;
    }
    if (!f)
        f = PyObject_GetAttr(o, name);
    PyObject *answer = f ? PyObject_Call(f, args, kwargs) : NULL;
    Py_XDECREF(f);
    return answer;
}

static PyObject *module_run(PyObject *o, PyObject *args, PyObject *kwargs)
{
    int direct = has_no_hooks(o);
    return direct < 0 ? NULL : call_method(o, direct ? forward_key : hooked_key, args, kwargs);
}

static PyObject *module_call(PyObject *o, PyObject *args, PyObject *kwargs)
{
    PyObject *compiled = own_entry(o, compiled_key);
    if (!compiled && PyErr_Occurred())
        return NULL;
    PyObject *answer = compiled && compiled != Py_None ? PyObject_Call(compiled, args, kwargs)
                                                       : module_run(o, args, kwargs);
    Py_XDECREF(compiled);
    return answer;
}

/* ---- the type ---- */

static PyObject *module_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    ModuleObject *self = (ModuleObject *)type->tp_alloc(type, 0);
    if (self && !(self->dict = PyDict_New()))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static int module_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(((ModuleObject *)o)->dict);
    return 0;
}

static int module_clear(PyObject *o)
{
    Py_CLEAR(((ModuleObject *)o)->dict);
    return 0;
}

static void module_dealloc(PyObject *o)
{
    PyObject_GC_UnTrack(o);
    if (((ModuleObject *)o)->weakrefs)
        PyObject_ClearWeakRefs(o);
    module_clear(o);
    Py_TYPE(o)->tp_free(o);
}

static PyObject *set_global_hooks(PyObject *module, PyObject *on)
{
    int truth = PyObject_IsTrue(on);
    if (truth < 0)
        return NULL;
    global_hooks = truth;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"__getattr__", module_getattr, METH_O, "Returns a parameter, buffer or module by name."},
    {"__setattr__", (PyCFunction)(void (*)(void))set_attribute, METH_FASTCALL, NULL},
    {"__delattr__", delete_attribute, METH_O, NULL},
    {"__init_subclass__", PY_KEYWORDS(init_subclass) | METH_CLASS, NULL},
    {"_call_impl", PY_KEYWORDS(module_run), "The call, with hooks."},
    {"_store", store_attribute, METH_VARARGS, "Sets an ordinary attribute."},
    {0},
};

static PyGetSetDef getset[] = {
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL},
    {0},
};

static PyTypeObject module_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "corten._C._ModuleBase",
    .tp_basicsize = sizeof(ModuleObject),
    .tp_dealloc = module_dealloc,
    .tp_call = module_call,
    .tp_getattro = module_getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = module_traverse,
    .tp_clear = module_clear,
    .tp_weaklistoffset = offsetof(ModuleObject, weakrefs),
    .tp_dictoffset = offsetof(ModuleObject, dict),
    .tp_methods = methods,
    .tp_getset = getset,
    .tp_new = module_new,
};

static PyMethodDef functions[] = {
    {"_set_module_hooks", set_global_hooks, METH_O,
     "Sets whether any hook is registered for all modules."},
    {0},
};

bool py_init_modules(PyObject *module)
{
    struct {
        PyObject **key;
        const char *text;
    } more[] = {
        {&forward_key, "forward"},
        {&hooked_key, "_call_with_hooks"},
        {&assign_key, "_assign"},
        {&getattr_key, "__getattr__"},
        {&getattribute_key, "__getattribute__"},
        {&not_saved_key, "_non_persistent_buffers_set"},
        {&compiled_key, "_compiled_call_impl"},
    };
    bool good = PyType_Ready(&module_type) == 0 && PyModule_AddFunctions(module, functions) == 0;
    for (int i = 0; good && i < MEMBERS; i++)
        good = (keys[i] = PyUnicode_InternFromString(key_texts[i])) != NULL;
    for (int i = 0; good && i < HOOKS; i++)
        good = (hook_keys[i] = PyUnicode_InternFromString(hook_texts[i])) != NULL;
    for (size_t i = 0; good && i < sizeof more / sizeof *more; i++)
        good = (*more[i].key = PyUnicode_InternFromString(more[i].text)) != NULL;
    return good && PyModule_AddObjectRef(module, "_ModuleBase", (PyObject *)&module_type) == 0;
}
