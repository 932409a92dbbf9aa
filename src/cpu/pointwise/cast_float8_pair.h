/* SPDX-License-Identifier: BSD-3-Clause */
/* The casts between the float8 type NAME and the type DTYPE, whose functions end in OTHER. Included
 * by cast_float8_type.h. */
static __attribute__((unused)) void CAT3(NAME, _from_, OTHER)(char *to, const char *from, int64_t n)
{
    narrow(to, from, n, DTYPE, CAT3(codes_of_, NAME, ));
}

static __attribute__((unused)) void CAT3(NAME, _to_, OTHER)(char *to, const char *from, int64_t n)
{
    widen(to, from, n, DTYPE, CAT3(floats_of_, NAME, ));
}

#undef OTHER
#undef DTYPE
