/* SPDX-License-Identifier: BSD-3-Clause */
/* Matches the arguments of a call with the signatures of an operation, in PyTorch's order and by
 * its rules: sizes as separate ints, NumPy's keyword names, 0-d tensors as numbers. Ordinary calls
 * allocate nothing. parse_error.c writes the error messages. */
#include "parse/parse.h"

#include "corten/profile.h"

/* Keep rare paths out of line, so that the functions of every call keep their values in
 * registers. */
#define COLD __attribute__((noinline))

/* ---- keywords ---- */

static PyObject *find_name(const struct py_frame *frame, PyObject *key, const char *name)
{
    Py_ssize_t n = PyTuple_GET_SIZE(frame->names);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (PyTuple_GET_ITEM(frame->names, i) == key)
            return frame->args[frame->nargs + i];
    }
    for (Py_ssize_t i = 0; i < n; i++) { /* names that are not interned: f(**dict) */
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

/* Computes the default values by slot, once per signature. */
static bool make_defaults(struct py_signature *s)
{
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        int slot = s->slots ? s->slots[i] : i;
        n = slot >= n ? slot + 1 : n;
    }
    union py_value *v = PyMem_Calloc(((size_t)n + 3) / 4 * 4, sizeof *v); /* copied in fours */
    if (!v)
        return PyErr_NoMemory() != NULL;
    for (int i = 0; i < s->n; i++) {
        union py_value *slot = &v[s->slots ? s->slots[i] : i];
        if (s->args[i].flags & PY_ABSENT)
            py_set_absent(&s->args[i], slot);
        else
            *slot = s->args[i].fallback;
    }
    s->nslots = (uint8_t)n;
    s->defaults = v;
    return true;
}

/* Lists the arguments that a function call or a method call accepts; once for each form. */
static COLD bool plan_signature(const struct py_frame *frame, struct py_signature *s,
                                struct py_plan *plan)
{
    if (!s->defaults && !make_defaults(s))
        return false;
    for (int i = 0; i < s->n; i++) {
        const struct py_arg *arg = &s->args[i];
        if (arg->flags & PY_SELF)
            s->self = (uint8_t)i;
        if (!py_wants(frame, arg))
            continue;
        /* `out` skips the fast path even when passed by position, since the result is the object
         * given. */
        uint8_t kind = arg->flags & PY_OUT ? PY_OBJECT : arg->kind;
        plan->at[plan->n++] =
            (struct py_argument){(uint8_t)i, kind, s->slots ? s->slots[i] : (uint8_t)i};
        if (!(arg->flags & PY_KEYWORD))
            plan->positional = plan->n;
        if (!(arg->flags & PY_DEFAULT))
            plan->required = plan->n;
    }
    /* view(2, 3), meshgrid(x, y): the only positional parameter is a list, which collects all
     * positional arguments. */
    const struct py_arg *first = plan->n ? &s->args[plan->at[0].arg] : NULL;
    plan->takes_all =
        plan->positional == 1 && ((first->kind == PY_INTS && !(first->flags & PY_NONE)) ||
                                  (first->kind == PY_TENSORS && first->flags & PY_SINGLE));
    plan->ready = true;
    return true;
}

/* Fast path for the most common arguments: a plain tensor or a small int. */
static inline bool bind_common(struct py_frame *frame, struct py_argument at, PyObject *o)
{
    union py_value *v = &frame->v[at.slot];
    if (at.kind == PY_INT || at.kind == PY_COUNT)
        return PyLong_CheckExact(o) && py_small_int(o, &v->i);
    if (!py_is_plain(o))
        return false;
    if (at.kind == PY_TENSOR)
        v->tensor = py_tensor_of(o);
    else if (at.kind == PY_OPERAND || at.kind == PY_VALUE)
        v->value = ct_value_tensor(py_tensor_of(o));
    else
        return false;
    return true;
}

/* Matches one object with one argument; returns as match() does. Position 0: a keyword. */
static COLD int bind(struct py_frame *frame, const struct py_signature *s, struct py_argument at,
                     PyObject *o, Py_ssize_t position, bool raise)
{
    const struct py_arg *arg = &s->args[at.arg];
    union py_value *v = &frame->v[at.slot];
    if (o == Py_None && arg->flags & PY_NONE) {
        py_set_absent(arg, v);
        return 1;
    }
    Py_ssize_t failed = -1;
    int rc = py_convert(frame, arg, o, v, &failed);
    if (rc == 0 && frame->accept_overrides && py_has_override(o)) {
        frame->overloaded = o;
        return 1;
    }
    if (rc > 0 && arg->flags & PY_OUT)
        frame->out = o;
    if (rc == 0 && raise)
        py_wrong_kind(frame, arg, o, position == 0, position, failed);
    return rc;
}

/* Binds the arguments from number `from` on to the keywords given; returns as match() does. */
static COLD int bind_keywords(struct py_frame *frame, struct py_signature *s,
                              const struct py_plan *plan, int from, bool raise)
{
    Py_ssize_t left = frame->names ? PyTuple_GET_SIZE(frame->names) : 0;
    for (int k = from; k < plan->n; k++) {
        struct py_arg *arg = &s->args[plan->at[k].arg];
        PyObject *o = left > 0 ? find_keyword(frame, arg) : NULL;
        if (!o && !(arg->flags & PY_DEFAULT)) {
            if (raise)
                py_missing(frame, s, plan->at[k].arg);
            return 0;
        }
        if (!o)
            continue;
        left--;
        int rc = bind(frame, s, plan->at[k], o, 0, raise);
        if (rc <= 0)
            return rc;
    }
    if (left > 0 && raise)
        py_extra_keyword(frame, s);
    return left == 0;
}

/* Whether the positional arguments are the items of the list argument `arg`: view(2, 3) rather than
 * view((2, 3)). */
static inline bool takes_all_positionals(const struct py_frame *frame, struct py_arg *arg)
{
    PyObject *first = frame->nargs > 0 ? frame->args[0] : NULL;
    if (arg->kind == PY_INTS)
        return first && (PyLong_CheckExact(first) || py_is_index(first));
    bool one_list = frame->nargs == 1 && (PyTuple_Check(first) || PyList_Check(first));
    return !one_list && (frame->op->n == 1 || frame->nargs != 1 || py_is_tensor(first)) &&
           (first || !frame->names || !find_keyword(frame, arg));
}

/* Matches a call with one signature: 1 if it fits, 0 if not (with an exception only if `raise`), -1
 * with an exception that ends the call. */
static int match(struct py_frame *frame, struct py_signature *s, bool raise)
{
    struct py_plan *plan = &s->plan[frame->self != NULL];
    if (!plan->ready && !plan_signature(frame, s, plan))
        return -1;
    for (int i = 0; i < s->nslots; i += 4) /* four at a time compiles to moves, not to a call */
        memcpy(frame->v + i, s->defaults + i, 4 * sizeof *frame->v);
    PyObject *const *args = frame->args;
    Py_ssize_t at = 0, nargs = frame->nargs;
    if (plan->takes_all && takes_all_positionals(frame, &s->args[plan->at[0].arg])) {
        const struct py_arg *arg = &s->args[plan->at[0].arg];
        union py_value *v = &frame->v[plan->at[0].slot];
        if ((arg->kind == PY_INTS ? py_read_ints(frame, arg, args, nargs, &v->ints)
                                  : py_read_tensors(frame, args, nargs, &v->list)) < 0)
            return -1;
        at = 1;
    } else if (nargs > plan->positional) {
        if (raise)
            py_too_many(frame, s);
        return 0;
    } else {
        for (; at < nargs; at++) {
            if (bind_common(frame, plan->at[at], args[at]))
                continue;
            int rc = bind(frame, s, plan->at[at], args[at], at + 1, raise);
            if (rc <= 0)
                return rc;
        }
    }
    if (!frame->names && at >= plan->required)
        return 1;
    return bind_keywords(frame, s, plan, (int)at, raise);
}

void py_frame_end(struct py_frame *frame)
{
    for (int i = 0; i < frame->nmore; i++) {
        PyMem_Free(frame->more[i].memory);
        Py_XDECREF(frame->more[i].object);
    }
    frame->nmore = 0;
}

static void frame_reset(struct py_frame *frame)
{
    frame->used = 0;
    if (frame->nmore)
        py_frame_end(frame);
    frame->overloaded = frame->self && !py_is_plain(frame->self) ? frame->self : NULL;
    frame->out = NULL;
    frame->layout = 0;
}

/* Raises the error of a call that fits no signature: names the wrong argument if exactly one
 * signature has a matching number of arguments, otherwise lists all signatures. */
static COLD void raise_mismatch(struct py_frame *frame)
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
    if (op->n == 1 && !op->old) {
        plausible = op->signatures;
        count = 1;
    }
    frame_reset(frame);
    if (count != 1 || match(frame, plausible, true) == 1)
        py_no_signature_fits(frame);
}

/* py_parse; accept_overrides: objects with __torch_function__ fit any argument. */
static inline int parse(struct py_frame *frame, struct py_op *op, PyObject *self,
                        PyObject *const *args, Py_ssize_t nargs, PyObject *names,
                        bool accept_overrides)
{
    frame->accept_overrides = accept_overrides;
    frame->may_decline = false;
    frame->op = op;
    frame->self = self;
    frame->args = args;
    frame->nargs = nargs;
    frame->names = names && PyTuple_GET_SIZE(names) > 0 ? names : NULL;
    frame->nmore = 0;
    for (int i = 0; i < op->n + op->old; i++) {
        frame_reset(frame);
        int rc = match(frame, &op->signatures[i], false);
        if (rc > 0 && i >= op->n && !py_warn_old(frame, &op->signatures[i]))
            return -1;
        if (rc > 0)
            return i;
        if (rc < 0)
            return -1;
    }
    raise_mismatch(frame);
    return -1;
}

int py_parse(struct py_frame *frame, struct py_op *op, PyObject *self, PyObject *const *args,
             Py_ssize_t nargs, PyObject *names)
{
    return parse(frame, op, self, args, nargs, names, false);
}

int py_read(struct py_frame *frame, struct py_op *op, PyObject *self, PyObject *const *args,
            Py_ssize_t nargs, PyObject *names)
{
    int i = py_parse(frame, op, self, args, nargs, names);
    py_frame_end(frame);
    return i;
}

/* ---- whole calls ---- */

#define UNLOCK_MIN_NUMEL                                                                           \
    32768 /* elements; for fewer, releasing the GIL costs more than the work                       \
           */

/* Whether the first argument is large enough to release the GIL. */
static bool should_unlock(struct py_frame *frame, const struct py_signature *s)
{
    if (frame->op->holds_lock || s->n == 0)
        return false;
    const union py_value *v = py_slot(frame, s, 0);
    switch ((enum py_kind)s->args[0].kind) {
    case PY_TENSOR:
        return ct_numel(v->tensor) >= UNLOCK_MIN_NUMEL;
    case PY_OPERAND:
    case PY_VALUE:
        return v->value.kind == CT_VALUE_TENSOR && ct_numel(v->value.as.tensor) >= UNLOCK_MIN_NUMEL;
    case PY_TENSORS:
        return v->list.n > 0 && ct_numel(v->list.v[0]) >= UNLOCK_MIN_NUMEL;
    case PY_INTS: {
        int64_t n = 1;
        for (int64_t i = 0; i < v->ints.n && n < UNLOCK_MIN_NUMEL; i++)
            n = v->ints.v[i] >= UNLOCK_MIN_NUMEL ? UNLOCK_MIN_NUMEL
                : v->ints.v[i] > 0               ? n * v->ints.v[i]
                                                 : 0;
        return n >= UNLOCK_MIN_NUMEL;
    }
    default:
        return false;
    }
}

/* Runs signature i of a parsed call: overrides first, then layout=, then the operation. */
static PyObject *run_call(struct py_frame *frame, int i)
{
    const struct py_signature *s = &frame->op->signatures[i];
    struct py_result result;
    if (frame->overloaded || py_modes) {
        PyObject *answer;
        if (py_overridden(frame, &answer))
            return answer;
    }
    if (frame->layout) {
        PyObject *answer;
        if (py_apply_layout(frame, s, &answer))
            return answer;
    }
    int64_t event = py_profiling ? py_event_call(frame, s) : -1;
    if (should_unlock(frame, s)) {
        PyThreadState *unlocked = PyEval_SaveThread();
        frame->op->call(s->which, frame->v, &result);
        PyEval_RestoreThread(unlocked);
    } else {
        frame->op->call(s->which, frame->v, &result);
    }
    if (event >= 0)
        ct_profile_end_call(event, s->returns == PY_RETURNS_TENSOR ? result.tensor : NULL);
    return py_emit_warnings(py_wrap_result(frame, s, &result));
}

PyObject *py_function(struct py_op *op, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    struct py_frame frame;
    int i = parse(&frame, op, NULL, args, PyVectorcall_NARGS((size_t)nargs), names, true);
    PyObject *answer = i < 0 ? NULL : run_call(&frame, i);
    if (frame.nmore)
        py_frame_end(&frame);
    return answer;
}

static void bind_self(struct py_frame *frame, const struct py_signature *s, PyObject *self)
{
    union py_value *v = py_slot(frame, s, s->self);
    if (s->args[s->self].kind == PY_TENSOR)
        v->tensor = py_tensor_of(self);
    else
        v->value = ct_value_tensor(py_tensor_of(self));
}

PyObject *py_method(struct py_op *op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *names)
{
    struct py_frame frame;
    int i = parse(&frame, op, self, args, PyVectorcall_NARGS((size_t)nargs), names, true);
    if (i >= 0)
        bind_self(&frame, &op->signatures[i], self);
    PyObject *answer = i < 0 ? NULL : run_call(&frame, i);
    if (frame.nmore)
        py_frame_end(&frame);
    return answer;
}
