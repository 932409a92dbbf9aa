/* SPDX-License-Identifier: BSD-3-Clause */
/* Optimizer steps: one program with several results over many parameters (core/update.h). The
 * elements of all parameters are numbered consecutively and divided among threads, so that hundreds
 * of small tensors cost one parallel region. Work proceeds block by block, so that values between
 * steps stay in L1. Elements are independent, so results do not depend on blocks or threads. */
#include "core/update.h"
#include "cpu/engines.h"

#include "core/parallel.h"
#include "cpu/pointwise/loops.h"

#define BLOCK_BYTES 2048
#define BUFFERS 12 /* operands of another type plus values between steps, at most */
#define GRAIN 8192 /* elements worth a thread */

struct plan {
    const struct cti_update *u;
    cti_loop *loop[CTI_UPDATE_STEPS];
    unsigned numbers[CTI_UPDATE_STEPS]; /* mask of inputs that are numbers */
    bool cast[CTI_UPDATE_OPERANDS];     /* loaded into a buffer of the compute type */
    bool written[CTI_UPDATE_OPERANDS];  /* cast and stored from there */
    int8_t buffer[CTI_UPDATE_SLOTS];    /* -1: none */
    int64_t block;                      /* elements */
};

static bool is_number_slot(int slot)
{
    return slot >= CTI_UPDATE_OPERANDS && slot < CTI_UPDATE_RESULT(0);
}

/* The last step that reads a slot, or -1. */
static int last_use(const struct cti_update *u, int slot)
{
    for (int s = u->nsteps - 1; s >= 0; s--)
        for (int i = 0; i < u->step[s].nin; i++)
            if (u->step[s].in[i] == slot)
                return s;
    return -1;
}

/* Assigns a buffer to each value between steps, and reuses it after the value's last use. False:
 * too many values at once. */
static bool update_buffers(struct plan *p, int taken)
{
    const struct cti_update *u = p->u;
    int until[BUFFERS];
    for (int b = 0; b < BUFFERS; b++)
        until[b] = b < taken ? u->nsteps : -1;
    for (int s = 0; s < u->nsteps; s++) {
        int out = u->step[s].out, b = 0;
        if (out < CTI_UPDATE_OPERANDS)
            continue;
        while (b < BUFFERS && until[b] >= s)
            b++;
        if (b == BUFFERS)
            return false;
        until[b] = last_use(u, out);
        p->buffer[out] = (int8_t)b;
    }
    return true;
}

static bool make_plan(struct plan *p, const struct cti_update *u)
{
    enum ct_dtype compute = (enum ct_dtype)u->compute;
    int taken = 0;
    *p = (struct plan){.u = u, .block = BLOCK_BYTES / cti_itemsize(compute)};
    for (int slot = 0; slot < CTI_UPDATE_SLOTS; slot++)
        p->buffer[slot] = -1;
    for (int o = 0; o < u->noperands; o++)
        if (u->dtype[o] != u->compute) {
            p->cast[o] = true;
            p->buffer[o] = (int8_t)taken++;
        }
    for (int s = 0; s < u->nsteps; s++) {
        const struct cti_step *step = &u->step[s];
        p->loop[s] = cti_cpu_find_loop(step->row, compute);
        for (int i = 0; i < step->nin; i++)
            if (is_number_slot(step->in[i]) && !(step->params >> i & 1))
                p->numbers[s] |= 1u << i;
        if (step->out < CTI_UPDATE_OPERANDS && p->cast[step->out])
            p->written[step->out] = true;
    }
    return update_buffers(p, taken);
}

/* Runs elements [at, at + n) of a line, at most one block. */
static void update_block(const struct plan *p, const struct cti_update_line *line, char **slot,
                         int64_t at, int64_t n)
{
    const struct cti_update *u = p->u;
    enum ct_dtype compute = (enum ct_dtype)u->compute;
    for (int o = 0; o < u->noperands; o++) {
        if (!line->data[o])
            continue; /* a state that this program does not use */
        char *data = line->data[o] + at * cti_itemsize(u->dtype[o]);
        if (p->cast[o])
            cti_cpu_cast(compute, slot[o], u->dtype[o], data, n);
        else
            slot[o] = data;
    }
    for (int s = 0; s < u->nsteps; s++) {
        const struct cti_step *step = &u->step[s];
        char *at_step[1 + CTI_MAX_INPUTS] = {slot[step->out]};
        for (int i = 0; i < step->nin; i++)
            at_step[1 + i] = slot[step->in[i]];
        p->loop[s](at_step, p->numbers[s], n);
    }
    for (int o = 0; o < u->noperands; o++)
        if (p->written[o])
            cti_cpu_cast(u->dtype[o], line->data[o] + at * cti_itemsize(u->dtype[o]), compute,
                         slot[o], n);
}

static void update_line(const struct plan *p, const struct cti_update_line *line, int64_t begin,
                        int64_t end)
{
    const struct cti_update *u = p->u;
    _Alignas(64) char scratch[BUFFERS][BLOCK_BYTES];
    union {
        float f;
        double d;
    } number[CTI_UPDATE_NUMBERS];
    char *slot[CTI_UPDATE_SLOTS];
    for (int s = 0; s < CTI_UPDATE_SLOTS; s++)
        slot[s] = p->buffer[s] < 0 ? NULL : scratch[p->buffer[s]];
    for (int k = 0; k < u->nnumbers; k++) {
        if (u->compute == CT_FLOAT32)
            number[k].f = (float)line->number[k];
        else
            number[k].d = line->number[k];
        slot[CTI_UPDATE_NUMBER(k)] = (char *)&number[k];
    }
    for (int64_t at = begin; at < end; at += p->block)
        update_block(p, line, slot, at, end - at < p->block ? end - at : p->block);
}

/* Returns the line that contains element `at`, counted over all parameters. */
static int64_t find_line(const struct cti_update *u, int64_t at)
{
    int64_t low = 0, high = u->nlines;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(u->line[middle].at <= at ? &low : &high) = middle;
    }
    return low;
}

static void run_part(void *context, int64_t begin, int64_t end)
{
    const struct plan *p = context;
    for (int64_t l = find_line(p->u, begin); l < p->u->nlines && p->u->line[l].at < end; l++) {
        const struct cti_update_line *line = &p->u->line[l];
        int64_t first = begin > line->at ? begin - line->at : 0;
        int64_t last = end - line->at < line->numel ? end - line->at : line->numel;
        update_line(p, line, first, last);
    }
}

enum cti_status cti_cpu_update(struct cti_update *work)
{
    struct plan p;
    if (!make_plan(&p, work))
        return cti_refuse(CT_ERR_RUNTIME, "update: the program keeps too many values at once");
    cti_parallel_for(work->total, GRAIN, run_part, &p);
    return true;
}
