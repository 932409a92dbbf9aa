/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches the arguments of a call with the signatures of an operation, in PyTorch's order and with
 * its rules: sizes as separate ints, NumPy's names for keywords, 0-d tensors as numbers. Allocates
 * nothing for ordinary calls. Texts of errors are in parse_error.c. */
#include "parse.h"

/* ---- one argument ---- */

static int64_t *make_room(struct py_frame *frame, int64_t n)
{
    if (frame->used + n <= (int64_t)(sizeof frame->room / sizeof *frame->room)) {
        int64_t *p = frame->room + frame->used;
        frame->used += n;
        return p;
    }
    if (frame->nmore == (int)(sizeof frame->more / sizeof *frame->more))
        return NULL;
    return frame->more[frame->nmore++] = PyMem_Malloc((size_t)n * sizeof(int64_t));
}

static int take_int(PyObject *o, int64_t *v)
{
    return py_int64(o, v) ? 1 : -1;
}

/* Sizes and dims. Only the first item decides whether the argument fits, as in PyTorch. */
static int take_ints(struct py_frame *frame, const struct py_arg *arg, PyObject *const *items,
                     Py_ssize_t n, ct_ints *ints)
{
    int64_t *v = make_room(frame, n ? n : 1);
    if (!v) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *o = items[i];
        if (PyLong_CheckExact(o)) {
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
        } else if (py_is_index(o)) {
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

static int convert_ints(struct py_frame *frame, const struct py_arg *arg, PyObject *o,
                        ct_ints *ints, Py_ssize_t *failed)
{
    if (PyTuple_Check(o) || PyList_Check(o)) {
        PyObject **items = PySequence_Fast_ITEMS(o);
        Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
        if (n > 0 && !py_is_index(items[0])) {
            *failed = 0;
            return 0;
        }
        return take_ints(frame, arg, items, n, ints);
    }
    if (arg->flags & PY_SINGLE && py_is_index(o)) {
        int64_t *v = make_room(frame, 1);
        *ints = ct_ints_of(v, 1);
        if (v)
            return take_int(o, v);
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

static int convert_tensors(struct py_frame *frame, PyObject *o, ct_list *list)
{
    if (!PyTuple_Check(o) && !PyList_Check(o))
        return 0;
    PyObject **items = PySequence_Fast_ITEMS(o);
    Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
    ct_tensor **v = (ct_tensor **)make_room(frame, n ? n : 1);
    if (!v) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!py_is_tensor(items[i])) {
            PyErr_Format(PyExc_TypeError,
                         "expected Tensor as element %zd in argument 0, but got %s", i,
                         py_typename(items[i]));
            return -1;
        }
        if (!Py_IS_TYPE(items[i], py_Tensor))
            frame->special = items[i];
        v[i] = py_tensor_of(items[i]);
    }
    *list = ct_list_of(v, n);
    return 1;
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
        return take_int(o, i);
    if (!is_plain_scalar(o))
        return 0;
    enum ct_dtype d = ct_dtype(py_tensor_of(o));
    if (d == CT_BOOL || ct_dtype_is_floating(d) || ct_dtype_is_complex(d))
        return 0;
    *i = ct_item_i64(py_tensor_of(o));
    return 1;
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

static int convert_str(PyObject *o, const char **str)
{
    if (!PyUnicode_Check(o))
        return 0;
    *str = PyUnicode_AsUTF8(o);
    return *str ? 1 : -1;
}

static inline int convert_tensor(struct py_frame *frame, PyObject *o)
{
    if (Py_IS_TYPE(o, py_Tensor))
        return 1;
    if (!PyObject_TypeCheck(o, &py_TensorBase))
        return 0;
    frame->special = o;
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
    case PY_INTS:
        return convert_ints(frame, arg, o, &v->ints, failed);
    case PY_FLOAT:
        return convert_float(o, &v->f);
    case PY_BOOL:
        v->b = o == Py_True;
        return PyBool_Check(o);
    case PY_BOOL_OPT:
        v->small = o == Py_True;
        return PyBool_Check(o);
    case PY_DTYPE:
        if (!py_is_dtype(o))
            return 0;
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
        return Py_IS_TYPE(o, &py_Layout);
    case PY_OBJECT:
        v->object = o;
        return 1;
    }
    return 0;
}

static void set_absent(const struct py_arg *arg, union py_value *v)
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
        v->i = CT_NO_DIM;
        return;
    case PY_INTS:
        v->ints = CT_NO_DIMS;
        return;
    case PY_FLOAT:
        v->f = CT_NO_NUMBER;
        return;
    case PY_BOOL:
        v->b = false;
        return;
    case PY_BOOL_OPT:
    case PY_FORMAT:
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
    case PY_LAYOUT:
    case PY_OBJECT:
        v->object = NULL;
        return;
    case PY_TENSORS:
        v->list = ct_list_of(NULL, 0);
        return;
    }
}

static inline void set_default(const struct py_arg *arg, union py_value *v)
{
    if (arg->flags & PY_ABSENT)
        set_absent(arg, v);
    else
        *v = arg->fallback;
}

/* ---- keywords ---- */

static PyObject *find_name(const struct py_frame *frame, PyObject *key, const char *name)
{
    Py_ssize_t n = PyTuple_GET_SIZE(frame->names);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyTuple_GET_ITEM(frame->names, i) == key)
            return frame->args[frame->nargs + i];
    }
    for (Py_ssize_t i = 0; i < n; i++) { /* a name that was never interned: f(**dict) */
        PyObject *given = PyTuple_GET_ITEM(frame->names, i);
        if (!PyUnicode_CHECK_INTERNED(given) && PyUnicode_CompareWithASCIIString(given, name) == 0)
            return frame->args[frame->nargs + i];
    }
    return NULL;
}

static PyObject *find_keyword(const struct py_frame *frame, struct py_arg *arg)
{
    if (!arg->key)
        arg->key = PyUnicode_InternFromString(arg->name);
    PyObject *found = arg->key ? find_name(frame, arg->key, arg->name) : NULL;
    const char *const *alias = found ? NULL : py_keyword_aliases(arg->name);
    for (; alias && *alias && !found; alias++) {
        PyObject *key = PyUnicode_InternFromString(*alias);
        found = key ? find_name(frame, key, *alias) : NULL;
        Py_XDECREF(key);
    }
    return found;
}

/* ---- one signature ---- */

bool py_wants(const struct py_frame *frame, const struct py_arg *arg)
{
    if (arg->flags & PY_HIDDEN)
        return false;
    return !frame->self || !(arg->flags & (PY_SELF | PY_OUT));
}

/* view(2, 3): a signature whose one positional argument is a list of ints takes all of them. */
static struct py_arg *lone_ints(const struct py_frame *frame, const struct py_signature *s)
{
    struct py_arg *found = NULL;
    for (int i = 0; i < s->n; i++) {
        struct py_arg *arg = &s->args[i];
        if (!py_wants(frame, arg))
            continue;
        if (arg->flags & PY_KEYWORD)
            break;
        if (found)
            return NULL;
        found = arg;
    }
    return found && found->kind == PY_INTS ? found : NULL;
}

static int positional_count(const struct py_frame *frame, const struct py_signature *s)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        n += py_wants(frame, &s->args[i]) && !(s->args[i].flags & PY_KEYWORD);
    return n;
}

static void explain(const struct py_frame *frame, const struct py_signature *s,
                    const struct py_arg *arg, PyObject *o, bool keyword, Py_ssize_t position,
                    Py_ssize_t failed)
{
    if (!keyword && frame->nargs > positional_count(frame, s))
        py_too_many(frame, s);
    else
        py_wrong_kind(frame, arg, o, keyword, position, failed);
}

/* 1: fits; 0: does not (raised only if `raise`); -1: an exception that ends the call. */
static int match(struct py_frame *frame, const struct py_signature *s, bool raise)
{
    Py_ssize_t given = frame->names ? PyTuple_GET_SIZE(frame->names) : 0, at = 0;
    struct py_arg *lone = frame->nargs > 0 ? lone_ints(frame, s) : NULL;
    if (frame->nargs > 1 && !lone && frame->nargs > positional_count(frame, s)) {
        if (raise)
            py_too_many(frame, s);
        return 0;
    }
    for (int i = 0; i < s->n; i++) {
        struct py_arg *arg = &s->args[i];
        union py_value *v = py_slot(frame, s, i);
        if (!py_wants(frame, arg)) {
            if (!(frame->self && arg->flags & PY_SELF))
                set_default(arg, v);
            continue;
        }
        PyObject *o = NULL;
        bool keyword = at >= frame->nargs;
        if (!keyword) {
            if (arg->flags & PY_KEYWORD) {
                if (raise)
                    py_too_many(frame, s);
                return 0;
            }
            o = frame->args[at];
        } else if (given > 0) {
            o = find_keyword(frame, arg);
            given -= o != NULL;
        }
        if (!o || (o == Py_None && arg->flags & PY_NONE)) {
            if (!o && !(arg->flags & PY_DEFAULT)) {
                if (raise)
                    py_missing(frame, s, i);
                return 0;
            }
            if (o)
                set_absent(arg, v);
            else
                set_default(arg, v);
            at += !keyword;
            continue;
        }
        Py_ssize_t failed = -1;
        int rc;
        if (arg == lone && !keyword && py_is_index(o)) {
            rc = take_ints(frame, arg, frame->args, frame->nargs, &v->ints);
            at = frame->nargs - 1;
        } else {
            rc = py_convert(frame, arg, o, v, &failed);
        }
        if (rc < 0)
            return -1;
        if (rc == 0) {
            if (raise)
                explain(frame, s, arg, o, keyword, at + 1, failed);
            return 0;
        }
        if (arg->flags & PY_OUT)
            frame->out = o;
        at += !keyword;
    }
    if (at < frame->nargs) {
        if (raise)
            py_too_many(frame, s);
        return 0;
    }
    if (given > 0) {
        if (raise)
            py_extra_keyword(frame, s);
        return 0;
    }
    return 1;
}

static void forget(struct py_frame *frame)
{
    frame->used = 0;
    frame->special = frame->self && !Py_IS_TYPE(frame->self, py_Tensor) ? frame->self : NULL;
    frame->out = NULL;
}

/* Nothing fits: points at the argument when one signature can be meant, else lists them all. */
static void complain(struct py_frame *frame)
{
    struct py_op *op = frame->op;
    Py_ssize_t n = frame->nargs + (frame->names ? PyTuple_GET_SIZE(frame->names) : 0);
    struct py_signature *plausible = NULL;
    int count = 0;
    for (int i = 0; i < op->n; i++) {
        int least = 0, most = 0;
        for (int a = 0; a < op->signatures[i].n; a++) {
            struct py_arg *arg = &op->signatures[i].args[a];
            if (!py_wants(frame, arg))
                continue;
            most++;
            least += !(arg->flags & PY_DEFAULT);
        }
        if (n >= least && n <= most) {
            count++;
            plausible = &op->signatures[i];
        }
    }
    if (op->n == 1 && !op->touchy) {
        plausible = op->signatures;
        count = 1;
    }
    forget(frame);
    if (count != 1 || match(frame, plausible, true) == 1)
        py_no_signature_fits(frame);
}

int py_parse(struct py_frame *frame, struct py_op *op, PyObject *self, PyObject *const *args,
             Py_ssize_t nargs, PyObject *names)
{
    frame->op = op;
    frame->self = self;
    frame->args = args;
    frame->nargs = nargs;
    frame->names = names && PyTuple_GET_SIZE(names) > 0 ? names : NULL;
    frame->nmore = 0;
    for (int i = 0; i < op->n; i++) {
        forget(frame);
        int rc = match(frame, &op->signatures[i], false);
        if (rc > 0)
            return i;
        if (rc < 0)
            return -1;
    }
    complain(frame);
    return -1;
}

void py_frame_end(struct py_frame *frame)
{
    for (int i = 0; i < frame->nmore; i++)
        PyMem_Free(frame->more[i]);
}

/* ---- whole calls ---- */

#define WORTH_UNLOCKING                                                                            \
    32768 /* elements; below, handing the lock over costs more than the work                       \
           */

static bool is_long_work(struct py_frame *frame, const struct py_signature *s)
{
    if (frame->op->holds_lock || s->n == 0)
        return false;
    const union py_value *v = py_slot(frame, s, 0);
    switch ((enum py_kind)s->args[0].kind) {
    case PY_TENSOR:
        return ct_numel(v->tensor) >= WORTH_UNLOCKING;
    case PY_OPERAND:
    case PY_VALUE:
        return v->value.kind == CT_VALUE_TENSOR && ct_numel(v->value.as.tensor) >= WORTH_UNLOCKING;
    case PY_TENSORS:
        return v->list.n > 0 && ct_numel(v->list.v[0]) >= WORTH_UNLOCKING;
    case PY_INTS: {
        int64_t n = 1;
        for (int64_t i = 0; i < v->ints.n && n < WORTH_UNLOCKING; i++)
            n = v->ints.v[i] < WORTH_UNLOCKING ? n * v->ints.v[i] : WORTH_UNLOCKING;
        return n >= WORTH_UNLOCKING;
    }
    default:
        return false;
    }
}

static PyObject *run(struct py_frame *frame, int i)
{
    const struct py_signature *s = &frame->op->signatures[i];
    struct py_result result;
    if (frame->special) {
        PyObject *answer;
        if (py_overridden(frame, &answer))
            return answer;
    }
    if (is_long_work(frame, s)) {
        Py_BEGIN_ALLOW_THREADS frame->op->call(s->which, frame->v, &result);
        Py_END_ALLOW_THREADS
    } else {
        frame->op->call(s->which, frame->v, &result);
    }
    return py_answer(frame, s, &result);
}

PyObject *py_function(struct py_op *op, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    int i = py_parse(&frame, op, NULL, args, PyVectorcall_NARGS((size_t)nargs), names);
    PyObject *answer = i < 0 ? NULL : run(&frame, i);
    if (frame.nmore)
        py_frame_end(&frame);
    return answer;
}

/* Where self goes: slot 0 in nearly all signatures, else the argument marked PY_SELF. */
static void put_self(struct py_frame *frame, const struct py_signature *s, PyObject *self)
{
    for (int i = 0; i < s->n; i++) {
        if (!(s->args[i].flags & PY_SELF))
            continue;
        if (s->args[i].kind == PY_TENSOR)
            py_slot(frame, s, i)->tensor = py_tensor_of(self);
        else
            py_slot(frame, s, i)->value = ct_value_tensor(py_tensor_of(self));
        return;
    }
}

PyObject *py_method(struct py_op *op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *names)
{
    struct py_frame frame;
    int i = py_parse(&frame, op, self, args, PyVectorcall_NARGS((size_t)nargs), names);
    if (i >= 0)
        put_self(&frame, &op->signatures[i], self);
    PyObject *answer = i < 0 ? NULL : run(&frame, i);
    if (frame.nmore)
        py_frame_end(&frame);
    return answer;
}
