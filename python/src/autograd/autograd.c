/* SPDX-License-Identifier: BSD-3-Clause */
/* Python's interface to the backward engine: backward(), gradients of lists, retain_grad(), dual
 * numbers and guards. corten.autograd handles the optional arguments; nodes and hooks are in
 * nodes.c and hooks.c. */
#include "parse/parse.h"

#include <corten/autograd.h>

/* ---- lists of tensors ---- */

static const char some_inputs[] = "all inputs have to be Tensors or GradientEdges";

static void free_tensors(ct_list list)
{
    for (int64_t i = 0; i < list.n; i++)
        if (list.v[i] != CT_NO_TENSOR)
            ct_release(list.v[i]);
    PyMem_Free((void *)list.v);
}

/* Reads a sequence of tensors (None becomes CT_NO_TENSOR); release it with free_tensors. Holds a
 * reference to each tensor, since hooks and other threads may change the sequence during
 * backward. */
static bool read_tensors(PyObject *o, const char *what, ct_list *list)
{
    *list = ct_list_of(NULL, 0);
    if (o == Py_None)
        return true;
    PyObject *items = PySequence_Tuple(o);
    if (!items)
        return false;
    Py_ssize_t n = PyTuple_GET_SIZE(items);
    ct_tensor **v = PyMem_Calloc((size_t)n + 1, sizeof *v);
    for (Py_ssize_t i = 0; v && i < n; i++) {
        PyObject *item = PyTuple_GET_ITEM(items, i);
        if ((item != Py_None || what == some_inputs) && !py_is_tensor(item)) {
            PyErr_Format(what == some_inputs ? PyExc_RuntimeError : PyExc_TypeError,
                         "%s, but got %s", what, py_typename(item));
            free_tensors(ct_list_of(v, i));
            Py_DECREF(items);
            return false;
        }
        v[i] = item == Py_None ? CT_NO_TENSOR : ct_retain(py_tensor_of(item));
    }
    Py_DECREF(items);
    *list = ct_list_of(v, v ? n : 0);
    return v || PyErr_NoMemory();
}

/* ---- the engine ---- */

/* One run of the engine: its arguments and results. */
struct job {
    ct_list outputs, given, inputs;
    bool retain, create, allow_unused;
    ct_tensor **grads; /* NULL for backward(), which accumulates into leaves */
    bool good;
    PyObject *type, *value, *trace; /* exception of a run on another thread, owned */
};

static void run_job(struct job *job)
{
    PyThreadState *unlocked = PyEval_SaveThread();
    if (job->grads)
        job->good = ct_autograd_gradients(job->outputs, job->inputs, job->given, job->retain,
                                          job->create, job->allow_unused, job->grads);
    else
        job->good =
            ct_autograd_backward(job->outputs, job->given, job->retain, job->create, job->inputs);
    PyEval_RestoreThread(unlocked);
    if (!job->good)
        py_raise();
}

static void run_on_thread(void *context)
{
    struct job *job = context;
    PyGILState_STATE lock = PyGILState_Ensure();
    run_job(job);
    PyErr_Fetch(&job->type, &job->value, &job->trace);
    PyGILState_Release(lock);
}

#define MAX_NESTED_RUNS 60 /* nested runs on one stack; the same limit as PyTorch's */

/* Note [Runs inside runs]: a hook or a backward may call backward() again. Each nested run takes
 * frames of Python's stack, which has a recursion limit, and of C's stack. From a certain depth on,
 * runs move to another thread, which starts with empty stacks. */
static bool run_engine(struct job *job)
{
    bool moved = false;
    if (ct_engine_depth() >= MAX_NESTED_RUNS) {
        PyThreadState *unlocked = PyEval_SaveThread();
        moved = ct_engine_apart(run_on_thread, job);
        PyEval_RestoreThread(unlocked);
        PyErr_Restore(job->type, job->value, job->trace);
    }
    if (!moved)
        run_job(job);
    return job->good;
}

/* _backward(tensors, gradients, retain_graph, create_graph, inputs) */
static PyObject *backward_many(PyObject *module, PyObject *args)
{
    PyObject *tensors, *gradients, *inputs;
    int retain, create;
    if (!PyArg_ParseTuple(args, "OOppO", &tensors, &gradients, &retain, &create, &inputs))
        return NULL;
    struct job job = {.retain = retain, .create = create};
    bool good = read_tensors(tensors, "tensors must be Tensors", &job.outputs) &&
                read_tensors(gradients, "gradients can be either Tensors or None", &job.given) &&
                read_tensors(inputs, some_inputs, &job.inputs) && run_engine(&job);
    free_tensors(job.outputs);
    free_tensors(job.given);
    free_tensors(job.inputs);
    return good ? py_emit_warnings(Py_NewRef(Py_None)) : NULL;
}

static PyObject *wrap_gradients(ct_tensor **grads, int64_t n)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)n);
    for (int64_t i = 0; i < n; i++) {
        PyObject *item = !tuple ? NULL : grads[i] ? py_wrap(grads[i]) : Py_NewRef(Py_None);
        if (item)
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, item);
        else if (tuple)
            Py_CLEAR(tuple);
        else
            ct_release(grads[i]);
    }
    return tuple;
}

/* _gradients(outputs, inputs, grad_outputs, retain_graph, create_graph, allow_unused) */
static PyObject *gradients_many(PyObject *module, PyObject *args)
{
    PyObject *outputs, *inputs, *given;
    int retain, create, allow_unused;
    if (!PyArg_ParseTuple(args, "OOOppp", &outputs, &inputs, &given, &retain, &create,
                          &allow_unused))
        return NULL;
    struct job job = {.retain = retain, .create = create, .allow_unused = allow_unused};
    bool good = read_tensors(outputs, "outputs must be Tensors", &job.outputs) &&
                read_tensors(inputs, some_inputs, &job.inputs) &&
                read_tensors(given, "gradients can be either Tensors or None", &job.given);
    job.grads = good ? PyMem_Calloc((size_t)job.inputs.n + 1, sizeof *job.grads) : NULL;
    PyObject *answer = NULL;
    if (good && !job.grads)
        PyErr_NoMemory();
    else if (good && run_engine(&job))
        answer = wrap_gradients(job.grads, job.inputs.n);
    PyMem_Free(job.grads);
    free_tensors(job.outputs);
    free_tensors(job.inputs);
    free_tensors(job.given);
    return answer;
}

/* ---- x.backward() ---- */

static struct py_arg backward_args[] = {
    PY_OR_NONE("gradient", PY_OBJECT, 0),
    PY_OR_NONE("retain_graph", PY_BOOL_OPT, 0),
    PY_OFF("create_graph", 0),
    PY_OR_NONE("inputs", PY_OBJECT, 0),
};
static struct py_signature backward_signature = {.args = backward_args, .n = 4};
static struct py_op backward_op = {.name = "backward", .signatures = &backward_signature, .n = 1};

/* Passes arguments other than tensors (lists, dicts, edges) to corten.autograd.backward(). */
static PyObject *backward_of_lists(PyObject *self, PyObject *gradient, bool retain, bool create,
                                   PyObject *inputs)
{
    PyObject *module = PyImport_ImportModule("corten.autograd");
    PyObject *function = module ? PyObject_GetAttrString(module, "backward") : NULL;
    PyObject *answer = NULL;
    if (function)
        answer = PyObject_CallFunction(function, "OOOOOO", self, gradient ? gradient : Py_None,
                                       retain ? Py_True : Py_False, create ? Py_True : Py_False,
                                       Py_None, inputs ? inputs : Py_None);
    Py_XDECREF(function);
    Py_XDECREF(module);
    return answer;
}

static PyObject *run_backward(PyObject *self, const union py_value *v)
{
    PyObject *gradient = v[0].object, *inputs = v[3].object;
    bool create = v[2].b, retain = v[1].small < 0 ? create : v[1].small;
    if ((gradient && !py_is_tensor(gradient)) || (inputs && !py_is_tensor(inputs)))
        return backward_of_lists(self, gradient, retain, create, inputs);
    ct_tensor *one = py_tensor_of(self), *given = gradient ? py_tensor_of(gradient) : NULL;
    ct_tensor *lone = inputs ? py_tensor_of(inputs) : NULL;
    struct job job = {.outputs = ct_list_of(&one, 1),
                      .given = ct_list_of(given ? &given : NULL, given ? 1 : 0),
                      .inputs = ct_list_of(lone ? &lone : NULL, lone ? 1 : 0),
                      .retain = retain,
                      .create = create};
    return run_engine(&job) ? py_emit_warnings(Py_NewRef(Py_None)) : NULL;
}

static PyObject *backward(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    return py_read(&frame, &backward_op, self, args, nargs, names) < 0
               ? NULL
               : run_backward(self, frame.v);
}

static PyObject *retain_grad(PyObject *self, PyObject *unused)
{
    if (!ct_retain_grad(py_tensor_of(self)))
        return py_raise();
    Py_RETURN_NONE;
}

static PyObject *detach_(PyObject *self, PyObject *unused)
{
    return ct_detach_(py_tensor_of(self)) ? Py_NewRef(self) : py_raise();
}

static PyObject *detach_input(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                              PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("input", PY_TENSOR)};
    static struct py_signature signature = {.args = arg, .n = 1};
    static struct py_op op = {.name = "detach_", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, NULL, args, nargs, names) < 0)
        return NULL;
    ct_tensor *t = frame.v[0].tensor;
    return ct_detach_(t) ? py_wrap(ct_retain(t)) : py_raise();
}

static PyObject *is_view(PyObject *self, PyObject *unused)
{
    ct_tensor *t = py_tensor_of(self);
    return PyBool_FromLong(!ct_is_inference(t) && ct_base_of(t));
}

static PyObject *dual_enter(PyObject *self, PyObject *unused)
{
    return ct_dual_enter() ? Py_NewRef(Py_None) : py_raise();
}

static PyObject *dual_exit(PyObject *self, PyObject *unused)
{
    return ct_dual_exit() ? Py_NewRef(Py_None) : py_raise();
}

static PyObject *set_tangents(PyObject *self, PyObject *on)
{
    (void)self;
    int flag = PyObject_IsTrue(on);
    return flag < 0 ? NULL : PyBool_FromLong(ct_set_tangents_enabled(flag));
}

static PyObject *make_dual(PyObject *self, PyObject *args)
{
    PyObject *primal, *tangent;
    int again = 0;
    if (!PyArg_ParseTuple(args, "OO|p:make_dual", &primal, &tangent, &again))
        return NULL;
    if (!py_is_tensor(primal) || !py_is_tensor(tangent))
        return PyErr_Format(PyExc_TypeError, "make_dual() takes tensors, not %s and %s",
                            py_typename(primal), py_typename(tangent));
    ct_tensor *t = ct_own_make_dual(py_tensor_of(primal), py_tensor_of(tangent), again);
    return t ? py_wrap(t) : py_raise();
}

static PyObject *dual_tangent(PyObject *self, PyObject *o)
{
    ct_tensor *t = py_is_tensor(o) ? ct_own_dual_tangent(py_tensor_of(o)) : NULL;
    if (!t && ct_error())
        return py_raise();
    return t ? py_wrap(t) : Py_NewRef(Py_None);
}

static PyObject *is_dual(PyObject *self, PyObject *o)
{
    return PyBool_FromLong(py_is_tensor(o) && ct_is_dual(py_tensor_of(o)));
}

/* Returns requires_grad as the library sees it: also true for dual numbers. */
static PyObject *is_recorded(PyObject *self, PyObject *o)
{
    return PyBool_FromLong(py_is_tensor(o) && ct_requires_grad(py_tensor_of(o)));
}

/* _guard_enter(kind, draws) */
static PyObject *guard_enter(PyObject *self, PyObject *args)
{
    int kind, draws;
    if (!PyArg_ParseTuple(args, "ii:_guard_enter", &kind, &draws))
        return NULL;
    bool good = ct_guard_enter((enum ct_guard_kind)kind, (enum ct_guard_draws)draws);
    return good ? Py_NewRef(Py_None) : py_raise();
}

static PyObject *guard_exit(PyObject *self, PyObject *unused)
{
    ct_guard_exit();
    Py_RETURN_NONE;
}

static PyObject *guard_kind(PyObject *self, PyObject *unused)
{
    return PyLong_FromLong(ct_guard_kind());
}

static PyObject *guard_repeat(PyObject *self, PyObject *unused)
{
    return ct_guard_repeat() ? Py_NewRef(Py_None) : py_raise();
}

/* _guard_admit(tensor, level=-1): sets the guard level of a tensor; returns the old one. */
static PyObject *guard_admit(PyObject *self, PyObject *args)
{
    PyObject *o;
    int level = -1;
    if (!PyArg_ParseTuple(args, "O|i:_guard_admit", &o, &level))
        return NULL;
    if (!py_is_tensor(o))
        return PyErr_Format(PyExc_TypeError, "_guard_admit() takes a tensor");
    return PyLong_FromLong(ct_guard_admit(py_tensor_of(o), level));
}

static PyObject *guard_inside(PyObject *self, PyObject *o)
{
    return PyBool_FromLong(py_is_tensor(o) && ct_guard_inside(py_tensor_of(o)));
}

static PyMethodDef methods[] = {
    {"_is_view", is_view, METH_NOARGS, NULL},
    {"backward", PY_FAST(backward),
     "backward($self, gradient=None, retain_graph=None, create_graph=False, "
     "inputs=None)\n--\n\nAccumulates the gradients of this tensor in the `grad` of the leaves "
     "that it was computed from.\n\n"
     "Gradients are added to those that `grad` already contains; set it to None (or call\n"
     "`optimizer.zero_grad()`) between steps. The saved values of the graph are freed unless it is "
     "retained.\n\n"
     "Arguments:\n"
     "    gradient (Tensor or None): the gradient of the final result with respect to this tensor, "
     "of the\n"
     "        same shape; may be left out for a tensor of one element, where it is 1.\n"
     "    retain_graph (bool or None): whether the graph stays, for another backward; None: like "
     "create_graph.\n"
     "    create_graph (bool): whether the gradients can be differentiated again. Default: "
     "`False`.\n"
     "    inputs (sequence of Tensors or None): the leaves that get gradients; None: all.\n\n"
     "Example:\n"
     "    >>> x = torch.tensor(3., requires_grad=True)\n"
     "    >>> (x * x).backward()\n"
     "    >>> x.grad\n"
     "    tensor(6.)"},
    {"detach_", detach_, METH_NOARGS,
     "detach_($self)\n--\n\nDetaches this tensor from the graph, in place: it becomes a leaf and "
     "does not require a gradient."},
    {"retain_grad", retain_grad, METH_NOARGS,
     "retain_grad($self)\n--\n\nMakes backward store the gradient of this tensor in `grad`, "
     "although it is not a leaf.\n\n"
     "    >>> x = torch.ones(1, requires_grad=True)\n"
     "    >>> y = x * 2\n"
     "    >>> y.retain_grad()\n"
     "    >>> y.backward()\n"
     "    >>> y.grad\n"
     "    tensor([1.])"},
    {0},
};

static PyMethodDef functions[] = {
    {"_backward", backward_many, METH_VARARGS, NULL},
    {"_guard_enter", guard_enter, METH_VARARGS, NULL},
    {"_guard_exit", guard_exit, METH_NOARGS, NULL},
    {"_guard_kind", guard_kind, METH_NOARGS, NULL},
    {"_guard_repeat", guard_repeat, METH_NOARGS, NULL},
    {"_guard_admit", guard_admit, METH_VARARGS, NULL},
    {"_guard_inside", guard_inside, METH_O, NULL},
    {"_dual_enter", dual_enter, METH_NOARGS, NULL},
    {"_dual_exit", dual_exit, METH_NOARGS, NULL},
    {"_set_tangents_enabled", set_tangents, METH_O, NULL},
    {"_make_dual", make_dual, METH_VARARGS, NULL},
    {"_dual_tangent", dual_tangent, METH_O, NULL},
    {"_is_dual", is_dual, METH_O, NULL},
    {"_is_recorded", is_recorded, METH_O, NULL},
    {"_gradients", gradients_many, METH_VARARGS, NULL},
    {"detach_", PY_FAST(detach_input),
     "detach_(input)\n--\n\nDetaches the tensor from the graph, in place: it becomes a leaf and "
     "does not require a gradient."},
    {0},
};

bool py_init_autograd(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods) && PyModule_AddFunctions(module, functions) == 0;
}
