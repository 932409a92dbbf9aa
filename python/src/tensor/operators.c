/* SPDX-License-Identifier: BSD-3-Clause */
/* The operator slots of the Tensor type. The other operand may be a tensor, a number, a NumPy
 * scalar or a NumPy array (which becomes a tensor); for anything else the slot returns
 * NotImplemented, so that Python tries the other operand. Also comparison, truth value and
 * conversion to Python numbers. */
#include "tensor/operators.h"

#include "exchange/exchange.h"
#include "parse/parse.h"

#include "corten/profile.h"

py_binary_call py_comparisons[6];

/* Converts an operand: 1 if possible, 0 if it is of another type, -1 with an exception. Sets
 * *overloaded for a tensor subclass and *made (owned) to a tensor created for an array. */
static int read_operand(PyObject *o, ct_value *v, PyObject **overloaded, ct_tensor **made)
{
    if (py_is_plain(o)) {
        *v = ct_value_tensor(py_tensor_of(o));
        return 1;
    }
    if (PyFloat_CheckExact(o)) {
        *v = ct_value_float(PyFloat_AS_DOUBLE(o));
        return 1;
    }
    if (PyObject_TypeCheck(o, &py_TensorBase)) {
        *overloaded = o;
        *v = ct_value_tensor(py_tensor_of(o));
        return 1;
    }
    if (py_is_number(o))
        return py_number(o, v) ? 1 : -1;
    if (py_is_array(o)) {
        *made = py_share_array(o, false);
        *v = ct_value_tensor(*made);
        return *made ? 1 : -1;
    }
    return 0;
}

static bool is_big(ct_value v)
{
    return v.kind == CT_VALUE_TENSOR && ct_numel(v.as.tensor) >= 32768;
}

/* Returns the method that PyTorch dispatches for an operator with the tensor on the left, or on the
 * right (`reflected`). */
static const char *method_of(const char *name, bool reflected, bool own)
{
    static const struct {
        const char *name, *left, *right;
    } known[] = {
        {"__add__", "add", "add"},
        {"__sub__", "sub", "__rsub__"},
        {"__mul__", "mul", "mul"},
        {"__truediv__", "div", "__rdiv__"},
        {"__floordiv__", "__floordiv__", "__rfloordiv__"},
        {"__mod__", "remainder", "__rmod__"},
        {"__pow__", "pow", "__rpow__"},
        {"__matmul__", "matmul", "__rmatmul__"},
        {"__and__", "__and__", "bitwise_and"},
        {"__or__", "__or__", "bitwise_or"},
        {"__xor__", "__xor__", "bitwise_xor"},
        {"__lshift__", "__lshift__", "__rlshift__"},
        {"__rshift__", "__rshift__", "__rrshift__"},
        {"__ne__", "ne", "ne"},
        {"__lt__", "lt", "gt"},
        {"__le__", "le", "ge"},
        {"__gt__", "gt", "lt"},
        {"__ge__", "ge", "le"},
        {"__neg__", "neg", "neg"},
        {"__pos__", "positive", "positive"},
        {"__abs__", "abs", "abs"},
        {"__iadd__", "add_", NULL},
        {"__isub__", "sub_", NULL},
        {"__imul__", "mul_", NULL},
        {"__itruediv__", "div_", NULL},
        {"__ifloordiv__", "floor_divide_", NULL},
        {"__imod__", "remainder_", NULL},
        {"__ipow__", "pow_", NULL},
        {"__imatmul__", "matmul", NULL},
    };
    if (strcmp(name, "__eq__") == 0)
        return own ? name : "eq";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return reflected ? known[i].right : known[i].left;
    return name;
}

static const char *event_name(const char *name)
{
    static const struct {
        const char *name, *event;
    } known[] = {{"__eq__", "eq"},
                 {"__floordiv__", "floor_divide"},
                 {"__and__", "bitwise_and"},
                 {"__or__", "bitwise_or"},
                 {"__xor__", "bitwise_xor"},
                 {"__invert__", "bitwise_not"},
                 {"__lshift__", "bitwise_left_shift"},
                 {"__rshift__", "bitwise_right_shift"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].event;
    return method_of(name, false, true);
}

/* Offers the operator to overrides; true if one handled it (*answer). *like receives the object
 * that determines the class of results. */
static __attribute__((noinline)) bool overridden(PyObject *a, PyObject *b, PyObject **like,
                                                 const char *name, PyObject **answer)
{
    bool reflected = !py_is_tensor(a);
    PyObject *self = reflected ? b : a, *other = reflected ? a : b;
    struct py_op op = {.name = method_of(name, reflected, !py_is_plain(self))};
    struct py_frame frame = {
        .op = &op, .self = self, .may_decline = b != NULL, .overloaded = *like};
    frame.args = &other;
    frame.nargs = b != NULL;
    bool asked = py_overridden(&frame, answer);
    *like = frame.overloaded;
    return asked;
}

/* The library function of an operator: for tensors and numbers, or for two tensors only. */
struct binary {
    const char *name;
    py_binary_call values;
    py_tensors_call tensors;
};

static inline ct_tensor *call_binary(struct binary op, ct_value x, ct_value y)
{
    return op.tensors ? op.tensors(x.as.tensor, y.as.tensor) : op.values(x, y);
}

static inline __attribute__((always_inline)) PyObject *run_binary(PyObject *a, PyObject *b,
                                                                  struct binary op)
{
    ct_value x, y;
    ct_tensor *made = NULL;
    PyObject *overloaded = NULL, *answer = NULL;
    int good = read_operand(a, &x, &overloaded, &made);
    if (good > 0)
        good = read_operand(b, &y, &overloaded, &made);
    if (good < 0 && op.tensors && PyErr_ExceptionMatches(PyExc_OverflowError)) {
        PyErr_Clear(); /* an int of any size is not a tensor */
        good = 0;
    }
    if (good > 0 && op.tensors && (x.kind != CT_VALUE_TENSOR || y.kind != CT_VALUE_TENSOR))
        good = 0;
    bool asked = false;
    if (good == 0 && py_has_override(py_is_tensor(a) ? b : a))
        asked = overridden(a, b, &overloaded, op.name, &answer);
    else if (good > 0 && (overloaded || py_modes))
        asked = overridden(a, b, &overloaded, op.name, &answer);
    if (good > 0 && !asked) {
        ct_tensor *result;
        int64_t event = py_profiling ? py_event_operator(event_name(op.name), x, y) : -1;
        if (is_big(x) || is_big(y)) {
            PyThreadState *unlocked = PyEval_SaveThread();
            result = call_binary(op, x, y);
            PyEval_RestoreThread(unlocked);
        } else {
            result = call_binary(op, x, y);
        }
        if (event >= 0)
            ct_profile_end_call(event, result);
        answer = overloaded ? py_wrap_like(result, overloaded) : py_wrap(result);
        if (!op.tensors && py_operators_warn)
            answer = py_emit_warnings(answer);
    }
    if (made)
        ct_release(made);
    if (good == 0 && !asked)
        Py_RETURN_NOTIMPLEMENTED;
    return answer;
}

PyObject *py_binary(PyObject *a, PyObject *b, py_binary_call call, const char *name)
{
    return run_binary(a, b, (struct binary){.name = name, .values = call});
}

PyObject *py_binary_tensors(PyObject *a, PyObject *b, py_tensors_call call, const char *name)
{
    return run_binary(a, b, (struct binary){.name = name, .tensors = call});
}

PyObject *py_unary(PyObject *a, py_unary_call call, const char *name)
{
    ct_tensor *t = py_tensor_of(a), *result;
    PyObject *answer;
    if (py_is_plain(a) && ct_numel(t) < 32768 && !py_modes && !py_profiling)
        return py_wrap(call(t));
    PyObject *like = a;
    if ((!py_is_plain(a) || py_modes) && overridden(a, NULL, &like, name, &answer))
        return answer;
    int64_t event = py_profiling ? py_event_operator(event_name(name), ct_value_tensor(t),
                                                     (ct_value){.kind = CT_VALUE_NULL})
                                 : -1;
    PyThreadState *unlocked = PyEval_SaveThread();
    result = call(t);
    PyEval_RestoreThread(unlocked);
    ct_profile_end_call(event, result);
    return py_wrap_like(result, a);
}

bool py_can_invert(PyObject *a)
{
    enum ct_dtype d = ct_dtype(py_tensor_of(a));
    bool good = !ct_dtype_is_floating(d) && !ct_dtype_is_complex(d);
    if (!good)
        PyErr_SetString(
            PyExc_TypeError,
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
    return good;
}

PyObject *py_inplace(PyObject *self, PyObject *other, py_inplace_call call, const char *name)
{
    ct_value y;
    ct_tensor *made = NULL;
    PyObject *overloaded = py_is_plain(self) ? NULL : self, *answer;
    int good = read_operand(other, &y, &overloaded, &made);
    if (good < 0)
        return NULL;
    if ((good == 0 ? py_has_override(other) : overloaded || py_modes) &&
        overridden(self, other, &overloaded, name, &answer)) {
        ct_release(made);
        return answer;
    }
    if (good == 0)
        Py_RETURN_NOTIMPLEMENTED;
    ct_tensor *result;
    int64_t event =
        py_profiling ? py_event_operator(event_name(name), ct_value_tensor(py_tensor_of(self)), y)
                     : -1;
    if (is_big(ct_value_tensor(py_tensor_of(self)))) {
        PyThreadState *unlocked = PyEval_SaveThread();
        result = call(py_tensor_of(self), y);
        PyEval_RestoreThread(unlocked);
    } else {
        result = call(py_tensor_of(self), y);
    }
    ct_profile_end(event);
    if (made)
        ct_release(made);
    return py_self(self, result);
}

PyObject *py_inplace_tensor(PyObject *self, PyObject *other, py_inplace_tensor_call call,
                            const char *name)
{
    PyObject *overloaded = NULL, *answer;
    bool overrides = !py_is_plain(self) || !py_is_plain(other) || py_modes;
    if (overrides && (py_is_tensor(other) || py_has_override(other)) &&
        overridden(self, other, &overloaded, name, &answer))
        return answer;
    if (!py_is_tensor(other))
        Py_RETURN_NOTIMPLEMENTED;
    return py_self(self, call(py_tensor_of(self), py_tensor_of(other)));
}

PyObject *py_tensor_richcompare(PyObject *a, PyObject *b, int op)
{
    static const char *const names[] = {"__lt__", "__le__", "__eq__", "__ne__", "__gt__", "__ge__"};
    if (!py_comparisons[op])
        Py_RETURN_NOTIMPLEMENTED;
    return py_binary(a, b, py_comparisons[op], names[op]);
}

/* ---- as Python's own numbers ---- */

static int tensor_bool(PyObject *self)
{
    ct_tensor *t = py_tensor_of(self);
    int64_t n = ct_numel(t);
    if (n != 1) {
        PyErr_Format(PyExc_RuntimeError, "Boolean value of Tensor with %s is ambiguous",
                     n ? "more than one value" : "no values");
        py_note("use x.any() or x.all(); between tensors write & | ~ (with parentheses) "
                "instead of and, or, not");
        return -1;
    }
    ct_value v = ct_item_value(t);
    switch (v.kind) {
    case CT_VALUE_BOOL:
        return v.as.b;
    case CT_VALUE_INT:
    case CT_VALUE_UINT:
        return v.as.i != 0;
    case CT_VALUE_FLOAT:
        return v.as.f != 0;
    case CT_VALUE_COMPLEX:
        return v.as.c.re != 0 || v.as.c.im != 0;
    default:
        return py_raise_int();
    }
}

/* The single element, for int() and float(). */
static PyObject *lone_item(PyObject *self)
{
    ct_tensor *t = py_tensor_of(self);
    if (ct_numel(t) != 1) {
        PyErr_SetString(PyExc_ValueError,
                        "only one element tensors can be converted to Python scalars");
        return py_note("x.tolist() returns all elements as Python numbers, x[0] is the first");
    }
    return py_item(t);
}

static PyObject *tensor_int(PyObject *self)
{
    PyObject *item = lone_item(self);
    if (item && PyComplex_Check(item)) {
        Py_complex c = PyComplex_AsCComplex(item);
        Py_CLEAR(item);
        if (c.imag == 0 && c.real >= -0x1p63 && c.real < 0x1p63)
            return PyLong_FromLongLong((long long)c.real);
        PyErr_SetString(PyExc_RuntimeError,
                        "value cannot be converted to type int64_t without overflow");
    }
    if (item)
        Py_SETREF(item, PyNumber_Long(item));
    return item;
}

static PyObject *tensor_float(PyObject *self)
{
    PyObject *item = lone_item(self);
    if (item && PyComplex_Check(item)) {
        Py_complex c = PyComplex_AsCComplex(item);
        if (c.imag != 0) {
            PyErr_SetString(PyExc_RuntimeError,
                            "value cannot be converted to type double without overflow");
            Py_CLEAR(item);
            return NULL;
        }
        Py_SETREF(item, PyFloat_FromDouble(c.real));
    }
    if (item)
        Py_SETREF(item, PyNumber_Float(item));
    return item;
}

static PyObject *tensor_index(PyObject *self)
{
    ct_tensor *t = py_tensor_of(self);
    enum ct_dtype d = ct_dtype(t);
    if (ct_numel(t) != 1 || ct_dtype_is_floating(d) || ct_dtype_is_complex(d)) {
        PyErr_SetString(PyExc_TypeError,
                        "only integer tensors of a single element can be converted to an index");
        return NULL;
    }
    PyObject *item = py_item(t);
    if (item)
        Py_SETREF(item, PyNumber_Long(item));
    return item;
}

PyNumberMethods py_tensor_as_number = {
    .nb_bool = tensor_bool,
    .nb_int = tensor_int,
    .nb_float = tensor_float,
    .nb_index = tensor_index,
};
