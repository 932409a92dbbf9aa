/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that implement random numbers. */
#ifndef CORTEN_OPS_RANDOM_H
#define CORTEN_OPS_RANDOM_H

#include "core/random.h"
#include "core/tensor.h"

/* Draws into work.out, which may have conj or neg flags, after checking that it is writable. */
bool cti_random_fill(struct cti_random work);
/* Draws 1 with probability p, which is checked, else 0. */
bool cti_random_coins(enum cti_random_kind kind, ct_tensor *self, double p,
                      ct_generator *generator);
/* Draws integers from [from, to), with the checks of random_. */
bool cti_random_between(ct_tensor *self, int64_t from, int64_t to, ct_generator *generator);
/* Fails for a negative or NaN standard deviation. */
bool cti_random_check_std(double std);

#endif
