/* SPDX-License-Identifier: BSD-3-Clause */
/* One loop over float16 or bfloat16 for an operation of plain arithmetic: CTI_HALVES elements at a
 * time in float32, rounded once. The generated loops include this file once per operation and type,
 * with
 *   CT_NAME the loop CT_HALF f16 or bf16 CT_TENSORS 1 to 3 operands CT_NUMBERS declares the numeric
 *   parameters, which follow in p CT_EACH(x, y, z) the formula
 * There is no include guard, on purpose. */

#define LOAD CT_PASTE3(cti_simd_, load, CT_HALF)
#define STORE CT_PASTE3(cti_simd_, store, CT_HALF)
#define RUN CT_PASTE3(run_, CT_NAME, here)

/* `scalars` is a constant after inlining; it marks operands that are one float32 each. CTM_ROLLED
 * keeps gcc from unrolling before it vectorises, which would leave a branch for each element. */
static inline __attribute__((always_inline)) void RUN(char *const p[], unsigned scalars, int64_t n)
{
    CT_NUMBERS
    float in[CT_TENSORS][CTI_HALVES], result[CTI_HALVES];
    uint16_t rest[CTI_HALVES] = {0}, *out = (uint16_t *)p[0];
    for (int o = 0; o < CT_TENSORS; o++)
        for (int i = 0; i < CTI_HALVES && scalars >> o & 1; i++)
            in[o][i] = *(const float *)p[1 + o];
    int64_t k = 0;
    for (; k + CTI_HALVES <= n; k += CTI_HALVES) {
        for (int o = 0; o < CT_TENSORS; o++)
            if (!(scalars >> o & 1))
                LOAD(in[o], (const uint16_t *)p[1 + o] + k);
        CTM_ROLLED
        for (int i = 0; i < CTI_HALVES; i++)
            result[i] = CT_EACH(in[0][i], in[CT_TENSORS > 1][i], in[CT_TENSORS - 1][i]);
        STORE(out + k, result);
    }
    if (k == n)
        return;
    for (int o = 0; o < CT_TENSORS; o++)
        if (!(scalars >> o & 1)) {
            __builtin_memcpy(rest, (const uint16_t *)p[1 + o] + k, (size_t)(n - k) * 2);
            LOAD(in[o], rest);
        }
    CTM_ROLLED
    for (int i = 0; i < CTI_HALVES; i++)
        result[i] = CT_EACH(in[0][i], in[CT_TENSORS > 1][i], in[CT_TENSORS - 1][i]);
    STORE(rest, result);
    __builtin_memcpy(out + k, rest, (size_t)(n - k) * 2);
}

void CT_NAME(char *const p[], unsigned scalars, int64_t n)
{
    if (CT_TENSORS == 2 && scalars == 1)
        RUN(p, 1, n);
    else if (CT_TENSORS == 2 && scalars == 2)
        RUN(p, 2, n);
    else
        RUN(p, 0, n);
}

#undef LOAD
#undef STORE
#undef RUN
#undef CT_NAME
#undef CT_HALF
#undef CT_TENSORS
#undef CT_NUMBERS
#undef CT_EACH
