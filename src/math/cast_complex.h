/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of cast.h for one complex type: they cast the real part. Included there with
 * COMPLEX, the type, FROM(dst), the name of a cast of it, and FROM_PART(dst), that of a cast of its
 * parts. */

CTM uint8_t FROM(b8)(COMPLEX x)
{
    return (x.re != 0) | (x.im != 0);
}

CTM int8_t FROM(i8)(COMPLEX x)
{
    return FROM_PART(i8)(x.re);
}

CTM int16_t FROM(i16)(COMPLEX x)
{
    return FROM_PART(i16)(x.re);
}

CTM int32_t FROM(i32)(COMPLEX x)
{
    return FROM_PART(i32)(x.re);
}

CTM int64_t FROM(i64)(COMPLEX x)
{
    return FROM_PART(i64)(x.re);
}

CTM uint8_t FROM(u8)(COMPLEX x)
{
    return FROM_PART(u8)(x.re);
}

CTM uint16_t FROM(u16)(COMPLEX x)
{
    return FROM_PART(u16)(x.re);
}

CTM uint32_t FROM(u32)(COMPLEX x)
{
    return FROM_PART(u32)(x.re);
}

CTM uint64_t FROM(u64)(COMPLEX x)
{
    return FROM_PART(u64)(x.re);
}

CTM float FROM(f32)(COMPLEX x)
{
    return (float)x.re;
}

CTM double FROM(f64)(COMPLEX x)
{
    return (double)x.re;
}

CTM ct_c64 FROM(c64)(COMPLEX x)
{
    return ctm_make_c64((float)x.re, (float)x.im);
}

CTM ct_c128 FROM(c128)(COMPLEX x)
{
    return ctm_make_c128((double)x.re, (double)x.im);
}

#undef COMPLEX
#undef FROM
#undef FROM_PART
