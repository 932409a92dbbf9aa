/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of the engine: its state and its steps. Shared by engine.c, which walks the graph, and
 * run.c, which sets the roots and targets. */
#ifndef CORTEN_AUTOGRAD_ENGINE_H
#define CORTEN_AUTOGRAD_ENGINE_H

#include "autograd/internal.h"

#define CTI_RUN_INLINE 32

/* A function to call at the end of the run, see ct_engine_at_end. */
struct cti_run_end {
    bool (*call)(void *context);
    void (*drop)(void *context);
    void *context;
    struct cti_run_end *next;
};

/* The state of a node in this run. */
struct cti_slot {
    struct cti_node *node; /* kept alive by the roots */
    /* gradients received so far, owned; `many` for a node with several results */
    ct_tensor *one, **many;
    int32_t waits; /* the number of gradients that have yet to arrive */
    bool target;   /* an input whose gradient is requested */
    bool runs;     /* in a limited run: leads to a target, or accumulates */
};

struct cti_capture {
    int32_t slot; /* -1: not in the graph */
    uint32_t nr;
};

struct cti_run {
    struct cti_slot *slot;
    int32_t *table, *heap, *order; /* table: by hash, -1 free; heap: ready slots */
    uint32_t table_size;           /* a power of two */
    int32_t count, capacity, nheap;
    bool retain;  /* retain_graph */
    bool limited; /* only nodes that lead to targets run */
    bool partial; /* this run or one around it is limited */
    const struct cti_capture *capture;
    ct_tensor **captured; /* ncaptures owned gradients, or NULL */
    int64_t ncaptures;
    int64_t number;           /* unique in the process */
    struct cti_run_end *ends; /* the functions of ct_engine_at_end, in order */
    struct cti_slot inline_slot[CTI_RUN_INLINE];
    int32_t inline_numbers[4 * CTI_RUN_INLINE];
};

/* The engine's per-thread state. */
struct cti_engine_here {
    struct cti_running *running; /* nodes that are running, innermost first */
    struct cti_run *run;         /* the innermost run in progress */
    int depth;                   /* nested runs on this stack */
};
extern __thread struct cti_engine_here cti_engine_here __attribute__((tls_model("initial-exec")));

void cti_run_begin(struct cti_run *r);
void cti_run_end(struct cti_run *r);
/* added if missing; -1: out of memory */
int32_t cti_run_slot(struct cti_run *r, struct cti_node *n);
int32_t cti_run_find(const struct cti_run *r, const struct cti_node *n); /* -1: not in the graph */
bool cti_run_explore(struct cti_run *r);
void cti_run_limit(struct cti_run *r); /* call after cti_run_explore, with the targets marked */
/* A gradient (NULL: undefined) of result nr arrives at a node; the last one makes it ready. Takes
 * over grad. */
bool cti_run_arrive_take(struct cti_run *r, int32_t slot, uint32_t nr, ct_tensor *grad);
bool cti_run_all(struct cti_run *r);

#endif
