/* SPDX-License-Identifier: BSD-3-Clause */
/* Automatic differentiation: gradients of tensors, the backward engine, hooks, user-defined
 * derivatives, forward-mode derivatives, and the graph itself. Most C programs need only
 * ct_backward (ops.h) and ct_grad; the rest serves bindings and programs that differentiate in
 * unusual ways.
 *
 * Terms: an operation that is recorded makes a node, which computes the gradients of the inputs
 * from those of the results. Its edges lead to the nodes that made the inputs. The node at the end
 * of a path is an AccumulateGrad, which adds the gradient to its leaf (a tensor that the program
 * made).
 *
 * A result of ct_own_* is owned: release tensors with ct_release, nodes with ct_node_release. Other
 * nodes are borrowed. Functions return false or NULL and set the error if they fail (base.h). */
#ifndef CORTEN_AUTOGRAD_H
#define CORTEN_AUTOGRAD_H

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "corten/base.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cti_node ct_node; /* a node of the graph */

/* ---- the gradient of a tensor ---- */

CT_API ct_tensor *ct_grad(ct_tensor *t);     /* in the scope; NULL without an error: no gradient */
CT_API ct_tensor *ct_own_grad(ct_tensor *t); /* the same, owned */
/* Sets the gradient, which t keeps; CT_NO_TENSOR removes it. Shape, data type and device must be
 * those of t. */
CT_API bool ct_set_grad(ct_tensor *t, ct_tensor *grad);
/* The data type of a leaf's gradient, to which the engine casts: that of the leaf unless set.
 * CT_NO_DTYPE: any type, without a cast. */
CT_API enum ct_dtype ct_grad_dtype(const ct_tensor *t);
CT_API bool ct_set_grad_dtype(ct_tensor *t, enum ct_dtype dtype);
/* Makes a tensor that is not a leaf keep its gradient in backward, as leaves do. */
CT_API bool ct_retain_grad(ct_tensor *t);
CT_API bool ct_retains_grad(const ct_tensor *t);
CT_API bool ct_set_requires_grad(ct_tensor *t, bool on); /* x.requires_grad = on */
/* x.requires_grad_() and x.detach_(): return t itself, without a new reference; NULL: failed. */
CT_API ct_tensor *ct_requires_grad_(ct_tensor *t);
CT_API ct_tensor *ct_own_requires_grad_(ct_tensor *t, bool on);
CT_API ct_tensor *ct_detach_(ct_tensor *t);
/* x.data: a tensor on the same memory without history. Its version counter is separate, so autograd
 * does not notice writes through it. */
CT_API ct_tensor *ct_own_data(ct_tensor *t);
CT_API bool ct_set_data(ct_tensor *t, ct_tensor *data); /* x.data = data */
CT_API ct_tensor *ct_base_of(ct_tensor *t); /* the tensor that t is a view of, borrowed, or NULL */
CT_API int64_t ct_output_nr(ct_tensor *t);  /* the number of t among the results of its node */

/* ---- the engine ---- */

/* Computes the gradients of the leaves that `tensors` depend on, and adds them to ct_grad of each.
 * gradients: one for each tensor, of its shape. gradients.v == NULL, or an entry CT_NO_TENSOR: 1,
 * for a real tensor with one element. inputs.v == NULL: all leaves; otherwise only these tensors.
 * retain_graph: keeps what the nodes have saved, so that backward can run again. create_graph:
 * records the computation, so that the gradients can be differentiated. */
CT_API bool ct_autograd_backward(ct_list tensors, ct_list gradients, bool retain_graph,
                                 bool create_graph, ct_list inputs);
/* Computes the gradients of `inputs` without changing any ct_grad. grads: an array with an entry
 * for each input, which receives an owned gradient, or NULL if the outputs do not depend on that
 * input; that is an error unless allow_unused. False: failed, and all entries are NULL. */
CT_API bool ct_autograd_gradients(ct_list outputs, ct_list inputs, ct_list grad_outputs,
                                  bool retain_graph, bool create_graph, bool allow_unused,
                                  ct_tensor **grads);

/* For hooks and derivatives, while they are called. The number of the run in progress on this
 * thread, -1 if there is none; and whether that run will evaluate node n. */
CT_API int64_t ct_engine_run(void);
CT_API bool ct_engine_will_run(const ct_node *n);
/* Whether this run, or one around it, computes gradients only for given inputs. A derivative that
 * calls ct_autograd_backward itself would then change leaves that the caller did not name. */
CT_API bool ct_engine_is_partial(void);
/* Calls call(context) after the run in progress has computed all gradients; false from it makes the
 * run fail. drop(context) is called in any case: after the run, or now if this call fails. It fails
 * without a run in progress. */
CT_API bool ct_engine_at_end(bool (*call)(void *context), void (*drop)(void *context),
                             void *context);
/* A derivative may start another run, which needs more stack at each level. ct_engine_depth: how
 * many runs are nested on the stack of this thread. ct_engine_apart: calls work(arg) on a new
 * thread, which continues with the state of this one (runs, grad mode, packers), and waits for it.
 * Errors are per thread, so `work` must pass its error to the caller itself. False: no thread could
 * be started, and `work` was not called. */
CT_API int ct_engine_depth(void);
CT_API bool ct_engine_apart(void (*work)(void *arg), void *arg);

/* For garbage collectors: calls visit() for each object of the binding that only t (or n) keeps
 * alive, where the caller has the one reference to t: contexts of hooks with their drop function,
 * and handles of tensors and nodes (drop is NULL). A result of visit() other than 0 ends the walk
 * and is returned. */
typedef int (*ct_visitor)(void *object, void (*drop)(void *object), void *arg);
CT_API int ct_visit_held(ct_tensor *t, ct_visitor visit, void *arg);
CT_API int ct_node_visit_held(ct_node *n, ct_visitor visit, void *arg);
CT_API void ct_drop_hooks(ct_tensor *t); /* removes all hooks of a leaf */

/* ---- autocast ---- */

/* Autocast on this thread, for tensors on the CPU (CT_CPU) or on GPUs (CT_CUDA): matrix products
 * and convolutions compute in dtype (CT_BFLOAT16 or CT_FLOAT16), operations that need a large range
 * or high precision in CT_FLOAT32. Other device types have no autocast. */
CT_API bool ct_autocast_enabled(enum ct_device_type type);
CT_API enum ct_dtype ct_autocast_dtype(enum ct_device_type type);
CT_API void ct_set_autocast(enum ct_device_type type, bool on, enum ct_dtype dtype);
/* Adds step (1 when a scope begins, -1 when it ends, 0 to query) to the number of open autocast
 * scopes of this thread, and returns it. */
CT_API int ct_autocast_nest(int step);
/* Whether casts of parameters are cached until the outermost scope ends: yes unless set. The
 * program calls ct_autocast_cache_clear there. */
CT_API bool ct_autocast_cache(void);
CT_API void ct_set_autocast_cache(bool on);
CT_API void ct_autocast_cache_clear(void);

/* ---- source locations, for bindings ---- */

/* A location in the user's program. If memory that a gradient needs was overwritten, the error
 * names the location of the write. */
struct ct_location {
    void *code;
    int at;
};
/* here: stores the current location, or returns false if there is no such location. text: returns a
 * description allocated by malloc ("train.py, line 12, in step"). drop: releases a location. All
 * may be called on any thread. */
struct ct_location_hooks {
    bool (*here)(struct ct_location *location);
    char *(*text)(struct ct_location location);
    void (*drop)(struct ct_location location);
};
CT_API void ct_set_location_hooks(const struct ct_location_hooks *hooks);

/* ---- forward-mode derivatives ---- */

/* Between enter and exit, a tensor can have a tangent: a derivative in one direction, which every
 * operation carries on to its result. Such a tensor is called dual. Only one level can be open. */
CT_API bool ct_dual_enter(void);
CT_API bool ct_dual_exit(void);
/* Whether operations of this thread carry tangents on, as they do when a level is opened, even
 * under no_grad. Returns the earlier state. */
CT_API bool ct_set_tangents_enabled(bool on);
/* Makes a dual tensor on the memory of `primal`. again: replaces the tangent that primal has;
 * otherwise a dual primal is an error. Owned. */
CT_API ct_tensor *ct_own_make_dual(ct_tensor *primal, ct_tensor *tangent, bool again);
/* The tangent of t, owned. NULL without an error: t is not dual. */
CT_API ct_tensor *ct_own_dual_tangent(ct_tensor *t);
CT_API bool ct_is_dual(const ct_tensor *t);
CT_API bool ct_is_only_dual(const ct_tensor *t); /* dual, and without a gradient by backward */

/* ---- guards of function transforms, for bindings ---- */

/* Between ct_guard_enter and ct_guard_exit, this thread runs a function under a transform (vmap,
 * grad, ...). A write to a tensor that was made before, and so was captured, is an error. `draws`
 * says what drawing random numbers does: FREE: nothing special; REFUSED: an error; SAME: the call
 * ct_guard_repeat resets the generators that were drawn from to their earlier state (default
 * generators are the caller's to reset). Guards nest. */
enum ct_guard_kind { CT_GUARD_NONE, CT_GUARD_DERIVE, CT_GUARD_MAP };
enum ct_guard_draws { CT_GUARD_DRAWS_FREE, CT_GUARD_DRAWS_REFUSED, CT_GUARD_DRAWS_SAME };
CT_API bool ct_guard_enter(enum ct_guard_kind kind, enum ct_guard_draws draws);
CT_API void ct_guard_exit(void);
CT_API enum ct_guard_kind ct_guard_kind(void); /* of the innermost guard */
CT_API bool ct_guard_repeat(void);
/* Treats the memory of t as made at `level` (-1: the innermost), so that writes to it are allowed
 * there. Returns its earlier level; pass that to a second call to restore it. */
CT_API int ct_guard_admit(ct_tensor *t, int level);
CT_API bool ct_guard_inside(const ct_tensor *t); /* whether t was made or admitted inside */

/* ---- inference mode ---- */

/* In inference mode, this thread records nothing, and tensors that it makes can never take part in
 * a recorded operation. ct_set_inference_mode returns the earlier mode. */
CT_API bool ct_inference_mode(void);
CT_API bool ct_set_inference_mode(bool on);
CT_API bool ct_is_inference(const ct_tensor *t); /* whether t was made in inference mode */

/* ---- nodes of the graph ---- */

CT_API ct_node *ct_own_grad_fn(ct_tensor *t); /* the node that made t; NULL: a leaf. Owned. */
/* The node that receives the gradient of t: its grad_fn, or the AccumulateGrad of a leaf. NULL
 * without an error: t needs no gradient. Owned. */
CT_API ct_node *ct_own_gradient_edge(ct_tensor *t, int64_t *output_nr);
CT_API ct_node *ct_node_retain(ct_node *n);
CT_API void ct_node_release(ct_node *n);
CT_API const char *ct_node_name(const ct_node *n); /* "AddBackward0"; lives as long as n */
CT_API int64_t ct_node_edges(const ct_node *n);    /* the number of edges */
/* The node that edge i leads to, and as which of its results; borrowed. NULL: that input needs no
 * gradient. */
CT_API ct_node *ct_node_next(const ct_node *n, int64_t i, int64_t *output_nr);
/* Runs the derivative of this node alone. grads: one for each result, CT_NO_TENSOR if undefined.
 * out: an array with an entry for each edge, which receives an owned gradient, or NULL. */
CT_API bool ct_node_run(ct_node *n, ct_list grads, ct_tensor **out);
CT_API int64_t ct_node_results(const ct_node *n); /* the number of gradients it receives */
/* The value that the node of an operation has saved, by the name of the argument, or "result". A
 * tensor is owned. Kind CT_VALUE_NULL: freed or overwritten (the error is set), or no such name. */
CT_API ct_value ct_node_saved_named(ct_node *n, const char *name);
CT_API ct_tensor *ct_node_variable(const ct_node *n); /* the leaf of an AccumulateGrad, or NULL */
CT_API void *ct_node_handle(const ct_node *n);        /* the binding's object, see ct_handle */
CT_API void ct_node_set_handle(ct_node *n, void *handle);

/* Attaches an object of a binding to the node, at most one; drop(note) is called when the node is
 * freed, and also if this call fails. */
CT_API bool ct_node_set_note(ct_node *n, void *note, void (*drop)(void *note));
CT_API void *ct_node_note(const ct_node *n);
CT_API int64_t ct_node_sequence(const ct_node *n); /* grows with each call on a thread */
CT_API int64_t ct_node_references(const ct_node *n);
/* Returns a tensor that represents result nr of the node when the engine is called: it has the same
 * gradient, but its values are meaningless. For an AccumulateGrad, the leaf. Owned. */
CT_API ct_tensor *ct_own_edge_tensor(ct_node *n, int64_t nr);
/* The grad_fn of t, borrowed, if t holds the only reference to it: for garbage collectors. */
CT_API ct_node *ct_sole_grad_fn(const ct_tensor *t);

/* ---- user-defined derivatives ---- */

/* The argument of a derivative: gradients of the results in, gradients of the inputs out. */
struct ct_derivative_call {
    ct_node *node;           /* for ct_node_saved */
    ct_tensor *const *grads; /* one for each result, borrowed; NULL: undefined, or not a tensor */
    int64_t n;
    const bool *wanted; /* for each input, whether its gradient is needed */
    ct_tensor **out;    /* one for each input: store an owned gradient, or leave NULL for zero */
    int64_t nout;
};

/* backward returns false if it failed and set an error. It runs in the grad mode of the engine:
 * with create_graph its operations are recorded, so a derivative made of operations can be
 * differentiated again. drop (may be NULL) is called once, when the node is freed or the
 * registration fails. */
typedef struct {
    const char *name; /* "CubeBackward"; copied */
    bool (*backward)(void *context, struct ct_derivative_call *c);
    void (*drop)(void *context);
    void *context;
    bool undefined; /* pass undefined gradients as NULL; otherwise they are zeros */
} ct_derivative;

/* Gives `result`, which was computed from the inputs under CT_NO_GRAD, a derivative. `saved`: the
 * tensors that backward needs (CT_NO_LIST: none). Returns `result`; nothing is recorded if no input
 * requires a gradient. NULL: failed. */
CT_API ct_tensor *ct_with_derivative(ct_tensor *result, ct_list inputs, ct_derivative derivative,
                                     ct_list saved);
/* In backward: the i-th saved tensor, in the scope, or CT_NO_TENSOR. NULL: the graph was freed, or
 * the tensor has been overwritten since. */
CT_API ct_tensor *ct_node_saved(ct_node *n, int64_t i);
CT_API ct_tensor *ct_own_node_saved(ct_node *n, int64_t i); /* owned */
CT_API int64_t ct_node_saved_count(ct_node *n);             /* -1 and an error: freed */

/* The same in steps, for bindings and for several results: ct_own_node before the computation,
 * ct_node_tie after it, then ct_node_save. ct_own_node makes the node, owned, with an edge for each
 * input. NULL: failed, and drop was called. */
CT_API ct_node *ct_own_node(ct_derivative derivative, ct_list inputs);
/* Flags of a result: WRITTEN: the call has written to it in place. CONSTANT: it has no gradient. */
enum { CT_RESULT_WRITTEN = 1, CT_RESULT_CONSTANT = 2 };
/* Makes the node the grad_fn of `count` results (node NULL: nothing is recorded, and only the rules
 * for views apply). The entries of `results` are owned and may be replaced: an input that is
 * returned unchanged becomes a view of itself. A NULL entry stands for a result that is not a
 * tensor. marks (may be NULL): the bits above for each result. */
CT_API bool ct_node_tie(ct_node *n, ct_list inputs, ct_tensor **results, const uint8_t *marks,
                        int64_t count);
CT_API void ct_node_set_undefined(ct_node *n, bool on); /* changes ct_derivative.undefined */
CT_API bool ct_node_save(ct_node *n, ct_list tensors);  /* CT_NO_TENSOR: an absent entry */

/* ---- numerical checks of derivatives ---- */

/* A function of tensors. Its result belongs to the innermost scope, like that of an operation.
 * */
typedef ct_tensor *(*ct_function)(ct_list inputs, void *context);

struct ct_gradcheck_args {
    size_t struct_size;
    void *context;
    double eps, atol, rtol;
};
#define ct_gradcheck_defaults                                                                      \
    {                                                                                              \
        .struct_size = sizeof(struct ct_gradcheck_args), .eps = 1e-6, .atol = 1e-5, .rtol = 1e-3   \
    }
/* ct_gradcheck(f, CT_LIST(x, y), .eps = 1e-6): compares the gradients that backward computes with
 * finite differences of f, for every element, real or complex, of the inputs that require a
 * gradient. Use float64 or complex128, or rounding errors hide the result. f is called twice for
 * each element, with copies of the inputs. False: a gradient and the difference quotient differ by
 * more than atol + rtol times the difference quotient, and the error names the element. */
CT_API bool ct_gradcheck_ex(ct_function f, ct_list inputs, const struct ct_gradcheck_args *args);
#ifndef __cplusplus
#define ct_gradcheck(f, inputs, ...)                                                               \
    CT_CALL_AL_K(CT_ID(ct_k), ct_gradcheck, f, inputs __VA_OPT__(, ) __VA_ARGS__)
#endif

/* ---- packing of saved tensors (PyTorch's saved_tensors_hooks) ---- */

/* While a packer is active, `pack` receives each tensor that an operation saves for its derivative,
 * and the node keeps what it returns; `unpack` makes that a tensor again when the derivative
 * needs it. */
typedef struct {
    void *(*pack)(void *context, ct_tensor *t); /* NULL: failed, and an error is set */
    ct_tensor *(*unpack)(void *packed);         /* owned; may be called several times */
    void (*drop)(void *packed); /* frees it when the node does not need it any more */
    void (*end)(void *context); /* called when the packer is popped; may be NULL */
    void *context;
} ct_packer;

/* Packers of this thread form a stack, of which the innermost is used. False: out of memory, and
 * `end` was called. */
CT_API bool ct_push_packer(ct_packer packer);
CT_API void ct_pop_packer(void);

/* ---- anomaly mode ---- */

/* In anomaly mode, backward fails at the first gradient that is NaN (with check_nan), and the hooks
 * below are called. One for the process. */
CT_API void ct_set_anomaly_enabled(bool on, bool check_nan);
CT_API bool ct_is_anomaly_enabled(void);
CT_API bool ct_is_anomaly_check_nan_enabled(void);
struct ct_anomaly_hooks {
    /* A node was made; outer: the node whose derivative made it, or NULL. */
    void (*made)(ct_node *n, ct_node *outer);
    void (*failed)(ct_node *n); /* the derivative of this node failed or gave NaN */
};
CT_API void ct_set_anomaly_hooks(const struct ct_anomaly_hooks *hooks);

/* ---- hooks ---- */

/* The gradients that a hook may read and replace. */
struct ct_hook_call {
    /* Owned entries, NULL: undefined. To replace one, release it and store an owned tensor. */
    ct_tensor **grads;
    int64_t n;
    ct_tensor *const *outputs; /* only for ct_node_register_hook: the gradients that the node
                                * received */
    int64_t noutputs;
};

/* call returns false if it failed and set an error. drop (may be NULL) is called once, when the
 * hook is removed and not running, or its tensor or node is freed. */
typedef struct {
    bool (*call)(void *context, struct ct_hook_call *c);
    void (*drop)(void *context);
    void *context;
} ct_hook;

typedef struct cti_hook ct_hook_handle;

/* Each registers a hook and returns an owned handle; NULL: failed, and drop was called. A hook of a
 * tensor sees its gradient (n == 1) before it is accumulated or passed on; hooks run in the order
 * of their registration. The post-accumulate hook of a leaf gets the leaf itself as grads[0], and
 * must not replace it. */
CT_API ct_hook_handle *ct_register_hook(ct_tensor *t, ct_hook hook);
CT_API ct_hook_handle *ct_register_post_accumulate_grad_hook(ct_tensor *t, ct_hook hook);
/* Hooks of a node: on the gradients of its results before it runs, and on those of its inputs after
 * it has run. */
CT_API ct_hook_handle *ct_node_register_prehook(ct_node *n, ct_hook hook);
CT_API ct_hook_handle *ct_node_register_hook(ct_node *n, ct_hook hook);
CT_API void ct_hook_remove(ct_hook_handle *h);         /* the hook is not called any more */
CT_API void ct_hook_handle_release(ct_hook_handle *h); /* frees the handle; the hook stays */

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
