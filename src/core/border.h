/* SPDX-License-Identifier: BSD-3-Clause */
/* What every function for C programs asks of its arguments before anything reads them: nothing is
 * NULL that must be there, lists and texts can be read, enums are of their type. A test that fails
 * sets the error, with the names of the function and the argument, unless an earlier one is set: a
 * NULL that comes from a call that failed keeps that call's message. */
#ifndef CORTEN_OPS_BORDER_H
#define CORTEN_OPS_BORDER_H

#include "core/debug.h"
#include "corten/base.h"

/* The slow halves; they set the error and return false, or true after all. */
bool cti_border_tensor(const ct_tensor *t, bool optional, const char *function, const char *name);
bool cti_border_refuse(const char *function, const char *name, const char *what);
bool cti_border_value(ct_value v, const char *function, const char *name);
bool cti_border_list(ct_list *list, const char *function, const char *name);

/* A tensor that must be there. */
static inline bool cti_given(const ct_tensor *t, const char *function, const char *name)
{
    return __builtin_expect(t && t != CT_NO_TENSOR && !cti_arguments_matter, 1) ||
           cti_border_tensor(t, false, function, name);
}

/* One that may be CT_NO_TENSOR, but not NULL. */
static inline bool cti_given_or_none(const ct_tensor *t, const char *function, const char *name)
{
    return __builtin_expect(t && !cti_arguments_matter, 1) ||
           cti_border_tensor(t, true, function, name);
}

/* A number or a tensor. In every operator: inline even where the rest is compiled to be small. */
static inline __attribute__((always_inline)) bool cti_given_value(ct_value v, const char *function,
                                                                  const char *name)
{
    return __builtin_expect(v.kind == CT_VALUE_TENSOR && v.as.tensor != CT_NO_TENSOR &&
                                !cti_arguments_matter,
                            1) ||
           cti_border_value(v, function, name);
}

static inline bool cti_given_list(ct_list *list, const char *function, const char *name)
{
    return cti_border_list(list, function, name);
}

/* A list of numbers: counted, or closed by a mark (-1). */
#define CTI_GIVEN_NUMBERS(list, function, name)                                                    \
    (__builtin_expect((list).n >= -1 && ((list).v || (list).n == 0), 1) ||                         \
     cti_border_refuse(function, name, "is no list: its address is NULL or its count negative"))

/* Anything else that has an address: a handle, a struct, a place for a result. */
static inline bool cti_given_pointer(const void *p, const char *function, const char *name)
{
    return __builtin_expect(p != NULL, 1) || cti_border_refuse(function, name, "is NULL");
}

/* n elements at an address, which may be NULL where there are none. */
static inline bool cti_given_array(const void *p, int64_t n, const char *function, const char *name)
{
    return __builtin_expect(n >= 0 && (p || n == 0), 1) ||
           cti_border_refuse(function, name,
                             "is no array: its address is NULL or its count "
                             "negative");
}

static inline bool cti_given_text(const char *text, const char *function, const char *name)
{
    return __builtin_expect(text != NULL, 1) ||
           cti_border_refuse(function, name, "is NULL, not a text");
}

static inline bool cti_given_dtype(enum ct_dtype dtype, const char *function, const char *name)
{
    return __builtin_expect((unsigned)(dtype + 1) <= CT_DTYPE_COUNT, 1) ||
           cti_border_refuse(function, name, "is no data type");
}

/* A device that ct_device() refused has its error already. */
static inline bool cti_given_device(struct ct_device device, const char *function, const char *name)
{
    return __builtin_expect((unsigned)device.type <= CT_BAD_DEVICE, 1) ||
           cti_border_refuse(function, name, "is no device");
}

/* One of enum ct_memory_format, or -1: none. */
static inline bool cti_given_format(int format, const char *function, const char *name)
{
    return __builtin_expect(format >= -1 && format <= CT_CHANNELS_LAST_3D, 1) ||
           cti_border_refuse(function, name, "is no memory format");
}

#endif
