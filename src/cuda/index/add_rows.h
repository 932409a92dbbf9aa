/* SPDX-License-Identifier: BSD-3-Clause */
/* Deterministic index_add of rows, implemented in add_rows.c. */
#ifndef CORTEN_CUDA_INDEX_ADD_ROWS_H
#define CORTEN_CUDA_INDEX_ADD_ROWS_H

#include "core/engine.h"

/* self[index[i]] += src[i], in order. */
enum cti_status cti_cuda_add_rows(ct_tensor *self, ct_tensor *index, ct_tensor *src, int what);

#endif
