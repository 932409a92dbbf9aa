/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of the user's program for notes of errors: a location is a code object and the instruction
 * in it, which is quick to take; file and line are looked up when an error asks for them. */
#include "exchange/exchange.h"

#include <corten/autograd.h>
#include <stdlib.h>

static bool here(struct ct_location *location)
{
    PyGILState_STATE state;
    if (!py_lock(&state))
        return false;
    PyFrameObject *frame = PyThreadState_GetFrame(PyThreadState_Get());
    if (frame)
        *location = (struct ct_location){PyFrame_GetCode(frame), PyFrame_GetLasti(frame)};
    Py_XDECREF(frame);
    PyGILState_Release(state);
    return frame != NULL;
}

static char *text(struct ct_location location)
{
    PyGILState_STATE state;
    char *copy = NULL;
    if (!py_lock(&state))
        return NULL;
    PyCodeObject *code = location.code;
    PyObject *said = PyUnicode_FromFormat("%U, line %d, in %U", code->co_filename,
                                          PyCode_Addr2Line(code, location.at), code->co_name);
    const char *utf8 = said ? PyUnicode_AsUTF8(said) : NULL;
    if (utf8)
        copy = strdup(utf8);
    Py_XDECREF(said);
    PyErr_Clear();
    PyGILState_Release(state);
    return copy;
}

static void drop(struct ct_location location)
{
    py_release_object(location.code);
}

bool py_init_source_locations(PyObject *module)
{
    ct_set_location_hooks(&(struct ct_location_hooks){here, text, drop});
    return true;
}
