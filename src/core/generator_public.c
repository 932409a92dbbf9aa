/* SPDX-License-Identifier: BSD-3-Clause */
/* The public functions of generators: generator.h with checks of the arguments. */
#include "core/backend.h"
#include "core/check_args.h"
#include "core/error.h"
#include "core/generator.h"

_Static_assert(CT_GENERATOR_STATE_BYTES == CTI_GENERATOR_STATE_BYTES, "one size of a saved state");

ct_generator *ct_generator_default(void)
{
    return cti_generator_default();
}

ct_generator *ct_generator_create(void)
{
    return cti_generator_new();
}

ct_generator *ct_generator_create_on(struct ct_device device)
{
    if (!cti_check_device(device, "ct_generator_create_on", "device"))
        return NULL;
    ct_generator *g = cti_generator_new();
    if (g && device.type == CT_CUDA)
        g->device = cti_device_meant(device);
    return g;
}

struct ct_device ct_generator_device(const ct_generator *g)
{
    if (!cti_check_pointer(g, "ct_generator_device", "g"))
        return (struct ct_device){0};
    return g->device;
}

int64_t ct_generator_state_bytes(const ct_generator *g)
{
    if (!cti_check_pointer(g, "ct_generator_state_bytes", "g"))
        return -1;
    return cti_generator_state_bytes(g);
}

ct_generator *ct_generator_clone(ct_generator *g)
{
    if (!cti_check_pointer(g, "ct_generator_clone", "g"))
        return NULL;
    return cti_generator_clone(g);
}

ct_generator *ct_generator_retain(ct_generator *g)
{
    return g ? cti_generator_retain(g) : NULL;
}

void ct_generator_release(ct_generator *g)
{
    if (g)
        cti_generator_release(g);
}

void ct_generator_manual_seed(ct_generator *g, uint64_t seed)
{
    if (!cti_check_pointer(g, "ct_generator_manual_seed", "g"))
        return;
    cti_generator_manual_seed(g, seed);
}

uint64_t ct_generator_seed(ct_generator *g)
{
    if (!cti_check_pointer(g, "ct_generator_seed", "g"))
        return 0;
    return cti_generator_seed(g);
}

uint64_t ct_generator_initial_seed(ct_generator *g)
{
    if (!cti_check_pointer(g, "ct_generator_initial_seed", "g"))
        return 0;
    return cti_generator_initial_seed(g);
}

void ct_generator_get_state(ct_generator *g, uint8_t *dst)
{
    if (!(cti_check_pointer(g, "ct_generator_get_state", "g") &&
          cti_check_pointer(dst, "ct_generator_get_state", "dst")))
        return;
    if (g && dst)
        cti_generator_get_state(g, dst);
}

bool ct_generator_set_state(ct_generator *g, const uint8_t *src, int64_t nbytes)
{
    if (!g || !src)
        return cti_refuse(CT_ERR_TYPE,
                          "ct_generator_set_state(): a generator and its state must be given");
    return cti_generator_set_state(g, src, nbytes);
}
