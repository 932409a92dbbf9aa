/* SPDX-License-Identifier: BSD-3-Clause */
/* One cast over contiguous memory, included by the generated loops_cast.c for each pair of types: D
 * from S, called NAME, by CAST(x), or by CAST_ALL for the whole of it. */
static void NAME(char *to, const char *from, int64_t n)
{
    D *d = (D *)to;
    const S *s = (const S *)from;
#ifdef CAST_ALL
    CAST_ALL(d, s, n);
#else
    CT_IVDEP
    for (int64_t i = 0; i < n; i++)
        d[i] = CAST(s[i]);
#endif
}
#undef NAME
#undef D
#undef S
#undef CAST
#undef CAST_ALL
