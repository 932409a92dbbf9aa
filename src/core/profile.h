/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls with which the public functions and the backward engine record a profile. They first
 * test cti_profiling, which is their only cost while no profile is recorded. The public interface
 * is corten/profile.h. */
#ifndef CORTEN_CORE_PROFILE_H
#define CORTEN_CORE_PROFILE_H

#include "corten/profile.h"

extern bool cti_profiling;

/* Around an operation that a C program calls: first each argument tensor (cti_call_saw), then the
 * name, a constant, and at the end the result (or NULL). Nothing here fails or sets an error. */
/* NULL: an argument that is not a tensor */
void cti_call_saw(const ct_tensor *t, const char *function);
void cti_call_forget(void);
void cti_call_begin(const char *name);
void cti_call_end(const char *name, const ct_tensor *result);

#define CTI_CALL_BEGIN(name)                                                                       \
    if (__builtin_expect(cti_profiling, 0))                                                        \
    cti_call_begin(name)
/* The same for an operation without tensor arguments. */
#define CTI_CALL_BEGIN_BARE(name)                                                                  \
    if (__builtin_expect(cti_profiling, 0))                                                        \
    cti_call_forget(), cti_call_begin(name)
#define CTI_CALL_END(name, result)                                                                 \
    if (__builtin_expect(cti_profiling, 0))                                                        \
    cti_call_end(name, result)

/* Around any other event. The name is copied. */
int64_t cti_event_begin(enum ct_profile_kind kind, const char *name);

#endif
