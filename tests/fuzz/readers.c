/* SPDX-License-Identifier: BSD-3-Clause */
/* libFuzzer programs, one for each file reader: -DREADER=npy makes fuzz_npy. The program reads the
 * input bytes as a file and then every element of the resulting tensors. It aborts on a sanitizer
 * report, on a failure without an error or an error without a failure, and if the reader uses more
 * memory than the file's size times the factor in the table below.
 *
 * mmap is wrapped to return an allocation of exactly the file's size, so that the address sanitizer
 * detects reads beyond its end. Checksums of mutated PNG files are corrected, because the reader
 * would stop at a wrong one. */
#define _GNU_SOURCE
#include "corten.h"
#include "corten/archive.h"
#include "corten/io.h"
#include "corten/own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXT(x) #x
#define NAME(x) TEXT(x)
static const char reader[] = NAME(READER);

/* Maximum bytes of memory per byte of the file. Deflate compresses up to 1032 to 1; a byte of a
 * pickle may make an object of 88 bytes; a bit of a PNG may be a pixel of 4 channels. */
static const struct limit {
    const char *name;
    int64_t times;
} limits[] = {
    {"npy", 6},    {"npz", 1032 * 3},  {"pt", 1032 * 3},    {"pickle", 256}, {"safetensors", 64},
    {"table", 48}, {"png", 1032 * 72}, {"jpeg", 2048 * 16}, {"ppm", 8},
};
enum { FIXED = 4 << 20 }; /* for libraries that are loaded, and their tables */

/* ---- memory ---- */

static int64_t live, peak;
extern int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                                     void (*)(const volatile void *));
extern size_t __sanitizer_get_allocated_size(const volatile void *);

static void on_malloc(const volatile void *p, size_t size)
{
    (void)p;
    live += (int64_t)size;
    peak = live > peak ? live : peak;
}

static void on_free(const volatile void *p)
{
    live -= p ? (int64_t)__sanitizer_get_allocated_size(p) : 0;
}

static void *mapped[8];
void *__real_mmap(void *, size_t, int, int, int, off_t);
int __real_munmap(void *, size_t);
void *__wrap_mmap(void *address, size_t n, int protection, int flags, int fd, off_t offset);
int __wrap_munmap(void *address, size_t n);

void *__wrap_mmap(void *address, size_t n, int protection, int flags, int fd, off_t offset)
{
    if (fd < 0)
        return __real_mmap(address, n, protection, flags, fd, offset);
    for (int i = 0; i < 8; i++) {
        if (!mapped[i]) {
            mapped[i] = malloc(n);
            return pread(fd, mapped[i], n, offset) == (ssize_t)n ? mapped[i] : MAP_FAILED;
        }
    }
    abort();
}

int __wrap_munmap(void *address, size_t n)
{
    for (int i = 0; i < 8; i++) {
        if (mapped[i] == address) {
            mapped[i] = NULL;
            free(address);
            return 0;
        }
    }
    return __real_munmap(address, n);
}

/* ---- one file ---- */

static int file = -1;
static char path[64];

static void put_file(const uint8_t *data, size_t n)
{
    if (file < 0) {
        file = memfd_create("input", 0);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    if (ftruncate(file, 0) < 0 || pwrite(file, data, n, 0) != (ssize_t)n)
        abort();
}

/* Reads all elements of a tensor; the sum keeps the compiler from removing the reads. Large
 * expanded tensors are skipped, since they may have far more elements than memory. */
static uint8_t look(ct_tensor *t)
{
    bool small = t && (ct_is_contiguous(t) || ct_numel(t) < 4096);
    ct_tensor *plain = small ? ct_own_contiguous(t, CT_CONTIGUOUS_FORMAT) : NULL;
    int64_t n = plain ? ct_numel(plain) * ct_element_size(plain) : 0;
    const uint8_t *p = plain ? ct_data(plain) : NULL;
    uint8_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum ^= p[i];
    ct_release(plain);
    return sum;
}

/* Returns the unpacked size of an archive's records, which bounds the memory instead of the file.
 */
static int64_t unpacked(const uint8_t *data, size_t n)
{
    ct_archive *a = ct_archive_open_memory(data, (int64_t)n, NULL, NULL);
    int64_t sum = 0;
    for (int64_t i = 0; i < ct_archive_count(a); i++)
        sum += ct_archive_record(a, i)->nbytes;
    ct_archive_release(a);
    ct_clear_error();
    return sum;
}

static bool read_it(const uint8_t *data, size_t n)
{
    if (strcmp(reader, "table") == 0) {
        look(ct_loadtxt(path));
    } else if (strcmp(reader, "pickle") == 0) {
        ct_pickle *p = ct_pickle_new();
        ct_unpickle(p, data, (int64_t)n, NULL);
        ct_pickle_free(p);
    } else if (strcmp(reader, "pt") == 0) {
        look(ct_load(path));
        ct_clear_error();
        ct_dict dict = ct_load_dict_as(path, reader);
        for (int64_t i = 0; i < dict.n; i++)
            look(dict.v[i].tensor);
    } else if (strcmp(reader, "npy") == 0 || strcmp(reader, "npz") == 0 ||
               strcmp(reader, "safetensors") == 0) {
        ct_dict dict = ct_load_dict_as(path, reader);
        for (int64_t i = 0; i < dict.n; i++)
            look(dict.v[i].tensor);
        return dict.v;
    } else {
        ct_tensor *t = ct_read_image(path, .mode = n % 5);
        look(t);
        return t;
    }
    return !ct_error();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static bool begun;
    if (!begun)
        __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
    begun = true;
    int64_t times = 0, size = (int64_t)n;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        times = strcmp(limits[i].name, reader) == 0 ? limits[i].times : times;
    put_file(data, n);
    if (strcmp(reader, "pt") == 0 || strcmp(reader, "npz") == 0) {
        int64_t inside = unpacked(data, n);
        if (inside > size * 1032)
            abort();
        times = 256;
        size += inside;
    }
    int64_t before = live;
    peak = live;
    ct_scope scope = ct_scope_begin();
    bool good = read_it(data, n);
    if (good == (ct_error() != NULL)) {
        fprintf(stderr, "the reader says %s, the error is %s\n", good ? "good" : "bad", ct_error());
        abort();
    }
    ct_clear_error();
    ct_scope_end(scope);
    if (peak - before > size * times + FIXED) {
        fprintf(stderr, "%lld bytes for a file of %lld\n", (long long)(peak - before),
                (long long)n);
        abort();
    }
    return 0;
}

/* ---- checksums of PNG files ---- */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static uint32_t be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void put_be32(uint8_t *p, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(v >> (24 - 8 * i));
}

/* The checksum at the end of a zlib stream of n bytes. */
static void mend_stream(uint8_t *p, uint32_t n)
{
    static uint8_t raw[1 << 16];
    int64_t count = n > 6 ? ct_inflate(p + 2, n - 6, raw, sizeof raw, -15) : -1;
    uint32_t a = 1, b = 0;
    for (int64_t i = 0; i < count; i++) {
        a = (a + raw[i]) % 65521;
        b = (b + a) % 65521;
    }
    if (count >= 0)
        put_be32(p + n - 4, b << 16 | a);
    ct_clear_error();
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, most);
    for (size_t at = 8; strcmp(reader, "png") == 0 && seed % 8 && at + 12 <= size;) {
        uint32_t n = be32(data + at);
        if (n > size - at - 12)
            n = (uint32_t)(size - at - 12);
        put_be32(data + at, n);
        if (memcmp(data + at + 4, "IDAT", 4) == 0)
            mend_stream(data + at + 8, n);
        put_be32(data + at + 8 + n, ct_crc32(0, data + at + 4, n + 4));
        at += 12 + n;
    }
    return size;
}
