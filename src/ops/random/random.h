/* SPDX-License-Identifier: BSD-3-Clause */
/* Random fills shared between the fronts of random numbers. */
#ifndef CORTEN_OPS_RANDOM_H
#define CORTEN_OPS_RANDOM_H

#include "core/random.h"
#include "core/tensor.h"

/* Draws into work.out, which may be a lazy view, after checking that it can be written. */
bool cti_random_fill(struct cti_random work);
/* Ones with a probability that is checked. */
bool cti_random_coins(enum cti_random_kind kind, ct_tensor *self, double p,
                      ct_generator *generator);
/* Whole numbers of [from, to), with the checks of random_. */
bool cti_random_between(ct_tensor *self, int64_t from, int64_t to, ct_generator *generator);
bool cti_random_check_std(double std);

#endif
