/* SPDX-License-Identifier: BSD-3-Clause */
/* The two loops of the float8 type NAME. Included by cast_float8.c. */
static void CAT3(floats_of_, NAME, )(float *to, const uint8_t *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = CAT3(ctm_f32_from_, NAME, )(from[i]);
}

static void CAT3(codes_of_, NAME, )(uint8_t *to, const float *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = CAT3(ctm_, NAME, _from_f32)(from[i]);
}

#undef NAME
