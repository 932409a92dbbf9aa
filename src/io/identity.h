/* SPDX-License-Identifier: BSD-3-Clause */
/* The serialization id that PyTorch writes into its files, computed from the names of the
 * records. */
#ifndef CORTEN_IO_IDENTITY_H
#define CORTEN_IO_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The hash of a record's name, and the function that combines hashes. */
uint64_t cti_name_hash(const char *name, size_t n);
uint64_t cti_hash_combine(uint64_t seed, uint64_t value);
/* Combines the hashes of all names, given in the order of writing. False if memory runs out. */
bool cti_identity(const uint64_t *hash, int64_t count, uint64_t *answer);

#endif
