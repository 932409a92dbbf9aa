/* SPDX-License-Identifier: BSD-3-Clause */
/* Random number generators: their lifetime, seeding, and their state in the format in which PyTorch
 * saves it. Fronts and bindings call this; the backends draw the numbers
 * (src/cpu/random/mt19937.c). */
#include "core/generator.h"

#include "core/alloc.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

/* Offsets in PyTorch's saved state: its legacy fields, with the state words in 64 bits each. */
enum {
    AT_SEED = 0,
    AT_LEFT = 8,
    AT_SEEDED = 12,
    AT_NEXT = 16,
    AT_STATE = 24,
    AT_NORMAL_F64 = AT_STATE + 8 * CTI_MT19937_WORDS + 8, /* after an unused double */
    AT_HAS_NORMAL_F64 = AT_NORMAL_F64 + 16,               /* after another one */
    AT_NORMAL_F32 = AT_HAS_NORMAL_F64 + 8,
    AT_HAS_NORMAL_F32 = AT_NORMAL_F32 + 4
};

static void seed_words(ct_generator *g, uint64_t seed)
{
    struct cti_mt19937 *mt = &g->mt;
    mt->seed = seed;
    mt->left = 1;
    mt->next = 0;
    mt->state[0] = (uint32_t)seed;
    for (uint32_t i = 1; i < CTI_MT19937_WORDS; i++) {
        uint32_t last = mt->state[i - 1];
        mt->state[i] = 1812433253U * (last ^ (last >> 30)) + i;
    }
    g->has_normal_f32 = g->has_normal_f64 = false;
    g->offset = 0;
}

static uint64_t seed_of_system(void)
{
    uint64_t seed;
    if (getrandom(&seed, sizeof seed, 0) == (ssize_t)sizeof seed)
        return seed;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000007U + (uint64_t)now.tv_nsec;
}

/* Recursive: see generator.h. */
static void init_lock(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t twice;
    pthread_mutexattr_init(&twice);
    pthread_mutexattr_settype(&twice, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(mutex, &twice);
    pthread_mutexattr_destroy(&twice);
}

static ct_generator *generator_alloc(void)
{
    ct_generator *g = cti_calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->refs = 1;
    g->forks = cti_forks;
    g->device = (struct ct_device){CT_CPU, -1};
    init_lock(&g->mutex);
    return g;
}

ct_generator *cti_generator_new(void)
{
    ct_generator *g = generator_alloc();
    if (g)
        seed_words(g, CTI_GENERATOR_DEFAULT_SEED);
    return g;
}

ct_generator *cti_generator_retain(ct_generator *g)
{
    if (g)
        __atomic_add_fetch(&g->refs, 1, __ATOMIC_RELAXED);
    return g;
}

void cti_generator_release(ct_generator *g)
{
    if (!g || __atomic_sub_fetch(&g->refs, 1, __ATOMIC_ACQ_REL) > 0)
        return;
    pthread_mutex_destroy(&g->mutex);
    cti_free(g);
}

static pthread_mutex_t inheriting = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void watch_forks(void)
{
    cti_fork_guard(&inheriting, 0);
}

/* A thread of the parent may have been drawing during the fork, so the state may be incomplete. Its
 * words are still random enough; the position in them is reset, so that the next draw refills
 * them. */
void cti_generator_inherit(ct_generator *g)
{
    pthread_mutex_lock(&inheriting);
    if (g->forks != cti_forks && pthread_mutex_trylock(&g->mutex) == 0) {
        pthread_mutex_unlock(&g->mutex);
    } else if (g->forks != cti_forks) {
        init_lock(&g->mutex);
        g->mt.left = 1;
        g->mt.next = 0;
    }
    __atomic_store_n(&g->forks, cti_forks, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&inheriting);
}

ct_generator *cti_generator_clone(ct_generator *g)
{
    if (!g)
        return NULL;
    ct_generator *copy = generator_alloc();
    if (!copy)
        return NULL;
    cti_generator_lock(g);
    copy->device = g->device;
    copy->offset = g->offset;
    copy->mt = g->mt;
    copy->has_normal_f32 = g->has_normal_f32;
    copy->has_normal_f64 = g->has_normal_f64;
    copy->normal_f32 = g->normal_f32;
    copy->normal_f64 = g->normal_f64;
    cti_generator_unlock(g);
    return copy;
}

/* Its first reference is never released, so it is never freed. */
static ct_generator standard = {.refs = 1, .device = {CT_CPU, -1}};

static void seed_standard(void)
{
    init_lock(&standard.mutex);
    seed_words(&standard, seed_of_system());
}

ct_generator *cti_generator_default(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, seed_standard);
    return &standard;
}

void cti_generator_manual_seed(ct_generator *g, uint64_t seed)
{
    cti_generator_lock(g);
    seed_words(g, seed);
    cti_generator_unlock(g);
}

uint64_t cti_generator_seed(ct_generator *g)
{
    uint64_t seed = seed_of_system();
    cti_generator_manual_seed(g, seed);
    return seed;
}

uint64_t cti_generator_initial_seed(ct_generator *g)
{
    cti_generator_lock(g);
    uint64_t seed = g->mt.seed;
    cti_generator_unlock(g);
    return seed;
}

int64_t cti_generator_state_bytes(const ct_generator *g)
{
    return g->device.type == CT_CUDA ? CTI_PHILOX_STATE_BYTES : CTI_GENERATOR_STATE_BYTES;
}

static void get_philox(ct_generator *g, uint8_t *dst)
{
    cti_generator_lock(g);
    memcpy(dst, &g->mt.seed, 8);
    memcpy(dst + 8, &g->offset, 8);
    cti_generator_unlock(g);
}

static bool set_philox(ct_generator *g, const uint8_t *src, int64_t nbytes)
{
    uint64_t seed, offset = 0;
    if (nbytes != CTI_PHILOX_STATE_BYTES && nbytes != 8)
        return ct_fail(CT_ERR_RUNTIME, "RNG state is wrong size");
    memcpy(&seed, src, 8);
    if (nbytes > 8)
        memcpy(&offset, src + 8, 8);
    cti_generator_lock(g);
    seed_words(g, seed);
    g->offset = offset;
    cti_generator_unlock(g);
    return true;
}

void cti_generator_get_state(ct_generator *g, uint8_t *dst)
{
    const int32_t yes = 1;
    if (g->device.type == CT_CUDA) {
        get_philox(g, dst);
        return;
    }
    memset(dst, 0, CTI_GENERATOR_STATE_BYTES);
    cti_generator_lock(g);
    memcpy(dst + AT_SEED, &g->mt.seed, 8);
    memcpy(dst + AT_LEFT, &g->mt.left, 4);
    memcpy(dst + AT_SEEDED, &yes, 4);
    memcpy(dst + AT_NEXT, &g->mt.next, 4);
    for (int i = 0; i < CTI_MT19937_WORDS; i++)
        memcpy(dst + AT_STATE + 8 * i, &g->mt.state[i], 4);
    if (g->has_normal_f64) {
        memcpy(dst + AT_NORMAL_F64, &g->normal_f64, 8);
        memcpy(dst + AT_HAS_NORMAL_F64, &yes, 4);
    }
    if (g->has_normal_f32) {
        memcpy(dst + AT_NORMAL_F32, &g->normal_f32, 4);
        dst[AT_HAS_NORMAL_F32] = 1;
    }
    cti_generator_unlock(g);
}

bool cti_generator_set_state(ct_generator *g, const uint8_t *src, int64_t nbytes)
{
    if (g->device.type == CT_CUDA)
        return set_philox(g, src, nbytes);
    if (nbytes != CTI_GENERATOR_STATE_BYTES)
        return ct_fail(CT_ERR_RUNTIME,
                       "Expected a CPUGeneratorImplState of size %d but found the input RNG state "
                       "size to be %lld",
                       CTI_GENERATOR_STATE_BYTES, (long long)nbytes);
    struct cti_mt19937 mt;
    int32_t seeded, has_normal_f64;
    memcpy(&mt.seed, src + AT_SEED, 8);
    memcpy(&mt.left, src + AT_LEFT, 4);
    memcpy(&seeded, src + AT_SEEDED, 4);
    memcpy(&mt.next, src + AT_NEXT, 4);
    for (int i = 0; i < CTI_MT19937_WORDS; i++)
        memcpy(&mt.state[i], src + AT_STATE + 8 * i, 4);
    memcpy(&has_normal_f64, src + AT_HAS_NORMAL_F64, 4);
    /* PyTorch would read past its state if next and left disagree; here such a state is invalid. */
    if (!seeded || mt.left < 1 || mt.left > CTI_MT19937_WORDS || mt.next > CTI_MT19937_WORDS ||
        mt.next + (uint32_t)mt.left > CTI_MT19937_WORDS + 1)
        return ct_fail(CT_ERR_RUNTIME, "Invalid mt19937 state");
    cti_generator_lock(g);
    g->mt = mt;
    g->has_normal_f64 = has_normal_f64 != 0;
    memcpy(&g->normal_f64, src + AT_NORMAL_F64, 8);
    g->has_normal_f32 = src[AT_HAS_NORMAL_F32] != 0;
    memcpy(&g->normal_f32, src + AT_NORMAL_F32, 4);
    cti_generator_unlock(g);
    return true;
}
