/* SPDX-License-Identifier: BSD-3-Clause */
/* The step of a parameter group. Collects parameters, gradients and states from the dicts of an
 * optimizer, which own the state, and passes all of them to the library in one call. The names of
 * the keys are known here, the formulas only in the library. */
#include "binding.h"

#include <corten/autograd.h>
#include <corten/optim.h>
#include <corten/own.h>
#include <stddef.h>

/* From this many elements on, releasing the GIL pays off. */
#define UNLOCK_MIN_NUMEL 32768

/* ---- options of a group ---- */

/* A key of a group and the fields that its value fills; pairs are tuples of two numbers. */
static const struct option {
    const char *key;
    enum { NUMBER, FLAG, PAIR } kind;
    size_t offset, second;
} option_table[] = {
#define AT(field) offsetof(struct ct_optim_options, field)
    {"lr", NUMBER, AT(lr), 0},
    {"weight_decay", NUMBER, AT(weight_decay), 0},
    {"eps", NUMBER, AT(eps), 0},
    {"betas", PAIR, AT(beta1), AT(beta2)},
    {"momentum", NUMBER, AT(momentum), 0},
    {"dampening", NUMBER, AT(dampening), 0},
    {"alpha", NUMBER, AT(alpha), 0},
    {"rho", NUMBER, AT(rho), 0},
    {"lr_decay", NUMBER, AT(lr_decay), 0},
    {"momentum_decay", NUMBER, AT(momentum_decay), 0},
    {"lambd", NUMBER, AT(lambd), 0},
    {"t0", NUMBER, AT(t0), 0},
    {"etas", PAIR, AT(etaminus), AT(etaplus)},
    {"step_sizes", PAIR, AT(step_size_min), AT(step_size_max)},
    {"nesterov", FLAG, AT(nesterov), 0},
    {"maximize", FLAG, AT(maximize), 0},
    {"amsgrad", FLAG, AT(amsgrad), 0},
    {"centered", FLAG, AT(centered), 0},
    {"decoupled_weight_decay", FLAG, AT(decoupled_weight_decay), 0},
#undef AT
};

/* All options of a group; `tensors` holds owned references. */
struct settings {
    struct ct_optim_options options;
    struct ct_optim_option_tensors tensors;
    bool recorded;
};

#define TENSOR(field)                                                                              \
    {                                                                                              \
        offsetof(struct ct_optim_options, field), offsetof(struct ct_optim_option_tensors, field)  \
    }
static const struct {
    size_t number, tensor;
} tensor_of_number[] = {
    TENSOR(lr),
    TENSOR(weight_decay),
    TENSOR(eps),
    TENSOR(beta1),
    TENSOR(beta2),
    TENSOR(momentum),
    TENSOR(dampening),
    TENSOR(alpha),
    TENSOR(rho),
    TENSOR(lr_decay),
    TENSOR(momentum_decay),
    TENSOR(lambd),
    TENSOR(t0),
    TENSOR(etaminus),
    TENSOR(etaplus),
    TENSOR(step_size_min),
    TENSOR(step_size_max),
};
#undef TENSOR

/* Reads a number or a one-element tensor. The tensor is kept if gradients flow to it, as in a
 * differentiable optimizer. */
static bool read_number_option(PyObject *o, struct settings *s, size_t offset)
{
    double *value = (double *)(void *)((char *)&s->options + offset);
    *value = PyFloat_AsDouble(o);
    if (*value == -1 && PyErr_Occurred())
        return false;
    if (!s->recorded || !py_is_tensor(o) || !ct_requires_grad(py_tensor_of(o)))
        return true;
    ct_tensor *t = ct_own_reshape(py_tensor_of(o), ct_ints_of(NULL, 0));
    for (size_t i = 0; t && i < sizeof tensor_of_number / sizeof *tensor_of_number; i++)
        if (tensor_of_number[i].number == offset)
            *(ct_tensor **)(void *)((char *)&s->tensors + tensor_of_number[i].tensor) = t;
    return t || py_raise();
}

static bool read_option(const struct option *p, PyObject *o, struct settings *s)
{
    char *options = (char *)&s->options;
    if (p->kind == FLAG) {
        int truth = PyObject_IsTrue(o);
        *(bool *)(options + p->offset) = truth > 0;
        return truth >= 0;
    }
    if (p->kind == NUMBER)
        return read_number_option(o, s, p->offset);
    PyObject *pair = PySequence_Tuple(o);
    bool good = pair && PyTuple_GET_SIZE(pair) == 2;
    if (pair && !good)
        PyErr_Format(PyExc_ValueError, "%s must be a pair of numbers", p->key);
    good = good && read_number_option(PyTuple_GET_ITEM(pair, 0), s, p->offset) &&
           read_number_option(PyTuple_GET_ITEM(pair, 1), s, p->second);
    Py_XDECREF(pair);
    return good;
}

static bool read_options(PyObject *group, struct settings *s)
{
    s->options.tensors = &s->tensors;
    for (size_t i = 0; i < sizeof option_table / sizeof *option_table; i++) {
        PyObject *value = PyDict_GetItemString(group, option_table[i].key);
        if (!value)
            continue;
        Py_INCREF(value);
        bool good = read_option(&option_table[i], value, s);
        Py_DECREF(value);
        if (!good)
            return false;
    }
    return true;
}

/* ---- the states of a parameter ---- */

/* Everything a step uses, as owned references: Python code may run meanwhile and change the
 * dicts. */
struct step {
    enum ct_optim_kind kind;
    struct settings settings;
    struct ct_optim_item *item;
    PyObject **state;                        /* the state dict of each parameter, or NULL */
    ct_tensor **counter;                     /* the tensor "step", or NULL */
    ct_tensor *(*numbers)[CT_OPTIM_NUMBERS]; /* 0-d tensors that hold states which are numbers */
    Py_ssize_t n;
    int64_t numel;
    bool sparse; /* a gradient is sparse: Python does the step */
};

/* Returns the tensor of a key, retained; NULL without an exception if it is missing or None. */
static ct_tensor *state_tensor(PyObject *state, const char *key)
{
    PyObject *o = PyDict_GetItemString(state, key);
    if (!o || o == Py_None)
        return NULL;
    if (py_is_tensor(o))
        return ct_retain(py_tensor_of(o));
    PyErr_Format(PyExc_TypeError, "the state '%s' of a parameter is a %s, not a tensor", key,
                 py_typename(o));
    return NULL;
}

static bool missing(const char *key)
{
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_KeyError, key);
    return false;
}

static bool read_counter(struct step *s, PyObject *state, struct ct_optim_item *item)
{
    if (s->kind == CT_OPTIM_SGD)
        return true;
    ct_tensor *counter = s->counter[s->n] = state_tensor(state, "step");
    if (!counter)
        return missing("step");
    item->step = ct_item(counter) + 1;
    return !ct_error() || py_raise();
}

/* SGD creates its momentum buffer with the first gradient; keep_states stores it in the dict. */
static ct_tensor *first_momentum(struct ct_optim_item *item)
{
    item->fresh = true;
    ct_tensor *made = ct_own_empty_like(item->param, CT_NO_DTYPE, ct_device_of(item->param), false,
                                        CT_PRESERVE_FORMAT);
    return made ? made : (ct_tensor *)(void *)py_raise();
}

static bool read_states(struct step *s, PyObject *state, struct ct_optim_item *item)
{
    for (int i = 0; i < CT_OPTIM_STATES; i++) {
        const char *key = ct_optim_state_name(s->kind, &s->settings.options, i);
        if (!key)
            continue;
        item->state[i] = state_tensor(state, key);
        if (!item->state[i] && s->kind == CT_OPTIM_SGD && !PyErr_Occurred())
            item->state[i] = first_momentum(item);
        if (!item->state[i])
            return missing(key);
    }
    for (int i = 0; i < CT_OPTIM_NUMBERS; i++) {
        const char *key = ct_optim_number_name(s->kind, i);
        if (!key)
            continue;
        ct_tensor *number = s->numbers[s->n][i] = state_tensor(state, key);
        if (!number)
            return missing(key);
        item->number[i] = ct_item(number);
        item->number_tensor[i] = number;
        if (ct_error())
            return py_raise();
    }
    return read_counter(s, state, item);
}

/* ---- collecting ---- */

/* Returns the state dict of a parameter (new reference), created by `begin` if it is missing or
 * empty. */
static PyObject *state_of(PyObject *states, PyObject *param, PyObject *group, PyObject *begin)
{
    PyObject *state = PyDict_GetItemWithError(states, param);
    if (state && PyDict_Check(state) && PyDict_GET_SIZE(state))
        return Py_NewRef(state);
    if (PyErr_Occurred())
        return NULL;
    state = PyObject_CallFunctionObjArgs(begin, group, param, NULL);
    if (state && !PyDict_Check(state)) {
        PyErr_SetString(PyExc_TypeError, "the states of a parameter must be a dictionary");
        Py_CLEAR(state);
    }
    return state;
}

/* The gradient of a parameter (owned): from the group's list `grads` if it has one, else
 * param.grad. NULL without an exception: no gradient. */
static ct_tensor *gradient_of(PyObject *param, PyObject *grads, Py_ssize_t i)
{
    if (!grads)
        return ct_own_grad(py_tensor_of(param));
    PyObject *grad = PyList_GetItem(grads, i);
    if (grad && py_is_tensor(grad))
        return ct_retain(py_tensor_of(grad));
    if (grad)
        PyErr_Format(PyExc_TypeError, "a gradient is a %s, not a tensor", py_typename(grad));
    return NULL;
}

/* Adds parameter number i of a group to the step, if it has a gradient. False with an exception, or
 * without one if the gradient is sparse (s->sparse). */
static bool collect_param(struct step *s, PyObject *states, PyObject *param, PyObject *group,
                          PyObject *begin, PyObject *grads, Py_ssize_t i)
{
    if (!py_is_tensor(param)) {
        PyErr_Format(PyExc_TypeError,
                     "optimizer can only optimize Tensors, but one of the params is %s",
                     py_typename(param));
        return false;
    }
    ct_tensor *grad = gradient_of(param, grads, i);
    if (!grad)
        return !PyErr_Occurred();
    if (ct_is_sparse(grad)) {
        ct_release(grad);
        s->sparse = true;
        return false;
    }
    struct ct_optim_item *item = &s->item[s->n];
    item->param = ct_retain(py_tensor_of(param));
    item->grad = grad;
    bool stateless = s->kind == CT_OPTIM_SGD && s->settings.options.momentum == 0;
    PyObject *state = stateless ? NULL : state_of(states, param, group, begin);
    bool good = stateless || (state && read_states(s, state, item));
    s->state[s->n] = state;
    s->numel += ct_numel(grad);
    s->n++;
    return good;
}

/* Collects all parameters of a group that have gradients; returns as collect_param. */
static bool collect_all(struct step *s, PyObject *states, PyObject *group, PyObject *begin)
{
    PyObject *params = PyDict_GetItemString(group, "params");
    if (!params || !PyList_Check(params)) {
        PyErr_SetString(PyExc_TypeError, "the params of a group must be a list");
        return false;
    }
    PyObject *grads = PyDict_GetItemString(group, "grads"); /* set by optim._functional */
    PyObject *fixed = PyList_AsTuple(params); /* `begin` is Python code and may change it */
    Py_ssize_t n = fixed ? PyTuple_GET_SIZE(fixed) : 0;
    size_t room = (size_t)(n ? n : 1);
    s->item = PyMem_Calloc(room, sizeof *s->item);
    s->state = PyMem_Calloc(room, sizeof *s->state);
    s->counter = PyMem_Calloc(room, sizeof *s->counter);
    s->numbers = PyMem_Calloc(room, sizeof *s->numbers);
    bool good = fixed && s->item && s->state && s->counter && s->numbers;
    if (fixed && !good)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < n && good; i++)
        good = collect_param(s, states, PyTuple_GET_ITEM(fixed, i), group, begin, grads, i);
    Py_XDECREF(fixed);
    return good;
}

/* ---- running ---- */

/* Stores the results of the step in the state dict, except tensors updated in place: the counter,
 * numbers, a new momentum buffer. */
static bool keep_states(const struct step *s, Py_ssize_t i)
{
    const struct ct_optim_item *item = &s->item[i];
    bool good = !s->counter[i] || ct_own_fill_(s->counter[i], ct_value_float(item->step));
    for (int k = 0; k < CT_OPTIM_NUMBERS && good; k++)
        if (s->numbers[i][k] && !item->number_written[k])
            good = ct_own_fill_(s->numbers[i][k], ct_value_float(item->number[k]));
    if (!good)
        return py_raise();
    if (!item->fresh)
        return true;
    PyObject *handle = py_wrap(ct_retain(item->state[0]));
    good = handle &&
           PyDict_SetItemString(s->state[i], ct_optim_state_name(s->kind, &s->settings.options, 0),
                                handle) == 0;
    Py_XDECREF(handle);
    return good;
}

static bool step_run(struct step *s, bool recorded)
{
    bool good;
    if (s->numel >= UNLOCK_MIN_NUMEL && !recorded) {
        Py_BEGIN_ALLOW_THREADS good =
            ct_optim_update(s->kind, &s->settings.options, s->item, s->n, recorded);
        Py_END_ALLOW_THREADS
    } else {
        good = ct_optim_update(s->kind, &s->settings.options, s->item, s->n, recorded);
    }
    if (!good)
        return py_raise();
    for (Py_ssize_t i = 0; i < s->n && good; i++)
        good = keep_states(s, i);
    return good;
}

static void step_release(struct step *s)
{
    for (Py_ssize_t i = 0; i < s->n; i++) {
        ct_release(s->item[i].param);
        ct_release(s->item[i].grad);
        ct_release(s->counter[i]);
        Py_XDECREF(s->state[i]);
        for (int k = 0; k < CT_OPTIM_STATES; k++)
            ct_release(s->item[i].state[k]);
        for (int k = 0; k < CT_OPTIM_NUMBERS; k++)
            ct_release(s->numbers[i][k]);
    }
    for (size_t i = 0; i < sizeof tensor_of_number / sizeof *tensor_of_number; i++)
        ct_release(
            *(ct_tensor **)(void *)((char *)&s->settings.tensors + tensor_of_number[i].tensor));
    PyMem_Free(s->item);
    PyMem_Free(s->state);
    PyMem_Free(s->counter);
    PyMem_Free(s->numbers);
}

/* _optim_step(kind, states, group, begin): begin(group, param) creates the states of a parameter
 * that has none. Returns True, without stepping, if a gradient is sparse. */
static PyObject *optim_step(PyObject *m, PyObject *const *args, Py_ssize_t nargs)
{
    long kind = nargs == 4 ? PyLong_AsLong(args[0]) : -1;
    if (kind < 0 || kind >= CT_OPTIM_KINDS || !PyDict_Check(args[1]) || !PyDict_Check(args[2])) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "_optim_step(kind, states, group, begin)");
        return NULL;
    }
    struct step s = {.kind = (enum ct_optim_kind)kind};
    PyObject *differentiable = PyDict_GetItemString(args[2], "differentiable");
    int recorded = differentiable ? PyObject_IsTrue(differentiable) : 0;
    s.settings.recorded = recorded > 0;
    bool mode = ct_set_grad_enabled(recorded > 0);
    bool good = recorded >= 0 && read_options(args[2], &s.settings) &&
                collect_all(&s, args[1], args[2], args[3]) && step_run(&s, recorded > 0);
    ct_set_grad_enabled(mode);
    step_release(&s);
    return s.sparse ? Py_NewRef(Py_True) : good ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef functions[] = {
    {"_optim_step", (PyCFunction)(void (*)(void))optim_step, METH_FASTCALL,
     "Runs one step of a parameter group; returns True, without a step, if a gradient is sparse."},
    {NULL, NULL, 0, NULL},
};

bool py_init_optim(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
