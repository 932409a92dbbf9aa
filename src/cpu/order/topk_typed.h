/* SPDX-License-Identifier: BSD-3-Clause */
/* The k best elements of one line, over pairs of one kind. topk.c includes this file once for each
 * kind, with
 *   T      the pair                  LESS(a, b)   by key, then position
 *   POSITION(x)  of a pair           LAST(x)      after all pairs with the key of x
 *   LOAD   makes pairs               NONE         after all pairs
 *   NAME         a function's name for this kind, here and in order.h
 * There is no include guard, on purpose. */

struct NAME(list) {
    T *v, *spare; /* candidates; scratch of the same size */
    int64_t count;
    T bar; /* pairs above this are not among the k best */
};

/* Sorts the k best candidates. If k is a large part of them, sorting all is cheaper than
 * selecting. */
static void NAME(finish)(const struct topk *t, struct NAME(list) * l, uint32_t *counts)
{
    int64_t n = l->count;
    if (t->k < n / 2) {
        NAME(cti_order_keep)(l->v, l->spare, n, t->k);
        n = t->k;
    }
    T *sorted = NAME(cti_order_sort)(l->v, l->spare, n, t->bits, counts, 1);
    if (sorted != l->v)
        memcpy(l->v, sorted, (size_t)t->k * sizeof *sorted);
}

/* Adds the elements of [first, last) that can be among the k best to the candidates. When the list
 * is full, reduces it to the k best, which lowers the bar. */
static void NAME(consider)(const struct topk *t, const char *in, int64_t first, int64_t last,
                           struct NAME(list) * l)
{
    T block[BLOCK];
    for (int64_t i = first; i < last; i += BLOCK) {
        int64_t n = last - i < BLOCK ? last - i : BLOCK, count = l->count;
        LOAD(t->dtype, in, t->store.in_step, i, n, t->store.descending, block);
        for (int64_t j = 0; j < n; j++) {
            l->v[count] = block[j];
            count += LESS(block[j], l->bar);
        }
        if (count + BLOCK >= t->room && count > t->k) {
            l->bar = NAME(cti_order_keep)(l->v, l->spare, count, t->k);
            count = t->k;
        }
        l->count = count;
    }
}

/* See Note [Groups]. */
static void NAME(consider_groups)(const struct topk *t, const char *in, int64_t first, int64_t last,
                                  struct NAME(list) * l)
{
    int64_t count = (last - first) / t->group, item = t->store.in_step;
    T *chosen = l->spare + t->room;
    t->peaks(in + first * item, t->group, count, t->store.descending, chosen);
    LOAD(t->dtype, (const char *)chosen, item, 0, count, t->store.descending, l->v);
    T worst = NAME(cti_order_keep)(l->v, l->spare, count, t->k);
    l->bar = LAST(worst);
    memcpy(chosen, l->v, (size_t)t->k * sizeof *chosen);
    for (int64_t i = 0; i < t->k; i++) {
        int64_t at = first + (int64_t)POSITION(chosen[i]) * t->group;
        NAME(consider)(t, in, at, at + t->group, l);
    }
    NAME(consider)(t, in, first + count * t->group, last, l);
}

/* Keeps a few best elements sorted by insertion. */
static void NAME(insert_few)(const struct topk *t, const char *in, int64_t first, int64_t last,
                             T *v)
{
    T block[BLOCK];
    int64_t count = 0;
    for (int64_t i = first; i < last; i += BLOCK) {
        int64_t n = last - i < BLOCK ? last - i : BLOCK;
        LOAD(t->dtype, in, t->store.in_step, i, n, t->store.descending, block);
        for (int64_t j = 0; j < n; j++) {
            if (count == t->k && !LESS(block[j], v[count - 1]))
                continue;
            int64_t at = count < t->k ? count++ : count - 1;
            for (; at > 0 && LESS(block[j], v[at - 1]); at--)
                v[at] = v[at - 1];
            v[at] = block[j];
        }
    }
}

/* Writes the best elements of [first, last) of a line to v, sorted. */
static void NAME(best)(const struct topk *t, const char *in, int64_t first, int64_t last, T *v,
                       T *spare, uint32_t *counts)
{
    struct NAME(list) list = {.v = v, .spare = spare, .bar = NONE};
    if (t->group) {
        NAME(consider_groups)(t, in, first, last, &list);
    } else if (t->k <= FEW) {
        NAME(insert_few)(t, in, first, last, v);
        return;
    } else {
        NAME(consider)(t, in, first, last, &list);
    }
    NAME(finish)(t, &list, counts);
}

#undef T
#undef LESS
#undef LAST
#undef NONE
#undef POSITION
#undef LOAD
#undef NAME
