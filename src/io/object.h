/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this room know of a tree of pickled objects. */
#ifndef CORTEN_IO_OBJECT_H
#define CORTEN_IO_OBJECT_H

#include "corten/archive.h"

struct chunk;

struct ct_pickle {
    struct chunk *chunks;
    int64_t count; /* objects made */
    int protocol;
};

/* Memory that lives as long as the tree, aligned to 8; NULL and an error: there is none. */
void *cti_pickle_memory(ct_pickle *p, size_t size);
/* Whether o is a text of this kind with these characters. */
bool cti_object_is(const struct ct_object *o, enum ct_object_kind kind, const char *text);

#endif
