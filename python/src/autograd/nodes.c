/* SPDX-License-Identifier: BSD-3-Clause */
/* The recorded graph in Python: x.grad_fn, next_functions, and the values that a node saved. A node
 * has at most one Python object, which lives as long as Python refers to it; its class is named
 * after the operation (AddBackward0). */
#include "autograd/nodes.h"

#include <string.h>

#include "exchange/exchange.h"

static PyTypeObject operation_type;
static PyObject *node_classes; /* {name: class} */

/* ---- nodes ---- */

static PyObject *class_named(const char *name)
{
    PyObject *found = PyDict_GetItemString(node_classes, name);
    if (found)
        return Py_NewRef(found);
    PyObject *made = PyObject_CallFunction((PyObject *)&PyType_Type, "s(O){s:s}", name,
                                           &operation_type, "__module__", "builtins");
    if (made && PyDict_SetItemString(node_classes, name, made) < 0)
        Py_CLEAR(made);
    return made;
}

PyObject *py_wrap_node(ct_node *owned)
{
    if (!owned)
        Py_RETURN_NONE;
    PyObject *handle = ct_node_handle(owned);
    if (handle && PyObject_TypeCheck(handle, &py_FunctionBase))
        return py_hold_function(handle, owned);
    if (handle) {
        ct_node_release(owned);
        return Py_NewRef(handle);
    }
    PyObject *class = class_named(ct_node_name(owned));
    NodeObject *self =
        class ? (NodeObject *)((PyTypeObject *)class)->tp_alloc((PyTypeObject *)class, 0) : NULL;
    Py_XDECREF(class);
    if (!self) {
        ct_node_release(owned);
        return NULL;
    }
    self->node = owned;
    ct_node_set_handle(owned, self);
    return (PyObject *)self;
}

static ct_node *self_node(PyObject *self)
{
    return ((NodeObject *)self)->node;
}

/* ---- for the garbage collector ---- */

struct traversal {
    visitproc visit;
    void *arg;
};

/* Visits the Python objects that the library holds: handles (drop is NULL), and objects that were
 * passed to it with py_release_object. Anything else is not a Python object. */
static int visit_held(void *object, void (*drop)(void *), void *context)
{
    const struct traversal *t = context;
    return !drop || drop == py_release_object ? t->visit(object, t->arg) : 0;
}

/* Note [Tracked]: to save work, plain tensors are not tracked by the garbage collector. A tensor
 * that holds another object through its graph, base or gradient must be tracked, or a cycle through
 * it would never be found. */
/* A search for tensors in an object that C is about to hold: the current depth, and the remaining
 * number of objects to visit. */
struct search {
    int depth, left;
};

static int track_found(PyObject *o, void *context)
{
    struct search *s = context;
    if (py_is_tensor(o))
        py_track(o);
    traverseproc traverse = Py_TYPE(o)->tp_traverse;
    if (s->depth == 4 || --s->left < 0 || !traverse || !PyObject_IS_GC(o) || PyType_Check(o) ||
        PyModule_Check(o) || py_is_tensor(o))
        return 0;
    s->depth++;
    if (PyFunction_Check(o)) { /* everything except its globals */
        PyObject *const parts[] = {PyFunction_GET_DEFAULTS(o), PyFunction_GET_KW_DEFAULTS(o),
                                   PyFunction_GET_CLOSURE(o)};
        for (int i = 0; i < 3; i++)
            if (parts[i])
                track_found(parts[i], s);
    } else {
        traverse(o, track_found, s);
    }
    s->depth--;
    return 0;
}

void py_track_held(PyObject *o)
{
    track_found(o, &(struct search){0, 200});
}

int py_traverse_tensor(ct_tensor *tensor, visitproc visit, void *arg)
{
    return ct_visit_held(tensor, visit_held, &(struct traversal){visit, arg});
}

int py_traverse_node(ct_node *node, visitproc visit, void *arg)
{
    return ct_node_visit_held(node, visit_held, &(struct traversal){visit, arg});
}

static int node_traverse(PyObject *self, visitproc visit, void *arg)
{
    return self_node(self) ? py_traverse_node(self_node(self), visit, arg) : 0;
}

static int node_clear(PyObject *self)
{
    (void)self; /* the tensors of the graph clear their own references */
    return 0;
}

/* ---- methods and attributes ---- */

static void node_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    ct_node *node = self_node(self);
    if (node) {
        ct_node_set_handle(node, NULL);
        ct_node_release(node);
    }
    Py_TYPE(self)->tp_free(self);
}

static PyObject *node_repr(PyObject *self)
{
    return PyUnicode_FromFormat("<%s object at %p>", ct_node_name(self_node(self)), (void *)self);
}

static PyObject *node_name(PyObject *self, PyObject *unused)
{
    const char *name = ct_node_name(self_node(self));
    const char *end = strstr(name, "Backward"); /* names of operations end in a number */
    bool of_row = end && Py_ISDIGIT(end[strlen("Backward")]);
    of_row = of_row || Py_ISDIGIT(name[strlen(name) - 1]);
    return PyUnicode_FromFormat("%s%s", of_row ? "" : "torch::autograd::", name);
}

static PyObject *next_functions(PyObject *self, void *unused)
{
    int64_t n = ct_node_edges(self_node(self));
    PyObject *tuple = PyTuple_New((Py_ssize_t)n);
    for (int64_t i = 0; tuple && i < n; i++) {
        int64_t nr = 0;
        ct_node *next = ct_node_next(self_node(self), i, &nr);
        PyObject *pair =
            Py_BuildValue("NL", py_wrap_node(next ? ct_node_retain(next) : NULL), (long long)nr);
        if (pair)
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, pair);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* The metadata dict, which the node owns. */
static PyObject *node_metadata(PyObject *self, void *unused)
{
    PyObject *dict = ct_node_note(self_node(self));
    if (dict)
        return Py_NewRef(dict);
    dict = PyDict_New();
    if (dict && !ct_node_set_note(self_node(self), Py_NewRef(dict), py_release_object))
        Py_CLEAR(dict);
    return dict ? dict : PyErr_NoMemory();
}

static PyObject *node_sequence(PyObject *self, PyObject *unused)
{
    return PyLong_FromUnsignedLongLong((unsigned long long)ct_node_sequence(self_node(self)));
}

/* Attributes _saved_self, _saved_result, ...: the values saved for the derivative. */
static PyObject *node_getattr(PyObject *self, PyObject *name)
{
    PyObject *found = PyObject_GenericGetAttr(self, name);
    const char *text = found ? NULL : PyUnicode_AsUTF8(name);
    ct_node *node = self_node(self);
    if (!text || !node || strncmp(text, "_saved_", 7) != 0 ||
        !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    text += 7;
    ct_value v = ct_node_saved_named(node, strcmp(text, "self") == 0 ? "input" : text);
    if (v.kind == CT_VALUE_NULL && !ct_error()) {
        PyErr_Restore(type, value, trace);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
    if (v.kind == CT_VALUE_NULL)
        return py_raise();
    if (v.kind == CT_VALUE_NONE)
        Py_RETURN_NONE;
    return v.kind == CT_VALUE_TENSOR ? py_wrap(v.as.tensor) : py_from_value(v);
}

PyObject *py_tensors_tuple(ct_tensor *const *v, int64_t n)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)n);
    for (int64_t i = 0; tuple && i < n; i++) {
        PyObject *item = py_wrap_borrowed(v[i]);
        if (item)
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, item);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* fn(*grad_outputs): runs the derivative of the node. */
static PyObject *node_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    ct_node *node = self_node(self);
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    int64_t want = ct_node_results(node), edges = ct_node_edges(node);
    if (n != want)
        return PyErr_Format(PyExc_TypeError, "expected %zd arguments, got %zd instead",
                            (Py_ssize_t)want, n);
    ct_tensor **grads = PyMem_Calloc((size_t)(n + edges) + 1, sizeof *grads), **out = grads + n;
    for (Py_ssize_t i = 0; grads && i < n; i++) {
        PyObject *o = PyTuple_GET_ITEM(args, i);
        if (o != Py_None && !py_is_tensor(o)) {
            PyMem_Free(grads);
            return PyErr_Format(PyExc_TypeError, "expected Variable or None (got %s)",
                                py_typename(o));
        }
        grads[i] = o == Py_None ? CT_NO_TENSOR : py_tensor_of(o);
    }
    PyObject *tuple = NULL;
    if (!grads)
        return PyErr_NoMemory();
    if (!ct_node_run(node, ct_list_of(grads, n), out))
        py_raise();
    else
        tuple = py_tensors_tuple(out, edges);
    for (int64_t i = 0; i < edges; i++)
        ct_release(out[i]);
    PyMem_Free(grads);
    if (!tuple || edges != 1)
        return tuple;
    PyObject *one = Py_NewRef(PyTuple_GET_ITEM(tuple, 0));
    Py_DECREF(tuple);
    return one;
}

static PyObject *node_requires_grad(PyObject *self, void *unused)
{
    Py_RETURN_TRUE;
}

static PyObject *node_variable(PyObject *self, void *unused)
{
    ct_tensor *variable = ct_node_variable(self_node(self));
    if (variable)
        return py_wrap_borrowed(variable);
    return PyErr_Format(PyExc_AttributeError, "'%s' object has no attribute 'variable'",
                        py_typename(self));
}

/* ---- the types ---- */

static PyGetSetDef node_getset[] = {
    {"next_functions", next_functions, NULL,
     "The nodes that the gradients are passed to: (node, output number) pairs.", NULL},
    {"metadata", node_metadata, NULL, "A dict in which programs may store data.", NULL},
    {"requires_grad", node_requires_grad, NULL, "Whether gradients flow through the node.", NULL},
    {"variable", node_variable, NULL, "The leaf of an AccumulateGrad node.", NULL},
    {0},
};

static PyMethodDef node_methods[] = {
    {"name", node_name, METH_NOARGS, "The name of the operation."},
    {"_sequence_nr", node_sequence, METH_NOARGS,
     "The sequence number: increases with every recorded operation."},
    {"register_hook", py_node_register_hook, METH_O,
     "Registers hook(grad_inputs, grad_outputs), called after the node's derivative."},
    {"register_prehook", py_node_register_prehook, METH_O,
     "Registers hook(grad_outputs), called before the node's derivative."},
    {0},
};

PyTypeObject py_Node = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.autograd.graph.Node",
    .tp_doc = "A node of the graph: a recorded operation, the `grad_fn` of its results.",
    .tp_basicsize = sizeof(NodeObject),
    .tp_dealloc = node_dealloc,
    .tp_repr = node_repr,
    .tp_getattro = node_getattr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC |
                Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = node_traverse,
    .tp_clear = node_clear,
    .tp_methods = node_methods,
    .tp_getset = node_getset,
};

/* Nodes of operations are callable; those of a Function are not. */
static PyTypeObject operation_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.autograd.graph.Operation",
    .tp_basicsize = sizeof(NodeObject),
    .tp_base = &py_Node,
    .tp_call = node_call,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
};

static PyObject *get_any_grad_fn(PyObject *self, void *unused)
{
    ct_node *node = ct_own_grad_fn(py_tensor_of(self));
    if (!node && ct_error())
        return py_raise();
    return py_wrap_node(node);
}

static PyObject *get_grad_fn(PyObject *self, void *unused)
{
    if (ct_is_only_dual(py_tensor_of(self)))
        Py_RETURN_NONE;
    return get_any_grad_fn(self, unused);
}

static PyGetSetDef tensor_getset[] = {
    {"_grad_fn", get_any_grad_fn, NULL, "Like grad_fn, also for dual numbers.", NULL},
    {"grad_fn", get_grad_fn, NULL,
     "The node of the graph that made this tensor, or None for a leaf.", NULL},
    {0},
};

bool py_init_nodes(PyObject *module)
{
    node_classes = PyDict_New();
    return node_classes && PyType_Ready(&py_Node) == 0 && PyType_Ready(&operation_type) == 0 &&
           py_add_getset(&py_TensorBase, tensor_getset) &&
           PyModule_AddObjectRef(module, "_Node", (PyObject *)&py_Node) == 0;
}
