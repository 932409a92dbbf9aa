/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensor subclasses. As in PyTorch, an operation on an object of a subclass returns an object of
 * the same class, unless the class overrides or disables __torch_function__. Called by parse.c and
 * the operators, only if such a tensor is involved. */
#include "parse/parse.h"

static PyObject *default_function, *disabled_function; /* known values of __torch_function__ */
static PyObject *disabled_dispatch;                    /* Tensor.__torch_dispatch__ */
static _Thread_local bool torch_function_disabled;     /* DisableTorchFunctionSubclass */

bool py_dispatch_disabled(void)
{
    return torch_function_disabled;
}

bool py_disable_dispatch(bool on)
{
    bool before = torch_function_disabled;
    torch_function_disabled = on;
    return before;
}

enum py_override py_override_kind(PyTypeObject *type)
{
    if (torch_function_disabled)
        return PY_RESULTS_PLAIN;
    PyObject *f = PyObject_GetAttrString((PyObject *)type, "__torch_function__");
    if (!f) {
        PyErr_Clear();
        return PY_RESULTS_PLAIN;
    }
    bool is_default = PyCFunction_Check(f) &&
                      PyCFunction_GET_FUNCTION(f) == PyCFunction_GET_FUNCTION(default_function);
    bool plain = f == Py_None || f == disabled_function;
    Py_DECREF(f);
    return is_default ? PY_RESULTS_CONVERTED : plain ? PY_RESULTS_PLAIN : PY_OVERRIDES;
}

PyTypeObject *py_class_like(PyObject *overloaded)
{
    if (py_is_plain(overloaded))
        return py_Tensor;
    return py_override_kind(Py_TYPE(overloaded)) == PY_RESULTS_PLAIN ? py_Tensor
                                                                     : Py_TYPE(overloaded);
}

PyObject *py_wrap_like(ct_tensor *owned, PyObject *like)
{
    if (!owned || py_is_plain(like)) /* looking up the class could clear a pending exception */
        return py_wrap(owned);
    return py_wrap_as(owned, py_class_like(like));
}

/* ---- what Python programs call ---- */

/* Converts a tensor to a class, sharing its memory; returns other objects as they are. Consumes
 * o. */
static PyObject *convert(PyObject *o, PyTypeObject *type)
{
    if (!o || !py_is_tensor(o) || PyObject_TypeCheck(o, type) || type == py_Tensor)
        return o;
    if (Py_IS_TYPE(o, py_Tensor) && Py_REFCNT(o) == 1 && ct_reference_count(py_tensor_of(o)) == 1) {
        ct_tensor *t = ct_retain(py_tensor_of(o)); /* a new object: changes its class instead of
                                                    * making a view */
        Py_DECREF(o);
        return py_wrap_as(t, type);
    }
    ct_tensor *t = py_alias(py_tensor_of(o));
    Py_DECREF(o);
    return py_wrap_as(t, type);
}

/* The arguments of a __torch_function__. */
struct handler_args {
    PyObject *func, *types, *args, *kwargs;
};

static bool read_handler_args(struct handler_args *q, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"func", "types", "args", "kwargs", NULL};
    *q = (struct handler_args){.args = Py_None, .kwargs = Py_None};
    if (!py_fits("Tensor.__torch_function__", names, 2, 4, args, kwargs) ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "OO|OO", names, &q->func, &q->types, &q->args,
                                     &q->kwargs))
        return false;
    if (q->args != Py_None && !PyTuple_Check(q->args) && !PyList_Check(q->args))
        PyErr_Format(PyExc_TypeError, "expected List or Tuple (got %s)", py_typename(q->args));
    else if (q->kwargs != Py_None && !PyDict_Check(q->kwargs))
        PyErr_Format(PyExc_TypeError, "expected Dict (got %s)", py_typename(q->kwargs));
    return !PyErr_Occurred() && (q->kwargs == Py_None || PyArg_ValidateKeywordArguments(q->kwargs));
}

/* Calls func with __torch_function__ disabled. */
static PyObject *call_undispatched(const struct handler_args *q)
{
    PyObject *args = q->args == Py_None ? PyTuple_New(0) : PySequence_Tuple(q->args);
    if (!args)
        return NULL;
    bool before = py_disable_dispatch(true);
    PyObject *answer = PyObject_Call(q->func, args, q->kwargs == Py_None ? NULL : q->kwargs);
    py_disable_dispatch(before);
    Py_DECREF(args);
    return answer;
}

static PyObject *disabled(PyObject *module, PyObject *args, PyObject *kwargs)
{
    struct handler_args q;
    return read_handler_args(&q, args, kwargs) ? call_undispatched(&q) : NULL;
}

/* Converts the tensors of a tuple or list. Consumes `answer`. */
static PyObject *convert_items(PyObject *answer, PyTypeObject *type)
{
    PyObject *list = PySequence_List(answer), *made = NULL;
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *item = py_convert_result(Py_NewRef(PyList_GET_ITEM(list, i)), type);
        if (!item)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, item);
    }
    if (list && PyList_CheckExact(answer))
        made = Py_NewRef(list);
    else if (list)
        made = PyObject_CallOneArg((PyObject *)Py_TYPE(answer), list);
    Py_XDECREF(list);
    Py_DECREF(answer);
    return made;
}

PyObject *py_convert_result(PyObject *answer, PyTypeObject *type)
{
    if (answer && (PyTuple_Check(answer) || PyList_Check(answer)) && !Py_IS_TYPE(answer, &py_Size))
        return convert_items(answer, type);
    return convert(answer, type);
}

/* Results of x.grad and x._base are existing objects, which keep their class. */
static bool keeps_class(PyObject *func)
{
    PyObject *of = PyObject_GetAttrString(func, "__self__");
    PyErr_Clear();
    bool found = of && Py_IS_TYPE(of, &PyGetSetDescr_Type) &&
                 (strcmp(((PyGetSetDescrObject *)of)->d_getset->name, "grad") == 0 ||
                  strcmp(((PyGetSetDescrObject *)of)->d_getset->name, "_base") == 0);
    Py_XDECREF(of);
    return found;
}

/* Tensor.__torch_function__: calls func and converts its result to cls. Declines unless cls derives
 * from all of `types`. */
static PyObject *torch_function(PyObject *cls, PyObject *args, PyObject *kwargs)
{
    struct handler_args q;
    PyObject *types = read_handler_args(&q, args, kwargs) ? PySequence_Tuple(q.types) : NULL;
    int speaks = types != NULL;
    for (Py_ssize_t i = 0; speaks > 0 && i < PyTuple_GET_SIZE(types); i++)
        speaks = PyObject_IsSubclass(cls, PyTuple_GET_ITEM(types, i));
    Py_XDECREF(types);
    if (!types || speaks < 0)
        return NULL;
    if (!speaks)
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *answer = call_undispatched(&q);
    if (answer && keeps_class(q.func))
        return answer;
    return py_convert_result(answer, (PyTypeObject *)cls);
}

static PyObject *as_subclass(PyObject *self, PyObject *cls)
{
    if (!PyType_Check(cls) || !PyType_IsSubtype((PyTypeObject *)cls, &py_TensorBase))
        return PyErr_Format(PyExc_TypeError, "cls must be a subclass of Tensor");
    return py_wrap_as(py_alias(py_tensor_of(self)), (PyTypeObject *)cls);
}

/* ---- __torch_dispatch__ ---- */

static PyObject *missing_feature(const char *name, const char *instead)
{
    PyObject *home = PyImport_ImportModule("corten._missing");
    PyObject *type = home ? PyObject_GetAttrString(home, "MissingFeature") : NULL;
    PyObject *error = type ? PyObject_CallFunction(type, "ss", name, instead) : NULL;
    if (error)
        PyErr_SetObject(type, error);
    Py_XDECREF(error);
    Py_XDECREF(type);
    Py_XDECREF(home);
    return NULL;
}

bool py_check_class(PyTypeObject *type)
{
    static PyObject *name;
    if (!name && !(name = PyUnicode_InternFromString("__torch_dispatch__")))
        return false;
    PyObject *f = PyObject_GetAttr((PyObject *)type, name);
    if (!f)
        return false;
    bool plain = f == Py_None || f == disabled_dispatch;
    Py_DECREF(f);
    if (plain)
        return true;
    char text[300];
    snprintf(text, sizeof text, "__torch_dispatch__ (class %s)", type->tp_name);
    missing_feature(text, "define __torch_function__, which is asked about every operation");
    return false;
}

static PyObject *make_wrapper_subclass(PyObject *unused, PyObject *args, PyObject *kwargs)
{
    PyObject *cls = PyTuple_GET_SIZE(args) ? PyTuple_GET_ITEM(args, 0) : NULL;
    if (!cls || !PyType_Check(cls))
        return PyErr_Format(PyExc_TypeError, "_make_wrapper_subclass(): argument 'cls' (position "
                                             "1) must be a class");
    return missing_feature("Tensor._make_wrapper_subclass",
                           "use Tensor._make_subclass, or an object with __torch_function__ that "
                           "holds the tensor");
}

static PyMethodDef methods[] = {
    {"_make_wrapper_subclass", (PyCFunction)(void (*)(void))make_wrapper_subclass,
     METH_VARARGS | METH_KEYWORDS | METH_STATIC,
     "Not available in Corten: a tensor without memory."},
    {"__torch_function__", (PyCFunction)(void (*)(void))torch_function,
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "Runs an operation on tensors of this class; may be overridden."},
    {"as_subclass", as_subclass, METH_O, "Returns a view of the tensor in another class."},
    {0},
};

static PyMethodDef functions[] = {
    {"_disabled_torch_function_impl", (PyCFunction)(void (*)(void))disabled,
     METH_VARARGS | METH_KEYWORDS,
     "For use as a class's __torch_function__: results are plain tensors."},
    {"_disabled_torch_dispatch_impl", (PyCFunction)(void (*)(void))disabled,
     METH_VARARGS | METH_KEYWORDS, "Tensor.__torch_dispatch__: runs the operation unchanged."},
    {0},
};

bool py_init_subclass(PyObject *module)
{
    if (!py_add_methods(&py_TensorBase, methods) || PyModule_AddFunctions(module, functions) < 0)
        return false;
    default_function = PyObject_GetAttrString((PyObject *)py_Tensor, "__torch_function__");
    disabled_function = PyObject_GetAttrString(module, "_disabled_torch_function_impl");
    disabled_dispatch = PyObject_GetAttrString(module, "_disabled_torch_dispatch_impl");
    return default_function && disabled_function && disabled_dispatch &&
           PyDict_SetItemString(py_TensorBase.tp_dict, "__torch_dispatch__", disabled_dispatch) ==
               0;
}
