/* SPDX-License-Identifier: BSD-3-Clause */
/* The error of each thread: a kind (Python's exception class), a message (PyTorch's) and optional
 * help. The first error stays until it is cleared, so that a chain of calls reports the failure
 * that caused the others. All files set errors with ct_fail; bindings turn the kind into an
 * exception. */
#define _GNU_SOURCE /* vasprintf */
#include "core/error.h"
#include "core/thread.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The message if there is no memory for another one. */
static char no_memory_text[] = "out of memory";

static const char *const class_name[CT_ERR_KIND_COUNT] = {
    [CT_ERR_NONE] = NULL,
    [CT_ERR_RUNTIME] = "RuntimeError",
    [CT_ERR_INDEX] = "IndexError",
    [CT_ERR_TYPE] = "TypeError",
    [CT_ERR_VALUE] = "ValueError",
    [CT_ERR_KEY] = "KeyError",
    [CT_ERR_NOT_IMPLEMENTED] = "NotImplementedError",
    [CT_ERR_FILE_NOT_FOUND] = "FileNotFoundError",
    [CT_ERR_SYNTAX] = "SyntaxError",
    [CT_ERR_LINALG] = "LinAlgError",
    [CT_ERR_BUFFER] = "BufferError",
    /* PyTorch raises RuntimeError when host memory runs out. */
    [CT_ERR_OUT_OF_MEMORY] = "RuntimeError",
    [CT_ERR_ASSERTION] = "AssertionError",
    [CT_ERR_OS] = "OSError",
    [CT_ERR_RECURSION] = "RecursionError",
    [CT_ERR_DEVICE_MEMORY] = "OutOfMemoryError",
    [CT_ERR_ACCELERATOR] = "AcceleratorError",
    [CT_ERR_INTERRUPT] = "KeyboardInterrupt",
    [CT_ERR_STORE] = "DistStoreError",
    [CT_ERR_NETWORK] = "DistNetworkError",
    [CT_ERR_BACKEND] = "DistBackendError",
};

const char *ct_error(void)
{
    return cti_thread.error_text;
}

enum ct_error_kind ct_error_kind(void)
{
    return cti_thread.error_kind;
}

const char *ct_error_class(void)
{
    return class_name[cti_thread.error_kind];
}

const char *ct_error_detail(void)
{
    return cti_thread.error_detail;
}

const char *ct_error_location(void)
{
    return cti_thread.error_location;
}

void ct_error_at(const char *file, int line, const char *function)
{
    struct cti_thread *thread = &cti_thread;
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (thread->error_kind == CT_ERR_NONE || thread->error_location || !file || !function)
        return; /* the innermost call has recorded it */
    if (asprintf(&thread->error_location, "%s:%d, %s", slash ? slash + 1 : file, line, function) <
        0)
        thread->error_location = NULL;
}

void ct_clear_error(void)
{
    struct cti_thread *thread = &cti_thread;
    if (thread->error_text != no_memory_text)
        free(thread->error_text);
    free(thread->error_detail);
    free(thread->error_location);
    thread->error_text = thread->error_detail = thread->error_location = NULL;
    thread->error_kind = CT_ERR_NONE;
    thread->error_fresh = false;
    if (__builtin_expect(thread->stopped, 0))
        cti_interrupt_clear();
}

void *cti_fail_list(enum ct_error_kind kind, const char *format, va_list arguments)
{
    struct cti_thread *thread = &cti_thread;
    thread->error_fresh = thread->error_kind == CT_ERR_NONE;
    if (!thread->error_fresh)
        return NULL;
    cti_thread_register();
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        text = no_memory_text;
    thread->error_kind = kind;
    thread->error_text = text;
    return NULL;
}

void *ct_fail(enum ct_error_kind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cti_fail_list(kind, format, arguments);
    va_end(arguments);
    return NULL;
}

bool cti_refuse(enum ct_error_kind kind, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cti_fail_list(kind, format, arguments);
    va_end(arguments);
    return false;
}

void cti_error_take(struct cti_saved_error *saved)
{
    struct cti_thread *thread = &cti_thread;
    *saved = (struct cti_saved_error){thread->error_kind, thread->error_text, thread->error_detail};
    thread->error_text = thread->error_detail = NULL;
    thread->error_kind = CT_ERR_NONE;
    thread->error_fresh = false;
}

void cti_error_put_back(struct cti_saved_error *saved)
{
    ct_clear_error();
    cti_thread.error_kind = saved->kind;
    cti_thread.error_text = saved->text;
    cti_thread.error_detail = saved->detail;
    *saved = (struct cti_saved_error){CT_ERR_NONE, NULL, NULL};
}

void cti_error_thread_exit(void)
{
    ct_clear_error();
}
