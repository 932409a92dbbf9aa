/* SPDX-License-Identifier: BSD-3-Clause */
/* A pull parser for the JSON in file headers: objects, lists, strings and non-negative integers.
 * The caller walks the document; no tree is built. */
#ifndef CORTEN_IO_JSON_H
#define CORTEN_IO_JSON_H

#include "core/text.h"

struct cti_json {
    const char *at, *end;
    struct cti_text text; /* the last key or string, NUL-terminated */
    bool failed, begun;   /* begun: a comma must precede the next item */
};

bool cti_json_open(struct cti_json *j, char bracket);   /* reads { or [ */
bool cti_json_more(struct cti_json *j, char bracket);   /* false at the end bracket */
bool cti_json_key(struct cti_json *j);                  /* reads "key": */
bool cti_json_text(struct cti_json *j);                 /* reads "text" */
bool cti_json_int(struct cti_json *j, int64_t *number); /* reads a non-negative integer */
void cti_json_quote(struct cti_text *out, const char *text);

#endif
