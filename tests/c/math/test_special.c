/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the special functions of src/math, except the block functions, with values of 22 digits
 * that mpmath computed with 50: each range of each approximation, and the edges of the domains.
 * Built once per instruction set; exits with 0 if every bound holds, with 77 (skip) if the
 * processor lacks the instructions. */
#include "math/math.h"
#include "math_check.h"

#include <stdio.h>

/* A value and its error bound in ULP. */
struct value {
    const char *name;
    double (*word)(double);
    double x;
    long double want;
    double bound;
};

struct value_of_two {
    const char *name;
    double (*word)(double, double);
    double x, y;
    long double want;
    double bound;
};

#define WORD(word) #word, ctm_##word##_f64

static const struct value values[] = {
    {WORD(i0), 0.0, 1.0L, 6},
    {WORD(i0), 0x1.0624dd2f1a9fcp-10, 1.000000250000015625L, 6},
    {WORD(i0), 0x1.6666666666666p-1, 1.126303018306809181536L, 6},
    {WORD(i0), -0x1.4000000000000p+1, 3.289839144050123035706L, 6},
    {WORD(i0), 0x1.f99999999999ap+2, 3.894062832821579984278e+2L, 6},
    {WORD(i0), 0x1.0333333333333p+3, 4.695006067101214733622e+2L, 6},
    {WORD(i0), 0x1.e000000000000p+4, 7.816722978239774897174e+11L, 6},
    {WORD(i0), -0x1.2c00000000000p+8, 4.475847367935052118099e+128L, 6},
    {WORD(i0e), 0.0, 1.0L, 4},
    {WORD(i0e), 0x1.3333333333333p-2, 7.575806251825478582562e-1L, 4},
    {WORD(i0e), -0x1.0000000000000p+2, 2.070019212239866978951e-1L, 4},
    {WORD(i0e), 0x1.f99999999999ap+2, 1.443698641410419214708e-1L, 4},
    {WORD(i0e), 0x1.0333333333333p+3, 1.425118094882952836556e-1L, 4},
    {WORD(i0e), 0x1.9000000000000p+6, 3.994437929909668264756e-2L, 4},
    {WORD(i0e), 0x1.86a0000000000p+16, 1.261567837976776766898e-3L, 4},
    {WORD(i1), 0x1.79ca10c924223p-67, 4.999999999999999725766e-21L, 6},
    {WORD(i1), 0x1.0624dd2f1a9fcp-10, 5.000000625000026145751e-4L, 6},
    {WORD(i1), 0x1.6666666666666p-1, 3.718796777770086283174e-1L, 6},
    {WORD(i1), -0x1.4000000000000p+1, -2.516716245288698441528L, 6},
    {WORD(i1), 0x1.f99999999999ap+2, 3.638539440845083917439e+2L, 6},
    {WORD(i1), 0x1.0333333333333p+3, 4.394843089103584570576e+2L, 6},
    {WORD(i1), 0x1.e000000000000p+4, 7.685320389389569994943e+11L, 6},
    {WORD(i1), -0x1.2c00000000000p+8, -4.468381385036954413873e+128L, 6},
    {WORD(i1e), 0x1.79ca10c924223p-67, 4.999999999999999725716e-21L, 4},
    {WORD(i1e), 0x1.3333333333333p-2, 1.123775606398387950263e-1L, 4},
    {WORD(i1e), -0x1.0000000000000p+2, -1.787508395024353270137e-1L, 4},
    {WORD(i1e), 0x1.f99999999999ap+2, 1.348964994398937681097e-1L, 4},
    {WORD(i1e), 0x1.0333333333333p+3, 1.334006883258366326663e-1L, 4},
    {WORD(i1e), 0x1.9000000000000p+6, 3.974415302513025267364e-2L, 4},
    {WORD(i1e), 0x1.86a0000000000p+16, 1.261561530121817127341e-3L, 4},
    {WORD(modified_bessel_k0), 0x1.b7cdfd9d7bdbbp-34, 2.314178244559886925262e+1L, 8},
    {WORD(modified_bessel_k0), 0x1.47ae147ae147bp-7, 4.721244730161094944325L, 8},
    {WORD(modified_bessel_k0), 0x1.0000000000000p-1, 9.244190712276658617819e-1L, 8},
    {WORD(modified_bessel_k0), 0x1.fd70a3d70a3d7p+0, 1.153017675517767997284e-1L, 8},
    {WORD(modified_bessel_k0), 0x1.0147ae147ae14p+1, 1.125043609987280475149e-1L, 8},
    {WORD(modified_bessel_k0), 0x1.4000000000000p+2, 3.691098334042594274735e-3L, 8},
    {WORD(modified_bessel_k0), 0x1.9000000000000p+5, 3.410167749789495513921e-23L, 8},
    {WORD(modified_bessel_k0), 0x1.2c00000000000p+9, 1.355828530994852437609e-262L, 8},
    {WORD(modified_bessel_k1), 0x1.b7cdfd9d7bdbbp-34, 9.999999999999999634496e+9L, 8},
    {WORD(modified_bessel_k1), 0x1.47ae147ae147bp-7, 9.997389411829624556093e+1L, 8},
    {WORD(modified_bessel_k1), 0x1.0000000000000p-1, 1.656441120003300893696L, 8},
    {WORD(modified_bessel_k1), 0x1.fd70a3d70a3d7p+0, 1.417175616224013070206e-1L, 8},
    {WORD(modified_bessel_k1), 0x1.0147ae147ae14p+1, 1.380408773192077053331e-1L, 8},
    {WORD(modified_bessel_k1), 0x1.4000000000000p+2, 4.044613445452164208365e-3L, 8},
    {WORD(modified_bessel_k1), 0x1.9000000000000p+5, 3.444102226717555612592e-23L, 8},
    {WORD(modified_bessel_k1), 0x1.2c00000000000p+9, 1.356957918112806086854e-262L, 8},
    {WORD(scaled_modified_bessel_k0), 0x1.b7cdfd9d7bdbbp-34, 2.314178244791304749729e+1L, 8},
    {WORD(scaled_modified_bessel_k0), 0x1.0000000000000p-1, 1.524109385773909530023L, 8},
    {WORD(scaled_modified_bessel_k0), 0x1.fd70a3d70a3d7p+0, 8.434939733789928199532e-1L, 8},
    {WORD(scaled_modified_bessel_k0), 0x1.0147ae147ae14p+1, 8.396557490908678517405e-1L, 8},
    {WORD(scaled_modified_bessel_k0), 0x1.9000000000000p+5, 1.768071558574293381118e-1L, 8},
    {WORD(scaled_modified_bessel_k0), 0x1.3880000000000p+13, 1.253298471769928528839e-2L, 8},
    {WORD(scaled_modified_bessel_k1), 0x1.b7cdfd9d7bdbbp-34, 1.000000000099999963455e+10L, 8},
    {WORD(scaled_modified_bessel_k1), 0x1.0000000000000p-1, 2.731009708211785705359L, 8},
    {WORD(scaled_modified_bessel_k1), 0x1.fd70a3d70a3d7p+0, 1.036739606760863258975L, 8},
    {WORD(scaled_modified_bessel_k1), 0x1.0147ae147ae14p+1, 1.03024287433560336267L, 8},
    {WORD(scaled_modified_bessel_k1), 0x1.9000000000000p+5, 1.785665585588155746006e-1L, 8},
    {WORD(scaled_modified_bessel_k1), 0x1.3880000000000p+13, 1.253361135127050573389e-2L, 8},
    {WORD(spherical_bessel_j0_wide), 0x1.12e0be826d695p-30, 9.999999999999999998333e-1L, 2},
    {WORD(spherical_bessel_j0_wide), 0x1.999999999999ap-4, 9.983341664682815228833e-1L, 2},
    {WORD(spherical_bessel_j0_wide), -0x1.8000000000000p+1, 4.704000268662240736691e-2L, 2},
    {WORD(spherical_bessel_j0_wide), 0x1.4400000000000p+5, 8.250646341936309706159e-3L, 2},
    {WORD(spherical_bessel_j0_wide), 0x1.86a0000000000p+16, 3.574879797201650931647e-7L, 2},
    {WORD(erfcx), -0x1.a000000000000p+4, 7.657724931490568351527e+293L, 4},
    {WORD(erfcx), -0x1.6000000000000p+2, 2.744340995492970965913e+13L, 4},
    {WORD(erfcx), -0x1.0000000000000p+0, 5.00898008076228346631L, 4},
    {WORD(erfcx), -0x1.999999999999ap-4, 1.123643354199209480664L, 4},
    {WORD(erfcx), 0x1.999999999999ap-4, 8.964569799691266366634e-1L, 4},
    {WORD(erfcx), 0x1.ccccccccccccdp-1, 4.56531651323117032523e-1L, 4},
    {WORD(erfcx), 0x1.8000000000000p+1, 1.790011511813899504193e-1L, 4},
    {WORD(erfcx), 0x1.4000000000000p+3, 5.614099274382258585752e-2L, 4},
    {WORD(erfcx), 0x1.a000000000000p+4, 2.168358485056290661617e-2L, 4},
    {WORD(log_ndtr), -0x1.3400000000000p+5, -7.456952702904110813296e+2L, 16},
    {WORD(log_ndtr), -0x1.4800000000000p+4, -2.140667289632638001665e+2L, 16},
    {WORD(log_ndtr), -0x1.4000000000000p+2, -1.506499839398872573608e+1L, 16},
    {WORD(log_ndtr), -0x1.199999999999ap+0, -1.997558846986297076962L, 16},
    {WORD(log_ndtr), -0x1.ccccccccccccdp-1, -1.692492806561338201432L, 16},
    {WORD(log_ndtr), 0x1.0000000000000p-1, -3.689464152886563930656e-1L, 16},
    {WORD(log_ndtr), 0x1.4000000000000p+1, -6.229025485860002380986e-3L, 16},
    {WORD(ndtri), 0x1.b7cdfd9d7bdbbp-34, -6.3613409024040561991L, 8},
    {WORD(ndtri), 0x1.47ae147ae147bp-7, -2.326347874040841093075L, 8},
    {WORD(ndtri), 0x1.1eb851eb851ecp-4, -1.475791028179170685609L, 8},
    {WORD(ndtri), 0x1.47ae147ae147bp-4, -1.405071560309632544749L, 8},
    {WORD(ndtri), 0x1.3333333333333p-2, -5.244005127080408159695e-1L, 8},
    {WORD(ndtri), 0x1.3333333333333p-1, 2.533471031357997413247e-1L, 8},
    {WORD(ndtri), 0x1.e666666666666p-1, 1.644853626951472284276L, 8},
    {WORD(ndtri), 0x1.ff7ced916872bp-1, 3.090232306167813277758L, 8},
    {WORD(digamma), -0x1.499999999999ap+3, 4.662403493582087017508L, 12},
    {WORD(digamma), -0x1.8000000000000p+0, 7.031566406452431872257e-1L, 12},
    {WORD(digamma), -0x1.0624dd2f1a9fcp-10, 9.994211381978913337568e+2L, 12},
    {WORD(digamma), 0x1.5798ee2308c3ap-27, -1.000000005772156463599e+8L, 12},
    {WORD(digamma), 0x1.3333333333333p-2, -3.502524222200133124915L, 12},
    {WORD(digamma), 0x1.0000000000000p+0, -5.772156649015328606065e-1L, 12},
    {WORD(digamma), 0x1.4000000000000p+1, 7.031566406452431872257e-1L, 12},
    {WORD(digamma), 0x1.3cccccccccccdp+3, 2.241180316606381436548L, 12},
    {WORD(digamma), 0x1.4333333333333p+3, 2.262214357094148123556L, 12},
    {WORD(digamma), 0x1.e848000000000p+19, 1.381551005796419077077e+1L, 12},
    {WORD(lgamma_wide), -0x1.4000000000000p+1, -5.624371649767405067259e-2L, 8},
    {WORD(lgamma), 0x1.999999999999ap-4, 2.252712651734205902006L, 8},
    {WORD(lgamma), 0x1.0000000000000p-1, 5.723649429247000870717e-1L, 8},
    {WORD(lgamma), 0x1.c000000000000p+1, 1.200973602347074224816L, 8},
    {WORD(lgamma), 0x1.4800000000000p+4, 4.083150097453079810978e+1L, 8},
    {WORD(lgamma), 0x1.5600000000000p+7, 7.065730622457873471107e+2L, 8},
    {WORD(lgamma), 0x1.56e1fc2f8f359p-997, 6.907755278982137051803e+2L, 4},
    {WORD(lgamma), 0x1.3333333333333p-2, 1.095797994818075560563L, 4},
    {WORD(lgamma), 0x1.8000000000000p-1, 2.032809514312953714814e-1L, 4},
    {WORD(lgamma), 0x1.fffffff800000p-1, 5.375739798578573167873e-10L, 4},
    {WORD(lgamma), 0x1.000001ad7f29bp+0, -5.772155829918507096964e-8L, 4},
    {WORD(lgamma), 0x1.4000000000000p+0, -9.827183642181316146385e-2L, 4},
    {WORD(lgamma), 0x1.6666666666666p+0, -1.196129141723712931867e-1L, 4},
    {WORD(lgamma), 0x1.c000000000000p+0, -8.440112102048555595779e-2L, 4},
    {WORD(lgamma), 0x1.ffffffffff000p+0, -3.845201127643793891685e-13L, 4},
    {WORD(lgamma), 0x1.000000d6bf94dp+1, 4.227843666532497923203e-8L, 4},
    {WORD(lgamma), 0x1.3333333333333p+1, 2.168593224488415738765e-1L, 4},
    {WORD(lgamma), 0x1.4cccccccccccdp+1, 3.574118635489798367687e-1L, 4},
    {WORD(lgamma), 0x1.2000000000000p+2, 2.453736570842442220504L, 4},
    {WORD(lgamma), 0x1.ff5c28f5c28f6p+2, 8.505011606088481105728L, 4},
    {WORD(lgamma), 0x1.0051eb851eb85p+3, 8.545324429747732933089L, 4},
    {WORD(lgamma), 0x1.9800000000000p+4, 5.638916764371994674445e+1L, 4},
    {WORD(lgamma), 0x1.86a0000000000p+16, 1.051287708973656894901e+6L, 4},
    {WORD(lgamma), 0x1.4e718d7d7625ap+664, 4.595170185988091228652e+202L, 4},
    {WORD(lgamma_wide), -0x1.0000000000000p-2, 1.589575312551185990316L, 8},
    {WORD(lgamma_wide), -0x1.3a7fc9600f86cp+1, 5.619192358950096450913e-17L, 8},
    {WORD(lgamma_wide), -0x1.6000000000000p+2, -4.517832174007741354379L, 8},
    {WORD(lgamma_wide), -0x1.e200000000000p+4, -7.298043649278745248224e+1L, 8},
    {WORD(erfc), -0x1.8000000000000p+1, 1.999977909503001414559L, 4},
    {WORD(erfc), -0x1.8000000000000p-1, 1.711155633653515131599L, 4},
    {WORD(erfc), 0x1.79ca10c924223p-67, 9.999999999999999999887e-1L, 4},
    {WORD(erfc), 0x1.0000000000000p-2, 7.236736098317630670149e-1L, 4},
    {WORD(erfc), 0x1.f5c28f5c28f5cp-2, 4.883317388114769086711e-1L, 4},
    {WORD(erfc), 0x1.051eb851eb852p-1, 4.707563801588295632632e-1L, 4},
    {WORD(erfc), 0x1.8000000000000p-1, 2.888443663464848684011e-1L, 4},
    {WORD(erfc), 0x1.8000000000000p+0, 3.389485352468927293302e-2L, 4},
    {WORD(erfc), 0x1.8000000000000p+1, 2.209049699858544137278e-5L, 4},
    {WORD(erfc), 0x1.2000000000000p+3, 4.137031746513810238054e-37L, 4},
    {WORD(erfc), 0x1.a800000000000p+4, 2.210907664263734275929e-307L, 4},
};

static const struct value_of_two values_of_two[] = {
    {WORD(atan2), 0x1.0000000000000p-1, 0x1.0000000000000p+1, 2.449786631268641541721e-1L, 2},
    {WORD(atan2), 0x1.0000000000000p-1, 0x1.199999999999ap+0, 4.266274931268760588027e-1L, 2},
    {WORD(atan2), 0x1.199999999999ap+0, 0x1.0000000000000p-1, 1.144168833668020560429L, 2},
    {WORD(atan2), 0x1.0000000000000p+1, 0x1.0000000000000p-1, 1.325817663668032465059L, 2},
    {WORD(atan2), 0x1.0000000000000p+1, -0x1.0000000000000p-1, 1.815774989921760773403L, 2},
    {WORD(atan2), 0x1.199999999999ap+0, -0x1.0000000000000p-1, 1.997423819921772678034L, 2},
    {WORD(atan2), 0x1.0000000000000p-1, -0x1.199999999999ap+0, 2.71496516046291717966L, 2},
    {WORD(atan2), -0x1.0000000000000p-1, -0x1.0000000000000p+1, -2.896613990462929084291L, 2},
    {WORD(atan2), -0x1.0000000000000p+1, -0x1.0000000000000p-1, -1.815774989921760773403L, 2},
    {WORD(atan2), 0x1.56e1fc2f8f359p-997, 0x1.86a0000000000p+16, 1.000000000000000025059e-305L, 2},
    {WORD(atan2), 0x1.ab36d48e1acf0p+1023, 0x1.c7b1f3cac7433p+1023, 7.531512809621944019728e-1L, 2},
    {WORD(atan2), 0x0.00000000017b8p-1022, -0x0.012688b70e62bp-1022, 3.141592653289796578308L, 2},
    {WORD(atan2), 0x1.70ef54646d497p-57, -0x1.0000000000000p+0, 3.141592653589793228463L, 2},
};

static void check(const char *name, double x, double y, double got, long double want, double bound)
{
    int e;
    frexpl(want, &e);
    double ulp = (double)(fabsl((long double)got - want) / ldexpl(1, e - 53));
    if (!(ulp <= bound)) {
        fail("%s(%g, %g): %.17g is off by %g ULP, more than %g", name, x, y, got, ulp, bound);
    }
}

/* Arguments whose results must be exact infinities or zeros, or NaN outside the domain. */
static void check_edge(const char *name, double got, double want)
{
    bool same = isnan(want) ? isnan(got) : got == want;
    if (!same) {
        fail("%s: %g at an edge, not %g", name, got, want);
    }
}

static void check_edges(void)
{
    double inf = INFINITY, nan = NAN;
    check_edge("i0", ctm_i0_f64(inf), inf);
    check_edge("i0e", ctm_i0e_f64(-inf), 0);
    check_edge("i1", ctm_i1_f64(-inf), -inf);
    check_edge("i1", ctm_i1_f64(0), 0);
    check_edge("i1", ctm_i1_f64(nan), nan);
    check_edge("k0", ctm_modified_bessel_k0_f64(0), inf);
    check_edge("k0", ctm_modified_bessel_k0_f64(inf), 0);
    check_edge("k1", ctm_modified_bessel_k1_f64(-1), nan);
    check_edge("spherical_bessel_j0", ctm_spherical_bessel_j0_wide_f64(0), 1);
    check_edge("spherical_bessel_j0", ctm_spherical_bessel_j0_wide_f64(inf), 0);
    check_edge("erfcx", ctm_erfcx_f64(inf), 0);
    check_edge("erfcx", ctm_erfcx_f64(-inf), inf);
    check_edge("erfcx", ctm_erfcx_f64(nan), nan);
    check_edge("ndtri", ctm_ndtri_f64(0), -inf);
    check_edge("ndtri", ctm_ndtri_f64(1.5), nan);
    check_edge("digamma", ctm_digamma_f64(0.0), -inf);
    check_edge("digamma", ctm_digamma_f64(-2), nan);
    check_edge("digamma", ctm_digamma_f64(inf), inf);
    check_edge("entr", ctm_entr_f64(-1), -inf);
    check_edge("frexp", ctm_frexp_mantissa_f64(0x1p-1074), 0.5);
    check_edge("frexp", ctm_frexp_exponent_f64(0x1p-1074), -1073);
    check_edge("ldexp", ctm_ldexp_f64(0x1.8p500, -1500), 0x1.8p-1000);
    check_edge("logaddexp2", ctm_logaddexp2_f64(-inf, -inf), -inf);
    check_edge("nextafter", (double)ctm_nextafter_half_f32(1, 2), 1 + 0x1p-10);
    check_edge("nextafter", (double)ctm_nextafter_bfloat_f32(0, -1), -0x1p-133);
}

int main(void)
{
    if (!processor_has_it())
        return 77;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const struct value *v = &values[i];
        check(v->name, v->x, 0, v->word(v->x), v->want, v->bound);
    }
    for (size_t i = 0; i < sizeof values_of_two / sizeof *values_of_two; i++) {
        const struct value_of_two *v = &values_of_two[i];
        check(v->name, v->x, v->y, v->word(v->x, v->y), v->want, v->bound);
    }
    check_edges();
    return failures > 0;
}
