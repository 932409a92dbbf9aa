/* SPDX-License-Identifier: BSD-3-Clause */
/* Module-level functions that query tensors and dtypes, and settings for running as a replacement
 * for PyTorch. */
#include "parse/parse.h"

#include <corten/autograd.h>
#include <corten/macros.h>

/* ---- queries of one tensor: torch.numel(x), torch.is_complex(x), ... ---- */

static struct py_arg input_arg[] = {PY_REQUIRED("input", PY_TENSOR)};
static struct py_signature input_signature = {
    .args = input_arg, .n = 1, .which = 0, .returns = PY_RETURNS_OBJECT};

static ct_tensor *read_input(const char *name, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *names)
{
    struct py_op op = {.name = name, .signatures = &input_signature, .n = 1};
    struct py_frame frame;
    return py_read(&frame, &op, NULL, args, nargs, names) < 0 ? NULL : frame.v[0].tensor;
}

static PyObject *numel(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    ct_tensor *t = read_input("numel", args, nargs, names);
    return t ? PyLong_FromLongLong(ct_numel(t)) : NULL;
}

static PyObject *is_floating_point(PyObject *m, PyObject *const *args, Py_ssize_t nargs,
                                   PyObject *names)
{
    ct_tensor *t = read_input("is_floating_point", args, nargs, names);
    return t ? PyBool_FromLong(ct_dtype_is_floating(ct_dtype(t))) : NULL;
}

static PyObject *is_complex(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    ct_tensor *t = read_input("is_complex", args, nargs, names);
    return t ? PyBool_FromLong(ct_dtype_is_complex(ct_dtype(t))) : NULL;
}

static PyObject *is_conj(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    ct_tensor *t = read_input("is_conj", args, nargs, names);
    return t ? PyBool_FromLong(ct_is_conj(t)) : NULL;
}

static PyObject *is_neg(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    ct_tensor *t = read_input("is_neg", args, nargs, names);
    return t ? PyBool_FromLong(ct_is_neg(t)) : NULL;
}

static PyObject *is_signed(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    ct_tensor *t = read_input("is_signed", args, nargs, names);
    return t ? PyBool_FromLong(ct_dtype_is_signed(ct_dtype(t))) : NULL;
}

static PyObject *is_inference(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    ct_tensor *t = read_input("is_inference", args, nargs, names);
    return t ? PyBool_FromLong(ct_is_inference(t)) : NULL;
}

static PyObject *get_device(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    ct_tensor *t = read_input("get_device", args, nargs, names);
    return t ? PyLong_FromLong(ct_device_of(t).index) : NULL;
}

static PyObject *is_distributed(PyObject *m, PyObject *const *args, Py_ssize_t nargs,
                                PyObject *names)
{
    if (!read_input("is_distributed", args, nargs, names))
        return NULL;
    Py_RETURN_FALSE;
}

static struct py_arg same_size_args[] = {
    {.name = "input", .kind = PY_TENSOR, .flags = PY_SELF},
    PY_REQUIRED("other", PY_TENSOR),
};
static struct py_signature same_size_signature = {.args = same_size_args, .n = 2};
static struct py_op same_size_op = {
    .name = "is_same_size", .signatures = &same_size_signature, .n = 1};

static PyObject *same_size(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &same_size_op, self, args, nargs, names) < 0)
        return NULL;
    const ct_tensor *a = self ? py_tensor_of(self) : frame.v[0].tensor, *b = frame.v[1].tensor;
    size_t nbytes = (size_t)ct_ndim(a) * sizeof(int64_t);
    return PyBool_FromLong(ct_ndim(a) == ct_ndim(b) &&
                           memcmp(ct_shape_ptr(a), ct_shape_ptr(b), nbytes) == 0);
}

static PyObject *is_same_size(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    return same_size(NULL, args, nargs, names);
}

static PyObject *is_tensor(PyObject *m, PyObject *o)
{
    return PyBool_FromLong(py_is_tensor(o));
}

/* ---- types ---- */

static struct py_arg result_tt[] = {PY_REQUIRED("tensor", PY_OPERAND),
                                    PY_REQUIRED("other", PY_OPERAND)};
static struct py_arg result_nt[] = {PY_REQUIRED("scalar", PY_NUMBER),
                                    PY_REQUIRED("tensor", PY_OPERAND)};
static struct py_arg result_tn[] = {PY_REQUIRED("tensor", PY_OPERAND),
                                    PY_REQUIRED("other", PY_NUMBER)};
static struct py_arg result_nn[] = {PY_REQUIRED("scalar1", PY_NUMBER),
                                    PY_REQUIRED("scalar2", PY_NUMBER)};
static struct py_signature result_signatures[] = {{.args = result_tt, .n = 2},
                                                  {.args = result_nt, .n = 2},
                                                  {.args = result_tn, .n = 2},
                                                  {.args = result_nn, .n = 2}};
static struct py_op result_op = {.name = "result_type", .signatures = result_signatures, .n = 4};

static PyObject *result_type(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    if (py_read(&frame, &result_op, NULL, args, nargs, names) < 0)
        return NULL;
    enum ct_dtype dtype = ct_result_type_ex(frame.v[0].value, frame.v[1].value);
    return dtype == CT_NO_DTYPE ? py_raise() : py_dtype(dtype);
}

static struct py_arg promote_args[] = {PY_REQUIRED("type1", PY_DTYPE),
                                       PY_REQUIRED("type2", PY_DTYPE)};
static struct py_arg cast_args[] = {PY_REQUIRED("from_", PY_DTYPE), PY_REQUIRED("to", PY_DTYPE)};
static struct py_signature promote_signature = {.args = promote_args, .n = 2},
                           cast_signature = {.args = cast_args, .n = 2};
static struct py_op promote_op = {.name = "promote_types",
                                  .signatures = &promote_signature,
                                  .n = 1},
                    cast_op = {.name = "can_cast", .signatures = &cast_signature, .n = 1};

/* Parses the arguments of a function of two dtypes. */
static bool two_dtypes(struct py_op *op, PyObject *const *args, Py_ssize_t nargs, PyObject *names,
                       enum ct_dtype v[2])
{
    struct py_frame frame;
    int i = py_read(&frame, op, NULL, args, nargs, names);
    v[0] = frame.v[0].dtype;
    v[1] = frame.v[1].dtype;
    return i >= 0;
}

static PyObject *promote_types(PyObject *m, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *names)
{
    enum ct_dtype v[2];
    if (!two_dtypes(&promote_op, args, nargs, names, v))
        return NULL;
    enum ct_dtype dtype = ct_promote_types(v[0], v[1]);
    return dtype == CT_NO_DTYPE ? py_raise() : py_dtype(dtype);
}

static PyObject *can_cast(PyObject *m, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    enum ct_dtype v[2];
    if (!two_dtypes(&cast_op, args, nargs, names, v))
        return NULL;
    return PyBool_FromLong(ct_can_cast(v[0], v[1]));
}

/* ---- the build ---- */

static PyObject *isa(PyObject *m, PyObject *unused)
{
    return PyUnicode_FromString(ct_isa());
}

static PyObject *lapack_name(PyObject *self, PyObject *unused)
{
    const char *name = ct_lapack_name();
    return name ? PyUnicode_FromString(name) : py_raise();
}

static PyObject *compiler(PyObject *m, PyObject *unused)
{
#ifdef __clang__
    return PyUnicode_FromString("Clang " __clang_version__);
#else
    return PyUnicode_FromString("GCC " __VERSION__);
#endif
}

/* ---- as a replacement for PyTorch ---- */

bool py_strict;

static PyObject *set_strict(PyObject *m, PyObject *o)
{
    int on = PyObject_IsTrue(o);
    if (on < 0)
        return NULL;
    py_strict = on;
    ct_allow_negative_strides(!on);
    Py_RETURN_NONE;
}

static PyObject *swap_tensor_impl(PyObject *self, PyObject *args)
{
    PyObject *a, *b;
    if (!PyArg_ParseTuple(args, "O!O!", &py_TensorBase, &a, &py_TensorBase, &b))
        return NULL;
    py_swap_tensors(a, b);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"_swap_tensor_impl", swap_tensor_impl, METH_VARARGS, "Exchanges the tensors of two objects."},
    {"numel", PY_FAST(numel),
     "numel(input)\n--\n\nReturns the number of elements.\n\n"
     "    >>> torch.numel(torch.ones(2, 3))\n"
     "    6"},
    {"is_floating_point", PY_FAST(is_floating_point),
     "is_floating_point(input)\n--\n\nReturns whether the data type is a floating one, such as "
     "float32 or bfloat16.\n\n"
     "    >>> torch.is_floating_point(torch.ones(1, dtype=torch.int64))\n"
     "    False"},
    {"is_complex", PY_FAST(is_complex),
     "is_complex(input)\n--\n\nReturns whether the data type is complex.\n\n"
     "    >>> torch.is_complex(torch.ones(1, dtype=torch.complex64))\n"
     "    True"},
    {"is_conj", PY_FAST(is_conj),
     "is_conj(input)\n--\n\nReturns whether the tensor is a conjugated view, whose elements are "
     "conjugated when they are read."},
    {"is_neg", PY_FAST(is_neg),
     "is_neg(input)\n--\n\nReturns whether the tensor is a negated view, whose elements are "
     "negated when they are read."},
    {"is_signed", PY_FAST(is_signed),
     "is_signed(input)\n--\n\nReturns whether the data type has negative numbers.\n\n"
     "    >>> torch.is_signed(torch.ones(1, dtype=torch.uint8))\n"
     "    False"},
    {"is_inference", PY_FAST(is_inference),
     "is_inference(input)\n--\n\nReturns whether the tensor was made in inference mode."},
    {"is_distributed", PY_FAST(is_distributed),
     "is_distributed(input)\n--\n\nReturns False; for compatibility."},
    {"is_same_size", PY_FAST(is_same_size),
     "is_same_size(input, other)\n--\n\nReturns whether both tensors have the same shape.\n\n"
     "    >>> torch.is_same_size(torch.ones(2), torch.zeros(2))\n"
     "    True"},
    {"get_device", PY_FAST(get_device),
     "get_device(input)\n--\n\nReturns the index of the tensor's GPU, or -1 for the CPU."},
    {"_isa", isa, METH_NOARGS, NULL},
    {"_lapack_name", lapack_name, METH_NOARGS, "Loads the LAPACK library and returns its name."},
    {"_compiler", compiler, METH_NOARGS, NULL},
    {"is_tensor", is_tensor, METH_O,
     "is_tensor(obj)\n--\n\nReturns whether an object is a tensor.\n\n"
     "    >>> torch.is_tensor([1, 2])\n"
     "    False"},
    {"promote_types", PY_FAST(promote_types),
     "promote_types(type1, type2)\n--\n\nReturns the smallest data type to which both types can be "
     "promoted.\n\n"
     "    >>> torch.promote_types(torch.int64, torch.float16)\n"
     "    torch.float16"},
    {"result_type", PY_FAST(result_type),
     "result_type(tensor, other)\n--\n\nReturns the data type that arithmetic with both operands, "
     "tensors or numbers, would have.\n\n"
     "    >>> torch.result_type(torch.ones(2, dtype=torch.int32), 1.5)\n"
     "    torch.float32"},
    {"can_cast", PY_FAST(can_cast),
     "can_cast(from_, to)\n--\n\nReturns whether the rules of promotion allow a cast between two "
     "data types.\n\n"
     "    >>> torch.can_cast(torch.float32, torch.int64)\n"
     "    False"},
    {"_set_strict", set_strict, METH_O, NULL},
    {0},
};

static PyObject *is_inference_method(PyObject *self, PyObject *unused)
{
    return PyBool_FromLong(ct_is_inference(py_tensor_of(self)));
}

/* _use_count(): the number of references to the C tensor; the Python object counts as one. */
static PyObject *use_count(PyObject *self, PyObject *unused)
{
    return PyLong_FromLongLong(ct_reference_count(py_tensor_of(self)));
}

static PyObject *is_distributed_method(PyObject *self, PyObject *unused)
{
    Py_RETURN_FALSE;
}

static PyMethodDef methods[] = {
    {"is_same_size", PY_FAST(same_size),
     "is_same_size($self, other)\n--\n\nReturns whether both tensors have the same shape."},
    {"is_inference", is_inference_method, METH_NOARGS,
     "is_inference($self)\n--\n\nReturns whether the tensor was made in inference mode."},
    {"_use_count", use_count, METH_NOARGS, "The number of references to the C tensor."},
    {"is_distributed", is_distributed_method, METH_NOARGS,
     "is_distributed($self)\n--\n\nReturns False; for compatibility."},
    {0},
};

bool py_init_globals(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods) && PyModule_AddFunctions(module, functions) == 0;
}
