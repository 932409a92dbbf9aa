/* SPDX-License-Identifier: BSD-3-Clause */
/* Source locations for notes on errors. A location is a code object and an instruction offset in
 * it, which is cheap to record; file and line are looked up only when an error needs them. */
#include "exchange/exchange.h"

#include <corten/autograd.h>
#include <stdlib.h>

static bool location_here(struct ct_location *location)
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

static char *location_text(struct ct_location location)
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

static void location_release(struct ct_location location)
{
    py_release_object(location.code);
}

bool py_init_source_locations(PyObject *module)
{
    ct_set_location_hooks(
        &(struct ct_location_hooks){location_here, location_text, location_release});
    return true;
}
