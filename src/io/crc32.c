/* SPDX-License-Identifier: BSD-3-Clause */
/* The checksum of zip archives and PNG files (CRC-32, reflected polynomial 0xEDB88320). Uses
 * tables, 16 bytes a step, or carry-less multiplication, 64 bytes a step, if the processor has it,
 * so that checksums do not dominate the time of reading a file. */
#include "core/check_args.h"
#include "corten/archive.h"
#include "io/file.h"

#include <pthread.h>
#include <string.h>

static uint32_t table[16][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void fill_tables(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
        table[0][i] = c;
    }
    for (int t = 1; t < 16; t++) {
        for (int i = 0; i < 256; i++)
            table[t][i] = table[t - 1][i] >> 8 ^ table[0][table[t - 1][i] & 255];
    }
}

static uint32_t by_tables(uint32_t crc, const uint8_t *p, int64_t n)
{
    for (; n >= 16; p += 16, n -= 16) {
        uint32_t c = cti_le32(p) ^ crc;
        crc = table[15][c & 255] ^ table[14][c >> 8 & 255] ^ table[13][c >> 16 & 255] ^
              table[12][c >> 24];
        for (int i = 4; i < 16; i++)
            crc ^= table[15 - i][p[i]];
    }
    for (; n > 0; p++, n--)
        crc = crc >> 8 ^ table[0][(crc ^ *p) & 255];
    return crc;
}

#if defined(__x86_64__)
typedef long long v2 __attribute__((vector_size(16)));

/* Folds the 128-bit remainder `x` forward by a distance, whose two powers of x modulo the
 * polynomial are in `k`, and adds `data`. */
#define FOLD(x, k, data)                                                                           \
    (__builtin_ia32_pclmulqdq128(x, k, 0x00) ^ __builtin_ia32_pclmulqdq128(x, k, 0x11) ^ (data))

static inline v2 load_vector(const uint8_t *p)
{
    v2 v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ" (Intel, 2009): folds
 * four 128-bit vectors forward by 512 bits each step, then into one, whose 16 bytes have the same
 * remainder and go through the tables. n: a multiple of 16 bytes, at least 64. */
__attribute__((target("pclmul,sse4.1"))) static uint32_t by_products(uint32_t crc, const uint8_t *p,
                                                                     int64_t n)
{
    const v2 by512 = {0x0154442bd4, 0x01c6e41596}, by128 = {0x01751997d0, 0x00ccaa009e};
    v2 a = load_vector(p) ^ (v2) { (long long)crc, 0 }, b = load_vector(p + 16),
       c = load_vector(p + 32), d = load_vector(p + 48);
    for (p += 64, n -= 64; n >= 64; p += 64, n -= 64) {
        a = FOLD(a, by512, load_vector(p));
        b = FOLD(b, by512, load_vector(p + 16));
        c = FOLD(c, by512, load_vector(p + 32));
        d = FOLD(d, by512, load_vector(p + 48));
    }
    b = FOLD(a, by128, b);
    c = FOLD(b, by128, c);
    d = FOLD(c, by128, d);
    for (; n >= 16; p += 16, n -= 16)
        d = FOLD(d, by128, load_vector(p));
    uint8_t rest[16];
    memcpy(rest, &d, sizeof rest);
    return by_tables(0, rest, 16);
}
#endif

uint32_t ct_crc32(uint32_t crc, const void *data, int64_t nbytes)
{
    if (!cti_check_array(data, nbytes, "ct_crc32", "data"))
        return 0;
    pthread_once(&once, fill_tables);
    const uint8_t *p = data;
    crc = ~crc;
#if defined(__x86_64__)
    if (nbytes >= 128 && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1")) {
        int64_t whole = nbytes & ~INT64_C(15);
        crc = by_products(crc, p, whole);
        p += whole;
        nbytes -= whole;
    }
#endif
    return ~by_tables(crc, p, nbytes);
}
