/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts between complex32 and the type DTYPE, whose functions end in NAME. Included by
 * cast_halves.c. */
static void CAT(halves_from_, NAME)(char *to, const char *from, int64_t n)
{
    to_halves(to, from, n, DTYPE);
}

static void CAT(halves_to_, NAME)(char *to, const char *from, int64_t n)
{
    from_halves(to, from, n, DTYPE);
}

#undef NAME
#undef DTYPE
