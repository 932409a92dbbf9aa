/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts one argument of a call to its py_value, if the object is of the kind that the signature
 * requires. Called by parse.c. Conversions have no side effects, since another signature may be
 * tried next. */
#include "parse/parse.h"

#include "exchange/exchange.h"

#include <string.h>

/* ---- one argument ---- */

/* to_sparse and sparse_*_tensor read the value themselves; for all others py_apply_layout does. */
static int convert_layout(struct py_frame *frame, PyObject *o, int *value)
{
    const char *name = frame->op->name;
    if (!Py_IS_TYPE(o, &py_Layout))
        return 0;
    *value = (int)((NamedObject *)o)->value;
    if (strcmp(name, "to_sparse") != 0 && strncmp(name, "sparse_", 7) != 0)
        frame->layout = *value + 1;
    return 1;
}

/* Memory for n 64-bit values, valid until py_frame_end; NULL without an exception: out of
 * memory. */
static int64_t *frame_alloc(struct py_frame *frame, int64_t n)
{
    if (frame->used + n <= (int64_t)(sizeof frame->room / sizeof *frame->room)) {
        int64_t *p = frame->room + frame->used;
        frame->used += n;
        return p;
    }
    if (frame->nmore == (int)(sizeof frame->more / sizeof *frame->more))
        return NULL;
    void *memory = PyMem_Malloc((size_t)n * sizeof(int64_t));
    frame->more[frame->nmore].object = NULL;
    return frame->more[frame->nmore++].memory = memory;
}

/* Note [Lists that change]: reading an item may run the program's code (__index__), and a call that
 * releases the GIL lets other threads run; both may change a list argument. Therefore list items
 * are read from a tuple made at the start and held until the call ends, unless all are plain ints,
 * which run no code. Other files call PySequence_Tuple for the same reason. */
static PyObject *snapshot(struct py_frame *frame, PyObject *o)
{
    if (PyTuple_Check(o))
        return o;
    PyObject *tuple = NULL;
    if (frame->nmore < (int)(sizeof frame->more / sizeof *frame->more))
        tuple = PyList_AsTuple(o);
    if (!tuple) {
        PyErr_NoMemory();
        return NULL;
    }
    frame->more[frame->nmore].memory = NULL;
    return frame->more[frame->nmore++].object = tuple;
}

static bool all_plain_ints(PyObject *const *items, Py_ssize_t n)
{
    for (Py_ssize_t i = 0; i < n; i++)
        if (!PyLong_CheckExact(items[i]))
            return false;
    return true;
}

static int convert_int64(PyObject *o, int64_t *v)
{
    return py_int64(o, v) ? 1 : -1;
}

/* Sizes and dims. As in PyTorch, only the first item decides whether the argument fits; a wrong
 * item after it is an error. */
int py_read_ints(struct py_frame *frame, const struct py_arg *arg, PyObject *const *items,
                 Py_ssize_t n, ct_ints *ints)
{
    int64_t *v = frame_alloc(frame, n ? n : 1);
    if (!v) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *o = items[i];
        if (PyLong_CheckExact(o) && py_small_int(o, &v[i])) {
            continue;
        } else if (PyLong_CheckExact(o)) {
            int overflow;
            v[i] = PyLong_AsLongLongAndOverflow(o, &overflow);
            if (overflow) {
                PyErr_Format(
                    PyExc_TypeError,
                    "%s(): argument '%s' failed to unpack the object at pos %zd with error "
                    "\"Overflow when unpacking long long\"",
                    frame->op->name, arg->name, i + 1);
                return -1;
            }
        } else if (py_is_index(o) || (i > 0 && PyBool_Check(o))) {
            if (!py_int64(o, &v[i]))
                return -1;
        } else {
            PyErr_Format(PyExc_TypeError,
                         "%s(): argument '%s' failed to unpack the object at pos %zd with error "
                         "\"type must be tuple of ints,but got %s\"",
                         frame->op->name, arg->name, i + 1, py_typename(o));
            return -1;
        }
    }
    *ints = ct_ints_of(v, n);
    return 1;
}

/* Converts a sequence of ints, or a single int if the argument allows that; returns as
 * py_convert. */
static int convert_ints(struct py_frame *frame, const struct py_arg *arg, PyObject *o,
                        ct_ints *ints, Py_ssize_t *failed)
{
    if (PyTuple_Check(o) || PyList_Check(o)) {
        if (!all_plain_ints(PySequence_Fast_ITEMS(o), PySequence_Fast_GET_SIZE(o)) &&
            !(o = snapshot(frame, o)))
            return -1;
        PyObject **items = PySequence_Fast_ITEMS(o);
        Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
        if (n > 0 && !py_is_index(items[0])) {
            *failed = 0;
            return 0;
        }
        return py_read_ints(frame, arg, items, n, ints);
    }
    if (arg->flags & PY_SINGLE && py_is_index(o)) {
        int64_t *v = frame_alloc(frame, 1);
        *ints = ct_ints_of(v, 1);
        if (v)
            return convert_int64(o, v);
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

int py_read_tensors(struct py_frame *frame, PyObject *const *items, Py_ssize_t n, ct_list *list)
{
    ct_tensor **v = (ct_tensor **)frame_alloc(frame, n ? n : 1);
    if (!v) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (frame->accept_overrides && !py_is_tensor(items[i]) && py_has_override(items[i])) {
            frame->overloaded = items[i]; /* its override handles the call; v is not read */
            v[i] = NULL;
            continue;
        }
        if (!py_is_tensor(items[i])) {
            PyErr_Format(PyExc_TypeError,
                         "expected Tensor as element %zd in argument %d, but got %s", i,
                         (int)((const union py_value *)list - frame->v) - (frame->self != NULL),
                         py_typename(items[i]));
            return -1;
        }
        if (!py_is_plain(items[i]))
            frame->overloaded = items[i];
        v[i] = py_tensor_of(items[i]);
    }
    *list = ct_list_of(v, n);
    return 1;
}

static int convert_tensors(struct py_frame *frame, PyObject *o, ct_list *list)
{
    if (!PyTuple_Check(o) && !PyList_Check(o))
        return 0;
    o = snapshot(frame, o);
    return o ? py_read_tensors(frame, PySequence_Fast_ITEMS(o), PyTuple_GET_SIZE(o), list) : -1;
}

static bool is_plain_scalar(PyObject *o)
{
    return py_is_tensor(o) && ct_ndim(py_tensor_of(o)) == 0 && !ct_requires_grad(py_tensor_of(o));
}

static int convert_number(PyObject *o, ct_value *value)
{
    if (!py_is_number(o) && !is_plain_scalar(o))
        return 0;
    return py_number(o, value) ? 1 : -1;
}

static int convert_int(PyObject *o, int64_t *i)
{
    if (PyLong_CheckExact(o) || py_is_int(o))
        return convert_int64(o, i);
    if (!is_plain_scalar(o))
        return 0;
    enum ct_dtype d = ct_dtype(py_tensor_of(o));
    if (d == CT_BOOL || ct_dtype_is_floating(d) || ct_dtype_is_complex(d))
        return 0;
    *i = ct_item_i64(py_tensor_of(o));
    return *i == -1 && ct_error() ? py_raise_int() : 1;
}

static int convert_count(PyObject *o, int64_t *i)
{
    int rc = convert_int(o, i);
    if (rc || PyBool_Check(o))
        return rc;
    if (!py_is_tensor(o))
        return py_is_index(o) ? convert_int64(o, i) : 0;
    const ct_tensor *t = py_tensor_of(o);
    enum ct_dtype d = ct_dtype(t);
    bool integral = d != CT_BOOL && !ct_dtype_is_floating(d) && !ct_dtype_is_complex(d);
    return integral && ct_numel(t) == 1 ? convert_int64(o, i) : 0;
}

static int convert_truth(PyObject *o, bool *b)
{
    int rc = PyObject_IsTrue(o);
    *b = rc > 0;
    return rc < 0 ? -1 : 1;
}

static int convert_float(PyObject *o, double *f)
{
    if (PyFloat_Check(o)) {
        *f = PyFloat_AS_DOUBLE(o);
        return 1;
    }
    char kind = PyLong_Check(o) ? 'i' : py_numpy_scalar_kind(o);
    if ((kind && kind != 'c') || is_plain_scalar(o)) {
        *f = PyFloat_AsDouble(o);
        return *f == -1.0 && PyErr_Occurred() ? -1 : 1;
    }
    return 0;
}

/* Checks all items, because a list of tensors belongs to another signature. */
static int convert_floats(struct py_frame *frame, PyObject *o, ct_floats *floats)
{
    if (!PyTuple_Check(o) && !PyList_Check(o))
        return 0;
    if (!(o = snapshot(frame, o)))
        return -1;
    Py_ssize_t n = PyTuple_GET_SIZE(o);
    _Static_assert(sizeof(double) == sizeof(int64_t), "room is counted in int64_t");
    double *v = (double *)frame_alloc(frame, n ? n : 1);
    if (!v) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_GET_ITEM(o, i);
        int rc = py_is_tensor(item) ? 0 : convert_float(item, &v[i]);
        if (rc <= 0)
            return rc;
    }
    *floats = ct_floats_of(v, n);
    return 1;
}

/* Stores real parts in v[0] and, if a number is complex, imaginary parts in v[1]; CT_NO_NUMBER
 * marks the imaginary part of a real number. */
static int convert_scalars(struct py_frame *frame, PyObject *o, union py_value *v)
{
    int rc = convert_floats(frame, o, &v->floats);
    if (rc || (!PyTuple_Check(o) && !PyList_Check(o)))
        return rc;
    if (!(o = snapshot(frame, o)))
        return -1;
    Py_ssize_t n = PyTuple_GET_SIZE(o);
    double *re = (double *)frame_alloc(frame, 2 * n + 1);
    if (!re) {
        PyErr_NoMemory();
        return -1;
    }
    double *im = re + n;
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_GET_ITEM(o, i);
        im[i] = CT_NO_NUMBER;
        if (PyComplex_Check(item)) {
            re[i] = PyComplex_RealAsDouble(item);
            im[i] = PyComplex_ImagAsDouble(item);
        } else if ((rc = py_is_tensor(item) ? 0 : convert_float(item, &re[i])) <= 0) {
            return rc;
        }
    }
    v[0].floats = ct_floats_of(re, n);
    v[1].floats = ct_floats_of(im, n);
    return 1;
}

/* Accepts numbers only, because a list of tensors belongs to another signature. */
static int convert_numbers(struct py_frame *frame, PyObject *o, union py_value *v)
{
    if (!PyTuple_Check(o) && !PyList_Check(o))
        return 0;
    if (!(o = snapshot(frame, o)))
        return -1;
    Py_ssize_t n = PyTuple_GET_SIZE(o);
    _Static_assert(sizeof(ct_value) % sizeof(int64_t) == 0, "room is counted in int64_t");
    size_t each = sizeof(ct_value) / sizeof(int64_t);
    ct_value *values = (ct_value *)(void *)frame_alloc(frame, (n + 1) * (int64_t)each);
    if (!values) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *item = PyTuple_GET_ITEM(o, i);
        if (!py_is_number(item))
            return 0;
        if (!py_number(item, &values[i]))
            return -1;
    }
    v->values.v = values;
    v->values.n = n;
    return 1;
}

static int convert_str(PyObject *o, const char **str)
{
    if (!PyUnicode_Check(o))
        return 0;
    Py_ssize_t size;
    *str = PyUnicode_AsUTF8AndSize(o, &size);
    if (*str && strlen(*str) != (size_t)size) { /* C would stop reading there */
        PyErr_SetString(PyExc_ValueError, "embedded null character");
        return -1;
    }
    return *str ? 1 : -1;
}

static inline int convert_tensor(struct py_frame *frame, PyObject *o)
{
    if (py_is_plain(o))
        return 1;
    if (!PyObject_TypeCheck(o, &py_TensorBase))
        return 0;
    frame->overloaded = o;
    return 1;
}

int py_convert(struct py_frame *frame, const struct py_arg *arg, PyObject *o, union py_value *v,
               Py_ssize_t *failed)
{
    switch ((enum py_kind)arg->kind) {
    case PY_TENSOR:
        if (!convert_tensor(frame, o))
            return 0;
        v->tensor = py_tensor_of(o);
        return 1;
    case PY_OPERAND:
    case PY_VALUE:
        if (convert_tensor(frame, o)) {
            v->value = ct_value_tensor(py_tensor_of(o));
            return 1;
        }
        return arg->kind == PY_VALUE ? convert_number(o, &v->value) : 0;
    case PY_NUMBER:
        return convert_number(o, &v->value);
    case PY_INT:
        return convert_int(o, &v->i);
    case PY_COUNT:
        return convert_count(o, &v->i);
    case PY_ONE:
        return py_is_int(o) || is_plain_scalar(o) ? convert_ints(frame, arg, o, &v->ints, failed)
                                                  : 0;
    case PY_INTS:
        return convert_ints(frame, arg, o, &v->ints, failed);
    case PY_FLOAT:
        return convert_float(o, &v->f);
    case PY_FLOATS:
        return convert_floats(frame, o, &v->floats);
    case PY_SCALARS:
        return convert_scalars(frame, o, v);
    case PY_NUMBERS:
        return convert_numbers(frame, o, v);
    case PY_BOOL:
        v->b = o == Py_True;
        return PyBool_Check(o);
    case PY_TRUTH:
        return convert_truth(o, &v->b);
    case PY_BOOL_OPT:
        v->small = o == Py_True;
        return PyBool_Check(o);
    case PY_DTYPE:
        if (!py_is_dtype(o))
            return py_refuse_dtype_name(o) ? -1 : 0;
        v->dtype = py_dtype_of(o);
        return 1;
    case PY_DEVICE:
        if (!py_is_device(o))
            return 0;
        return py_device_of(o, &v->device) ? 1 : -1;
    case PY_FORMAT:
        if (!Py_IS_TYPE(o, &py_MemoryFormat))
            return 0;
        v->small = ((NamedObject *)o)->value;
        return 1;
    case PY_STR:
        return convert_str(o, &v->str);
    case PY_TENSORS:
        return convert_tensors(frame, o, &v->list);
    case PY_GENERATOR:
        if (!py_is_generator(o))
            return 0;
        v->generator = ((GeneratorObject *)o)->generator;
        return 1;
    case PY_LAYOUT:
        return convert_layout(frame, o, &v->small);
    case PY_STORAGE: {
        enum ct_dtype unused;
        ct_storage *s = py_storage_of(o, &unused);
        ct_storage_release(s);
        v->object = o;
        return s != NULL;
    }
    case PY_OBJECT:
        v->object = o;
        return 1;
    }
    return 0;
}

void py_set_absent(const struct py_arg *arg, union py_value *v)
{
    switch ((enum py_kind)arg->kind) {
    case PY_TENSOR:
        v->tensor = arg->flags & PY_OUT ? NULL : CT_NO_TENSOR;
        return;
    case PY_OPERAND:
    case PY_VALUE:
    case PY_NUMBER:
        v->value = ct_value_none();
        return;
    case PY_INT:
    case PY_COUNT:
        v->i = CT_NO_DIM;
        return;
    case PY_INTS:
    case PY_ONE:
        v->ints = CT_NO_DIMS;
        return;
    case PY_FLOAT:
        v->f = CT_NO_NUMBER;
        return;
    case PY_FLOATS:
    case PY_SCALARS:
        v->floats = CT_NO_FLOATS;
        return;
    case PY_BOOL:
    case PY_TRUTH:
        v->b = false;
        return;
    case PY_BOOL_OPT:
    case PY_FORMAT:
    case PY_LAYOUT:
        v->small = -1;
        return;
    case PY_DTYPE:
        v->dtype = CT_NO_DTYPE;
        return;
    case PY_DEVICE:
        v->device = CT_NO_DEVICE;
        return;
    case PY_STR:
    case PY_GENERATOR:
    case PY_STORAGE:
    case PY_OBJECT:
        v->object = NULL;
        return;
    case PY_TENSORS:
        v->list = ct_list_of(NULL, 0);
        return;
    case PY_NUMBERS:
        v->values.v = NULL;
        v->values.n = 0;
        return;
    }
}
