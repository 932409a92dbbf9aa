/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about data types: names, categories, promotion. See also cti_itemsize in tensor.h. */
#ifndef CORTEN_CORE_DTYPE_H
#define CORTEN_CORE_DTYPE_H

#include "corten/base.h"

/* In the order of promotion: a result has the highest category among its operands. */
enum cti_category { CTI_KIND_BOOL, CTI_KIND_INT, CTI_KIND_FLOAT, CTI_KIND_COMPLEX };

enum cti_category cti_dtype_category(enum ct_dtype dtype);
const char *cti_dtype_name(enum ct_dtype dtype);        /* "float32" */
const char *cti_dtype_scalar_name(enum ct_dtype dtype); /* "Float", as error messages say */
const char *cti_dtype_cpp_name(enum ct_dtype dtype);    /* "unsigned char", as a few of them do */
enum ct_dtype cti_dtype_to_real(enum ct_dtype dtype); /* complex64 -> float32; others as they are */
enum ct_dtype cti_dtype_to_complex(enum ct_dtype dtype); /* float64 -> complex128; bfloat16, which
                                                            has none: complex64 */
/* The compute type: float16 and bfloat16 are computed in float32, complex32 in complex64. */
static inline enum ct_dtype cti_dtype_compute(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT16 || dtype == CT_BFLOAT16 ? CT_FLOAT32
           : dtype == CT_COMPLEX32                     ? CT_COMPLEX64
                                                       : dtype;
}

#endif
