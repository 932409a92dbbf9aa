/* SPDX-License-Identifier: BSD-3-Clause */
/* ct_save and ct_load: the file extension selects the format. Loaded tensors join the innermost
 * scope. */
#include "core/check_args.h"
#include "io/formats.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/scope.h"
#include "corten/autograd.h"
#include "corten/own.h"
#include "corten/profile.h"

#include <string.h>

enum format { PT, NPY, NPZ, SAFETENSORS };

static enum format format_named(const char *name)
{
    if (strcmp(name, "npy") == 0)
        return NPY;
    if (strcmp(name, "npz") == 0)
        return NPZ;
    return strcmp(name, "safetensors") == 0 ? SAFETENSORS : PT;
}

static enum format format_of_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? format_named(dot + 1) : PT;
}

static bool has_path(const char *path, const char *function)
{
    return path || cti_refuse(CT_ERR_TYPE, "%s needs the name of a file", function);
}

/* ---- named tensors ---- */

bool cti_names_add(struct cti_names *names, const char *name, ct_tensor *t)
{
    char *copy = t ? cti_strdup(name) : NULL;
    if (copy && names->count == names->room) {
        int64_t room = names->room ? 2 * names->room : 16;
        ct_named *grown = cti_realloc(names->v, (size_t)room * sizeof *grown);
        if (grown) {
            names->v = grown;
            names->room = room;
        }
    }
    if (!copy || names->count == names->room) {
        cti_free(copy);
        ct_release(t);
        return false;
    }
    names->v[names->count++] = (ct_named){copy, t};
    return true;
}

void cti_names_free(struct cti_names *names)
{
    for (int64_t i = 0; i < names->count; i++) {
        cti_free((char *)(uintptr_t)names->v[i].name);
        ct_release(names->v[i].tensor);
    }
    cti_free(names->v);
    cti_text_free(&names->path);
    *names = (struct cti_names){0};
}

/* Passes tensors and names to the innermost scope. On failure everything that has not been passed
 * is freed. */
static ct_dict scoped(struct cti_names *names)
{
    cti_text_free(&names->path);
    if (!names->v && !(names->v = cti_malloc(sizeof *names->v)))
        return CT_NO_DICT;
    ct_named *v = names->v;
    int64_t count = names->count;
    for (int64_t i = 0; i < count; i++) {
        if (!cti_scope_text_take((char *)(uintptr_t)v[i].name) || !ct_scoped(v[i].tensor)) {
            for (int64_t k = i + 1; k < count; k++) {
                cti_free((char *)(uintptr_t)v[k].name);
                ct_release(v[k].tensor);
            }
            cti_free(v);
            return CT_NO_DICT;
        }
    }
    if (!cti_scope_add(v, cti_free))
        return CT_NO_DICT;
    return (ct_dict){v, count};
}

/* ---- loading ---- */

ct_tensor *(ct_load)(const char *path)
{
    if (!has_path(path, "ct_load"))
        return NULL;
    switch (format_of_path(path)) {
    case NPY:
        return ct_scoped(cti_load_npy(path));
    case NPZ:
    case SAFETENSORS:
        return ct_fail(CT_ERR_VALUE, "'%s' holds several tensors: use ct_load_dict", path);
    case PT:
        break;
    }
    return ct_scoped(cti_load_pt(path));
}

static ct_dict load_dict(const char *path, enum format format)
{
    struct cti_names names = {0};
    bool good = false;
    switch (format) {
    case NPY:
        good = cti_names_add(&names, "", cti_load_npy(path));
        break;
    case NPZ:
        good = cti_load_npz(path, &names);
        break;
    case SAFETENSORS:
        good = cti_load_safetensors(path, &names);
        break;
    case PT:
        good = cti_load_pt_dict(path, &names);
        break;
    }
    if (good)
        return scoped(&names);
    cti_names_free(&names);
    return CT_NO_DICT;
}

ct_dict(ct_load_dict)(const char *path)
{
    return has_path(path, "ct_load_dict") ? load_dict(path, format_of_path(path)) : CT_NO_DICT;
}

ct_dict ct_load_dict_as(const char *path, const char *format)
{
    if (!cti_check_text(format, "ct_load_dict_as", "format"))
        return CT_NO_DICT;
    return load_dict(path, format_named(format));
}

ct_tensor *ct_own_read_npy(const void *data, int64_t nbytes)
{
    return cti_read_npy(data, nbytes);
}

/* Counts a dict that ends with an empty entry (n < 0), and checks every entry. */
static bool given_dict(ct_dict *dict, const char *function)
{
    if (!dict->v || dict->n < -1)
        return cti_check_refuse(function, "dict",
                                "is not a dict: its address is NULL or its count negative");
    if (dict->n < 0)
        for (dict->n = 0; dict->v[dict->n].name;)
            dict->n++;
    for (int64_t i = 0; i < dict->n; i++)
        if (!dict->v[i].name || !dict->v[i].tensor)
            return cti_check_refuse(function, "dict",
                                    dict->v[i].name ? "has a tensor that is NULL"
                                                    : "has a name that is NULL");
    return true;
}

ct_tensor *(ct_get)(ct_dict dict, const char *name)
{
    if (!given_dict(&dict, "ct_get") || !cti_check_text(name, "ct_get", "name"))
        return NULL;
    for (int64_t i = 0; i < dict.n; i++) {
        if (strcmp(dict.v[i].name, name) == 0)
            return dict.v[i].tensor;
    }
    return ct_fail(CT_ERR_KEY, "'%s'", name);
}

/* ---- saving ---- */

/* Writes one tensor, or a dict if `one` is NULL, in a format. */
static bool write_as(ct_tensor *one, ct_dict dict, ct_sink *sink, enum format format,
                     const char *metadata, bool compress)
{
    switch (format) {
    case NPY:
        return cti_save_npy(one, sink);
    case NPZ:
        return cti_save_npz(dict, sink, compress);
    case SAFETENSORS:
        return cti_save_safetensors(dict, sink, metadata);
    case PT:
        break;
    }
    return cti_save_pt(one, dict, sink);
}

bool ct_save_dict_as(ct_dict dict, ct_sink *sink, const char *format, const char *metadata,
                     bool compress)
{
    if (!given_dict(&dict, "ct_save_dict_as") ||
        !cti_check_pointer(sink, "ct_save_dict_as", "sink") ||
        !cti_check_text(format, "ct_save_dict_as", "format"))
        return false;
    enum format f = format_named(format);
    if (f == NPY)
        return dict.n == 1 && cti_save_npy(dict.v[0].tensor, sink);
    return write_as(NULL, dict, sink, f, metadata, compress);
}

static bool save_file(ct_tensor *one, ct_dict dict, const char *path)
{
    enum format format = format_of_path(path);
    if (one ? format == NPZ || format == SAFETENSORS : format == NPY)
        return ct_fail(CT_ERR_VALUE, "'%s': this format holds %s", path,
                       one ? "named tensors: save a dict" : "one tensor");
    ct_sink *sink = ct_sink_file(path);
    if (!sink)
        return false;
    return ct_sink_close(sink, write_as(one, dict, sink, format, NULL, false));
}

bool ct_save_tensor(ct_tensor *t, const char *path)
{
    return cti_check_pointer(t, "ct_save", "x") && has_path(path, "ct_save") &&
           save_file(t, CT_NO_DICT, path);
}

bool ct_save_dict(ct_dict dict, const char *path)
{
    return given_dict(&dict, "ct_save") && has_path(path, "ct_save") && save_file(NULL, dict, path);
}

bool ct_profile_save_trace(const ct_profile *p, const char *path)
{
    if (!cti_check_pointer(p, "ct_profile_save_trace", "p") ||
        !has_path(path, "ct_profile_save_trace"))
        return false;
    char *text = ct_own_profile_trace(p);
    ct_sink *sink = text ? ct_sink_file(path) : NULL;
    bool good = sink && ct_sink_close(sink, ct_sink_write(sink, text, (int64_t)strlen(text)));
    cti_free(text);
    return good;
}
