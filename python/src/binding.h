/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of corten._C share: the Tensor object and the small types, errors as exceptions,
 * the conversions between Python and corten/base.h. Python is a guest of the library: this folder
 * parses arguments and makes objects, holds no arithmetic, and sees public headers only.
 * Functions return NULL (or -1, false) with a Python exception set unless their comment says else.
 */
#ifndef CORTEN_PYTHON_BINDING_H
#define CORTEN_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <corten/base.h>
#include <structmember.h>

/* ---- tensors ---- */

/* Note [Who owns whom]: as a rule the Python object owns one reference to the tensor, and the
 * tensor's handle points back without owning. When Python's last reference goes while C still holds
 * the tensor and the object has something to lose (attributes, weak references, a subclass), the
 * ownership flips: the tensor keeps the object (kept_by_c), the object no longer counts for the
 * tensor. It flips back when Python meets the tensor again or C lets go of it. */
typedef struct {
    PyObject ob_base;
    ct_tensor *t; /* NULL only while the object is being made */
    PyObject *dict, *weakrefs;
    bool kept_by_c;
} TensorObject;

extern PyTypeObject py_TensorBase;
extern PyTypeObject *py_Tensor; /* torch.Tensor: a heap type, so that programs can add methods */

extern PyTypeObject *py_Parameter;

static inline bool py_is_tensor(PyObject *o)
{
    return Py_IS_TYPE(o, py_Tensor) || PyObject_TypeCheck(o, &py_TensorBase);
}

/* A tensor whose class has no say in what operations do with it. */
static inline bool py_is_plain(PyObject *o)
{
    return Py_IS_TYPE(o, py_Tensor) || Py_IS_TYPE(o, py_Parameter);
}

bool py_is_parameter(PyObject *o); /* isinstance(o, Parameter) */

static inline ct_tensor *py_tensor_of(PyObject *o)
{
    return ((TensorObject *)o)->t;
}

/* The object of a tensor; takes the reference over. NULL: raises the library's error. */
PyObject *py_wrap(ct_tensor *owned);
/* The same with a class for objects that do not exist yet. */
PyObject *py_wrap_as(ct_tensor *owned, PyTypeObject *type);
/* May there be tensors of a class? MissingFeature is set where there may not: it has a
 * __torch_dispatch__, which would never be called. */
bool py_check_class(PyTypeObject *type);
/* The object of a tensor that somebody else holds; None for NULL. */
PyObject *py_wrap_borrowed(ct_tensor *borrowed);
/* Answers an in-place call: a new reference to self, or the library's error when result is NULL. */
PyObject *py_self(PyObject *self, const ct_tensor *result);
/* A view of all of t that gradients pass through: owned. */
ct_tensor *py_alias(ct_tensor *t);
/* Gives each of two objects the tensor of the other. */
void py_swap_tensors(PyObject *a, PyObject *b);
/* The dict of its attributes, borrowed; NULL: it has none. */
PyObject *py_attributes(PyObject *o);
/* From now on the garbage collector looks at it: it may be part of a cycle. The second for tensors
 * that `o` holds, near at hand: o is about to be held by a tensor. */
static inline void py_track(PyObject *o)
{
    if (!PyObject_GC_IsTracked(o))
        PyObject_GC_Track(o);
}
void py_track_held(PyObject *o);
/* A tuple of the tensors of an owned list, which is released. */
PyObject *py_wrap_list(ct_list owned);

/* Objects of the collector carry two words in front; the lowest bit of the second says that the
 * finaliser has run. What came back to Python must be finalised again. */
static inline void py_forget_finalised(PyObject *o)
{
    ((uintptr_t *)o)[-1] &= ~(uintptr_t)1;
}

/* ---- errors ---- */

PyObject *py_raise(void);              /* the library's error as an exception; returns NULL */
PyObject *py_warned(PyObject *answer); /* raises a waiting warning; takes the answer */
int py_raise_int(void);                /* the same; returns -1 */
PyObject *py_note(const char *note);   /* adds help to the exception that is set; NULL */
/* Warns once in a process, or each time after torch.set_warn_always(True); false: the warning has
 * become an exception. `said` is a static variable of the place that warns. */
bool py_warn_once(bool *said, const char *text);
/* A class name as PyTorch's messages spell it. */
const char *py_typename(PyObject *o);

/* ---- small types ---- */

typedef struct {
    PyObject ob_base;
    enum ct_dtype dtype;
    const char *name; /* "float32" */
} DTypeObject;

typedef struct {
    PyObject ob_base;
    struct ct_device device;
    const char *foreign; /* a kind that PyTorch knows and no tensor is on here; else NULL */
} DeviceObject;

typedef struct {
    PyObject ob_base;
    int value;
    const char *name;
} NamedObject; /* layouts and memory formats */

typedef struct {
    PyObject ob_base;
    ct_generator *generator;
} GeneratorObject;

extern PyTypeObject py_DType, py_Device, py_Layout, py_MemoryFormat, py_Size, py_Generator;

PyObject *py_dtype(enum ct_dtype dtype); /* new reference to the singleton; None for CT_NO_DTYPE */
PyObject *py_device(struct ct_device device);
PyObject *py_layout(enum ct_layout layout); /* torch.strided, torch.sparse_coo, ... */
PyObject *py_memory_format(enum ct_memory_format format);
PyObject *py_size(const int64_t *v, int64_t n);      /* torch.Size */
PyObject *py_int_tuple(const int64_t *v, int64_t n); /* tuple */

/* dtype objects and the Python types bool, int, float, complex. */
bool py_is_dtype(PyObject *o);
const char *py_dtype_name(PyObject *o); /* of a type that no tensor has; else NULL */
bool py_refuse_dtype_name(PyObject *o); /* true: o is such a type, and the error is set */
enum ct_dtype py_dtype_of(PyObject *o);
bool py_is_device(PyObject *o); /* a device, a text or an index */
bool py_device_of(PyObject *o, struct ct_device *device);
bool py_is_generator(PyObject *o);

/* Set once broadcasting may warn: operators look for a warning only then. */
extern bool py_operators_warn;

/* Set while Corten stands in for PyTorch (install_as_torch): what only Corten can do, such as
 * negative steps, then gives PyTorch's error, on which a script may rely. */
extern bool py_strict;

/* ---- numbers ---- */

/* An object of NumPy's (told by the name of its type: NumPy is never imported here). */
static inline bool py_is_numpy(PyObject *o)
{
    const char *name = Py_TYPE(o)->tp_name;
    return name[0] == 'n' && strncmp(name, "numpy.", 6) == 0;
}

/* The value of an int (exactly that type) of one digit, which nearly all are. */
static inline bool py_small_int(PyObject *o, int64_t *value)
{
#if PY_VERSION_HEX >= 0x030C0000
    bool small = PyUnstable_Long_IsCompact((PyLongObject *)o);
    if (small)
        *value = PyUnstable_Long_CompactValue((PyLongObject *)o);
#else
    Py_ssize_t digits = Py_SIZE(o); /* negative for negative numbers */
    bool small = digits >= -1 && digits <= 1;
    if (small)
        *value = digits * (int64_t)((PyLongObject *)o)->ob_digit[0];
#endif
    return small;
}

char py_numpy_scalar_kind(PyObject *o); /* 'b' 'i' 'u' 'f' 'c' of a NumPy scalar, else 0 */
bool py_is_number(PyObject *o);         /* bool, int, float, complex or a NumPy scalar */
bool py_is_int(PyObject *o);            /* an int that is no bool, or a NumPy integer */
bool py_is_index(PyObject *o);          /* what may stand for a size: has __index__, is no bool */
bool py_number(PyObject *o, ct_value *value);
PyObject *py_from_value(ct_value value);
/* An int that must fit; CT_ERR texts are PyTorch's ("Overflow when unpacking long long"). */
bool py_int64(PyObject *o, int64_t *value);

/* ---- tensors from Python data (construct.c) ---- */

/* The data of lists, numbers, buffers and arrays as a new tensor; dtype CT_NO_DTYPE infers it. */
/* as_tensor(): a tensor itself, an array shared, anything else copied. Owned; raises. */
ct_tensor *py_as_tensor(PyObject *data, enum ct_dtype dtype, struct ct_device device);
ct_tensor *py_tensor_from_data(PyObject *data, enum ct_dtype dtype);
PyObject *py_item(ct_tensor *t); /* the one element as a Python number */
PyObject *py_element(const char *p, enum ct_dtype dtype);

/* ---- slots of the Tensor type, each from its own file ---- */

/* For loops in C over Python's objects, which the interpreter does not interrupt: every 4096th step
 * runs the handlers of signals. False: one has raised. */
static inline bool py_heeds_signals(int64_t step)
{
    return step % 4096 < 4095 || PyErr_CheckSignals() == 0;
}

extern PyNumberMethods py_tensor_as_number;
extern PyBufferProcs py_tensor_as_buffer;
extern PyGetSetDef py_tensor_getset[];
PyObject *py_tensor_richcompare(PyObject *a, PyObject *b, int op);
PyObject *py_tensor_getitem(PyObject *self, PyObject *index);
int py_tensor_setitem(PyObject *self, PyObject *index, PyObject *value);
PyObject *py_tensor_sq_item(PyObject *self, Py_ssize_t i);
int py_tensor_contains(PyObject *self, PyObject *value);
Py_ssize_t py_tensor_length(PyObject *self);
PyObject *py_tensor_iter(PyObject *self);
PyObject *py_tensor_new(PyTypeObject *type, PyObject *args, PyObject *kwargs);

/* The class of results of a tensor: its own unless it asks for plain ones. */
PyTypeObject *py_class_like(PyObject *self);

/* The function and the flags of a method table: called with an array, or with a tuple and a dict.
 */
#define PY_FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS
#define PY_KEYWORDS(f) (PyCFunction)(void (*)(void)) f, METH_VARARGS | METH_KEYWORDS

/* Adds the methods or attributes of a table to the type; for tables of several files. */
bool py_add_methods(PyTypeObject *type, PyMethodDef *methods);
bool py_add_getset(PyTypeObject *type, PyGetSetDef *getset);

/* Functions that live in a module of their own ("linalg"), found by Python in _C._submodules. */
bool py_add_submodule(PyObject *module, const char *name, PyMethodDef *functions);
/* The name of a function inside its module: special_erf of special is `erf`. */
const char *py_name_within(const char *name, const char *module);

/* ---- the parts of the module ---- */

/* In the order of their making: what is generated from the rows comes late, and convert takes the
 * place of some of that. */
/* clang-format off */
#define PY_PARTS(X)                                                                                \
    X(errors) X(interrupt) X(functional) X(tensor) X(dtypes) X(dtype_names) X(devices) X(size) X(properties)     \
    X(tolist) X(apply) X(sparse) X(dim_order) X(index) X(spellings) X(subclass) X(dispatch)      \
    X(subclass_descriptors) X(parameter) X(modules) X(clip) X(lists) X(construct) X(asarray) X(types) X(globals)\
    X(settings) X(finfo) X(grad_mode) X(autograd) X(nodes) X(hooks) X(function) X(graph)           \
    X(profile) X(source_locations) X(cuda) X(generator) X(buffer) X(numpy) X(dlpack) X(bridge_cuda)          \
    X(exchange) X(storage) X(pickle) X(optim) X(archive) X(unpickle) X(save) X(files) X(images)    \
    X(dist) X(ops) X(convert)
/* clang-format on */
#define PY_DECLARE(part) bool py_init_##part(PyObject *module);
PY_PARTS(PY_DECLARE)
PyObject *py_wrap_generator(ct_generator *owned);
bool py_own_methods(PyObject *module); /* when TensorBase has all of its methods */

#endif
