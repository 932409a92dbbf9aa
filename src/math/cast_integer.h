/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of cast.h for one integer type or bool (a byte, 0 or 1), included there with INT,
 * the type, and FROM(dst), the name of a cast of it. */

CTM uint8_t FROM(b8)(INT x)
{
    return x != 0;
}

CTM int8_t FROM(i8)(INT x)
{
    return (int8_t)x;
}

CTM int16_t FROM(i16)(INT x)
{
    return (int16_t)x;
}

CTM int32_t FROM(i32)(INT x)
{
    return (int32_t)x;
}

CTM int64_t FROM(i64)(INT x)
{
    return (int64_t)x;
}

CTM uint8_t FROM(u8)(INT x)
{
    return (uint8_t)x;
}

CTM uint16_t FROM(u16)(INT x)
{
    return (uint16_t)x;
}

CTM uint32_t FROM(u32)(INT x)
{
    return (uint32_t)x;
}

CTM uint64_t FROM(u64)(INT x)
{
    return (uint64_t)x;
}

CTM float FROM(f32)(INT x)
{
    return (float)x;
}

CTM double FROM(f64)(INT x)
{
    return (double)x;
}

CTM ct_c64 FROM(c64)(INT x)
{
    return ctm_make_c64((float)x, 0);
}

CTM ct_c128 FROM(c128)(INT x)
{
    return ctm_make_c128((double)x, 0);
}

#undef INT
#undef FROM
