/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: tensors and dicts of tensors (.pt, .npy, .npz, .safetensors), text tables of numbers, and
 * images. The file extension selects the format. A file appears under its name only when it has
 * been written completely. Results join the innermost scope; false and NULL mean failure. */
#ifndef CORTEN_IO_H
#define CORTEN_IO_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "corten/macros.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *name;
    ct_tensor *tensor;
} ct_named;

/* A dict of n tensors with names. n == -1: v is terminated by a NULL name. v == NULL, as a result:
 * the call failed. */
typedef struct {
    const ct_named *v;
    int64_t n;
} ct_dict;

#ifdef __cplusplus
#define CT_NO_DICT (ct_dict{NULL, 0})
#else
#define CT_NO_DICT ((ct_dict){NULL, 0})
/* A dict literal: CT_DICT({ "weight", w }, { "bias", b }) */
#define CT_DICT(...) ((ct_dict){(const ct_named[]){__VA_ARGS__ __VA_OPT__(, ){NULL, NULL}}, -1})
/* ct_save(x, "x.pt"), ct_save(CT_DICT(...), "net.pt") */
#define ct_save(...) CT_SAVE(CT_ID(ct_k), __VA_ARGS__)
#define CT_SAVE(k, x, path)                                                                        \
    (__extension__({                                                                               \
        __auto_type k = (x);                                                                       \
        CT_LOCATED(CT_CAT(k, _r), "ct_save",                                                       \
                   _Generic(k, ct_tensor *                                                         \
                            : ct_save_tensor, ct_dict                                              \
                            : ct_save_dict)(k, path))                                              \
    }))
#endif

CT_API bool ct_save_tensor(ct_tensor *t, const char *path);
CT_API bool ct_save_dict(ct_dict dict, const char *path);
/* The tensor of a file that holds one tensor: .pt or .npy. */
CT_API ct_tensor *ct_load(const char *path);
/* The tensors of a .pt, .npz or .safetensors file, in the order of the file. The names in nested
 * dicts of a .pt file are joined by dots. */
CT_API ct_dict ct_load_dict(const char *path);
CT_API ct_tensor *ct_get(ct_dict dict, const char *name); /* borrowed; KeyError: not in it */

/* The same for bindings, with the format by its name: "pt", "npy", "npz" or "safetensors". They
 * read a file into a dict, write a dict to a sink (archive.h), and read a .npy file in memory
 * (owned). metadata: NULL, or for safetensors a JSON object whose values are strings. */
struct ct_sink;
CT_API ct_dict ct_load_dict_as(const char *path, const char *format);
CT_API bool ct_save_dict_as(ct_dict dict, struct ct_sink *sink, const char *format,
                            const char *metadata, bool compress);
CT_API ct_tensor *ct_own_read_npy(const void *data, int64_t nbytes);

/* ct_loadtxt(path, .delimiter = ","): reads a text file with one row of numbers per line, as
 * NumPy's loadtxt does. The result is a matrix, or a vector if there is only one row or one column.
 */
struct ct_loadtxt_args {
    size_t struct_size;
    enum ct_dtype dtype;   /* of the result */
    const char *delimiter; /* between numbers; NULL: whitespace */
    const char *comment;   /* this and the rest of its line are ignored */
    int64_t skiprows;      /* lines to skip at the start */
};
#define ct_loadtxt_defaults                                                                        \
    {                                                                                              \
        .struct_size = sizeof(struct ct_loadtxt_args), .dtype = CT_FLOAT64, .delimiter = NULL,     \
        .comment = "#", .skiprows = 0                                                              \
    }
CT_API ct_tensor *ct_loadtxt_ex(const char *path, const struct ct_loadtxt_args *args);

/* ---- images: tensors [channels, height, width] ---- */

/* ct_make_grid(x, .nrow = 4): arranges the images of a batch (B, C, H, W) in a grid, as one image.
 * x may also be one image (C, H, W) or (H, W). */
struct ct_make_grid_args {
    size_t struct_size;
    int64_t nrow, padding; /* images in a row; pixels between images */
    bool normalize;        /* maps [low, high] to [0, 1] */
    bool scale_each;       /* ... for each image separately */
    double low, high;      /* CT_NO_NUMBER: the minimum and the maximum */
    double pad_value;      /* of the pixels between images */
};
#define ct_make_grid_defaults                                                                      \
    {                                                                                              \
        .struct_size = sizeof(struct ct_make_grid_args), .nrow = 8, .padding = 2,                  \
        .normalize = false, .scale_each = false, .low = CT_NO_NUMBER, .high = CT_NO_NUMBER,        \
        .pad_value = 0                                                                             \
    }
CT_API ct_tensor *ct_make_grid_ex(ct_tensor *x, const struct ct_make_grid_args *args);
/* ct_save_image(x, "out.png"): writes the grid of a batch with values in [0, 1] as a .png, .jpg or
 * .ppm file. */
CT_API bool ct_save_image_ex(ct_tensor *x, const char *path, const struct ct_make_grid_args *args);
#define ct_save_image_defaults ct_make_grid_defaults

enum ct_image_mode { /* which channels to return, as torchvision's ImageReadMode */
                     CT_IMAGE_UNCHANGED,
                     CT_IMAGE_GRAY,
                     CT_IMAGE_GRAY_ALPHA,
                     CT_IMAGE_RGB,
                     CT_IMAGE_RGB_ALPHA
};
struct ct_read_image_args {
    size_t struct_size;
    enum ct_image_mode mode;
};
#define ct_read_image_defaults                                                                     \
    {                                                                                              \
        .struct_size = sizeof(struct ct_read_image_args), .mode = CT_IMAGE_UNCHANGED               \
    }
/* Reads a PNG, JPEG or PPM image as a tensor [channels, height, width] of uint8 (uint16 for PNG
 * files with 16 bits). The contents decide the format, not the name. ct_decode_image reads it from
 * a tensor of bytes. */
CT_API ct_tensor *ct_read_image_ex(const char *path, const struct ct_read_image_args *args);
CT_API ct_tensor *ct_decode_image(ct_tensor *bytes, enum ct_image_mode mode);

/* Write an image of uint8 to a file, or return the file as a tensor of bytes (ct_encode_*).
 * compression_level: 0 to 9; quality: 1 to 100. */
struct ct_write_png_args {
    size_t struct_size;
    int64_t compression_level;
};
#define ct_write_png_defaults                                                                      \
    {                                                                                              \
        .struct_size = sizeof(struct ct_write_png_args), .compression_level = 6                    \
    }
CT_API bool ct_write_png_ex(ct_tensor *x, const char *path, const struct ct_write_png_args *args);
CT_API ct_tensor *ct_encode_png(ct_tensor *x, int64_t compression_level);
CT_API ct_tensor *ct_encode_jpeg(ct_tensor *x, int64_t quality);
CT_API bool ct_write_jpeg(ct_tensor *x, const char *path, int64_t quality);

#ifndef __cplusplus
#define ct_load(path) CT_CALL_A_P(CT_ID(ct_k), ct_load, path)
#define ct_load_dict(path) CT_CALL_A_P(CT_ID(ct_k), ct_load_dict, path)
#define ct_get(dict, name) CT_CALL_AA_P(CT_ID(ct_k), ct_get, dict, name)
#define ct_write_jpeg(x, path, quality) CT_CALL_AAA_P(CT_ID(ct_k), ct_write_jpeg, x, path, quality)
#define ct_loadtxt(...) CT_CALL_A_K(CT_ID(ct_k), ct_loadtxt, __VA_ARGS__)
#define ct_make_grid(...) CT_CALL_A_K(CT_ID(ct_k), ct_make_grid, __VA_ARGS__)
#define ct_save_image(...) CT_SAVE_IMAGE(CT_ID(ct_k), __VA_ARGS__)
#define CT_SAVE_IMAGE(k, x, path, ...)                                                             \
    (__extension__({                                                                               \
        ct_tensor *CT_CAT(k, _0) = (x);                                                            \
        const char *CT_CAT(k, _1) = (path);                                                        \
        struct ct_make_grid_args k = ct_make_grid_defaults;                                        \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__)                                               \
        CT_LOCATED(CT_CAT(k, _r), "ct_save_image",                                                 \
                   ct_save_image_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k))                             \
    }))
#define ct_read_image(...) CT_CALL_A_K(CT_ID(ct_k), ct_read_image, __VA_ARGS__)
#define ct_write_png(...) CT_CALL_AA_K(CT_ID(ct_k), ct_write_png, __VA_ARGS__)
#endif

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
