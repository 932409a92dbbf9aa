/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the arguments that a C program passes, made before anything reads them: no required
 * argument is NULL, lists and strings are readable, and enum values are valid. A failed check sets
 * the error, with the names of the function and the argument, unless an error is set already: a
 * NULL that was returned by a failed call keeps that call's message. */
#ifndef CORTEN_CORE_CHECK_ARGS_H
#define CORTEN_CORE_CHECK_ARGS_H

#include "core/debug.h"
#include "corten/base.h"

/* The out-of-line parts, for arguments that fail the inline test. They return true if the argument
 * is valid after all (debug mode, profiles); otherwise they set the error and return false. */
bool cti_check_tensor_slow(const ct_tensor *t, bool optional, const char *function,
                           const char *name);
bool cti_check_refuse(const char *function, const char *name, const char *what);
bool cti_check_value_slow(ct_value v, const char *function, const char *name);
bool cti_check_list_slow(ct_list *list, const char *function, const char *name);

/* A required tensor. */
static inline bool cti_check_tensor(const ct_tensor *t, const char *function, const char *name)
{
    return __builtin_expect(t && t != CT_NO_TENSOR && !cti_arguments_matter, 1) ||
           cti_check_tensor_slow(t, false, function, name);
}

/* An optional tensor: CT_NO_TENSOR is valid, NULL is not. */
static inline bool cti_check_optional(const ct_tensor *t, const char *function, const char *name)
{
    return __builtin_expect(t && !cti_arguments_matter, 1) ||
           cti_check_tensor_slow(t, true, function, name);
}

/* A number or a tensor. Always inline, even in files compiled for size, because every operator
 * calls it. */
static inline __attribute__((always_inline)) bool cti_check_value(ct_value v, const char *function,
                                                                  const char *name)
{
    return __builtin_expect(v.kind == CT_VALUE_TENSOR && v.as.tensor != CT_NO_TENSOR &&
                                !cti_arguments_matter,
                            1) ||
           cti_check_value_slow(v, function, name);
}

static inline bool cti_check_list(ct_list *list, const char *function, const char *name)
{
    return cti_check_list_slow(list, function, name);
}

/* A list of numbers: n >= 0, or -1 for a list with an end mark. */
#define CTI_CHECK_NUMBERS(list, function, name)                                                    \
    (__builtin_expect((list).n >= -1 && ((list).v || (list).n == 0), 1) ||                         \
     cti_check_refuse(function, name,                                                              \
                      "is not a list: its address is NULL or its count is negative"))

/* Any other required pointer: a handle, a struct, or the address of a result. */
static inline bool cti_check_pointer(const void *p, const char *function, const char *name)
{
    return __builtin_expect(p != NULL, 1) || cti_check_refuse(function, name, "is NULL");
}

/* An array of n elements; its address may be NULL if n is 0. */
static inline bool cti_check_array(const void *p, int64_t n, const char *function, const char *name)
{
    return __builtin_expect(n >= 0 && (p || n == 0), 1) ||
           cti_check_refuse(function, name,
                            "is not an array: its address is NULL or its count is "
                            "negative");
}

static inline bool cti_check_text(const char *text, const char *function, const char *name)
{
    return __builtin_expect(text != NULL, 1) ||
           cti_check_refuse(function, name, "is NULL instead of a text");
}

static inline bool cti_check_dtype(enum ct_dtype dtype, const char *function, const char *name)
{
    return __builtin_expect((unsigned)(dtype + 1) <= CT_DTYPE_COUNT, 1) ||
           cti_check_refuse(function, name, "is not a data type");
}

/* CT_BAD_DEVICE passes: ct_device() has set its error already. */
static inline bool cti_check_device(struct ct_device device, const char *function, const char *name)
{
    return __builtin_expect((unsigned)device.type <= CT_BAD_DEVICE, 1) ||
           cti_check_refuse(function, name, "is not a device");
}

/* A value of enum ct_memory_format, or -1: absent. */
static inline bool cti_check_format(int format, const char *function, const char *name)
{
    return __builtin_expect(format >= -1 && format <= CT_CHANNELS_LAST_3D, 1) ||
           cti_check_refuse(function, name, "is not a memory format");
}

#endif
