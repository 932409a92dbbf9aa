/* SPDX-License-Identifier: BSD-3-Clause */
/* The random engine: tensors of random numbers. The caller has checked types, shapes and bounds.
 * The engine draws in the order in which PyTorch traverses the result. */
#ifndef CORTEN_CORE_RANDOM_H
#define CORTEN_CORE_RANDOM_H

#include "core/engine.h"
#include "core/generator.h"

enum cti_random_kind {
    CTI_RANDOM_UNIFORM,          /* [a, b); floating, complex */
    CTI_RANDOM_NORMAL,           /* mean a, standard deviation b; floating, complex */
    CTI_RANDOM_RANGE,            /* integers in [base, base + range); range 0 means 2^64; real */
    CTI_RANDOM_FULL,             /* random_() without bounds; real */
    CTI_RANDOM_PERMUTATION,      /* 0 to n - 1 in random order; real, one dimension */
    CTI_RANDOM_BERNOULLI,        /* 1 with probability a; real */
    CTI_RANDOM_DROPOUT,          /* the same, in the order in which dropout traverses its input */
    CTI_RANDOM_BERNOULLI_TENSOR, /* 1 with the probabilities in p; real */
    CTI_RANDOM_EXPONENTIAL,      /* rate a; floating */
    CTI_RANDOM_CAUCHY,           /* median a, scale b; floating */
    CTI_RANDOM_LOG_NORMAL,       /* mean a, standard deviation b of the logarithm; floating */
    CTI_RANDOM_GEOMETRIC,        /* probability a; real */
    CTI_RANDOM_POISSON,          /* Poisson with the rates in p, of out's type; floating */
    CTI_RANDOM_GAMMA,            /* with the shapes in p, of out's type; float32, float64 */
    CTI_RANDOM_BINOMIAL,         /* successes in p tries of probability q; all contiguous */
    /* indices into each row of p (contiguous, one or two dims), drawn by weight into int64 */
    CTI_RANDOM_MULTINOMIAL
};

struct cti_random {
    struct cti_work work;
    ct_tensor *out; /* its elements do not share memory */
    ct_tensor *p;   /* floating, of out's shape (may be expanded), or weights; or NULL */
    ct_tensor *q;   /* of out's shape and type, or NULL */
    enum cti_random_kind kind;
    ct_generator *generator; /* NULL: the default one */
    double a, b;
    int64_t base;
    uint64_t range;
};

/* Narrows the bounds of random_(from, to) to the integers that a floating type holds exactly, as
 * PyTorch does. Other types keep them. The caller checks from < to before and after. */
void cti_random_narrow(enum ct_dtype dtype, int64_t *from, int64_t *to);
/* Bits of a floating type's significand; 0 for the other types. */
int cti_random_digits(enum ct_dtype dtype);

#endif
