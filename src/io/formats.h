/* SPDX-License-Identifier: BSD-3-Clause */
/* File formats for tensors. Each reads into named tensors (owned) and writes to a sink; files.c
 * selects one by the file extension. */
#ifndef CORTEN_IO_FORMATS_H
#define CORTEN_IO_FORMATS_H

#include "corten/io.h"
#include "io/file.h"

#include "core/text.h"

/* A growing list of named tensors. `path` is scratch space of the reader. */
struct cti_names {
    ct_named *v; /* names are malloc'ed and tensors owned */
    int64_t count, room;
    struct cti_text path;
};

/* Adds a tensor; consumes t, also on failure. */
bool cti_names_add(struct cti_names *names, const char *name, ct_tensor *t);
void cti_names_free(struct cti_names *names);

ct_tensor *cti_load_pt(const char *path);
bool cti_load_pt_dict(const char *path, struct cti_names *names);
bool cti_save_pt(ct_tensor *one, ct_dict dict, ct_sink *sink);

ct_tensor *cti_load_npy(const char *path);
ct_tensor *cti_read_npy(const char *data, int64_t nbytes); /* from the bytes of a .npy file */
bool cti_save_npy(ct_tensor *t, ct_sink *sink);
bool cti_load_npz(const char *path, struct cti_names *names);
bool cti_save_npz(ct_dict dict, ct_sink *sink, bool compress);

bool cti_load_safetensors(const char *path, struct cti_names *names);
bool cti_save_safetensors(ct_dict dict, ct_sink *sink, const char *metadata);

#endif
