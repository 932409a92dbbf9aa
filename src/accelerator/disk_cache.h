/* SPDX-License-Identifier: BSD-3-Clause */
/* A cache on disk for programs compiled for a device, such as cubins. May be used by several
 * threads and processes at once. Every failure is a cache miss and sets no error. */
#ifndef CORTEN_ACCELERATOR_DISK_CACHE_H
#define CORTEN_ACCELERATOR_DISK_CACHE_H

#include <stddef.h>

/* The program compiled from a source text, malloc'ed, or NULL if it is not cached. `target` names
 * everything else that determines the program, for example "90-13000.cubin" for an architecture and
 * the compiler's version; it ends the file's name, so it has at most 30 characters and no '/'. */
void *cti_disk_cache_find(const char *text, const char *target, size_t *size);
/* Stores a program under the same key. */
void cti_disk_cache_keep(const char *text, const char *target, const void *program, size_t size);

#endif
