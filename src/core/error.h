/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions on errors for the library's files: failing with false, and setting an error aside while
 * something else is tried. core/note.h adds help to an error. */
#ifndef CORTEN_CORE_ERROR_H
#define CORTEN_CORE_ERROR_H

#include "corten/base.h"

#include <stdarg.h>

void *cti_fail_list(enum ct_error_kind kind, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* As ct_fail, for functions that return a bool: returns false. */
bool cti_refuse(enum ct_error_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

struct cti_saved_error {
    enum ct_error_kind kind;
    char *text, *detail;
};

/* Moves the error of the thread, if any, into `saved`. Afterwards no error is set. */
void cti_error_take(struct cti_saved_error *saved);
/* Restores `saved` and empties it. An error that was set in between is dropped. */
void cti_error_put_back(struct cti_saved_error *saved);

#endif
