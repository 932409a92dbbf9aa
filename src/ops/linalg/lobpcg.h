/* SPDX-License-Identifier: BSD-3-Clause */
/* Between the two files of lobpcg: lobpcg_call.c reads the arguments and walks the batch,
 * lobpcg.c iterates for one matrix. */
#ifndef CORTEN_OPS_LINALG_LOBPCG_H
#define CORTEN_OPS_LINALG_LOBPCG_H

#include "ops/linalg/linalg.h"

/* One matrix's iterations. X, E, R, S, rerr and the list of errors are owned. */
struct cti_lobpcg {
    struct ct_lobpcg_state s;
    struct ct_lobpcg_error *errors;
    int64_t room;
};

bool cti_lobpcg_run(struct cti_lobpcg *w, struct ct_tracker tracker);

#endif
