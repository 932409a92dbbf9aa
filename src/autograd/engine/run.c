/* SPDX-License-Identifier: BSD-3-Clause */
/* backward() and grad() on lists of tensors: checks with PyTorch's errors, the root gradients, and
 * one run of the engine. The interface is in corten/autograd.h; the operations of autograd.toml use
 * it, too. */
#include "autograd/engine/engine.h"
#include "core/check_args.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/note.h"
#include "core/profile.h"
#include "core/shape.h"
#include "fronts.h"
#include "inner.h"

#define FEW 8

/* ---- root gradients ---- */

static bool check_given(ct_tensor *grad, ct_tensor *output, int64_t i)
{
    char a[CTI_SHAPE_TEXT], b[CTI_SHAPE_TEXT];
    bool same = grad->ndim == output->ndim;
    for (int d = 0; same && d < grad->ndim; d++)
        same = grad->shape[d] == output->shape[d];
    if (!same)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Mismatch in shape: grad_output[%lld] has a shape of torch.Size(%s) and "
                          "output[%lld] has a shape of torch.Size(%s).",
                          (long long)i, cti_shape_text(a, grad->ndim, grad->shape), (long long)i,
                          cti_shape_text(b, output->ndim, output->shape));
    if (ct_dtype_is_complex(ct_dtype(grad)) != ct_dtype_is_complex(ct_dtype(output)))
        return cti_refuse(
            CT_ERR_RUNTIME,
            "For complex Tensors, both grad_output and output are required to have the "
            "same dtype. Mismatch in dtype: grad_output[%lld] has a dtype of %s and "
            "output[%lld] has a dtype of %s.",
            (long long)i, ct_dtype_str(ct_dtype(grad)), (long long)i,
            ct_dtype_str(ct_dtype(output)));
    return true;
}

static void *fail_unrecorded(int64_t i)
{
    ct_fail(CT_ERR_RUNTIME,
            "element %lld of tensors does not require grad and does not have a grad_fn",
            (long long)i);
    return cti_note("nothing was recorded: no operand had requires_grad=True, or it was computed "
                    "under torch.no_grad(), after detach(), or from item() or numpy()");
}

/* The checks of output i that need no graph. */
static bool check_output(ct_list outputs, ct_list given, int64_t i)
{
    ct_tensor *output = outputs.v[i], *grad = given.v ? given.v[i] : CT_NO_TENSOR;
    if (!grad)
        return false;
    if (grad != CT_NO_TENSOR)
        return check_given(grad, output, i);
    if (!cti_wants_grad(output))
        return true; /* find_edges sets the error */
    if (output->numel != 1) {
        char shape[CTI_SHAPE_TEXT];
        ct_fail(CT_ERR_RUNTIME, "grad can be implicitly created only for scalar outputs");
        return cti_note("the output has shape %s: output.sum().backward(), or "
                        "output.backward(torch.ones_like(output)), which is the same",
                        cti_shape_text(shape, output->ndim, output->shape));
    }
    if (!ct_dtype_is_floating(ct_dtype(output)))
        return cti_refuse(CT_ERR_RUNTIME,
                          "grad can be implicitly created only for real scalar outputs but got %s",
                          ct_dtype_str(ct_dtype(output)));
    return true;
}

/* Returns the root gradient of output i: the given gradient, or 1 for a real tensor with one
 * element. The caller owns the result. */
static ct_tensor *first_gradient(ct_list outputs, ct_list given, int64_t i)
{
    ct_tensor *grad = given.v ? given.v[i] : CT_NO_TENSOR;
    return grad != CT_NO_TENSOR ? ct_retain(grad) : cti_grad_ones_like(outputs.v[i]);
}

/* ---- a run ---- */

struct job {
    ct_list outputs, given, inputs;
    struct cti_edge *root;       /* one for each output, owned */
    struct cti_edge *input;      /* one for each input, owned */
    struct cti_capture *capture; /* one for each input */
    ct_tensor **captured;        /* NULL: accumulate */
};

static bool check_outputs(const struct job *job)
{
    for (int64_t i = 0; i < job->outputs.n; i++)
        if (!check_output(job->outputs, job->given, i))
            return false;
    return true;
}

static void warn_of_cycles(void)
{
    static bool said;
    cti_warn_once(&said,
                  "Using backward() with create_graph=True will create a reference cycle between "
                  "the parameter and its gradient which can cause a memory leak. We recommend "
                  "using autograd.grad when creating the graph to avoid this. If you have to use "
                  "this function, make sure to reset the .grad fields of your parameters to None "
                  "after use to break the cycle and avoid the leak.");
}

static bool find_edges(const struct job *job)
{
    for (int64_t i = 0; i < job->outputs.n; i++) {
        if (!cti_wants_grad(job->outputs.v[i]))
            return fail_unrecorded(i) != NULL;
        if (!cti_gradient_edge(job->outputs.v[i], &job->root[i]))
            return false;
        if (cti_leads_nowhere(job->outputs.v[i], &job->root[i]))
            return fail_unrecorded(i) != NULL;
    }
    for (int64_t i = 0; i < job->inputs.n; i++) {
        ct_tensor *t = job->inputs.v[i];
        if (!job->captured && !ct_is_leaf(t) && !ct_retain_grad(t))
            return false;
        if (!cti_wants_grad(t))
            return cti_refuse(CT_ERR_RUNTIME,
                              job->captured
                                  ? "One of the differentiated Tensors does not require grad"
                                  : "can't retain_grad on Tensor that has requires_grad=False");
        if (!cti_gradient_edge(t, &job->input[i]))
            return false;
    }
    return true;
}

/* Adds the roots, explores the graph, and marks the targets. */
static bool build_graph(struct cti_run *r, const struct job *job)
{
    for (int64_t i = 0; i < job->outputs.n; i++) {
        int32_t at = cti_run_slot(r, job->root[i].node);
        if (at < 0)
            return false;
        r->slot[at].waits++;
    }
    if (!cti_run_explore(r))
        return false;
    if (job->inputs.n == 0)
        return true;
    for (int64_t i = 0; i < job->inputs.n; i++) {
        int32_t at = cti_run_find(r, job->input[i].node);
        job->capture[i] = (struct cti_capture){at, job->input[i].nr};
        if (at >= 0) {
            r->slot[at].target = true;
            r->slot[at].runs = !job->captured;
        }
    }
    cti_run_limit(r);
    if (job->captured) {
        r->capture = job->capture;
        r->captured = job->captured;
        r->ncaptures = job->inputs.n;
    }
    return true;
}

static bool job_start(struct cti_run *r, const struct job *job)
{
    for (int64_t i = 0; i < job->outputs.n; i++) {
        const struct cti_edge *root = &job->root[i];
        ct_tensor *grad = first_gradient(job->outputs, job->given, i);
        if (grad)
            grad = cti_grad_fit_take(grad, &root->node->output[root->nr], "backward", i);
        if (!grad || !cti_run_arrive_take(r, cti_run_find(r, root->node), root->nr, grad))
            return false;
    }
    return true;
}

/* Whether an output is dual: then the gradients are dual, too, so their computation must be
 * recorded. */
static bool of_duals(const struct job *job)
{
    for (int64_t i = 0; cti_dual_open() && i < job->outputs.n; i++)
        if (job->root[i].node->leads & CTI_LEADS_DUAL)
            return true;
    return false;
}

static bool run_job(const struct job *job, bool retain, bool record)
{
    struct cti_run r = {0};
    bool old = ct_set_grad_enabled(record), good = false;
    cti_run_begin(&r);
    bool sound = check_outputs(job) && find_edges(job);
    if (sound && record && !job->captured)
        warn_of_cycles();
    bool duals = sound && of_duals(job);
    r.retain = retain || duals;
    if (duals)
        ct_set_grad_enabled(true);
    if (sound && build_graph(&r, job))
        good = job_start(&r, job) && cti_run_all(&r);
    cti_run_end(&r);
    ct_set_grad_enabled(old);
    return good;
}

static bool run_lists(ct_list outputs, ct_list given, ct_list inputs, bool retain, bool record,
                      ct_tensor **captured)
{
    struct cti_edge few_root[FEW] = {0}, few_input[FEW] = {0};
    struct cti_capture few_capture[FEW];
    struct job job = {outputs, given, inputs, few_root, few_input, few_capture, captured};
    int64_t event = ct_profile_begin("autograd::engine");
    size_t nroots = (size_t)outputs.n, ninputs = (size_t)inputs.n;
    if (outputs.n > FEW)
        job.root = cti_calloc(nroots, sizeof *job.root);
    if (inputs.n > FEW) {
        job.input = cti_calloc(ninputs, sizeof *job.input);
        job.capture = cti_calloc(ninputs, sizeof *job.capture);
    }
    bool good = job.root && job.input && job.capture && run_job(&job, retain, record);
    for (int64_t i = 0; job.root && i < outputs.n; i++)
        cti_node_release(job.root[i].node);
    for (int64_t i = 0; job.input && i < inputs.n; i++)
        cti_node_release(job.input[i].node);
    if (outputs.n > FEW)
        cti_free(job.root);
    if (inputs.n > FEW) {
        cti_free(job.input);
        cti_free(job.capture);
    }
    ct_profile_end(event);
    return good;
}

/* ---- the public functions ---- */

int64_t cti_run_list_count(ct_list list)
{
    if (list.n < 0)
        for (list.n = 0; list.v[list.n] != CT_LIST_END;)
            list.n++;
    for (int64_t i = 0; i < list.n; i++)
        if (!list.v[i])
            return -1;
    return list.n;
}

/* Sets the length of a list; false if the list or one of its tensors is NULL. */
static bool list_measure(ct_list *list)
{
    int64_t n = list->v ? cti_run_list_count(*list) : -1;
    if (n >= 0)
        list->n = n;
    return n >= 0;
}

static bool check_lists(ct_list *outputs, ct_list *given)
{
    if (!list_measure(outputs) || (given->v && !list_measure(given)))
        return false;
    if (given->v && given->n != outputs->n)
        return cti_refuse(CT_ERR_RUNTIME, "got %lld tensors and %lld gradients",
                          (long long)outputs->n, (long long)given->n);
    return true;
}

bool ct_autograd_backward(ct_list tensors, ct_list gradients, bool retain_graph, bool create_graph,
                          ct_list inputs)
{
    if (!(cti_check_list(&tensors, "ct_autograd_backward", "tensors") &&
          cti_check_list(&gradients, "ct_autograd_backward", "gradients") &&
          cti_check_list(&inputs, "ct_autograd_backward", "inputs")))
        return false;
    if (!check_lists(&tensors, &gradients) || (inputs.v && !list_measure(&inputs)))
        return false;
    if (inputs.v && inputs.n == 0)
        return cti_refuse(CT_ERR_RUNTIME, "`inputs` argument to `backward()` cannot be empty.");
    if (!inputs.v)
        inputs.n = 0;
    return run_lists(tensors, gradients, inputs, retain_graph, create_graph, NULL);
}

bool ct_autograd_gradients(ct_list outputs, ct_list inputs, ct_list grad_outputs, bool retain_graph,
                           bool create_graph, bool allow_unused, ct_tensor **grads)
{
    if (!(cti_check_list(&outputs, "ct_autograd_gradients", "outputs") &&
          cti_check_list(&inputs, "ct_autograd_gradients", "inputs") &&
          cti_check_list(&grad_outputs, "ct_autograd_gradients", "grad_outputs") &&
          cti_check_pointer(grads, "ct_autograd_gradients", "grads")))
        return false;
    if (!check_lists(&outputs, &grad_outputs) || !list_measure(&inputs))
        return false;
    if (inputs.n == 0)
        return cti_refuse(CT_ERR_VALUE, "grad requires non-empty inputs.");
    for (int64_t i = 0; i < inputs.n; i++)
        grads[i] = NULL;
    bool good = run_lists(outputs, grad_outputs, inputs, retain_graph, create_graph, grads);
    for (int64_t i = 0; i < inputs.n && good && !allow_unused; i++)
        if (!grads[i])
            good =
                cti_refuse(CT_ERR_RUNTIME,
                           "The differentiated Tensor at index %lld appears to not have been used "
                           "in the graph. Set allow_unused=True if this is the desired behavior.",
                           (long long)i);
    for (int64_t i = 0; i < inputs.n && !good; i++) {
        ct_release(grads[i]);
        grads[i] = NULL;
    }
    return good;
}

/* ---- the operations of autograd.toml ---- */

bool cti_op_backward(ct_tensor *input, ct_tensor *gradient, int retain_graph, bool create_graph,
                     ct_list inputs)
{
    bool retain = retain_graph < 0 ? create_graph : retain_graph;
    return ct_autograd_backward(ct_list_of(&input, 1), ct_list_of(&gradient, 1), retain,
                                create_graph, inputs);
}

ct_list cti_op_autograd_grad(ct_list outputs, ct_list inputs, ct_list grad_outputs,
                             int retain_graph, bool create_graph, bool allow_unused)
{
    bool retain = retain_graph < 0 ? create_graph : retain_graph;
    ct_tensor **grads = cti_calloc((size_t)inputs.n + 1, sizeof *grads);
    if (grads && ct_autograd_gradients(outputs, inputs, grad_outputs, retain, create_graph,
                                       allow_unused, grads))
        return ct_list_of(grads, inputs.n);
    cti_free(grads);
    return CT_NO_LIST;
}
