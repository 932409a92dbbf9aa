/* SPDX-License-Identifier: BSD-3-Clause */
/* The base of nn.Module: what every step of a network goes through. A call looks at one flag and
 * four dicts and then calls `forward`; an attribute is looked for in the object's dict and then
 * among parameters, buffers and modules. All state lies in plain dicts in `__dict__`, where
 * pickles, copies and programs find it. The rest of a module is Python (nn/modules/module.py). */
#include "face.h"

typedef struct {
    PyObject ob_base;
    PyObject *dict, *weakrefs;
} ModuleObject;

static PyTypeObject module_type;
static bool global_hooks; /* some hook is registered for all modules */

/* Names of entries in __dict__, interned. */
enum { PARAMETERS, BUFFERS, MODULES, MEMBERS };
static const char *const key_texts[] = {"_parameters", "_buffers", "_modules"};
static PyObject *keys[MEMBERS];
static const char *const hook_texts[] = {"_backward_hooks", "_backward_pre_hooks", "_forward_hooks",
                                         "_forward_pre_hooks"};
#define HOOKS (int)(sizeof hook_texts / sizeof *hook_texts)
static PyObject *hook_keys[HOOKS];
static PyObject *forward_key, *hooked_key, *assign_key, *getattr_key, *getattribute_key,
    *not_saved_key, *compiled_key;

static inline PyObject *dict_of(PyObject *o)
{
    return ((ModuleObject *)o)->dict;
}

/* A dict in __dict__, borrowed; NULL: Module.__init__ has not run. */
static inline PyObject *own_dict(PyObject *o, PyObject *key)
{
    PyObject *dict = dict_of(o), *found = dict ? PyDict_GetItemWithError(dict, key) : NULL;
    return found && PyDict_Check(found) ? found : NULL;
}

/* ---- attributes ---- */

static PyObject *no_attribute(PyObject *o, PyObject *name)
{
    if (PyErr_Occurred())
        return NULL;
    PyObject *error =
        PyUnicode_FromFormat("'%s' object has no attribute '%U'", py_typename(o), name);
    PyObject *class = PyExc_AttributeError;
    PyObject *raised = error ? PyObject_CallOneArg(class, error) : NULL;
    if (raised && PyObject_SetAttrString(raised, "name", name) == 0 &&
        PyObject_SetAttrString(raised, "obj", o) == 0) /* for suggestions in tracebacks */
        PyErr_SetObject(class, raised);
    Py_XDECREF(raised);
    Py_XDECREF(error);
    return NULL;
}

/* A parameter, buffer or module: new reference, or NULL with or without an error. */
static PyObject *member(PyObject *o, PyObject *name)
{
    for (int i = 0; i < MEMBERS; i++) {
        PyObject *members = own_dict(o, keys[i]);
        PyObject *found = members ? PyDict_GetItemWithError(members, name) : NULL;
        if (found)
            return Py_NewRef(found);
    }
    return NULL;
}

static PyObject *module_getattro(PyObject *o, PyObject *name)
{
    PyTypeObject *type = Py_TYPE(o);
    PyObject *in_class = _PyType_Lookup(type, name), *found;
    descrgetfunc get = in_class ? Py_TYPE(in_class)->tp_descr_get : NULL;
    Py_XINCREF(in_class);
    if (get && Py_TYPE(in_class)->tp_descr_set) { /* a property comes before everything */
        found = get(in_class, o, (PyObject *)type);
        Py_DECREF(in_class);
        return found;
    }
    found = dict_of(o) ? Py_XNewRef(PyDict_GetItemWithError(dict_of(o), name)) : NULL;
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
    found = member(o, name);
    return found ? found : no_attribute(o, name);
}

/* Module.__getattr__(name), which classes with a __getattr__ of their own call. */
static PyObject *module_getattr(PyObject *o, PyObject *name)
{
    PyObject *found = member(o, name);
    return found ? found : no_attribute(o, name);
}

/* Python gives each class below one that has __getattr__ the long way to attributes. A class that
 * does not have its own goes back to the short one. */
static PyObject *init_subclass(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    if (PyTuple_GET_SIZE(args) || (kwargs && PyDict_GET_SIZE(kwargs)))
        return PyErr_Format(PyExc_TypeError, "%s.__init_subclass__() takes no keyword arguments",
                            ((PyTypeObject *)cls)->tp_name);
    PyTypeObject *type = (PyTypeObject *)cls;
    PyObject *base = (PyObject *)&module_type;
    bool own =
        _PyType_Lookup(type, getattr_key) != _PyType_Lookup((PyTypeObject *)base, getattr_key) ||
        _PyType_Lookup(type, getattribute_key) !=
            _PyType_Lookup((PyTypeObject *)base, getattribute_key);
    if (!own)
        type->tp_getattro = module_getattro;
    Py_RETURN_NONE;
}

static int is_member(PyObject *o, PyObject *name)
{
    for (int i = 0; i < MEMBERS; i++) {
        PyObject *members = own_dict(o, keys[i]);
        int found = members ? PyDict_Contains(members, name) : 0;
        if (found)
            return found;
    }
    return PyErr_Occurred() ? -1 : 0;
}

static int delete_member(PyObject *o, PyObject *name)
{
    for (int i = 0; i < MEMBERS; i++) {
        PyObject *members = own_dict(o, keys[i]);
        if (!members || PyDict_Contains(members, name) != 1)
            continue;
        PyObject *not_saved = PyDict_GetItemWithError(dict_of(o), not_saved_key);
        if (i == BUFFERS && not_saved && PySet_Discard(not_saved, name) < 0)
            return -1;
        return PyDict_DelItem(members, name);
    }
    return -1;
}

/* Tensors, modules and names of members are Python's (Module._assign); the rest is stored. */
static int module_setattro(PyObject *o, PyObject *name, PyObject *value)
{
    int known = is_member(o, name);
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

/* object.__setattr__ of a module. */
static PyObject *store(PyObject *o, PyObject *args)
{
    PyObject *name, *value;
    if (!PyArg_ParseTuple(args, "UO", &name, &value))
        return NULL;
    if (PyObject_GenericSetAttr(o, name, value) < 0)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- the call ---- */

/* 1: no hook is in the way, 0: some is, -1: raised. */
static inline int is_quiet(PyObject *o)
{
    PyObject *dict = dict_of(o);
    if (global_hooks || !dict)
        return 0;
    for (int i = 0; i < HOOKS; i++) {
        PyObject *hooks = PyDict_GetItemWithError(dict, hook_keys[i]);
        if (!hooks) { /* Module.__init__ has not run */
            no_attribute(o, hook_keys[i]);
            return -1;
        }
        if (!PyDict_Check(hooks) || PyDict_GET_SIZE(hooks))
            return 0;
    }
    return 1;
}

#define SHORT_CALL 6

/* A method of the class with the arguments of a call, without a bound object on the way. */
static PyObject *call_method(PyObject *o, PyObject *name, PyObject *args, PyObject *kwargs)
{
    PyObject *f = dict_of(o) ? PyDict_GetItemWithError(dict_of(o), name) : NULL;
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (!f && !PyErr_Occurred()) {
        f = _PyType_Lookup(Py_TYPE(o), name);
        bool quick = f && PyFunction_Check(f) && n < SHORT_CALL && !kwargs;
        if (quick) {
            PyObject *all[SHORT_CALL] = {o};
            for (Py_ssize_t i = 0; i < n; i++)
                all[i + 1] = PyTuple_GET_ITEM(args, i);
            Py_INCREF(f);
            PyObject *answer = PyObject_Vectorcall(f, all, (size_t)n + 1, NULL);
            Py_DECREF(f);
            return answer;
        }
    }
    f = PyErr_Occurred() ? NULL : PyObject_GetAttr(o, name);
    PyObject *answer = f ? PyObject_Call(f, args, kwargs) : NULL;
    Py_XDECREF(f);
    return answer;
}

static PyObject *run(PyObject *o, PyObject *args, PyObject *kwargs)
{
    int quiet = is_quiet(o);
    return quiet < 0 ? NULL : call_method(o, quiet ? forward_key : hooked_key, args, kwargs);
}

static PyObject *module_call(PyObject *o, PyObject *args, PyObject *kwargs)
{
    PyObject *compiled = dict_of(o) ? PyDict_GetItemWithError(dict_of(o), compiled_key) : NULL;
    if (!compiled || compiled == Py_None)
        return PyErr_Occurred() ? NULL : run(o, args, kwargs);
    Py_INCREF(compiled);
    PyObject *answer = PyObject_Call(compiled, args, kwargs);
    Py_DECREF(compiled);
    return answer;
}

/* ---- the type ---- */

static PyObject *module_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)args;
    (void)kwargs;
    ModuleObject *self = (ModuleObject *)type->tp_alloc(type, 0);
    if (self && !(self->dict = PyDict_New()))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static int module_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(dict_of(o));
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
    (void)module;
    int truth = PyObject_IsTrue(on);
    if (truth < 0)
        return NULL;
    global_hooks = truth;
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"__getattr__", module_getattr, METH_O, "A parameter, buffer or module by its name."},
    {"__init_subclass__", PY_KEYWORDS(init_subclass) | METH_CLASS, NULL},
    {"_call_impl", PY_KEYWORDS(run), "The call, with hooks."},
    {"_store", store, METH_VARARGS, "Sets an ordinary attribute."},
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
    .tp_setattro = module_setattro,
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
    {"_set_module_hooks", set_global_hooks, METH_O, "Whether some hook is for all modules."},
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
