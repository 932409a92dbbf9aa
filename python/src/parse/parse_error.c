/* SPDX-License-Identifier: BSD-3-Clause */
/* Error messages for calls that fit no signature, with the texts of PyTorch's parser. The texts are
 * part of the interface, so its oddities stay ("missing 1 required positional arguments", a comma
 * before the parenthesis if only keywords were given). Called by parse.c and, through py_fits, by
 * hand-written functions. */
#include "parse/parse.h"

const char *py_kind_name(enum py_kind kind)
{
    switch (kind) {
    case PY_TENSOR:
    case PY_OPERAND:
    case PY_VALUE:
        return "Tensor";
    case PY_NUMBER:
        return "Number";
    case PY_INT:
    case PY_COUNT:
    case PY_ONE:
        return "int";
    case PY_INTS:
        return "tuple of ints";
    case PY_FLOAT:
        return "float";
    case PY_FLOATS:
        return "tuple of floats";
    case PY_SCALARS:
    case PY_NUMBERS:
        return "tuple of Scalars";
    case PY_BOOL:
    case PY_TRUTH:
    case PY_BOOL_OPT:
        return "bool";
    case PY_DTYPE:
        return "torch.dtype";
    case PY_DEVICE:
        return "torch.device";
    case PY_FORMAT:
        return "torch.memory_format";
    case PY_STR:
        return "str";
    case PY_TENSORS:
        return "tuple of Tensors";
    case PY_GENERATOR:
        return "torch.Generator";
    case PY_LAYOUT:
        return "torch.layout";
    case PY_STORAGE:
        return "torch.Storage";
    case PY_OBJECT:
        return "object";
    }
    return "?";
}

/* Keyword aliases: NumPy's names, deprecated ones, and those of functions that are Python code in
 * PyTorch (split). */
const char *const *py_keyword_aliases(const char *name)
{
    static const struct {
        const char *name, *aliases[5];
    } known[] = {
        {"dim", {"axis", "dimension"}},
        {"keepdim", {"keepdims"}},
        {"other", {"x2"}},
        {"input", {"x", "a", "x1", "tensor"}},
        {"split_size", {"split_size_or_sections"}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0)
            return known[i].aliases;
    return NULL;
}

/* ---- errors about one candidate signature ---- */

void py_too_many(const struct py_frame *frame, const struct py_signature *s)
{
    int most = 0, least = 0;
    for (int i = 0; i < s->n; i++) {
        const struct py_arg *arg = &s->args[i];
        if (!py_wants(frame, arg))
            continue;
        most += !(arg->flags & PY_KEYWORD);
        least += !(arg->flags & PY_DEFAULT);
    }
    if (least != most)
        PyErr_Format(PyExc_TypeError,
                     "%s() takes from %d to %d positional arguments but %zd were given",
                     frame->op->name, least, most, frame->nargs);
    else
        PyErr_Format(PyExc_TypeError, "%s() takes %d positional argument%s but %zd %s given",
                     frame->op->name, most, most == 1 ? "" : "s", frame->nargs,
                     frame->nargs == 1 ? "was" : "were");
}

void py_missing(const struct py_frame *frame, const struct py_signature *s, int from)
{
    char names[256];
    size_t used = 0;
    int count = 0;
    for (int i = from; i < s->n && used < sizeof names - 48; i++) {
        const struct py_arg *arg = &s->args[i];
        if (!py_wants(frame, arg) || arg->flags & PY_DEFAULT)
            continue;
        used += (size_t)PyOS_snprintf(names + used, sizeof names - used, "%s\"%s\"",
                                      count ? ", " : "", arg->name);
        count++;
    }
    PyErr_Format(PyExc_TypeError, "%s() missing %d required positional argument%s: %s",
                 frame->op->name, count, count == 1 ? "s" : "", names);
}

void py_wrong_kind(const struct py_frame *frame, const struct py_arg *arg, PyObject *o,
                   bool keyword, Py_ssize_t position, Py_ssize_t failed)
{
    const char *wanted = py_kind_name((enum py_kind)arg->kind);
    if (keyword)
        PyErr_Format(PyExc_TypeError, "%s(): argument '%s' must be %s, not %s", frame->op->name,
                     arg->name, wanted, py_typename(o));
    else if (failed >= 0)
        PyErr_Format(PyExc_TypeError,
                     "%s(): argument '%s' (position %zd) must be %s, but found element of type %s "
                     "at pos %zd",
                     frame->op->name, arg->name, position, wanted,
                     py_typename(PySequence_Fast_GET_ITEM(o, failed)), failed);
    else
        PyErr_Format(PyExc_TypeError, "%s(): argument '%s' (position %zd) must be %s, not %s",
                     frame->op->name, arg->name, position, wanted, py_typename(o));
    if (arg->kind == PY_TENSORS && py_is_tensor(o))
        py_note("pass the tensors as a list: [x, y]");
}

void py_extra_keyword(const struct py_frame *frame, const struct py_signature *s)
{
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(frame->names); k++) {
        PyObject *name = PyTuple_GET_ITEM(frame->names, k);
        int position = 0, found = -1;
        for (int i = 0; i < s->n && found < 0; i++) {
            if (!py_wants(frame, &s->args[i]))
                continue;
            if (PyUnicode_CompareWithASCIIString(name, s->args[i].name) == 0)
                found = position;
            position++;
        }
        if (found < 0) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'",
                         frame->op->name, name);
            return;
        }
        if (found < frame->nargs) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'",
                         frame->op->name, name);
            return;
        }
    }
    PyErr_SetString(PyExc_TypeError, "invalid keyword arguments");
}

/* The index of a keyword among a function's parameter names; -1 if it is not there. */
static int keyword_index(PyObject *name, char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (PyUnicode_CompareWithASCIIString(name, names[i]) == 0)
            return i;
    return -1;
}

bool py_fits(const char *function, char *const *names, int required, int positional, PyObject *args,
             PyObject *kwargs)
{
    PyObject *name, *value, *missing = NULL;
    Py_ssize_t at = 0, given = PyTuple_GET_SIZE(args);
    int n = 0;
    while (kwargs && PyDict_Next(kwargs, &at, &name, &value)) {
        int index = keyword_index(name, names);
        if (index < 0)
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function,
                         name);
        else if (index < positional && index < given)
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", function,
                         name);
        else
            continue;
        return false;
    }
    if (given > positional && positional == required) /* Python counts self */
        PyErr_Format(PyExc_TypeError, "%s() takes %d positional argument%s but %zd were given",
                     function, positional + 1, positional ? "s" : "", given + 1);
    else if (given > positional)
        PyErr_Format(PyExc_TypeError,
                     "%s() takes from %d to %d positional arguments but %zd were given", function,
                     required + 1, positional + 1, given + 1);
    for (int i = (int)given; i < required && !PyErr_Occurred(); i++) {
        if (kwargs && PyDict_GetItemString(kwargs, names[i]))
            continue;
        Py_XSETREF(missing, missing ? PyUnicode_FromFormat("%U and '%s'", missing, names[i])
                                    : PyUnicode_FromFormat("'%s'", names[i]));
        n++;
    }
    if (missing && !PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s() missing %d required positional argument%s: %U",
                     function, n, n > 1 ? "s" : "", missing);
    Py_XDECREF(missing);
    return !PyErr_Occurred();
}

/* ---- errors that list several candidate signatures ---- */

struct text {
    char *p;
    size_t n, room;
};

static void text_put(struct text *t, const char *s)
{
    size_t n = strlen(s);
    if (t->n + n + 1 > t->room) {
        t->room = 2 * (t->n + n) + 256;
        char *p = PyMem_Realloc(t->p, t->room);
        if (!p)
            return;
        t->p = p;
    }
    memcpy(t->p + t->n, s, n + 1);
    t->n += n;
}

static void put_name(struct text *t, PyObject *name)
{
    const char *s = PyUnicode_AsUTF8(name);
    text_put(t, s ? s : "?");
    PyErr_Clear();
}

static Py_ssize_t keyword_count(const struct py_frame *frame)
{
    return frame->names ? PyTuple_GET_SIZE(frame->names) : 0;
}

/* PyTorch prints keywords in the order of its hash table, which is the reverse. */
static Py_ssize_t keyword_at(const struct py_frame *frame, Py_ssize_t i)
{
    return keyword_count(frame) - 1 - i;
}

static void put_given(struct text *t, const struct py_frame *frame)
{
    text_put(t, "(");
    for (Py_ssize_t i = 0; i < frame->nargs; i++) {
        text_put(t, py_typename(frame->args[i]));
        text_put(t, ", ");
    }
    for (Py_ssize_t i = 0; i < keyword_count(frame); i++) {
        Py_ssize_t k = keyword_at(frame, i);
        put_name(t, PyTuple_GET_ITEM(frame->names, k));
        text_put(t, "=");
        text_put(t, py_typename(frame->args[frame->nargs + k]));
        text_put(t, ", ");
    }
    if (frame->nargs > 0)
        t->n -= 2;
    t->p[t->n] = 0;
    text_put(t, ")");
}

/* Writes a default list as C++ does: {0,1}. */
static void put_default(struct text *t, const struct py_arg *arg)
{
    char list[64];
    size_t n = 0;
    if (arg->kind != PY_INTS || strlen(arg->shown) < 3 || arg->shown[0] != '(') {
        text_put(t, arg->shown);
        return;
    }
    for (const char *at = arg->shown; *at && n < sizeof list - 1; at++)
        if (*at != ' ')
            list[n++] = (char)(*at == '(' ? '{' : *at == ')' ? '}' : *at);
    list[n] = '\0';
    text_put(t, list);
}

static void put_signature(struct text *t, const struct py_frame *frame,
                          const struct py_signature *s)
{
    bool first = true, star = false;
    text_put(t, "(");
    for (int i = 0; i < s->n; i++) {
        const struct py_arg *arg = &s->args[i];
        if (!py_wants(frame, arg))
            continue;
        if (!first)
            text_put(t, ", ");
        first = false;
        if (arg->flags & PY_KEYWORD && !star) {
            star = true;
            text_put(t, "*, ");
        }
        text_put(t, py_kind_name((enum py_kind)arg->kind));
        text_put(t, " ");
        text_put(t, arg->name);
        if (arg->shown) {
            text_put(t, " = ");
            put_default(t, arg);
        }
    }
    text_put(t, ")");
}

/* The signature split at commas. PyTorch splits its own text in the same way, so the star counts as
 * a piece, and a piece with a default value has neither a usable type nor a name. */
struct piece {
    const char *type, *name;
};

static int pieces(const struct py_frame *frame, const struct py_signature *s, struct piece *p)
{
    int n = 0;
    bool star = false;
    for (int i = 0; i < s->n; i++) {
        const struct py_arg *arg = &s->args[i];
        if (!py_wants(frame, arg))
            continue;
        if (arg->flags & PY_KEYWORD && !star) {
            star = true;
            p[n++] = (struct piece){"", "*"};
        }
        p[n++] = arg->shown ? (struct piece){"", arg->shown}
                            : (struct piece){py_kind_name((enum py_kind)arg->kind), arg->name};
    }
    if (n == 0)
        p[n++] = (struct piece){"", ""};
    return n;
}

static bool piece_fits(const struct piece *p, PyObject *o)
{
    const char *type = py_typename(o);
    return strcmp(p->type, type) == 0 ||
           (strcmp(p->type, "float") == 0 && strcmp(type, "int") == 0);
}

/* Writes the type of an object; for a list or tuple also the types of its items. */
static void put_type(struct text *t, PyObject *o)
{
    text_put(t, py_typename(o));
    if (!PyTuple_Check(o) && !PyList_Check(o))
        return;
    Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
    text_put(t, PyTuple_Check(o) ? " of (" : " of [");
    for (Py_ssize_t i = 0; i < n; i++) {
        text_put(t, i ? ", " : "");
        text_put(t, py_typename(PySequence_Fast_GET_ITEM(o, i)));
    }
    text_put(t, PyList_Check(o) ? "]" : n == 1 ? ",)" : ")");
}

/* Writes the types of the arguments given, with exclamation marks around those that do not fit
 * their piece. */
static void put_marked(struct text *t, const struct py_frame *frame, const struct piece *p, int n)
{
    text_put(t, "(");
    for (Py_ssize_t i = 0; i < n; i++) {
        bool keyword = i >= frame->nargs;
        PyObject *o = NULL;
        if (!keyword)
            o = frame->args[i];
        for (Py_ssize_t k = 0; keyword && k < keyword_count(frame); k++) {
            if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(frame->names, k), p[i].name) == 0)
                o = frame->args[frame->nargs + k];
        }
        if (!o)
            continue;
        const char *mark = piece_fits(&p[i], o) ? "" : "!";
        text_put(t, mark);
        if (keyword) {
            text_put(t, p[i].name);
            text_put(t, "=");
        }
        put_type(t, o);
        text_put(t, mark);
        text_put(t, ", ");
    }
    if (frame->nargs > 0)
        t->n -= 2;
    t->p[t->n] = 0;
    text_put(t, ")");
}

/* Lists unknown keywords; returns false if there are none. Like PyTorch, compares only with the
 * last n pieces, where n is the number of keywords. */
static bool put_wrong_keywords(struct text *t, const struct py_frame *frame, const struct piece *p,
                               int n, const char *what)
{
    bool any = false;
    int from = (int)keyword_count(frame);
    for (Py_ssize_t i = 0; i < keyword_count(frame); i++) {
        PyObject *name = PyTuple_GET_ITEM(frame->names, keyword_at(frame, i));
        bool known = false;
        for (int k = n > from ? n - from : 0; k < n; k++)
            known |= PyUnicode_CompareWithASCIIString(name, p[k].name) == 0;
        if (known)
            continue;
        text_put(t, any ? ", " : what);
        put_name(t, name);
        any = true;
    }
    return any;
}

void py_no_signature_fits(const struct py_frame *frame)
{
    const struct py_op *op = frame->op;
    struct text t = {0};
    struct piece p[PY_MAX_ARGS + 1];
    text_put(&t, op->name);
    text_put(&t, "() received an invalid combination of arguments - ");
    Py_ssize_t count = frame->nargs + keyword_count(frame);
    if (op->n == 1) {
        int n = pieces(frame, op->signatures, p);
        if (!put_wrong_keywords(&t, frame, p, n, "got unrecognized keyword arguments: ")) {
            text_put(&t, "got ");
            if (n == count && !keyword_count(frame))
                put_marked(&t, frame, p, n);
            else
                put_given(&t, frame);
            text_put(&t, ", but expected ");
            put_signature(&t, frame, op->signatures);
        }
    } else {
        text_put(&t, "got ");
        put_given(&t, frame);
        text_put(&t, ", but expected one of:\n");
    }
    for (int i = 0; op->n > 1 && i < op->n; i++) {
        text_put(&t, " * ");
        put_signature(&t, frame, &op->signatures[i]);
        text_put(&t, "\n");
        int n = pieces(frame, &op->signatures[i], p);
        if (n != count)
            continue;
        if (!put_wrong_keywords(
                &t, frame, p, n,
                "      didn't match because some of the keywords were incorrect: ")) {
            text_put(&t, "      didn't match because some of the arguments have invalid types: ");
            put_marked(&t, frame, p, n);
        }
        text_put(&t, "\n");
    }
    PyErr_SetString(PyExc_TypeError, t.p ? t.p : "invalid arguments");
    PyMem_Free(t.p);
}

bool py_warn_old(const struct py_frame *frame, const struct py_signature *s)
{
    static bool said;
    const struct py_op *op = frame->op;
    struct text t = {0};
    if (said && !ct_get_warn_always())
        return true;
    said = true;
    text_put(&t, "This overload of ");
    text_put(&t, op->name);
    text_put(&t, " is deprecated:\n\t");
    text_put(&t, op->name);
    put_signature(&t, frame, s);
    text_put(&t, "\nConsider using one of the following signatures instead:");
    for (int i = 0; i < op->n; i++) {
        text_put(&t, "\n\t");
        text_put(&t, op->name);
        put_signature(&t, frame, &op->signatures[i]);
    }
    bool good = PyErr_WarnEx(PyExc_UserWarning, t.p ? t.p : "deprecated", 1) == 0;
    PyMem_Free(t.p);
    return good;
}
