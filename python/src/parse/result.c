/* SPDX-License-Identifier: BSD-3-Clause */
/* Wraps the results of an operation: a tensor, self, out, a tuple, or a named tuple such as
 * torch.return_types.max. Called by parse.c. */
#include "parse/parse.h"

static PyObject *wrap_result(struct py_frame *frame, ct_tensor *owned)
{
    return frame->overloaded ? py_wrap_like(owned, frame->overloaded) : py_wrap(owned);
}

static PyObject *wrap_list(struct py_frame *frame, ct_list owned)
{
    PyObject *tuple = py_wrap_list(owned);
    if (!tuple || !frame->overloaded)
        return tuple;
    PyTypeObject *type = py_class_like(frame->overloaded);
    return type == py_Tensor ? tuple : py_convert_result(tuple, type);
}

/* Prints torch.return_types.max(
 * values=tensor([1.]),
 * indices=tensor([0])) */
static PyObject *return_type_repr(PyObject *self)
{
    PyObject *lines = PyList_New(0);
    PyMemberDef *member = Py_TYPE(self)->tp_members;
    for (Py_ssize_t i = 0; lines && i < Py_SIZE(self); i++) {
        PyObject *line = PyUnicode_FromFormat("%s=%R", member[i].name, PyTuple_GET_ITEM(self, i));
        if (!line || PyList_Append(lines, line) < 0)
            Py_CLEAR(lines);
        Py_XDECREF(line);
    }
    PyObject *comma = lines ? PyUnicode_FromString(",\n") : NULL;
    PyObject *body = comma ? PyUnicode_Join(comma, lines) : NULL;
    PyObject *text = body ? PyUnicode_FromFormat("%s(\n%U)", Py_TYPE(self)->tp_name, body) : NULL;
    Py_XDECREF(lines);
    Py_XDECREF(comma);
    Py_XDECREF(body);
    return text;
}

/* The named tuple class of an op. Results written to `out` have a separate one, as in PyTorch:
 * torch.return_types.max_out. */
static PyTypeObject *return_type_class(struct py_op *op, bool out)
{
    static PyObject *known; /* {name: class}: a function and a method have one class */
    PyTypeObject **type = out ? &op->out_type : &op->result_type;
    if (*type)
        return *type;
    if (!known && !(known = PyDict_New()))
        return NULL;
    PyStructSequence_Field fields[PY_MAX_FIELDS + 1] = {{0}};
    int n = 0;
    while (op->fields[n]) {
        fields[n].name = op->fields[n];
        n++;
    }
    char name[64]; /* copied by the class */
    PyOS_snprintf(name, sizeof name, "torch.return_types.%s%s", op->name, out ? "_out" : "");
    PyTypeObject *same = (PyTypeObject *)PyDict_GetItemString(known, name);
    if (same)
        return *type = same;
    PyStructSequence_Desc desc = {name, "The named results of an operation, a tuple.", fields, n};
    *type = PyStructSequence_NewType(&desc);
    if (*type)
        (*type)->tp_repr = return_type_repr;
    if (*type && PyDict_SetItemString(known, name, (PyObject *)*type) < 0)
        *type = NULL;
    return *type;
}

static PyObject *wrap_fields(struct py_frame *frame, struct py_result *r)
{
    if (!r->fields[0])
        return py_raise();
    PyTypeObject *type = frame->op->unnamed ? NULL : return_type_class(frame->op, false);
    Py_ssize_t n = 0;
    while (frame->op->fields[n])
        n++;
    PyObject *tuple = frame->op->unnamed ? PyTuple_New(n)
                      : type             ? PyStructSequence_New(type)
                                         : NULL;
    for (int i = 0; frame->op->fields[i]; i++) {
        PyObject *item = tuple ? wrap_result(frame, r->fields[i]) : NULL;
        if (item)
            PyStructSequence_SET_ITEM(tuple, i, item);
        else if (tuple)
            Py_CLEAR(tuple);
        else
            ct_release(r->fields[i]);
    }
    return tuple;
}

/* max(x, 1, out=(values, indices)): the tensors have been written; returns them as a named
 * tuple. */
static PyObject *wrap_out(struct py_frame *frame, const struct py_signature *s, bool good)
{
    if (!good)
        return py_raise();
    if (s->returns == PY_RETURNS_LIST)
        Py_RETURN_NONE; /* as in PyTorch */
    if (!frame->op->fields || !(PyTuple_Check(frame->out) || PyList_Check(frame->out)))
        return Py_NewRef(frame->out);
    PyTypeObject *type = return_type_class(frame->op, true);
    PyObject *tuple = type ? PyStructSequence_New(type) : NULL;
    for (Py_ssize_t i = 0; tuple && frame->op->fields[i]; i++) {
        PyObject *item = PySequence_GetItem(frame->out, i); /* the list may have changed */
        if (item)
            PyStructSequence_SET_ITEM(tuple, i, item);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* The object passed as `self`, by position or by keyword. */
static PyObject *given_self(const struct py_frame *frame)
{
    Py_ssize_t at = 0;
    while (frame->nargs == 0 &&
           PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(frame->names, at), "self") != 0)
        at++;
    return Py_NewRef(frame->args[at]);
}

PyObject *py_wrap_result(struct py_frame *frame, const struct py_signature *s, struct py_result *r)
{
    if (frame->out)
        return wrap_out(frame, s, r->tensor != NULL);
    switch ((enum py_returns)s->returns) {
    case PY_RETURNS_TENSOR:
        return wrap_result(frame, r->tensor);
    case PY_RETURNS_SELF:
        if (!r->tensor)
            return py_raise();
        return frame->self ? Py_NewRef(frame->self) : py_wrap_borrowed(r->tensor);
    case PY_RETURNS_GIVEN:
        return r->tensor ? given_self(frame) : py_raise();
    case PY_RETURNS_LIST:
        return wrap_list(frame, r->list);
    case PY_RETURNS_SOME: {
        PyObject *tuple = wrap_list(frame, r->list);
        if (!tuple || PyTuple_GET_SIZE(tuple) != 1)
            return tuple;
        PyObject *one = Py_NewRef(PyTuple_GET_ITEM(tuple, 0));
        Py_DECREF(tuple);
        return one;
    }
    case PY_RETURNS_FIELDS:
        return wrap_fields(frame, r);
    case PY_RETURNS_BOOL:
        return r->tensor ? PyBool_FromLong(r->flag) : py_raise();
    case PY_RETURNS_NONE:
        if (!r->tensor)
            return py_raise();
        Py_RETURN_NONE;
    case PY_RETURNS_OBJECT:
        return r->object;
    }
    Py_RETURN_NONE;
}
