/* SPDX-License-Identifier: BSD-3-Clause */
/* The per-thread state of core: free lists, the error, open scopes. It is one struct, so that a hot
 * path computes the address of thread-local memory only once, and small, because it is in the
 * static TLS block. Only files of src/core include this. */
#ifndef CORTEN_CORE_THREAD_H
#define CORTEN_CORE_THREAD_H

#include "corten/base.h"

/* One object that a scope owns. release NULL: a tensor. */
struct cti_scope_entry {
    void *object;
    void (*release)(void *object);
};

/* The beginning of a scope: its first entry, and the source line; file NULL: unknown. */
struct cti_scope_start {
    int64_t entry;
    const char *file;
    int line;
};

/* All open scopes share one stack of entries: scope k owns those from start[k] up to start[k + 1].
 * Scope 0 is the root, which implicitly begins at 0. */
struct cti_scopes {
    struct cti_scope_entry *entry;
    struct cti_scope_start *start;
    int64_t count, capacity;
    int64_t depth, depth_capacity; /* scopes above the root */
    int64_t live;                  /* entries that are tensors */
};

/* The classes of the free lists. Class SMALL + k: storages with 64 << k inline bytes. */
enum { CTI_POOL_TENSOR, CTI_POOL_STORAGE, CTI_POOL_SMALL, CTI_POOL_COUNT = CTI_POOL_SMALL + 7 };
#define CTI_SMALL_MAX ((int64_t)64 << (CTI_POOL_COUNT - CTI_POOL_SMALL - 1))

struct cti_pool {
    void *head; /* the first word of a free block links to the next */
    int64_t count;
};

struct cti_thread {
    struct cti_pool pool[CTI_POOL_COUNT];
    struct cti_scopes scopes;
    char *error_text, *error_detail, *error_location;
    char *scratch;                  /* see scratch.h */
    char *warning, *second_warning; /* pending, see warn.c */
    enum ct_error_kind error_kind;
    struct ct_device default_device; /* see settings.c */
    enum ct_broadcast broadcast;     /* see settings.c */
    uint16_t new_flags;              /* of tensors that are made: CTI_INFERENCE or 0 */
    uint8_t level;                   /* how many transforms this thread is in, see guard.h */
    bool error_fresh;                /* the last ct_fail set the error, see note.h */
    bool registered;                 /* the cleanup at thread exit is registered */
    bool stopped;                    /* a call was interrupted, see interrupt.h */
};

extern __thread struct cti_thread cti_thread __attribute__((tls_model("initial-exec")));

/* Registers the cleanup of cti_thread at thread exit, unless that has been done. */
void cti_thread_register(void);

/* The steps of the cleanup, in this order. */
void cti_scope_thread_exit(void);
void cti_error_thread_exit(void);
void cti_alloc_thread_exit(void);

void cti_interrupt_clear(void); /* makes calls of this thread possible again */

#endif
