/* SPDX-License-Identifier: BSD-3-Clause */
/* The special functions of src/math against values of 22 digits, computed with 50 (mpmath): each
 * range of each approximation, and what they give at the edges. Built once for each instruction
 * set; exits with 0 when every bound holds, with 77 (skip) where the processor lacks the
 * instructions. */
#include "math/math.h"
#include "math_check.h"

#include <stdio.h>

/* A value and how far off it may be, in units of its last place. */
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
    {WORD(bessel_j0), 0.0, 1.0L, 9},
    {WORD(bessel_j0), 0x1.999999999999ap-4, 9.975015620660400320041e-1L, 9},
    {WORD(bessel_j0), -0x1.f000000000000p+0, 2.600456586758903445713e-1L, 9},
    {WORD(bessel_j0), 0x1.4000000000000p+2, -1.775967713143383043474e-1L, 9},
    {WORD(bessel_j0), 0x1.9800000000000p+4, 1.44062157546847861734e-1L, 9},
    {WORD(bessel_j0), 0x1.f440000000000p+9, 1.948655998713013737312e-2L, 9},
    {WORD(bessel_j1), 0x1.999999999999ap-4, 4.993752603624200032149e-2L, 9},
    {WORD(bessel_j1), -0x1.f000000000000p+0, -5.79969048446658940368e-1L, 9},
    {WORD(bessel_j1), 0x1.4000000000000p+2, -3.275791375914652220377e-1L, 9},
    {WORD(bessel_j1), 0x1.9800000000000p+4, -6.204853649148410172108e-2L, 9},
    {WORD(bessel_j1), 0x1.f440000000000p+9, 1.602771537320333800579e-2L, 9},
    {WORD(bessel_y0), 0x1.4f8b588e368f1p-17, -7.403160283701970080519L, 9},
    {WORD(bessel_y0), 0x1.999999999999ap-4, -1.534238651350366808268L, 9},
    {WORD(bessel_y0), 0x1.f000000000000p+0, 5.02576683644750755498e-1L, 9},
    {WORD(bessel_y0), 0x1.4000000000000p+2, -3.085176252490337800736e-1L, 9},
    {WORD(bessel_y0), 0x1.9800000000000p+4, -6.485976549878349111649e-2L, 9},
    {WORD(bessel_y0), 0x1.f440000000000p+9, 1.601797496460432690026e-2L, 9},
    {WORD(bessel_y1), 0x1.4f8b588e368f1p-17, -6.366197727536547994973e+4L, 9},
    {WORD(bessel_y1), 0x1.999999999999ap-4, -6.458951094702026637675L, 9},
    {WORD(bessel_y1), 0x1.f000000000000p+0, -1.426635085254165540736e-1L, 9},
    {WORD(bessel_y1), 0x1.4000000000000p+2, 1.478631433912268448011e-1L, 9},
    {WORD(bessel_y1), 0x1.9800000000000p+4, -1.453610587230494007103e-1L, 9},
    {WORD(bessel_y1), 0x1.f440000000000p+9, -1.94785574375217758182e-2L, 9},
    {WORD(spherical_bessel_j0_wide), 0x1.12e0be826d695p-30, 9.999999999999999998333e-1L, 2},
    {WORD(spherical_bessel_j0_wide), 0x1.999999999999ap-4, 9.983341664682815228833e-1L, 2},
    {WORD(spherical_bessel_j0_wide), -0x1.8000000000000p+1, 4.704000268662240736691e-2L, 2},
    {WORD(spherical_bessel_j0_wide), 0x1.4400000000000p+5, 8.250646341936309706159e-3L, 2},
    {WORD(spherical_bessel_j0_wide), 0x1.86a0000000000p+16, 3.574879797201650931647e-7L, 2},
    {WORD(airy_ai), -0x1.b800000000000p+4, 1.102330052599805234008e-1L, 64},
    {WORD(airy_ai), -0x1.899999999999ap+3, -2.87472080256441583621e-1L, 64},
    {WORD(airy_ai), -0x1.4666666666666p+2, 3.095259962873176916387e-1L, 64},
    {WORD(airy_ai), -0x1.399999999999ap+2, 3.745363547058387472435e-1L, 64},
    {WORD(airy_ai), -0x1.0000000000000p+0, 5.355608832923521187995e-1L, 64},
    {WORD(airy_ai), -0x1.999999999999ap-4, 3.808486681201215132081e-1L, 64},
    {WORD(airy_ai), 0x1.999999999999ap-4, 3.292031299435380987428e-1L, 64},
    {WORD(airy_ai), 0x1.e666666666666p+0, 4.05944200315295020342e-2L, 64},
    {WORD(airy_ai), 0x1.0cccccccccccdp+1, 2.995260211586652248793e-2L, 64},
    {WORD(airy_ai), 0x1.4000000000000p+2, 1.083444281360744173499e-4L, 64},
    {WORD(airy_ai), 0x1.2000000000000p+3, 2.471168430872489843289e-9L, 64},
    {WORD(airy_ai), 0x1.e000000000000p+5, 2.783148709496935537098e-136L, 64},
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
    {WORD(zeta), 0x1.8000000000000p+0, 0x1.999999999999ap-4, 3.405297551507560034694e+1L, 8},
    {WORD(zeta), 0x1.0000000000000p+1, 0x1.0000000000000p+0, 1.644934066848226436472L, 8},
    {WORD(zeta), 0x1.4000000000000p+1, 0x1.e400000000000p+4, 4.107727712624512454934e-3L, 8},
    {WORD(zeta), 0x1.8000000000000p+4, 0x1.8000000000000p+6, 1.250547756650706480872e-47L, 8},
    {WORD(zeta), 0x1.e000000000000p+5, 0x1.0000000000000p-1, 1.152921504606846976e+18L, 8},
    {WORD(zeta), 0x1.0000000000000p+2, -0x1.4000000000000p+1, 3.245797936986460373694e+1L, 8},
    {WORD(zeta), 0x1.00068db8bac71p+0, 0x1.0000000000000p+2, 9.998743960888761674514e+3L, 8},
    {WORD(polygamma_wide), 0x0.0p+0, 0x1.c000000000000p+1, 1.103156640645243187226L, 16},
    {WORD(polygamma_wide), 0x1.0000000000000p+0, 0x1.999999999999ap-3, 2.626737720542377633134e+1L,
     16},
    {WORD(polygamma_wide), 0x1.0000000000000p+0, -0x1.8000000000000p+0, 9.379246644989123753862L,
     16},
    {WORD(polygamma_wide), 0x1.0000000000000p+0, 0x1.c000000000000p+2, 1.535451779593375475835e-1L,
     16},
    {WORD(polygamma_wide), 0x1.0000000000000p+1, 0x1.0000000000000p-1, -1.68287966442343199956e+1L,
     16},
    {WORD(polygamma_wide), 0x1.8000000000000p+1, 0x1.2000000000000p+2, 3.032250854236658686531e-2L,
     16},
    {WORD(polygamma_wide), 0x1.4000000000000p+2, 0x1.4000000000000p+4, 8.484266206158230071373e-6L,
     16},
    {WORD(polygamma), 0x1.0000000000000p+0, 0x1.a2fe76a3f9475p-499, 9.999999999999999874093e+299L,
     5},
    {WORD(polygamma), 0x1.0000000000000p+0, 0x1.47ae147ae147bp-7, 1.000162121352831280379e+4L, 5},
    {WORD(polygamma), 0x1.0000000000000p+0, 0x1.0000000000000p-1, 4.934802200544679309417L, 5},
    {WORD(polygamma), 0x1.0000000000000p+0, 0x1.ad126e7febe2fp+0, 8.079525193998235809774e-1L, 5},
    {WORD(polygamma), 0x1.0000000000000p+0, 0x1.ff5c28f5c28f6p+2, 1.333142456598575963477e-1L, 5},
    {WORD(polygamma), 0x1.0000000000000p+0, 0x1.0051eb851eb85p+3, 1.329602536530094415213e-1L, 5},
    {WORD(polygamma), 0x1.0000000000000p+0, 0x1.f440000000000p+9, 9.999999166666958333103e-4L, 5},
    {WORD(polygamma), 0x1.0000000000000p+0, 0x1.7e43c8800759cp+996, 9.999999999999999474952e-301L,
     5},
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
    {WORD(mvlgamma), 0x1.4000000000000p+1, 0x1.0000000000000p+0, 2.846828704729191596325e-1L, 8},
    {WORD(mvlgamma), 0x1.4000000000000p+1, 0x1.0000000000000p+1, 8.570478133976192467042e-1L, 8},
    {WORD(mvlgamma), 0x1.e800000000000p+4, 0x1.4000000000000p+2, 3.536121604721386167108e+2L, 8},
    {WORD(igamma), 0x1.4f8b588e368f1p-17, 0x1.0000000000000p-1, 9.999944022347145773398e-1L, 64},
    {WORD(igamma), 0x1.3333333333333p-2, 0x1.999999999999ap-3, 6.575067242697217370479e-1L, 64},
    {WORD(igamma), 0x1.0000000000000p-1, 0x1.0000000000000p+1, 9.544997361036415855994e-1L, 64},
    {WORD(igamma), 0x1.8000000000000p+1, 0x1.0000000000000p+0, 8.030139707139419601119e-2L, 64},
    {WORD(igamma), 0x1.8000000000000p+1, 0x1.2000000000000p+3, 9.937678048936226827504e-1L, 64},
    {WORD(igamma), 0x1.9000000000000p+4, 0x1.4000000000000p+4, 1.567726218262377263808e-1L, 64},
    {WORD(igamma), 0x1.9000000000000p+4, 0x1.0800000000000p+5, 9.358186456004982904438e-1L, 64},
    {WORD(igamma), 0x1.9000000000000p+9, 0x1.8b00000000000p+9, 3.657091170033106239581e-1L, 64},
    {WORD(igamma), 0x1.7700000000000p+11, 0x1.8380000000000p+11, 9.649999863009536422631e-1L, 64},
    {WORD(igammac), 0x1.4f8b588e368f1p-17, 0x1.0000000000000p-1, 5.597765285422660213445e-6L, 256},
    {WORD(igammac), 0x1.3333333333333p-2, 0x1.999999999999ap-3, 3.424932757302782629521e-1L, 256},
    {WORD(igammac), 0x1.0000000000000p-1, 0x1.0000000000000p+1, 4.550026389635841440057e-2L, 256},
    {WORD(igammac), 0x1.8000000000000p+1, 0x1.0000000000000p+0, 9.196986029286058039888e-1L, 256},
    {WORD(igammac), 0x1.8000000000000p+1, 0x1.2000000000000p+3, 6.232195106377317249631e-3L, 256},
    {WORD(igammac), 0x1.9000000000000p+4, 0x1.4000000000000p+4, 8.432273781737622736192e-1L, 256},
    {WORD(igammac), 0x1.9000000000000p+4, 0x1.e000000000000p+5, 1.095880711259977911165e-7L, 256},
    {WORD(igammac), 0x1.9000000000000p+9, 0x1.8b00000000000p+9, 6.342908829966893760419e-1L, 256},
    {WORD(igammac), 0x1.7700000000000p+11, 0x1.9000000000000p+11, 1.721862425461571077449e-4L, 256},
    {WORD(chebyshev_polynomial_t), 0x1.3333333333333p-2, 0.0, 1.0L, 32},
    {WORD(chebyshev_polynomial_t), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     9.988799999999999972466e-1L, 32},
    {WORD(chebyshev_polynomial_t), -0x1.6666666666666p-1, 0x1.4000000000000p+4,
     -9.80063928352762510019e-1L, 32},
    {WORD(chebyshev_polynomial_t), 0x1.8000000000000p+0, 0x1.8000000000000p+2, 1.61e+2L, 32},
    {WORD(chebyshev_polynomial_t), -0x1.0000000000000p+1, 0x1.8000000000000p+1, -2.6e+1L, 32},
    {WORD(chebyshev_polynomial_u), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     5.999999999999999777955e-1L, 64},
    {WORD(chebyshev_polynomial_u), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     1.013760000000000014921L, 64},
    {WORD(chebyshev_polynomial_u), -0x1.6666666666666p-1, 0x1.4000000000000p+4,
     -1.174811634460514981678L, 64},
    {WORD(chebyshev_polynomial_u), 0x1.8000000000000p+0, 0x1.8000000000000p+2, 3.77e+2L, 64},
    {WORD(chebyshev_polynomial_u), -0x1.0000000000000p+1, 0x1.8000000000000p+1, -5.6e+1L, 64},
    {WORD(chebyshev_polynomial_v), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     -4.000000000000000222045e-1L, 64},
    {WORD(chebyshev_polynomial_v), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     9.6415999999999995417e-1L, 64},
    {WORD(chebyshev_polynomial_v), -0x1.6666666666666p-1, 0x1.4000000000000p+4,
     -1.453022643185875673128L, 64},
    {WORD(chebyshev_polynomial_w), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     1.599999999999999977796L, 64},
    {WORD(chebyshev_polynomial_w), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     1.063360000000000075673L, 64},
    {WORD(chebyshev_polynomial_w), -0x1.6666666666666p-1, 0x1.4000000000000p+4,
     -8.966006257351542902292e-1L, 64},
    {WORD(shifted_chebyshev_polynomial_t), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     -4.000000000000000222045e-1L, 64},
    {WORD(shifted_chebyshev_polynomial_t), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     -8.838399999999999433342e-1L, 64},
    {WORD(shifted_chebyshev_polynomial_t), 0x1.8000000000000p-1, 0x1.4000000000000p+4, -5.0e-1L,
     64},
    {WORD(shifted_chebyshev_polynomial_t), 0x1.8000000000000p+0, 0x1.0000000000000p+2, 9.7e+1L, 64},
    {WORD(hermite_polynomial_h), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     5.999999999999999777955e-1L, 32},
    {WORD(hermite_polynomial_h), 0x1.0000000000000p-1, 0x1.8000000000000p+2, 3.1e+1L, 32},
    {WORD(hermite_polynomial_h), -0x1.8000000000000p+0, 0x1.6000000000000p+3, 3.12903e+5L, 32},
    {WORD(hermite_polynomial_he), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     2.999999999999999888978e-1L, 32},
    {WORD(hermite_polynomial_he), 0x1.0000000000000p-1, 0x1.8000000000000p+2, -4.671875L, 32},
    {WORD(hermite_polynomial_he), -0x1.8000000000000p+0, 0x1.6000000000000p+3,
     -5.14187841796875e+3L, 32},
    {WORD(laguerre_polynomial_l), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     7.000000000000000111022e-1L, 64},
    {WORD(laguerre_polynomial_l), 0x1.0000000000000p-1, 0x1.8000000000000p+2,
     -5.041449652777777777778e-1L, 64},
    {WORD(laguerre_polynomial_l), 0x1.c000000000000p+1, 0x1.6000000000000p+3,
     8.831964053957818199355e-1L, 64},
    {WORD(legendre_polynomial_p), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     2.999999999999999888978e-1L, 64},
    {WORD(legendre_polynomial_p), 0x1.0000000000000p-1, 0x1.8000000000000p+2, 3.232421875e-1L, 64},
    {WORD(legendre_polynomial_p), -0x1.8000000000000p-1, 0x1.6000000000000p+3,
     -9.641637001186609268188e-2L, 64},
    {WORD(legendre_polynomial_p), 0x1.8000000000000p+0, 0x1.0000000000000p+2, 1.40859375e+1L, 64},
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

/* Infinities and zeros exactly, NaN where nothing else makes sense. */
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
    check_edge("y0", ctm_bessel_y0_f64(0), -inf);
    check_edge("y1", ctm_bessel_y1_f64(-1), nan);
    check_edge("spherical_bessel_j0", ctm_spherical_bessel_j0_wide_f64(0), 1);
    check_edge("spherical_bessel_j0", ctm_spherical_bessel_j0_wide_f64(inf), 0);
    check_edge("airy_ai", ctm_airy_ai_f64(inf), 0);
    check_edge("airy_ai", ctm_airy_ai_f64(nan), nan);
    check_edge("erfcx", ctm_erfcx_f64(inf), 0);
    check_edge("erfcx", ctm_erfcx_f64(-inf), inf);
    check_edge("erfcx", ctm_erfcx_f64(nan), nan);
    check_edge("ndtri", ctm_ndtri_f64(0), -inf);
    check_edge("ndtri", ctm_ndtri_f64(1.5), nan);
    check_edge("digamma", ctm_digamma_f64(0.0), -inf);
    check_edge("digamma", ctm_digamma_f64(-2), nan);
    check_edge("digamma", ctm_digamma_f64(inf), inf);
    check_edge("zeta", ctm_zeta_f64(1, 2), inf);
    check_edge("zeta", ctm_zeta_f64(0.5, 2), nan);
    check_edge("zeta", ctm_zeta_f64(2.5, -0.5), nan);
    check_edge("polygamma", ctm_polygamma_wide_f64(1, -3), inf);
    check_edge("polygamma", ctm_polygamma_wide_f64(2, 0), -inf);
    check_edge("igamma", ctm_igamma_f64(0, 1), 1);
    check_edge("igamma", ctm_igamma_f64(2, inf), 1);
    check_edge("igamma", ctm_igamma_f64(-1, 1), nan);
    check_edge("igamma", ctm_igamma_f64(1e30, 1e29), 0);
    check_edge("igammac", ctm_igammac_f64(2, 0), 1);
    check_edge("igammac", ctm_igammac_f64(inf, 3), 1);
    check_edge("igammac", ctm_igammac_f64(nan, 3), nan);
    check_edge("entr", ctm_entr_f64(-1), -inf);
    check_edge("hermite", ctm_hermite_polynomial_h_f64(1, 600), nan);
    check_edge("legendre", ctm_legendre_polynomial_p_f64(-1, 7), -1);
    check_edge("laguerre", ctm_laguerre_polynomial_l_f64(2, -1), 0);
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
