/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of the engine: its state and steps, shared by engine.c, which walks the graph, and run.c,
 * which sets its roots and targets. */
#ifndef CORTEN_AUTOGRAD_ENGINE_H
#define CORTEN_AUTOGRAD_ENGINE_H

#include "autograd/internal.h"

#define CTI_RUN_INLINE 32

/* A function to call when the run has come to its end. */
struct cti_run_end {
    bool (*call)(void *context);
    void (*drop)(void *context);
    void *context;
    struct cti_run_end *next;
};

/* A node in this run. */
struct cti_slot {
    struct cti_node *node;  /* kept alive by the roots */
    ct_tensor *one, **many; /* gradients received, owned; many where there are several */
    int32_t waits;          /* gradients still to arrive */
    bool target;            /* an input that was asked for */
    bool runs;              /* leads to a target, or is one that accumulates */
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
    bool limited; /* only what leads to targets */
    bool partial; /* this run or one around it is limited */
    const struct cti_capture *capture;
    ct_tensor **captured; /* ncaptures owned gradients, or NULL */
    int64_t ncaptures;
    int64_t number;           /* unique in the process */
    struct cti_run_end *ends; /* what ct_engine_at_end registered, the first first */
    struct cti_slot inline_slot[CTI_RUN_INLINE];
    int32_t inline_numbers[4 * CTI_RUN_INLINE];
};

/* The engine's per-thread state. */
struct cti_engine_here {
    struct cti_running *running; /* running nodes, innermost first */
    struct cti_run *run;         /* in progress, the innermost */
    int depth;                   /* nested runs on this stack */
};
extern __thread struct cti_engine_here cti_engine_here __attribute__((tls_model("initial-exec")));

void cti_run_begin(struct cti_run *r);
void cti_run_end(struct cti_run *r);
int32_t cti_run_slot(struct cti_run *r, struct cti_node *n); /* made when missing; -1: no memory */
int32_t cti_run_find(const struct cti_run *r, const struct cti_node *n); /* -1: not in the graph */
bool cti_run_explore(struct cti_run *r);
void cti_run_limit(struct cti_run *r); /* after exploring and marking targets */
/* A gradient (NULL: undefined) arrives; the last one makes the node ready. Takes over grad. */
bool cti_run_arrive_take(struct cti_run *r, int32_t slot, uint32_t nr, ct_tensor *grad);
bool cti_run_all(struct cti_run *r);

#endif
