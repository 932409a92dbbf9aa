/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the block functions of src/math with values of 22 digits that mpmath computed with 60:
 * each algorithm and range, the edges of the domains, and independence of neighbouring elements.
 * Built once per instruction set; exits with 0 if every bound holds, with 77 (skip) if the
 * processor lacks the instructions. */
#include "math/math.h"
#include "math_check.h"

#include <stdio.h>

typedef void block(double *out, const double (*in)[CTM_BLOCK], int count);

/* A value and its error bound in ULP; the bound is 0 at edges, whose values are infinite, NaN or
 * exact. */
struct value {
    const char *name;
    block *word;
    double x, y;
    long double want;
    double bound;
};

#define BLOCK(word) #word, ctm_##word##_block_f64
#define INF INFINITY

static const struct value values[] = {
    {BLOCK(bessel_j0), 0.0, 0, 1.0L, 9},
    {BLOCK(bessel_j0), 0x1.999999999999ap-4, 0, 9.975015620660400320041e-1L, 9},
    {BLOCK(bessel_j0), -0x1.f000000000000p+0, 0, 2.600456586758903445713e-1L, 9},
    {BLOCK(bessel_j0), 0x1.4000000000000p+2, 0, -1.775967713143383043474e-1L, 9},
    {BLOCK(bessel_j0), 0x1.9800000000000p+4, 0, 1.44062157546847861734e-1L, 9},
    {BLOCK(bessel_j0), 0x1.f440000000000p+9, 0, 1.948655998713013737312e-2L, 9},
    {BLOCK(bessel_j0), 0x1.56e1fc2f8f359p-997, 0, 1.0L, 16},
    {BLOCK(bessel_j0), 0x1.2000000000000p+1, 0, 8.274985128873403655451e-2L, 16},
    {BLOCK(bessel_j0), 0x1.a666666666666p+1, 0, -3.442962603988845981917e-1L, 16},
    {BLOCK(bessel_j0), 0x1.9000000000000p+2, 0, 2.130900530766607273176e-1L, 16},
    {BLOCK(bessel_j0), 0x1.f99999999999ap+2, 0, 1.943618448412782396948e-1L, 16},
    {BLOCK(bessel_j0), 0x1.0333333333333p+3, 0, 1.475174540443776702987e-1L, 16},
    {BLOCK(bessel_j0), 0x1.6600000000000p+5, 0, 1.192446336402706873891e-1L, 16},
    {BLOCK(bessel_j0), 0x1.312d000000000p+23, 0, -8.683734864191701746339e-5L, 16},
    {BLOCK(bessel_j0), 0x1.550f7dca70000p+51, 0, 1.076251895138757177177e-8L, 16},
    {BLOCK(bessel_j0), 0x1.33d152e971b3ep+1, 0, 4.000079511364664180175e-16L, 4},
    {BLOCK(bessel_j1), 0x1.999999999999ap-4, 0, 4.993752603624200032149e-2L, 9},
    {BLOCK(bessel_j1), -0x1.f000000000000p+0, 0, -5.79969048446658940368e-1L, 9},
    {BLOCK(bessel_j1), 0x1.4000000000000p+2, 0, -3.275791375914652220377e-1L, 9},
    {BLOCK(bessel_j1), 0x1.9800000000000p+4, 0, -6.204853649148410172108e-2L, 9},
    {BLOCK(bessel_j1), 0x1.f440000000000p+9, 0, 1.602771537320333800579e-2L, 9},
    {BLOCK(bessel_j1), 0x1.56e1fc2f8f359p-997, 0, 5.000000000000000125295e-301L, 16},
    {BLOCK(bessel_j1), 0x1.2000000000000p+1, 0, 5.483783566469601622021e-1L, 16},
    {BLOCK(bessel_j1), 0x1.a666666666666p+1, 0, 2.206634529852411557355e-1L, 16},
    {BLOCK(bessel_j1), 0x1.9000000000000p+2, 0, -2.207208775392372699655e-1L, 16},
    {BLOCK(bessel_j1), 0x1.f99999999999ap+2, 0, 2.191793999217512032734e-1L, 16},
    {BLOCK(bessel_j1), 0x1.0333333333333p+3, 0, 2.476077669815928766344e-1L, 16},
    {BLOCK(bessel_j1), 0x1.6600000000000p+5, 0, -1.111388342462127296976e-3L, 64},
    {BLOCK(bessel_j1), 0x1.312d000000000p+23, 0, 2.368992403120578529683e-4L, 16},
    {BLOCK(bessel_j1), 0x1.550f7dca70000p+51, 0, -9.81706558041745529054e-9L, 16},
    {BLOCK(bessel_j1), 0x1.ea75575af6f09p+1, 0, -6.149807356994906091388e-17L, 4},
    {BLOCK(bessel_y0), 0x1.4f8b588e368f1p-17, 0, -7.403160283701970080519L, 9},
    {BLOCK(bessel_y0), 0x1.999999999999ap-4, 0, -1.534238651350366808268L, 9},
    {BLOCK(bessel_y0), 0x1.f000000000000p+0, 0, 5.02576683644750755498e-1L, 9},
    {BLOCK(bessel_y0), 0x1.4000000000000p+2, 0, -3.085176252490337800736e-1L, 9},
    {BLOCK(bessel_y0), 0x1.9800000000000p+4, 0, -6.485976549878349111649e-2L, 9},
    {BLOCK(bessel_y0), 0x1.f440000000000p+9, 0, 1.601797496460432690026e-2L, 9},
    {BLOCK(bessel_y0), 0x1.56e1fc2f8f359p-997, 0, -4.39835163622765331733e+2L, 16},
    {BLOCK(bessel_y0), 0x1.2000000000000p+1, 0, 5.20064762457278272715e-1L, 16},
    {BLOCK(bessel_y0), 0x1.a666666666666p+1, 0, 2.690919950545338439317e-1L, 16},
    {BLOCK(bessel_y0), 0x1.9000000000000p+2, 0, -2.369354623790496636169e-1L, 16},
    {BLOCK(bessel_y0), 0x1.f99999999999ap+2, 0, 2.06520948144375768586e-1L, 16},
    {BLOCK(bessel_y0), 0x1.0333333333333p+3, 0, 2.380913287022348086293e-1L, 16},
    {BLOCK(bessel_y0), 0x1.6600000000000p+5, 0, -2.443412157815997242343e-3L, 16},
    {BLOCK(bessel_y0), 0x1.312d000000000p+23, 0, 2.368992446539249889401e-4L, 16},
    {BLOCK(bessel_y0), 0x1.550f7dca70000p+51, 0, -9.817065580417457084294e-9L, 16},
    {BLOCK(bessel_y1), 0x1.4f8b588e368f1p-17, 0, -6.366197727536547994973e+4L, 9},
    {BLOCK(bessel_y1), 0x1.999999999999ap-4, 0, -6.458951094702026637675L, 9},
    {BLOCK(bessel_y1), 0x1.f000000000000p+0, 0, -1.426635085254165540736e-1L, 9},
    {BLOCK(bessel_y1), 0x1.4000000000000p+2, 0, 1.478631433912268448011e-1L, 9},
    {BLOCK(bessel_y1), 0x1.9800000000000p+4, 0, -1.453610587230494007103e-1L, 9},
    {BLOCK(bessel_y1), 0x1.f440000000000p+9, 0, -1.94785574375217758182e-2L, 9},
    {BLOCK(bessel_y1), 0x1.56e1fc2f8f359p-997, 0, -6.366197723675813271224e+299L, 16},
    {BLOCK(bessel_y1), 0x1.2000000000000p+1, 0, 2.719205773801713803448e-2L, 16},
    {BLOCK(bessel_y1), 0x1.a666666666666p+1, 0, 3.878529310237098869414e-1L, 16},
    {BLOCK(bessel_y1), 0x1.9000000000000p+2, 0, -2.325897416925122077658e-1L, 16},
    {BLOCK(bessel_y1), 0x1.f99999999999ap+2, 0, -1.817210772805731276538e-1L, 16},
    {BLOCK(bessel_y1), 0x1.0333333333333p+3, 0, -1.331487959524959261481e-1L, 16},
    {BLOCK(bessel_y1), 0x1.6600000000000p+5, 0, -1.192793683928699676364e-1L, 16},
    {BLOCK(bessel_y1), 0x1.312d000000000p+23, 0, 8.68373604868793587063e-5L, 16},
    {BLOCK(bessel_y1), 0x1.550f7dca70000p+51, 0, -1.076251895138757340795e-8L, 16},
    {BLOCK(airy_ai), -0x1.b800000000000p+4, 0, 1.102330052599805234008e-1L, 64},
    {BLOCK(airy_ai), -0x1.899999999999ap+3, 0, -2.87472080256441583621e-1L, 64},
    {BLOCK(airy_ai), -0x1.4666666666666p+2, 0, 3.095259962873176916387e-1L, 64},
    {BLOCK(airy_ai), -0x1.399999999999ap+2, 0, 3.745363547058387472435e-1L, 64},
    {BLOCK(airy_ai), -0x1.0000000000000p+0, 0, 5.355608832923521187995e-1L, 64},
    {BLOCK(airy_ai), -0x1.999999999999ap-4, 0, 3.808486681201215132081e-1L, 64},
    {BLOCK(airy_ai), 0x1.999999999999ap-4, 0, 3.292031299435380987428e-1L, 64},
    {BLOCK(airy_ai), 0x1.e666666666666p+0, 0, 4.05944200315295020342e-2L, 64},
    {BLOCK(airy_ai), 0x1.0cccccccccccdp+1, 0, 2.995260211586652248793e-2L, 64},
    {BLOCK(airy_ai), 0x1.4000000000000p+2, 0, 1.083444281360744173499e-4L, 64},
    {BLOCK(airy_ai), 0x1.2000000000000p+3, 0, 2.471168430872489843289e-9L, 64},
    {BLOCK(airy_ai), 0x1.e000000000000p+5, 0, 2.783148709496935537098e-136L, 64},
    {BLOCK(airy_ai), -0x1.c000000000000p+1, 0, -3.755338231404319119344e-1L, 64},
    {BLOCK(airy_ai), -0x1.999999999999ap+0, 0, 4.298629767691351455634e-1L, 64},
    {BLOCK(airy_ai), -0x1.6666666666666p+0, 0, 4.917001810612907498966e-1L, 64},
    {BLOCK(airy_ai), 0x1.4484bfeebc2a0p-100, 0, 3.550280538878172392601e-1L, 64},
    {BLOCK(zeta), 0x1.8000000000000p+0, 0x1.999999999999ap-4, 3.405297551507560034694e+1L, 8},
    {BLOCK(zeta), 0x1.0000000000000p+1, 0x1.0000000000000p+0, 1.644934066848226436472L, 8},
    {BLOCK(zeta), 0x1.4000000000000p+1, 0x1.e400000000000p+4, 4.107727712624512454934e-3L, 8},
    {BLOCK(zeta), 0x1.8000000000000p+4, 0x1.8000000000000p+6, 1.250547756650706480872e-47L, 8},
    {BLOCK(zeta), 0x1.e000000000000p+5, 0x1.0000000000000p-1, 1.152921504606846976e+18L, 8},
    {BLOCK(zeta), 0x1.0000000000000p+2, -0x1.4000000000000p+1, 3.245797936986460373694e+1L, 8},
    {BLOCK(zeta), 0x1.00068db8bac71p+0, 0x1.0000000000000p+2, 9.998743960888761674514e+3L, 8},
    {BLOCK(polygamma), 0x1.c000000000000p+1, 0x0.0p+0, 1.103156640645243187226L, 16},
    {BLOCK(polygamma), 0x1.999999999999ap-3, 0x1.0000000000000p+0, 2.626737720542377633134e+1L, 16},
    {BLOCK(polygamma), -0x1.8000000000000p+0, 0x1.0000000000000p+0, 9.379246644989123753862L, 16},
    {BLOCK(polygamma), 0x1.c000000000000p+2, 0x1.0000000000000p+0, 1.535451779593375475835e-1L, 16},
    {BLOCK(polygamma), 0x1.0000000000000p-1, 0x1.0000000000000p+1, -1.68287966442343199956e+1L, 16},
    {BLOCK(polygamma), 0x1.2000000000000p+2, 0x1.8000000000000p+1, 3.032250854236658686531e-2L, 16},
    {BLOCK(polygamma), 0x1.4000000000000p+4, 0x1.4000000000000p+2, 8.484266206158230071373e-6L, 16},
    {BLOCK(polygamma), 0x1.a2fe76a3f9475p-499, 0x1.0000000000000p+0, 9.999999999999999874093e+299L,
     5},
    {BLOCK(polygamma), 0x1.47ae147ae147bp-7, 0x1.0000000000000p+0, 1.000162121352831280379e+4L, 5},
    {BLOCK(polygamma), 0x1.0000000000000p-1, 0x1.0000000000000p+0, 4.934802200544679309417L, 5},
    {BLOCK(polygamma), 0x1.ad126e7febe2fp+0, 0x1.0000000000000p+0, 8.079525193998235809774e-1L, 5},
    {BLOCK(polygamma), 0x1.ff5c28f5c28f6p+2, 0x1.0000000000000p+0, 1.333142456598575963477e-1L, 5},
    {BLOCK(polygamma), 0x1.0051eb851eb85p+3, 0x1.0000000000000p+0, 1.329602536530094415213e-1L, 5},
    {BLOCK(polygamma), 0x1.f440000000000p+9, 0x1.0000000000000p+0, 9.999999166666958333103e-4L, 5},
    {BLOCK(polygamma), 0x1.7e43c8800759cp+996, 0x1.0000000000000p+0, 9.999999999999999474952e-301L,
     5},
    {BLOCK(polygamma), -0x1.0000000000000p-2, 0x1.0000000000000p+0, 1.85418796476716064984e+1L, 8},
    {BLOCK(polygamma), -0x1.e000000000000p+2, 0x1.0000000000000p+0, 9.744766282170432596842L, 8},
    {BLOCK(polygamma), -0x1.f440000000000p+9, 0x1.0000000000000p+0, 9.868605400173441423313L, 8},
    {BLOCK(mvlgamma), 0x1.4000000000000p+1, 0x1.0000000000000p+0, 2.846828704729191596325e-1L, 8},
    {BLOCK(mvlgamma), 0x1.4000000000000p+1, 0x1.0000000000000p+1, 8.570478133976192467042e-1L, 8},
    {BLOCK(mvlgamma), 0x1.e800000000000p+4, 0x1.4000000000000p+2, 3.536121604721386167108e+2L, 8},
    {BLOCK(igamma), 0x1.4f8b588e368f1p-17, 0x1.0000000000000p-1, 9.999944022347145773398e-1L, 8},
    {BLOCK(igamma), 0x1.3333333333333p-2, 0x1.999999999999ap-3, 6.575067242697217370479e-1L, 8},
    {BLOCK(igamma), 0x1.0000000000000p-1, 0x1.0000000000000p+1, 9.544997361036415855994e-1L, 8},
    {BLOCK(igamma), 0x1.8000000000000p+1, 0x1.0000000000000p+0, 8.030139707139419601119e-2L, 8},
    {BLOCK(igamma), 0x1.8000000000000p+1, 0x1.2000000000000p+3, 9.937678048936226827504e-1L, 8},
    {BLOCK(igamma), 0x1.9000000000000p+4, 0x1.4000000000000p+4, 1.567726218262377263808e-1L, 8},
    {BLOCK(igamma), 0x1.9000000000000p+4, 0x1.0800000000000p+5, 9.358186456004982904438e-1L, 8},
    {BLOCK(igamma), 0x1.9000000000000p+9, 0x1.8b00000000000p+9, 3.657091170033106239581e-1L, 8},
    {BLOCK(igamma), 0x1.7700000000000p+11, 0x1.8380000000000p+11, 9.649999863009536422631e-1L, 8},
    {BLOCK(igamma), 0x1.5000000000000p+4, 0x1.e000000000000p+3, 8.297091003146023210182e-2L, 8},
    {BLOCK(igamma), 0x1.5000000000000p+4, 0x1.b000000000000p+4, 8.985315898999131395294e-1L, 8},
    {BLOCK(igamma), 0x1.9000000000000p+5, 0x1.6800000000000p+5, 2.468020344001702727144e-1L, 8},
    {BLOCK(igamma), 0x1.9000000000000p+5, 0x1.e000000000000p+5, 9.155933189063081703773e-1L, 8},
    {BLOCK(igamma), 0x1.86a0000000000p+16, 0x1.863c000000000p+16, 3.7627489275434331207e-1L, 8},
    {BLOCK(igamma), 0x1.86a0000000000p+16, 0x1.87cc000000000p+16, 8.286363112512076476686e-1L, 8},
    {BLOCK(igamma), 0x1.4f8b588e368f1p-17, 0x1.8000000000000p+0, 9.999989997908392745535e-1L, 8},
    {BLOCK(igamma), 0x1.e000000000000p+2, 0x1.c000000000000p+1, 4.235025266744880897047e-2L, 8},
    {BLOCK(igamma), 0x1.1000000000000p+3, 0x1.c000000000000p+1, 1.645109915132128901491e-2L, 8},
    {BLOCK(igamma), 0x1.0000000000000p-1, 0x1.4000000000000p+1, 9.746526813225317360684e-1L, 8},
    {BLOCK(igamma), 0x1.2000000000000p+3, 0x1.4000000000000p+4, 9.979127409508649811978e-1L, 8},
    {BLOCK(igammac), 0x1.4f8b588e368f1p-17, 0x1.0000000000000p-1, 5.597765285422660213445e-6L, 8},
    {BLOCK(igammac), 0x1.3333333333333p-2, 0x1.999999999999ap-3, 3.424932757302782629521e-1L, 8},
    {BLOCK(igammac), 0x1.0000000000000p-1, 0x1.0000000000000p+1, 4.550026389635841440057e-2L, 8},
    {BLOCK(igammac), 0x1.8000000000000p+1, 0x1.0000000000000p+0, 9.196986029286058039888e-1L, 8},
    {BLOCK(igammac), 0x1.8000000000000p+1, 0x1.2000000000000p+3, 6.232195106377317249631e-3L, 8},
    {BLOCK(igammac), 0x1.9000000000000p+4, 0x1.4000000000000p+4, 8.432273781737622736192e-1L, 8},
    {BLOCK(igammac), 0x1.9000000000000p+4, 0x1.e000000000000p+5, 1.095880711259977911165e-7L, 8},
    {BLOCK(igammac), 0x1.9000000000000p+9, 0x1.8b00000000000p+9, 6.342908829966893760419e-1L, 8},
    {BLOCK(igammac), 0x1.7700000000000p+11, 0x1.9000000000000p+11, 1.721862425461571077449e-4L, 8},
    {BLOCK(igammac), 0x1.5000000000000p+4, 0x1.e000000000000p+3, 9.170290899685397678982e-1L, 8},
    {BLOCK(igammac), 0x1.5000000000000p+4, 0x1.b000000000000p+4, 1.014684101000868604706e-1L, 8},
    {BLOCK(igammac), 0x1.9000000000000p+5, 0x1.6800000000000p+5, 7.531979655998297272856e-1L, 8},
    {BLOCK(igammac), 0x1.9000000000000p+5, 0x1.e000000000000p+5, 8.440668109369182962266e-2L, 8},
    {BLOCK(igammac), 0x1.86a0000000000p+16, 0x1.863c000000000p+16, 6.2372510724565668793e-1L, 8},
    {BLOCK(igammac), 0x1.86a0000000000p+16, 0x1.87cc000000000p+16, 1.713636887487923523314e-1L, 8},
    {BLOCK(igammac), 0x1.4f8b588e368f1p-17, 0x1.8000000000000p+0, 1.000209160725446485427e-6L, 8},
    {BLOCK(igammac), 0x1.e000000000000p+2, 0x1.c000000000000p+1, 9.576497473325511910295e-1L, 8},
    {BLOCK(igammac), 0x1.1000000000000p+3, 0x1.c000000000000p+1, 9.835489008486787109851e-1L, 8},
    {BLOCK(igammac), 0x1.0000000000000p-1, 0x1.4000000000000p+1, 2.53473186774682639316e-2L, 8},
    {BLOCK(igammac), 0x1.2000000000000p+3, 0x1.4000000000000p+4, 2.087259049135018802216e-3L, 8},
    {BLOCK(chebyshev_polynomial_t), 0x1.3333333333333p-2, 0.0, 1.0L, 32},
    {BLOCK(chebyshev_polynomial_t), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     9.988799999999999972466e-1L, 32},
    {BLOCK(chebyshev_polynomial_t), -0x1.6666666666666p-1, 0x1.4000000000000p+4,
     -9.80063928352762510019e-1L, 32},
    {BLOCK(chebyshev_polynomial_t), 0x1.8000000000000p+0, 0x1.8000000000000p+2, 1.61e+2L, 32},
    {BLOCK(chebyshev_polynomial_t), -0x1.0000000000000p+1, 0x1.8000000000000p+1, -2.6e+1L, 32},
    {BLOCK(chebyshev_polynomial_u), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     5.999999999999999777955e-1L, 64},
    {BLOCK(chebyshev_polynomial_u), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     1.013760000000000014921L, 64},
    {BLOCK(chebyshev_polynomial_u), -0x1.6666666666666p-1, 0x1.4000000000000p+4,
     -1.174811634460514981678L, 64},
    {BLOCK(chebyshev_polynomial_u), 0x1.8000000000000p+0, 0x1.8000000000000p+2, 3.77e+2L, 64},
    {BLOCK(chebyshev_polynomial_u), -0x1.0000000000000p+1, 0x1.8000000000000p+1, -5.6e+1L, 64},
    {BLOCK(chebyshev_polynomial_v), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     -4.000000000000000222045e-1L, 64},
    {BLOCK(chebyshev_polynomial_v), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     9.6415999999999995417e-1L, 64},
    {BLOCK(chebyshev_polynomial_v), -0x1.6666666666666p-1, 0x1.4000000000000p+4,
     -1.453022643185875673128L, 64},
    {BLOCK(chebyshev_polynomial_w), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     1.599999999999999977796L, 64},
    {BLOCK(chebyshev_polynomial_w), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     1.063360000000000075673L, 64},
    {BLOCK(chebyshev_polynomial_w), -0x1.6666666666666p-1, 0x1.4000000000000p+4,
     -8.966006257351542902292e-1L, 64},
    {BLOCK(shifted_chebyshev_polynomial_t), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     -4.000000000000000222045e-1L, 64},
    {BLOCK(shifted_chebyshev_polynomial_t), 0x1.3333333333333p-2, 0x1.4000000000000p+2,
     -8.838399999999999433342e-1L, 64},
    {BLOCK(shifted_chebyshev_polynomial_t), 0x1.8000000000000p-1, 0x1.4000000000000p+4, -5.0e-1L,
     64},
    {BLOCK(shifted_chebyshev_polynomial_t), 0x1.8000000000000p+0, 0x1.0000000000000p+2, 9.7e+1L,
     64},
    {BLOCK(hermite_polynomial_h), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     5.999999999999999777955e-1L, 32},
    {BLOCK(hermite_polynomial_h), 0x1.0000000000000p-1, 0x1.8000000000000p+2, 3.1e+1L, 32},
    {BLOCK(hermite_polynomial_h), -0x1.8000000000000p+0, 0x1.6000000000000p+3, 3.12903e+5L, 32},
    {BLOCK(hermite_polynomial_he), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     2.999999999999999888978e-1L, 32},
    {BLOCK(hermite_polynomial_he), 0x1.0000000000000p-1, 0x1.8000000000000p+2, -4.671875L, 32},
    {BLOCK(hermite_polynomial_he), -0x1.8000000000000p+0, 0x1.6000000000000p+3,
     -5.14187841796875e+3L, 32},
    {BLOCK(laguerre_polynomial_l), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     7.000000000000000111022e-1L, 64},
    {BLOCK(laguerre_polynomial_l), 0x1.0000000000000p-1, 0x1.8000000000000p+2,
     -5.041449652777777777778e-1L, 64},
    {BLOCK(laguerre_polynomial_l), 0x1.c000000000000p+1, 0x1.6000000000000p+3,
     8.831964053957818199355e-1L, 64},
    {BLOCK(legendre_polynomial_p), 0x1.3333333333333p-2, 0x1.0000000000000p+0,
     2.999999999999999888978e-1L, 64},
    {BLOCK(legendre_polynomial_p), 0x1.0000000000000p-1, 0x1.8000000000000p+2, 3.232421875e-1L, 64},
    {BLOCK(legendre_polynomial_p), -0x1.8000000000000p-1, 0x1.6000000000000p+3,
     -9.641637001186609268188e-2L, 64},
    {BLOCK(legendre_polynomial_p), 0x1.8000000000000p+0, 0x1.0000000000000p+2, 1.40859375e+1L, 64},
    {BLOCK(legendre_polynomial_p), 0.5, 5000, -0.003137912767623458226377L, 65536},
    {BLOCK(laguerre_polynomial_l), 0.5, 5000, 0.02611617420736010530918L, 1048576},
};

static const struct value edges[] = {
    {BLOCK(bessel_j0), 0, 0, 1, 0},
    {BLOCK(bessel_j0), -INF, 0, 0, 0},
    {BLOCK(bessel_j1), 0, 0, 0, 0},
    {BLOCK(bessel_y0), 0, 0, -INF, 0},
    {BLOCK(bessel_y0), INF, 0, 0, 0},
    {BLOCK(bessel_y1), -1, 0, NAN, 0},
    {BLOCK(bessel_y1), NAN, 0, NAN, 0},
    {BLOCK(airy_ai), INF, 0, 0, 0},
    {BLOCK(airy_ai), -INF, 0, NAN, 0},
    {BLOCK(airy_ai), NAN, 0, NAN, 0},
    {BLOCK(zeta), 1, 2, INF, 0},
    {BLOCK(zeta), 0.5, 2, NAN, 0},
    {BLOCK(zeta), 2.5, -0.5, NAN, 0},
    {BLOCK(zeta), 2, -3, INF, 0},
    {BLOCK(zeta), 2, INF, 0, 0},
    {BLOCK(polygamma), -3, 1, INF, 0},
    {BLOCK(polygamma), -INF, 1, NAN, 0},
    {BLOCK(polygamma), 0, 2, -INF, 0},
    {BLOCK(igamma), 0, 1, 1, 0},
    {BLOCK(igamma), 2, INF, 1, 0},
    {BLOCK(igamma), -1, 1, NAN, 0},
    {BLOCK(igamma), 1e30, 1e29, 0, 0},
    {BLOCK(igamma), 3, 1e300, 1, 0},
    {BLOCK(igammac), 2, 0, 1, 0},
    {BLOCK(igammac), INF, 3, 1, 0},
    {BLOCK(igammac), NAN, 3, NAN, 0},
    {BLOCK(igammac), 1e-300, 1e308, 0, 0},
    {BLOCK(chebyshev_polynomial_t), -1, 7, -1, 0},
    {BLOCK(chebyshev_polynomial_u), -1, 1e15, 1e15L + 1, 0},
    {BLOCK(chebyshev_polynomial_v), 0.5, NAN, 0, 0},
    {BLOCK(chebyshev_polynomial_w), 1, 4.75, 9, 0},
    {BLOCK(chebyshev_polynomial_t), 2, 1e18, NAN, 0},
    {BLOCK(hermite_polynomial_h), 1, 600, NAN, 0},
    {BLOCK(legendre_polynomial_p), -1, 7, -1, 0},
    {BLOCK(laguerre_polynomial_l), 2, -1, 0, 0},
    {BLOCK(laguerre_polynomial_l), 0, 1e18, 1, 0},
};

static void check(const struct value *v, double got)
{
    double want = (double)v->want;
    if (v->bound <= 0) {
        bool same = isnan(want) ? isnan(got) : got == want;
        if (!same)
            fail("%s(%g, %g): %g at an edge, not %g", v->name, v->x, v->y, got, want);
        return;
    }
    int e;
    frexpl(v->want, &e);
    double ulp = (double)(fabsl((long double)got - v->want) / ldexpl(1, e - 53));
    if (!(ulp <= v->bound))
        fail("%s(%g, %g): %.17g is off by %g ULP", v->name, v->x, v->y, got, ulp);
}

/* Tests each value alone, and in a block with the following values of the same function (and, for
 * polygamma and mvlgamma, of the same integer argument). */
static void check_all(const struct value *v, size_t n)
{
    static double in[2][CTM_BLOCK], alone[CTM_LANES], among[CTM_BLOCK];
    for (size_t k = 0; k < n; k++) {
        for (int i = 0; i < CTM_LANES; i++) {
            in[0][i] = v[k].x;
            in[1][i] = v[k].y;
        }
        v[k].word(alone, (const double(*)[CTM_BLOCK])in, CTM_LANES);
        check(&v[k], alone[0]);
        for (size_t i = 0; i < CTM_BLOCK; i++) {
            const struct value *other = &v[(k + i) % n];
            bool fixed =
                v[k].word == ctm_polygamma_block_f64 || v[k].word == ctm_mvlgamma_block_f64;
            bool joins = other->word == v[k].word && !(fixed && other->y != v[k].y);
            in[0][i] = joins ? other->x : v[k].x;
            in[1][i] = joins ? other->y : v[k].y;
        }
        v[k].word(among, (const double(*)[CTM_BLOCK])in, CTM_BLOCK);
        if (ctm_bits_f64(among[0]) != ctm_bits_f64(alone[0]))
            fail("%s(%g, %g): %.17g alone and %.17g among others", v[k].name, v[k].x, v[k].y,
                 alone[0], among[0]);
    }
}

int main(void)
{
    if (!processor_has_it())
        return 77;
    check_all(values, sizeof values / sizeof *values);
    check_all(edges, sizeof edges / sizeof *edges);
    return failures > 0;
}
