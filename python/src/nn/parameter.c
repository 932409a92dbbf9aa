/* SPDX-License-Identifier: BSD-3-Clause */
/* nn.Parameter: a tensor that a module registers as a parameter. It is a C type so that the parser
 * recognises it by its type pointer (py_is_plain). Operations on parameters return plain tensors,
 * so no class has to be consulted. Modules are in modules.c. */
#include "exchange/exchange.h"
#include "parse/parse.h"

#include <corten/autograd.h>
#include <corten/own.h>

PyTypeObject *py_Parameter;
static PyObject *rebuild_function;

static bool has_mark(PyObject *o, const char *mark)
{
    PyObject *value = py_is_tensor(o) ? PyObject_GetAttrString(o, mark) : NULL;
    bool marked = value && PyObject_IsTrue(value) == 1;
    Py_XDECREF(value);
    PyErr_Clear();
    return marked;
}

bool py_is_parameter(PyObject *o)
{
    return PyObject_TypeCheck(o, py_Parameter) || has_mark(o, "_is_param");
}

/* isinstance(x, Parameter) is also true for tensors of other classes that are marked. */
static PyObject *instance_check(PyObject *cls, PyObject *o)
{
    if (cls == (PyObject *)py_Parameter)
        return PyBool_FromLong(py_is_parameter(o));
    return PyBool_FromLong(PyObject_TypeCheck(o, (PyTypeObject *)cls));
}

/* A parameter made from a tensor subclass keeps that class and is marked by an attribute
 * instead. */
static PyObject *mark_as_parameter(PyObject *data, int requires_grad)
{
    PyObject *t = PyObject_CallMethod(data, "detach", NULL);
    PyObject *same =
        t ? PyObject_CallMethod(t, "requires_grad_", "O", requires_grad ? Py_True : Py_False)
          : NULL;
    Py_XDECREF(same);
    if (same && !Py_IS_TYPE(t, Py_TYPE(data))) {
        PyErr_Format(PyExc_RuntimeError,
                     "Creating a Parameter from an instance of type %s requires that detach() "
                     "returns an instance of the same type, but return type %s was found instead. "
                     "To use the type as a Parameter, please correct the detach() semantics "
                     "defined by its __torch_dispatch__() implementation.",
                     py_typename(data), py_typename(t));
        same = NULL;
    }
    if (!same || PyObject_SetAttrString(t, "_is_param", Py_True) < 0)
        Py_CLEAR(t);
    return t;
}

static PyObject *parameter_of(PyTypeObject *type, ct_tensor *owned, bool requires_grad)
{
    if (owned && requires_grad && !ct_dtype_is_floating(ct_dtype(owned)) &&
        !ct_dtype_is_complex(ct_dtype(owned))) {
        ct_release(owned);
        return PyErr_Format(PyExc_RuntimeError, "Only Tensors of floating point and complex dtype "
                                                "can require gradients");
    }
    if (owned && requires_grad && !ct_set_requires_grad(owned, true)) {
        ct_release(owned);
        owned = NULL;
    }
    return py_wrap_as(owned, type);
}

static PyObject *parameter_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"data", "requires_grad", NULL};
    PyObject *data = Py_None, *wants = Py_True;
    if (!py_fits("Parameter.__new__", names, 0, 2, args, kwargs) ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "|OO", names, &data, &wants))
        return NULL;
    if (!PyBool_Check(wants))
        return PyErr_Format(PyExc_TypeError,
                            "_make_subclass(): argument 'require_grad' (position 3) must be bool, "
                            "not %s",
                            py_typename(wants));
    bool requires_grad = wants == Py_True;
    if (data == Py_None) {
        const int64_t none = 0;
        return parameter_of(type,
                            ct_own_empty(ct_ints_of(&none, 1), CT_NO_DTYPE,
                                         (struct ct_device){CT_NO_DEVICE_TYPE, -1}, false, -1),
                            requires_grad);
    }
    if (!py_is_plain(data))
        return mark_as_parameter(data, requires_grad);
    return parameter_of(type, ct_own_data(py_tensor_of(data)), requires_grad);
}

/* Parameter.__new__ as an attribute that can be replaced and restored, as unittest.mock does.
 * Python's own slot wrapper would reject the class once the slot has been replaced. */
static PyObject *new_method(PyObject *unused, PyObject *args, PyObject *kwargs)
{
    PyObject *type = PyTuple_GET_SIZE(args) ? PyTuple_GET_ITEM(args, 0) : NULL;
    if (!type || !PyType_Check(type) || !PyType_IsSubtype((PyTypeObject *)type, py_Parameter))
        return PyErr_Format(PyExc_TypeError, "Parameter.__new__(): the first argument must be "
                                             "Parameter or a class derived from it");
    PyObject *rest = PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args));
    PyObject *made = rest ? parameter_new((PyTypeObject *)type, rest, kwargs) : NULL;
    Py_XDECREF(rest);
    return made;
}

static PyObject *parameter_repr(PyObject *self)
{
    PyObject *text = py_TensorBase.tp_repr(self);
    PyObject *whole = text ? PyUnicode_FromFormat("Parameter containing:\n%U", text) : NULL;
    Py_XDECREF(text);
    return whole;
}

/* Clones the data; gradient and attributes are not copied. */
static PyObject *parameter_deepcopy(PyObject *self, PyObject *memo)
{
    PyObject *key = PyLong_FromVoidPtr(self);
    PyObject *known = key ? PyObject_GetItem(memo, key) : NULL;
    if (known || !key || !PyErr_ExceptionMatches(PyExc_KeyError)) {
        Py_XDECREF(key);
        return known;
    }
    PyErr_Clear();
    ct_tensor *data = ct_own_data(py_tensor_of(self));
    PyObject *plain = data ? py_wrap(ct_own_clone(data, CT_PRESERVE_FORMAT)) : py_raise();
    ct_release(data);
    PyObject *copy =
        plain ? PyObject_CallFunction((PyObject *)Py_TYPE(self), "OO", plain,
                                      ct_requires_grad(py_tensor_of(self)) ? Py_True : Py_False)
              : NULL;
    Py_XDECREF(plain);
    if (copy && PyObject_SetItem(memo, key, copy) < 0)
        Py_CLEAR(copy);
    Py_DECREF(key);
    return copy;
}

/* (function, (data, requires_grad, empty hooks[, attributes])) */
static PyObject *parameter_reduce(PyObject *self, PyObject *protocol)
{
    PyObject *state = py_state_of(self);
    if (!state)
        return NULL;
    PyObject *data = py_wrap(ct_own_data(py_tensor_of(self)));
    PyObject *collections = data ? PyImport_ImportModule("collections") : NULL;
    PyObject *hooks = collections ? PyObject_CallMethod(collections, "OrderedDict", NULL) : NULL;
    Py_XDECREF(collections);
    if (!hooks) {
        Py_XDECREF(data);
        Py_DECREF(state);
        return NULL;
    }
    PyObject *wants = ct_requires_grad(py_tensor_of(self)) ? Py_True : Py_False;
    if (PyObject_IsTrue(state) == 1)
        return Py_BuildValue("O(NONN)", rebuild_function, data, wants, hooks, state);
    Py_DECREF(state);
    return Py_BuildValue("O(NON)", rebuild_function, data, wants, hooks);
}

static PyObject *rebuild(PyObject *module, PyObject *args)
{
    PyObject *data, *hooks, *state = NULL;
    int requires_grad;
    if (!PyArg_ParseTuple(args, "OpO|O", &data, &requires_grad, &hooks, &state))
        return NULL;
    if (!py_is_tensor(data))
        return PyErr_Format(PyExc_TypeError, "the arguments do not describe a pickled parameter");
    PyObject *p = PyObject_CallFunction((PyObject *)py_Parameter, "OO", data,
                                        requires_grad ? Py_True : Py_False);
    PyObject *utils = p && state ? PyImport_ImportModule("corten._utils") : NULL;
    PyObject *done = utils ? PyObject_CallMethod(utils, "_set_obj_state", "OO", p, state) : NULL;
    if (p && state && !done)
        Py_CLEAR(p);
    Py_XDECREF(utils);
    Py_XDECREF(done);
    return p;
}

/* Called by nn.Module.load_state_dict for each tensor. */
static PyObject *module_load(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("other", PY_TENSOR), PY_OFF("assign", 0)};
    static struct py_signature signature = {.args = arg, .n = 2};
    static struct py_op op = {.name = "module_load", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    if (frame.v[1].b)
        return py_wrap(ct_own_detach(frame.v[0].tensor));
    ct_tensor *copied = ct_own_copy_(py_tensor_of(self), frame.v[0].tensor, false);
    return copied ? py_wrap(ct_own_detach(copied)) : py_raise();
}

static PyMethodDef meta_methods[] = {
    {"__instancecheck__", instance_check, METH_O, NULL},
    {0},
};

static PyTypeObject parameter_meta = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.nn.parameter._ParameterMeta",
    .tp_methods = meta_methods,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};

static PyMethodDef methods[] = {
    {"__deepcopy__", parameter_deepcopy, METH_O, NULL},
    {"__reduce_ex__", parameter_reduce, METH_O, NULL},
    {0},
};

static PyMethodDef tensor_methods[] = {
    {"module_load", PY_FAST(module_load),
     "module_load($self, other, assign=False)\n--\n\nReturns other's values, without history."},
    {0},
};

static PyMethodDef functions[] = {
    {"_rebuild_parameter", rebuild, METH_VARARGS, NULL},
    {0},
};

static PyMethodDef new_definition = {"__new__", PY_KEYWORDS(new_method), NULL};

/* Setting the attribute makes Python look up __new__ on each call. Restoring the slot keeps calls
 * direct until a program replaces the attribute. */
static bool add_new_method(void)
{
    PyObject *function = PyCFunction_New(&new_definition, NULL);
    PyObject *method = function ? PyStaticMethod_New(function) : NULL;
    int rc = method ? PyObject_SetAttrString((PyObject *)py_Parameter, "__new__", method) : -1;
    Py_XDECREF(function);
    Py_XDECREF(method);
    py_Parameter->tp_new = parameter_new;
    return rc == 0;
}

static char parameter_doc[] =
    "Parameter(data=None, requires_grad=True)\n--\n\n"
    "A tensor that becomes a parameter of the module it is assigned to.\n\n"
    "The assignment `module.weight = nn.Parameter(t)` registers it: `parameters()` passes it to\n"
    "an optimizer, `to()` moves it and `state_dict()` saves it. A plain tensor is not "
    "registered.\n\n"
    "Args:\n"
    "    data: the tensor, whose memory is shared. Default: None, an empty one.\n"
    "    requires_grad: whether it gets a gradient. Default: True.\n\n"
    "Example:\n"
    "    >>> module = torch.nn.Module()\n"
    "    >>> module.scale = torch.nn.Parameter(torch.tensor([1., 2.]))\n"
    "    >>> module.shift = torch.zeros(2)  # a plain attribute\n"
    "    >>> [name for name, _ in module.named_parameters()]\n"
    "    ['scale']\n";

bool py_init_parameter(PyObject *module)
{
    PyType_Slot slots[] = {{Py_tp_repr, parameter_repr},
                           {Py_tp_methods, methods},
                           {Py_tp_doc, parameter_doc},
                           {0, NULL}};
    PyType_Spec spec = {
        .name = "torch.nn.parameter.Parameter",
        .basicsize = sizeof(TensorObject),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
        .slots = slots,
    };
    parameter_meta.tp_base = Py_TYPE(&py_TensorBase);
    if (PyType_Ready(&parameter_meta) < 0 || PyModule_AddFunctions(module, functions) < 0 ||
        !py_add_methods(&py_TensorBase, tensor_methods))
        return false;
    PyObject *bases = PyTuple_Pack(1, py_Tensor);
    if (!bases)
        return false;
    /* PyType_FromSpecWithBases refuses bases whose metaclass has its own tp_new (an error from
     * Python 3.14 on), so the metaclass is set afterwards. */
    PyTypeObject *meta = Py_TYPE(py_Tensor);
    Py_SET_TYPE(py_Tensor, &PyType_Type);
    py_Parameter = (PyTypeObject *)PyType_FromSpecWithBases(&spec, bases);
    Py_SET_TYPE(py_Tensor, meta);
    Py_DECREF(bases);
    if (!py_Parameter)
        return false;
    Py_SET_TYPE(py_Parameter, &parameter_meta);
    if (!add_new_method())
        return false;
    PyObject *plain = PyObject_GetAttrString(module, "_disabled_torch_function_impl");
    rebuild_function = PyObject_GetAttrString(module, "_rebuild_parameter");
    bool good = plain && rebuild_function &&
                PyObject_SetAttrString((PyObject *)py_Parameter, "__torch_function__", plain) == 0;
    Py_XDECREF(plain);
    return good && PyModule_AddObjectRef(module, "_Parameter", (PyObject *)py_Parameter) == 0;
}
