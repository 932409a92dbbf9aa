/* SPDX-License-Identifier: BSD-3-Clause */
/* The default generator of each device. It is made on demand, and seeded by the system unless the
 * program has set a seed. */
#include "cuda/random/random.h"

#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    bool seeded;
    uint64_t seed;
    ct_generator *of[CTI_CUDA_MAX_DEVICES];
} defaults = {.lock = PTHREAD_MUTEX_INITIALIZER};

ct_generator *cti_cuda_generator(int device)
{
    if (device < 0 || device >= CTI_CUDA_MAX_DEVICES)
        return ct_fail(CT_ERR_RUNTIME, "CUDA error: invalid device ordinal");
    pthread_mutex_lock(&defaults.lock);
    ct_generator *g = defaults.of[device];
    if (!g && (g = cti_generator_new())) {
        g->device = (struct ct_device){CT_CUDA, device};
        if (defaults.seeded)
            cti_generator_manual_seed(g, defaults.seed);
        else
            cti_generator_seed(g);
        defaults.of[device] = g;
    }
    pthread_mutex_unlock(&defaults.lock);
    return g;
}

void cti_cuda_seed_all(uint64_t seed)
{
    pthread_mutex_lock(&defaults.lock);
    defaults.seeded = true;
    defaults.seed = seed;
    for (int i = 0; i < CTI_CUDA_MAX_DEVICES; i++)
        if (defaults.of[i])
            cti_generator_manual_seed(defaults.of[i], seed);
    pthread_mutex_unlock(&defaults.lock);
}

ct_generator *cti_cuda_generator_of(const struct cti_random *work)
{
    if (!work->generator)
        return cti_cuda_generator(work->out->storage->device.index);
    if (work->generator->device.type != CT_CUDA)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected a 'cuda' device type for generator but found 'cpu'");
    return work->generator;
}

ct_generator *cti_cuda_host_generator(const struct cti_random *work)
{
    static __thread ct_generator *mine;
    ct_generator *g = cti_cuda_generator_of(work);
    if (!g || (!mine && !(mine = cti_generator_new())))
        return NULL;
    cti_generator_lock(g);
    uint64_t seed = g->mt.seed, offset = g->offset;
    g->offset += 4;
    cti_generator_unlock(g);
    cti_generator_manual_seed(mine, seed ^ (offset * UINT64_C(0x9e3779b97f4a7c15)));
    return mine;
}
