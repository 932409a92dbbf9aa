/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions behind torch.autograd.graph and anomaly mode: hooks that pack and unpack saved tensors,
 * graph edges as tensors, queries of the running backward pass, and callbacks for new and failed
 * nodes. The public classes are in corten/autograd/graph.py and anomaly_mode.py. */
#include "autograd/nodes.h"
#include "exchange/exchange.h"
#include "parse/parse.h"

/* ---- saved tensors ---- */

/* Packs a tensor into a pair: the result of the pack hook, and the unpack hook for it. */
static void *pack_saved(void *context, ct_tensor *t)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    bool raised = PyErr_Occurred() != NULL; /* by an earlier hook of the same operation */
    PyObject *hooks = context, *tensor = raised ? NULL : py_wrap_borrowed(t), *pair = NULL;
    PyObject *answer = tensor ? PyObject_CallOneArg(PyTuple_GET_ITEM(hooks, 0), tensor) : NULL;
    if (answer)
        pair = PyTuple_Pack(2, answer, PyTuple_GET_ITEM(hooks, 1));
    Py_XDECREF(answer);
    Py_XDECREF(tensor);
    PyGILState_Release(lock);
    return pair ? pair : ct_fail(CT_ERR_RUNTIME, "a pack hook raised an exception");
}

static ct_tensor *unpack_saved(void *packed)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *answer = PyErr_Occurred() ? NULL
                                        : PyObject_CallOneArg(PyTuple_GET_ITEM(packed, 1),
                                                              PyTuple_GET_ITEM(packed, 0));
    ct_tensor *t = NULL;
    if (answer && py_is_tensor(answer))
        t = ct_retain(py_tensor_of(answer));
    else if (answer)
        PyErr_Format(PyExc_TypeError,
                     "Output of saved tensor unpack_hook expected to be a Tensor but got result of "
                     "type %s",
                     py_typename(answer));
    Py_XDECREF(answer);
    PyGILState_Release(lock);
    return t ? t : ct_fail(CT_ERR_RUNTIME, "an unpack hook raised an exception");
}

/* _push_saved_tensors_default_hooks(pack_hook, unpack_hook) */
static PyObject *push_hooks(PyObject *module, PyObject *args)
{
    PyObject *pack_hook, *unpack_hook;
    if (!PyArg_ParseTuple(args, "OO", &pack_hook, &unpack_hook))
        return NULL;
    PyObject *pair = PyTuple_Pack(2, pack_hook, unpack_hook);
    if (!pair)
        return NULL;
    if (!ct_push_packer(
            (ct_packer){pack_saved, unpack_saved, py_release_object, py_release_object, pair}))
        return py_raise();
    Py_RETURN_NONE;
}

static PyObject *pop_hooks(PyObject *module, PyObject *unused)
{
    ct_pop_packer();
    Py_RETURN_NONE;
}

/* ---- edges, runs, versions ---- */

/* _gradient_edge(tensor): (node, output_nr) */
static PyObject *gradient_edge(PyObject *module, PyObject *o)
{
    int64_t nr = 0;
    if (!py_is_tensor(o))
        return PyErr_Format(PyExc_TypeError, "expected a Tensor, but got %s", py_typename(o));
    ct_node *node = ct_own_gradient_edge(py_tensor_of(o), &nr);
    if (!node && ct_error())
        return py_raise();
    return Py_BuildValue("NL", py_wrap_node(node), (long long)nr);
}

/* _edge_tensor(node, output_nr): a tensor whose gradient is that of the edge */
static PyObject *edge_tensor(PyObject *module, PyObject *args)
{
    PyObject *node;
    long long nr;
    if (!PyArg_ParseTuple(args, "O!L", &py_Node, &node, &nr))
        return NULL;
    ct_node *n = ((NodeObject *)node)->node;
    return n ? py_wrap(ct_own_edge_tensor(n, nr))
             : PyErr_Format(PyExc_RuntimeError, "the node was not recorded");
}

static PyObject *will_run(PyObject *module, PyObject *node)
{
    if (!PyObject_TypeCheck(node, &py_Node))
        return PyErr_Format(PyExc_TypeError,
                            "_will_engine_execute_node expects an grad_fn, but got %s",
                            py_typename(node));
    if (ct_engine_run() < 0)
        return PyErr_Format(PyExc_RuntimeError,
                            "_get_should_execute_nodes should only be called during the backward "
                            "pass");
    return PyBool_FromLong(ct_engine_will_run(((NodeObject *)node)->node));
}

static PyObject *current_run(PyObject *module, PyObject *unused)
{
    return PyLong_FromLongLong(ct_engine_run());
}

static PyObject *is_full_run(PyObject *module, PyObject *unused)
{
    return PyBool_FromLong(!ct_engine_is_partial());
}

static bool call_at_end(void *function)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *done = PyObject_CallNoArgs(function);
    Py_XDECREF(done);
    PyGILState_Release(lock);
    if (!done)
        ct_fail(CT_ERR_RUNTIME, "a callback at the end of backward raised an exception");
    return done != NULL;
}

/* _engine_queue_callback(function) */
static PyObject *queue_callback(PyObject *module, PyObject *function)
{
    if (!ct_engine_at_end(call_at_end, py_release_object, Py_NewRef(function)))
        return py_raise();
    Py_RETURN_NONE;
}

static PyObject *increment_version(PyObject *module, PyObject *tensors)
{
    PyObject *items = PySequence_Tuple(tensors);
    for (Py_ssize_t i = 0; items && i < PyTuple_GET_SIZE(items); i++) {
        PyObject *o = PyTuple_GET_ITEM(items, i);
        if (!py_is_tensor(o)) {
            PyErr_SetString(
                PyExc_RuntimeError,
                "increment_version expects each element of the iterable to be a tensor");
            Py_CLEAR(items);
        } else if (!ct_is_inference(py_tensor_of(o)) && !ct_bump_version(py_tensor_of(o))) {
            Py_CLEAR(items);
            return py_raise();
        }
    }
    if (!items)
        return NULL;
    Py_DECREF(items);
    Py_RETURN_NONE;
}

/* ---- anomaly mode ---- */

static PyObject *on_node_made, *on_node_failed; /* callbacks from anomaly_mode.py */

static void made(ct_node *n, ct_node *outer)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *node = py_wrap_node(ct_node_retain(n));
    PyObject *parent = py_wrap_node(outer ? ct_node_retain(outer) : NULL);
    PyObject *done =
        node && parent ? PyObject_CallFunctionObjArgs(on_node_made, node, parent, NULL) : NULL;
    if (!done)
        PyErr_Clear(); /* only the note for later errors is lost */
    Py_XDECREF(done);
    Py_XDECREF(node);
    Py_XDECREF(parent);
    PyGILState_Release(lock);
}

/* Warns about the failing node. If the warning was turned into an exception, that replaces the
 * pending one. */
static void failed(ct_node *n)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyObject *node = py_wrap_node(ct_node_retain(n));
    PyObject *done = node ? PyObject_CallOneArg(on_node_failed, node) : NULL;
    Py_XDECREF(node);
    if (done) {
        PyErr_Restore(type, value, trace);
    } else {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(trace);
    }
    Py_XDECREF(done);
    PyGILState_Release(lock);
}

/* _anomaly_tools(made, failed): sets the callbacks for new and for failed nodes. */
static PyObject *anomaly_tools(PyObject *module, PyObject *args)
{
    PyObject *one, *other;
    if (!PyArg_ParseTuple(args, "OO", &one, &other))
        return NULL;
    Py_XSETREF(on_node_made, Py_NewRef(one));
    Py_XSETREF(on_node_failed, Py_NewRef(other));
    ct_set_anomaly_hooks(&(struct ct_anomaly_hooks){made, failed});
    Py_RETURN_NONE;
}

static struct py_arg anomaly_args[] = {
    PY_REQUIRED("enabled", PY_BOOL),
    {.name = "check_nan",
     .kind = PY_BOOL,
     .flags = PY_DEFAULT,
     .fallback = {.b = true},
     .shown = "True"},
};
static struct py_signature anomaly_signature = {
    .args = anomaly_args, .n = 2, .returns = PY_RETURNS_NONE};
static struct py_op anomaly_op = {
    .name = "set_anomaly_enabled", .signatures = &anomaly_signature, .n = 1};

static PyObject *set_anomaly(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &anomaly_op, NULL, args, nargs, names) < 0)
        return NULL;
    bool enabled = frame.v[0].b;
    if (enabled && !on_node_made) { /* importing it sets the callbacks */
        PyObject *tools = PyImport_ImportModule("corten.autograd.anomaly_mode");
        if (!tools)
            return NULL;
        Py_DECREF(tools);
    }
    ct_set_anomaly_enabled(enabled, frame.v[1].b);
    Py_RETURN_NONE;
}

static PyObject *is_anomaly(PyObject *module, PyObject *unused)
{
    return PyBool_FromLong(ct_is_anomaly_enabled());
}

static PyObject *is_check_nan(PyObject *module, PyObject *unused)
{
    return PyBool_FromLong(ct_is_anomaly_check_nan_enabled());
}

static PyMethodDef functions[] = {
    {"_push_saved_tensors_default_hooks", push_hooks, METH_VARARGS, NULL},
    {"_pop_saved_tensors_default_hooks", pop_hooks, METH_NOARGS, NULL},
    {"_gradient_edge", gradient_edge, METH_O, NULL},
    {"_edge_tensor", edge_tensor, METH_VARARGS, NULL},
    {"_will_engine_execute_node", will_run, METH_O, NULL},
    {"_current_graph_task_id", current_run, METH_NOARGS, NULL},
    {"_is_checkpoint_valid", is_full_run, METH_NOARGS, NULL},
    {"_engine_queue_callback", queue_callback, METH_O, NULL},
    {"_increment_version", increment_version, METH_O, NULL},
    {"_anomaly_tools", anomaly_tools, METH_VARARGS, NULL},
    {"set_anomaly_enabled", PY_FAST(set_anomaly),
     "set_anomaly_enabled(enabled, check_nan=True)\n--\n\nTurns the anomaly mode of autograd on or "
     "off.\n\n"
     "Arguments:\n"
     "    enabled (bool): whether errors of backward show where the forward call was made.\n"
     "    check_nan (bool): whether backward fails at the first NaN. Default: `True`."},
    {"is_anomaly_enabled", is_anomaly, METH_NOARGS,
     "is_anomaly_enabled()\n--\n\nReturns whether the anomaly mode of autograd is on."},
    {"is_anomaly_check_nan_enabled", is_check_nan, METH_NOARGS,
     "is_anomaly_check_nan_enabled()\n--\n\nReturns whether anomaly mode makes backward fail at "
     "the first NaN."},
    {0},
};

bool py_init_graph(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
