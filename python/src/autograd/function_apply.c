/* SPDX-License-Identifier: BSD-3-Clause */
/* Function.apply(): runs the user's forward without recording, then ties its results to a node
 * whose derivative is the user's backward. ct_node_tie implements the rules for results that are
 * inputs, written in place, or marked; this file reads the marks and wraps the results. */
#include "autograd/nodes.h"
#include "parse/parse.h"

/* Set by corten/autograd/function.py: the default setup_context, which does nothing, and the
 * function that binds keywords and defaults to positions. */
static PyObject *default_setup, *bind_arguments;

/* _function_tools(setup_context, bind) */
PyObject *py_function_tools(PyObject *module, PyObject *args)
{
    PyObject *setup, *bind;
    if (!PyArg_ParseTuple(args, "OO", &setup, &bind))
        return NULL;
    Py_XSETREF(default_setup, Py_NewRef(setup));
    Py_XSETREF(bind_arguments, Py_NewRef(bind));
    Py_RETURN_NONE;
}

static PyObject *watcher, *interceptor;

/* _intercept_functions(f): apply() first calls f(class, args, kwargs or None) and continues only if
 * that returns NotImplemented. None removes it. */
PyObject *py_intercept_functions(PyObject *module, PyObject *f)
{
    Py_XSETREF(interceptor, f == Py_None ? NULL : Py_NewRef(f));
    Py_RETURN_NONE;
}

/* _watch_functions(f): f(class, args, results, ctx) returns the results of apply(). None removes
 * it. Replacing the attribute `apply` would miss programs that keep `f = Square.apply`. */
PyObject *py_watch_functions(PyObject *module, PyObject *f)
{
    Py_XSETREF(watcher, f == Py_None ? NULL : Py_NewRef(f));
    Py_RETURN_NONE;
}

/* One call of apply(). */
struct call {
    FunctionObject *ctx;
    PyObject *args, *setup; /* setup: the user's setup_context, else NULL */
    ct_tensor **input;      /* borrowed tensors among the arguments */
    int64_t ninputs;
    ct_tensor **result; /* owned; NULL for results other than tensors */
    uint8_t *mark;
    PyObject *outputs; /* results of forward, as a tuple */
    Py_ssize_t n;
};

/* ---- before forward ---- */

static bool read_arguments(struct call *c)
{
    Py_ssize_t n = PyTuple_GET_SIZE(c->args);
    FunctionObject *ctx = c->ctx;
    c->input = PyMem_Calloc((size_t)n + 1, sizeof *c->input);
    ctx->tensors = PyBytes_FromStringAndSize(NULL, n);
    ctx->needs_input_grad = PyTuple_New(n);
    if (!c->input || !ctx->tensors || !ctx->needs_input_grad)
        return false;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *o = PyTuple_GET_ITEM(c->args, i);
        bool tensor = py_is_tensor(o), needs = tensor && ct_requires_grad(py_tensor_of(o));
        PyBytes_AS_STRING(ctx->tensors)[i] = tensor;
        PyTuple_SET_ITEM(ctx->needs_input_grad, i, PyBool_FromLong(needs));
        if (tensor)
            c->input[c->ninputs++] = py_tensor_of(o);
    }
    return true;
}

static bool is_recorded(const struct call *c)
{
    for (int64_t i = 0; i < c->ninputs && ct_is_grad_enabled(); i++)
        if (ct_requires_grad(c->input[i]))
            return true;
    return false;
}

/* Makes the node before forward can write to any input. */
static bool make_node(struct call *c)
{
    struct py_function_link *link = PyMem_Malloc(sizeof *link);
    if (!link)
        return PyErr_NoMemory();
    link->function = NULL;
    ct_derivative d = {.name = py_typename((PyObject *)c->ctx),
                       .backward = py_run_function,
                       .drop = py_release_function,
                       .context = link};
    const char *dot = strrchr(d.name, '.');
    d.name = dot ? dot + 1 : d.name;
    ct_node *node = ct_own_node(d, ct_list_of(c->input, c->ninputs));
    if (!node)
        return py_raise();
    link->function = c->ctx;
    c->ctx->link = link;
    c->ctx->node = node;
    ct_node_set_handle(node, c->ctx);
    return true;
}

/* ---- forward ---- */

static PyObject *with_context(const struct call *c)
{
    Py_ssize_t n = PyTuple_GET_SIZE(c->args);
    PyObject *all = PyTuple_New(n + 1);
    if (!all)
        return NULL;
    PyTuple_SET_ITEM(all, 0, Py_NewRef(c->ctx));
    for (Py_ssize_t i = 0; i < n; i++)
        PyTuple_SET_ITEM(all, i + 1, Py_NewRef(PyTuple_GET_ITEM(c->args, i)));
    return all;
}

static PyObject *run_forward(const struct call *c, PyObject *cls)
{
    PyObject *forward = PyObject_GetAttrString(cls, "forward");
    PyObject *args = !forward ? NULL : c->setup ? Py_NewRef(c->args) : with_context(c);
    bool old = ct_set_grad_enabled(false), tangents = ct_set_tangents_enabled(false);
    PyObject *output = args ? PyObject_CallObject(forward, args) : NULL;
    if (output && c->setup) {
        PyObject *done = PyObject_CallFunctionObjArgs(c->setup, c->ctx, c->args, output, NULL);
        if (!done)
            Py_CLEAR(output);
        Py_XDECREF(done);
    }
    ct_set_tangents_enabled(tangents);
    ct_set_grad_enabled(old);
    Py_XDECREF(forward);
    Py_XDECREF(args);
    return output;
}

/* ---- after forward ---- */

static bool read_outputs(struct call *c, PyObject *output)
{
    c->outputs = PyTuple_Check(output) ? Py_NewRef(output) : PyTuple_Pack(1, output);
    if (!c->outputs)
        return false;
    c->n = PyTuple_GET_SIZE(c->outputs);
    c->result = PyMem_Calloc((size_t)c->n + 1, sizeof *c->result);
    c->mark = PyMem_Calloc((size_t)c->n + 1, 1);
    if (!c->result || !c->mark)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < c->n; i++) {
        PyObject *o = PyTuple_GET_ITEM(c->outputs, i);
        c->result[i] = py_is_tensor(o) ? ct_retain(py_tensor_of(o)) : NULL;
    }
    return true;
}

static bool is_input(const struct call *c, const ct_tensor *t)
{
    for (int64_t i = 0; i < c->ninputs; i++)
        if (c->input[i] == t)
            return true;
    return false;
}

/* Marks every occurrence of a tensor among the results; false if it is not among them. */
static bool mark_result(const struct call *c, const ct_tensor *t, uint8_t mark)
{
    bool found = false;
    for (Py_ssize_t i = 0; i < c->n; i++)
        if (c->result[i] == t) {
            c->mark[i] |= mark;
            found = true;
        }
    return found;
}

static bool check_tuple(PyObject *o, const char *attribute)
{
    if (!PyTuple_Check(o))
        PyErr_Format(PyExc_RuntimeError,
                     "autograd internal error: %s attribute is expected to be a tuple but is %s",
                     attribute, py_typename(o));
    return PyTuple_Check(o);
}

/* Checks that an attribute of ctx is a tuple of tensors. */
static bool check_marked(PyObject *tuple, const char *attribute, const char *format)
{
    if (!check_tuple(tuple, attribute))
        return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject *o = PyTuple_GET_ITEM(tuple, i);
        if (!py_is_tensor(o)) {
            if (strstr(format, "%zd"))
                PyErr_Format(PyExc_RuntimeError, format, i, py_typename(o));
            else
                PyErr_Format(PyExc_RuntimeError, format, py_typename(o));
            return false;
        }
    }
    return true;
}

static bool read_marks(const struct call *c)
{
    PyObject *dirty = c->ctx->dirty, *constant = c->ctx->non_differentiable;
    if (dirty &&
        !check_marked(dirty, "dirty_tensors",
                      "mark_dirty can only accept variables, but argument %zd is of type %s"))
        return false;
    for (Py_ssize_t i = 0; dirty && i < PyTuple_GET_SIZE(dirty); i++) {
        ct_tensor *t = py_tensor_of(PyTuple_GET_ITEM(dirty, i));
        if (!ct_bump_version(t))
            return py_raise();
        if (!mark_result(c, t, CT_RESULT_WRITTEN)) {
            PyErr_SetString(PyExc_RuntimeError,
                            "Some elements marked as dirty during the forward method were not "
                            "returned as output. The inputs that are modified inplace must all be "
                            "outputs of the Function.");
            return false;
        }
    }
    if (constant && !check_marked(constant, "non_differentiable",
                                  "mark_non_differentiable only accepts variable "
                                  "arguments, but got %s"))
        return false;
    for (Py_ssize_t i = 0; constant && i < PyTuple_GET_SIZE(constant); i++)
        mark_result(c, py_tensor_of(PyTuple_GET_ITEM(constant, i)), CT_RESULT_CONSTANT);
    return true;
}

/* With setup_context, an input that is returned unchanged must not be saved: the caller receives a
 * view of it, which does not exist yet. */
static bool check_saved_inputs(const struct call *c)
{
    PyObject *saved = c->ctx->to_save;
    if (!c->setup || !saved || !PyTuple_Check(saved))
        return true;
    for (Py_ssize_t i = 0; i < c->n; i++) {
        if (!c->result[i] || (c->mark[i] & CT_RESULT_WRITTEN) || !is_input(c, c->result[i]))
            continue;
        for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(saved); k++) {
            if (PyTuple_GET_ITEM(saved, k) == PyTuple_GET_ITEM(c->outputs, i)) {
                PyErr_SetString(
                    PyExc_RuntimeError,
                    "An input that has been returned as-is as output is being saved for backward. "
                    "This is not supported if you override setup_context. You should return and "
                    "save a view of the input instead, e.g. with x.view_as(x) or setup ctx inside "
                    "the forward function itself.");
                return false;
            }
        }
    }
    return true;
}

static bool save_tensors(const struct call *c)
{
    PyObject *saved = c->ctx->to_save;
    if (!c->ctx->node || !saved)
        return true;
    if (!check_tuple(saved, "to_save"))
        return false;
    Py_ssize_t n = PyTuple_GET_SIZE(saved);
    ct_tensor **v = PyMem_Calloc((size_t)n + 1, sizeof *v);
    bool good = v != NULL;
    Py_INCREF(saved); /* pack hooks may change ctx */
    for (Py_ssize_t i = 0; good && i < n; i++) {
        PyObject *o = PyTuple_GET_ITEM(saved, i);
        good = o == Py_None || py_is_tensor(o);
        if (good)
            v[i] = o == Py_None ? CT_NO_TENSOR : py_tensor_of(o);
        else
            PyErr_Format(PyExc_TypeError,
                         "save_for_backward can only save variables, but argument %zd is of type "
                         "%s",
                         i, py_typename(o));
    }
    if (good && !ct_node_save(c->ctx->node, ct_list_of(v, n)))
        good = py_raise();
    Py_DECREF(saved);
    PyMem_Free(v);
    return good;
}

/* Returns the objects that forward returned, but replaces inputs that were returned unchanged by
 * views. */
static PyObject *wrap_results(struct call *c, bool several)
{
    PyObject *tuple = PyTuple_New(c->n);
    for (Py_ssize_t i = 0; tuple && i < c->n; i++) {
        PyObject *old = PyTuple_GET_ITEM(c->outputs, i), *o;
        if (c->result[i] && c->result[i] != py_tensor_of(old)) {
            o = py_wrap_like(c->result[i], old);
            c->result[i] = NULL;
        } else {
            o = Py_NewRef(old);
        }
        if (!o) {
            Py_CLEAR(tuple);
            break;
        }
        /* ctx may refer to the result, which refers to ctx: the garbage collector must see this
         * cycle. */
        if (py_is_tensor(o))
            py_track(o);
        PyTuple_SET_ITEM(tuple, i, o);
    }
    if (!tuple || several)
        return tuple;
    PyObject *one = Py_NewRef(PyTuple_GET_ITEM(tuple, 0));
    Py_DECREF(tuple);
    return one;
}

static PyObject *apply_finish(struct call *c, PyObject *output)
{
    if (!read_outputs(c, output) || !read_marks(c) || !check_saved_inputs(c))
        return NULL;
    if (!ct_node_tie(c->ctx->node, ct_list_of(c->input, c->ninputs), c->result, c->mark, c->n))
        return py_raise();
    ct_node_set_undefined(c->ctx->node, !c->ctx->materialize);
    if (!save_tensors(c))
        return NULL;
    Py_CLEAR(c->ctx->to_save);
    Py_CLEAR(c->ctx->dirty);
    Py_CLEAR(c->ctx->non_differentiable);
    return py_emit_warnings(wrap_results(c, PyTuple_Check(output)));
}

static void call_end(struct call *c)
{
    for (Py_ssize_t i = 0; c->result && i < c->n; i++)
        ct_release(c->result[i]);
    PyMem_Free(c->result);
    PyMem_Free(c->mark);
    PyMem_Free(c->input);
    Py_XDECREF(c->outputs);
    Py_XDECREF(c->setup);
    Py_XDECREF(c->args);
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    Py_XDECREF(c->ctx);
    PyErr_Restore(type, value, trace);
}

/* Looks up setup_context, binds the arguments to positions and creates the ctx. */
static bool apply_begin(struct call *c, PyObject *cls, PyObject *args, PyObject *kwargs)
{
    c->setup = PyObject_GetAttrString(cls, "setup_context");
    if (!c->setup)
        return false;
    if (c->setup == default_setup)
        Py_CLEAR(c->setup);
    bool bind = c->setup || (kwargs && PyDict_GET_SIZE(kwargs));
    c->args = bind ? PyObject_CallFunction(bind_arguments, "OOOO", cls, args,
                                           kwargs ? kwargs : Py_None, c->setup ? Py_True : Py_False)
                   : Py_NewRef(args);
    if (c->args && !PyTuple_Check(c->args))
        return PyErr_Format(PyExc_TypeError, "the arguments must be a tuple");
    PyObject *made = c->args ? PyObject_GetAttrString(cls, "_backward_cls") : NULL;
    PyObject *ctx = made ? PyObject_CallNoArgs(made) : NULL;
    if (ctx && (!PyObject_TypeCheck(ctx, &py_FunctionBase) || ((FunctionObject *)ctx)->tensors)) {
        PyErr_Format(PyExc_TypeError, "%R does not make a new ctx of an autograd.Function", made);
        Py_CLEAR(ctx);
    }
    Py_XDECREF(made);
    c->ctx = (FunctionObject *)ctx;
    return ctx != NULL;
}

PyObject *py_apply_function(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    struct call c = {0};
    PyObject *output = NULL, *answer = NULL;
    if (interceptor) {
        PyObject *f = Py_NewRef(interceptor), *names = kwargs ? kwargs : Py_None;
        answer = PyObject_CallFunctionObjArgs(f, cls, args, names, NULL);
        Py_DECREF(f);
        if (answer != Py_NotImplemented)
            return answer;
        Py_CLEAR(answer);
    }
    if (apply_begin(&c, cls, args, kwargs) && read_arguments(&c) &&
        (!is_recorded(&c) || make_node(&c)))
        output = run_forward(&c, cls);
    if (output)
        answer = apply_finish(&c, output);
    Py_XDECREF(output);
    if (answer && watcher) {
        PyObject *f = Py_NewRef(watcher);
        PyObject *ctx = (PyObject *)c.ctx;
        Py_SETREF(answer, PyObject_CallFunctionObjArgs(f, cls, c.args, answer, ctx, NULL));
        Py_DECREF(f);
    }
    call_end(&c);
    return answer;
}
