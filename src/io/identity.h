/* SPDX-License-Identifier: BSD-3-Clause */
/* The digits by which PyTorch's files know each other. */
#ifndef CORTEN_IO_IDENTITY_H
#define CORTEN_IO_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The hash of a record's name, and how hashes are combined. */
uint64_t cti_name_hash(const char *name, size_t n);
uint64_t cti_hash_combine(uint64_t seed, uint64_t value);
/* The combined hash of names in the order they were written; false: no memory. */
bool cti_identity(const uint64_t *hash, int64_t count, uint64_t *answer);

#endif
