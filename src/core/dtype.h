/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about data types: names, categories, promotion. See also cti_itemsize in tensor.h. */
#ifndef CORTEN_CORE_DTYPE_H
#define CORTEN_CORE_DTYPE_H

#include "corten/base.h"

/* In the order of promotion: a result has the highest category among its operands. */
enum cti_category { CTI_KIND_BOOL, CTI_KIND_INT, CTI_KIND_FLOAT, CTI_KIND_COMPLEX };

enum cti_category cti_dtype_category(enum ct_dtype dtype);
const char *cti_dtype_name(enum ct_dtype dtype);        /* "float32" */
const char *cti_dtype_scalar_name(enum ct_dtype dtype); /* "Float", as in error messages */
const char *cti_dtype_old_name(enum ct_dtype dtype);    /* "torch.FloatTensor", "CPUBoolType" */
/* "unsigned char", in a few error messages */
const char *cti_dtype_cpp_name(enum ct_dtype dtype);
/* complex64 -> float32; real types are unchanged */
enum ct_dtype cti_dtype_to_real(enum ct_dtype dtype);
/* float64 -> complex128; bfloat16, which has no complex type, -> complex64 */
enum ct_dtype cti_dtype_to_complex(enum ct_dtype dtype);
/* Note [Float8]
 * Five types of one byte hold weights, gradients and scale factors of networks. As in PyTorch, they
 * can be stored, copied, indexed, joined, compared for equality and cast, but nothing is computed
 * in them: an operation rejects them unless it only moves elements (key `float8` of its table row).
 * They come before CT_FLOAT16 in the enum, so that `dtype < CT_FLOAT16` means that no
 * floating-point kernel supports the type. Casts go through float32 (math/float8.h). */
static inline bool cti_is_float8(enum ct_dtype dtype)
{
    return dtype >= CT_FLOAT8_E4M3FN && dtype <= CT_FLOAT8_E8M0FNU;
}

/* The compute type: float16, bfloat16 and float8 are computed in float32, complex32 in
 * complex64. */
static inline enum ct_dtype cti_dtype_compute(enum ct_dtype dtype)
{
    return dtype >= CT_FLOAT8_E4M3FN && dtype <= CT_BFLOAT16 ? CT_FLOAT32
           : dtype == CT_COMPLEX32                           ? CT_COMPLEX64
                                                             : dtype;
}

#endif
