/* SPDX-License-Identifier: BSD-3-Clause */
/* Radix-sort keys: unsigned integers that order as the values do. Signed values have their top bit
 * flipped, negative floats all bits; zeros compare equal, NaN is greatest. `flip` inverts all bits
 * for descending order. B is a value's bit pattern in memory, K its key, BITS their width, KIND
 * 'u', 's' or 'f', and INFINITE the bits of infinity. */
static __device__ __forceinline__ K key_of(const B bits, const K flip)
{
    const K top = (K)1 << (BITS - 1), most = top | (top - 1), v = bits;
    K key = v;
    if (KIND == 's')
        key = v ^ top;
    if (KIND == 'f') {
        const K size = v & (top - 1);
        key = size == 0 ? top : v & top ? ~v & most : v | top;
        key = size > (K)INFINITE ? most : key;
    }
    return (key ^ flip) & most;
}

/* The inverse of key_of. Keys that several values share (zeros, NaN) are read back from `from`. */
static __device__ __forceinline__ B bits_of(const K given, const K flip, const char *from)
{
    const K top = (K)1 << (BITS - 1), most = top | (top - 1), key = (given ^ flip) & most;
    if (KIND == 'u')
        return (B)key;
    if (KIND == 's')
        return (B)(key ^ top);
    if (key == top || key == most)
        return *(const B *)from;
    return (B)(key & top ? key ^ top : ~key & most);
}
