/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the table of lapack.h at the first factorisation. To use another LAPACK function, add a
 * field there and a line here. */
#define _GNU_SOURCE /* dladdr */
#include "cpu/factor/lapack.h"

#include "corten/base.h"
#include "cpu/blas.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static struct cti_lapack table;
static bool found;      /* atomic */
static char title[512]; /* the library's name, version and file */

/* Finds a function such as "getrf" for each of the given types: "sdcz", or two of them. */
static bool lapack_find(void *library, const char *types, const char *name, void *functions)
{
    char full[32];
    for (; *types; types++, functions = (char *)functions + sizeof(void (*)(void))) {
        snprintf(full, sizeof full, "%c%s_", *types, name);
        if (!cti_blas_find(library, full, functions))
            return false;
    }
    return true;
}

static void find_name(void *library)
{
    char *(*config)(void);
    void (*mkl)(char *text, int length);
    void (*version)(int *major, int *minor, int *patch);
    char text[200] = "LAPACK";
    int v[3];
    Dl_info file;
    if (cti_blas_find(library, "openblas_get_config", &config)) {
        snprintf(text, sizeof text, "%s", config()); /* name, version, and how it was built */
        char *end = strchr(text, ' ');
        end = end ? strchr(end + 1, ' ') : NULL;
        if (end)
            *end = '\0';
    } else if (cti_blas_find(library, "MKL_Get_Version_String", &mkl)) {
        mkl(text, (int)sizeof text - 1);
        text[strcspn(text, "\n")] = '\0';
    } else if (cti_blas_find(library, "ilaver_", &version)) {
        version(&v[0], &v[1], &v[2]);
        snprintf(text, sizeof text, "reference LAPACK %d.%d.%d", v[0], v[1], v[2]);
    }
    void *function;
    memcpy(&function, &table.getrf[0], sizeof function);
    bool known = dladdr(function, &file) && file.dli_fname;
    snprintf(title, sizeof title, "%s (%s)", text, known ? file.dli_fname : "no file");
}

/* Accepts a library if it has all functions. Called by one thread at a time. */
static bool lapack_take(void *library)
{
    struct cti_lapack t;
    if (found)
        return true;
    const struct {
        const char *types, *name;
        void *functions; /* a pointer for each type */
    } wanted[] = {
        {"sdcz", "getrf", t.getrf},       {"sdcz", "getrs", t.getrs},
        {"sdcz", "getri", t.getri},       {"sdcz", "potrf", t.potrf},
        {"sdcz", "potri", t.potri},       {"sdcz", "potrs", t.potrs},
        {"sdcz", "gemm", t.gemm},         {"sdcz", "laswp", t.laswp},
        {"sdcz", "trsm", t.trsm},         {"sdcz", "geqrf", t.geqrf},
        {"sd", "orgqr", t.orgqr},         {"cz", "ungqr", t.orgqr + 2},
        {"sd", "ormqr", t.ormqr},         {"cz", "unmqr", t.ormqr + 2},
        {"sdcz", "larft", t.larft},       {"sdcz", "larfb", t.larfb},
        {"sdcz", "sytrf", t.sytrf},       {"cz", "hetrf", t.hetrf},
        {"sdcz", "sytrs", t.sytrs},       {"cz", "hetrs", t.hetrs},
        {"sdcz", "gels", t.gels},         {"sd", "gelsy", t.gelsy_real},
        {"cz", "gelsy", t.gelsy_complex}, {"sd", "gelsd", t.gelsd_real},
        {"cz", "gelsd", t.gelsd_complex}, {"sd", "gelss", t.gelss_real},
        {"cz", "gelss", t.gelss_complex}, {"sd", "gesdd", t.gesdd_real},
        {"cz", "gesdd", t.gesdd_complex}, {"sd", "syevd", t.syevd},
        {"cz", "heevd", t.heevd},         {"sd", "geev", t.geev_real},
        {"cz", "geev", t.geev_complex},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!lapack_find(library, wanted[i].types, wanted[i].name, wanted[i].functions))
            return false;
    table = t;
    find_name(library);
    __atomic_store_n(&found, true, __ATOMIC_RELEASE);
    return true;
}

/* Repeats the search until a library is found, since an earlier search may have failed for lack of
 * memory. */
const struct cti_lapack *cti_lapack(void)
{
    bool no_memory = false;
    if (__atomic_load_n(&found, __ATOMIC_ACQUIRE) || cti_blas_search(lapack_take, &no_memory))
        return &table;
    if (no_memory)
        return ct_fail(CT_ERR_OUT_OF_MEMORY, "linear algebra needs a LAPACK library, and there is "
                                             "not enough memory to open one");
    if (cti_blas_trouble())
        return ct_fail(CT_ERR_RUNTIME, "linear algebra needs a LAPACK library; %s",
                       cti_blas_trouble());
    return ct_fail(CT_ERR_RUNTIME,
                   "linear algebra needs a LAPACK library and none was found: install the package "
                   "scipy-openblas32, or name a library in CORTEN_BLAS");
}

const char *ct_lapack_name(void)
{
    return cti_lapack() ? title : NULL;
}
