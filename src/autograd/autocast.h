/* SPDX-License-Identifier: BSD-3-Clause */
/* Autocast: within its scope some rows compute in a smaller type, others in float32.
 * tools/facts.toml lists them ([autocast]); their generated fronts ask cti_autocast_on() and, where
 * it is, cast their arguments and call themselves again with autocast off. Casts are recorded. */
#ifndef CORTEN_AUTOGRAD_AUTOCAST_H
#define CORTEN_AUTOGRAD_AUTOCAST_H

#include "core/tensor.h"

struct cti_autocast_mode {
    bool on;
    uint8_t dtype; /* the smaller type: bfloat16 or float16; 0: bfloat16 */
};
extern __thread struct cti_autocast_mode cti_autocast_mode
    __attribute__((tls_model("initial-exec")));

static inline bool cti_autocast_on(void)
{
    return __builtin_expect(cti_autocast_mode.on, 0);
}

enum cti_autocast_to { CTI_AUTOCAST_LOW, CTI_AUTOCAST_FULL, CTI_AUTOCAST_WIDEST };

/* One call: what was cast for it. */
struct cti_autocast {
    enum ct_dtype dtype; /* that arguments are cast to */
    enum cti_autocast_to to;
    int64_t n;
    ct_tensor *made[12]; /* owned */
    ct_tensor **list;    /* owned, with its tensors */
    int64_t listed;
};

/* Switches autocast off until the end. The widest type is that of the list's tensors. */
void cti_autocast_begin(struct cti_autocast *c, enum cti_autocast_to to);
/* The argument as the row shall see it; borrowed from c. NULL: failed. */
ct_tensor *cti_autocast_tensor(struct cti_autocast *c, ct_tensor *t);
ct_list cti_autocast_list(struct cti_autocast *c, ct_list list);
void cti_autocast_end(struct cti_autocast *c);

#endif
