/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the public operations: checks arguments and passes tensors to the engine as contiguous
 * memory. Tensors that are strided, lazily conjugated or on a different device from the engine are
 * transferred through a copy. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/check_args.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/value.h"
#include "corten/own.h"
#include "dist/dist.h"

#include <string.h>

/* ---- operands ---- */

/* Adds a tensor to a work, whose operand array has room for it. *piece receives its bytes. */
static bool add_operand(ct_group *g, ct_work *w, ct_tensor *t, bool out, struct cti_piece *piece)
{
    if (!t)
        return false;
    if (ct_is_sparse(t))
        return ct_fail(CT_ERR_RUNTIME, "ProcessGroupGloo: only dense tensors are supported");
    if (g->engine->on_device && ct_device_of(t).type != CT_CUDA)
        return ct_fail(CT_ERR_RUNTIME, "No backend type associated with device type cpu");
    struct cti_work_operand *o = &w->operand[w->noperands];
    *o = (struct cti_work_operand){.out = out, .t = ct_retain(t)};
    w->noperands++;
    ct_tensor *held = cti_plain(t, !g->engine->on_device);
    if (!held)
        return false;
    if (held == t)
        ct_release(held);
    else
        o->copy = held;
    int64_t nbytes = ct_numel(held) * ct_element_size(held);
    o->piece = (struct cti_piece){nbytes ? ct_data(held) : NULL, nbytes};
    *piece = o->piece;
    return true;
}

/* Makes a work for n tensors; NULL with an error. */
static ct_work *work_begin(ct_group *g, enum cti_work_kind kind, int64_t n, ct_tensor *like)
{
    ct_work *w = like ? cti_work_new(g, kind) : NULL;
    if (!w)
        return NULL;
    w->dtype = ct_dtype(like);
    w->operand = cti_calloc((size_t)n + 1, sizeof *w->operand);
    if (w->operand)
        return w;
    ct_work_release(w);
    return NULL;
}

static ct_work *submit(ct_group *g, ct_work *w, bool good)
{
    if (good)
        return cti_work_submit_take(g, w);
    ct_work_release(w);
    return NULL;
}

/* ---- checks ---- */

static bool is_rank(const ct_group *g, int rank, const char *what)
{
    return (rank >= 0 && rank < g->size) ||
           cti_refuse(CT_ERR_RUNTIME, "ProcessGroupGloo::%s: invalid root rank: %d", what, rank);
}

/* Checks that the reduction supports the tensor's dtype, with PyTorch's messages. */
static bool reduces(const ct_tensor *t, enum ct_reduce_op op)
{
    enum ct_dtype d = ct_dtype(t);
    bool integral = !ct_dtype_is_floating(d) && !ct_dtype_is_complex(d);
    static const char *const bits[] = {
        [CT_REDUCE_BAND] = "BAND", [CT_REDUCE_BOR] = "BOR", [CT_REDUCE_BXOR] = "BXOR"};
    if (op < 0 || op >= CT_REDUCE_OPS)
        return ct_fail(CT_ERR_VALUE, "Unhandled ReduceOp");
    if (op >= CT_REDUCE_BAND && !integral)
        return ct_fail(CT_ERR_RUNTIME, "Cannot use ReduceOp.%s with non-integral dtype", bits[op]);
    if (op == CT_REDUCE_AVG && integral)
        return ct_fail(CT_ERR_RUNTIME,
                       "result type Float can't be cast to the desired output type %s",
                       cti_dtype_scalar_name(d));
    if ((op == CT_REDUCE_MIN || op == CT_REDUCE_MAX || op == CT_REDUCE_PRODUCT) &&
        ct_dtype_is_complex(d))
        return ct_fail(CT_ERR_VALUE, "all_reduce does not support %s on complex tensors",
                       op == CT_REDUCE_MIN   ? "RedOpType.MIN"
                       : op == CT_REDUCE_MAX ? "RedOpType.MAX"
                                             : "RedOpType.PRODUCT");
    return true;
}

static int64_t tensor_nbytes(const ct_tensor *t)
{
    return ct_numel(t) * ct_element_size(t);
}

/* Checks that a list has one entry per process. which: as in list_fits. */
static bool has_length(const ct_group *g, ct_list list, const char *what, const char *which)
{
    if (list.n == g->size)
        return true;
    if (!which)
        return ct_fail(CT_ERR_RUNTIME,
                       "ProcessGroupGloo::%s: invalid output tensor list at index 0 (expected "
                       "length %d, got %lld)",
                       what, g->size, (long long)list.n);
    return ct_fail(CT_ERR_RUNTIME,
                   "ProcessGroupGloo::%s: Incorrect %s list size %lld. %c%s list size should be "
                   "%d, same as size of the process group.",
                   what, which, (long long)list.n, which[0] - 'a' + 'A', which + 1, g->size);
}

/* Checks that a list has one tensor per process, of `like`'s dtype and size. which: "input" or
 * "output" list of the root, or NULL. */
static bool list_fits(const ct_group *g, ct_list list, const ct_tensor *like, const char *what,
                      const char *which, bool same_size)
{
    if (!has_length(g, list, what, which))
        return false;
    for (int64_t i = 0; i < list.n; i++) {
        if (!list.v[i])
            return false;
        if (ct_dtype(list.v[i]) != ct_dtype(like))
            return ct_fail(CT_ERR_RUNTIME,
                           "ProcessGroupGloo::%s: invalid tensor type at index %lld", what,
                           (long long)i);
        if (same_size && ct_numel(list.v[i]) != ct_numel(like))
            return ct_fail(CT_ERR_RUNTIME,
                           "ProcessGroupGloo::%s: invalid tensor size at index %lld (expected "
                           "(%lld), got (%lld))",
                           what, (long long)i, (long long)ct_numel(like),
                           (long long)ct_numel(list.v[i]));
    }
    return true;
}

/* Adds the tensors of a list; pieces[i] receives the bytes of tensor i. */
static bool add_list(ct_group *g, ct_work *w, ct_list list, bool out, struct cti_piece *pieces)
{
    bool good = true;
    for (int64_t i = 0; i < list.n && good; i++)
        good = add_operand(g, w, list.v[i], out, &pieces[i]);
    return good;
}

/* Whether `whole` has the size of one tensor `one` per process. */
static bool has_all(const ct_group *g, const ct_tensor *whole, const ct_tensor *one)
{
    int64_t n = tensor_nbytes(whole);
    return n % g->size == 0 && n / g->size == tensor_nbytes(one);
}

/* Divides memory into equal parts, one per process. */
static void divide_equally(const ct_group *g, struct cti_piece whole, struct cti_piece *pieces)
{
    int64_t n = whole.nbytes / g->size;
    for (int i = 0; i < g->size; i++)
        pieces[i] = (struct cti_piece){whole.data + i * n, n};
}

/* ---- one tensor ---- */

/* Submits a collective of one tensor; out: it is written. */
static ct_work *single(ct_group *g, enum cti_work_kind kind, ct_tensor *t, bool out, int root,
                       enum ct_reduce_op op)
{
    ct_work *w = work_begin(g, kind, 1, t);
    if (!w)
        return NULL;
    w->root = root;
    w->op = op;
    return submit(g, w, add_operand(g, w, t, out, &w->whole));
}

ct_work *ct_dist_all_reduce(ct_group *g, ct_tensor *t, enum ct_reduce_op op)
{
    if (!(cti_check_pointer(g, "ct_dist_all_reduce", "g") &&
          cti_check_pointer(t, "ct_dist_all_reduce", "t")))
        return NULL;
    return reduces(t, op) ? single(g, CTI_ALL_REDUCE, t, true, 0, op) : NULL;
}

ct_work *ct_dist_reduce(ct_group *g, ct_tensor *t, int dst, enum ct_reduce_op op)
{
    if (!(cti_check_pointer(g, "ct_dist_reduce", "g") &&
          cti_check_pointer(t, "ct_dist_reduce", "t")))
        return NULL;
    if (!is_rank(g, dst, "reduce") || !reduces(t, op))
        return NULL;
    return single(g, CTI_REDUCE, t, g->rank == dst, dst, op);
}

ct_work *ct_dist_broadcast(ct_group *g, ct_tensor *t, int src)
{
    if (!(cti_check_pointer(g, "ct_dist_broadcast", "g") &&
          cti_check_pointer(t, "ct_dist_broadcast", "t")))
        return NULL;
    if (!is_rank(g, src, "broadcast"))
        return NULL;
    return single(g, CTI_BROADCAST, t, g->rank != src, src, CT_REDUCE_SUM);
}

/* Submits a send or a receive. */
static ct_work *message(ct_group *g, ct_tensor *t, int peer, int tag, bool sends)
{
    if (tag < 0)
        return ct_fail(CT_ERR_RUNTIME, "Tag must be nonnegative");
    ct_work *w = g && t ? work_begin(g, sends ? CTI_SEND : CTI_RECV, 1, t) : NULL;
    if (!w)
        return NULL;
    w->transfer = (struct cti_transfer){.peer = peer, .sends = sends, .key = (uint32_t)tag};
    return submit(g, w, add_operand(g, w, t, !sends, &w->whole));
}

ct_work *ct_dist_isend(ct_group *g, ct_tensor *t, int dst, int tag)
{
    if (!cti_check_pointer(g, "ct_dist_isend", "g"))
        return NULL;
    if (!is_rank(g, dst, "send"))
        return NULL;
    if (dst == g->rank)
        return ct_fail(CT_ERR_VALUE, "Invalid destination rank: destination rank should not be the "
                                     "same as the rank of the current process.");
    return message(g, t, dst, tag, true);
}

ct_work *ct_dist_irecv(ct_group *g, ct_tensor *t, int src, int tag)
{
    if (!cti_check_pointer(g, "ct_dist_irecv", "g"))
        return NULL;
    if (src != -1 && !is_rank(g, src, "recv"))
        return NULL;
    if (src == g->rank)
        return ct_fail(CT_ERR_VALUE, "Invalid source rank: source rank should not be the same as "
                                     "the rank of the current process.");
    return message(g, t, src, tag, false);
}

/* ---- lists ---- */

/* Submits a collective of a list, with one tensor per process, and a single tensor `one`. list_out:
 * the list receives and `one` is sent; otherwise vice versa. */
static ct_work *with_list(ct_group *g, enum cti_work_kind kind, ct_list list, bool list_out,
                          ct_tensor *one, int root, enum ct_reduce_op op)
{
    ct_work *w = work_begin(g, kind, list.n + 1, one);
    if (!w)
        return NULL;
    w->root = root;
    w->op = op;
    return submit(g, w,
                  add_list(g, w, list, list_out, list_out ? w->out : w->in) &&
                      add_operand(g, w, one, !list_out, &w->whole));
}

/* Like with_list, with equal parts of the tensor `all` instead of a list. */
static ct_work *with_parts(ct_group *g, enum cti_work_kind kind, ct_tensor *all, bool all_out,
                           ct_tensor *one, enum ct_reduce_op op)
{
    struct cti_piece whole;
    ct_work *w = work_begin(g, kind, 2, one);
    if (!w)
        return NULL;
    w->op = op;
    bool good =
        add_operand(g, w, all, all_out, &whole) && add_operand(g, w, one, !all_out, &w->whole);
    if (good)
        divide_equally(g, whole, all_out ? w->out : w->in);
    return submit(g, w, good);
}

ct_work *ct_dist_all_gather(ct_group *g, ct_list outputs, ct_tensor *input)
{
    if (!(cti_check_list(&outputs, "ct_dist_all_gather", "outputs") &&
          cti_check_pointer(g, "ct_dist_all_gather", "g") &&
          cti_check_pointer(input, "ct_dist_all_gather", "input")))
        return NULL;
    if (!list_fits(g, outputs, input, "allgather", NULL, true))
        return NULL;
    return with_list(g, CTI_ALL_GATHER, outputs, true, input, 0, CT_REDUCE_SUM);
}

ct_work *ct_dist_all_gather_into_tensor(ct_group *g, ct_tensor *output, ct_tensor *input)
{
    if (!(cti_check_pointer(g, "ct_dist_all_gather_into_tensor", "g") &&
          cti_check_pointer(output, "ct_dist_all_gather_into_tensor", "output") &&
          cti_check_pointer(input, "ct_dist_all_gather_into_tensor", "input")))
        return NULL;
    if (ct_dtype(output) != ct_dtype(input))
        return ct_fail(g->engine->on_device ? CT_ERR_TYPE : CT_ERR_RUNTIME,
                       "output tensor must have the same type as input tensor");
    if (!has_all(g, output, input))
        return ct_fail(g->engine->on_device ? CT_ERR_VALUE : CT_ERR_RUNTIME,
                       "output tensor size must be equal to world_size times input tensor size");
    return with_parts(g, CTI_ALL_GATHER, output, true, input, CT_REDUCE_SUM);
}

ct_work *ct_dist_gather(ct_group *g, ct_list outputs, ct_tensor *input, int dst)
{
    if (!(cti_check_list(&outputs, "ct_dist_gather", "outputs") &&
          cti_check_pointer(g, "ct_dist_gather", "g") &&
          cti_check_pointer(input, "ct_dist_gather", "input")))
        return NULL;
    if (!is_rank(g, dst, "gather"))
        return NULL;
    if (g->rank == dst ? !list_fits(g, outputs, input, "gather", "output", true) : outputs.n != 0)
        return g->rank == dst ? NULL
                              : ct_fail(CT_ERR_VALUE, "Argument ``gather_list`` must NOT be "
                                                      "specified on non-destination ranks.");
    return with_list(g, CTI_GATHER, outputs, true, input, dst, CT_REDUCE_SUM);
}

ct_work *ct_dist_scatter(ct_group *g, ct_tensor *output, ct_list inputs, int src)
{
    if (!(cti_check_list(&inputs, "ct_dist_scatter", "inputs") &&
          cti_check_pointer(g, "ct_dist_scatter", "g") &&
          cti_check_pointer(output, "ct_dist_scatter", "output")))
        return NULL;
    if (!is_rank(g, src, "scatter"))
        return NULL;
    if (g->rank == src ? !list_fits(g, inputs, output, "scatter", "input", true) : inputs.n != 0)
        return g->rank == src ? NULL
                              : ct_fail(CT_ERR_VALUE, "Argument ``scatter_list`` must NOT be "
                                                      "specified on non-source ranks.");
    return with_list(g, CTI_SCATTER, inputs, false, output, src, CT_REDUCE_SUM);
}

ct_work *ct_dist_reduce_scatter(ct_group *g, ct_tensor *output, ct_list inputs,
                                enum ct_reduce_op op)
{
    if (!(cti_check_list(&inputs, "ct_dist_reduce_scatter", "inputs") &&
          cti_check_pointer(g, "ct_dist_reduce_scatter", "g") &&
          cti_check_pointer(output, "ct_dist_reduce_scatter", "output")))
        return NULL;
    if (!reduces(output, op))
        return NULL;
    if (inputs.n != g->size)
        return ct_fail(CT_ERR_RUNTIME, "invalid input tensor list size, must be world size");
    if (!list_fits(g, inputs, output, "reduce_scatter", NULL, false))
        return NULL;
    if (ct_numel(inputs.v[g->rank]) != ct_numel(output))
        return ct_fail(
            CT_ERR_RUNTIME,
            "ProcessGroupGloo::reduce_scatter: invalid tensor size at index %d (expected "
            "(%lld), got (%lld))",
            g->rank, (long long)ct_numel(output), (long long)ct_numel(inputs.v[g->rank]));
    return with_list(g, CTI_REDUCE_SCATTER, inputs, false, output, 0, op);
}

ct_work *ct_dist_reduce_scatter_tensor(ct_group *g, ct_tensor *output, ct_tensor *input,
                                       enum ct_reduce_op op)
{
    if (!(cti_check_pointer(g, "ct_dist_reduce_scatter_tensor", "g") &&
          cti_check_pointer(output, "ct_dist_reduce_scatter_tensor", "output") &&
          cti_check_pointer(input, "ct_dist_reduce_scatter_tensor", "input")))
        return NULL;
    if (!reduces(output, op))
        return NULL;
    if (ct_dtype(output) != ct_dtype(input))
        return ct_fail(g->engine->on_device ? CT_ERR_TYPE : CT_ERR_RUNTIME,
                       "input tensor must be the same type as the output tensor.");
    if (!has_all(g, input, output))
        return ct_fail(g->engine->on_device ? CT_ERR_VALUE : CT_ERR_RUNTIME,
                       "input tensor must be the same size as output size times world size");
    return with_parts(g, CTI_REDUCE_SCATTER, input, false, output, op);
}

/* A process copies its own part instead of sending it, so its size must be checked here. */
static bool own_fits(const ct_group *g, const ct_work *w)
{
    return w->out[g->rank].nbytes == w->in[g->rank].nbytes ||
           cti_refuse(CT_ERR_RUNTIME, "ProcessGroupGloo::alltoall: input and output tensors must "
                                      "have the same size");
}

ct_work *ct_dist_all_to_all(ct_group *g, ct_list outputs, ct_list inputs)
{
    if (!(cti_check_list(&outputs, "ct_dist_all_to_all", "outputs") &&
          cti_check_list(&inputs, "ct_dist_all_to_all", "inputs")))
        return NULL;
    if (!cti_check_pointer(g, "ct_dist_all_to_all", "g"))
        return NULL;
    if (outputs.n != g->size || inputs.n != g->size)
        return ct_fail(CT_ERR_RUNTIME,
                       "ProcessGroupGloo::alltoall: %s tensor list size %lld does not match world "
                       "size %d",
                       outputs.n != g->size ? "output" : "input",
                       (long long)(outputs.n != g->size ? outputs.n : inputs.n), g->size);
    ct_work *w = work_begin(g, CTI_ALL_TO_ALL, outputs.n + inputs.n, outputs.v[0]);
    return !w ? NULL
              : submit(g, w,
                       add_list(g, w, outputs, true, w->out) &&
                           add_list(g, w, inputs, false, w->in) && own_fits(g, w));
}

/* Divides memory along dim 0 into parts of the given sizes. */
static bool split(const ct_group *g, const ct_tensor *t, ct_ints sizes, struct cti_piece whole,
                  struct cti_piece *pieces)
{
    int64_t rows = ct_ndim(t) ? ct_size(t, 0) : 0, at = 0;
    sizes.n = sizes.v ? cti_ints_count(sizes) : 0;
    if (!sizes.v || sizes.n == 0) {
        if (rows % g->size)
            return ct_fail(CT_ERR_RUNTIME,
                           "Tensor's dim 0 does not divide equally across group size");
        divide_equally(g, whole, pieces);
        return true;
    }
    int64_t row = rows ? whole.nbytes / rows : 0;
    if (sizes.n != g->size)
        return ct_fail(CT_ERR_RUNTIME, "Number of tensor splits not equal to group size");
    for (int i = 0; i < g->size; i++) {
        if (sizes.v[i] < 0)
            return ct_fail(CT_ERR_RUNTIME, "Split sizes must be non-negative");
        if (sizes.v[i] > rows)
            return ct_fail(CT_ERR_RUNTIME, "Split sizes doesn't match total dim 0 size");
        rows -= sizes.v[i];
        int64_t n = row * sizes.v[i];
        pieces[i] = (struct cti_piece){whole.data + at, n};
        at += n;
    }
    return rows == 0 || cti_refuse(CT_ERR_RUNTIME, "Split sizes doesn't match total dim 0 size");
}

ct_work *ct_dist_all_to_all_single(ct_group *g, ct_tensor *output, ct_tensor *input,
                                   ct_ints output_sizes, ct_ints input_sizes)
{
    if (!(CTI_CHECK_NUMBERS(output_sizes, "ct_dist_all_to_all_single", "output_sizes") &&
          CTI_CHECK_NUMBERS(input_sizes, "ct_dist_all_to_all_single", "input_sizes")))
        return NULL;
    if (!(cti_check_pointer(g, "ct_dist_all_to_all_single", "g") &&
          cti_check_pointer(output, "ct_dist_all_to_all_single", "output") &&
          cti_check_pointer(input, "ct_dist_all_to_all_single", "input")))
        return NULL;
    if (ct_dtype(output) != ct_dtype(input))
        return ct_fail(CT_ERR_RUNTIME, "Tensors are not equal in data type");
    ct_work *w = work_begin(g, CTI_ALL_TO_ALL, 2, output);
    struct cti_piece out, in;
    return submit(g, w,
                  w && add_operand(g, w, output, true, &out) &&
                      add_operand(g, w, input, false, &in) &&
                      split(g, output, output_sizes, out, w->out) &&
                      split(g, input, input_sizes, in, w->in) && own_fits(g, w));
}

/* ---- barriers ---- */

ct_work *ct_dist_barrier(ct_group *g)
{
    return cti_check_pointer(g, "ct_dist_barrier", "g") ? ct_dist_barrier_within(g, 0) : NULL;
}

ct_work *ct_dist_barrier_within(ct_group *g, double timeout)
{
    if (!cti_check_pointer(g, "ct_dist_barrier_within", "g"))
        return NULL;
    ct_work *w = cti_work_new(g, CTI_BARRIER);
    if (!w)
        return NULL;
    w->timeout = timeout;
    return cti_work_submit_take(g, w);
}

ct_work *ct_dist_monitored_barrier(ct_group *g, double timeout, bool wait_all)
{
    if (!cti_check_pointer(g, "ct_dist_monitored_barrier", "g"))
        return NULL;
    if (g && strcmp(g->engine->name, "gloo") != 0)
        return ct_fail(CT_ERR_VALUE, "monitored_barrier is only implemented for GLOO backend.");
    ct_work *w = cti_work_new(g, CTI_MONITORED_BARRIER);
    if (!w)
        return NULL;
    w->timeout = timeout;
    w->wait_all = wait_all;
    return cti_work_submit_take(g, w);
}
