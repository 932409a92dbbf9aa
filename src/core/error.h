/* SPDX-License-Identifier: BSD-3-Clause */
/* Error functions for the library's own files: failing with false, and setting an error aside while
 * an alternative is tried. core/note.h adds help to an error. */
#ifndef CORTEN_CORE_ERROR_H
#define CORTEN_CORE_ERROR_H

#include "corten/base.h"

#include <stdarg.h>

void *cti_fail_list(enum ct_error_kind kind, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* Like ct_fail, but returns false, for functions that return a bool. */
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
