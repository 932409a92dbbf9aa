/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures in this room: rows of pixels, channels side by side, as files hold them. Tensors have
 * whole planes; image.c turns one into the other. */
#ifndef CORTEN_IO_IMAGE_H
#define CORTEN_IO_IMAGE_H

#include "corten/io.h"

struct cti_image {
    int64_t width, height;
    int channels;   /* 1: gray, 2: gray and alpha, 3: RGB, 4: RGB and alpha */
    int bytes;      /* of a sample: 1 or 2 */
    uint8_t *pixel; /* malloc'ed; samples of two bytes are in the machine's order */
    bool keyed;     /* its alpha says where a color stood that is to be seen through */
};

/* Each fills the struct; false: an error is set, nothing is kept. */
bool cti_image_png(struct cti_image *image, const uint8_t *data, int64_t nbytes);
bool cti_image_jpeg(struct cti_image *image, const uint8_t *data, int64_t nbytes, bool gray);
bool cti_image_ppm(struct cti_image *image, const uint8_t *data, int64_t nbytes);

/* Bytes of a file (malloc'ed), or NULL. */
void *cti_image_to_png(const struct cti_image *image, int level, int64_t *nbytes);
void *cti_image_to_jpeg(const struct cti_image *image, int quality, int64_t *nbytes);
void *cti_image_to_ppm(const struct cti_image *image, int64_t *nbytes);

/* A tensor of uint8 (channels, rows, columns) as a file whose name's ending tells the format. */
bool cti_image_write(ct_tensor *x, const char *path);

#endif
