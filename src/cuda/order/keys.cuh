/* SPDX-License-Identifier: BSD-3-Clause */
/* Radix-sort keys: unsigned integers with the same order as the values. For signed integers the top
 * bit is flipped, for negative floats all bits; zeros compare equal, NaN is the largest. `flip`
 * inverts all bits, for descending order. RAW is the type of a value's bits in memory, KEY that of
 * its key, BITS their width, KIND 'u' unsigned, 's' signed or 'f' float, and INFINITE the bits of
 * infinity. */
#define MAX_KEY ((KEY)(((KEY)1 << (BITS - 1)) | (((KEY)1 << (BITS - 1)) - 1)))

static __device__ __forceinline__ KEY key_of(const RAW bits, const KEY flip)
{
    const KEY top = (KEY)1 << (BITS - 1), v = bits;
    KEY key = v;
    if (KIND == 's')
        key = v ^ top;
    if (KIND == 'f') {
        const KEY size = v & (top - 1);
        key = size == 0 ? top : v & top ? ~v & MAX_KEY : v | top;
        key = size > (KEY)INFINITE ? MAX_KEY : key;
    }
    return (key ^ flip) & MAX_KEY;
}

/* The inverse of key_of. Different zeros and NaNs share a key; their bits are read from `from`. */
static __device__ __forceinline__ RAW bits_of(const KEY given, const KEY flip, const char *from)
{
    const KEY top = (KEY)1 << (BITS - 1), key = (given ^ flip) & MAX_KEY;
    if (KIND == 'u')
        return (RAW)key;
    if (KIND == 's')
        return (RAW)(key ^ top);
    if (key == top || key == MAX_KEY)
        return *(const RAW *)from;
    return (RAW)(key & top ? key ^ top : ~key & MAX_KEY);
}
