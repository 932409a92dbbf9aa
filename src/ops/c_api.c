/* SPDX-License-Identifier: BSD-3-Clause */
/* C entry points that are not generated from the tables: random generators, copying into a C array,
 * memory in use. Their results join the innermost scope. The generated entry points are in ops.c of
 * the build folder. */
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/generator.h"
#include "core/scope.h"
#include "core/tensor.h"
#include "corten.h"
#include "ops/front.h"

/* ---- random numbers ---- */

static void release_generator(void *generator)
{
    cti_generator_release(generator);
}

ct_generator *ct_generator_new(void)
{
    return cti_scope_add(cti_generator_new(), release_generator);
}

ct_generator *ct_manual_seed(uint64_t seed)
{
    ct_generator *g = cti_generator_default();
    cti_generator_manual_seed(g, seed);
    cti_accelerator_of(CT_CUDA)->seed_all(seed);
    return g;
}

uint64_t ct_seed(void)
{
    return cti_generator_seed(cti_generator_default());
}

uint64_t ct_initial_seed(void)
{
    return cti_generator_initial_seed(cti_generator_default());
}

ct_tensor *ct_get_rng_state(void)
{
    int64_t n = CTI_GENERATOR_STATE_BYTES;
    ct_tensor *state = cti_empty(1, &n, CT_UINT8, (struct ct_device){CT_CPU, -1});
    if (state)
        cti_generator_get_state(cti_generator_default(), (uint8_t *)cti_data(state));
    return ct_scoped(state);
}

bool ct_set_rng_state(ct_tensor *state)
{
    if (!cti_check_pointer(state, "ct_set_rng_state", "state"))
        return false;
    if (state->dtype != CT_UINT8)
        return ct_fail(CT_ERR_TYPE, "RNG state must be a torch.ByteTensor");
    ct_tensor *host = cti_host(state), *flat = host ? cti_contiguous(host) : NULL;
    ct_release(host);
    bool good = flat && cti_generator_set_state(cti_generator_default(),
                                                (const uint8_t *)cti_data(flat), flat->numel);
    ct_release(flat);
    return good;
}

/* ---- data ---- */

bool ct_to_array_ex(ct_tensor *x, enum ct_dtype dtype, void *array, int64_t n)
{
    if (!cti_check_tensor(x, "ct_to_array", "x") || !cti_check_dtype(dtype, "ct_to_array", "type"))
        return false;
    if (x->numel != n || (n && !array))
        return cti_refuse(CT_ERR_VALUE,
                          "ct_to_array(): the tensor has %lld elements, the array %lld",
                          (long long)x->numel, array ? (long long)n : 0LL);
    ct_storage *memory = cti_storage_borrow(array, cti_mul_sat(n, cti_itemsize(dtype)),
                                            (struct ct_device){CT_CPU, -1}, NULL, NULL);
    ct_tensor *to = memory ? cti_tensor_take(memory, dtype, x->ndim, x->shape, NULL, 0) : NULL;
    bool good = to && cti_copy(to, x);
    ct_release(to);
    return good;
}

int64_t ct_memory_bytes(void)
{
    return cti_block_stats().live;
}
