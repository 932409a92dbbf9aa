/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations shared by the files of the extension module corten._C: the Tensor object and the
 * small types, errors as exceptions, and conversions between Python objects and the types of
 * corten/base.h. The extension parses arguments and wraps results; all arithmetic is in the
 * library, of which it includes public headers only.
 * Unless a comment says otherwise, functions return NULL (or -1, or false) with a Python exception
 * set when they fail. */
#ifndef CORTEN_PYTHON_BINDING_H
#define CORTEN_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <corten/base.h>
#include <structmember.h>

/* ---- tensors ---- */

/* Note [Who owns whom]: normally the Python object owns one reference to the tensor, and the
 * tensor's handle points back without owning. When Python drops its last reference while C still
 * holds the tensor, the object may carry state that must survive (attributes, weak references, a
 * subclass). Then ownership flips: the tensor keeps the object alive (kept_by_c), and the object no
 * longer holds a reference to the tensor. It flips back when the tensor is wrapped again or when C
 * drops its last reference. */
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

/* Whether o is exactly a Tensor or a Parameter, so that its class cannot override operations. */
static inline bool py_is_plain(PyObject *o)
{
    return Py_IS_TYPE(o, py_Tensor) || Py_IS_TYPE(o, py_Parameter);
}

bool py_is_parameter(PyObject *o); /* isinstance(o, Parameter) */

static inline ct_tensor *py_tensor_of(PyObject *o)
{
    return ((TensorObject *)o)->t;
}

/* Returns the Python object of a tensor (new reference) and consumes the reference `owned`. For
 * NULL, raises the library's pending error. */
PyObject *py_wrap(ct_tensor *owned);
/* Like py_wrap, but an object that has to be created gets the class `type`. */
PyObject *py_wrap_as(ct_tensor *owned, PyTypeObject *type);
/* Whether tensors of a class may be created. False (raises MissingFeature) if the class defines
 * __torch_dispatch__, which Corten would never call. */
bool py_check_class(PyTypeObject *type);
/* Returns a new reference to the object of a tensor without consuming one to the tensor; None for
 * NULL. */
PyObject *py_wrap_borrowed(ct_tensor *borrowed);
/* The return value of an in-place method: a new reference to self, or the library's error if result
 * is NULL. */
PyObject *py_self(PyObject *self, const ct_tensor *result);
/* Returns a new view of the whole tensor (owned). Gradients flow through it. */
ct_tensor *py_alias(ct_tensor *t);
/* Exchanges the tensors of two objects (torch.utils.swap_tensors). */
void py_swap_tensors(PyObject *a, PyObject *b);
/* The attribute dict of a tensor object, borrowed; NULL if it has no attributes. */
PyObject *py_attributes(PyObject *o);
/* py_track makes the garbage collector traverse o, which may have become part of a cycle.
 * py_track_held does the same for the tensors reachable from o (searching a few levels and at most
 * 200 objects); call it when C takes ownership of o. */
static inline void py_track(PyObject *o)
{
    if (!PyObject_GC_IsTracked(o))
        PyObject_GC_Track(o);
}
void py_track_held(PyObject *o);
/* Wraps the tensors of a list in a tuple and releases the list. */
PyObject *py_wrap_list(ct_list owned);

/* The garbage collector's header precedes the object; bit 0 of its second word records that
 * tp_finalize has run. Clear it when an object is resurrected; otherwise the object would not be
 * finalised again. */
static inline void py_clear_finalised(PyObject *o)
{
    ((uintptr_t *)o)[-1] &= ~(uintptr_t)1;
}

/* ---- errors ---- */

PyObject *py_raise(void);                     /* raises the library's pending error; returns NULL */
PyObject *py_emit_warnings(PyObject *answer); /* issues pending warnings; consumes `answer` */
int py_raise_int(void);                       /* like py_raise; returns -1 */
PyObject *py_note(const char *note);          /* adds a note to the current exception; NULL */
/* Warns once per process, or every time after torch.set_warn_always(True). False if the warning was
 * turned into an exception. `said` is a static variable of the calling site. */
bool py_warn_once(bool *said, const char *text);
/* Returns the name of an object's class as PyTorch's error messages spell it. */
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
    const char *foreign; /* name of a device type that Corten does not support, else NULL */
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

/* Whether o names a dtype: a dtype object or one of Python's types bool, int, float, complex. */
bool py_is_dtype(PyObject *o);
const char *py_dtype_name(PyObject *o); /* name of an unsupported dtype; else NULL */
bool py_refuse_dtype_name(PyObject *o); /* raises and returns true for an unsupported dtype */
enum ct_dtype py_dtype_of(PyObject *o);
bool py_is_device(PyObject *o); /* torch.device, str or int */
bool py_device_of(PyObject *o, struct ct_device *device);
bool py_is_generator(PyObject *o);

/* True once warnings about broadcasting are enabled; only then do operators check for pending
 * warnings. */
extern bool py_operators_warn;

/* True while Corten is installed as torch (install_as_torch). Features that only Corten has, such
 * as negative slice steps, then raise PyTorch's error, which scripts may rely on. */
extern bool py_strict;

/* ---- numbers ---- */

/* Whether o is a NumPy object, by the name of its type: this module never imports NumPy. */
static inline bool py_is_numpy(PyObject *o)
{
    const char *name = Py_TYPE(o)->tp_name;
    return name[0] == 'n' && strncmp(name, "numpy.", 6) == 0;
}

/* Reads an exact int that fits into one digit, which nearly all ints do; false for longer ones. */
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
bool py_is_int(PyObject *o);            /* an int other than a bool, or a NumPy integer */
bool py_is_index(PyObject *o);          /* usable as a size: has __index__ and is not a bool */
bool py_number(PyObject *o, ct_value *value);
PyObject *py_from_value(ct_value value);
/* Converts through __index__; raises PyTorch's "Overflow when unpacking long long" if the value
 * does not fit. */
bool py_int64(PyObject *o, int64_t *value);

/* ---- tensors from Python data (construct.c) ---- */

/* torch.as_tensor(): returns a tensor as it is, shares the memory of an array, copies any other
 * data. CT_NO_DTYPE infers the dtype. Owned; raises. */
ct_tensor *py_as_tensor(PyObject *data, enum ct_dtype dtype, struct ct_device device);
/* Copies lists, numbers, buffers or arrays into a new tensor. CT_NO_DTYPE infers the dtype. */
ct_tensor *py_tensor_from_data(PyObject *data, enum ct_dtype dtype);
PyObject *py_item(ct_tensor *t); /* the one element as a Python number */
PyObject *py_element(const char *p, enum ct_dtype dtype);

/* ---- slots of the Tensor type, each from its own file ---- */

/* Call this in C loops over Python objects, which Ctrl-C could not interrupt otherwise: runs
 * pending signal handlers at every 4096th step. False if a handler raised. */
static inline bool py_check_signals(int64_t step)
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

/* Returns the class for results of an operation on self: its own class, unless its
 * __torch_function__ is disabled. */
PyTypeObject *py_class_like(PyObject *self);

/* Function pointer and flags of a PyMethodDef entry: PY_FAST for vectorcall arguments, PY_KEYWORDS
 * for a tuple and a dict. */
#define PY_FAST(f) (PyCFunction)(void (*)(void)) f, METH_FASTCALL | METH_KEYWORDS
#define PY_KEYWORDS(f) (PyCFunction)(void (*)(void)) f, METH_VARARGS | METH_KEYWORDS

/* Add the entries of a table to a type. Unlike tp_methods, several files can add to one type. */
bool py_add_methods(PyTypeObject *type, PyMethodDef *methods);
bool py_add_getset(PyTypeObject *type, PyGetSetDef *getset);

/* Registers functions of a submodule such as "linalg", which Python finds in _C._submodules. */
bool py_add_submodule(PyObject *module, const char *name, PyMethodDef *functions);
/* Returns the name of a function within its submodule: special_erf becomes erf for "special". */
const char *py_name_within(const char *name, const char *module);

/* ---- the parts of the module ---- */

/* Initialised in this order. Generated functions (ops) come late, and convert last because it
 * replaces some of them. */
/* clang-format off */
#define PY_PARTS(X)                                                                               \
    X(errors) X(interrupt) X(functional) X(tensor) X(dtypes) X(dtype_names) X(devices)            \
    X(size) X(properties) X(tolist) X(apply) X(sparse) X(dim_order) X(index) X(spellings)         \
    X(subclass) X(dispatch) X(subclass_descriptors) X(parameter) X(modules) X(clip) X(lists)      \
    X(construct) X(asarray) X(types) X(globals) X(settings) X(finfo) X(grad_mode)                 \
    X(autograd) X(nodes) X(hooks) X(function) X(graph) X(profile) X(source_locations)             \
    X(cuda) X(generator) X(buffer) X(numpy) X(dlpack) X(bridge_cuda) X(exchange) X(storage)       \
    X(pickle) X(optim) X(archive) X(unpickle) X(save) X(files) X(images) X(dist) X(ops)           \
    X(convert)
/* clang-format on */
#define PY_DECLARE(part) bool py_init_##part(PyObject *module);
PY_PARTS(PY_DECLARE)
PyObject *py_wrap_generator(ct_generator *owned);
bool py_copy_method_descriptors(PyObject *module); /* call once all methods of TensorBase exist */

#endif
