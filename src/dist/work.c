/* SPDX-License-Identifier: BSD-3-Clause */
/* Work objects: lifetime, completion and waiting. A work has its own lock, so that it can outlive
 * its group. */
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/interrupt.h"
#include "corten/own.h"
#include "dist/dist.h"

#include <string.h>
#include <unistd.h>

#define SLICE_MS 50 /* between checks for Ctrl-C */

ct_work *cti_work_new(ct_group *g, enum cti_work_kind kind)
{
    ct_work *w = g ? cti_calloc(1, sizeof *w) : NULL;
    if (!w)
        return NULL;
    w->refs = 1;
    w->kind = kind;
    w->engine = g->engine;
    w->transfer.peer = -1;
    w->pid = getpid();
    pthread_mutex_init(&w->lock, NULL);
    cti_cond_begin(&w->changed);
    w->in = cti_calloc(2 * (size_t)g->size, sizeof *w->in);
    if (!w->in) {
        ct_work_release(w);
        return NULL;
    }
    w->out = w->in + g->size;
    return w;
}

static void drop_operands(ct_work *w)
{
    for (int i = 0; i < w->noperands; i++) {
        ct_release(w->operand[i].t);
        ct_release(w->operand[i].copy);
    }
    cti_free(w->operand);
    w->operand = NULL;
    w->noperands = 0;
}

void ct_work_release(ct_work *w)
{
    if (!w || __atomic_fetch_sub(&w->refs, 1, __ATOMIC_ACQ_REL) != 1)
        return;
    if (w->event)
        w->engine->event(w, CTI_EVENT_FREE);
    drop_operands(w);
    cti_free(w->in);
    cti_free(w->error_text);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
    cti_free(w);
}

/* Copies received data back into strided tensors and bumps versions. */
static bool copy_back(ct_work *w)
{
    bool good = true, mode = ct_set_grad_enabled(false);
    for (int i = 0; i < w->noperands && good; i++) {
        struct cti_work_operand *o = &w->operand[i];
        if (o->out && o->copy)
            good = ct_own_copy_(o->t, o->copy, false) != NULL;
        else if (o->out)
            good = ct_bump_version(o->t);
    }
    ct_set_grad_enabled(mode);
    return good;
}

void cti_work_finish(ct_work *w, bool good)
{
    good = good && copy_back(w);
    if (!w->event) /* before locking: freeing a tensor may need the GIL */
        drop_operands(w);
    pthread_mutex_lock(&w->lock);
    if (!good) {
        w->error = ct_error_kind() == CT_ERR_NONE ? CT_ERR_RUNTIME : ct_error_kind();
        w->error_text = cti_strdup(ct_error() ? ct_error() : "failed");
        ct_clear_error();
    }
    w->finished = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

bool ct_work_done(ct_work *w)
{
    if (!cti_check_pointer(w, "ct_work_done", "w"))
        return false;
    pthread_mutex_lock(&w->lock);
    bool done = w->finished;
    pthread_mutex_unlock(&w->lock);
    return done && (!w->event || w->engine->event(w, CTI_EVENT_QUERY) == 1);
}

enum ct_error_kind ct_work_error(ct_work *w, const char **text)
{
    if (!(cti_check_pointer(w, "ct_work_error", "w") &&
          cti_check_pointer(text, "ct_work_error", "text")))
        return (enum ct_error_kind){0};
    *text = NULL;
    pthread_mutex_lock(&w->lock);
    enum ct_error_kind kind = w->finished ? w->error : CT_ERR_NONE;
    *text = w->error_text;
    pthread_mutex_unlock(&w->lock);
    return kind;
}

int ct_work_source(ct_work *w)
{
    if (!cti_check_pointer(w, "ct_work_source", "w"))
        return -1;
    return ct_work_done(w) && w->kind == CTI_RECV ? w->transfer.peer : -1;
}

bool ct_work_wait(ct_work *w, double timeout)
{
    if (!cti_check_pointer(w, "ct_work_wait", "w"))
        return false;
    int64_t deadline = cti_deadline(timeout);
    if (w->pid != getpid() && !w->finished)
        return ct_fail(CT_ERR_RUNTIME, "this work belongs to the parent process and cannot be "
                                       "waited for in a forked child");
    pthread_mutex_lock(&w->lock);
    while (!w->finished && cti_now_ms() < deadline) {
        int64_t left = deadline - cti_now_ms();
        cti_cond_wait(&w->changed, &w->lock, left < 0 ? 0 : left < SLICE_MS ? left : SLICE_MS);
        pthread_mutex_unlock(&w->lock);
        if (cti_interrupted())
            return false;
        pthread_mutex_lock(&w->lock);
    }
    bool finished = w->finished, good = finished && w->error == CT_ERR_NONE;
    pthread_mutex_unlock(&w->lock);
    if (!finished)
        return ct_fail(CT_ERR_RUNTIME, "Timed out waiting %lldms for the operation to complete",
                       (long long)(timeout * 1000));
    if (!good)
        return ct_fail(w->error, "%s", w->error_text ? w->error_text : "failed");
    return !w->event || w->engine->event(w, CTI_EVENT_WAIT);
}

bool ct_wait(ct_work *w)
{
    if (!cti_check_pointer(w, "ct_wait", "w"))
        return false;
    bool good = ct_work_wait(w, 0);
    ct_work_release(w);
    return good;
}
