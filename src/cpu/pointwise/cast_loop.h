/* SPDX-License-Identifier: BSD-3-Clause */
/* One cast over contiguous memory, included by the generated loops_cast.c for each pair of types: D
 * from S, called NAME, by CAST(x), by CAST_ALL for the whole of it, or by CAST(x) to float32 and
 * CAST_LAST for a block of those. */
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
