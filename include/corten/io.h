/* SPDX-License-Identifier: BSD-3-Clause */
/* Files: tensors and dicts of them (.pt, .npy, .npz, .safetensors), tables of numbers, pictures.
 * The name's ending chooses the format. A file that is saved appears whole or not at all. */
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

/* n == -1: v ends with a name that is NULL. v == NULL: the call that returned it failed. */
typedef struct {
    const ct_named *v;
    int64_t n;
} ct_dict;

#ifdef __cplusplus
#define CT_NO_DICT (ct_dict{NULL, 0})
#else
#define CT_NO_DICT ((ct_dict){NULL, 0})
/* CT_DICT({ "weight", w }, { "bias", b }) */
#define CT_DICT(...) ((ct_dict){(const ct_named[]){__VA_ARGS__ __VA_OPT__(, ){NULL, NULL}}, -1})
/* ct_save(x, "x.pt"), ct_save(CT_DICT(...), "net.pt") */
#define ct_save(...) CT_SAVE(CT_ID(ct_k), __VA_ARGS__)
#define CT_SAVE(k, x, path)                                                                        \
    (__extension__({                                                                               \
        __auto_type k = (x);                                                                       \
        CT_PLACED(CT_CAT(k, _r), "ct_save",                                                        \
                  _Generic(k, ct_tensor *                                                          \
                           : ct_save_tensor, ct_dict                                               \
                           : ct_save_dict)(k, path))                                               \
    }))
#endif

CT_API bool ct_save_tensor(ct_tensor *t, const char *path);
CT_API bool ct_save_dict(ct_dict dict, const char *path);
/* A file with one tensor: .pt, .npy. */
CT_API ct_tensor *ct_load(const char *path);
/* A file with several, in its order: .pt (names of inner dicts are joined by dots), .npz,
 * .safetensors. */
CT_API ct_dict ct_load_dict(const char *path);
CT_API ct_tensor *ct_get(ct_dict dict, const char *name); /* borrowed; KeyError */

/* For bindings: a format by its name ("pt", "npy", "npz", "safetensors"), a sink, an owned result.
 * metadata: JSON of a dict of texts for safetensors, or NULL. */
struct ct_sink;
CT_API ct_dict ct_load_dict_as(const char *path, const char *format);
CT_API bool ct_save_dict_as(ct_dict dict, struct ct_sink *sink, const char *format,
                            const char *metadata, bool compress);
CT_API ct_tensor *ct_own_read_npy(const void *data, int64_t nbytes);

/* Numbers in rows, divided by blanks or `delimiter`; text from `comment` to the end of a line does
 * not count. A matrix, unless there is one row or one column. */
struct ct_loadtxt_args {
    size_t struct_size;
    enum ct_dtype dtype;   /* CT_FLOAT64, as NumPy's */
    const char *delimiter; /* NULL: blanks */
    const char *comment;
    int64_t skiprows;
};
#define ct_loadtxt_defaults                                                                        \
    {                                                                                              \
        .struct_size = sizeof(struct ct_loadtxt_args), .dtype = CT_FLOAT64, .delimiter = NULL,     \
        .comment = "#", .skiprows = 0                                                              \
    }
CT_API ct_tensor *ct_loadtxt_ex(const char *path, const struct ct_loadtxt_args *args);

/* ---- pictures: tensors of channels, rows, columns ---- */

/* Pictures side by side: mini-batch (B, C, H, W), one picture (C, H, W) or (H, W). */
struct ct_make_grid_args {
    size_t struct_size;
    int64_t nrow, padding; /* pictures in a row; pixels between */
    bool normalize, scale_each;
    double low, high; /* the range that becomes 0 to 1; CT_NO_NUMBER: the least and greatest */
    double pad_value;
};
#define ct_make_grid_defaults                                                                      \
    {                                                                                              \
        .struct_size = sizeof(struct ct_make_grid_args), .nrow = 8, .padding = 2,                  \
        .normalize = false, .scale_each = false, .low = CT_NO_NUMBER, .high = CT_NO_NUMBER,        \
        .pad_value = 0                                                                             \
    }
CT_API ct_tensor *ct_make_grid_ex(ct_tensor *x, const struct ct_make_grid_args *args);
/* A grid of numbers from 0 to 1 as a .png, .jpg or .ppm. */
CT_API bool ct_save_image_ex(ct_tensor *x, const char *path, const struct ct_make_grid_args *args);
#define ct_save_image_defaults ct_make_grid_defaults

enum ct_image_mode { /* torchvision's ImageReadMode */
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
/* PNG (uint8, uint16), JPEG, PPM: what the bytes say, whatever the name. */
CT_API ct_tensor *ct_read_image_ex(const char *path, const struct ct_read_image_args *args);
CT_API ct_tensor *ct_decode_image(ct_tensor *bytes, enum ct_image_mode mode);

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
        CT_PLACED(CT_CAT(k, _r), "ct_save_image",                                                  \
                  ct_save_image_ex(CT_CAT(k, _0), CT_CAT(k, _1), &k))                              \
    }))
#define ct_read_image(...) CT_CALL_A_K(CT_ID(ct_k), ct_read_image, __VA_ARGS__)
#define ct_write_png(...) CT_CALL_AA_K(CT_ID(ct_k), ct_write_png, __VA_ARGS__)
#endif

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
