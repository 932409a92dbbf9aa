/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of functions that are Python code in PyTorch: how Python itself refuses too many, too few
 * and unknown arguments. The function's head is a text, "split(tensor, split_size, dim=)", read
 * only when a call has fitted nothing; `*` stands before what is by keyword alone, `*name` takes
 * all that is given. Called by parse.c; knows nothing of kinds. */
#include "parse.h"

#define MOST 16

struct head {
    char name[48];
    struct {
        char name[32];
        bool optional;
    } args[MOST];
    int n, positional, required; /* required: of the positional ones */
    bool takes_all;
};

static void read_head(const char *text, struct head *head)
{
    *head = (struct head){.positional = -1};
    size_t n = strcspn(text, "(");
    PyOS_snprintf(head->name, sizeof head->name, "%.*s", (int)n, text);
    for (text += n + 1; *text && *text != ')' && head->n < MOST; text += strspn(text, ", ")) {
        n = strcspn(text, ",)");
        if (*text == '*') {
            head->positional = head->n;
            head->takes_all = n > 1;
        } else {
            bool optional = text[n - 1] == '=';
            head->args[head->n].optional = optional;
            head->required += head->positional < 0 && !optional;
            PyOS_snprintf(head->args[head->n++].name, sizeof head->args->name, "%.*s",
                          (int)n - optional, text);
        }
        text += n;
    }
    if (head->positional < 0)
        head->positional = head->n;
}

static int find_arg(const struct head *head, PyObject *name)
{
    for (int i = 0; i < head->n; i++) {
        if (PyUnicode_CompareWithASCIIString(name, head->args[i].name) == 0)
            return i;
    }
    return -1;
}

static bool refuse_missing(const struct head *head, const bool *given)
{
    char names[320] = "";
    int count = 0, left;
    for (int i = 0; i < head->positional; i++)
        count += !given[i] && !head->args[i].optional;
    left = count;
    for (int i = 0; i < head->positional; i++) {
        if (given[i] || head->args[i].optional)
            continue;
        size_t used = strlen(names);
        left--;
        PyOS_snprintf(names + used, sizeof names - used, "'%s'%s", head->args[i].name,
                      left > 1     ? ", "
                      : left == 0  ? ""
                      : count == 2 ? " and "
                                   : ", and ");
    }
    if (count)
        PyErr_Format(PyExc_TypeError, "%s() missing %d required positional argument%s: %s",
                     head->name, count, count == 1 ? "" : "s", names);
    return count > 0;
}

static void refuse_more(const struct head *head, Py_ssize_t given, int keywords)
{
    char most[32], also[64] = "";
    bool range = head->required < head->positional;
    PyOS_snprintf(most, sizeof most, range ? "from %d to %d" : "%d",
                  range ? head->required : head->positional, head->positional);
    if (keywords)
        PyOS_snprintf(also, sizeof also, " positional argument%s (and %d keyword-only argument%s)",
                      given == 1 ? "" : "s", keywords, keywords == 1 ? "" : "s");
    PyErr_Format(PyExc_TypeError, "%s() takes %s positional argument%s but %zd%s %s given",
                 head->name, most, range || head->positional != 1 ? "s" : "", given, also,
                 given == 1 && !keywords ? "was" : "were");
}

bool py_refused_by_python(const struct py_frame *frame)
{
    struct head head;
    bool given[MOST] = {false};
    int keywords = 0; /* given ones that are by keyword alone */
    read_head(frame->op->python, &head);
    Py_ssize_t nargs = frame->nargs + (frame->self != NULL);
    for (Py_ssize_t i = 0; i < nargs && i < head.positional; i++)
        given[i] = true;
    for (Py_ssize_t k = 0; frame->names && k < PyTuple_GET_SIZE(frame->names); k++) {
        PyObject *name = PyTuple_GET_ITEM(frame->names, k);
        int at = find_arg(&head, name);
        if (at < 0 || given[at]) {
            PyErr_Format(PyExc_TypeError,
                         at < 0 ? "%s() got an unexpected keyword argument '%U'"
                                : "%s() got multiple values for argument '%U'",
                         head.name, name);
            return true;
        }
        given[at] = true;
        keywords += at >= head.positional;
    }
    if (nargs <= head.positional || head.takes_all)
        return refuse_missing(&head, given);
    refuse_more(&head, nargs, keywords);
    return true;
}
