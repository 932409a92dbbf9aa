/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors beyond ct_fail, for the rooms of the library: setting an error aside while
 * something else is tried. Help beside the message is note.h's. */
#ifndef CORTEN_CORE_ERROR_H
#define CORTEN_CORE_ERROR_H

#include "corten/base.h"

#include <stdarg.h>

void *cti_fail_list(enum ct_error_kind kind, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

/* The same for functions that return a bool: false. */
bool cti_refuse(enum ct_error_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

struct cti_saved_error {
    enum ct_error_kind kind;
    char *text, *detail;
};

/* Moves the error that is set (or none) into `saved`; none is set afterwards. */
void cti_error_take(struct cti_saved_error *saved);
/* Drops what is set now and restores `saved`, which is empty afterwards. */
void cti_error_put_back(struct cti_saved_error *saved);

#endif
