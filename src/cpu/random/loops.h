/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of the random engine, compiled once for each instruction set: they make the words of an
 * mt19937 and convert words to values. They work on contiguous memory; generators, locks and the
 * order of draws are handled by their callers in this folder. */
#ifndef CORTEN_CPU_RANDOM_LOOPS_H
#define CORTEN_CPU_RANDOM_LOOPS_H

#include "corten/base.h"

/* Note [Division by a constant]: x % range with a multiplication, after Granlund and Montgomery,
 * "Division by invariant integers using multiplication" (1994), figure 4.1, for words of 32 or 64
 * bits. range == 0 means 2^32 or 2^64: every x is its own remainder. */
struct cti_random_range {
    uint64_t range;
    uint64_t factor;
    unsigned shift1, shift2;
    int64_t base; /* added to the remainder */
};

struct cti_random_loops {
    /* Replaces all 624 words of a state by the next ones. */
    void (*twist)(uint32_t *state);
    /* Converts state words to output words. */
    void (*temper)(uint32_t *dst, const uint32_t *state, int64_t n);

    /* Uniform numbers in [from, from + range) with 24 bits of a word, or 53 bits of two. A value
     * that rounds up to `to` becomes `from`. */
    void (*uniform_f32)(float *dst, const uint32_t *words, int64_t n, float from, float range,
                        float to);
    void (*uniform_f64)(double *dst, const uint32_t *words, int64_t n, double from, double range,
                        double to);
    /* Converts each group of sixteen words (or pairs of words) into sixteen normal numbers; n is a
     * multiple of 16. */
    void (*normal_f32)(float *dst, const uint32_t *words, int64_t n, float mean, float std);
    void (*normal_f64)(double *dst, const uint32_t *words, int64_t n, double mean, double std);
    /* scale * log(1 - u) with 53 bits of u. */
    void (*exponential)(double *dst, const uint32_t *words, int64_t n, double scale);
    /* dst[i] = base + word % range, for one word or for two (the first is the upper half). */
    void (*modulo_32)(int64_t *dst, const uint32_t *words, int64_t n,
                      const struct cti_random_range *by);
    void (*modulo_64)(int64_t *dst, const uint32_t *words, int64_t n,
                      const struct cti_random_range *by);
    /* dst[i] = u < p, with 24 bits of u, with 53 bits, or with 53 bits and one p given as p *
     * 2^53. */
    void (*below_f32)(uint8_t *dst, const uint32_t *words, int64_t n, const float *p);
    void (*below_f64)(uint8_t *dst, const uint32_t *words, int64_t n, const double *p);
    void (*below_p53)(uint8_t *dst, const uint32_t *words, int64_t n, uint64_t p53);
    /* Returns the number of leading p within [0, 1]. */
    int64_t (*valid_f32)(const float *p, int64_t n);
    int64_t (*valid_f64)(const double *p, int64_t n);
    /* Fisher-Yates: dst[k] = i + word % (total - i) for i = first + k; total < 2^28. */
    void (*swap_index)(uint32_t *dst, const uint32_t *words, int64_t n, int64_t first,
                       int64_t total);
};

/* Returns the loops for this machine. */
const struct cti_random_loops *cti_random_loops(void);

#endif
