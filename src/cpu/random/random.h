/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's random engine: fills contiguous memory from a generator with the values that PyTorch
 * 2.15 draws for the same seed and calls, with any number of threads. Callers have checked types
 * and bounds. Elements are drawn in memory order. Each call takes the generator's lock once. "Real"
 * below means every data type that is not complex. */
#ifndef CORTEN_CPU_RANDOM_H
#define CORTEN_CPU_RANDOM_H

#include "core/random.h"

/* Uniform in [from, to), for floating and complex types. */
void cti_cpu_random_uniform(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, double from,
                            double to);

/* Floating and complex types. PyTorch uses one algorithm for contiguous tensors of at least 16
 * elements and another for all others: _normal chooses by n, _normal_each always uses the
 * second. */
void cti_cpu_random_normal(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, double mean,
                           double std);
void cti_cpu_random_normal_each(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                                double mean, double std);

/* Integers in [base, base + range), in real types; range 0 means all of int64 and ignores base. */
void cti_cpu_random_range(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, int64_t base,
                          uint64_t range);
/* Integers in [low, high), in real types; PyTorch converts the bounds to the type first. */
void cti_cpu_random_randint(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, int64_t low,
                            int64_t high);
/* random_() without bounds: from 0 to the largest value of the real type. */
void cti_cpu_random_full(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n);

/* A permutation of 0 to n - 1. The caller has checked that the real type can hold n - 1. */
void cti_cpu_random_permutation(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n);

/* 0 or 1 in a real type, 1 with probability p; or with probability p[i], from a floating tensor.
 * False: some p[i] is not within [0, 1]; like PyTorch, draws the elements before it. */
void cti_cpu_random_bernoulli_p(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                                double p);
bool cti_cpu_random_bernoulli_tensor(ct_generator *g, enum ct_dtype dtype, void *dst,
                                     enum ct_dtype p_dtype, const void *p, int64_t n);

/* Poisson numbers with the given rates, in floating types. False: a rate is negative or NaN. */
bool cti_cpu_random_poisson(ct_generator *g, enum ct_dtype dtype, void *dst, const void *rate,
                            int64_t n);
/* Draws the generator's next normal number; the caller holds the lock. */
double cti_cpu_random_next_normal(ct_generator *g);
/* Gamma numbers with shape alpha[i]; float32 or float64. */
void cti_cpu_random_gamma(ct_generator *g, enum ct_dtype dtype, void *dst, const void *alpha,
                          int64_t n);
/* The number of successes in count[i] tries with probability prob[i]; all float32 or float64. */
void cti_cpu_random_binomial(ct_generator *g, enum ct_dtype dtype, void *dst, const void *count,
                             const void *prob, int64_t n);

/* Draws `draws` categories for each row of weights p, with replacement. False: the weights of a row
 * are invalid, or out of memory; the rows before are drawn. */
bool cti_cpu_random_multinomial(ct_generator *g, int64_t *dst, int64_t draws, enum ct_dtype p_dtype,
                                const void *p, int64_t rows, int64_t categories);

/* Geometric numbers take every real type, the other three floating-point types. */
void cti_cpu_random_exponential(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                                double lambda);
void cti_cpu_random_cauchy(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                           double median, double sigma);
void cti_cpu_random_log_normal(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                               double mean, double std);
void cti_cpu_random_geometric(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, double p);

#endif
