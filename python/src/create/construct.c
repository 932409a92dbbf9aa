/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensors from Python data: numbers, nested sequences (scanned for sizes, then for the dtype, then
 * stored), NumPy arrays and scalars, with the rules and messages of torch.tensor. The data is
 * always copied. Called by torch.tensor and as_tensor (create.c) and by indexing. */
#include "create/construct.h"

#include <corten/own.h>
#include <math.h>

#include "exchange/exchange.h"

#define MAX_DIMS 64

/* ---- sizes: along the first items ---- */

static int probe_sizes(PyObject *data, int64_t *sizes)
{
    int ndim = 0;
    PyObject *o = Py_NewRef(data);
    while (PySequence_Check(o) && !PyUnicode_Check(o) && !PyBytes_Check(o)) {
        if (py_is_tensor(o) && (o != data || ct_ndim(py_tensor_of(o)) == 0))
            break; /* within a list it counts as a number */
        if (py_is_numpy(o) && py_numpy_scalar_kind(o) != 0)
            break;
        Py_ssize_t n = PySequence_Length(o);
        if (n < 0 || ndim == MAX_DIMS) {
            if (n >= 0)
                PyErr_Format(PyExc_ValueError, "too many dimensions '%s'", py_typename(o));
            else if (py_is_numpy(o)) { /* a 0-d array */
                PyErr_Clear();
                break;
            }
            Py_DECREF(o);
            return -1;
        }
        sizes[ndim++] = n;
        if (n == 0)
            break;
        PyObject *first = PySequence_GetItem(o, 0);
        Py_DECREF(o);
        if (!first) {
            if (PyErr_ExceptionMatches(
                    PyExc_KeyError)) { /* a mapping that passes PySequence_Check */
                PyErr_Clear();
                PyErr_Format(PyExc_RuntimeError, "Could not infer dtype of %s", py_typename(data));
            }
            return -1;
        }
        o = first;
    }
    if (PyUnicode_Check(o) && ndim > 0) {
        PyErr_Format(PyExc_ValueError, "too many dimensions '%s'", py_typename(o));
        ndim = -1;
    }
    Py_DECREF(o);
    return ndim;
}

/* ---- type: over all items ---- */

static enum ct_dtype complex_of_default(void)
{
    enum ct_dtype real = ct_get_default_dtype();
    return real == CT_FLOAT64 ? CT_COMPLEX128 : real == CT_FLOAT16 ? CT_COMPLEX32 : CT_COMPLEX64;
}

static enum ct_dtype infer(PyObject *o, int depth);

/* Infers the dtype of one item of o. Holds a reference to the item, because inference may run the
 * program's code. */
static enum ct_dtype infer_item(PyObject *o, PyObject *item, int depth)
{
    if (item == o)
        PyErr_SetString(PyExc_TypeError, "new(): self-referential lists are incompatible");
    else if (depth == MAX_DIMS) /* or a deeper item contains o */
        PyErr_Format(PyExc_ValueError, "too many dimensions '%s'", py_typename(o));
    else {
        Py_INCREF(item);
        enum ct_dtype d = infer(item, depth + 1);
        Py_DECREF(item);
        return d;
    }
    return CT_NO_DTYPE;
}

static enum ct_dtype infer_items(PyObject *o, int depth)
{
    PyObject *fast = PySequence_Fast(o, "not a sequence");
    if (!fast)
        return CT_NO_DTYPE;
    enum ct_dtype dtype = CT_NO_DTYPE;
    PyTypeObject *last = NULL; /* skip runs of one plain type */
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(fast); i++) { /* the list may change */
        PyObject *item = PySequence_Fast_GET_ITEM(fast, i);
        if (Py_TYPE(item) == last)
            continue;
        last = PyFloat_CheckExact(item) || PyLong_CheckExact(item) || PyBool_Check(item)
                   ? Py_TYPE(item)
                   : NULL;
        enum ct_dtype d = infer_item(o, item, depth);
        if (d == CT_NO_DTYPE || !py_check_signals(i)) {
            Py_DECREF(fast);
            return CT_NO_DTYPE;
        }
        dtype = dtype == CT_NO_DTYPE ? d : ct_promote_types(dtype, d);
    }
    Py_DECREF(fast);
    return dtype != CT_NO_DTYPE ? dtype : ct_get_default_dtype();
}

/* Infers the dtype of Python data; CT_NO_DTYPE with an exception. */
static enum ct_dtype infer(PyObject *o, int depth)
{
    if (PyFloat_CheckExact(o))
        return ct_get_default_dtype();
    if (PyBool_Check(o))
        return CT_BOOL;
    if (PyLong_Check(o))
        return CT_INT64;
    if (PyComplex_CheckExact(o))
        return complex_of_default();
    if (py_is_tensor(o))
        return ct_dtype(py_tensor_of(o));
    if (py_is_numpy(o) && PyObject_HasAttrString(o, "dtype"))
        return py_numpy_dtype(o);
    if (PyFloat_Check(o))
        return ct_get_default_dtype();
    if (PyComplex_Check(o))
        return complex_of_default();
    if (PyUnicode_Check(o) || PyBytes_Check(o)) {
        PyErr_Format(PyExc_TypeError, "new(): invalid data type '%s'", py_typename(o));
        return CT_NO_DTYPE;
    }
    if (PySequence_Check(o))
        return infer_items(o, depth);
    PyErr_Format(PyExc_RuntimeError, "Could not infer dtype of %s", py_typename(o));
    return CT_NO_DTYPE;
}

/* ---- storing ---- */

static uint16_t half_bits(float f)
{
    union {
        float f;
        uint32_t u;
    } v = {f};
    uint32_t sign = (v.u >> 16) & 0x8000, mag = v.u & 0x7fffffff;
    if (mag >= 0x7f800000)
        return (uint16_t)(sign | 0x7c00 | (mag > 0x7f800000 ? 0x200 : 0));
    if (mag >= 0x477ff000)
        return (uint16_t)(sign | 0x7c00);
    if (mag < 0x38800000) { /* subnormal: adding 0.5 rounds in hardware */
        union {
            float f;
            uint32_t u;
        } small = {.u = mag};
        small.f += 0.5f;
        return (uint16_t)(sign | (small.u - 0x3f000000));
    }
    uint32_t odd = (mag >> 13) & 1;
    return (uint16_t)(sign | ((mag + 0xc8000fff + odd) >> 13));
}

static uint16_t bfloat_bits(float f)
{
    union {
        float f;
        uint32_t u;
    } v = {f};
    if (f != f)
        return 0x7fc0;
    return (uint16_t)((v.u + 0x7fff + ((v.u >> 16) & 1)) >> 16);
}

static bool store_real(char *p, enum ct_dtype dtype, PyObject *o)
{
    double f = PyFloat_AsDouble(o);
    if (f == -1.0 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError))
            return false;
        if (!PyComplex_Check(o))
            return false;
        PyErr_Clear();
        PyErr_SetString(PyExc_TypeError, "must be real number, not complex");
        return false;
    }
    if (dtype == CT_FLOAT64)
        *(double *)p = f;
    else if (dtype == CT_FLOAT32)
        *(float *)p = (float)f;
    else if (dtype < CT_FLOAT16)
        *(uint8_t *)p = ct_float8_code((float)f, dtype);
    else
        *(uint16_t *)p = dtype == CT_FLOAT16 ? half_bits((float)f) : bfloat_bits((float)f);
    return true;
}

static bool overflow_to(enum ct_dtype dtype)
{
    PyErr_Format(PyExc_RuntimeError, "value cannot be converted to type %s without overflow",
                 ct_dtype_str(dtype) + strlen("torch."));
    return false;
}

/* Converts to an integer, truncating floats; a float below the minimum of the dtype is an error. */
static bool integer_of(PyObject *o, enum ct_dtype dtype, int64_t *v)
{
    bool real = PyFloat_Check(o);
    double f = real ? PyFloat_AS_DOUBLE(o) : 0;
    double least = ct_dtype_is_signed(dtype) ? -ldexp(1, 8 * (int)ct_dtype_size(dtype) - 1) : 0;
    if (!isfinite(f) || (real && f < least))
        return overflow_to(dtype);
    PyObject *integer = real || PyBool_Check(o) ? PyNumber_Long(o) : PyNumber_Index(o);
    if (!integer)
        return false;
    int overflow;
    *v = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (dtype == CT_UINT64 && (overflow || *v < 0)) {
        unsigned long long u = PyLong_AsUnsignedLongLong(integer); /* same error as PyTorch's */
        *v = (int64_t)u;
        overflow = 0;
    }
    Py_DECREF(integer);
    if (overflow && real)
        return overflow_to(dtype);
    if (overflow)
        PyErr_SetString(PyExc_ValueError, "Overflow when unpacking long long");
    return !PyErr_Occurred();
}

/* Whether v fits. Unsigned types also accept negative values by their bits, as in PyTorch. */
static bool fits_dtype(int64_t v, enum ct_dtype dtype)
{
    int64_t size = ct_dtype_size(dtype);
    if (size == 8)
        return true;
    int64_t most = (int64_t)1 << (8 * size - (ct_dtype_is_signed(dtype) ? 1 : 0));
    return v < most && v >= -most;
}

static bool store_integer(char *p, enum ct_dtype dtype, PyObject *o)
{
    int64_t v;
    if (!integer_of(o, dtype, &v))
        return false;
    if (!fits_dtype(v, dtype))
        return overflow_to(dtype);
    memcpy(p, &v, (size_t)ct_dtype_size(dtype)); /* little-endian */
    return true;
}

/* Stores whether a number is nonzero; other objects raise the error of an integer conversion. */
static bool store_truth(char *p, PyObject *o)
{
    bool plain = PyFloat_Check(o) || PyLong_Check(o) || PyComplex_Check(o) ||
                 (py_is_numpy(o) && py_numpy_scalar_kind(o) == 'b');
    PyObject *number = plain ? Py_NewRef(o) : PyNumber_Index(o);
    int truth = number ? PyObject_IsTrue(number) : -1;
    Py_XDECREF(number);
    *(uint8_t *)p = truth > 0;
    return truth >= 0;
}

/* Raises the error for a tensor with several elements inside a list. */
static bool refuse_several(PyObject *tensor, bool integral)
{
    if (integral)
        Py_XDECREF(PyNumber_Index(tensor)); /* raises the error */
    else
        PyErr_SetString(PyExc_ValueError,
                        "only one element tensors can be converted to Python scalars");
    py_note("torch.stack(list) joins tensors of equal shape along a new dim, torch.cat(list) "
            "along an existing one");
    return false;
}

static bool store_element(char *p, enum ct_dtype dtype, PyObject *o)
{
    if (py_is_tensor(o) && ct_numel(py_tensor_of(o)) != 1)
        return refuse_several(o, dtype <= CT_UINT64);
    switch (dtype) {
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
    case CT_FLOAT16:
    case CT_BFLOAT16:
    case CT_FLOAT32:
    case CT_FLOAT64:
        return store_real(p, dtype, o);
    case CT_BOOL:
        return store_truth(p, o);
    case CT_COMPLEX64:
    case CT_COMPLEX32:
    case CT_COMPLEX128: {
        ct_value v = ct_value_none();
        Py_complex c;
        if (py_is_tensor(o) && !py_number(o, &v))
            return false;
        c = v.kind == CT_VALUE_COMPLEX ? (Py_complex){v.as.c.re, v.as.c.im}
                                       : PyComplex_AsCComplex(o);
        if (c.real == -1.0 && PyErr_Occurred())
            return false;
        if (dtype == CT_COMPLEX64) {
            ((float *)p)[0] = (float)c.real;
            ((float *)p)[1] = (float)c.imag;
        } else if (dtype == CT_COMPLEX32) {
            ((uint16_t *)p)[0] = half_bits((float)c.real);
            ((uint16_t *)p)[1] = half_bits((float)c.imag);
        } else {
            ((double *)p)[0] = c.real;
            ((double *)p)[1] = c.imag;
        }
        return true;
    }
    default:
        return store_integer(p, dtype, o);
    }
}

/* Fast path for runs of plain numbers. Returns how many were stored. */
static Py_ssize_t store_run(char *p, enum ct_dtype dtype, PyObject *const *items, Py_ssize_t n)
{
    Py_ssize_t i = 0;
    int overflow = 0;
    if (dtype == CT_FLOAT32) {
        for (; i < n && PyFloat_CheckExact(items[i]); i++)
            ((float *)p)[i] = (float)PyFloat_AS_DOUBLE(items[i]);
    } else if (dtype == CT_FLOAT64) {
        for (; i < n && PyFloat_CheckExact(items[i]); i++)
            ((double *)p)[i] = PyFloat_AS_DOUBLE(items[i]);
    } else if (dtype == CT_INT64) {
        for (; i < n && PyLong_CheckExact(items[i]) && !overflow; i++)
            ((int64_t *)p)[i] = PyLong_AsLongLongAndOverflow(items[i], &overflow);
    }
    return i - (overflow != 0);
}

struct target {
    char *p;
    enum ct_dtype dtype;
    int64_t itemsize;
    const int64_t *sizes;
    int ndim;
};

/* Copies an array among the items in one step. False without an exception if that is not possible.
 * Only for dtypes where the result equals converting the numbers one by one: conversions to
 * integers are range-checked. */
static bool store_array(struct target *to, int dim, PyObject *array)
{
    ct_tensor *source = py_share_array(array, false), *part = NULL;
    int ndim = to->ndim - dim;
    bool alike = source && ct_ndim(source) == ndim;
    for (int d = 0; alike && d < ndim; d++)
        alike = ct_shape_ptr(source)[d] == to->sizes[dim + d];
    if (alike && (ct_dtype(source) == to->dtype ||
                  (ct_dtype_is_floating(ct_dtype(source)) && ct_dtype_is_floating(to->dtype))))
        part = ct_own_from_memory(to->p, to->dtype, ct_ints_of(to->sizes + dim, ndim), CT_NO_DIMS,
                                  NULL, NULL);
    bool good = part && ct_own_copy_(part, source, false);
    if (good)
        to->p += ct_numel(part) * to->itemsize;
    ct_release(part);
    ct_release(source);
    ct_clear_error();
    PyErr_Clear();
    return good;
}

static void wrong_length(int64_t n, int dim, Py_ssize_t got)
{
    PyErr_Format(PyExc_ValueError, "expected sequence of length %lld at dim %d (got %zd)",
                 (long long)n, dim, got);
    py_note("all lists of one dim must have the same length: pad the shorter ones, or use a list "
            "of tensors");
}

static bool warn_of_arrays(void)
{
    static bool said;
    return py_warn_once(&said,
                        "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please "
                        "consider converting the list to a single numpy.ndarray with numpy.array() "
                        "before converting to a tensor.");
}

static bool store_items(struct target *to, int dim, PyObject *o)
{
    bool array = py_is_array(o);
    if (array && dim > 0 && !warn_of_arrays())
        return false;
    if (array && dim < to->ndim && store_array(to, dim, o))
        return true;
    if (dim == to->ndim) {
        bool good = store_element(to->p, to->dtype, o);
        to->p += to->itemsize;
        return good;
    }
    int64_t n = to->sizes[dim];
    PyObject *fast = PySequence_Fast(o, "not a sequence");
    if (!fast)
        return false;
    bool good = PySequence_Fast_GET_SIZE(fast) == n;
    if (!good)
        wrong_length(n, dim, PySequence_Fast_GET_SIZE(fast));
    Py_ssize_t i = 0;
    if (good && dim == to->ndim - 1) {
        i = store_run(to->p, to->dtype, PySequence_Fast_ITEMS(fast), (Py_ssize_t)n);
        to->p += i * to->itemsize;
    }
    for (; good && i < n && i < PySequence_Fast_GET_SIZE(fast); i++) {
        PyObject *item = Py_NewRef(PySequence_Fast_GET_ITEM(fast, i));
        good = store_items(to, dim + 1, item);
        good = good && py_check_signals(i);
        Py_DECREF(item);
    }
    if (good && i < n) { /* the program shortened the list meanwhile */
        wrong_length(n, dim, i);
        good = false;
    }
    Py_DECREF(fast);
    return good;
}

/* ---- integer tensors ---- */

ct_tensor *py_new_empty(enum ct_dtype dtype, const int64_t *sizes, int ndim)
{
    int64_t nbytes = ct_dtype_size(dtype);
    for (int i = 0; i < ndim; i++) {
        if (__builtin_mul_overflow(nbytes, sizes[i], &nbytes)) {
            PyErr_SetString(PyExc_RuntimeError, "Storage size calculation overflowed");
            return NULL;
        }
    }
    ct_storage *s = ct_storage_create(nbytes, (struct ct_device){CT_CPU, -1});
    ct_tensor *t = s ? ct_own_from_storage(s, dtype, ct_ints_of(sizes, ndim), CT_NO_DIMS, 0) : NULL;
    if (s)
        ct_storage_release(s);
    if (!t)
        py_raise();
    return t;
}

/* Copies an array, casting if dtype is given. */
static ct_tensor *copy_array(PyObject *data, enum ct_dtype dtype)
{
    ct_tensor *shared = py_share_array(data, false);
    if (!shared)
        return NULL;
    ct_tensor *t = ct_own_to(shared, dtype, CT_NO_DEVICE, false, true, CT_CONTIGUOUS_FORMAT);
    ct_release(shared);
    if (!t)
        py_raise();
    return t;
}

/* Copies a GPU array to the CPU, like all other data. */
static ct_tensor *copy_cuda(PyObject *data, enum ct_dtype dtype)
{
    ct_tensor *shared = py_share_cuda(data);
    ct_tensor *copy = shared ? ct_own_to(shared, dtype, (struct ct_device){CT_CPU, -1}, false, true,
                                         CT_PRESERVE_FORMAT)
                             : NULL;
    if (shared && !copy)
        py_raise();
    ct_release(shared);
    return copy;
}

ct_tensor *py_tensor_from_data(PyObject *data, enum ct_dtype dtype)
{
    if (PyUnicode_Check(data) || PyBytes_Check(data)) {
        PyErr_Format(PyExc_TypeError, "new(): invalid data type '%s'", py_typename(data));
        return NULL;
    }
    if (py_is_array(data))
        return copy_array(data, dtype);
    if (py_has_cuda_interface(data))
        return copy_cuda(data, dtype);
    int64_t sizes[MAX_DIMS];
    int ndim = probe_sizes(data, sizes);
    if (ndim < 0)
        return NULL;
    if (dtype == CT_NO_DTYPE)
        dtype = infer(data, 0);
    if (dtype == CT_NO_DTYPE)
        return NULL;
    ct_tensor *t = py_new_empty(dtype, sizes, ndim);
    if (!t)
        return NULL;
    struct target to = {NULL, dtype, ct_dtype_size(dtype), sizes, ndim};
    if (ct_numel(t) == 0)
        return t;
    to.p = ct_data(t);
    if (store_items(&to, 0, data))
        return t;
    ct_release(t);
    return NULL;
}
