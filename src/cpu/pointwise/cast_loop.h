/* SPDX-License-Identifier: BSD-3-Clause */
/* One cast over contiguous memory. The generated loops_cast.c includes this for each pair of types,
 * with NAME the function, D and S the types of destination and source, and either CAST(x) for an
 * element, CAST_ALL for the whole array, or CAST(x) to float32 followed by CAST_LAST for a block of
 * float32. */
static void NAME(char *to, const char *from, int64_t n)
{
    D *d = (D *)to;
    const S *s = (const S *)from;
#ifdef CAST_ALL
    CAST_ALL(d, s, n);
#elif defined(CAST_LAST)
    float part[64];
    for (int64_t k = 0; k < n; k += 64) {
        int64_t m = n - k < 64 ? n - k : 64;
        CT_ALONG
        for (int64_t i = 0; i < m; i++)
            part[i] = CAST(s[k + i]);
        CAST_LAST(d + k, part, m);
    }
#else
    CT_ALONG
    for (int64_t i = 0; i < n; i++)
        d[i] = CAST(s[i]);
#endif
}
#undef NAME
#undef D
#undef S
#undef CAST
#undef CAST_ALL
#undef CAST_LAST
