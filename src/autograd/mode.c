/* SPDX-License-Identifier: BSD-3-Clause */
/* The grad modes of a thread: whether operations are recorded, and inference mode. A new thread
 * records operations. This file does not depend on nodes. */
#include "autograd/autograd.h"

__thread struct cti_grad_mode cti_grad_mode;

/* Computes the effective state from the switches. */
static void mode_update(void)
{
    bool for_duals = cti_grad_mode.duals && cti_grad_mode.paused == 0;
    cti_grad_mode.off = (cti_grad_mode.disabled && !for_duals) || cti_grad_mode.inference;
}

void cti_grad_duals(bool open)
{
    cti_grad_mode.duals = open;
    mode_update();
}

bool ct_is_grad_enabled(void)
{
    return !cti_grad_mode.disabled;
}

bool ct_set_grad_enabled(bool on)
{
    bool old = !cti_grad_mode.disabled;
    cti_grad_mode.disabled = !on;
    mode_update();
    return old;
}

void ct_grad_mode_restore(bool *old)
{
    if (old)
        ct_set_grad_enabled(*old);
}

bool ct_inference_mode(void)
{
    return cti_grad_mode.inference;
}

bool ct_set_inference_mode(bool on)
{
    bool old = cti_grad_mode.inference;
    cti_grad_mode.inference = on;
    cti_tensor_new_flags(on ? CTI_INFERENCE : 0);
    mode_update();
    return old;
}
