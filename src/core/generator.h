/* SPDX-License-Identifier: BSD-3-Clause */
/* A random number generator with the state of PyTorch's CPU generator: an mt19937, and the cached
 * second value of the last Box-Muller pair. Seeding and saving are implemented in core; the
 * backends draw. This file knows no distributions.
 *
 * The generator's lock guards its fields. It is recursive: a draw holds it while it polls for an
 * interruption, and the program's signal handler, which runs in that poll, may draw numbers or save
 * the state itself. A drawing thread therefore stores a complete state before each poll. */
#ifndef CORTEN_CORE_GENERATOR_H
#define CORTEN_CORE_GENERATOR_H

#include "core/fork.h"
#include "core/wait.h"
#include "corten/base.h"

#include <pthread.h>

#define CTI_MT19937_WORDS 624
#define CTI_GENERATOR_STATE_BYTES 5056             /* of PyTorch's get_state() */
#define CTI_PHILOX_STATE_BYTES 16                  /* of a CUDA generator */
#define CTI_GENERATOR_DEFAULT_SEED 67280421310721U /* of PyTorch's Generator() */

/* left - 1 words of the state, from index next on, have not been drawn yet; then the state is
 * refilled. */
struct cti_mt19937 {
    uint64_t seed;
    int32_t left;
    uint32_t next;
    uint32_t state[CTI_MT19937_WORDS];
};

struct ct_generator {
    int64_t refs; /* atomic */
    pthread_mutex_t mutex;
    uint32_t forks; /* atomic: the fork generation that the mutex is valid for, see fork.h */
    struct cti_mt19937 mt;
    bool has_normal_f32, has_normal_f64; /* the next normal is the cached one */
    float normal_f32;                    /* kept for saved states; no CPU function draws it */
    double normal_f64;
    struct ct_device device; /* CUDA: a Philox stream, whose seed is mt.seed */
    uint64_t offset;         /* of Philox: how many 32-bit words each of its threads has drawn */
    void *handle;            /* the Python object, borrowed */
};

ct_generator *cti_generator_new(void); /* with the default seed; NULL: out of memory */
ct_generator *cti_generator_retain(ct_generator *g);
void cti_generator_release(ct_generator *g);
ct_generator *cti_generator_clone(ct_generator *g);

/* The default generator, seeded by the system. The result is borrowed. */
ct_generator *cti_generator_default(void);

void cti_generator_manual_seed(ct_generator *g, uint64_t seed);
/* seeds from the system's entropy; returns the seed */
uint64_t cti_generator_seed(ct_generator *g);
uint64_t cti_generator_initial_seed(ct_generator *g);

/* The size of the saved state in bytes. */
int64_t cti_generator_state_bytes(const ct_generator *g);
/* The saved state in PyTorch's format, so that the two libraries can exchange states. */
void cti_generator_get_state(ct_generator *g, uint8_t *dst);
bool cti_generator_set_state(ct_generator *g, const uint8_t *src, int64_t nbytes);

/* Called for the first lock of a generator in a forked process: threads of the parent may have been
 * drawing when it forked. */
void cti_generator_inherit(ct_generator *g);

static inline void cti_generator_lock(ct_generator *g)
{
    if (__atomic_load_n(&g->forks, __ATOMIC_ACQUIRE) != cti_forks)
        cti_generator_inherit(g);
    cti_wait_lock(&g->mutex);
}

static inline void cti_generator_unlock(ct_generator *g)
{
    pthread_mutex_unlock(&g->mutex);
}

#endif
