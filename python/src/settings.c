/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program sets for the library as a whole: the default type and device, `with
 * torch.device(...)`, threads, printing. Checks arguments; the library keeps the values. */
#include <corten/autograd.h>

#include "parse.h"

/* ---- the type and the device of new tensors ---- */

static PyObject *get_default_dtype(PyObject *m, PyObject *unused)
{
    return py_dtype(ct_get_default_dtype());
}

static PyObject *set_default_dtype(PyObject *m, PyObject *o)
{
    if (!Py_IS_TYPE(o, &py_DType))
        return PyErr_Format(PyExc_TypeError, "invalid dtype object: only floating-point types are "
                                             "supported as the default type");
    if (!ct_set_default_dtype(py_dtype_of(o)))
        return py_raise();
    Py_RETURN_NONE;
}

static PyObject *get_default_device(PyObject *m, PyObject *unused)
{
    return py_device(ct_get_default_device());
}

static PyObject *set_default_device(PyObject *m, PyObject *o)
{
    struct ct_device device = CT_NO_DEVICE;
    if (o != Py_None) {
        PyObject *made = PyObject_CallOneArg((PyObject *)&py_Device, o);
        bool good = made && py_device_of(made, &device);
        Py_XDECREF(made);
        if (!good)
            return NULL;
    }
    ct_set_default_device(device);
    Py_RETURN_NONE;
}

/* ---- with torch.device(...): the devices to come back to, of this thread ---- */

enum { NESTED_MAX = 64 };
static _Thread_local struct {
    struct ct_device left[NESTED_MAX];
    int n;
} blocks;

static PyObject *enter_device(PyObject *self, PyObject *unused)
{
    if (blocks.n == NESTED_MAX)
        return PyErr_Format(PyExc_RuntimeError, "more than %d nested blocks with a device",
                            NESTED_MAX);
    struct ct_device device;
    if (!py_device_of(self, &device))
        return NULL;
    blocks.left[blocks.n++] = ct_get_default_device();
    ct_set_default_device(device);
    return Py_NewRef(self);
}

static PyObject *exit_device(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (blocks.n > 0)
        ct_set_default_device(blocks.left[--blocks.n]);
    Py_RETURN_NONE;
}

static PyMethodDef device_methods[] = {
    {"__enter__", enter_device, METH_NOARGS, "New tensors are made here until __exit__."},
    {"__exit__", (PyCFunction)(void (*)(void))exit_device, METH_FASTCALL, NULL},
    {0},
};

/* ---- shapes ---- */

bool py_operators_warn;

static PyObject *set_broadcast(PyObject *m, PyObject *o)
{
    static const char *const names[] = {"allow", "warn", "raise"};
    for (int i = 0; i < 3 && PyUnicode_Check(o); i++) {
        if (PyUnicode_CompareWithASCIIString(o, names[i]) == 0) {
            py_operators_warn |= i == CT_BROADCAST_WARN;
            return PyUnicode_FromString(names[ct_set_broadcast((enum ct_broadcast)i)]);
        }
    }
    return PyErr_Format(PyExc_ValueError,
                        "set_broadcast: \"allow\", \"warn\" or \"raise\" is needed, not %R", o);
}

/* ---- threads ---- */

static bool read_count(const char *name, PyObject *o, int64_t *n)
{
    if (!py_is_int(o)) {
        PyErr_Format(PyExc_RuntimeError, "%s expects an int, but got %s", name, py_typename(o));
        return false;
    }
    return py_int64(o, n);
}

static PyObject *get_num_threads(PyObject *m, PyObject *unused)
{
    return PyLong_FromLong(ct_get_num_threads());
}

static PyObject *set_num_threads(PyObject *m, PyObject *o)
{
    int64_t n;
    if (!read_count("set_num_threads", o, &n))
        return NULL;
    if (!ct_set_num_threads(n))
        return py_raise();
    Py_RETURN_NONE;
}

static PyObject *get_num_interop_threads(PyObject *m, PyObject *unused)
{
    return PyLong_FromLong(ct_get_num_interop_threads());
}

static PyObject *set_num_interop_threads(PyObject *m, PyObject *o)
{
    int64_t n;
    if (!read_count("set_num_interop_threads", o, &n))
        return NULL;
    if (!ct_set_num_interop_threads(n))
        return py_raise();
    Py_RETURN_NONE;
}

/* ---- numbers and memory ---- */

static PyObject *set_warn_always(PyObject *m, PyObject *o)
{
    ct_set_warn_always(o == Py_True);
    Py_RETURN_NONE;
}

static PyObject *set_flush_denormal(PyObject *m, PyObject *o)
{
    if (!PyBool_Check(o))
        return PyErr_Format(PyExc_RuntimeError, "flush_denormal expects a bool, but got %s",
                            py_typename(o));
    return PyBool_FromLong(ct_set_flush_denormal(o == Py_True));
}

static PyObject *set_fill_empty(PyObject *m, PyObject *o)
{
    int on = PyObject_IsTrue(o);
    if (on < 0)
        return NULL;
    ct_set_fill_empty(on);
    Py_RETURN_NONE;
}

static PyObject *empty_cache(PyObject *m, PyObject *unused)
{
    ct_empty_cache();
    Py_RETURN_NONE;
}

/* ---- printing: the policy of set_printoptions is in Python ---- */

static PyObject *get_printoptions(PyObject *m, PyObject *unused)
{
    struct ct_print_options o = ct_get_print_options();
    return Py_BuildValue("iiiii", o.precision, o.threshold, o.edgeitems, o.linewidth, o.sci_mode);
}

static PyObject *set_printoptions(PyObject *m, PyObject *args)
{
    struct ct_print_options o;
    if (!PyArg_ParseTuple(args, "iiiii", &o.precision, &o.threshold, &o.edgeitems, &o.linewidth,
                          &o.sci_mode))
        return NULL;
    ct_set_print_options(o);
    Py_RETURN_NONE;
}

/* ---- autocast ---- */

static PyObject *autocast_state(PyObject *m, PyObject *unused)
{
    return Py_BuildValue("NN", PyBool_FromLong(ct_autocast_enabled()),
                         py_dtype(ct_autocast_dtype()));
}

static PyObject *set_autocast(PyObject *m, PyObject *args)
{
    int on;
    PyObject *dtype;
    if (!PyArg_ParseTuple(args, "pO:_set_autocast", &on, &dtype))
        return NULL;
    enum ct_dtype type = py_dtype_of(dtype);
    if (type != CT_BFLOAT16 && type != CT_FLOAT16 && type != CT_FLOAT32)
        return PyErr_Format(PyExc_TypeError, "autocast computes in bfloat16 or float16");
    ct_set_autocast(on != 0, type);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"_autocast", autocast_state, METH_NOARGS, "Whether autocast is on, and its type."},
    {"_set_autocast", set_autocast, METH_VARARGS, "Switches autocast and sets its type."},
    {"get_default_dtype", get_default_dtype, METH_NOARGS,
     "The type of new floating tensors."
     "\n\n    >>> torch.get_default_dtype()"
     "\n    torch.float32"},
    {"set_default_dtype", set_default_dtype, METH_O, "Sets the type of new floating tensors."},
    {"get_default_device", get_default_device, METH_NOARGS, "Where new tensors are made."},
    {"set_default_device", set_default_device, METH_O,
     "Sets where this thread makes new tensors; None: the CPU."},
    {"get_num_threads", get_num_threads, METH_NOARGS, "How many threads one operation may use."},
    {"set_num_threads", set_num_threads, METH_O, "Sets how many threads one operation may use."},
    {"get_num_interop_threads", get_num_interop_threads, METH_NOARGS,
     "The number set_num_interop_threads was given. Operations never run side by side."},
    {"set_num_interop_threads", set_num_interop_threads, METH_O,
     "Keeps a number for get_num_interop_threads."},
    {"set_flush_denormal", set_flush_denormal, METH_O,
     "Whether numbers too small to be normal become 0. False: the processor cannot."},
    {"_set_warn_always", set_warn_always, METH_O, NULL},
    {"_set_broadcast", set_broadcast, METH_O, NULL},
    {"_set_fill_empty", set_fill_empty, METH_O, NULL},
    {"_empty_cache", empty_cache, METH_NOARGS, "Gives cached free memory back to the system."},
    {"_get_printoptions", get_printoptions, METH_NOARGS, NULL},
    {"_set_printoptions", set_printoptions, METH_VARARGS, NULL},
    {0},
};

bool py_init_settings(PyObject *module)
{
    return py_add_methods(&py_Device, device_methods) &&
           PyModule_AddFunctions(module, functions) == 0;
}
