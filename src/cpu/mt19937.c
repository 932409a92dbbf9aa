/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream of words of an mt19937, block by block. The loops that make the words are in
 * random_loops.c; the random engine is the only caller. */
#include "cpu/mt19937.h"

#include "cpu/random_loops.h"

/* Words at a time: they and the state stay in the first-level cache. A multiple of 16. */
enum { BLOCK = 4 * CTI_MT19937_WORDS };

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

void cti_mt19937_stream(struct cti_mt19937 *mt, int64_t n, int width, cti_mt19937_use *use,
                        const void *context)
{
    uint32_t words[BLOCK];
    int64_t step = BLOCK / width;
    for (int64_t first = 0; first < n; first += step) {
        int64_t count = n - first < step ? n - first : step;
        cti_mt19937_draw(mt, words, count * width);
        use(context, words, first, count);
    }
}
