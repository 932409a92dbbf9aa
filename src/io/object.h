/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of trees of pickled objects, for the files of this folder. */
#ifndef CORTEN_IO_OBJECT_H
#define CORTEN_IO_OBJECT_H

#include "corten/archive.h"

struct chunk;

struct ct_pickle {
    struct chunk *chunks;
    int64_t count; /* number of nodes */
    int protocol;
};

/* Allocates memory that lives as long as the tree, aligned to 8 bytes. NULL with an error: out of
 * memory. */
void *cti_pickle_memory(ct_pickle *p, size_t size);
/* Whether o is of this kind with this text. */
bool cti_object_is(const struct ct_object *o, enum ct_object_kind kind, const char *text);

#endif
