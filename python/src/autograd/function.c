/* SPDX-License-Identifier: BSD-3-Clause */
/* The object of torch.autograd.Function: the ctx of forward and backward, which is also the grad_fn
 * of the results. Implements its attributes and lifetime (Note [Who owns a function]) and calls the
 * user's backward for the engine. apply() is in function_apply.c; the classes that programs derive
 * from are in corten/autograd/function.py. */
#include "autograd/nodes.h"
#include "exchange/exchange.h"

/* ---- lifetime ---- */

static PyObject *function_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    FunctionObject *self = (FunctionObject *)type->tp_alloc(type, 0);
    if (self)
        self->materialize = true;
    return (PyObject *)self;
}

PyObject *py_hold_function(PyObject *handle, ct_node *owned)
{
    FunctionObject *self = (FunctionObject *)handle;
    if (!self->kept_by_c) {
        ct_node_release(owned);
        return Py_NewRef(handle);
    }
    self->kept_by_c = false; /* the caller takes over the node's reference to the object */
    py_clear_finalised(handle);
    return handle;
}

static void function_finalize(PyObject *o)
{
    FunctionObject *self = (FunctionObject *)o;
    if (!self->node || self->kept_by_c || ct_node_references(self->node) < 2)
        return;
    self->kept_by_c = true;
    Py_INCREF(self); /* now owned by the node */
    ct_node_release(self->node);
}

void py_release_function(void *context)
{
    struct py_function_link *link = context;
    PyGILState_STATE lock;
    if (!py_lock(&lock))
        return;
    FunctionObject *self = link->function;
    if (self) {
        bool kept = self->kept_by_c;
        self->node = NULL;
        self->link = NULL;
        self->kept_by_c = false;
        if (kept) {
            py_clear_finalised((PyObject *)self);
            Py_DECREF(self);
        }
    }
    PyMem_Free(link);
    PyGILState_Release(lock);
}

static int function_traverse(PyObject *o, visitproc visit, void *arg)
{
    FunctionObject *self = (FunctionObject *)o;
    Py_VISIT(self->to_save);
    Py_VISIT(self->non_differentiable);
    Py_VISIT(self->dirty);
    Py_VISIT(self->needs_input_grad);
    Py_VISIT(self->saved_for_forward);
    return self->node ? py_traverse_node(self->node, visit, arg) : 0;
}

static int function_clear(PyObject *o)
{
    FunctionObject *self = (FunctionObject *)o;
    Py_CLEAR(self->to_save);
    Py_CLEAR(self->non_differentiable);
    Py_CLEAR(self->dirty);
    Py_CLEAR(self->needs_input_grad);
    Py_CLEAR(self->saved_for_forward);
    return 0;
}

static void function_dealloc(PyObject *o)
{
    FunctionObject *self = (FunctionObject *)o;
    PyObject_GC_UnTrack(o);
    function_clear(o);
    Py_CLEAR(self->tensors);
    if (self->link)
        self->link->function = NULL;
    if (self->node) {
        ct_node_set_handle(self->node, NULL);
        ct_node_release(self->node);
    }
    Py_TYPE(o)->tp_free(o);
}

/* ---- the engine calls backward ---- */

/* Reads the gradient of argument i into c->out[edge]; arguments other than tensors must get
 * None. */
static bool read_gradient(FunctionObject *self, PyObject *item, Py_ssize_t i, int64_t edge,
                          struct ct_derivative_call *c)
{
    if (!PyBytes_AS_STRING(self->tensors)[i]) {
        if (item != Py_None)
            PyErr_Format(PyExc_RuntimeError,
                         "function %s returned a gradient different than None at position %zd, but "
                         "the corresponding forward input was not a Variable",
                         ct_node_name(c->node), i + 1);
        return item == Py_None;
    }
    if (item != Py_None && !py_is_tensor(item)) {
        PyErr_Format(PyExc_RuntimeError, "expected Variable or None (got %s)", py_typename(item));
        return false;
    }
    c->out[edge] = item == Py_None ? NULL : ct_retain(py_tensor_of(item));
    return true;
}

/* Reads what backward returned: one gradient per argument of forward; surplus Nones are ignored. */
static bool read_gradients(FunctionObject *self, PyObject *answer, struct ct_derivative_call *c)
{
    bool several = PyTuple_Check(answer);
    Py_ssize_t n = several ? PyTuple_GET_SIZE(answer) : 1, want = PyBytes_GET_SIZE(self->tensors);
    while (several && n > want && PyTuple_GET_ITEM(answer, n - 1) == Py_None)
        n--;
    if (n != want) {
        PyErr_Format(PyExc_RuntimeError,
                     "function %s returned an incorrect number of gradients (expected %zd, got "
                     "%zd)",
                     ct_node_name(c->node), want, several ? PyTuple_GET_SIZE(answer) : 1);
        return false;
    }
    int64_t edge = 0;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = several ? PyTuple_GET_ITEM(answer, i) : answer;
        if (!read_gradient(self, item, i, edge, c))
            return false;
        edge += PyBytes_AS_STRING(self->tensors)[i] != 0;
    }
    return true;
}

bool py_run_function(void *context, struct ct_derivative_call *c)
{
    const struct py_function_link *link = context;
    PyGILState_STATE lock = PyGILState_Ensure();
    if (!link->function) { /* a __del__ of the class replaces our finalizer */
        PyGILState_Release(lock);
        return ct_fail(CT_ERR_RUNTIME,
                       "%s: the ctx of the function was freed, because its class defines "
                       "__del__ and the graph cannot keep it alive; remove __del__",
                       ct_node_name(c->node)) != NULL;
    }
    PyObject *self = py_hold_function((PyObject *)link->function, ct_node_retain(c->node));
    PyObject *grads = py_tensors_tuple(c->grads, c->n), *answer = NULL;
    PyObject *apply = grads ? PyObject_GetAttrString(self, "apply") : NULL;
    if (apply)
        answer = PyObject_CallObject(apply, grads);
    bool good = answer && read_gradients((FunctionObject *)self, answer, c);
    Py_XDECREF(apply);
    Py_XDECREF(grads);
    Py_XDECREF(answer);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace); /* freeing self may run the program's code */
    Py_DECREF(self);
    PyErr_Restore(type, value, trace);
    PyGILState_Release(lock);
    if (!good)
        ct_fail(CT_ERR_RUNTIME, "backward raised an exception");
    return good;
}

/* ---- attributes ---- */

static PyObject *get_saved_tensors(PyObject *o, void *unused)
{
    ct_node *node = ((FunctionObject *)o)->node;
    if (!node)
        return PyTuple_New(0);
    int64_t n = ct_node_saved_count(node);
    if (n < 0)
        return py_raise();
    PyObject *tuple = PyTuple_New((Py_ssize_t)n);
    for (int64_t i = 0; tuple && i < n; i++) {
        ct_tensor *t = ct_own_node_saved(node, i);
        PyObject *item = t == CT_NO_TENSOR ? Py_NewRef(Py_None) : py_wrap(t);
        if (item)
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, item);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *get_saved_variables(PyObject *o, void *unused)
{
    if (PyErr_WarnEx(PyExc_DeprecationWarning,
                     "'saved_variables' is deprecated; use 'saved_tensors'", 1) < 0)
        return NULL;
    return get_saved_tensors(o, unused);
}

static PyObject **slot_of(PyObject *o, void *offset)
{
    return (PyObject **)(void *)((char *)o + (uintptr_t)offset);
}

static PyObject *get_object(PyObject *o, void *offset)
{
    PyObject *value = *slot_of(o, offset);
    return Py_NewRef(value ? value : Py_None);
}

static int set_object(PyObject *o, PyObject *value, void *offset)
{
    if (value == Py_None)
        value = NULL;
    Py_XINCREF(value);
    Py_XSETREF(*slot_of(o, offset), value);
    return 0;
}

static int set_materialize_grads(PyObject *o, PyObject *value, void *unused)
{
    if (!value || !PyBool_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "set_materialize_grads received an invalid combination of "
                                         "arguments - got (), but expected (bool)");
        return -1;
    }
    ((FunctionObject *)o)->materialize = value == Py_True;
    ct_node_set_undefined(((FunctionObject *)o)->node, value != Py_True);
    return 0;
}

static PyObject *get_requires_grad(PyObject *o, void *unused)
{
    return PyBool_FromLong(((FunctionObject *)o)->node != NULL);
}

static PyObject *get_next_functions(PyObject *o, void *unused)
{
    if (!((FunctionObject *)o)->node)
        return PyTuple_New(0);
    PyGetSetDef *own = py_Node.tp_getset;
    return own->get(o, unused); /* entry 0 is next_functions */
}

static PyObject *get_metadata(PyObject *o, void *unused)
{
    if (!((FunctionObject *)o)->node)
        return PyDict_New();
    PyGetSetDef *own = py_Node.tp_getset + 1;
    return own->get(o, unused); /* entry 1 is metadata */
}

static PyObject *name(PyObject *self, PyObject *unused)
{
    return PyObject_GetAttrString((PyObject *)Py_TYPE(self), "__name__");
}

#define SLOT(field) (void *)offsetof(FunctionObject, field)
static PyGetSetDef function_getset[] = {
    {"next_functions", get_next_functions, NULL,
     "The nodes that the gradients are passed to: (node, output number) pairs.", NULL},
    {"metadata", get_metadata, NULL, "A dict in which programs may store data.", NULL},
    {"saved_tensors", get_saved_tensors, NULL, "The tensors passed to `save_for_backward`.", NULL},
    {"saved_variables", get_saved_variables, NULL,
     "The tensors passed to `save_for_backward`; the old name of saved_tensors.", NULL},
    {"to_save", get_object, set_object, NULL, SLOT(to_save)},
    {"non_differentiable", get_object, set_object, NULL, SLOT(non_differentiable)},
    {"dirty_tensors", get_object, set_object, NULL, SLOT(dirty)},
    {"needs_input_grad", get_object, set_object, NULL, SLOT(needs_input_grad)},
    {"saved_for_forward", get_object, set_object, NULL, SLOT(saved_for_forward)},
    {"materialize_grads", NULL, set_materialize_grads, NULL, NULL},
    {"requires_grad", get_requires_grad, NULL, NULL, NULL},
    {0},
};

static PyMethodDef function_methods[] = {
    {"name", name, METH_NOARGS, "The name of the class."},
    {"apply", PY_KEYWORDS(py_apply_function) | METH_CLASS,
     "Runs forward and records backward as its derivative."},
    {0},
};

PyTypeObject py_FunctionBase = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C._FunctionBase",
    .tp_basicsize = sizeof(FunctionObject),
    .tp_base = &py_Node,
    .tp_new = function_new,
    .tp_dealloc = function_dealloc,
    .tp_traverse = function_traverse,
    .tp_clear = function_clear,
    .tp_finalize = function_finalize,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_methods = function_methods,
    .tp_getset = function_getset,
};

static PyMethodDef functions[] = {
    {"_function_tools", py_function_tools, METH_VARARGS, NULL},
    {"_intercept_functions", py_intercept_functions, METH_O, NULL},
    {"_watch_functions", py_watch_functions, METH_O, NULL},
    {0},
};

bool py_init_function(PyObject *module)
{
    py_FunctionBase.tp_repr = PyBaseObject_Type.tp_repr;
    py_FunctionBase.tp_getattro = PyObject_GenericGetAttr;
    return PyType_Ready(&py_FunctionBase) == 0 && PyModule_AddFunctions(module, functions) == 0 &&
           PyModule_AddObjectRef(module, "_FunctionBase", (PyObject *)&py_FunctionBase) == 0;
}
