/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops under the random engine, built once for each instruction set: making mt19937 words and
 * turning words into values. They see words and contiguous memory; generators, locks and the order
 * of draws are the business of their callers in this folder. */
#ifndef CORTEN_CPU_RANDOM_LOOPS_H
#define CORTEN_CPU_RANDOM_LOOPS_H

#include "corten/base.h"

/* Note [Division by a constant]: x % range with a multiplication, after Granlund and Montgomery,
 * "Division by invariant integers using multiplication" (1994), figure 4.1, for words of 32 or 64
 * bits. range == 0 stands for 2^32 or 2^64: every x is its own remainder. */
struct cti_random_range {
    uint64_t range;
    uint64_t factor;
    unsigned shift1, shift2;
    int64_t base; /* added to the remainder */
};

struct cti_random_loops {
    /* All 624 words of a state anew, in place. */
    void (*twist)(uint32_t *state);
    /* State words to the words that are drawn. */
    void (*temper)(uint32_t *dst, const uint32_t *state, int64_t n);

    /* [from, from + range) by 24 bits of a word, or 53 bits of two; a value that rounded up to `to`
     * becomes `from`. */
    void (*uniform_f32)(float *dst, const uint32_t *words, int64_t n, float from, float range,
                        float to);
    void (*uniform_f64)(double *dst, const uint32_t *words, int64_t n, double from, double range,
                        double to);
    /* Sixteen words (or pairs) to sixteen normals; n is a multiple of 16. */
    void (*normal_f32)(float *dst, const uint32_t *words, int64_t n, float mean, float std);
    void (*normal_f64)(double *dst, const uint32_t *words, int64_t n, double mean, double std);
    /* scale * log(1 - uniform), of 53 bits. */
    void (*exponential)(double *dst, const uint32_t *words, int64_t n, double scale);
    /* dst[i] = base + word % range; of one word or of two (the first is the upper half). */
    void (*modulo_32)(int64_t *dst, const uint32_t *words, int64_t n,
                      const struct cti_random_range *by);
    void (*modulo_64)(int64_t *dst, const uint32_t *words, int64_t n,
                      const struct cti_random_range *by);
    /* dst[i] = uniform < p: of 24 bits, of 53 bits, of 53 bits with one p given as p * 2^53. */
    void (*below_f32)(uint8_t *dst, const uint32_t *words, int64_t n, const float *p);
    void (*below_f64)(uint8_t *dst, const uint32_t *words, int64_t n, const double *p);
    void (*below_p53)(uint8_t *dst, const uint32_t *words, int64_t n, uint64_t p53);
    /* How many leading p lie within [0, 1]. */
    int64_t (*valid_f32)(const float *p, int64_t n);
    int64_t (*valid_f64)(const double *p, int64_t n);
    /* Fisher-Yates: dst[k] = i + word % (total - i) for i = first + k; total < 2^28. */
    void (*swap_index)(uint32_t *dst, const uint32_t *words, int64_t n, int64_t first,
                       int64_t total);
};

/* Those for this machine. */
const struct cti_random_loops *cti_random_loops(void);

#endif
