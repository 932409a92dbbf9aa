/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the module that are about the library rather than about elements: the default type,
 * threads, printing, and questions about tensors and types. */
#include "parse.h"

#include <corten/macros.h>

/* ---- questions about one tensor: torch.numel(x), torch.is_complex(x), ... ---- */

static struct py_arg input_arg[] = {{.name = "input", .kind = PY_TENSOR}};
static struct py_signature input_signature = {
    .args = input_arg, .n = 1, .which = 0, .returns = PY_RETURNS_OBJECT};

static ct_tensor *read_input(const char *name, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *names)
{
    struct py_op op = {.name = name, .signatures = &input_signature, .n = 1};
    struct py_frame frame;
    int i = py_parse(&frame, &op, NULL, args, nargs, names);
    py_frame_end(&frame);
    return i < 0 ? NULL : frame.v[0].tensor;
}

static PyObject *numel(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    (void)m;
    ct_tensor *t = read_input("numel", args, nargs, names);
    return t ? PyLong_FromLongLong(ct_numel(t)) : NULL;
}

static PyObject *is_floating_point(PyObject *m, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *names)
{
    (void)m;
    ct_tensor *t = read_input("is_floating_point", args, nargs, names);
    return t ? PyBool_FromLong(ct_dtype_is_floating(ct_dtype(t))) : NULL;
}

static PyObject *is_complex(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    (void)m;
    ct_tensor *t = read_input("is_complex", args, nargs, names);
    return t ? PyBool_FromLong(ct_dtype_is_complex(ct_dtype(t))) : NULL;
}

static PyObject *is_conj(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    (void)m;
    ct_tensor *t = read_input("is_conj", args, nargs, names);
    return t ? PyBool_FromLong(ct_is_conj(t)) : NULL;
}

static PyObject *is_neg(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    (void)m;
    ct_tensor *t = read_input("is_neg", args, nargs, names);
    return t ? PyBool_FromLong(ct_is_neg(t)) : NULL;
}

static PyObject *is_nonzero(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    (void)m;
    if (!read_input("is_nonzero", args, nargs, names))
        return NULL;
    PyObject *o = nargs ? args[0] : args[0]; /* a keyword's value stands first as well */
    int truth = PyObject_IsTrue(o);
    return truth < 0 ? NULL : PyBool_FromLong(truth);
}

static PyObject *is_tensor(PyObject *m, PyObject *o)
{
    (void)m;
    return PyBool_FromLong(py_is_tensor(o));
}

/* ---- types ---- */

static PyObject *get_default_dtype(PyObject *m, PyObject *unused)
{
    (void)m, (void)unused;
    return py_dtype(ct_get_default_dtype());
}

static PyObject *set_default_dtype(PyObject *m, PyObject *o)
{
    (void)m;
    if (!py_is_dtype(o))
        return PyErr_Format(PyExc_TypeError, "invalid dtype object: only floating-point types are "
                                             "supported as the default type");
    if (!ct_set_default_dtype(py_dtype_of(o)))
        return py_raise();
    Py_RETURN_NONE;
}

static bool two_dtypes(const char *name, PyObject *const *args, Py_ssize_t nargs, enum ct_dtype *a,
                       enum ct_dtype *b)
{
    if (nargs == 2 && py_is_dtype(args[0]) && py_is_dtype(args[1])) {
        *a = py_dtype_of(args[0]);
        *b = py_dtype_of(args[1]);
        return true;
    }
    PyErr_Format(PyExc_TypeError, "%s() takes two torch.dtype arguments", name);
    return false;
}

static PyObject *promote_types(PyObject *m, PyObject *const *args, Py_ssize_t nargs)
{
    (void)m;
    enum ct_dtype a, b;
    if (!two_dtypes("promote_types", args, nargs, &a, &b))
        return NULL;
    return py_dtype(ct_promote_types(a, b));
}

#define REQUIRED(text, wanted)                                                                     \
    {                                                                                              \
        .name = text, .kind = wanted                                                               \
    }
static struct py_arg result_tt[] = {REQUIRED("tensor", PY_OPERAND), REQUIRED("other", PY_OPERAND)};
static struct py_arg result_nt[] = {REQUIRED("scalar", PY_NUMBER), REQUIRED("tensor", PY_OPERAND)};
static struct py_arg result_tn[] = {REQUIRED("tensor", PY_OPERAND), REQUIRED("other", PY_NUMBER)};
static struct py_arg result_nn[] = {REQUIRED("scalar1", PY_NUMBER), REQUIRED("scalar2", PY_NUMBER)};
static struct py_signature result_signatures[] = {{.args = result_tt, .n = 2},
                                                  {.args = result_nt, .n = 2},
                                                  {.args = result_tn, .n = 2},
                                                  {.args = result_nn, .n = 2}};
static struct py_op result_op = {.name = "result_type", .signatures = result_signatures, .n = 4};

static PyObject *result_type(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    (void)m;
    struct py_frame frame;
    int i = py_parse(&frame, &result_op, NULL, args, nargs, names);
    py_frame_end(&frame);
    if (i < 0)
        return NULL;
    enum ct_dtype dtype = ct_result_type_ex(frame.v[0].value, frame.v[1].value);
    return dtype == CT_NO_DTYPE ? py_raise() : py_dtype(dtype);
}

static PyObject *can_cast(PyObject *m, PyObject *const *args, Py_ssize_t nargs)
{
    (void)m;
    enum ct_dtype a, b;
    if (!two_dtypes("can_cast", args, nargs, &a, &b))
        return NULL;
    return PyBool_FromLong(ct_can_cast(a, b));
}

/* ---- in PyTorch's place ---- */

bool py_strict;

static PyObject *set_strict(PyObject *m, PyObject *o)
{
    (void)m;
    int on = PyObject_IsTrue(o);
    if (on < 0)
        return NULL;
    py_strict = on;
    Py_RETURN_NONE;
}

/* ---- threads and memory ---- */

static PyObject *get_num_threads(PyObject *m, PyObject *unused)
{
    (void)m, (void)unused;
    return PyLong_FromLong(ct_get_num_threads());
}

static PyObject *set_num_threads(PyObject *m, PyObject *o)
{
    (void)m;
    int64_t n;
    if (!py_is_int(o))
        return PyErr_Format(PyExc_RuntimeError, "set_num_threads expects an int, but got %s",
                            py_typename(o));
    if (!py_int64(o, &n))
        return NULL;
    if (n <= 0)
        return PyErr_Format(PyExc_RuntimeError, "set_num_threads expects a positive integer");
    if (!ct_set_num_threads(n))
        return py_raise();
    Py_RETURN_NONE;
}

static PyObject *empty_cache(PyObject *m, PyObject *unused)
{
    (void)m, (void)unused;
    ct_empty_cache();
    Py_RETURN_NONE;
}

/* ---- printing: the policy of set_printoptions is in Python ---- */

static PyObject *get_printoptions(PyObject *m, PyObject *unused)
{
    (void)m, (void)unused;
    struct ct_print_options o = ct_get_print_options();
    return Py_BuildValue("iiiii", o.precision, o.threshold, o.edgeitems, o.linewidth, o.sci_mode);
}

static PyObject *set_printoptions(PyObject *m, PyObject *args)
{
    (void)m;
    struct ct_print_options o;
    if (!PyArg_ParseTuple(args, "iiiii", &o.precision, &o.threshold, &o.edgeitems, &o.linewidth,
                          &o.sci_mode))
        return NULL;
    ct_set_print_options(o);
    Py_RETURN_NONE;
}

#define FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS

static PyMethodDef functions[] = {
    {"numel", FAST(numel), "numel(input)\n--\n\nThe number of elements."},
    {"is_floating_point", FAST(is_floating_point),
     "is_floating_point(input)\n--\n\nWhether the type is float16 to float64."},
    {"is_complex", FAST(is_complex), "is_complex(input)\n--\n\nWhether the type is complex."},
    {"is_conj", FAST(is_conj), "is_conj(input)\n--\n\nWhether it is a lazily conjugated view."},
    {"is_neg", FAST(is_neg), "is_neg(input)\n--\n\nWhether it is a lazily negated view."},
    {"is_nonzero", FAST(is_nonzero), "is_nonzero(input)\n--\n\nWhether the one element is not 0."},
    {"is_tensor", is_tensor, METH_O, "is_tensor(obj)\n--\n\nWhether obj is a tensor."},
    {"get_default_dtype", get_default_dtype, METH_NOARGS, "The type of new floating tensors."},
    {"set_default_dtype", set_default_dtype, METH_O, "Sets the type of new floating tensors."},
    {"promote_types", (PyCFunction)(void (*)(void))promote_types, METH_FASTCALL,
     "The smallest type that both types fit in."},
    {"result_type", FAST(result_type),
     "result_type(tensor, other)\n--\n\nThe type that arithmetic on both has."},
    {"can_cast", (PyCFunction)(void (*)(void))can_cast, METH_FASTCALL,
     "Whether a cast is allowed under the rules of promotion."},
    {"get_num_threads", get_num_threads, METH_NOARGS, "How many threads one operation may use."},
    {"set_num_threads", set_num_threads, METH_O, "Sets how many threads one operation may use."},
    {"_set_strict", set_strict, METH_O, NULL},
    {"_empty_cache", empty_cache, METH_NOARGS, "Gives cached free memory back to the system."},
    {"_get_printoptions", get_printoptions, METH_NOARGS, NULL},
    {"_set_printoptions", set_printoptions, METH_VARARGS, NULL},
    {0},
};

bool py_init_globals(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
