/* SPDX-License-Identifier: BSD-3-Clause */
/* Hooks of tensors and nodes: Python functions that get gradients during backward and may return
 * replacements, and the handles that remove them. The library decides when they run. */
#include "autograd/nodes.h"

#include "exchange/exchange.h"
#include "parse/parse.h"

typedef struct {
    PyObject ob_base;
    ct_hook_handle *handle; /* owned; NULL: removed, or the hook can never run */
} HandleObject;

static PyTypeObject handle_type;

/* ---- results of hooks ---- */

/* Raises "hook 'name' has ..."; returns false. */
static bool refuse_result(PyObject *hook, const char *format, ...)
{
    PyObject *name = PyObject_GetAttrString(hook, "__name__");
    PyErr_Clear();
    va_list values;
    va_start(values, format);
    PyObject *what = PyUnicode_FromFormatV(format, values);
    va_end(values);
    if (what)
        PyErr_Format(PyExc_RuntimeError, "hook '%S' has %U", name ? name : hook, what);
    Py_XDECREF(name);
    Py_XDECREF(what);
    return false;
}

/* A gradient that a hook returns must have the dtype and size of the one it replaces. */
static bool check_result(PyObject *hook, const ct_tensor *old, PyObject *value)
{
    if (!py_is_tensor(value)) {
        PyErr_Format(PyExc_TypeError, "expected Variable, but hook returned '%s'",
                     py_typename(value));
        return false;
    }
    const ct_tensor *fresh = py_tensor_of(value);
    if (!old)
        return true;
    if (ct_dtype(fresh) != ct_dtype(old))
        return refuse_result(
            hook, "changed the type of value (was torch.%sTensor got torch.%sTensor)",
            ct_dtype_scalar_name(ct_dtype(old)), ct_dtype_scalar_name(ct_dtype(fresh)));
    bool same = ct_ndim(fresh) == ct_ndim(old);
    for (int64_t d = 0; same && d < ct_ndim(old); d++)
        same = ct_shape_ptr(fresh)[d] == ct_shape_ptr(old)[d];
    return same || refuse_result(hook, "changed the size of value");
}

/* Replaces gradient i by a hook's result; None removes it. */
static bool replace_gradient(struct ct_hook_call *c, int64_t i, PyObject *hook, PyObject *value)
{
    if (value != Py_None && !check_result(hook, c->grads[i], value))
        return false;
    ct_tensor *old = c->grads[i];
    c->grads[i] = value == Py_None ? NULL : ct_retain(py_tensor_of(value));
    ct_release(old);
    return true;
}

/* Applies the result of a hook: a gradient or, if `several`, a tuple with one per gradient. None
 * keeps all. */
static bool apply_result(struct ct_hook_call *c, PyObject *hook, PyObject *answer, bool several)
{
    if (answer == Py_None)
        return true;
    if (!several)
        return replace_gradient(c, 0, hook, answer);
    if (!PyTuple_Check(answer)) {
        PyErr_Format(PyExc_TypeError, "expected tuple, but hook returned '%s'",
                     py_typename(answer));
        return false;
    }
    if (PyTuple_GET_SIZE(answer) != c->n)
        return refuse_result(hook,
                             "returned an incorrect number of values (got %zd, but expected "
                             "%zd)",
                             PyTuple_GET_SIZE(answer), (Py_ssize_t)c->n);
    for (int64_t i = 0; i < c->n; i++) {
        if (!replace_gradient(c, i, hook, PyTuple_GET_ITEM(answer, (Py_ssize_t)i)))
            return false;
    }
    return true;
}

/* ---- the hooks of tensors and nodes ---- */

/* The exception of a hook stays pending in Python; the library only learns that the hook failed. */
static bool finish_hook(PyGILState_STATE lock, bool good)
{
    PyGILState_Release(lock);
    if (!good)
        ct_fail(CT_ERR_RUNTIME, "a hook raised an exception");
    return good;
}

static bool tensor_hook(void *context, struct ct_hook_call *c)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *grad = py_wrap_borrowed(c->grads[0]);
    PyObject *answer = grad ? PyObject_CallOneArg(context, grad) : NULL;
    bool good = answer && apply_result(c, context, answer, false);
    Py_XDECREF(grad);
    Py_XDECREF(answer);
    return finish_hook(lock, good);
}

/* Returning the tensor itself is accepted: `lambda p: p.add_(p.grad)` does. */
static bool accumulated_hook(void *context, struct ct_hook_call *c)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *leaf = py_wrap_borrowed(c->grads[0]);
    PyObject *answer = leaf ? PyObject_CallOneArg(context, leaf) : NULL;
    if (answer && answer != Py_None && !py_is_tensor(answer)) {
        PyErr_Format(PyExc_TypeError, "expected Variable, but hook returned '%s'",
                     py_typename(answer));
        Py_CLEAR(answer);
    } else if (answer && answer != Py_None && answer != leaf) {
        PyErr_SetString(PyExc_RuntimeError,
                        "Tensor post accumulate grad hooks should return None.");
        Py_CLEAR(answer);
    }
    Py_XDECREF(leaf);
    Py_XDECREF(answer);
    return finish_hook(lock, answer != NULL);
}

static bool node_prehook(void *context, struct ct_hook_call *c)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *grads = py_tensors_tuple(c->grads, c->n);
    PyObject *answer = grads ? PyObject_CallOneArg(context, grads) : NULL;
    bool good = answer && apply_result(c, context, answer, true);
    Py_XDECREF(grads);
    Py_XDECREF(answer);
    return finish_hook(lock, good);
}

static bool node_hook(void *context, struct ct_hook_call *c)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *inputs = py_tensors_tuple(c->grads, c->n);
    PyObject *outputs = py_tensors_tuple(c->outputs, c->noutputs);
    PyObject *answer =
        inputs && outputs ? PyObject_CallFunctionObjArgs(context, inputs, outputs, NULL) : NULL;
    bool good = answer && apply_result(c, context, answer, true);
    Py_XDECREF(inputs);
    Py_XDECREF(outputs);
    Py_XDECREF(answer);
    return finish_hook(lock, good);
}

static ct_hook hook_of(bool (*call)(void *, struct ct_hook_call *), PyObject *function)
{
    py_track_held(function);
    return (ct_hook){call, py_release_object, Py_NewRef(function)};
}

/* ---- handles ---- */

static PyObject *wrap_handle(ct_hook_handle *owned)
{
    if (!owned)
        return py_raise();
    HandleObject *self = PyObject_New(HandleObject, &handle_type);
    if (self)
        self->handle = owned;
    else
        ct_hook_handle_release(owned);
    return (PyObject *)self;
}

static PyObject *handle_remove(PyObject *o, PyObject *unused)
{
    HandleObject *self = (HandleObject *)o;
    if (self->handle) {
        ct_hook_remove(self->handle);
        ct_hook_handle_release(self->handle);
        self->handle = NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *handle_enter(PyObject *self, PyObject *unused)
{
    return Py_NewRef(self);
}

static PyObject *handle_exit(PyObject *self, PyObject *args)
{
    return handle_remove(self, args);
}

static void handle_dealloc(PyObject *o)
{
    HandleObject *self = (HandleObject *)o;
    if (self->handle)
        ct_hook_handle_release(self->handle);
    Py_TYPE(o)->tp_free(o);
}

static PyObject *register_hook(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("hook", PY_OBJECT)};
    static struct py_signature signature = {.args = arg, .n = 1};
    static struct py_op op = {.name = "register_hook", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    py_track(self);
    ct_hook hook = hook_of(tensor_hook, frame.v[0].object);
    return wrap_handle(ct_register_hook(py_tensor_of(self), hook));
}

static PyObject *register_post_accumulate_grad_hook(PyObject *self, PyObject *hook)
{
    py_track(self);
    return wrap_handle(
        ct_register_post_accumulate_grad_hook(py_tensor_of(self), hook_of(accumulated_hook, hook)));
}

/* A handle for the hook of a ctx without a recorded node: the hook never runs. */
static PyObject *idle_handle(void)
{
    HandleObject *self = PyObject_New(HandleObject, &handle_type);
    if (self)
        self->handle = NULL;
    return (PyObject *)self;
}

PyObject *py_node_register_hook(PyObject *self, PyObject *hook)
{
    ct_node *n = ((NodeObject *)self)->node;
    return n ? wrap_handle(ct_node_register_hook(n, hook_of(node_hook, hook))) : idle_handle();
}

PyObject *py_node_register_prehook(PyObject *self, PyObject *hook)
{
    ct_node *n = ((NodeObject *)self)->node;
    return n ? wrap_handle(ct_node_register_prehook(n, hook_of(node_prehook, hook)))
             : idle_handle();
}

/* Returns the dict that the program has set; it is stored among the tensor's attributes. */
static PyObject *backward_hooks(PyObject *self, void *unused)
{
    PyObject *dict = py_attributes(self);
    PyObject *hooks = dict ? PyDict_GetItemString(dict, "_hooks_given") : NULL;
    return Py_NewRef(hooks ? hooks : Py_None);
}

/* Pickles and old programs set it: registers its functions, in order. */
static int set_backward_hooks(PyObject *self, PyObject *hooks, void *unused)
{
    if (!hooks || (hooks != Py_None && !PyDict_Check(hooks))) {
        PyErr_SetString(PyExc_TypeError, "_backward_hooks must be a dict of functions, or None");
        return -1;
    }
    PyObject *list = hooks == Py_None ? PyList_New(0) : PyDict_Values(hooks);
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *handle =
            PyObject_CallMethod(self, "register_hook", "O", PyList_GET_ITEM(list, i));
        Py_XDECREF(handle);
        if (!handle)
            Py_CLEAR(list);
    }
    bool good = list && (PyObject_Length(list) == 0 ||
                         PyObject_SetAttrString(self, "_hooks_given", hooks) == 0);
    Py_XDECREF(list);
    return good ? 0 : -1;
}

/* ---- the type of handles, methods of tensors ---- */

static PyMethodDef handle_methods[] = {
    {"remove", handle_remove, METH_NOARGS, "remove($self)\n--\n\nUnregisters the hook."},
    {"__enter__", handle_enter, METH_NOARGS, NULL},
    {"__exit__", handle_exit, METH_VARARGS, NULL},
    {0},
};

static PyTypeObject handle_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.utils.hooks.RemovableHandle",
    .tp_basicsize = sizeof(HandleObject),
    .tp_dealloc = handle_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_methods = handle_methods,
};

static PyMethodDef tensor_methods[] = {
    {"register_hook", PY_FAST(register_hook),
     "register_hook($self, hook)\n--\n\nRegisters a function that backward calls with the gradient "
     "of this tensor.\n\n"
     "Arguments:\n"
     "    hook (callable): called as hook(grad); a tensor that it returns replaces the "
     "gradient.\n\n"
     "Returns:\n"
     "    a handle, whose `remove()` unregisters the hook\n\n"
     "Example:\n"
     "    >>> x = torch.tensor(3., requires_grad=True)\n"
     "    >>> _ = x.register_hook(lambda grad: grad * 10)\n"
     "    >>> (x * x).backward()\n"
     "    >>> x.grad\n"
     "    tensor(60.)"},
    {"register_post_accumulate_grad_hook", register_post_accumulate_grad_hook, METH_O,
     "register_post_accumulate_grad_hook($self, hook)\n--\n\nRegisters a function that backward "
     "calls after it has added a gradient to this leaf.\n\n"
     "Arguments:\n"
     "    hook (callable): called as hook(leaf).\n\n"
     "Returns:\n"
     "    a handle, whose `remove()` unregisters the hook"},
    {0},
};

static PyGetSetDef tensor_attributes[] = {
    {"_backward_hooks", backward_hooks, set_backward_hooks, NULL, NULL},
    {0},
};

bool py_init_hooks(PyObject *module)
{
    return PyType_Ready(&handle_type) == 0 && py_add_methods(&py_TensorBase, tensor_methods) &&
           py_add_getset(&py_TensorBase, tensor_attributes);
}
