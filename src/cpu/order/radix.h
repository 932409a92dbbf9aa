/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorting of pairs of one kind, by insertion, merging or radix passes depending on their number,
 * and selection of the smallest. radix.c includes this file once for each kind, with
 *   T      the pair                  LESS(a, b)   by key, then position
 *   DIGIT(x, shift)  the key's bits from `shift` on
 *   LOWEST, HIGHEST  sentinels below and above all pairs
 *   NAME   a function's name for this kind; there is no include guard, on purpose. */

static void NAME(insert)(T *v, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        T x = v[i];
        int64_t j = i;
        for (; j > 0 && LESS(x, v[j - 1]); j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
}

/* The k-th smallest of a few pairs, counted from 0. Near either end it is found by repeatedly
 * taking the next larger (or smaller) pair; otherwise the pairs are sorted. */
static T NAME(pick)(T *v, int64_t n, int64_t k)
{
    bool up = k < n / 2;
    int64_t steps = up ? k : n - 1 - k;
    T last = v[0];
    if (steps > 3) {
        NAME(insert)(v, n);
        return v[k];
    }
    for (int64_t i = 1; i < n; i++)
        last = LESS(v[i], last) == up ? v[i] : last;
    for (; steps > 0; steps--) {
        T next = up ? HIGHEST : LOWEST;
        for (int64_t i = 0; i < n; i++) {
            bool nearer =
                up ? LESS(last, v[i]) & LESS(v[i], next) : LESS(v[i], last) & LESS(next, v[i]);
            next = nearer ? v[i] : next;
        }
        last = next;
    }
    return last;
}

/* Bottom-up merge sort of runs that insertion sort has made. Returns the result: v or spare. */
static T *NAME(merge)(T *v, T *spare, int64_t n)
{
    const int64_t run = 16;
    for (int64_t i = 0; i < n; i += run)
        NAME(insert)(v + i, n - i < run ? n - i : run);
    for (int64_t width = run; width < n; width *= 2) {
        for (int64_t i = 0; i < n; i += 2 * width) {
            int64_t a = i, middle = i + width < n ? i + width : n, b = middle;
            int64_t end = i + 2 * width < n ? i + 2 * width : n;
            for (int64_t k = i; k < end; k++) {
                bool left = a < middle && (b == end || LESS(v[a], v[b]));
                spare[k] = left ? v[a] : v[b];
                a += left;
                b += !left;
            }
        }
        T *old = v;
        v = spare;
        spare = old;
    }
    return v;
}

struct NAME(pass) {
    const T *from;
    T *to;
    uint32_t *counts; /* CTI_ORDER_BUCKETS for each chunk */
    int64_t n, chunks;
    int shift, buckets;
};

static void NAME(count)(void *context, int64_t begin, int64_t end)
{
    const struct NAME(pass) *p = context;
    const uint64_t mask = (uint64_t)p->buckets - 1;
    for (int64_t c = begin; c < end; c++) {
        uint32_t *counts = p->counts + c * CTI_ORDER_BUCKETS;
        int64_t last = (c + 1) * p->n / p->chunks;
        memset(counts, 0, (size_t)p->buckets * sizeof *counts);
        for (int64_t i = c * p->n / p->chunks; i < last; i++)
            counts[DIGIT(p->from[i], p->shift) & mask]++;
    }
}

static void NAME(move)(void *context, int64_t begin, int64_t end)
{
    const struct NAME(pass) *p = context;
    const uint64_t mask = (uint64_t)p->buckets - 1;
    for (int64_t c = begin; c < end; c++) {
        uint32_t *offset = p->counts + c * CTI_ORDER_BUCKETS;
        int64_t last = (c + 1) * p->n / p->chunks;
        for (int64_t i = c * p->n / p->chunks; i < last; i++) {
            T x = p->from[i];
            p->to[offset[DIGIT(x, p->shift) & mask]++] = x;
        }
    }
}

/* Turns counts into offsets, bucket by bucket and chunk by chunk within a bucket. False: one bucket
 * holds all pairs, so the pass can be skipped. */
static bool NAME(offsets)(const struct NAME(pass) * p)
{
    uint32_t total = 0;
    for (int64_t b = 0; b < p->buckets; b++) {
        uint32_t before = total;
        for (int64_t c = 0; c < p->chunks; c++) {
            uint32_t count = p->counts[c * CTI_ORDER_BUCKETS + b];
            p->counts[c * CTI_ORDER_BUCKETS + b] = total;
            total += count;
        }
        if (total - before == p->n)
            return false;
    }
    return true;
}

/* Compares the costs of sorting n keys by radix passes and by merging, in rough nanoseconds. */
static bool NAME(merging_is_cheaper)(int64_t n, int passes, int digit)
{
    int64_t radix = passes * ((1 << digit) + 4 * n + 60),
            levels = 64 - __builtin_clzll((uint64_t)n);
    return 2 * n * levels < radix;
}

static T *NAME(sort)(T *v, T *spare, int64_t n, int low, int bits, uint32_t *counts, int64_t chunks)
{
    int passes = (bits + CTI_ORDER_DIGIT - 1) / CTI_ORDER_DIGIT;
    int digit = passes ? (bits + passes - 1) / passes : 0;
    if (n < 2 || n > UINT32_MAX || NAME(merging_is_cheaper)(n, passes, digit))
        return NAME(merge)(v, spare, n);
    for (int done = 0; done < bits; done += digit) {
        struct NAME(pass) p = {v, spare, counts, n, chunks, low + done, 1 << digit};
        if (!cti_parallel_for(chunks, 1, NAME(count), &p))
            break;
        if (!NAME(offsets)(&p))
            continue;
        cti_parallel_for(chunks, 1, NAME(move), &p);
        T *old = v;
        v = spare;
        spare = old;
    }
    return v;
}

/* Partitions [low, high) at a random pivot and returns its final index. All pairs differ. */
static int64_t NAME(partition)(T *v, int64_t low, int64_t high, uint64_t random)
{
    uint64_t n = (uint64_t)(high - low);
    int64_t a = low + (int64_t)((random >> 16) % n), b = low + (int64_t)((random >> 32) % n);
    int64_t c = low + (int64_t)(n / 2), j = low, t;
    if (LESS(v[b], v[a]))
        t = a, a = b, b = t;
    if (LESS(v[c], v[b]))
        b = LESS(v[c], v[a]) ? a : c;
    T pivot = v[b];
    v[b] = v[high - 1];
    for (int64_t i = low; i < high - 1; i++) {
        T x = v[i];
        v[i] = v[j];
        v[j] = x;
        j += LESS(x, pivot);
    }
    v[high - 1] = v[j];
    v[j] = pivot;
    return j;
}

/* Keeps the k smallest of n pairs without changing their order; returns the largest of these, which
 * is found by quickselect in `spare` (room for n). */
static T NAME(keep)(T *v, T *spare, int64_t n, int64_t k)
{
    int64_t low = 0, high = n, kept = 0;
    uint64_t random = 1; /* random pivots: no input is always the worst case */
    memcpy(spare, v, (size_t)n * sizeof *v);
    while (low < k && k < high) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        int64_t at = NAME(partition)(spare, low, high, random);
        if (at < k)
            low = at + 1;
        else
            high = at;
    }
    T most = spare[0];
    for (int64_t i = 1; i < k; i++)
        most = LESS(most, spare[i]) ? spare[i] : most;
    for (int64_t i = 0; i < n; i++) {
        T x = v[i];
        v[kept] = x;
        kept += !LESS(most, x);
    }
    return most;
}

#undef T
#undef LESS
#undef DIGIT
#undef LOWEST
#undef HIGHEST
#undef NAME
