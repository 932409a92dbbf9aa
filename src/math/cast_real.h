/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of cast.h for one real type, included there with
 *   REAL        the type; FROM(dst) the name of a cast of it
 *   BYTES_FROM  the cast whose low bits are the uint8 */

CTM_CAST int32_t FROM(i32)(REAL x)
{
    return (int32_t)x;
}

CTM_CAST int64_t FROM(i64)(REAL x)
{
    return (int64_t)x;
}

CTM_CAST uint64_t FROM(u64)(REAL x)
{
    uint64_t high = (uint64_t)FROM(i64)(x - (REAL)0x1p63) ^ 0x8000000000000000u;
    return x >= (REAL)0x1p63 ? high : (uint64_t)FROM(i64)(x);
}

CTM int8_t FROM(i8)(REAL x)
{
    return (int8_t)FROM(i32)(x);
}

CTM int16_t FROM(i16)(REAL x)
{
    return (int16_t)FROM(i32)(x);
}

CTM uint8_t FROM(u8)(REAL x)
{
    return (uint8_t)BYTES_FROM(x);
}

CTM uint16_t FROM(u16)(REAL x)
{
    return (uint16_t)FROM(i32)(x);
}

CTM uint32_t FROM(u32)(REAL x)
{
    return (uint32_t)FROM(i64)(x);
}

CTM uint8_t FROM(b8)(REAL x)
{
    return x != 0;
}

CTM float FROM(f32)(REAL x)
{
    return (float)x;
}

CTM double FROM(f64)(REAL x)
{
    return (double)x;
}

CTM ct_c64 FROM(c64)(REAL x)
{
    return ctm_make_c64((float)x, 0);
}

CTM ct_c128 FROM(c128)(REAL x)
{
    return ctm_make_c128((double)x, 0);
}

#undef REAL
#undef FROM
#undef BYTES_FROM
