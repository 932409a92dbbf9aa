/* SPDX-License-Identifier: BSD-3-Clause */
/* Narrows the bounds of random integers to the exact integers of a floating type, as PyTorch does.
 * random_ and randint call this before they check the bounds. */
#include "core/random.h"

#include <math.h>

int cti_random_digits(enum ct_dtype dtype)
{
    switch (dtype) {
    case CT_FLOAT16:
        return 11;
    case CT_BFLOAT16:
        return 8;
    case CT_FLOAT32:
        return 24;
    case CT_FLOAT64:
        return 53;
    case CT_BOOL:
    case CT_UINT8:
    case CT_INT8:
    case CT_INT16:
    case CT_INT32:
    case CT_INT64:
    case CT_UINT16:
    case CT_UINT32:
    case CT_UINT64:
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
    case CT_COMPLEX64:
    case CT_COMPLEX128:
    case CT_COMPLEX32:
    case CT_NO_DTYPE:
    case CT_DTYPE_COUNT:
        break;
    }
    return 0;
}

/* The position of the highest bit of |x|. */
static int log2_of(int64_t x)
{
    uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    return size ? 63 - __builtin_clzll(size) : 0;
}

/* Rounds x to the floating type; to half types via float, as PyTorch's casts do. */
static double rounded(enum ct_dtype dtype, int64_t x)
{
    if (dtype == CT_FLOAT64)
        return (double)x;
    double single = (float)x;
    if (dtype == CT_FLOAT32)
        return single;
    int shift = log2_of((int64_t)single) - cti_random_digits(dtype) + 1;
    double r = shift > 0 ? ldexp(nearbyint(ldexp(single, -shift)), shift) : single;
    return dtype == CT_FLOAT16 && fabs(r) > 65504 ? (double)INFINITY : r;
}

void cti_random_narrow(enum ct_dtype dtype, int64_t *from, int64_t *to)
{
    int digits = cti_random_digits(dtype);
    if (digits == 0)
        return;
    if (*from < INT64_MAX) {
        double above = rounded(dtype, *from + 1);
        if (fabs(above) < 0x1p63 && (int64_t)above < *from)
            *from = (int64_t)above + ((int64_t)1 << (log2_of(*from + 1) - digits + 1));
    }
    if (*to > INT64_MIN) {
        double below = rounded(dtype, *to - 1);
        if (fabs(below) < 0x1p63 && (int64_t)below >= *to)
            *to = (int64_t)below - ((int64_t)1 << (log2_of(*to - 1) - digits + 1));
    }
}
