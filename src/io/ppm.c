/* SPDX-License-Identifier: BSD-3-Clause */
/* PPM and PGM images: a header of numbers in text, then samples as text (P2, P3) or bytes (P5,
 * P6). */
#include "io/image.h"

#include "core/alloc.h"
#include "core/text.h"

#include <string.h>

struct reader {
    const uint8_t *at, *end;
};

/* Reads a number after blanks and comments; -1 if there is none. */
static int64_t ppm_number(struct reader *r)
{
    while (r->at < r->end && (*r->at <= ' ' || *r->at == '#')) {
        if (*r->at++ == '#') {
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        }
    }
    int64_t value = -1;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && value < 1 << 28; r->at++)
        value = (value < 0 ? 0 : value * 10) + (*r->at - '0');
    return value;
}

static bool ppm_bad(void)
{
    return ct_fail(CT_ERR_RUNTIME, "Cannot read this PPM file: it is damaged");
}

bool cti_image_ppm(struct cti_image *image, const uint8_t *data, int64_t nbytes)
{
    struct reader r = {data + 2, data + nbytes};
    int kind = nbytes > 2 ? data[1] - '0' : 0;
    if (nbytes < 3 || data[0] != 'P' || (kind != 2 && kind != 3 && kind != 5 && kind != 6))
        return ppm_bad();
    int64_t width = ppm_number(&r), height = ppm_number(&r), max_value = ppm_number(&r);
    int channels = kind == 3 || kind == 6 ? 3 : 1;
    bool text = kind < 5;
    int bytes = max_value > 255 ? 2 : 1;
    if (width < 1 || height < 1 || max_value < 1 || max_value > 65535 || width > nbytes / height)
        return ppm_bad(); /* a sample takes at least one byte */
    int64_t count = width * height * channels;
    if (!text)
        r.at++; /* a single blank precedes the samples */
    if (count > (r.end - r.at) / (text ? 1 : bytes))
        return ppm_bad();
    *image = (struct cti_image){width, height, channels, bytes, cti_malloc((size_t)(count * bytes)),
                                false};
    if (!image->pixel)
        return false;
    for (int64_t i = 0; i < count; i++) {
        int64_t value = text         ? ppm_number(&r)
                        : bytes == 2 ? r.at[2 * i] << 8 | r.at[2 * i + 1]
                                     : r.at[i];
        if (value < 0 || value > max_value) {
            cti_free(image->pixel);
            image->pixel = NULL;
            return ppm_bad();
        }
        if (bytes == 2)
            ((uint16_t *)(void *)image->pixel)[i] = (uint16_t)value;
        else
            image->pixel[i] = (uint8_t)value;
    }
    return true;
}

void *cti_image_to_ppm(const struct cti_image *image, int64_t *nbytes)
{
    if (image->channels != 1 && image->channels != 3)
        return ct_fail(CT_ERR_RUNTIME, "a PPM file has 1 or 3 channels, not %d", image->channels);
    struct cti_text out = {0};
    int64_t count = image->width * image->height * image->channels;
    cti_text_printf(&out, "P%d\n%lld %lld\n%d\n", image->channels == 3 ? 6 : 5,
                    (long long)image->width, (long long)image->height,
                    image->bytes == 2 ? 65535 : 255);
    if (image->bytes == 1) {
        cti_text_add_n(&out, (const char *)image->pixel, (size_t)count);
    } else {
        for (int64_t i = 0; i < count; i++)
            cti_text_add_n(
                &out, (const char[]){(char)image->pixel[2 * i + 1], (char)image->pixel[2 * i]}, 2);
    }
    *nbytes = (int64_t)out.n;
    return cti_text_take(&out);
}
