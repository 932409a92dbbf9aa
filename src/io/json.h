/* SPDX-License-Identifier: BSD-3-Clause */
/* As much of JSON as the headers of files are made of: objects, lists, texts, whole numbers. The
 * caller walks; nothing is built. */
#ifndef CORTEN_IO_JSON_H
#define CORTEN_IO_JSON_H

#include "core/text.h"

struct cti_json {
    const char *at, *end;
    struct cti_text text; /* the last key or text, ended by 0 */
    bool failed, begun;   /* begun: the next item needs a comma before it */
};

bool cti_json_open(struct cti_json *j, char bracket);   /* { or [ */
bool cti_json_more(struct cti_json *j, char bracket);   /* another item; false at the end */
bool cti_json_key(struct cti_json *j);                  /* "key": */
bool cti_json_text(struct cti_json *j);                 /* "text" */
bool cti_json_int(struct cti_json *j, int64_t *number); /* a whole number that is not negative */
void cti_json_quote(struct cti_text *out, const char *text);

#endif
