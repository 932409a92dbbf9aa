/* SPDX-License-Identifier: BSD-3-Clause */
/* Images between the codecs and image.c: rows of pixels with interleaved channels. Tensors have one
 * plane per channel; image.c converts. */
#ifndef CORTEN_IO_IMAGE_H
#define CORTEN_IO_IMAGE_H

#include "corten/io.h"

struct cti_image {
    int64_t width, height;
    int channels;   /* 1: gray, 2: gray and alpha, 3: RGB, 4: RGB and alpha */
    int bytes;      /* bytes of a sample: 1 or 2 */
    uint8_t *pixel; /* malloc'ed; 16-bit samples in native byte order */
    bool keyed;     /* alpha was made from a transparent color (tRNS) */
};

/* Decode a file into *image. False with an error; then nothing has to be freed. */
bool cti_image_png(struct cti_image *image, const uint8_t *data, int64_t nbytes);
bool cti_image_jpeg(struct cti_image *image, const uint8_t *data, int64_t nbytes, bool gray);
bool cti_image_ppm(struct cti_image *image, const uint8_t *data, int64_t nbytes);

/* Encode an image: malloc'ed bytes of a file, or NULL with an error. */
void *cti_image_to_png(const struct cti_image *image, int level, int64_t *nbytes);
void *cti_image_to_jpeg(const struct cti_image *image, int quality, int64_t *nbytes);
void *cti_image_to_ppm(const struct cti_image *image, int64_t *nbytes);

/* Writes a uint8 tensor (channels, rows, columns); the file extension selects the format. */
bool cti_image_write(ct_tensor *x, const char *path);

#endif
