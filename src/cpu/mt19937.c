/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream of words of an mt19937, block by block. The loops that make the words are in
 * random_loops.c; the random engine is the only caller. */
#include "cpu/mt19937.h"

#include "core/parallel.h"
#include "cpu/random_loops.h"

#include <pthread.h>

/* Words at a time; 16 divides both. */
enum {
    BLOCK = 4 * CTI_MT19937_WORDS, /* stay in the first-level cache */
    TURN = 16 * CTI_MT19937_WORDS  /* long enough to pay for handing over the state */
};

static inline int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

void cti_mt19937_draw(struct cti_mt19937 *mt, uint32_t *dst, int64_t n)
{
    const struct cti_random_loops *loops = cti_random_loops();
    while (n > 0) {
        if (mt->left == 1) {
            loops->twist(mt->state);
            mt->left = CTI_MT19937_WORDS + 1;
            mt->next = 0;
        }
        int64_t ready = mt->left - 1;
        int64_t count = n < ready ? n : ready;
        loops->temper(dst, mt->state + mt->next, count);
        mt->left -= (int32_t)count;
        mt->next += (uint32_t)count;
        dst += count;
        n -= count;
    }
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
    }
}

/* Note [Several threads]: only the drawing of words has an order. So threads take turns at drawing
 * the words of the next elements, and use what they drew side by side. */
struct turns {
    pthread_mutex_t mutex; /* guards the words and `next` */
    struct cti_mt19937 *mt;
    int64_t n, next;
    int width;
    cti_mt19937_use *use;
    const void *context;
};

static void take_turns(void *context, int64_t begin, int64_t end)
{
    struct turns *t = context;
    uint32_t words[TURN];
    (void)begin, (void)end; /* one piece for each thread; who is faster takes more turns */
    for (;;) {
        pthread_mutex_lock(&t->mutex);
        int64_t first = t->next, count = min64(t->n - first, TURN / t->width);
        t->next += count;
        cti_mt19937_draw(t->mt, words, count * t->width);
        pthread_mutex_unlock(&t->mutex);
        if (count == 0)
            return;
        t->use(t->context, words, first, count);
    }
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
    pthread_mutex_init(&t.mutex, NULL);
    cti_parallel_for(threads, 1, take_turns, &t);
    pthread_mutex_destroy(&t.mutex);
}
