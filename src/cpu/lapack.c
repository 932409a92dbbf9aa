/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the table of lapack.h, once, at the first factorisation. Another function of LAPACK is a
 * field there and a line here. */
#include "cpu/lapack.h"

#include "corten/base.h"
#include "cpu/blas.h"

#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct cti_lapack table;
static bool found;

/* "getrf" of s, d, c, z into four places, or of two of them. */
static bool find(void *library, const char *types, const char *name, void *functions, size_t size)
{
    char full[32];
    for (; *types; types++, functions = (char *)functions + size) {
        snprintf(full, sizeof full, "%c%s_", *types, name);
        if (!cti_blas_find(library, full, functions))
            return false;
    }
    return true;
}

static bool take(void *library)
{
    struct cti_lapack t;
    if (!find(library, "sdcz", "getrf", t.getrf, sizeof t.getrf[0]) ||
        !find(library, "sdcz", "getrs", t.getrs, sizeof t.getrs[0]) ||
        !find(library, "sd", "gesdd", t.gesdd_real, sizeof t.gesdd_real[0]) ||
        !find(library, "cz", "gesdd", t.gesdd_complex, sizeof t.gesdd_complex[0]))
        return false;
    table = t;
    return true;
}

static void open_once(void)
{
    found = cti_blas_search(take);
}

const struct cti_lapack *cti_lapack(void)
{
    pthread_once(&once, open_once);
    if (found)
        return &table;
    return ct_fail(CT_ERR_RUNTIME,
                   "linear algebra needs a LAPACK library and none was found: install the package "
                   "scipy-openblas32, or name a library in CORTEN_BLAS");
}
