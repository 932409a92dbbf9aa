/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver of loop_block.h for elements of type REAL and functions of type WIDE: arguments are
 * copied to blocks and cast if the types differ; the last block is padded with its last element.
 * Bits of `scalars` mark arguments that are single numbers. */

static __attribute__((noinline, unused)) void
NAME(char *const p[], unsigned scalars, int64_t n, int operands,
     void (*function)(WIDE *out, const WIDE (*in)[CTM_BLOCK], int count))
{
    WIDE in[3][CTM_BLOCK], result[CTM_BLOCK];
    REAL *out = (REAL *)p[0];
    for (int o = 0; o < operands; o++)
        for (int i = 0; i < CTM_BLOCK && scalars >> o & 1; i++)
            in[o][i] = (WIDE) * (const REAL *)p[1 + o];
    for (int64_t k = 0; k < n; k += CTM_BLOCK) {
        int length = n - k < CTM_BLOCK ? (int)(n - k) : CTM_BLOCK;
        int count = (length + CTM_LANES - 1) / CTM_LANES * CTM_LANES;
        for (int o = 0; o < operands; o++) {
            const REAL *from = (const REAL *)p[1 + o] + k;
            if (scalars >> o & 1)
                continue;
            for (int i = 0; i < length; i++)
                in[o][i] = (WIDE)from[i];
            for (int i = length; i < count; i++)
                in[o][i] = (WIDE)from[length - 1];
        }
        function(result, (const WIDE(*)[CTM_BLOCK])in, count);
        for (int i = 0; i < length; i++)
            out[k + i] = (REAL)result[i];
    }
}

#undef NAME
#undef REAL
#undef WIDE
