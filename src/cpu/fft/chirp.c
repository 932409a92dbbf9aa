/* SPDX-License-Identifier: BSD-3-Clause */
/* Bluestein's algorithm for lengths with large prime factors: since 2jk = j^2 + k^2 - (k - j)^2, a
 * transform is a convolution with a chirp, exp(pi i j^2 / n), computed by transforms of a smooth
 * length. Computes in float64 for both types. Called by fft.c for one line at a time. */
#include "core/interrupt.h"
#include "cpu/fft/fft.h"

static void read(const char *src, bool narrow, int64_t j, bool inverse, double x[2])
{
    double re = narrow ? ((const float *)(const void *)src)[2 * j]
                       : ((const double *)(const void *)src)[2 * j];
    double im = narrow ? ((const float *)(const void *)src)[2 * j + 1]
                       : ((const double *)(const void *)src)[2 * j + 1];
    x[inverse] = re;
    x[!inverse] = im;
}

static void write(char *dst, bool narrow, int64_t j, bool inverse, double scale, const double x[2])
{
    double re = x[inverse] * scale, im = x[!inverse] * scale;
    if (narrow) {
        ((float *)(void *)dst)[2 * j] = (float)re;
        ((float *)(void *)dst)[2 * j + 1] = (float)im;
    } else {
        ((double *)(void *)dst)[2 * j] = re;
        ((double *)(void *)dst)[2 * j + 1] = im;
    }
}

static void multiply_chirp(double to[2], const double a[2], const double b[2])
{
    double re = a[0] * b[0] - a[1] * b[1], im = a[0] * b[1] + a[1] * b[0];
    to[0] = re;
    to[1] = im;
}

void cti_fft_chirp(const struct cti_fft_plan *plan, bool narrow, const char *src, char *dst,
                   bool inverse, double scale, const struct cti_fft_work *work)
{
    int64_t n = plan->n, m = plan->down->n;
    const double *chirp = plan->table, *filter = plan->fine;
    double *a = (double *)(void *)work->memory, x[2];
    struct cti_fft_work inner = {.memory = work->memory + CTI_FFT_UP(16 * m, 64),
                                 .tasks = work->tasks};
    for (int64_t j = 0; j < n; j++) {
        read(src, narrow, j, inverse, x);
        multiply_chirp(a + 2 * j, x, chirp + 2 * j);
    }
    for (int64_t j = 2 * n; j < 2 * m; j++)
        a[j] = 0;
    cti_fft_line(plan->down, CT_FLOAT64, (char *)a, (char *)a, false, 1, &inner);
    if (!cti_ran())
        return;
    for (int64_t j = 0; j < m; j++)
        multiply_chirp(a + 2 * j, a + 2 * j, filter + 2 * j);
    cti_fft_line(plan->down, CT_FLOAT64, (char *)a, (char *)a, true, 1, &inner);
    for (int64_t j = 0; j < n; j++) {
        multiply_chirp(x, a + 2 * j, chirp + 2 * j);
        write(dst, narrow, j, inverse, scale, x);
    }
}
