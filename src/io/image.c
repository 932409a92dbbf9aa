/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts between images and tensors (interleaved pixels and planes of channels), converts color
 * modes, and selects the format, by the contents when reading and by the file extension when
 * writing. */
#include "io/image.h"
#include "core/check_args.h"

#include "corten/archive.h"
#include "io/file.h"
#include "io/formats.h"

#include "core/alloc.h"
#include "core/backend.h"
#include "corten/own.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- reading ---- */

/* Decodes a file by its signature. */
static bool decode(struct cti_image *image, const uint8_t *data, int64_t n, enum ct_image_mode mode)
{
    if (n > 8 && memcmp(data, "\x89PNG", 4) == 0)
        return cti_image_png(image, data, n);
    if (n > 3 && memcmp(data, "\xff\xd8\xff", 3) == 0)
        return cti_image_jpeg(image, data, n, mode == CT_IMAGE_GRAY);
    if (n > 2 && data[0] == 'P')
        return cti_image_ppm(image, data, n);
    return ct_fail(CT_ERR_RUNTIME, "Unsupported image file. Only jpeg, png and ppm are supported.");
}

static unsigned image_sample(const struct cti_image *image, int64_t pixel, int channel)
{
    int64_t i = pixel * image->channels + channel;
    return image->bytes == 2 ? ((const uint16_t *)(const void *)image->pixel)[i] : image->pixel[i];
}

/* Channel k of a pixel in another color mode. Gray as in libpng: weights in units of 1/32768,
 * truncated for 8 bits and rounded for 16 bits. */
static unsigned converted(const struct cti_image *image, int64_t pixel, int k, int channels)
{
    bool color = image->channels >= 3, alpha = image->channels % 2 == 0;
    bool wants_alpha = channels % 2 == 0;
    if (wants_alpha && k == channels - 1)
        return alpha               ? image_sample(image, pixel, image->channels - 1)
               : image->bytes == 2 ? 65535
                                   : 255;
    if (channels >= 3)
        return image_sample(image, pixel, color ? k : 0);
    if (!color)
        return image_sample(image, pixel, 0);
    return (unsigned)(((uint64_t)image_sample(image, pixel, 0) * 9794 +
                       (uint64_t)image_sample(image, pixel, 1) * 19234 +
                       (uint64_t)image_sample(image, pixel, 2) * 3740 +
                       (image->bytes == 2 ? 16384u : 0u)) >>
                      15);
}

static ct_tensor *image_tensor(const struct cti_image *image, enum ct_image_mode mode)
{
    int channels = mode == CT_IMAGE_UNCHANGED ? image->channels - image->keyed : (int)mode;
    int64_t shape[] = {channels, image->height, image->width}, n = image->height * image->width;
    enum ct_dtype dtype = image->bytes == 2 ? CT_UINT16 : CT_UINT8;
    ct_storage *s = ct_storage_create(n * channels * image->bytes, (struct ct_device){CT_CPU, -1});
    ct_tensor *t = s ? ct_own_from_storage(s, dtype, ct_ints_of(shape, 3), CT_NO_DIMS, 0) : NULL;
    ct_storage_release(s);
    if (!t)
        return NULL;
    uint8_t *dst = ct_data(t);
    bool same = channels == image->channels;
    for (int k = 0; k < channels; k++) {
        if (same && image->bytes == 1) {
            for (int64_t i = 0; i < n; i++)
                dst[k * n + i] = image->pixel[i * channels + k];
        } else {
            for (int64_t i = 0; i < n; i++) {
                unsigned v = same ? image_sample(image, i, k) : converted(image, i, k, channels);
                if (image->bytes == 2)
                    ((uint16_t *)(void *)dst)[k * n + i] = (uint16_t)v;
                else
                    dst[k * n + i] = (uint8_t)v;
            }
        }
    }
    return t;
}

static ct_tensor *decoded(const void *data, int64_t nbytes, enum ct_image_mode mode)
{
    struct cti_image image;
    if (mode < CT_IMAGE_UNCHANGED || mode > CT_IMAGE_RGB_ALPHA)
        return ct_fail(CT_ERR_VALUE, "unknown image mode");
    if (!decode(&image, data, nbytes, mode))
        return NULL;
    ct_tensor *t = image_tensor(&image, mode);
    cti_free(image.pixel);
    return t;
}

ct_tensor *ct_read_image_ex(const char *path, const struct ct_read_image_args *args)
{
    struct cti_map map;
    if (!cti_io_map(&map, path))
        return NULL;
    ct_tensor *t = decoded(map.data, map.nbytes, args ? args->mode : CT_IMAGE_UNCHANGED);
    cti_io_unmap(&map);
    return ct_scoped(t);
}

ct_tensor *ct_decode_image(ct_tensor *bytes, enum ct_image_mode mode)
{
    if (!cti_check_pointer(bytes, "ct_decode_image", "bytes"))
        return NULL;
    if (ct_dtype(bytes) != CT_UINT8 || ct_ndim(bytes) != 1)
        return ct_fail(CT_ERR_RUNTIME, "Expected a non empty 1-dimensional tensor of uint8");
    ct_tensor *plain = cti_plain(bytes, true);
    ct_tensor *t = plain ? decoded(ct_data(plain), ct_numel(plain), mode) : NULL;
    ct_release(plain);
    return ct_scoped(t);
}

/* ---- writing ---- */

/* Converts a tensor (channels, rows, columns) to pixels; false with an error. */
static bool image_of(struct cti_image *image, ct_tensor *x)
{
    if (ct_ndim(x) != 3 || ct_size(x, 0) < 1 || ct_size(x, 0) > 4)
        return ct_fail(CT_ERR_RUNTIME, "Input data should be a 3-dimensional tensor of 1 to 4 "
                                       "channels");
    enum ct_dtype dtype = ct_dtype(x);
    if (dtype != CT_UINT8 && dtype != CT_UINT16)
        return ct_fail(CT_ERR_RUNTIME, "Input tensor dtype should be uint8");
    if (ct_numel(x) == 0)
        return ct_fail(CT_ERR_RUNTIME, "Input data should not be empty");
    ct_tensor *plain = cti_plain(x, true);
    if (!plain)
        return false;
    *image = (struct cti_image){
        ct_size(x, 2), ct_size(x, 1), (int)ct_size(x, 0), dtype == CT_UINT16 ? 2 : 1, NULL, false};
    int64_t n = image->width * image->height;
    int channels = image->channels;
    image->pixel = cti_malloc((size_t)(n * channels * image->bytes));
    const uint8_t *src = ct_data(plain);
    for (int k = 0; image->pixel && k < channels; k++) {
        for (int64_t i = 0; i < n; i++)
            memcpy(image->pixel + (i * channels + k) * image->bytes,
                   src + (k * n + i) * image->bytes, (size_t)image->bytes);
    }
    ct_release(plain);
    return image->pixel;
}

enum format { PNG, JPEG, PPM };

/* Encodes a tensor: malloc'ed bytes of a file, or NULL with an error. level: PNG's compression
 * level or JPEG's quality. */
static void *encode(ct_tensor *x, enum format format, int64_t level, int64_t *nbytes)
{
    struct cti_image image;
    if (!x || !image_of(&image, x))
        return NULL;
    void *data = format == PNG    ? cti_image_to_png(&image, (int)level, nbytes)
                 : format == JPEG ? cti_image_to_jpeg(&image, (int)level, nbytes)
                                  : cti_image_to_ppm(&image, nbytes);
    cti_free(image.pixel);
    return data;
}

static bool check_level(enum format format, int64_t level)
{
    if (format == PNG && (level < 0 || level > 9))
        return ct_fail(CT_ERR_RUNTIME, "Compression level should be between 0 and 9");
    if (format == JPEG && (level < 1 || level > 100))
        return ct_fail(CT_ERR_RUNTIME, "Image quality should be a positive number between 1 and "
                                       "100");
    return true;
}

/* Encodes a tensor and writes the file. */
static bool write_file(ct_tensor *x, const char *path, enum format format, int64_t level)
{
    int64_t n;
    if (!check_level(format, level))
        return false;
    void *data = encode(x, format, level, &n);
    ct_sink *sink = data ? ct_sink_file(path) : NULL;
    bool good = sink && ct_sink_close(sink, ct_sink_write(sink, data, n));
    free(data);
    return good;
}

static ct_tensor *bytes_tensor(ct_tensor *x, enum format format, int64_t level)
{
    int64_t n;
    void *data = check_level(format, level) ? encode(x, format, level, &n) : NULL;
    ct_storage *s = data ? ct_storage_create(n, (struct ct_device){CT_CPU, -1}) : NULL;
    if (s)
        memcpy(ct_storage_data(s), data, (size_t)n);
    ct_tensor *t = s ? ct_own_from_storage(s, CT_UINT8, ct_ints_of(&n, 1), CT_NO_DIMS, 0) : NULL;
    ct_storage_release(s);
    free(data);
    return ct_scoped(t);
}

bool ct_write_png_ex(ct_tensor *x, const char *path, const struct ct_write_png_args *args)
{
    if (!cti_check_pointer(x, "ct_write_png", "x"))
        return false;
    return write_file(x, path, PNG, args ? args->compression_level : 6);
}

bool(ct_write_jpeg)(ct_tensor *x, const char *path, int64_t quality)
{
    return cti_check_pointer(x, "ct_write_jpeg", "x") && write_file(x, path, JPEG, quality);
}

ct_tensor *ct_encode_png(ct_tensor *x, int64_t compression_level)
{
    if (!cti_check_pointer(x, "ct_encode_png", "x"))
        return NULL;
    return bytes_tensor(x, PNG, compression_level);
}

ct_tensor *ct_encode_jpeg(ct_tensor *x, int64_t quality)
{
    return cti_check_pointer(x, "ct_encode_jpeg", "x") ? bytes_tensor(x, JPEG, quality) : NULL;
}

bool cti_image_write(ct_tensor *x, const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && (strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0))
        return write_file(x, path, JPEG, 75);
    if (dot && (strcasecmp(dot, ".ppm") == 0 || strcasecmp(dot, ".pgm") == 0))
        return write_file(x, path, PPM, 0);
    if (dot && strcasecmp(dot, ".png") == 0)
        return write_file(x, path, PNG, 6);
    return ct_fail(CT_ERR_VALUE, "unknown file extension: %s", dot ? dot : "");
}
