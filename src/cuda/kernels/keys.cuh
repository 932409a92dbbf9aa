/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys that sort as values do when taken as unsigned numbers: signed ones have their top bit
 * turned, negative floating ones all of them; zeros are equal, NaN is the greatest. `flip` turns
 * all bits where the order is descending. B is a value's bits in memory, K its key, BITS their
 * number, KIND 'u', 's' or 'f' and INFINITE the bits of infinity. */
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

/* The bits of the value that has a key; of keys that several values share (zeros, NaN) those at
 * `from`. */
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
