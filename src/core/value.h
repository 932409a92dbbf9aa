/* SPDX-License-Identifier: BSD-3-Clause */
/* Single elements as numbers: loading and storing any data type. */
#ifndef CORTEN_CORE_VALUE_H
#define CORTEN_CORE_VALUE_H

#include "core/tensor.h"

/* Wraps a tensor as an argument that may also be a number. */
#define V(t) ct_value_tensor(t)

/* The element at an address as a bool, int, float or complex value (uint64 above INT64_MAX:
 * CT_VALUE_UINT). */
ct_value cti_value_load(const void *element, enum ct_dtype dtype);
/* A number cast to the data type as C casts (out of range integers wrap; complex to real drops the
 * imaginary part). */
void cti_value_store(void *element, enum ct_dtype dtype, ct_value number);
/* The element of t at an address, with t's conj and neg flags applied. */
ct_value cti_value_element(const ct_tensor *t, const void *element);

/* Conversions of numbers; tensors are not allowed. */
double cti_value_real(ct_value number);
double cti_value_imag(ct_value number);
int64_t cti_value_int(ct_value number); /* truncates towards zero; CT_VALUE_UINT wraps */
bool cti_value_true(ct_value number);   /* not zero */
/* The data type of a number: bool, int64, the default type, or its complex type. */
enum ct_dtype cti_value_dtype(ct_value number);

/* The length of a list: n, or if that is -1 the number of entries before the end mark. */
int64_t cti_ints_count(ct_ints list);
int64_t cti_list_count(ct_list list);

#endif
