/* SPDX-License-Identifier: BSD-3-Clause */
/* What every function for C programs asks of its arguments before anything reads them: nothing is
 * NULL that must be there, lists and texts can be read, enums are of their type. A test that fails
 * sets the error, with the names of the function and the argument, unless an earlier one is set: a
 * NULL that comes from a call that failed keeps that call's message. */
#ifndef CORTEN_CORE_CHECK_ARGS_H
#define CORTEN_CORE_CHECK_ARGS_H

#include "core/debug.h"
#include "corten/base.h"

/* The slow halves; they set the error and return false, or true after all. */
bool cti_check_tensor_slow(const ct_tensor *t, bool optional, const char *function,
                           const char *name);
bool cti_check_refuse(const char *function, const char *name, const char *what);
bool cti_check_value_slow(ct_value v, const char *function, const char *name);
bool cti_check_list_slow(ct_list *list, const char *function, const char *name);

/* A tensor that must be there. */
static inline bool cti_check_tensor(const ct_tensor *t, const char *function, const char *name)
{
    return __builtin_expect(t && t != CT_NO_TENSOR && !cti_arguments_matter, 1) ||
           cti_check_tensor_slow(t, false, function, name);
}

/* One that may be CT_NO_TENSOR, but not NULL. */
static inline bool cti_check_optional(const ct_tensor *t, const char *function, const char *name)
{
    return __builtin_expect(t && !cti_arguments_matter, 1) ||
           cti_check_tensor_slow(t, true, function, name);
}

/* A number or a tensor. In every operator: inline even where the rest is compiled to be small. */
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

/* A list of numbers: counted, or closed by a mark (-1). */
#define CTI_CHECK_NUMBERS(list, function, name)                                                    \
    (__builtin_expect((list).n >= -1 && ((list).v || (list).n == 0), 1) ||                         \
     cti_check_refuse(function, name, "is no list: its address is NULL or its count negative"))

/* Anything else that has an address: a handle, a struct, a place for a result. */
static inline bool cti_check_pointer(const void *p, const char *function, const char *name)
{
    return __builtin_expect(p != NULL, 1) || cti_check_refuse(function, name, "is NULL");
}

/* n elements at an address, which may be NULL where there are none. */
static inline bool cti_check_array(const void *p, int64_t n, const char *function, const char *name)
{
    return __builtin_expect(n >= 0 && (p || n == 0), 1) ||
           cti_check_refuse(function, name,
                            "is no array: its address is NULL or its count "
                            "negative");
}

static inline bool cti_check_text(const char *text, const char *function, const char *name)
{
    return __builtin_expect(text != NULL, 1) ||
           cti_check_refuse(function, name, "is NULL, not a text");
}

static inline bool cti_check_dtype(enum ct_dtype dtype, const char *function, const char *name)
{
    return __builtin_expect((unsigned)(dtype + 1) <= CT_DTYPE_COUNT, 1) ||
           cti_check_refuse(function, name, "is no data type");
}

/* A device that ct_device() refused has its error already. */
static inline bool cti_check_device(struct ct_device device, const char *function, const char *name)
{
    return __builtin_expect((unsigned)device.type <= CT_BAD_DEVICE, 1) ||
           cti_check_refuse(function, name, "is no device");
}

/* One of enum ct_memory_format, or -1: none. */
static inline bool cti_check_format(int format, const char *function, const char *name)
{
    return __builtin_expect(format >= -1 && format <= CT_CHANNELS_LAST_3D, 1) ||
           cti_check_refuse(function, name, "is no memory format");
}

#endif
