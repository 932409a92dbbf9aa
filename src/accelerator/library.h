/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds a vendor's libraries, and the functions in them, at run time. */
#ifndef CORTEN_ACCELERATOR_LIBRARY_H
#define CORTEN_ACCELERATOR_LIBRARY_H

#include <stdbool.h>

/* Where a vendor installs. The loader's own path is always tried first. */
struct cti_vendor {
    const char *home[3];  /* environment variables that name a toolkit; NULL ends the list */
    const char *toolkit;  /* the usual folder of the toolkit, which has lib64 */
    const char *packages; /* the folder of its Python packages in site-packages: "nvidia" */
};

/* Opens a library by its name without ".so", in the first of the versions (".12", "") that is
 * found; NULL ends their list. NULL without an error: not found. */
void *cti_library_open(const struct cti_vendor *vendor, const char *name,
                       const char *const *versions);

struct cti_library_function {
    const char *name;
    void *address; /* of the function pointer to be set */
};
/* Opens a library and looks up its functions. False if one is missing; the others are set. */
bool cti_library_functions(const struct cti_vendor *vendor, const char *name,
                           const char *const *versions,
                           const struct cti_library_function *functions, int n);

#endif
