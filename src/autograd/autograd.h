/* SPDX-License-Identifier: BSD-3-Clause */
/* Recording of operations: the functions that generated entry points call before and after an
 * operation, and the nodes of the graph. The engine, which walks the graph, is declared in
 * corten/autograd.h. This part depends on tensors and on the operations of own.h, but not on the
 * memory of backends.
 *
 * Note [Edges]: a node represents one call. It receives the gradients of the call's results (its
 * "outputs") and computes the gradients of its arguments, which it passes on along its edges, in
 * the order of the operation's differentiable arguments. An edge without a node means that this
 * gradient is not wanted. In an in-place call the first edge is self's. */
#ifndef CORTEN_AUTOGRAD_AUTOGRAD_H
#define CORTEN_AUTOGRAD_AUTOGRAD_H

#include "core/ref.h"
#include "core/tensor.h"
#include "corten/autograd.h"

/* ---- modes of this thread ---- */

struct cti_grad_mode {
    bool off;       /* nothing is recorded: disabled, or inference mode */
    bool disabled;  /* recording is switched off by the program */
    bool inference; /* inference mode */
    bool packs;     /* a packer is active, see packed.c */
    /* a level of dual numbers is open: no_grad still records tangents, see forward.c */
    bool duals;
    int16_t paused; /* how often the library has paused recording, including tangents */
};
extern __thread struct cti_grad_mode cti_grad_mode __attribute__((tls_model("initial-exec")));

static inline bool cti_grad_on(void)
{
    return !cti_grad_mode.off;
}

/* Whether the program has recording for gradients switched on. */
static inline bool cti_grad_program_enabled(void)
{
    return !cti_grad_mode.disabled && !cti_grad_mode.inference;
}

/* Whether only the tangents of dual numbers are recorded: under no_grad, while a level is open. */
static inline bool cti_grad_tangents_only(void)
{
    return __builtin_expect(cti_grad_mode.disabled && !cti_grad_mode.off, 0);
}

/* Switches recording off in the same way as the program does, so that switches of the program in a
 * hook nest correctly. Returns the argument for cti_grad_restore. */
static inline bool cti_grad_pause(void)
{
    bool was = cti_grad_mode.disabled;
    cti_grad_mode.paused++;
    cti_grad_mode.disabled = cti_grad_mode.off = true;
    return was;
}

static inline void cti_grad_restore(bool was_disabled)
{
    cti_grad_mode.disabled = was_disabled;
    bool for_duals = --cti_grad_mode.paused == 0 && cti_grad_mode.duals;
    cti_grad_mode.off = (was_disabled && !for_duals) || cti_grad_mode.inference;
}

/* Switches recording on, whatever the program has set, until cti_grad_resume_end. */
static inline struct cti_grad_mode cti_grad_resume(void)
{
    struct cti_grad_mode was = cti_grad_mode;
    cti_grad_mode.disabled = cti_grad_mode.off = false;
    return was;
}

static inline void cti_grad_resume_end(struct cti_grad_mode was)
{
    cti_grad_mode.disabled = was.disabled;
    cti_grad_mode.off = was.off;
}

/* ---- which arguments need gradients ---- */

/* Whether t needs a gradient. A view does as soon as its base does, even if the base was changed
 * after the view was made. NULL and CT_NO_TENSOR do not. */
static inline bool cti_wants_grad(const ct_tensor *t)
{
    return t && t != CT_NO_TENSOR &&
           ((t->flags & CTI_REQUIRES_GRAD) || (t->base && (t->base->flags & CTI_REQUIRES_GRAD)));
}

static inline bool cti_wants_grad_value(ct_value v)
{
    return v.kind == CT_VALUE_TENSOR && cti_wants_grad(v.as.tensor);
}

bool cti_wants_grad_list(ct_list list);

/* ---- nodes ---- */

#define CTI_META_DIMS 5
#define CTI_NODE_EDGES 3
#define CTI_NODE_OUTPUTS 3
#define CTI_NODE_SAVED 12

/* Shape, type and device of a tensor, without the tensor. */
struct cti_meta {
    uint8_t dtype, ndim;
    bool columns; /* a column-major matrix */
    struct ct_device device;
    int64_t *more; /* the shape, when it has more than CTI_META_DIMS dims; owned */
    int64_t dims[CTI_META_DIMS];
};

bool cti_meta_set(struct cti_meta *m, const ct_tensor *t); /* m must be zeroed, or set before */
void cti_meta_clear(struct cti_meta *m);
static inline const int64_t *cti_meta_shape(const struct cti_meta *m)
{
    return m->more ? m->more : m->dims;
}
static inline ct_ints cti_meta_ints(const struct cti_meta *m)
{
    return ct_ints_of(cti_meta_shape(m), m->ndim);
}

/* Note [Saved values]: the values that a derivative needs. A saved tensor carries its version, and
 * must still have that version when it is read; otherwise it was overwritten. A node's own result
 * is saved as an alias without history, because the node would own itself otherwise; it gets its
 * history back when it is read for a derivative that is recorded. Self of an in-place call is saved
 * as a copy, with its edge. Numbers are saved, too: reading any of them after the graph was freed
 * raises the error of a second backward. */
struct cti_saved {
    ct_value value; /* a tensor is owned */
    int64_t version;
    union {
        struct cti_node *grad_fn;  /* of a copy of self: its earlier history, owned */
        struct cti_packed *packed; /* owned */
    };
    uint32_t output_nr;
    uint8_t kind;     /* enum cti_saved_kind */
    uint8_t ndim;     /* of a tensor: its number of dims when it was saved */
    bool had_history; /* of an input: it was not a leaf */
};

enum cti_saved_kind {
    CTI_SAVED_NONE,
    CTI_SAVED_INPUT,
    CTI_SAVED_RESULT,
    CTI_SAVED_COPY,
    /* written by its own node, but saved for another argument: reading it is an error */
    CTI_SAVED_WRITTEN,
    CTI_SAVED_PACKED /* Note [Packed values]; value is none */
};

struct cti_node;

struct cti_node_class {
    const char *name;       /* "MulBackward0"; NULL: each node has its own (custom.c) */
    const char *moved_name; /* "TBackward1": the name for a view that is changed in place */
    uint32_t size;          /* of the struct that begins with struct cti_node */
    bool runs_always;       /* even if all gradients are undefined */
    /* anomaly mode ignores it: made under a lock, or not by a call of the program */
    bool unreported;
    uint8_t nsaved;
    uint16_t saved_at[CTI_NODE_SAVED]; /* offsets of the struct cti_saved */
    const char *saved_name[CTI_NODE_SAVED];
    /* 1 + the index in saved_at of the first argument, 0: not saved */
    uint8_t self_slot;
    /* 1 + the index in saved_at of each result, 0: not saved */
    uint8_t result_slot[CTI_NODE_OUTPUTS];
    /* Computes the gradients of the arguments. grads[k]: that of result k, borrowed; NULL:
     * undefined. Stores an owned gradient in out[i] for each wanted edge i, or leaves NULL, or
     * stores CT_NO_TENSOR, for zero; unwanted entries stay NULL. Grad mode tells whether to record.
     * Gradients may have broadcast shapes and promoted types: the engine sums and casts them for
     * the argument. False: failed. */
    bool (*backward)(struct cti_node *n, ct_tensor *const *grads, const bool *wanted,
                     ct_tensor **out);
    /* called when saved values are freed after a backward; may be NULL */
    void (*freed)(struct cti_node *n);
    void (*clear)(struct cti_node *n); /* frees everything else that the struct owns; may be NULL */
};

struct cti_edge {
    struct cti_node *node; /* owned */
    uint32_t nr;           /* which of that node's results */
};

/* Kinds of leaves: those of the program, and eps of dual numbers (forward.c). */
enum { CTI_LEADS_LEAF = 1, CTI_LEADS_DUAL = 2 };

struct cti_node {
    const struct cti_node_class *type;
    int64_t refs;      /* atomic */
    uint64_t sequence; /* grows with each call; AccumulateGrad has the maximum */
    int32_t nedges, noutputs;
    uint8_t lock;            /* held while the node runs */
    uint8_t keeps;           /* bits: which results to save */
    bool in_place;           /* the call wrote to its first argument */
    uint8_t leads;           /* bits CTI_LEADS_...: the kinds of leaves it leads to */
    struct cti_edge *edge;   /* edges_inline, or allocated */
    struct cti_meta *output; /* output_inline, or allocated */
    struct cti_hook *hooks;
    void *handle;
    struct cti_node *outer;     /* the CopySlices this one runs in, not owned (Note [Views]) */
    struct cti_node *next_free; /* a list of nodes being released */
    struct cti_edge edges_inline[CTI_NODE_EDGES];
    struct cti_meta output_inline;
};

/* A zeroed node with nedges edges; NULL: out of memory. */
struct cti_node *cti_node_new(const struct cti_node_class *type, int64_t nedges);
void cti_node_release(struct cti_node *n);
static inline struct cti_node *cti_node_retain(struct cti_node *n)
{
    cti_ref_get(&n->refs);
    return n;
}
/* Sets edge i to the node that receives t's gradient; no edge if t needs none. False: failed. */
bool cti_node_edge(struct cti_node *n, int64_t i, ct_tensor *t);
bool cti_node_edge_value(struct cti_node *n, int64_t i, ct_value v);
bool cti_node_edge_list(struct cti_node *n, int64_t i, ct_list list);
static inline bool cti_node_needs(const struct cti_node *n, int64_t i)
{
    return n->edge[i].node != NULL;
}

bool cti_save(struct cti_saved *s, ct_tensor *t); /* NULL and CT_NO_TENSOR are saved as absent */
bool cti_save_value(struct cti_saved *s, ct_value v);
/* Returns a saved tensor, owned. NULL and an error: freed, or overwritten since. */
ct_tensor *cti_unpack(struct cti_node *n, struct cti_saved *s);
/* The same for a number or a tensor, which is owned; kind CT_VALUE_NULL: failed. */
ct_value cti_unpack_value(struct cti_node *n, struct cti_saved *s);

/* ---- for generated nodes and derivatives ---- */

static inline int64_t cti_meta_size(const struct cti_meta *m, int64_t dim)
{
    return m->ndim ? cti_meta_shape(m)[dim < 0 ? dim + m->ndim : dim] : 1;
}

/* A saved list of integers. */
struct cti_saved_ints {
    bool given;
    int64_t n;
    int64_t *more; /* for more than CTI_META_DIMS; owned */
    int64_t few[CTI_META_DIMS];
};
bool cti_save_ints(struct cti_saved_ints *s, ct_ints list);
static inline ct_ints cti_saved_ints_get(const struct cti_saved_ints *s)
{
    return s->given ? ct_ints_of(s->more ? s->more : s->few, s->n) : CT_NO_DIMS;
}
void cti_saved_ints_clear(struct cti_saved_ints *s);

/* Shapes and types of the tensors of a list. */
struct cti_saved_list {
    int64_t n;
    struct cti_meta *meta;
};
bool cti_save_list(struct cti_saved_list *s, ct_list list);
void cti_saved_list_clear(struct cti_saved_list *s);

/* The geometry of a tensor in its storage, see Note [Views]. */
struct cti_view_geometry;
struct cti_view_geometry *cti_view_geometry_of(const ct_tensor *t);
void cti_view_geometry_free(struct cti_view_geometry *g);

/* The conjugate of a number or tensor; a tensor is owned. */
ct_value cti_grad_conj(ct_value v);
ct_tensor *cti_grad_conj_tensor(ct_value v); /* a number becomes a wrapped 0-d tensor */
ct_tensor *cti_grad_zeros_like(ct_tensor *t);
/* Arithmetic on two numbers: '+', '-', '*', '/'; on the first only: 'n' negation, 'l' logarithm. */
ct_value cti_grad_number(char what, ct_value a, ct_value b);
static inline bool cti_grad_is_complex(ct_value v)
{
    return v.kind == CT_VALUE_COMPLEX ||
           (v.kind == CT_VALUE_TENSOR && v.as.tensor->dtype >= CT_COMPLEX64);
}
static inline void cti_grad_release_value(ct_value v)
{
    if (v.kind == CT_VALUE_TENSOR)
        ct_release(v.as.tensor);
}
static inline ct_tensor *cti_grad_tensor(ct_value v)
{
    return v.kind == CT_VALUE_TENSOR ? v.as.tensor : CT_NO_TENSOR;
}

/* ---- around an operation ---- */

/* Makes the node the history of a result; takes over both and returns the result. A NULL result
 * releases the node. node may be NULL: views must pass here in any case, because this notes how a
 * view was made (Note [Views]). */
ct_tensor *cti_attach(struct cti_node *node, ct_tensor *result);
/* The same for several results of one call; NULL entries and types without gradients are skipped.
 * Views among them must not be written in place later. False (a result failed, or out of memory):
 * all results are released and set to NULL. */
bool cti_attach_several(struct cti_node *node, ct_tensor **results, int64_t n);

/* Whether PyTorch refuses an in-place write to self, apart from the rules of inference mode; then
 * the error is set. Called before a node is made of self. */
bool cti_inplace_refused(ct_tensor *self);

/* Call before an in-place write to self: makes PyTorch's checks, replaces the saved self by a copy,
 * and allocates all that the new history needs, so that nothing can fail after the write. On
 * failure the node is released and *node is NULL. */
bool cti_inplace_begin(ct_tensor *self, struct cti_node **node);
/* Call after the write: counts it in the version, and gives self, or the base it is a view of, its
 * new history. Takes over the node, which may be NULL. Returns self, borrowed. */
ct_tensor *cti_attach_inplace(struct cti_node *node, ct_tensor *self);
/* Call instead if the write failed: releases the node and undoes the preparations. */
void cti_inplace_cancel(struct cti_node *node);

/* ---- the autograd state of a tensor ---- */

struct cti_autograd {
    struct cti_node *grad_fn;      /* owned; NULL for a leaf */
    struct cti_node *accumulator;  /* of a leaf; not owned: it owns the leaf */
    ct_tensor *grad;               /* owned */
    struct cti_hook *hooks;        /* of a leaf: before and after accumulation */
    struct cti_retained *retained; /* the context of hooks that retain its gradient, or NULL */
    int64_t view_version;          /* of a view: the version of its grad_fn */
    uint32_t output_nr;
    bool retains_grad;
    uint8_t lock; /* guards accumulator, grad and the grad_fn of a view */
    /* 1 + the type of a leaf's gradient, or CTI_GRAD_OF_ANY; 0: the leaf's type */
    uint8_t grad_dtype;
};
#define CTI_GRAD_OF_ANY (1 + CT_DTYPE_COUNT) /* the gradient is not cast */

/* The autograd state of t, which is made if missing; NULL: out of memory. */
struct cti_autograd *cti_autograd_of(ct_tensor *t);
/* t's grad_fn, updated for a view whose base was written; the caller owns it. NULL: a leaf, or the
 * update failed, which sets *failed. */
struct cti_node *cti_own_grad_fn(ct_tensor *t, bool *failed);

#endif
