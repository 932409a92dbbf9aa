/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements torch.from_file, which maps a file into memory and returns a tensor over it. This is
 * the only file of src/ops that accesses the file system. */
#include "core/alloc.h"
#include "fronts.h"
#include "ops/create/create.h"
#include "ops/front.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The context of the storage's deleter. */
struct mapping {
    void *start;
    size_t length;
};

static void unmap(void *context)
{
    struct mapping *m = context;
    munmap(m->start, m->length);
    cti_free(m);
}

static bool fail_file(const char *what, const char *filename, int number)
{
    return cti_refuse(CT_ERR_RUNTIME, "%s <%s>: %s (%d)", what, filename, strerror(number), number);
}

/* Checks that the file has nbytes; a shared file is extended. */
static bool is_long_enough(int file, const char *filename, int64_t nbytes, bool shared)
{
    struct stat about;
    if (fstat(file, &about) < 0)
        return fail_file("unable to stat the file", filename, errno);
    if (nbytes < 0 || about.st_size >= nbytes || S_ISDIR(about.st_mode))
        return true;
    if (!shared)
        return cti_refuse(CT_ERR_RUNTIME,
                          "file <%s> size <%lld> is smaller than the required mapping size <%lld>",
                          filename, (long long)about.st_size, (long long)nbytes);
    return ftruncate(file, nbytes) == 0 || fail_file("unable to resize file", filename, errno);
}

/* Maps the first nbytes of the file; NULL: failed. */
static struct mapping *map(int file, const char *filename, int64_t nbytes, bool shared)
{
    struct mapping *m = cti_calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->length = (size_t)nbytes;
    m->start = nbytes < 0 ? MAP_FAILED
                          : mmap(NULL, m->length, PROT_READ | PROT_WRITE,
                                 shared ? MAP_SHARED : MAP_PRIVATE, file, 0);
    if (m->start != MAP_FAILED)
        return m;
    int number = nbytes < 0 ? ENOMEM : errno;
    cti_free(m);
    return ct_fail(CT_ERR_RUNTIME, "unable to mmap %lld bytes from file <%s>: %s (%d)",
                   (long long)nbytes, filename, strerror(number), number);
}

ct_tensor *cti_op_from_file(const char *filename, int shared, int64_t size, enum ct_dtype dtype,
                            struct ct_device device, bool requires_grad)
{
    int64_t nbytes;
    (void)device;
    dtype = dtype == CT_NO_DTYPE ? ct_get_default_dtype() : dtype;
    size = size == CT_NO_DIM ? 0 : size;
    if (__builtin_mul_overflow(size, cti_itemsize(dtype), &nbytes))
        return cti_shape_fail(1, &size, NULL);
    if (nbytes == 0)
        return cti_create_take(cti_empty(1, &size, dtype, (struct ct_device){CT_CPU, -1}),
                               requires_grad);
    bool write = shared == 1;
    int file = write ? open(filename, O_RDWR | O_CREAT, 0600) : open(filename, O_RDONLY);
    if (file < 0)
        return ct_fail(CT_ERR_RUNTIME, "unable to open file <%s> in %s mode: %s (%d)", filename,
                       write ? "read-write" : "read-only", strerror(errno), errno);
    struct mapping *m =
        is_long_enough(file, filename, nbytes, write) ? map(file, filename, nbytes, write) : NULL;
    close(file);
    if (!m)
        return NULL;
    return cti_create_take(
        ct_own_from_memory(m->start, dtype, ct_ints_of(&size, 1), CT_NO_DIMS, unmap, m),
        requires_grad);
}
