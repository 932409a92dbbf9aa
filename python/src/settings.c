/* SPDX-License-Identifier: BSD-3-Clause */
/* Process-wide settings: default dtype and device, `with torch.device(...)`, threads, warnings,
 * printing, autocast. Checks the arguments; the library stores the values. */
#include <corten/autograd.h>
#include <string.h>

#include "parse/parse.h"

/* ---- default dtype and device ---- */

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

/* ---- with torch.device(...): a stack of previous devices per thread ---- */

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
    {"__enter__", enter_device, METH_NOARGS, "Makes this the default device until __exit__."},
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
                        "set_broadcast: expected \"allow\", \"warn\" or \"raise\", not %R", o);
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

/* The device type for a name; the caller checks for others. */
static enum ct_device_type autocast_kind(const char *name)
{
    return strcmp(name, "cuda") == 0 ? CT_CUDA : CT_CPU;
}

static PyObject *autocast_state(PyObject *m, PyObject *args)
{
    const char *name;
    if (!PyArg_ParseTuple(args, "s:_autocast", &name))
        return NULL;
    enum ct_device_type kind = autocast_kind(name);
    return Py_BuildValue("NN", PyBool_FromLong(ct_autocast_enabled(kind)),
                         py_dtype(ct_autocast_dtype(kind)));
}

static PyObject *set_autocast(PyObject *m, PyObject *args)
{
    const char *name;
    int on;
    PyObject *dtype;
    if (!PyArg_ParseTuple(args, "spO:_set_autocast", &name, &on, &dtype))
        return NULL;
    enum ct_dtype type = py_dtype_of(dtype);
    if (type == CT_NO_DTYPE)
        return PyErr_Format(PyExc_TypeError, "autocast needs a dtype, not %s",
                            Py_TYPE(dtype)->tp_name);
    ct_set_autocast(autocast_kind(name), on != 0, type);
    Py_RETURN_NONE;
}

static PyObject *autocast_nest(PyObject *m, PyObject *step)
{
    long by = PyLong_AsLong(step);
    if (by == -1 && PyErr_Occurred())
        return NULL;
    return PyLong_FromLong(ct_autocast_nest((int)by));
}

static PyObject *autocast_cache(PyObject *m, PyObject *unused)
{
    return PyBool_FromLong(ct_autocast_cache());
}

static PyObject *set_autocast_cache(PyObject *m, PyObject *o)
{
    if (!PyBool_Check(o))
        return PyErr_Format(PyExc_TypeError, "enabled must be a bool (got %s)",
                            Py_TYPE(o)->tp_name);
    ct_set_autocast_cache(o == Py_True);
    Py_RETURN_NONE;
}

static PyObject *autocast_cache_clear(PyObject *m, PyObject *unused)
{
    ct_autocast_cache_clear();
    Py_RETURN_NONE;
}

/* _attention_kernels(allowed=-1): sets the allowed kernels, as bits; returns the previous ones */
static PyObject *attention_kernels(PyObject *m, PyObject *args)
{
    int allowed = -1;
    return PyArg_ParseTuple(args, "|i", &allowed) ? PyLong_FromLong(ct_attention_kernels(allowed))
                                                  : NULL;
}

static PyMethodDef functions[] = {
    {"_attention_kernels", attention_kernels, METH_VARARGS, NULL},
    {"_autocast", autocast_state, METH_VARARGS,
     "Returns whether autocast is on for a device type, and its dtype."},
    {"_set_autocast", set_autocast, METH_VARARGS,
     "Turns autocast for a device type on or off, and sets its dtype."},
    {"_autocast_nest", autocast_nest, METH_O,
     "Opens (1) or ends (-1) an autocast scope; returns how many are open."},
    {"_autocast_cache", autocast_cache, METH_NOARGS,
     "Returns whether autocast caches the casts of parameters."},
    {"_set_autocast_cache", set_autocast_cache, METH_O,
     "Sets whether autocast caches casts of parameters until its outermost scope ends."},
    {"_clear_autocast_cache", autocast_cache_clear, METH_NOARGS,
     "Clears autocast's cache of casted parameters."},
    {"get_default_dtype", get_default_dtype, METH_NOARGS,
     "get_default_dtype()\n--\n\nReturns the data type of new floating tensors, float32 unless it "
     "was changed.\n\n"
     "    >>> torch.get_default_dtype()\n"
     "    torch.float32"},
    {"set_default_dtype", set_default_dtype, METH_O, "Sets the data type of new floating tensors."},
    {"get_default_device", get_default_device, METH_NOARGS,
     "get_default_device()\n--\n\nReturns the device on which new tensors are made."},
    {"set_default_device", set_default_device, METH_O,
     "Sets the device on which this thread makes new tensors; None: the CPU."},
    {"get_num_threads", get_num_threads, METH_NOARGS,
     "get_num_threads()\n--\n\nReturns the number of threads that one operation may use."},
    {"set_num_threads", set_num_threads, METH_O,
     "Sets the number of threads that one operation may use."},
    {"get_num_interop_threads", get_num_interop_threads, METH_NOARGS,
     "get_num_interop_threads()\n--\n\nReturns the number that was given to "
     "set_num_interop_threads; operations never run concurrently."},
    {"set_num_interop_threads", set_num_interop_threads, METH_O,
     "Stores a number for get_num_interop_threads; it has no other effect."},
    {"set_flush_denormal", set_flush_denormal, METH_O,
     "Sets whether denormal numbers become 0. Returns False if the processor does not support it."},
    {"_set_warn_always", set_warn_always, METH_O, NULL},
    {"_set_broadcast", set_broadcast, METH_O, NULL},
    {"_set_fill_empty", set_fill_empty, METH_O, NULL},
    {"_empty_cache", empty_cache, METH_NOARGS, "Releases cached memory to the system."},
    {"_get_printoptions", get_printoptions, METH_NOARGS, NULL},
    {"_set_printoptions", set_printoptions, METH_VARARGS, NULL},
    {0},
};

bool py_init_settings(PyObject *module)
{
    return py_add_methods(&py_Device, device_methods) &&
           PyModule_AddFunctions(module, functions) == 0;
}
