/* SPDX-License-Identifier: BSD-3-Clause */
/* The recur engine: one direction of one layer of a recurrent network, forward or backward.
 * Everything is contiguous. Filled in by src/ops/recur. */
#ifndef CORTEN_CORE_RECUR_H
#define CORTEN_CORE_RECUR_H

#include "core/engine.h"

enum cti_recur_kind { CTI_RECUR_TANH, CTI_RECUR_RELU, CTI_RECUR_LSTM, CTI_RECUR_GRU };

/* Note [Recurrence]: a step adds h W' to its row of `gates`, which already holds the part of the
 * inputs and the biases, and computes
 *   tanh, relu   h = tanh(g), relu(g)
 *   LSTM         i, f, o = sigmoid, g = tanh;  c = f c + i g;  h = o tanh(c)
 *   GRU          r, z = sigmoid;  n = tanh(inputs' part + r (h W' + bias));  h = (1 - z) n + z h
 * in PyTorch's order of gates (LSTM i f g o, GRU r z n). With a projection P the state is h P'. The
 * rows of one step are adjacent, one for each sequence that is at least that long. Sequences are
 * sorted by length, the longest first, so a state has the same row at every step, and the state of
 * a sequence that has ended (or, in reverse, not begun) does not change. */
struct cti_recur {
    struct cti_work work;
    struct { /* the tensors of the fields of the same names */
        ct_tensor *gates, *extra, *output, *h, *c, *grad_h, *grad_c, *grad_gates, *grad_last;
        ct_tensor *previous, *grad_state, *unprojected;
        ct_tensor *weight, *bias, *projection, *h0, *c0, *grad_output;
    } of; /* bias: of all gates */
    bool backward;
    enum cti_recur_kind kind;
    enum ct_dtype dtype; /* float32 or float64 */
    int64_t steps, batch;
    int64_t hidden, width; /* of a gate; of the state, which differs only with a projection */
    const int64_t *sizes;  /* rows of each step; NULL: always batch */
    bool reverse;
    const void *weight;     /* [gates * hidden, width] */
    const void *bias;       /* GRU: [hidden], of the last gate, or NULL */
    const void *projection; /* LSTM: [width, hidden], or NULL */
    const void *h0, *c0;    /* [batch, width], [batch, hidden] */
    void *gates;            /* [rows, gates * hidden]; overwritten by the activations */
    void *extra;            /* [rows, hidden]: LSTM c, GRU h W' + bias of its last gate */
    void *output;           /* [rows, width] */
    void *h, *c;            /* the last states, [batch, width], [batch, hidden] */
    /* Backward only; gates, extra and output are forward's. */
    const void *grad_output; /* NULL: zero */
    void *grad_h, *grad_c;   /* in: of the last states; out: of the initial states */
    void *grad_gates;        /* [rows, gates * hidden], of the sums before the activations */
    void *grad_last;         /* GRU: [rows, hidden], of the inputs' part of the last gate */
    void *previous;          /* [rows, width], out: the state before each step */
    void *grad_state;        /* with a projection: [rows, width], of the state after each step */
    void *unprojected;       /* with a projection: [rows, hidden], o tanh(c) */
};

static inline int cti_recur_gates(enum cti_recur_kind kind)
{
    return kind == CTI_RECUR_LSTM ? 4 : kind == CTI_RECUR_GRU ? 3 : 1;
}

#endif
