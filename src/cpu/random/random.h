/* SPDX-License-Identifier: BSD-3-Clause */
/* The random engine of the CPU: fills contiguous memory from a generator with the values PyTorch
 * 2.15 draws for the same seed and calls, whatever the number of threads. Fronts check types and
 * bounds before; an element is drawn in the order of memory. Each call holds the generator's lock
 * once. "Real" below means every data type that is not complex. */
#ifndef CORTEN_CPU_RANDOM_H
#define CORTEN_CPU_RANDOM_H

#include "core/random.h"

/* [from, to) in floating and complex types. */
void cti_cpu_random_uniform(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, double from,
                            double to);

/* Floating and complex types. PyTorch fills contiguous tensors of 16 elements and more in another
 * way than the others: _normal chooses by n; _normal_each is the way for few elements and for
 * tensors that are not contiguous. */
void cti_cpu_random_normal(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, double mean,
                           double std);
void cti_cpu_random_normal_each(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                                double mean, double std);

/* Integers of [base, base + range) in real types; range 0 means all of int64, whatever the base. */
void cti_cpu_random_range(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, int64_t base,
                          uint64_t range);
/* Integers of [low, high) in real types, the bounds narrowed. */
void cti_cpu_random_randint(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, int64_t low,
                            int64_t high);
/* random_() without bounds: what the real type can hold, from 0 on. */
void cti_cpu_random_full(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n);

/* The numbers 0 to n - 1 in random order. The front has checked that the real type holds them. */
void cti_cpu_random_permutation(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n);

/* 0 and 1 in a real type, 1 with probability p; or with p[i], a floating tensor. False: a p[i] is
 * not within [0, 1]; the elements before it are drawn, as PyTorch does. */
void cti_cpu_random_bernoulli_p(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                                double p);
bool cti_cpu_random_bernoulli_tensor(ct_generator *g, enum ct_dtype dtype, void *dst,
                                     enum ct_dtype p_dtype, const void *p, int64_t n);

/* Poisson's numbers for each rate, in floating types. False: a rate is below 0 or NaN. */
bool cti_cpu_random_poisson(ct_generator *g, enum ct_dtype dtype, void *dst, const void *rate,
                            int64_t n);
/* The next normal number of the generator, which is locked. */
double cti_cpu_random_next_normal(ct_generator *g);
/* Gamma's numbers for each shape alpha[i]; float32 or float64. */
void cti_cpu_random_gamma(ct_generator *g, enum ct_dtype dtype, void *dst, const void *alpha,
                          int64_t n);
/* Successes in count[i] tries, each with probability prob[i]; all of float32 or float64. */
void cti_cpu_random_binomial(ct_generator *g, enum ct_dtype dtype, void *dst, const void *count,
                             const void *prob, int64_t n);

/* For each of the rows of p, `draws` places by weight, with replacement. False: the weights of a
 * row are none, or out of memory; the rows before are drawn. */
bool cti_cpu_random_multinomial(ct_generator *g, int64_t *dst, int64_t draws, enum ct_dtype p_dtype,
                                const void *p, int64_t rows, int64_t places);

/* Floating types; geometric in every real type. */
void cti_cpu_random_exponential(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                                double lambda);
void cti_cpu_random_cauchy(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                           double median, double sigma);
void cti_cpu_random_log_normal(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n,
                               double mean, double std);
void cti_cpu_random_geometric(ct_generator *g, enum ct_dtype dtype, void *dst, int64_t n, double p);

#endif
