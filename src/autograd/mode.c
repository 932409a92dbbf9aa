/* SPDX-License-Identifier: BSD-3-Clause */
/* The modes of a thread: is anything recorded, is it inference. Each thread starts recording.
 * Called by everybody; knows nothing of nodes. */
#include "autograd/autograd.h"

__thread struct cti_grad_mode cti_grad_mode;

bool ct_is_grad_enabled(void)
{
    return !cti_grad_mode.off;
}

bool ct_set_grad_enabled(bool on)
{
    bool old = !cti_grad_mode.off;
    cti_grad_mode.off = !on;
    return old;
}

void ct_grad_mode_restore(bool *old)
{
    cti_grad_mode.off = !*old;
}

bool ct_inference_mode(void)
{
    return cti_grad_mode.inference;
}

bool ct_set_inference_mode(bool on)
{
    bool old = cti_grad_mode.inference;
    cti_grad_mode.inference = on;
    return old;
}
