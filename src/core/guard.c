/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels of Note [Guards] in guard.h. The functions of torch.func enter and leave them through
 * corten/autograd.h; in-place writes and random draws check them. */
#include "core/guard.h"

#include "core/alloc.h"
#include "core/check_args.h"
#include "core/error.h"
#include "core/generator.h"
#include "corten/autograd.h"

enum { LEVELS = 63, DRAWN = 8 };

struct drawn {
    ct_generator *generator; /* owned */
    uint8_t state[CTI_GENERATOR_STATE_BYTES];
};

struct level {
    enum ct_guard_kind kind;
    enum ct_guard_draws draws;
    struct drawn *drawn; /* capacity DRAWN; only with CT_GUARD_DRAWS_SAME */
    int ndrawn;
};

static __thread struct level *levels; /* capacity LEVELS; NULL outside of transforms */

bool ct_guard_enter(enum ct_guard_kind kind, enum ct_guard_draws draws)
{
    int n = cti_thread.level;
    if ((unsigned)kind > CT_GUARD_MAP)
        return cti_check_refuse("ct_guard_enter", "kind", "is not an enum ct_guard_kind");
    if ((unsigned)draws > CT_GUARD_DRAWS_SAME)
        return cti_check_refuse("ct_guard_enter", "draws", "is not an enum ct_guard_draws");
    if (n == LEVELS)
        return cti_refuse(CT_ERR_RUNTIME, "transforms of functions are nested too deeply");
    if (!levels && !(levels = cti_malloc(LEVELS * sizeof *levels)))
        return false;
    levels[n] = (struct level){.kind = kind, .draws = draws};
    if (draws == CT_GUARD_DRAWS_SAME &&
        !(levels[n].drawn = cti_malloc(DRAWN * sizeof *levels[n].drawn))) {
        if (n == 0)
            cti_free(levels), levels = NULL;
        return false;
    }
    cti_thread.level++;
    return true;
}

void ct_guard_exit(void)
{
    if (cti_thread.level == 0)
        return;
    struct level *l = &levels[--cti_thread.level];
    for (int i = 0; i < l->ndrawn; i++)
        cti_generator_release(l->drawn[i].generator);
    cti_free(l->drawn);
    if (cti_thread.level == 0) {
        cti_free(levels);
        levels = NULL;
    }
}

enum ct_guard_kind ct_guard_kind(void)
{
    return cti_thread.level ? levels[cti_thread.level - 1].kind : CT_GUARD_NONE;
}

bool ct_guard_repeat(void)
{
    struct level *l = cti_thread.level ? &levels[cti_thread.level - 1] : NULL;
    bool good = true;
    for (int i = 0; l && good && i < l->ndrawn; i++) {
        ct_generator *g = l->drawn[i].generator;
        good = cti_generator_set_state(g, l->drawn[i].state, cti_generator_state_bytes(g));
    }
    return good;
}

int ct_guard_admit(ct_tensor *t, int level)
{
    if (!cti_check_pointer(t, "ct_guard_admit", "t"))
        return -1;
    int before = t->storage->level;
    unsigned wanted = level < 0 ? cti_thread.level : (unsigned)level;
    t->storage->level = wanted & 63;
    return before;
}

bool ct_guard_inside(const ct_tensor *t)
{
    return cti_check_pointer(t, "ct_guard_inside", "t") && t->storage->level >= cti_thread.level;
}

bool cti_guard_refuse_write(void)
{
    if (ct_guard_kind() == CT_GUARD_MAP)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a "
            "Tensor `other` in extra_args that has more elements than `self`. This happened due to "
            "`other` being vmapped over but `self` not being vmapped over in a vmap. Please try to "
            "use out-of-place operators instead of inplace arithmetic. If said operator is being "
            "called inside the PyTorch framework, please file a bug report instead.");
    return cti_refuse(CT_ERR_RUNTIME,
                      "During a grad (vjp, jvp, grad, etc) transform, the function provided "
                      "attempted to call in-place operation that would mutate a captured Tensor. "
                      "This is not supported; please rewrite the function being transformed to "
                      "explicitly accept the mutated Tensor(s) as inputs.");
}

static bool remember(struct level *l, ct_generator *g)
{
    for (int i = 0; i < l->ndrawn; i++)
        if (l->drawn[i].generator == g)
            return true;
    if (l->ndrawn == DRAWN)
        return cti_refuse(CT_ERR_RUNTIME, "vmap: with randomness='same' a function may draw from "
                                          "at most 8 generators");
    struct drawn *d = &l->drawn[l->ndrawn++];
    d->generator = cti_generator_retain(g);
    cti_generator_get_state(g, d->state);
    return true;
}

bool cti_guard_draw(ct_generator *g)
{
    for (int i = cti_thread.level - 1; i >= 0; i--) {
        if (levels[i].draws == CT_GUARD_DRAWS_REFUSED)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "vmap: called random operation while in randomness error mode. Please "
                "either use the 'same' or 'different' randomness flags on vmap or "
                "perform the randomness operation out of vmap");
        if (levels[i].draws == CT_GUARD_DRAWS_SAME && g && !remember(&levels[i], g))
            return false;
    }
    return true;
}
