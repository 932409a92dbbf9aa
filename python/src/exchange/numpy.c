/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy arrays over a tensor's memory, and tensors over an array's. Corten does not link NumPy:
 * arrays are read through the array interface (the C structure behind __array_struct__) and created
 * through NumPy's function table, which is fetched at the first use. Negative strides are accepted,
 * unlike in PyTorch. */
#include "exchange/exchange.h"

#include <corten/autograd.h>
#include <corten/own.h>

#include "create/construct.h"
#include "parse/parse.h"

/* ---- NumPy's side, by its stable binary interface ---- */

struct array_interface { /* contents of the capsule __array_struct__ */
    int two, nd;
    char typekind;
    int itemsize, flags;
    Py_ssize_t *shape, *strides;
    void *data;
    PyObject *descr;
};
enum { NPY_ALIGNED = 0x100, NPY_NOT_SWAPPED = 0x200, NPY_WRITEABLE = 0x400 };

/* Indices in NumPy's function table. */
enum { NPY_ARRAY_TYPE = 2, NPY_NEW = 93, NPY_SET_BASE = 282 };
/* Aliases of the 64-bit types, with their own type numbers. */
enum { NPY_LONGLONG = 9, NPY_ULONGLONG = 10 };
typedef PyObject *(*numpy_new)(PyTypeObject *type, int nd, const Py_ssize_t *dims, int type_number,
                               const Py_ssize_t *strides, void *data, int itemsize, int flags,
                               PyObject *like);
typedef int (*numpy_set_base)(PyObject *array, PyObject *base_taken);

static const int8_t type_numbers[CT_DTYPE_COUNT] = {
    [CT_BOOL] = 0,
    [CT_INT8] = 1,
    [CT_UINT8] = 2,
    [CT_INT16] = 3,
    [CT_UINT16] = 4,
    [CT_INT32] = 5,
    [CT_UINT32] = 6,
    [CT_INT64] = 7,
    [CT_UINT64] = 8,
    [CT_FLOAT16] = 23,
    [CT_BFLOAT16] = -1,
    [CT_FLOAT32] = 11,
    [CT_FLOAT64] = 12,
    [CT_COMPLEX64] = 14,
    [CT_COMPLEX128] = 15,
    [CT_COMPLEX32] = -1,
    [CT_FLOAT8_E4M3FN] = -1,
    [CT_FLOAT8_E5M2] = -1,
    [CT_FLOAT8_E4M3FNUZ] = -1,
    [CT_FLOAT8_E5M2FNUZ] = -1,
    [CT_FLOAT8_E8M0FNU] = -1,
};

static void **numpy_table; /* loaded on first use */

static bool load_numpy(void)
{
    if (numpy_table)
        return true;
    PyObject *module = PyImport_ImportModule("numpy._core._multiarray_umath");
    if (!module && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError)) { /* before NumPy 2 */
        PyErr_Clear();
        module = PyImport_ImportModule("numpy.core._multiarray_umath");
    }
    PyObject *capsule = module ? PyObject_GetAttrString(module, "_ARRAY_API") : NULL;
    numpy_table = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    if (!numpy_table) {
        PyErr_Clear();
        PyErr_SetString(PyExc_RuntimeError, "Numpy is not available");
    }
    return numpy_table != NULL;
}

static PyTypeObject *array_type; /* NumPy's ndarray; NULL until NumPy is imported */

bool py_is_array(PyObject *o)
{
    if (!array_type) {
        PyObject *modules = PyImport_GetModuleDict(); /* borrowed */
        PyObject *found = modules ? PyDict_GetItemString(modules, "numpy") : NULL;
        PyObject *type = found ? PyObject_GetAttrString(found, "ndarray") : NULL;
        if (!type || !PyType_Check(type)) { /* not imported yet */
            Py_XDECREF(type);
            PyErr_Clear();
            return false;
        }
        array_type = (PyTypeObject *)type;
    }
    return PyObject_TypeCheck(o, array_type);
}

/* ---- tensor -> array ---- */

static PyObject *array_over(ct_tensor *t)
{
    if (ct_device_of(t).type != CT_CPU)
        return PyErr_Format(PyExc_TypeError,
                            "can't convert %s device type tensor to numpy. Use Tensor.cpu() to "
                            "copy the tensor to host memory first.",
                            ct_device_str(ct_device_of(t)));
    if (ct_is_sparse(t))
        return PyErr_Format(PyExc_TypeError,
                            "can't convert Sparse%s layout tensor to numpy. Use "
                            "Tensor.to_dense() first.",
                            (const char *const[]){"", "", "Csr", "Csc"}[ct_layout_of(t)]);
    enum ct_dtype dtype = ct_dtype(t);
    if (type_numbers[dtype] < 0)
        return PyErr_Format(PyExc_TypeError, "Got unsupported ScalarType %s",
                            ct_dtype_scalar_name(dtype));
    if (!load_numpy())
        return NULL;
    int nd = (int)ct_ndim(t);
    Py_ssize_t dims[64], strides[64];
    for (int d = 0; d < nd; d++) {
        dims[d] = (Py_ssize_t)ct_shape_ptr(t)[d];
        strides[d] = (Py_ssize_t)(ct_stride_ptr(t)[d] * ct_element_size(t));
    }
    /* The array refers to a separate tensor, because set_() may give t another storage. */
    ct_storage *s = ct_storage_of(t);
    PyObject *base =
        py_wrap(ct_own_from_storage(s, dtype, ct_ints_of(ct_shape_ptr(t), nd),
                                    ct_ints_of(ct_stride_ptr(t), nd), ct_storage_offset(t)));
    if (!base)
        return NULL;
    PyObject *array = ((numpy_new)numpy_table[NPY_NEW])(
        (PyTypeObject *)numpy_table[NPY_ARRAY_TYPE], nd, dims, type_numbers[dtype], strides,
        ct_data(t), 0, NPY_ALIGNED | NPY_WRITEABLE, NULL);
    if (!array) {
        Py_DECREF(base);
        return NULL;
    }
    if (((numpy_set_base)numpy_table[NPY_SET_BASE])(array, base) < 0)
        Py_CLEAR(array);
    else
        ct_storage_set_resizable(s, false);
    return array;
}

static const char *why_not_plain(ct_tensor *t)
{
    if (ct_guard_kind() != CT_GUARD_NONE && ct_is_dual(t)) /* the array would lose the tangent */
        return "Cannot access data pointer of Tensor that doesn't have storage: Can't call numpy() "
               "inside a function that jvp derives. Use tensor.detach().numpy() instead.";
    if (ct_is_grad_enabled() && ct_requires_grad(t) && !ct_is_only_dual(t))
        return "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
               "instead.";
    if (ct_is_conj(t))
        return "Can't call numpy() on Tensor that has conjugate bit set. Use "
               "tensor.resolve_conj().numpy() instead.";
    if (ct_is_neg(t))
        return "Can't call numpy() on Tensor that has negative bit set. Use "
               "tensor.resolve_neg().numpy() instead.";
    return NULL;
}

static PyObject *to_array(ct_tensor *t)
{
    const char *why = why_not_plain(t);
    if (why) {
        PyErr_SetString(PyExc_RuntimeError, why);
        return ct_requires_grad(t)
                   ? py_note("the array shares the tensor's memory, so writing to it changes the "
                             "values that backward uses; .detach().clone().numpy() makes a copy")
                   : NULL;
    }
    return array_over(t);
}

/* numpy(force=True): detaches, copies to the CPU and resolves conj and neg flags as needed. */
static PyObject *force_array(ct_tensor *t)
{
    bool recording = ct_set_grad_enabled(false);
    ct_tensor *here =
        ct_own_to(t, CT_NO_DTYPE, (struct ct_device){CT_CPU, -1}, false, false, CT_PRESERVE_FORMAT);
    ct_tensor *plain = ct_own_resolve_conj(here);
    ct_tensor *positive = ct_own_resolve_neg(plain);
    ct_set_grad_enabled(recording);
    PyObject *array = positive ? array_over(positive) : py_raise();
    ct_release(here);
    ct_release(plain);
    ct_release(positive);
    return array;
}

static struct py_arg numpy_args[] = {PY_OFF("force", PY_KEYWORD)};
static struct py_signature numpy_signature = {
    .args = numpy_args, .n = 1, .returns = PY_RETURNS_OBJECT};
static struct py_op numpy_op = {.name = "numpy", .signatures = &numpy_signature, .n = 1};

static PyObject *numpy(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    if (nargs == 0 && !names)
        return to_array(py_tensor_of(self));
    struct py_frame frame;
    if (py_read(&frame, &numpy_op, self, args, nargs, names) < 0)
        return NULL;
    return frame.v[0].b ? force_array(py_tensor_of(self)) : to_array(py_tensor_of(self));
}

/* Casts an array; returns the same array if it has the dtype already. */
static PyObject *array_as(PyObject *array, PyObject *dtype, bool may_copy)
{
    PyObject *astype = PyObject_GetAttrString(array, "astype");
    PyObject *args = PyTuple_Pack(1, dtype), *kwargs = Py_BuildValue("{sO}", "copy", Py_False);
    PyObject *cast = astype && args && kwargs ? PyObject_Call(astype, args, kwargs) : NULL;
    Py_XDECREF(astype);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    if (cast && cast != array && !may_copy) {
        PyErr_SetString(PyExc_ValueError,
                        "Unable to avoid copy while creating an array as requested.");
        Py_CLEAR(cast);
    }
    return cast;
}

static PyObject *dunder_array(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"dtype", "copy", NULL};
    PyObject *dtype = Py_None, *copy = Py_None;
    if (!py_fits("Tensor.__array__", names, 0, 1, args, kwargs) ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "|O$O", names, &dtype, &copy))
        return NULL;
    int must_copy = copy == Py_None ? 0 : PyObject_IsTrue(copy);
    PyObject *array = must_copy < 0 ? NULL : to_array(py_tensor_of(self));
    if (!array)
        return NULL;
    if (dtype != Py_None) {
        PyObject *cast = array_as(array, dtype, copy != Py_False);
        must_copy = must_copy && cast == array;
        Py_SETREF(array, cast);
    }
    if (array && must_copy)
        Py_SETREF(array, PyObject_CallMethod(array, "copy", NULL));
    return array;
}

/* __array_wrap__: NumPy calls it to convert the result of a ufunc on a tensor. bool becomes uint8,
 * as in PyTorch. */
static PyObject *array_wrap(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    if (nargs < 1 || nargs > 3)
        return PyErr_Format(PyExc_TypeError, "__array_wrap__() takes 1 to 3 arguments");
    ct_tensor *t = py_is_array(args[0]) ? py_share_array(args[0], false)
                                        : py_tensor_from_data(args[0], CT_NO_DTYPE);
    if (t && ct_dtype(t) == CT_BOOL)
        t = py_cast_take(t, CT_UINT8);
    return t ? py_wrap_as(t, py_class_like(self)) : NULL;
}

/* ---- array -> tensor ---- */

static PyObject *unsupported(PyObject *array)
{
    PyObject *dtype = PyObject_GetAttrString(array, "dtype");
    PyObject *type = dtype ? PyObject_GetAttrString(dtype, "type") : NULL;
    PyObject *name = type ? PyObject_GetAttrString(type, "__name__") : NULL;
    if (name)
        PyErr_Format(PyExc_TypeError,
                     "can't convert np.ndarray of type numpy.%U. The only supported types are: "
                     "float64, float32, float16, complex64, complex128, int64, int32, int16, int8, "
                     "uint64, uint32, uint16, uint8, and bool.",
                     name);
    Py_XDECREF(dtype);
    Py_XDECREF(type);
    Py_XDECREF(name);
    return NULL;
}

/* Maps NumPy's type number to a dtype; extension types such as ml_dtypes' bfloat16 are known by
 * name only. */
enum ct_dtype py_numpy_dtype(PyObject *array)
{
    PyObject *dtype = PyObject_GetAttrString(array, "dtype");
    PyObject *number = dtype ? PyObject_GetAttrString(dtype, "num") : NULL;
    long num = number ? PyLong_AsLong(number) : -1;
    enum ct_dtype found = num == NPY_LONGLONG    ? CT_INT64
                          : num == NPY_ULONGLONG ? CT_UINT64
                                                 : CT_NO_DTYPE;
    for (int d = 0; num >= 0 && d < CT_DTYPE_COUNT && found == CT_NO_DTYPE; d++) {
        if (type_numbers[d] == num)
            found = (enum ct_dtype)d;
    }
    PyObject *name = number && found == CT_NO_DTYPE ? PyObject_GetAttrString(dtype, "name") : NULL;
    if (name && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "bfloat16") == 0)
        found = CT_BFLOAT16;
    else if (name)
        unsupported(array);
    Py_XDECREF(name);
    Py_XDECREF(number);
    Py_XDECREF(dtype);
    return found;
}

static enum ct_dtype dtype_of_kind(char kind, int itemsize)
{
    static const struct {
        char kind;
        uint8_t itemsize;
        int8_t dtype;
    } known[] = {
        {'f', 4, CT_FLOAT32},   {'f', 8, CT_FLOAT64},     {'i', 8, CT_INT64}, {'i', 4, CT_INT32},
        {'i', 2, CT_INT16},     {'i', 1, CT_INT8},        {'u', 1, CT_UINT8}, {'u', 2, CT_UINT16},
        {'u', 4, CT_UINT32},    {'u', 8, CT_UINT64},      {'b', 1, CT_BOOL},  {'f', 2, CT_FLOAT16},
        {'c', 8, CT_COMPLEX64}, {'c', 16, CT_COMPLEX128},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (known[i].kind == kind && known[i].itemsize == itemsize)
            return (enum ct_dtype)known[i].dtype;
    }
    return CT_NO_DTYPE;
}

static bool warn_read_only(void)
{
    static bool warned;
    return py_warn_once(
        &warned,
        "The given NumPy array is not writable, and PyTorch does not support non-writable "
        "tensors. This means writing to this tensor will result in undefined behavior. You "
        "may want to copy the array to protect its data or make it writable before "
        "converting it to a tensor. This type of warning will be suppressed for the rest "
        "of this program.");
}

static ct_tensor *share_interface(PyObject *array, const struct array_interface *a, bool warn)
{
    enum ct_dtype dtype = dtype_of_kind(a->typekind, a->itemsize);
    if (dtype == CT_NO_DTYPE)
        return (ct_tensor *)unsupported(array);
    if (!(a->flags & NPY_NOT_SWAPPED)) {
        PyErr_SetString(PyExc_ValueError,
                        "given numpy array has byte order different from the native byte order. "
                        "Conversion between byte orders is currently not supported.");
        return NULL;
    }
    int64_t shape[64], stride[64];
    for (int d = 0; d < a->nd; d++) {
        if (a->strides[d] % a->itemsize != 0 && a->shape[d] > 1) {
            PyErr_SetString(PyExc_ValueError,
                            "given numpy array strides not a multiple of the element byte size. "
                            "Copy the numpy array to reallocate the memory.");
            return NULL;
        }
        if (py_strict && a->strides[d] < 0) {
            PyErr_SetString(
                PyExc_ValueError,
                "At least one stride in the given numpy array is negative, and tensors "
                "with negative strides are not currently supported. (You can probably "
                "work around this by making a copy of your array  with array.copy().) ");
            return NULL;
        }
        shape[d] = a->shape[d];
        stride[d] = a->strides[d] / a->itemsize;
    }
    if (warn && !(a->flags & NPY_WRITEABLE) && !warn_read_only())
        return NULL;
    ct_tensor *t =
        ct_own_from_memory(a->data, dtype, ct_ints_of(shape, a->nd), ct_ints_of(stride, a->nd),
                           py_release_object, Py_NewRef(array));
    if (!t)
        py_raise();
    return t;
}

ct_tensor *py_share_array(PyObject *array, bool warn)
{
    /* Uses the attribute of ndarray itself, even if a subclass overrides it: an override might
     * return the memory of another object, which would not be kept alive. */
    PyObject *own = PyObject_GetAttrString((PyObject *)array_type, "__array_struct__");
    descrgetfunc get = own ? Py_TYPE(own)->tp_descr_get : NULL;
    PyObject *capsule = get ? get(own, array, (PyObject *)Py_TYPE(array)) : NULL;
    Py_XDECREF(own);
    struct array_interface *a = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    ct_tensor *t = NULL;
    if (a && (a->two != 2 || a->nd > 64))
        PyErr_SetString(PyExc_ValueError, "invalid __array_struct__");
    else if (a)
        t = share_interface(array, a, warn);
    Py_XDECREF(capsule);
    return t;
}

static PyObject *from_numpy(PyObject *module, PyObject *o)
{
    if (!py_is_array(o)) {
        PyErr_Format(PyExc_TypeError, "expected np.ndarray (got %s)", py_typename(o));
        return py_note("torch.tensor(data) takes lists, numbers and arrays, and copies them");
    }
    ct_tensor *t = py_share_array(o, true);
    return t ? py_wrap(t) : NULL;
}

static PyMethodDef methods[] = {
    {"numpy", PY_FAST(numpy),
     "numpy($self, *, force=False)\n--\n\nReturns a NumPy array that shares the memory of this "
     "tensor.\n\n"
     "The tensor must be on the CPU and must not require a gradient.\n\n"
     "Arguments:\n"
     "    force (bool): whether to detach, copy to the CPU and resolve conjugation first. Default: "
     "`False`."},
    {"__array__", PY_KEYWORDS(dunder_array),
     "__array__($self, dtype=None, *, copy=None)\n--\n\nReturns the tensor as a NumPy array."},
    {"__array_wrap__", (PyCFunction)(void (*)(void))array_wrap, METH_FASTCALL, NULL},
    {0},
};

static PyMethodDef functions[] = {
    {"from_numpy", from_numpy, METH_O,
     "from_numpy(ndarray)\n--\n\nReturns a tensor that shares the memory of a NumPy array: a write "
     "to one is visible in the other."},
    {0},
};

bool py_init_numpy(PyObject *module)
{
    PyObject *priority = PyLong_FromLong(1000); /* ndarray + tensor then calls the tensor */
    int rc =
        priority ? PyDict_SetItemString(py_TensorBase.tp_dict, "__array_priority__", priority) : -1;
    Py_XDECREF(priority);
    return rc == 0 && py_add_methods(&py_TensorBase, methods) &&
           PyModule_AddFunctions(module, functions) == 0;
}
