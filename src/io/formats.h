/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats of files of tensors: each reads into owned tensors with names and writes to a sink.
 * files.c picks one by the ending of a name. */
#ifndef CORTEN_IO_FORMATS_H
#define CORTEN_IO_FORMATS_H

#include "corten/io.h"
#include "io/file.h"

#include "core/text.h"

/* Tensors with names as a reader finds them; `path` is the reader's own. */
struct cti_names {
    ct_named *v; /* names are malloc'ed, tensors owned */
    int64_t count, room;
    struct cti_text path;
};

/* Takes t, also on failure. */
bool cti_names_add(struct cti_names *names, const char *name, ct_tensor *t);
void cti_names_free(struct cti_names *names);

ct_tensor *cti_load_pt(const char *path);
bool cti_load_pt_dict(const char *path, struct cti_names *names);
bool cti_save_pt(ct_tensor *one, ct_dict dict, ct_sink *sink);

ct_tensor *cti_load_npy(const char *path);
ct_tensor *cti_read_npy(const char *data, int64_t nbytes); /* the bytes of such a file */
bool cti_save_npy(ct_tensor *t, ct_sink *sink);
bool cti_load_npz(const char *path, struct cti_names *names);
bool cti_save_npz(ct_dict dict, ct_sink *sink, bool compress);

bool cti_load_safetensors(const char *path, struct cti_names *names);
bool cti_save_safetensors(ct_dict dict, ct_sink *sink, const char *metadata);

#endif
