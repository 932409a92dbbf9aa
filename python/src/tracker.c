/* SPDX-License-Identifier: BSD-3-Clause */
/* Trackers: a Python function that sees each step of an iteration of the library. It is given what
 * the state has as a dictionary, by the names and in the groups that PyTorch's object has, and
 * answers whether that was the last step. */
#include "face.h"

enum kind { TENSOR, COUNT, NUMBER, FLAG, TEXT };

#define AT(name) #name, offsetof(struct ct_lobpcg_state, name)

/* Every field: in which dictionary it is, or in none, and whether only the method "ortho" has it.
 */
static const struct field {
    enum kind kind;
    const char *group;
    bool ortho;
    const char *name;
    size_t at;
} fields[] = {
    {TENSOR, NULL, false, AT(A)},
    {TENSOR, NULL, false, AT(B)},
    {TENSOR, NULL, false, AT(iK)},
    {TENSOR, NULL, false, AT(X)},
    {TENSOR, NULL, false, AT(E)},
    {TENSOR, NULL, false, AT(R)},
    {TENSOR, NULL, false, AT(S)},
    {TENSOR, "tvars", false, AT(rerr)},
    {TEXT, NULL, false, AT(method)},
    {COUNT, "iparams", false, AT(m)},
    {COUNT, "iparams", false, AT(n)},
    {COUNT, "iparams", false, AT(k)},
    {COUNT, "iparams", false, AT(niter)},
    {COUNT, "iparams", true, AT(ortho_i_max)},
    {COUNT, "iparams", true, AT(ortho_j_max)},
    {COUNT, "iparams", false, AT(batch_index)},
    {NUMBER, "fparams", false, AT(tol)},
    {NUMBER, "fparams", true, AT(ortho_tol)},
    {NUMBER, "fparams", true, AT(ortho_tol_drop)},
    {NUMBER, "fparams", true, AT(ortho_tol_replace)},
    {FLAG, "bparams", false, AT(largest)},
    {FLAG, "bparams", true, AT(ortho_use_drop)},
    {COUNT, "ivars", false, AT(istep)},
    {COUNT, "ivars", false, AT(iterations_left)},
    {COUNT, "ivars", false, AT(converged_count)},
    {COUNT, "ivars", false, AT(converged_end)},
    {COUNT, "ivars", true, AT(ortho_i)},
    {COUNT, "ivars", true, AT(ortho_j)},
    {NUMBER, "fvars", false, AT(X_norm)},
    {NUMBER, "fvars", false, AT(A_norm)},
    {NUMBER, "fvars", false, AT(B_norm)},
};

/* A new reference. */
static PyObject *value(const struct field *f, const struct ct_lobpcg_state *s)
{
    const void *at = (const char *)s + f->at;
    ct_tensor *t;
    switch (f->kind) {
    case TENSOR:
        t = *(ct_tensor *const *)at;
        return t == CT_NO_TENSOR ? Py_NewRef(Py_None) : py_wrap_borrowed(t);
    case COUNT:
        return PyLong_FromLongLong(*(const int64_t *)at);
    case NUMBER:
        return PyFloat_FromDouble(*(const double *)at);
    case FLAG:
        return PyBool_FromLong(*(const bool *)at);
    case TEXT:
        return PyUnicode_FromString(*(const char *const *)at);
    }
    return NULL;
}

/* Puts a new reference into the dictionary; false: it or an earlier one failed. */
static bool put(PyObject *to, const char *name, PyObject *value)
{
    bool good = to && value && PyDict_SetItemString(to, name, value) == 0;
    Py_XDECREF(value);
    return good;
}

/* The dictionary of that name, made when first asked for. Borrowed. */
static PyObject *group(PyObject *all, const char *name)
{
    PyObject *found = name ? PyDict_GetItemString(all, name) : all;
    if (found)
        return found;
    return put(all, name, PyDict_New()) ? PyDict_GetItemString(all, name) : NULL;
}

/* How far off each step of the last orthogonalisation was. */
static bool put_errors(PyObject *to, const struct ct_lobpcg_state *s)
{
    bool good = true;
    for (int64_t i = 0; good && i < s->ortho_rerr_count; i++) {
        const struct ct_lobpcg_error *e = &s->ortho_rerr[i];
        char name[80];
        if (e->j < 0)
            snprintf(name, sizeof name, "ortho_VBU_rerr[%lld]", (long long)e->i);
        else
            snprintf(name, sizeof name, "ortho_UBUmI_rerr[%lld, %lld]", (long long)e->i,
                     (long long)e->j);
        good = put(to, name, PyFloat_FromDouble(e->rerr));
    }
    return good;
}

/* Owned; NULL: an exception is set. */
static PyObject *described(const struct ct_lobpcg_state *s)
{
    PyObject *all = PyDict_New();
    bool ortho = strcmp(s->method, "ortho") == 0;
    bool good = all && put(group(all, "fvars"), "_", PyFloat_FromDouble(0));
    for (size_t i = 0; good && i < sizeof fields / sizeof *fields; i++) {
        const struct field *f = &fields[i];
        bool absent = f->at == offsetof(struct ct_lobpcg_state, batch_index) && s->batch_index < 0;
        if (!absent && (ortho || !f->ortho))
            good = put(group(all, f->group), f->name, value(f, s));
    }
    good = good && put_errors(group(all, "fvars"), s);
    if (!good)
        Py_CLEAR(all);
    return all;
}

/* What a failing tracker raised stays Python's exception; the library only learns that it failed.
 */
static bool call(void *context, struct ct_lobpcg_state *s)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *seen = described(s), *answer = seen ? PyObject_CallOneArg(context, seen) : NULL;
    int stop = answer ? PyObject_IsTrue(answer) : -1;
    s->force_stop = stop == 1;
    Py_XDECREF(seen);
    Py_XDECREF(answer);
    PyGILState_Release(lock);
    if (stop < 0)
        ct_fail(CT_ERR_RUNTIME, "a tracker raised an exception");
    return stop >= 0;
}

struct ct_tracker py_tracker_of(PyObject *o)
{
    return (struct ct_tracker){call, o};
}
