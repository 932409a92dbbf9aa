/* SPDX-License-Identifier: BSD-3-Clause */
/* Trackers: a Python function that sees each step of an iteration of the library. It is given what
 * the state has as a dictionary, and answers whether that was the last step. */
#include "face.h"

/* Puts a new reference into the dictionary; false: it or an earlier one failed. */
static bool put(PyObject *to, const char *name, PyObject *value)
{
    bool good = value && PyDict_SetItemString(to, name, value) == 0;
    Py_XDECREF(value);
    return good;
}

static PyObject *tensor(ct_tensor *t)
{
    return t == CT_NO_TENSOR ? Py_NewRef(Py_None) : py_wrap_borrowed(t);
}

static bool put_tensors(PyObject *to, const struct ct_lobpcg_state *s)
{
    return put(to, "A", tensor(s->A)) && put(to, "B", tensor(s->B)) &&
           put(to, "iK", tensor(s->iK)) && put(to, "X", tensor(s->X)) &&
           put(to, "E", tensor(s->E)) && put(to, "R", tensor(s->R)) && put(to, "S", tensor(s->S)) &&
           put(to, "rerr", tensor(s->rerr));
}

static bool put_counts(PyObject *to, const struct ct_lobpcg_state *s)
{
    const struct {
        const char *name;
        int64_t count;
    } all[] = {{"batch_index", s->batch_index},
               {"m", s->m},
               {"n", s->n},
               {"k", s->k},
               {"niter", s->niter},
               {"ortho_i_max", s->ortho_i_max},
               {"ortho_j_max", s->ortho_j_max},
               {"istep", s->istep},
               {"iterations_left", s->iterations_left},
               {"converged_count", s->converged_count},
               {"converged_end", s->converged_end},
               {"ortho_i", s->ortho_i},
               {"ortho_j", s->ortho_j}};
    bool good = put(to, "largest", PyBool_FromLong(s->largest)) &&
                put(to, "ortho_use_drop", PyBool_FromLong(s->ortho_use_drop)) &&
                put(to, "method", PyUnicode_FromString(s->method));
    for (size_t i = 0; good && i < sizeof all / sizeof *all; i++)
        good = put(to, all[i].name, PyLong_FromLongLong(all[i].count));
    return good;
}

static bool put_numbers(PyObject *to, const struct ct_lobpcg_state *s)
{
    const struct {
        const char *name;
        double number;
    } all[] = {{"tol", s->tol},
               {"ortho_tol", s->ortho_tol},
               {"ortho_tol_drop", s->ortho_tol_drop},
               {"ortho_tol_replace", s->ortho_tol_replace},
               {"X_norm", s->X_norm},
               {"A_norm", s->A_norm},
               {"B_norm", s->B_norm}};
    bool good = true;
    for (size_t i = 0; good && i < sizeof all / sizeof *all; i++)
        good = put(to, all[i].name, PyFloat_FromDouble(all[i].number));
    PyObject *errors = PyList_New(0);
    for (int64_t i = 0; good && errors && i < s->ortho_rerr_count; i++) {
        const struct ct_lobpcg_error *e = &s->ortho_rerr[i];
        PyObject *one = Py_BuildValue("LLd", (long long)e->i, (long long)e->j, e->rerr);
        good = one && PyList_Append(errors, one) == 0;
        Py_XDECREF(one);
    }
    return put(to, "ortho_rerr", errors) && good;
}

/* What a failing tracker raised stays Python's exception; the library only learns that it failed.
 */
static bool call(void *context, struct ct_lobpcg_state *s)
{
    PyGILState_STATE lock = PyGILState_Ensure();
    PyObject *seen = PyDict_New(), *answer = NULL;
    if (seen && put_tensors(seen, s) && put_counts(seen, s) && put_numbers(seen, s))
        answer = PyObject_CallOneArg(context, seen);
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
