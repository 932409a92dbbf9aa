/* SPDX-License-Identifier: BSD-3-Clause */
/* A growing text buffer, and numbers as Python prints them. */
#ifndef CORTEN_CORE_TEXT_H
#define CORTEN_CORE_TEXT_H

#include "corten/base.h"

/* Initialise with {0}. After a failed allocation `failed` stays set, and nothing more is added. */
struct cti_text {
    char *v;
    size_t n, capacity;
    bool failed;
};

void cti_text_add(struct cti_text *text, const char *more);
void cti_text_add_n(struct cti_text *text, const char *more, size_t n);
void cti_text_fill(struct cti_text *text, char c, int64_t times); /* nothing if times <= 0 */
void cti_text_printf(struct cti_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns the text, allocated by malloc, and empties the struct. NULL and an error: out of
 * memory. */
char *cti_text_take(struct cti_text *text);
void cti_text_free(struct cti_text *text);

/* Python's repr() of a number, as item() returns it: "0.1", "1e-05", "True", "(1+2j)". */
void cti_text_number(struct cti_text *text, ct_value number);
/* "(2, 3)", "(2,)", "()" */
void cti_text_tuple(struct cti_text *text, int64_t n, const int64_t *v);

#endif
