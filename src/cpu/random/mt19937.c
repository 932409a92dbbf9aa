/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream of words of an mt19937, block by block. The loops that compute words are in loops.c;
 * called only by the random engine. */
#include "cpu/random/mt19937.h"

#include "core/interrupt.h"
#include "core/parallel.h"
#include "core/scratch.h"
#include "core/small.h"
#include "cpu/random/loops.h"

#include <sched.h>
#include <string.h>

/* Words at a time; both are multiples of 16. */
enum {
    BLOCK = 4 * CTI_MT19937_WORDS, /* fits L1 */
    TURN = 48 * CTI_MT19937_WORDS  /* long enough to amortise handing over the state */
};

/* Passes the next n words of the state to `copy`, piece by piece. */
static void mt19937_take(struct cti_mt19937 *mt, uint32_t *dst, int64_t n,
                         void (*copy)(uint32_t *dst, const uint32_t *state, int64_t n))
{
    while (n > 0) {
        if (mt->left == 1) {
            cti_random_loops()->twist(mt->state);
            mt->left = CTI_MT19937_WORDS + 1;
            mt->next = 0;
        }
        int64_t count = min64(n, mt->left - 1);
        copy(dst, mt->state + mt->next, count);
        mt->left -= (int32_t)count;
        mt->next += (uint32_t)count;
        dst += count;
        n -= count;
    }
}

static void copy_raw(uint32_t *dst, const uint32_t *state, int64_t n)
{
    memcpy(dst, state, (size_t)n * sizeof *dst);
}

void cti_mt19937_draw(struct cti_mt19937 *mt, uint32_t *dst, int64_t n)
{
    mt19937_take(mt, dst, n, cti_random_loops()->temper);
}

static void stream_alone(struct cti_mt19937 *mt, int64_t n, int width, cti_mt19937_use *use,
                         const void *context)
{
    uint32_t words[BLOCK];
    int64_t step = BLOCK / width;
    for (int64_t first = 0; first < n; first += step) {
        int64_t count = min64(n - first, step);
        cti_mt19937_draw(mt, words, count * width);
        use(context, words, first, count);
        if (cti_interrupted_at(first / step, 32))
            return;
    }
}

/* Note [Several threads]: only advancing the state is sequential. So threads take turns at copying
 * the state words for their next elements, and then temper and use them in parallel. */
struct turns {
    bool busy; /* atomic: a thread holds the state and `next` */
    struct cti_mt19937 *mt;
    int64_t n, next;
    int width;
    cti_mt19937_use *use;
    const void *context;
};

/* Spins: a turn takes about a microsecond, so sleeping pays only if the thread in its turn has lost
 * the processor. */
static void begin_turn(struct turns *t)
{
    for (int tries = 0; __atomic_exchange_n(&t->busy, true, __ATOMIC_ACQUIRE); tries++)
        while (__atomic_load_n(&t->busy, __ATOMIC_RELAXED))
            if (tries++ > 1000)
                sched_yield();
}

static void take_turns(void *context, int64_t begin, int64_t end)
{
    struct turns *t = context;
    char *room = cti_scratch_take();
    uint32_t *raw = (uint32_t *)(void *)room, *words = raw + TURN;
    int64_t step = BLOCK / t->width;
    (void)begin, (void)end; /* one item for each thread; faster threads take more turns */
    for (;;) {
        begin_turn(t);
        int64_t first = t->next, count = min64(t->n - first, TURN / t->width);
        t->next += count;
        mt19937_take(t->mt, raw, count * t->width, copy_raw);
        bool ended = count == 0 || cti_interrupted(); /* within the turn, because an interrupt
                                                       * handler may draw */
        __atomic_store_n(&t->busy, false, __ATOMIC_RELEASE);
        if (ended)
            break;
        for (int64_t i = 0; i < count; i += step) {
            int64_t part = min64(count - i, step);
            cti_random_loops()->temper(words, raw + i * t->width, part * t->width);
            t->use(t->context, words, first + i, part);
        }
    }
    cti_scratch_release(room);
}

void cti_mt19937_stream(struct cti_mt19937 *mt, int64_t n, int width, cti_mt19937_use *use,
                        const void *context)
{
    int threads = cti_parallel_threads();
    if (threads == 1 || n * width < 8 * TURN) {
        stream_alone(mt, n, width, use, context);
        return;
    }
    struct turns t = {.mt = mt, .n = n, .width = width, .use = use, .context = context};
    cti_parallel_for(threads, 1, take_turns, &t);
}
