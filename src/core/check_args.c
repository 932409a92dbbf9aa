/* SPDX-License-Identifier: BSD-3-Clause */
/* The errors for invalid arguments of C programs; see check_args.h. */
#include "core/check_args.h"

#include "core/note.h"
#include "core/profile.h"
#include "core/value.h"

bool cti_check_refuse(const char *function, const char *name, const char *what)
{
    cti_call_forget();
    return cti_refuse(CT_ERR_TYPE, "%s(): argument '%s' %s", function, name, what);
}

bool cti_check_tensor_slow(const ct_tensor *t, bool optional, const char *function,
                           const char *name)
{
    if (!t) {
        cti_check_refuse(function, name, "is NULL");
        cti_note(
            "a call that returned it has failed, and its error was cleared; for an absent tensor "
            "pass CT_NO_TENSOR");
        return false;
    }
    if (t == CT_NO_TENSOR)
        return optional || cti_check_refuse(function, name, "must be given");
    const char *why = cti_debug_on ? cti_debug_dead(t) : NULL;
    if (!why && cti_profiling)
        cti_call_saw(t, function);
    if (!why)
        return true;
    cti_call_forget();
    ct_fail(CT_ERR_RUNTIME, "%s(): argument '%s' is a released tensor: %s", function, name, why);
    cti_note("ct_keep(t) moves a tensor to the scope around its own");
    return false;
}

bool cti_check_value_slow(ct_value v, const char *function, const char *name)
{
    if (cti_profiling)
        cti_call_saw(NULL, function);
    if (v.kind == CT_VALUE_TENSOR)
        return cti_check_tensor_slow(v.as.tensor, false, function, name);
    if (v.kind == CT_VALUE_NULL)
        return cti_check_tensor_slow(NULL, false, function, name);
    return v.kind != CT_VALUE_STR ||
           cti_check_refuse(function, name, "is a text, not a number or a tensor");
}

bool cti_check_list_slow(ct_list *list, const char *function, const char *name)
{
    if (list->n < -1 || (!list->v && list->n != 0))
        return cti_check_refuse(function, name,
                                "is not a list: its address is NULL or its count is negative");
    if (list->v)
        list->n = cti_list_count(*list);
    if (cti_profiling)
        cti_call_saw(NULL, function);
    for (int64_t i = 0; i < list->n; i++)
        if (!list->v[i] || cti_arguments_matter)
            if (!cti_check_tensor_slow(list->v[i], true, function, name))
                return false;
    return true;
}
