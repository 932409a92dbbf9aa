/* SPDX-License-Identifier: BSD-3-Clause */
/* PNG files (ISO/IEC 15948). Reads all color types and depths, also interlaced; writes 8 and 16
 * bits. Allocates only what the compressed data can fill, since the header is untrusted. */
#include "corten/archive.h"
#include "io/file.h"
#include "io/image.h"

#include "core/alloc.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
enum { GRAY = 0, RGB = 2, PALETTE = 3, GRAY_ALPHA = 4, RGB_ALPHA = 6 };

struct png {
    int64_t width, height;
    int depth, type, interlaced;
    int samples; /* samples per pixel in the file */
    uint8_t palette[256][4];
    int colors;
    bool transparent;     /* has a tRNS chunk */
    uint16_t clear[3];    /* the transparent color, without a palette */
    struct cti_text data; /* all IDAT */
};

static void *png_bad(const char *what)
{
    return ct_fail(CT_ERR_RUNTIME, "Cannot read this PNG file: %s", what);
}

/* ---- chunks ---- */

static bool read_head(struct png *p, const uint8_t *d, uint32_t n)
{
    static const int samples[] = {1, 0, 3, 1, 2, 0, 4};
    if (n != 13)
        return png_bad("its header is damaged");
    p->width = cti_be32(d);
    p->height = cti_be32(d + 4);
    p->depth = d[8];
    p->type = d[9];
    p->interlaced = d[12];
    bool deep = p->depth == 8 || p->depth == 16;
    bool known = p->type == GRAY ? deep || p->depth == 1 || p->depth == 2 || p->depth == 4
                 : p->type == PALETTE
                     ? p->depth == 8 || p->depth == 1 || p->depth == 2 || p->depth == 4
                     : deep && (p->type == RGB || p->type == GRAY_ALPHA || p->type == RGB_ALPHA);
    if (!known || p->width < 1 || p->height < 1 || p->width > INT32_MAX || p->height > INT32_MAX ||
        d[10] || d[11] || p->interlaced > 1)
        return png_bad("its header is damaged");
    p->samples = samples[p->type];
    return true;
}

static bool read_palette(struct png *p, const uint8_t *d, uint32_t n)
{
    if (n % 3 || n / 3 > 256)
        return png_bad("its palette is damaged");
    p->colors = (int)(n / 3);
    for (int i = 0; i < p->colors; i++) {
        memcpy(p->palette[i], d + 3 * i, 3);
        p->palette[i][3] = 255;
    }
    return true;
}

static void read_transparency(struct png *p, const uint8_t *d, uint32_t n)
{
    p->transparent = true;
    if (p->type == PALETTE) {
        for (uint32_t i = 0; i < n && i < 256; i++)
            p->palette[i][3] = d[i];
    } else {
        for (uint32_t i = 0; i < 3 && 2 * i + 1 < n; i++)
            p->clear[i] = (uint16_t)(d[2 * i] << 8 | d[2 * i + 1]);
    }
}

static bool read_chunks(struct png *p, const uint8_t *d, int64_t nbytes)
{
    const uint8_t *end = d + nbytes;
    bool first = true;
    for (d += 8; end - d >= 12;) {
        uint32_t n = cti_be32(d);
        const uint8_t *type = d + 4, *body = d + 8;
        if (n > (uint64_t)(end - d - 12))
            break;
        if (ct_crc32(0, type, (int64_t)n + 4) != cti_be32(body + n))
            return png_bad("a checksum is wrong");
        if (first != (memcmp(type, "IHDR", 4) == 0))
            return png_bad("its header is damaged");
        bool good = true;
        if (first)
            good = read_head(p, body, n);
        else if (memcmp(type, "PLTE", 4) == 0)
            good = read_palette(p, body, n);
        else if (memcmp(type, "tRNS", 4) == 0)
            read_transparency(p, body, n);
        else if (memcmp(type, "IDAT", 4) == 0)
            cti_text_add_n(&p->data, (const char *)body, n);
        else if (memcmp(type, "IEND", 4) == 0)
            return !p->data.failed;
        if (!good)
            return false;
        first = false;
        d = body + n + 4;
    }
    return png_bad("it ends too early");
}

/* ---- rows ---- */

static uint8_t paeth(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return (uint8_t)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

/* Reverses the filter of a row of n bytes; `up` is the row above or NULL, `bpp` the bytes of a
 * pixel. */
static bool unfilter(int filter, uint8_t *row, const uint8_t *up, int64_t n, int64_t bpp)
{
    switch (filter) {
    case 0:
        return true;
    case 1:
        for (int64_t i = bpp; i < n; i++)
            row[i] = (uint8_t)(row[i] + row[i - bpp]);
        return true;
    case 2:
        for (int64_t i = 0; up && i < n; i++)
            row[i] = (uint8_t)(row[i] + up[i]);
        return true;
    case 3:
        for (int64_t i = 0; i < n; i++)
            row[i] = (uint8_t)(row[i] + ((i >= bpp ? row[i - bpp] : 0) + (up ? up[i] : 0)) / 2);
        return true;
    case 4:
        for (int64_t i = 0; i < n; i++)
            row[i] = (uint8_t)(row[i] + paeth(i >= bpp ? row[i - bpp] : 0, up ? up[i] : 0,
                                              i >= bpp && up ? up[i - bpp] : 0));
        return true;
    default:
        return png_bad("a row has an unknown filter");
    }
}

/* Sample k of pixel x in a row of the file. */
static int png_sample(const struct png *p, const uint8_t *row, int64_t x, int k)
{
    int64_t i = x * p->samples + k;
    if (p->depth == 16)
        return row[2 * i] << 8 | row[2 * i + 1];
    if (p->depth == 8)
        return row[i];
    int64_t bit = i * p->depth;
    return row[bit / 8] >> (8 - p->depth - bit % 8) & ((1 << p->depth) - 1);
}

/* Stores channel k of pixel `at`. */
static void put_sample(const struct cti_image *image, int64_t at, int k, int value)
{
    if (image->bytes == 2)
        ((uint16_t *)(void *)image->pixel)[at * image->channels + k] = (uint16_t)value;
    else
        image->pixel[at * image->channels + k] = (uint8_t)value;
}

/* Converts a pixel of the file to the image. */
static void put_pixel(const struct png *p, const struct cti_image *image, int64_t at,
                      const uint8_t *row, int64_t x)
{
    if (p->type == PALETTE) {
        const uint8_t *color = p->palette[png_sample(p, row, x, 0) & 255];
        for (int k = 0; k < image->channels; k++)
            put_sample(image, at, k, color[k]);
        return;
    }
    bool clear = p->transparent;
    for (int k = 0; k < p->samples; k++) {
        int v = png_sample(p, row, x, k);
        clear = clear && k < 3 && v == p->clear[k];
        put_sample(image, at, k, p->depth < 8 ? v * 255 / ((1 << p->depth) - 1) : v);
    }
    if (image->channels > p->samples)
        put_sample(image, at, p->samples, clear ? 0 : image->bytes == 2 ? 65535 : 255);
}

/* The seven passes of an interlaced image; otherwise one pass of all pixels. */
static const struct pass {
    uint8_t x, y, dx, dy;
} passes[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
              {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}},
  single_pass = {0, 0, 1, 1};

static int64_t pass_width(const struct png *p, const struct pass *s)
{
    return (p->width - s->x + s->dx - 1) / s->dx;
}

static int64_t pass_bytes(const struct png *p, const struct pass *s)
{
    int64_t w = pass_width(p, s), h = (p->height - s->y + s->dy - 1) / s->dy;
    return w > 0 && h > 0 ? (1 + (w * p->samples * p->depth + 7) / 8) * h : 0;
}

/* Reads the rows of one interlace pass; *at advances in the inflated data. */
static bool read_pass(const struct png *p, const struct cti_image *image, const struct pass *s,
                      uint8_t **at)
{
    int64_t w = pass_width(p, s), n = (w * p->samples * p->depth + 7) / 8;
    int64_t bpp = (p->samples * p->depth + 7) / 8;
    const uint8_t *up = NULL;
    if (pass_bytes(p, s) == 0)
        return true;
    for (int64_t y = s->y; y < p->height; y += s->dy) {
        uint8_t *row = *at + 1;
        if (!unfilter((*at)[0], row, up, n, bpp))
            return false;
        if (s == &single_pass && p->depth == 8 && image->channels == p->samples &&
            p->type != PALETTE) {
            memcpy(image->pixel + y * n, row, (size_t)n);
        } else {
            for (int64_t x = 0; x < w; x++)
                put_pixel(p, image, y * p->width + s->x + x * s->dx, row, x);
        }
        up = row;
        *at += n + 1;
    }
    return true;
}

static bool read_pixels(const struct png *p, struct cti_image *image)
{
    const struct pass *list = p->interlaced ? passes : &single_pass;
    int count = p->interlaced ? 7 : 1;
    int64_t need = 0;
    /* a deflated byte expands to at most 1032 bytes of at most 8 pixels each */
    if (p->width * p->height / (1032 * 8) > (int64_t)p->data.n)
        return png_bad("it ends too early");
    for (int i = 0; i < count; i++)
        need += pass_bytes(p, &list[i]);
    if (need / 1032 > (int64_t)p->data.n)
        return png_bad("it ends too early");
    *image =
        (struct cti_image){p->width, p->height, p->samples, p->depth == 16 ? 2 : 1, NULL, false};
    if (p->type == PALETTE)
        image->channels = p->transparent ? 4 : 3;
    else if (p->transparent && (p->type == GRAY || p->type == RGB)) {
        image->channels++;
        image->keyed = true;
    }
    uint8_t *raw = cti_malloc((size_t)need), *at = raw;
    image->pixel =
        raw ? cti_malloc((size_t)(p->width * p->height * image->channels * image->bytes)) : NULL;
    bool good = image->pixel != NULL;
    if (good) {
        int64_t n = ct_inflate(p->data.v, (int64_t)p->data.n, raw, need, 15);
        good = n == need || (n >= 0 && png_bad("it ends too early"));
    }
    for (int i = 0; good && i < count; i++)
        good = read_pass(p, image, &list[i], &at);
    cti_free(raw);
    if (!good) {
        cti_free(image->pixel);
        image->pixel = NULL;
    }
    return good;
}

bool cti_image_png(struct cti_image *image, const uint8_t *data, int64_t nbytes)
{
    struct png *p = cti_calloc(1, sizeof *p);
    if (!p)
        return false;
    bool good = nbytes > 8 && memcmp(data, signature, 8) == 0
                    ? read_chunks(p, data, nbytes)
                    : (bool)png_bad("its signature is damaged");
    if (good && p->data.n == 0)
        good = png_bad("it has no image data");
    good = good && read_pixels(p, image);
    cti_text_free(&p->data);
    cti_free(p);
    return good;
}

/* ---- writing ---- */

static void put_be32(char *p, uint32_t value)
{
    cti_put_le(p, __builtin_bswap32(value), 4);
}

/* Appends a chunk: length, type, data, checksum. */
static void add_chunk(struct cti_text *out, const char *type, const void *data, size_t n)
{
    char number[4];
    put_be32(number, (uint32_t)n);
    cti_text_add_n(out, number, 4);
    cti_text_add_n(out, type, 4);
    if (n)
        cti_text_add_n(out, data, n);
    uint32_t crc = ct_crc32(ct_crc32(0, type, 4), data, (int64_t)n);
    put_be32(number, crc);
    cti_text_add_n(out, number, 4);
}

/* Applies the filter "sub" to every row: cheap, and for most images nearly as good as choosing a
 * filter for each row. */
static uint8_t *filtered(const struct cti_image *image, int64_t row)
{
    int64_t bpp = image->channels * image->bytes;
    uint8_t *raw = cti_malloc((size_t)((row + 1) * image->height + 1));
    for (int64_t y = 0; raw && y < image->height; y++) {
        const uint8_t *src = image->pixel + y * row;
        uint8_t *dst = raw + y * (row + 1);
        *dst++ = 1;
        for (int64_t i = 0; i < row; i++) { /* 16-bit samples are big-endian in the file */
            int64_t at = image->bytes == 2 ? i ^ 1 : i;
            dst[i] = (uint8_t)(src[at] - (i >= bpp ? src[at - bpp] : 0));
        }
    }
    return raw;
}

void *cti_image_to_png(const struct cti_image *image, int level, int64_t *nbytes)
{
    static const char types[] = {GRAY, GRAY, GRAY_ALPHA, RGB, RGB_ALPHA};
    int64_t row = image->width * image->channels * image->bytes, n;
    uint8_t *raw = filtered(image, row);
    void *packed = raw ? ct_deflate(raw, (row + 1) * image->height, 15, level, &n) : NULL;
    cti_free(raw);
    if (!packed)
        return NULL;
    char head[13] = {0};
    put_be32(head, (uint32_t)image->width);
    put_be32(head + 4, (uint32_t)image->height);
    head[8] = (char)(8 * image->bytes);
    head[9] = types[image->channels];
    struct cti_text out = {0};
    cti_text_add_n(&out, (const char *)signature, 8);
    add_chunk(&out, "IHDR", head, 13);
    for (int64_t at = 0; at < n || at == 0; at += 1 << 30)
        add_chunk(&out, "IDAT", (char *)packed + at, (size_t)(n - at < 1 << 30 ? n - at : 1 << 30));
    add_chunk(&out, "IEND", NULL, 0);
    cti_free(packed);
    *nbytes = (int64_t)out.n;
    return cti_text_take(&out);
}
