/* SPDX-License-Identifier: BSD-3-Clause */
/* Continues a deep backward on a new thread, which has a fresh stack. A backward that starts
 * another one inside itself uses more stack with each level; a binding watches ct_engine_depth and
 * calls ct_engine_apart before the stack runs out. The new thread takes over the caller's state
 * (its runs, modes and packers) while the caller waits. */
#include "autograd/engine/engine.h"
#include "core/check_args.h"
#include "core/product.h"

#include <pthread.h>

struct moved {
    void (*work)(void *arg);
    void *arg;
    struct cti_engine_here here;
    struct cti_grad_mode mode;
    void *packers;
    struct cti_product_counter counter;
};

static void *go_on(void *context)
{
    const struct moved *a = context;
    cti_engine_here = a->here;
    cti_engine_here.depth = 0;
    cti_grad_mode = a->mode;
    cti_packers_lend(a->packers);
    cti_product_counter = a->counter;
    a->work(a->arg);
    cti_packers_lend(NULL); /* the packers belong to the caller */
    return NULL;
}

int ct_engine_depth(void)
{
    return cti_engine_here.depth;
}

bool ct_engine_apart(void (*work)(void *arg), void *arg)
{
    if (!cti_check_pointer((void *)(uintptr_t)work, "ct_engine_apart", "work"))
        return false;
    struct moved a = {work,          arg,           cti_engine_here,
                      cti_grad_mode, cti_packers(), cti_product_counter};
    pthread_t thread;
    if (pthread_create(&thread, NULL, go_on, &a) != 0)
        return false;
    pthread_join(thread, NULL);
    return true;
}
