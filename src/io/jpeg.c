/* SPDX-License-Identifier: BSD-3-Clause */
/* JPEG files, by libjpeg-turbo, which is loaded on first use. Its structs are not declared; only
 * the fields below are accessed. Their offsets have been fixed since ABI 6.2 (1998), and the
 * library verifies the struct size that it is given. */
#include "io/file.h"
#include "io/image.h"

#include "core/alloc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { DECOMPRESS_62 = 632, COMPRESS_62 = 520, DECOMPRESS_80 = 656, COMPRESS_80 = 584 };
enum { JCS_GRAYSCALE = 1, JCS_RGB = 2, JCS_CMYK = 4, JCS_YCCK = 5 };

struct error {
    void (*exit)(void *);
    void (*emit)(void *, int);
    void (*output)(void *);
    void (*format)(void *, char *);
    void (*reset)(void *);
    char rest[168 - 40];
    jmp_buf back;
};

union common {
    struct error *error;
    struct {
        char before[48];
        unsigned width, height;
        int components, color; /* of the file, or of the input when writing */
        int out_color;
        char between[136 - 68];
        unsigned out_width, out_height;
        int out_color_components, out_components;
    } of;
    char all[1024];
};

static struct {
    int version;
    size_t decompress, compress;
    struct error *(*std_error)(struct error *);
    void (*create_decompress)(union common *, int, size_t);
    void (*mem_src)(union common *, const unsigned char *, unsigned long);
    int (*read_header)(union common *, int);
    int (*start_decompress)(union common *);
    unsigned (*read_scanlines)(union common *, unsigned char **, unsigned);
    int (*finish_decompress)(union common *);
    void (*destroy_decompress)(union common *);
    void (*create_compress)(union common *, int, size_t);
    void (*mem_dest)(union common *, unsigned char **, unsigned long *);
    void (*set_defaults)(union common *);
    void (*set_quality)(union common *, int, int);
    void (*start_compress)(union common *, int);
    unsigned (*write_scanlines)(union common *, unsigned char **, unsigned);
    void (*finish_compress)(union common *);
    void (*destroy_compress)(union common *);
} lib;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load_libjpeg(void)
{
    static const char *const old[] = {"libjpeg.so.62", "libjpeg.62.dylib", NULL};
    static const char *const new[] = {"libjpeg.so.8", "libjpeg.8.dylib", NULL};
    void *library = cti_io_library(old);
    lib.version = library ? 62 : 80;
    lib.decompress = library ? DECOMPRESS_62 : DECOMPRESS_80;
    lib.compress = library ? COMPRESS_62 : COMPRESS_80;
    if (!library && !(library = cti_io_library(new)))
        return;
    const struct {
        void *target;
        const char *name;
    } names[] = {
        {&lib.create_decompress, "jpeg_CreateDecompress"},
        {&lib.mem_src, "jpeg_mem_src"},
        {&lib.read_header, "jpeg_read_header"},
        {&lib.start_decompress, "jpeg_start_decompress"},
        {&lib.read_scanlines, "jpeg_read_scanlines"},
        {&lib.finish_decompress, "jpeg_finish_decompress"},
        {&lib.destroy_decompress, "jpeg_destroy_decompress"},
        {&lib.create_compress, "jpeg_CreateCompress"},
        {&lib.mem_dest, "jpeg_mem_dest"},
        {&lib.set_defaults, "jpeg_set_defaults"},
        {&lib.set_quality, "jpeg_set_quality"},
        {&lib.start_compress, "jpeg_start_compress"},
        {&lib.write_scanlines, "jpeg_write_scanlines"},
        {&lib.finish_compress, "jpeg_finish_compress"},
        {&lib.destroy_compress, "jpeg_destroy_compress"},
        {&lib.std_error, "jpeg_std_error"}, /* the last: set only if all were found */
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!(*(void **)names[i].target = dlsym(library, names[i].name)))
            return;
    }
}

static bool have_library(void)
{
    pthread_once(&once, load_libjpeg);
    return lib.std_error || ct_fail(CT_ERR_RUNTIME, "JPEG files need libjpeg-turbo (libjpeg.so.62 "
                                                    "or libjpeg.so.8), which was not found");
}

/* error_exit: sets our error and leaves the library's call by longjmp. */
static void jpeg_error_exit(void *object)
{
    union common *c = object;
    char text[256] = "damaged";
    c->error->format(c, text);
    text[sizeof text - 1] = 0;
    ct_fail(CT_ERR_RUNTIME, "Cannot read or write this JPEG file: %s", text);
    longjmp(c->error->back, 1);
}

static void ignore_message(void *object)
{
    (void)object;
}

static void use_errors(union common *c, struct error *error)
{
    c->error = lib.std_error(error);
    error->exit = jpeg_error_exit;
    error->output = ignore_message;
}

/* Decodes to gray or RGB; separate because of setjmp. On failure the caller frees image->pixel. */
static bool jpeg_decode(union common *c, struct cti_image *image, const uint8_t *data,
                        int64_t nbytes, bool gray)
{
    if (setjmp(c->error->back))
        return false;
    lib.create_decompress(c, lib.version, lib.decompress);
    lib.mem_src(c, data, (unsigned long)nbytes);
    lib.read_header(c, 1);
    if (c->of.color == JCS_CMYK || c->of.color == JCS_YCCK)
        c->of.out_color = JCS_CMYK;
    else
        c->of.out_color = gray || c->of.components == 1 ? JCS_GRAYSCALE : JCS_RGB;
    /* A block of 64 pixels takes at least one bit, with arithmetic coding a fraction of it. A
     * larger size in the header means that the file is truncated. */
    if ((uint64_t)c->of.width * c->of.height / 2048 > (uint64_t)nbytes) {
        ct_fail(CT_ERR_RUNTIME, "Cannot read this JPEG file: it is too short for its size");
        return false;
    }
    lib.start_decompress(c);
    int channels = c->of.out_components;
    size_t row = (size_t)c->of.out_width * (size_t)channels;
    *image = (struct cti_image){c->of.out_width,
                                c->of.out_height,
                                channels == 4 ? 3 : channels,
                                1,
                                cti_malloc(row * c->of.out_height),
                                false};
    if (!image->pixel)
        return false;
    for (int64_t y = 0; y < image->height; y++) {
        unsigned char *line = image->pixel + (size_t)y * row;
        lib.read_scanlines(c, &line, 1);
    }
    lib.finish_decompress(c);
    for (size_t i = 0, n = row * (size_t)image->height / 4; channels == 4 && i < n; i++) {
        const uint8_t *p = image->pixel + 4 * i, k = p[3]; /* Adobe's CMYK is inverted */
        const uint8_t rgb[] = {(uint8_t)(p[0] * k / 255), (uint8_t)(p[1] * k / 255),
                               (uint8_t)(p[2] * k / 255)};
        memcpy(image->pixel + 3 * i, rgb, 3);
    }
    return true;
}

bool cti_image_jpeg(struct cti_image *image, const uint8_t *data, int64_t nbytes, bool gray)
{
    if (!have_library())
        return false;
    struct error error = {0};
    union common *c = cti_calloc(1, sizeof *c);
    if (!c)
        return false;
    image->pixel = NULL;
    use_errors(c, &error);
    bool good = jpeg_decode(c, image, data, nbytes, gray);
    if (!setjmp(error.back))
        lib.destroy_decompress(c);
    cti_free(c);
    if (!good) {
        cti_free(image->pixel);
        image->pixel = NULL;
    }
    return good;
}

/* Encodes to *out, malloc'ed by the library; separate because of setjmp. */
static bool jpeg_encode(union common *c, const struct cti_image *image, int quality,
                        unsigned char **out, unsigned long *n)
{
    if (setjmp(c->error->back))
        return false;
    lib.create_compress(c, lib.version, lib.compress);
    lib.mem_dest(c, out, n);
    c->of.width = (unsigned)image->width;
    c->of.height = (unsigned)image->height;
    c->of.components = image->channels;
    c->of.color = image->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    lib.set_defaults(c);
    lib.set_quality(c, quality, 1);
    lib.start_compress(c, 1);
    for (int64_t y = 0; y < image->height; y++) {
        unsigned char *line = image->pixel + y * image->width * image->channels;
        lib.write_scanlines(c, &line, 1);
    }
    lib.finish_compress(c);
    return true;
}

void *cti_image_to_jpeg(const struct cti_image *image, int quality, int64_t *nbytes)
{
    if (image->bytes != 1 || (image->channels != 1 && image->channels != 3))
        return ct_fail(CT_ERR_RUNTIME, "The number of channels should be 1 or 3, got: %d",
                       image->channels);
    if (!have_library())
        return NULL;
    struct error error = {0};
    union common *c = cti_calloc(1, sizeof *c);
    unsigned char *out = NULL;
    unsigned long n = 0;
    if (!c)
        return NULL;
    use_errors(c, &error);
    bool good = jpeg_encode(c, image, quality, &out, &n);
    if (!setjmp(error.back))
        lib.destroy_compress(c);
    cti_free(c);
    if (!good) {
        free(out);
        return NULL;
    }
    *nbytes = (int64_t)n;
    return out;
}
