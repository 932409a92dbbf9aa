/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients beyond the operations: what ran (the graph of nodes), hooks, and the engine on lists of
 * tensors. C programs mostly need ct_backward (ops.h) and ct_grad; bindings need the rest.
 * "Owned" results are given back with ct_release or ct_node_release; others are borrowed. */
#ifndef CORTEN_AUTOGRAD_H
#define CORTEN_AUTOGRAD_H

#ifdef __GNUC__
#pragma GCC system_header /* compilers speak of the program, not of what macros are made of */
#endif

#include "corten/base.h"

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cti_node ct_node; /* an operation that made a tensor, see below */

/* ---- the gradient of a tensor ---- */

CT_API ct_tensor *ct_grad(ct_tensor *t);                /* in the scope; NULL and no error: none */
CT_API ct_tensor *ct_own_grad(ct_tensor *t);            /* owned; NULL and no error: none */
CT_API bool ct_set_grad(ct_tensor *t, ct_tensor *grad); /* CT_NO_TENSOR takes it away */
/* x.grad_dtype: the type a leaf's gradient is cast to and must have; CT_NO_DTYPE: any. */
CT_API enum ct_dtype ct_grad_dtype(const ct_tensor *t);
CT_API bool ct_set_grad_dtype(ct_tensor *t, enum ct_dtype dtype);
CT_API bool ct_retain_grad(ct_tensor *t); /* a non-leaf keeps its gradient too */
CT_API bool ct_retains_grad(const ct_tensor *t);
CT_API bool ct_set_requires_grad(ct_tensor *t, bool on); /* x.requires_grad = on */
/* x.requires_grad_(), x.detach_(): return t itself, without a new reference. */
CT_API ct_tensor *ct_requires_grad_(ct_tensor *t);
CT_API ct_tensor *ct_own_requires_grad_(ct_tensor *t, bool on);
CT_API ct_tensor *ct_detach_(ct_tensor *t);
CT_API ct_tensor *ct_own_data(ct_tensor *t); /* x.data: no history, a version of its own */
CT_API bool ct_set_data(ct_tensor *t, ct_tensor *data); /* x.data = data */
CT_API ct_tensor *ct_base_of(ct_tensor *t);             /* what t is a view of, borrowed, or NULL */
CT_API int64_t ct_output_nr(ct_tensor *t);              /* which output of its grad_fn it is */

/* ---- the engine ---- */

/* Adds gradients of `tensors` to the leaves they came from. gradients.v NULL: ones for scalars; an
 * entry may be CT_NO_TENSOR for the same. inputs.v NULL: all leaves, else only these. */
CT_API bool ct_autograd_backward(ct_list tensors, ct_list gradients, bool retain_graph,
                                 bool create_graph, ct_list inputs);
/* Puts owned gradients of the inputs into `grads`, one for each; NULL for an unused input, which is
 * an error unless allow_unused. False: failed, all NULL. */
CT_API bool ct_autograd_gradients(ct_list outputs, ct_list inputs, ct_list grad_outputs,
                                  bool retain_graph, bool create_graph, bool allow_unused,
                                  ct_tensor **grads);

/* In a hook or derivative: the number of the run in progress on this thread, -1 if none; and
 * whether it comes to a node. */
CT_API int64_t ct_engine_run(void);
CT_API bool ct_engine_will_run(const ct_node *n);
/* Whether that run, or one around it, computes the gradients of given inputs only. A derivative
 * that calls ct_autograd_backward itself would then reach leaves that nobody asked for. */
CT_API bool ct_engine_is_partial(void);
/* Calls call(context) when that run has computed all gradients, and drop(context) when it is over
 * in any case. False from `call` is the run's failure. An error outside of a run. */
CT_API bool ct_engine_at_end(bool (*call)(void *context), void (*drop)(void *context),
                             void *context);
/* A backward of the user's may run the engine again, and so on, until a stack is used up: how many
 * runs stand on this thread's; and work(arg) on a thread of its own that goes on in their place,
 * while this one waits. Errors stay with the thread. False: there is no thread, nothing was done.
 */
CT_API int ct_engine_depth(void);
CT_API bool ct_engine_apart(void (*work)(void *arg), void *arg);

/* For the garbage collector of a binding: shows visit() every object that nothing but t (or n),
 * which has the caller's reference alone, holds: contexts of hooks with what drops them, and faces
 * of tensors and nodes (drop is NULL). Stops at a result other than 0, and answers it. */
typedef int (*ct_visitor)(void *object, void (*drop)(void *object), void *arg);
CT_API int ct_visit_held(ct_tensor *t, ct_visitor visit, void *arg);
CT_API int ct_node_visit_held(ct_node *n, ct_visitor visit, void *arg);
CT_API void ct_drop_hooks(ct_tensor *t); /* all hooks of a leaf */

/* Autocast of this thread, for tensors on the CPU (CT_CPU) or on GPUs (CT_CUDA): products and
 * convolutions compute in dtype (bfloat16 or float16), some other rows in float32. */
CT_API bool ct_autocast_enabled(enum ct_device_type type);
CT_API enum ct_dtype ct_autocast_dtype(enum ct_device_type type);
CT_API void ct_set_autocast(enum ct_device_type type, bool on, enum ct_dtype dtype);
/* How many scopes are open, after adding step: 1 where one begins, -1 where it ends, 0 to ask. */
CT_API int ct_autocast_nest(int step);
/* Whether the casts of parameters are kept until the outermost scope ends; the end drops them. */
CT_API bool ct_autocast_cache(void);
CT_API void ct_set_autocast_cache(bool on);
CT_API void ct_autocast_cache_clear(void);

/* Inference mode of this thread; what is made in it never joins a graph. Returns the old mode. */
/* For bindings: a place in the user's program, which notes of errors name when memory that a
 * gradient needs was overwritten there. here: the place now, false if there is none; text:
 * malloc'ed, "train.py, line 12, in step"; drop: it is no longer needed. Called on any thread. */
struct ct_location {
    void *code;
    int at;
};
struct ct_location_hooks {
    bool (*here)(struct ct_location *location);
    char *(*text)(struct ct_location location);
    void (*drop)(struct ct_location location);
};
CT_API void ct_set_location_hooks(const struct ct_location_hooks *hooks);

/* Derivatives forwards. Between enter and exit a dual shares the memory of its primal and moves in
 * the direction of its tangent; everything made of it has a tangent too. The tangent is NULL where
 * a tensor has none. `again`: a tangent in place of the one it has. `only`: it wants no other
 * gradient. */
CT_API bool ct_dual_enter(void);
CT_API bool ct_dual_exit(void);
/* Whether no_grad leaves tangents alone on this thread, as it does while a level is open; what it
 * was. */
CT_API bool ct_set_tangents_enabled(bool on);
CT_API ct_tensor *ct_own_make_dual(ct_tensor *primal, ct_tensor *tangent, bool again);
CT_API ct_tensor *ct_own_dual_tangent(ct_tensor *t);
CT_API bool ct_is_dual(const ct_tensor *t);
CT_API bool ct_is_only_dual(const ct_tensor *t);

/* Guards of functions under a transform such as vmap, on this thread: until ct_guard_exit a write
 * into a tensor from before ct_guard_enter fails, and so may drawing random numbers. With
 * CT_GUARD_DRAWS_SAME ct_guard_repeat takes the generators that were given to functions back to
 * where they were (default generators are the caller's to take back). */
enum ct_guard_kind { CT_GUARD_NONE, CT_GUARD_DERIVE, CT_GUARD_MAP };
enum ct_guard_draws { CT_GUARD_DRAWS_FREE, CT_GUARD_DRAWS_REFUSED, CT_GUARD_DRAWS_SAME };
CT_API bool ct_guard_enter(enum ct_guard_kind kind, enum ct_guard_draws draws);
CT_API void ct_guard_exit(void);
CT_API enum ct_guard_kind ct_guard_kind(void); /* the innermost */
CT_API bool ct_guard_repeat(void);
/* Lets t's memory be written inside, as if it had been made at a level (-1: the innermost); returns
 * the level it had, for taking that back. */
CT_API int ct_guard_admit(ct_tensor *t, int level);
CT_API bool ct_guard_inside(const ct_tensor *t); /* was it made, or admitted, inside? */

CT_API bool ct_is_inference(const ct_tensor *t); /* was it made in inference mode? */
CT_API bool ct_inference_mode(void);
CT_API bool ct_set_inference_mode(bool on);

/* ---- nodes: the operations that made a tensor ---- */

CT_API ct_node *ct_own_grad_fn(ct_tensor *t); /* owned, or NULL: a leaf */
/* The edge a tensor's gradient leaves by: its grad_fn, or the AccumulateGrad of a leaf. Owned. */
CT_API ct_node *ct_own_gradient_edge(ct_tensor *t, int64_t *output_nr);
CT_API ct_node *ct_node_retain(ct_node *n);
CT_API void ct_node_release(ct_node *n);
CT_API const char *ct_node_name(const ct_node *n); /* "AddBackward0" */
CT_API int64_t ct_node_edges(const ct_node *n);
/* The node that takes the i-th gradient of n, and as which output; borrowed, NULL: nobody. */
CT_API ct_node *ct_node_next(const ct_node *n, int64_t i, int64_t *output_nr);
/* Runs the node's derivative alone: n owned gradients go into `out`, one for each edge, NULL where
 * there is none. grads: one for each of its results, CT_NO_TENSOR for an undefined one. */
CT_API bool ct_node_run(ct_node *n, ct_list grads, ct_tensor **out);
CT_API int64_t ct_node_results(const ct_node *n); /* how many gradients it takes */
/* What a node of a row has saved, by the argument's name, or "result"; a tensor is owned. Kind
 * CT_VALUE_NULL: freed or overwritten, or (no error is set) nothing of that name. */
CT_API ct_value ct_node_saved_named(ct_node *n, const char *name);
CT_API ct_tensor *ct_node_variable(const ct_node *n); /* the leaf of an AccumulateGrad, or NULL */
CT_API void *ct_node_handle(const ct_node *n);
CT_API void ct_node_set_handle(ct_node *n, void *handle);

/* Something of a binding's that lives as long as the node; once for each node. False: no memory,
 * and drop was called. */
CT_API bool ct_node_set_note(ct_node *n, void *note, void (*drop)(void *note));
CT_API void *ct_node_note(const ct_node *n);
CT_API int64_t ct_node_sequence(const ct_node *n); /* later calls have greater ones */
CT_API int64_t ct_node_references(const ct_node *n);
/* A tensor whose gradient is that of the node's nr-th result, and which stands for it in lists of
 * outputs and inputs; of an AccumulateGrad its leaf. Its values mean nothing. Owned. */
CT_API ct_tensor *ct_own_edge_tensor(ct_node *n, int64_t nr);
/* t's grad_fn, borrowed, if only t holds it: for collectors of cycles. */
CT_API ct_node *ct_sole_grad_fn(const ct_tensor *t);

/* ---- derivatives of one's own ---- */

/* What a derivative is given, and where it puts its answer. */
struct ct_derivative_call {
    ct_node *node;           /* for ct_node_saved */
    ct_tensor *const *grads; /* one for each result, borrowed; NULL: not a tensor, or undefined */
    int64_t n;
    const bool *wanted; /* of which inputs a gradient is wanted */
    ct_tensor **out;    /* put an owned gradient for each of those; NULL stays for zero */
    int64_t nout;
};

/* backward: false when it failed and an error is set. It runs in the grad mode of the engine: what
 * it computes is recorded under create_graph, so a derivative made of operations can itself be
 * derived. drop (may be NULL) is called once, when the node is gone. */
typedef struct {
    const char *name; /* "CubeBackward"; copied */
    bool (*backward)(void *context, struct ct_derivative_call *c);
    void (*drop)(void *context);
    void *context;
    bool undefined; /* gradients that nobody gave are NULL instead of zeros */
} ct_derivative;

/* Gives a result, which was computed from the inputs under CT_NO_GRAD, a derivative; `saved` is
 * what backward will ask for (CT_NO_LIST: nothing). Returns the result itself, unrecorded when no
 * input wants a gradient. */
CT_API ct_tensor *ct_with_derivative(ct_tensor *result, ct_list inputs, ct_derivative derivative,
                                     ct_list saved);
/* A saved tensor, in the scope, or CT_NO_TENSOR. NULL: freed, or overwritten since. */
CT_API ct_tensor *ct_node_saved(ct_node *n, int64_t i);
CT_API ct_tensor *ct_own_node_saved(ct_node *n, int64_t i); /* owned */
CT_API int64_t ct_node_saved_count(ct_node *n);             /* -1: freed, the error is set */

/* The same in steps, for bindings and for several results. The node, owned, with an edge for each
 * input; make it before the work. NULL: failed, drop was called. */
CT_API ct_node *ct_own_node(ct_derivative derivative, ct_list inputs);
/* What was done to a result. */
enum { CT_RESULT_WRITTEN = 1, CT_RESULT_CONSTANT = 2 };
/* After the work: ties n results to the node, or says what they are where nothing is recorded (node
 * NULL). Entries are owned and may be replaced: an input that is given back becomes a view of it. A
 * NULL entry is no tensor. marks (may be NULL): bits for each result. */
CT_API bool ct_node_tie(ct_node *n, ct_list inputs, ct_tensor **results, const uint8_t *marks,
                        int64_t count);
CT_API void ct_node_set_undefined(ct_node *n, bool on); /* ct_derivative.undefined, later */
CT_API bool ct_node_save(ct_node *n, ct_list tensors);  /* last; CT_NO_TENSOR: an empty place */

/* ---- is a derivative right? ---- */

/* A function of tensors; its result belongs to the innermost scope, as every operation's. */
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
/* ct_gradcheck(f, CT_LIST(x, y), .eps = 1e-6): whether backward gives what differences of the
 * function give, for every element of the inputs that require a gradient, real or complex; these
 * should be float64 or complex128. False: the error says of which element it does not. f is called
 * twice for each element, with copies of the inputs. */
CT_API bool ct_gradcheck_ex(ct_function f, ct_list inputs, const struct ct_gradcheck_args *args);
#ifndef __cplusplus
#define ct_gradcheck(f, inputs, ...)                                                               \
    CT_CALL_AL_K(CT_ID(ct_k), ct_gradcheck, f, inputs __VA_OPT__(, ) __VA_ARGS__)
#endif

/* ---- saved tensors in the caller's care ---- */

/* While a packer is active, what an operation saves for its derivative is given to pack instead. */
typedef struct {
    void *(*pack)(void *context, ct_tensor *t); /* NULL: failed, an error is set */
    ct_tensor *(*unpack)(void *packed);         /* owned; may be asked for several times */
    void (*drop)(void *packed);                 /* it is no longer needed */
    void (*end)(void *context);                 /* the packer is gone; may be NULL */
    void *context;
} ct_packer;

/* On this thread; the innermost one acts. False: no memory, and end was called. */
CT_API bool ct_push_packer(ct_packer packer);
CT_API void ct_pop_packer(void);

/* ---- anomaly mode ---- */

/* While it is on, backward fails where a gradient becomes NaN (check_nan), and bindings are told of
 * each node that is made (outer: the node whose derivative makes it, or NULL) and of the node whose
 * gradient failed. For the whole program. */
CT_API void ct_set_anomaly_enabled(bool on, bool check_nan);
CT_API bool ct_is_anomaly_enabled(void);
CT_API bool ct_is_anomaly_check_nan_enabled(void);
struct ct_anomaly_hooks {
    void (*made)(ct_node *n, ct_node *outer);
    void (*failed)(ct_node *n);
};
CT_API void ct_set_anomaly_hooks(const struct ct_anomaly_hooks *hooks);

/* ---- hooks ---- */

/* What a hook may look at and change. */
struct ct_hook_call {
    ct_tensor **grads; /* owned entries, NULL: undefined; to change one release it, put an owned */
    int64_t n;
    ct_tensor *const *outputs; /* hooks of nodes after they ran: what the node was given */
    int64_t noutputs;
};

/* False: failed, an error is set. drop (may be NULL) is called once, when the hook is gone. */
typedef struct {
    bool (*call)(void *context, struct ct_hook_call *c);
    void (*drop)(void *context);
    void *context;
} ct_hook;

typedef struct cti_hook ct_hook_handle;

/* Each registers a hook and returns an owned handle; NULL: failed, drop was called. Hooks of a
 * tensor see its gradient (n == 1) before it is accumulated or passed on, in order of registration.
 * A post-accumulate hook of a leaf finds the leaf itself as grads[0], which it must not replace. */
CT_API ct_hook_handle *ct_register_hook(ct_tensor *t, ct_hook hook);
CT_API ct_hook_handle *ct_register_post_accumulate_grad_hook(ct_tensor *t, ct_hook hook);
CT_API ct_hook_handle *ct_node_register_prehook(ct_node *n, ct_hook hook); /* gradients coming in */
CT_API ct_hook_handle *ct_node_register_hook(ct_node *n, ct_hook hook);    /* gradients going out */
CT_API void ct_hook_remove(ct_hook_handle *h);         /* never runs again; drops its context */
CT_API void ct_hook_handle_release(ct_hook_handle *h); /* the hook stays */

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
