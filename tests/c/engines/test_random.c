/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the CPU's random numbers with values recorded from PyTorch 2.15: every distribution and
 * data type, lengths around the block sizes of the algorithms, saved states, strided tensors, any
 * number of threads. Exits with 0 if all agree. */
#include "../../../src/core/alloc.h"
#include "../../../src/core/parallel.h"
#include "../../../src/core/tensor.h"
#include "../../../src/cpu/engines.h"
#include "../../../src/cpu/random/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "FAILED: %s\n", what);
        failures++;
    }
}

/* ---- recorded fills ---- */

enum kind {
    UNIFORM,
    NORMAL,
    NORMAL_EACH,
    RANDINT,
    FULL,
    PERMUTATION,
    BERNOULLI_P,
    BERNOULLI_TENSOR, /* p[i] = i / n, in the data type of the result */
    EXPONENTIAL,
    CAUCHY,
    LOG_NORMAL,
    GEOMETRIC
};

static const char *const kind_name[] = {"uniform",     "normal",      "normal_each", "randint",
                                        "full",        "permutation", "bernoulli_p", "p[i]",
                                        "exponential", "cauchy",      "log_normal",  "geometric"};

struct fact {
    enum kind kind;
    enum ct_dtype dtype;
    uint64_t seed;
    int64_t skip; /* random words drawn before */
    int64_t n;
    double a, b;
    double first, second, last; /* what PyTorch drew (parts of complex numbers) */
    uint64_t hash; /* FNV-1a of all bytes; 0: not checked, because the C library's double
                    * functions may differ in the last bit */
};

static const struct fact facts[] = {
    {UNIFORM, CT_FLOAT32, 0U, 0, 1, 0, 1, 0.49625658988952637, 0.49625658988952637,
     0.49625658988952637, 0xa9231c5d75015352},
    {UNIFORM, CT_FLOAT32, 0U, 0, 15, 0, 1, 0.49625658988952637, 0.7682217955589294,
     0.2938884496688843, 0x416854df90ce0382},
    {UNIFORM, CT_FLOAT32, 0U, 0, 16, 0, 1, 0.49625658988952637, 0.7682217955589294,
     0.518521785736084, 0x355f338c445c75f8},
    {UNIFORM, CT_FLOAT32, 0U, 0, 17, 0, 1, 0.49625658988952637, 0.7682217955589294,
     0.6976675987243652, 0xfd08c14cc4f53331},
    {UNIFORM, CT_FLOAT32, 0U, 0, 31, 0, 1, 0.49625658988952637, 0.7682217955589294,
     0.3051000237464905, 0xd7d01b4fb6f0de2f},
    {UNIFORM, CT_FLOAT32, 0U, 0, 1000, 0, 1, 0.49625658988952637, 0.7682217955589294,
     0.40386343002319336, 0xfd45d9e8345f8403},
    {UNIFORM, CT_FLOAT32, 42U, 1000, 5000, 0, 1, 0.7293999791145325, 0.2728842496871948,
     0.0011609196662902832, 0x518e38f78f237939},
    {UNIFORM, CT_FLOAT32, 1099511627781U, 623, 1249, -1, 1, -0.05247950553894043,
     0.6310657262802124, -0.24950456619262695, 0x32617767fd4e5a79},
    {UNIFORM, CT_FLOAT64, 7U, 3, 1000, 0, 1, 0.2551223938032269, 0.40049158261546125,
     0.8686945563091785, 0x14f1a4a5d404ea23},
    {UNIFORM, CT_FLOAT64, 7U, 3, 31, 0.37, 2.9, 1.0154596563221638, 1.3832437040171168,
     2.5577067289987863, 0x4e5cd5419cb90d64},
    {UNIFORM, CT_FLOAT16, 7U, 3, 1000, 0, 1, 0.65673828125, 0.2327880859375, 0.26513671875,
     0x9e14427908c5db29},
    {UNIFORM, CT_FLOAT16, 7U, 3, 31, 0.37, 2.9, 2.03125, 0.958984375, 1.8095703125,
     0x2dc2928959d827da},
    {UNIFORM, CT_BFLOAT16, 7U, 3, 1000, 0, 1, 0.65625, 0.232421875, 0.265625, 0xc41288a78469e23e},
    {UNIFORM, CT_BFLOAT16, 7U, 3, 31, 0.37, 2.9, 2.03125, 0.95703125, 1.8125, 0x4f1abd2a387a0e5e},
    {UNIFORM, CT_COMPLEX64, 7U, 3, 1000, 0, 1, 0.6568902730941772, 0.23276156187057495,
     0.69514399766922, 0xd8e6ca902df7f96f},
    {UNIFORM, CT_COMPLEX64, 7U, 3, 31, 0.37, 2.9, 2.0319325923919678, 0.9588868021965027,
     1.2061153650283813, 0x17a576d53c39e17d},
    {UNIFORM, CT_COMPLEX128, 7U, 3, 1000, 0, 1, 0.2551223938032269, 0.40049158261546125,
     0.9975341468908534, 0x7181053af9b876e0},
    {UNIFORM, CT_COMPLEX128, 7U, 3, 31, 0.37, 2.9, 1.0154596563221638, 1.3832437040171168,
     2.5402754075037395, 0x374fa2ca53c2a598},
    {NORMAL, CT_FLOAT32, 0U, 0, 16, 0, 1, -1.1258398294448853, -1.152360200881958,
     -0.2472781538963318, 0x28d49f8f92bf21d6},
    {NORMAL, CT_FLOAT32, 0U, 0, 17, 0, 1, -1.1258398294448853, -1.6959311962127686,
     0.9318265914916992, 0x9151e09be6bcf07a},
    {NORMAL, CT_FLOAT32, 0U, 0, 31, 0, 1, -1.1258398294448853, -1.152360200881958,
     -1.4688938856124878, 0x3e39671abab4a234},
    {NORMAL, CT_FLOAT32, 0U, 0, 1000, 0, 1, -1.1258398294448853, -1.152360200881958,
     -0.5861721038818359, 0x31ae67821ca5077e},
    {NORMAL, CT_FLOAT32, 0U, 0, 5000, 0, 1, -1.1258398294448853, -1.152360200881958,
     0.4101420044898987, 0x6fe2a0f85a02442f},
    {NORMAL, CT_FLOAT32, 9U, 1000, 1000, 1.5, 0.25, 2.04744029045105, 1.1529356241226196,
     1.3888980150222778, 0xc629d323b5346caf},
    {NORMAL, CT_FLOAT16, 3U, 1, 31, 0, 1, 0.35986328125, -0.7822265625, 0.485107421875,
     0xb669895045bedf5b},
    {NORMAL, CT_BFLOAT16, 3U, 1, 31, 0, 1, 0.359375, -0.78125, 0.484375, 0xf695530dd796cd19},
    {NORMAL, CT_COMPLEX64, 3U, 1, 31, 0, 1, 0.2544746696949005, -0.5529693961143494,
     -0.6347932815551758, 0x98c53b557e46af98},
    {NORMAL, CT_FLOAT32, 0U, 0, 1, 0, 1, 1.5409960746765137, 1.5409960746765137, 1.5409960746765137,
     0},
    {NORMAL, CT_FLOAT32, 0U, 0, 2, 0, 1, 1.5409960746765137, -0.293428897857666, -0.293428897857666,
     0},
    {NORMAL, CT_FLOAT32, 0U, 0, 15, 0, 1, 1.5409960746765137, -0.293428897857666,
     -1.0711873769760132, 0},
    {NORMAL, CT_FLOAT64, 3U, 1, 1, 2, 3, 3.170433362333471, 3.170433362333471, 3.170433362333471,
     0},
    {NORMAL, CT_FLOAT64, 3U, 1, 7, 2, 3, 3.170433362333471, 0.26736417345520014, 3.0709408127059934,
     0},
    {NORMAL, CT_FLOAT64, 3U, 1, 15, 2, 3, 3.170433362333471, 0.26736417345520014, 4.820832280947078,
     0},
    {NORMAL, CT_FLOAT64, 3U, 1, 17, 2, 3, -2.818723846295227, 1.4296600623658473,
     -2.285940107671226, 0},
    {NORMAL, CT_FLOAT64, 3U, 1, 1000, 2, 3, -2.818723846295227, 4.090864142088002,
     0.4619552652020016, 0},
    {NORMAL, CT_COMPLEX128, 3U, 1, 1, 2, 3, 2.8276213674329687, 0.7748414577234134,
     0.7748414577234134, 0},
    {NORMAL, CT_COMPLEX128, 3U, 1, 7, 2, 3, 2.8276213674329687, 0.7748414577234134,
     1.9589873167166327, 0},
    {NORMAL, CT_COMPLEX128, 3U, 1, 15, 2, 3, -1.4073523083806776, 3.4784642134102186,
     3.8933199503063793, 0},
    {NORMAL, CT_COMPLEX128, 3U, 1, 17, 2, 3, -1.4073523083806776, 3.4784642134102186,
     2.0938545983351937, 0},
    {NORMAL, CT_COMPLEX128, 3U, 1, 1000, 2, 3, -1.4073523083806776, 3.4784642134102186,
     2.421476322615391, 0},
    {NORMAL_EACH, CT_FLOAT32, 3U, 1, 40, 2, 3, 3.170433282852173, 0.26736417412757874,
     5.807987213134766, 0},
    {RANDINT, CT_BOOL, 11U, 5, 1000, 0, 2, 1, 1, 1, 0xf5ee0a3ad51d2316},
    {RANDINT, CT_UINT8, 11U, 5, 1000, 0, 256, 183, 13, 149, 0x9ba7dfd8632ac964},
    {RANDINT, CT_INT8, 11U, 5, 1000, -128, 128, 55, -115, 21, 0xd946d04d4f156b64},
    {RANDINT, CT_INT16, 11U, 5, 1000, -5, 1000, 382, 111, 230, 0x8a97dabdcc7cb5b5},
    {RANDINT, CT_INT32, 11U, 5, 1000, -2147483648, 2147483648, 966083853, -342722911, -422077376,
     0x8410b76c4b425de0},
    {RANDINT, CT_INT64, 11U, 5, 1000, 0, 10, 7, 1, 5, 0x68b34fce916f524c},
    {RANDINT, CT_INT64, 11U, 5, 1000, -1125899906842624, 4503599627370496, -686405674777331,
     247718338524833, 404140968090688, 0x5432ade90f8bbc8a},
    {RANDINT, CT_UINT16, 11U, 5, 1000, 1, 60000, 34143, 39395, 935, 0x57870b9b9c53c068},
    {RANDINT, CT_UINT32, 11U, 5, 1000, 0, 4294967296, 3113567501, 1804760737, 1725406272,
     0xec0d3db08d5d34e0},
    {RANDINT, CT_UINT64, 11U, 5, 1000, 3, 1099511627776, 789102352829, 328268896583, 620239654032,
     0x04c7049a14aa2f8e},
    {RANDINT, CT_FLOAT16, 11U, 5, 1000, -2048, 65000, 43360, 57472, 51136, 0x109cba5768f5e5e3},
    {RANDINT, CT_BFLOAT16, 11U, 5, 1000, -100000, 999, -736, -37120, -28928, 0xd9ffbdbb193aba5f},
    {RANDINT, CT_FLOAT32, 11U, 5, 1000, 0, 268435456, 28413928, 160777664, 214497440,
     0x1829b96a0d56aacb},
    {RANDINT, CT_FLOAT64, 11U, 5, 1000, -3, 268435455, 56839898, 125194438, 36285769,
     0x361fb448463c88a0},
    {FULL, CT_BOOL, 12U, 0, 700, 0, 0, 1, 1, 1, 0xfcf3edf7606fe5f2},
    {FULL, CT_UINT8, 12U, 0, 700, 0, 0, 75, 155, 91, 0xb3d86f12545bbd40},
    {FULL, CT_INT8, 12U, 0, 700, 0, 0, 75, 27, 91, 0x7c88b60eb1012240},
    {FULL, CT_INT16, 12U, 0, 700, 0, 0, 14155, 5787, 19035, 0xc6dfe48a65cc944e},
    {FULL, CT_INT32, 12U, 0, 700, 0, 0, 662124363, 1916507803, 757942875, 0xcebc3ec538755b76},
    {FULL, CT_INT64, 12U, 0, 700, 0, 0, 2.84380248688634e+18, 4.428135226074877e+18,
     6.289450097792441e+18, 0x7185ccddf72e2ca3},
    {FULL, CT_FLOAT16, 12U, 0, 700, 0, 0, 258, 241, 1383, 0xa559ccd394de1460},
    {FULL, CT_BFLOAT16, 12U, 0, 700, 0, 0, 100, 207, 17, 0x017cd339073339f0},
    {FULL, CT_FLOAT32, 12U, 0, 700, 0, 0, 7812900, 3905065, 2968110, 0x95c2f5c048ccddc6},
    {FULL, CT_FLOAT64, 12U, 0, 700, 0, 0, 6534721642927456, 5600391997048594, 2425017983228410,
     0x3ec51c94de47fe95},
    {PERMUTATION, CT_INT64, 13U, 2, 1, 0, 0, 0, 0, 0, 0xa8c7f832281a39c5},
    {PERMUTATION, CT_INT64, 13U, 2, 2, 0, 0, 0, 1, 1, 0x692558b056101a44},
    {PERMUTATION, CT_INT64, 13U, 2, 10, 0, 0, 4, 3, 2, 0x241b6d976f605c84},
    {PERMUTATION, CT_INT64, 13U, 2, 1000, 0, 0, 754, 912, 199, 0x2a9f7d7a2f09ad45},
    {PERMUTATION, CT_INT64, 13U, 2, 100003, 0, 0, 1148, 67155, 41214, 0xf1c5b83b091f0395},
    {PERMUTATION, CT_INT32, 13U, 2, 5000, 0, 0, 1754, 4372, 3090, 0xe904928a740bcf85},
    {PERMUTATION, CT_INT16, 13U, 2, 3000, 0, 0, 754, 2800, 1766, 0xc3c5497c297c0cf5},
    {PERMUTATION, CT_UINT8, 13U, 2, 255, 0, 0, 214, 201, 170, 0x1354f184b628d5d0},
    {PERMUTATION, CT_FLOAT16, 13U, 2, 2049, 0, 0, 1870, 1553, 1921, 0x420459f4656ab15b},
    {PERMUTATION, CT_BFLOAT16, 13U, 2, 257, 0, 0, 93, 17, 132, 0xbd1328eaf75106ad},
    {PERMUTATION, CT_FLOAT32, 13U, 2, 4000, 0, 0, 3754, 18, 2467, 0x508b2260ac7d375c},
    {PERMUTATION, CT_FLOAT64, 13U, 2, 4000, 0, 0, 3754, 18, 2467, 0x81250457c92ff224},
    {BERNOULLI_P, CT_FLOAT32, 14U, 0, 1000, 0.3, 0, 0, 0, 0, 0x97fb42a020403ce5},
    {BERNOULLI_P, CT_BOOL, 14U, 0, 1000, 0.3, 0, 0, 0, 0, 0x6b97a3c21a9d2b5d},
    {BERNOULLI_P, CT_INT64, 14U, 0, 1000, 0.3, 0, 0, 0, 0, 0x8e1b52df813176a5},
    {BERNOULLI_P, CT_FLOAT16, 14U, 0, 1000, 0.3, 0, 0, 0, 0, 0xd160b85cc5ff3425},
    {BERNOULLI_TENSOR, CT_FLOAT32, 15U, 0, 1000, 0, 0, 0, 0, 1, 0x90f73869c4f61ce5},
    {BERNOULLI_TENSOR, CT_FLOAT64, 15U, 0, 1000, 0, 0, 0, 0, 1, 0x8804aa255725c985},
    {BERNOULLI_TENSOR, CT_FLOAT16, 15U, 0, 1000, 0, 0, 0, 0, 1, 0x603d0b15f958dfa5},
    {BERNOULLI_TENSOR, CT_BFLOAT16, 15U, 0, 1000, 0, 0, 0, 0, 1, 0x07c572fbf41c5f68},
    {EXPONENTIAL, CT_FLOAT64, 16U, 0, 100, 1.5, 0, 0.2379067067778186, 0.38480304582237823,
     0.21745897292461971, 0},
    {EXPONENTIAL, CT_FLOAT32, 16U, 0, 100, 1.5, 0, 0.23790670931339264, 0.38480305671691895,
     0.21745897829532623, 0},
    {CAUCHY, CT_FLOAT64, 16U, 0, 100, 0.5, 2, -0.9518415768297777, 0.10892666314343769,
     -1.1722862828485434, 0},
    {CAUCHY, CT_FLOAT32, 16U, 0, 100, 0.5, 2, -0.9518415927886963, 0.10892666131258011,
     -1.1722862720489502, 0},
    {LOG_NORMAL, CT_FLOAT64, 16U, 0, 100, 0.5, 0.7, 1.3060467451246514, 3.37064457886586,
     2.765583713056089, 0},
    {LOG_NORMAL, CT_FLOAT32, 16U, 0, 100, 0.5, 0.7, 1.306046724319458, 3.3706445693969727,
     2.7655837535858154, 0},
    {GEOMETRIC, CT_FLOAT64, 16U, 0, 100, 0.2, 0, 6, 4, 6, 0},
    {GEOMETRIC, CT_FLOAT32, 16U, 0, 100, 0.2, 0, 6, 4, 6, 0},
};

static uint64_t hash_of(const void *data, int64_t nbytes)
{
    uint64_t hash = 0xcbf29ce484222325U; /* FNV-1a */
    for (int64_t i = 0; i < nbytes; i++)
        hash = (hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3U;
    return hash;
}

static float of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

static double of_half(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    double x = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return half & 0x8000 ? -x : x;
}

/* Element i as a double; complex numbers count as two. */
static double value_at(enum ct_dtype dtype, const void *data, int64_t i)
{
    switch (dtype) {
    case CT_BOOL:
    case CT_UINT8:
        return ((const uint8_t *)data)[i];
    case CT_INT8:
        return ((const int8_t *)data)[i];
    case CT_INT16:
        return ((const int16_t *)data)[i];
    case CT_INT32:
        return ((const int32_t *)data)[i];
    case CT_INT64:
        return (double)((const int64_t *)data)[i];
    case CT_UINT16:
        return ((const uint16_t *)data)[i];
    case CT_UINT32:
        return ((const uint32_t *)data)[i];
    case CT_UINT64:
        return (double)((const uint64_t *)data)[i];
    case CT_FLOAT8_E4M3FN ... CT_FLOAT8_E8M0FNU:
        return (double)ct_float8_value(((const uint8_t *)data)[i], dtype);
    case CT_FLOAT16:
        return of_half(((const uint16_t *)data)[i]);
    case CT_BFLOAT16:
        return of_bits((uint32_t)((const uint16_t *)data)[i] << 16);
    case CT_FLOAT32:
    case CT_COMPLEX64:
        return ((const float *)data)[i];
    case CT_FLOAT64:
    case CT_COMPLEX128:
    case CT_COMPLEX32:
        return ((const double *)data)[i];
    case CT_NO_DTYPE:
    case CT_DTYPE_COUNT:
        break;
    }
    return NAN;
}

static void set_probabilities(enum ct_dtype dtype, void *p, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        float x = (float)i / (float)n;
        uint32_t bits;
        memcpy(&bits, &x, 4);
        if (dtype == CT_FLOAT64)
            ((double *)p)[i] = x;
        else if (dtype == CT_FLOAT32)
            ((float *)p)[i] = x;
        else if (dtype == CT_BFLOAT16)
            ((uint16_t *)p)[i] = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
        else /* round to nearest, ties to even */
            for (uint16_t h = 0; h <= 0x3c00; h++) {
                double low = of_half(h), high = of_half((uint16_t)(h + 1)),
                       middle = (low + high) / 2;
                if (x < middle || (x == (float)middle && h % 2 == 0)) {
                    ((uint16_t *)p)[i] = h;
                    break;
                }
            }
    }
}

static void fill(ct_generator *g, const struct fact *f, void *dst)
{
    switch (f->kind) {
    case UNIFORM:
        cti_cpu_random_uniform(g, f->dtype, dst, f->n, f->a, f->b);
        break;
    case NORMAL:
        cti_cpu_random_normal(g, f->dtype, dst, f->n, f->a, f->b);
        break;
    case NORMAL_EACH:
        cti_cpu_random_normal_each(g, f->dtype, dst, f->n, f->a, f->b);
        break;
    case RANDINT:
        cti_cpu_random_randint(g, f->dtype, dst, f->n, (int64_t)f->a, (int64_t)f->b);
        break;
    case FULL:
        cti_cpu_random_full(g, f->dtype, dst, f->n);
        break;
    case PERMUTATION:
        cti_cpu_random_permutation(g, f->dtype, dst, f->n);
        break;
    case BERNOULLI_P:
        cti_cpu_random_bernoulli_p(g, f->dtype, dst, f->n, f->a);
        break;
    case BERNOULLI_TENSOR: {
        double p[1000];
        set_probabilities(f->dtype, p, f->n);
        check(cti_cpu_random_bernoulli_tensor(g, f->dtype, dst, f->dtype, p, f->n), "valid p");
        break;
    }
    case EXPONENTIAL:
        cti_cpu_random_exponential(g, f->dtype, dst, f->n, f->a);
        break;
    case CAUCHY:
        cti_cpu_random_cauchy(g, f->dtype, dst, f->n, f->a, f->b);
        break;
    case LOG_NORMAL:
        cti_cpu_random_log_normal(g, f->dtype, dst, f->n, f->a, f->b);
        break;
    case GEOMETRIC:
        cti_cpu_random_geometric(g, f->dtype, dst, f->n, f->a);
        break;
    }
}

static void skip(ct_generator *g, int64_t words)
{
    float unused[1000];
    cti_cpu_random_uniform(g, CT_FLOAT32, unused, words, 0, 1);
}

static void test_facts(ct_generator *g)
{
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++) {
        const struct fact *f = &facts[k];
        int64_t nbytes = f->n * cti_itemsize(f->dtype);
        bool complex = f->dtype == CT_COMPLEX64 || f->dtype == CT_COMPLEX128;
        int64_t last = f->n * (complex ? 2 : 1) - 1;
        char *dst = calloc((size_t)nbytes + 8, 1);
        char name[100];
        snprintf(name, sizeof name, "row %zu: %s, data type %d, n %lld", k, kind_name[f->kind],
                 (int)f->dtype, (long long)f->n);
        memset(dst + nbytes, 0x5a, 8);
        cti_generator_manual_seed(g, f->seed);
        skip(g, f->skip);
        fill(g, f, dst);
        int64_t place[3] = {0, last > 0 ? 1 : 0, last};
        bool single = f->dtype == CT_FLOAT32 || f->dtype == CT_COMPLEX64;
        for (int i = 0; i < 3; i++) {
            double value = value_at(f->dtype, dst, place[i]);
            double seen = i == 0 ? f->first : i == 1 ? f->second : f->last;
            double allowed = f->hash ? 0 : fabs(seen) * (single ? 0x1p-23 : 0x1p-50);
            if (!(fabs(value - seen) <= allowed))
                fprintf(stderr, "  %.17g, PyTorch %.17g\n", value, seen);
            check(fabs(value - seen) <= allowed, name);
        }
        check(!f->hash || hash_of(dst, nbytes) == f->hash, name);
        check(dst[nbytes] == 0x5a && dst[nbytes + 7] == 0x5a, "nothing written past the end");
        free(dst);
    }
}

/* ---- states ---- */

static void test_state(ct_generator *g)
{
    uint8_t state[CTI_GENERATOR_STATE_BYTES], other[CTI_GENERATOR_STATE_BYTES];
    float x[5];
    cti_generator_manual_seed(g, 21);
    check(cti_generator_initial_seed(g) == 21, "initial_seed");
    cti_generator_get_state(g, state);
    check(hash_of(state, sizeof state) == 0x2ad77bc2d8c91560U, "state of a fresh seed");
    cti_cpu_random_normal(g, CT_FLOAT32, x, 3, 0, 1);
    cti_cpu_random_uniform(g, CT_FLOAT32, x, 5, 0, 1);
    cti_generator_get_state(g, state);
    check(hash_of(state, sizeof state) == 0xa96a4608593a2a02U, "state after a cached normal");

    ct_generator *copy = cti_generator_clone(g);
    cti_generator_manual_seed(g, 1);
    check(cti_generator_set_state(g, state, sizeof state), "set_state");
    cti_generator_get_state(copy, other);
    check(memcmp(state, other, sizeof state) == 0, "clone has the same state");
    for (int round = 0; round < 2; round++) {
        ct_generator *from = round ? copy : g;
        cti_cpu_random_normal(from, CT_FLOAT32, x, 2, 0, 1);
        cti_cpu_random_uniform(from, CT_FLOAT32, x + 2, 3, 0, 1);
        static const float seen[5] = {-0.19291412830352783f, 0.15477588772773743f,
                                      0.0342290997505188f, 0.3993681073188782f,
                                      0.7182756066322327f};
        for (int i = 0; i < 5; i++)
            check(fabsf(x[i] - seen[i]) <= fabsf(seen[i]) * 0x1p-23f, "continues as PyTorch");
    }
    cti_generator_release(copy);

    ct_clear_error();
    check(!cti_generator_set_state(g, state, 5055), "a short state is refused");
    check(ct_error() && strstr(ct_error(), "of size 5056 but found the input RNG state size to be "
                                           "5055"),
          "text of a short state");
    ct_clear_error();
    memset(other, 0, sizeof other);
    check(!cti_generator_set_state(g, other, sizeof other), "zeros are refused");
    check(ct_error() && strcmp(ct_error(), "Invalid mt19937 state") == 0, "text of zeros");
    ct_clear_error();
    cti_generator_get_state(g, other);
    check(cti_generator_set_state(g, other, sizeof other), "its own state");

    cti_alloc_fail_after(1);
    check(!cti_generator_new() && ct_error_kind() == CT_ERR_OUT_OF_MEMORY, "no memory: new");
    ct_clear_error();
    cti_alloc_fail_after(1);
    check(!cti_generator_clone(g) && ct_error_kind() == CT_ERR_OUT_OF_MEMORY, "no memory: clone");
    ct_clear_error();
    ct_generator *fresh = cti_generator_new();
    check(cti_generator_initial_seed(fresh) == 67280421310721U, "the default seed");
    check(cti_generator_seed(fresh) == cti_generator_initial_seed(fresh), "a seed of the system");
    cti_generator_release(cti_generator_retain(fresh));
    cti_generator_release(fresh);
    check(cti_generator_default() == cti_generator_default(), "one default generator");
}

/* ---- bad probabilities ---- */

static void test_bad_p(ct_generator *g)
{
    float p[700], dst[700], next, after;
    for (int i = 0; i < 700; i++)
        p[i] = 0.5f;
    p[650] = NAN;
    cti_generator_manual_seed(g, 2);
    check(!cti_cpu_random_bernoulli_tensor(g, CT_FLOAT32, dst, CT_FLOAT32, p, 700), "p = NaN");
    cti_cpu_random_uniform(g, CT_FLOAT32, &next, 1, 0, 1);
    cti_generator_manual_seed(g, 2);
    skip(g, 650);
    cti_cpu_random_uniform(g, CT_FLOAT32, &after, 1, 0, 1);
    check(next == after, "the elements before a bad p are drawn");
}

/* ---- strided tensors ---- */

static ct_tensor tensor_on(ct_storage *s, int ndim, int64_t *shape, int64_t *stride,
                           bool contiguous)
{
    ct_tensor t = {.refs = 1,
                   .dtype = CT_FLOAT32,
                   .ndim = (uint8_t)ndim,
                   .storage = s,
                   .numel = 1,
                   .shape = shape,
                   .stride = stride,
                   .flags = contiguous ? CTI_CONTIGUOUS : 0};
    for (int i = 0; i < ndim; i++)
        t.numel *= shape[i];
    return t;
}

static void test_strided(ct_generator *g)
{
    float data[40] = {0}, q[3] = {0.9f, 0.1f, 0.5f};
    ct_storage s = {.refs = 1, .data = (char *)data, .nbytes = sizeof data};
    ct_storage s_q = {.refs = 1, .data = (char *)q, .nbytes = sizeof q};
    struct cti_random work = {.kind = CTI_RANDOM_UNIFORM, .generator = g, .b = 1};

    /* zeros(2, 3, 4).permute(2, 0, 1).uniform_() fills in memory order */
    ct_tensor t = tensor_on(&s, 3, (int64_t[]){4, 2, 3}, (int64_t[]){1, 12, 4}, false);
    work.out = &t;
    cti_generator_manual_seed(g, 1);
    check(cti_cpu_random(&work), "permuted");
    check(data[20] == 0.31379687786102295f && data[23] == 0.2843296527862549f, "permuted values");

    /* zeros(4, 6)[:, ::2].uniform_() */
    memset(data, 0, sizeof data);
    t = tensor_on(&s, 2, (int64_t[]){4, 3}, (int64_t[]){6, 2}, false);
    cti_generator_manual_seed(g, 1);
    cti_alloc_fail_after(1);
    check(!cti_cpu_random(&work) && ct_error_kind() == CT_ERR_OUT_OF_MEMORY, "no memory");
    ct_clear_error();
    check(cti_cpu_random(&work), "strided");
    check(data[18] == 0.4387779235839844f && data[19] == 0 && data[22] == 0.524665892124176f,
          "strided values");

    /* zeros(20, 2).t().normal_() draws one number after the other, although the size is over 15 */
    t = tensor_on(&s, 2, (int64_t[]){2, 20}, (int64_t[]){1, 2}, false);
    work.kind = CTI_RANDOM_NORMAL;
    cti_generator_manual_seed(g, 1);
    check(cti_cpu_random(&work), "normal of a transposed tensor");
    check(fabsf(data[38] + 0.8029409646987915f) < 1e-6f &&
              fabsf(data[39] - 0.2365746796131134f) < 1e-6f,
          "normal of a transposed tensor: values");

    /* zeros(4, 3).t().bernoulli_(q[:, None].expand(3, 4)) */
    static const float coins[12] = {1, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0};
    t = tensor_on(&s, 2, (int64_t[]){3, 4}, (int64_t[]){1, 3}, false);
    ct_tensor p = tensor_on(&s_q, 2, (int64_t[]){3, 4}, (int64_t[]){1, 0}, false);
    work.kind = CTI_RANDOM_BERNOULLI_TENSOR;
    work.p = &p;
    cti_generator_manual_seed(g, 1);
    check(cti_cpu_random(&work), "coins with expanded p");
    check(memcmp(data, coins, sizeof coins) == 0, "coins with expanded p: values");
}

/* ---- threads ---- */

/* Large fills may use several threads; the values and the final state must not change. */
static void test_threads(ct_generator *g)
{
    const int64_t n = 1500000 + 7;
    static const struct fact large[] = {
        {.kind = UNIFORM, .dtype = CT_FLOAT32, .b = 1},
        {.kind = UNIFORM, .dtype = CT_FLOAT64, .b = 1},
        {.kind = NORMAL, .dtype = CT_FLOAT32, .b = 1},
        {.kind = NORMAL, .dtype = CT_FLOAT64, .b = 1},
        {.kind = NORMAL, .dtype = CT_BFLOAT16, .b = 1},
        {.kind = RANDINT, .dtype = CT_INT32, .b = 77},
        {.kind = BERNOULLI_P, .dtype = CT_BOOL, .a = 0.25},
        {.kind = PERMUTATION, .dtype = CT_INT64},
    };
    char *one = malloc((size_t)n * 8), *many = malloc((size_t)n * 8);
    int threads = cti_parallel_threads();
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        struct fact f = large[k];
        uint8_t state[2][CTI_GENERATOR_STATE_BYTES];
        f.n = n;
        for (int round = 0; round < 2; round++) {
            cti_parallel_set_threads(round ? 4 : 1);
            cti_generator_manual_seed(g, 5);
            skip(g, 100);
            fill(g, &f, round ? many : one);
            cti_generator_get_state(g, state[round]);
        }
        check(memcmp(one, many, (size_t)(n * cti_itemsize(f.dtype))) == 0, kind_name[f.kind]);
        check(memcmp(state[0], state[1], sizeof state[0]) == 0, "state after several threads");
    }
    cti_parallel_set_threads(threads);
    free(one);
    free(many);
}

int main(void)
{
    ct_generator *g = cti_generator_new();
    test_facts(g);
    test_state(g);
    test_bad_p(g);
    test_strided(g);
    test_threads(g);
    cti_generator_release(g);
    return failures != 0;
}
