/* SPDX-License-Identifier: BSD-3-Clause */
/* The random engine's entry in the backend table: fills tensors of any strides with the functions
 * of random.h, which need contiguous memory, in the order of PyTorch's iterator. */
#include "core/alloc.h"
#include "core/backend.h"
#include "cpu/engines.h"
#include "cpu/random/random.h"

#include <stdlib.h>
#include <string.h>

/* The dims in iteration order, slowest first; strides in bytes. */
struct iteration {
    int ndim;
    int64_t shape[CTI_MAX_DIMS];
    int64_t out[CTI_MAX_DIMS], p[CTI_MAX_DIMS];
};

/* ---- order ---- */

static int64_t step_of(const ct_tensor *t, int dim)
{
    return t->shape[dim] == 1 ? 0 : llabs(t->stride[dim]);
}

/* Returns a positive number if dim a is slower than dim b; strides of 0 are ignored. */
static int compare_dims(const struct cti_random *work, int a, int b)
{
    const ct_tensor *operand[2] = {work->out, work->p};
    for (int i = 0; i < 2 && operand[i]; i++) {
        int64_t step_a = step_of(operand[i], a), step_b = step_of(operand[i], b);
        if (step_a == 0 || step_b == 0)
            continue;
        if (step_a != step_b)
            return step_a < step_b ? -1 : 1;
        if (work->out->shape[a] > work->out->shape[b])
            return 1;
    }
    return 0;
}

/* PyTorch's insertion sort: since comparisons may be undecided, the result depends on the
 * algorithm. */
static void order_dims(const struct cti_random *work, struct iteration *iteration)
{
    int ndim = work->out->ndim, fast_first[CTI_MAX_DIMS];
    for (int i = 0; i < ndim; i++)
        fast_first[i] = ndim - 1 - i;
    for (int i = 1; i < ndim; i++)
        for (int low = i - 1, high = i; low >= 0; low--) {
            int order = compare_dims(work, fast_first[low], fast_first[high]);
            if (order < 0)
                break;
            if (order > 0) {
                int dim = fast_first[low];
                fast_first[low] = fast_first[high];
                fast_first[high] = dim;
                high = low;
            }
        }
    iteration->ndim = ndim;
    for (int i = 0; i < ndim; i++) {
        int dim = fast_first[ndim - 1 - i];
        iteration->shape[i] = work->out->shape[dim];
        iteration->out[i] = work->out->stride[dim] * cti_itemsize(work->out->dtype);
        if (work->p)
            iteration->p[i] = work->p->stride[dim] * cti_itemsize(work->p->dtype);
    }
}

/* Whether the iteration visits contiguous memory in order. */
static bool is_dense(const struct iteration *iteration, const int64_t *bstride, int64_t itemsize)
{
    for (int i = iteration->ndim - 1; i >= 0; i--) {
        if (iteration->shape[i] != 1 && bstride[i] != itemsize)
            return false;
        itemsize *= iteration->shape[i];
    }
    return true;
}

/* ---- between strided and flat memory ---- */

static void copy_row(int64_t itemsize, char *dst, int64_t dst_step, const char *src,
                     int64_t src_step, int64_t n)
{
    for (int64_t i = 0; i < n; i++, dst += dst_step, src += src_step)
        switch (itemsize) {
        case 1:
            *dst = *src;
            break;
        case 2:
            memcpy(dst, src, 2);
            break;
        case 4:
            memcpy(dst, src, 4);
            break;
        default:
            memcpy(dst, src, (size_t)itemsize);
        }
}

/* Copies all elements in iteration order, from strided to flat memory or back. */
static void copy_strided(const struct iteration *iteration, int64_t itemsize, char *strided,
                         const int64_t *bstride, char *flat, bool into_flat)
{
    int last = iteration->ndim - 1;
    int64_t at[CTI_MAX_DIMS] = {0}, length = iteration->shape[last], step = bstride[last];
    for (;;) {
        if (into_flat)
            copy_row(itemsize, flat, itemsize, strided, step, length);
        else
            copy_row(itemsize, strided, step, flat, itemsize, length);
        flat += length * itemsize;
        int dim = last - 1;
        for (; dim >= 0; dim--) {
            strided += bstride[dim];
            if (++at[dim] < iteration->shape[dim])
                break;
            strided -= iteration->shape[dim] * bstride[dim];
            at[dim] = 0;
        }
        if (dim < 0)
            return;
    }
}

/* ---- the fill ---- */

static bool fill_flat(const struct cti_random *work, void *dst, const void *p)
{
    if (work->generator && work->generator->device.type != CT_CPU)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected a 'cpu' device type for generator but found 'cuda'");
    ct_generator *g = work->generator ? work->generator : cti_generator_default();
    enum ct_dtype dtype = work->out->dtype;
    int64_t n = work->out->numel;
    switch (work->kind) {
    case CTI_RANDOM_UNIFORM:
        cti_cpu_random_uniform(g, dtype, dst, n, work->a, work->b);
        break;
    case CTI_RANDOM_NORMAL:
        if (work->out->flags & CTI_CONTIGUOUS)
            cti_cpu_random_normal(g, dtype, dst, n, work->a, work->b);
        else
            cti_cpu_random_normal_each(g, dtype, dst, n, work->a, work->b);
        break;
    case CTI_RANDOM_RANGE:
        cti_cpu_random_range(g, dtype, dst, n, work->base, work->range);
        break;
    case CTI_RANDOM_FULL:
        cti_cpu_random_full(g, dtype, dst, n);
        break;
    case CTI_RANDOM_PERMUTATION:
        cti_cpu_random_permutation(g, dtype, dst, n);
        break;
    case CTI_RANDOM_BERNOULLI:
    case CTI_RANDOM_DROPOUT:
        cti_cpu_random_bernoulli_p(g, dtype, dst, n, work->a);
        break;
    case CTI_RANDOM_BERNOULLI_TENSOR:
        if (!cti_cpu_random_bernoulli_tensor(g, dtype, dst, work->p->dtype, p, n))
            return ct_fail(CT_ERR_RUNTIME,
                           "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could "
                           "this error message be improved?  If so, please report an enhancement "
                           "request to PyTorch.)");
        break;
    case CTI_RANDOM_EXPONENTIAL:
        cti_cpu_random_exponential(g, dtype, dst, n, work->a);
        break;
    case CTI_RANDOM_CAUCHY:
        cti_cpu_random_cauchy(g, dtype, dst, n, work->a, work->b);
        break;
    case CTI_RANDOM_LOG_NORMAL:
        cti_cpu_random_log_normal(g, dtype, dst, n, work->a, work->b);
        break;
    case CTI_RANDOM_GEOMETRIC:
        cti_cpu_random_geometric(g, dtype, dst, n, work->a);
        break;
    case CTI_RANDOM_POISSON:
        if (!cti_cpu_random_poisson(g, dtype, dst, p, n))
            return ct_fail(CT_ERR_RUNTIME,
                           "invalid Poisson rate, expected rate to be non-negative");
        break;
    case CTI_RANDOM_GAMMA:
        cti_cpu_random_gamma(g, dtype, dst, p, n);
        break;
    case CTI_RANDOM_BINOMIAL:
        cti_cpu_random_binomial(g, dtype, dst, p, cti_data(work->q), n);
        break;
    case CTI_RANDOM_MULTINOMIAL: {
        int64_t rows = work->p->ndim == 1 ? 1 : work->p->shape[0];
        return cti_cpu_random_multinomial(g, dst, n / rows, work->p->dtype, p, rows,
                                          work->p->shape[work->p->ndim - 1]);
    }
    }
    return true;
}

static bool fill_strided(const struct cti_random *work)
{
    int64_t n = work->out->numel, size = cti_itemsize(work->out->dtype);
    int64_t p_size = work->p ? cti_itemsize(work->p->dtype) : 0;
    struct iteration iteration;
    order_dims(work, &iteration);
    char *out = cti_data(work->out), *p = work->p ? cti_data(work->p) : NULL;
    bool dense = is_dense(&iteration, iteration.out, size);
    bool p_dense = !p || is_dense(&iteration, iteration.p, p_size);
    char *flat = NULL, *flat_p = NULL;
    bool done = false;
    if (!dense && !(flat = cti_malloc((size_t)(n * size))))
        goto out;
    if (!p_dense) {
        flat_p = cti_malloc((size_t)(n * p_size));
        if (!flat_p)
            goto out;
        copy_strided(&iteration, p_size, p, iteration.p, flat_p, true);
    }
    done = fill_flat(work, dense ? out : flat, p_dense ? p : flat_p);
    if (done && !dense)
        copy_strided(&iteration, size, out, iteration.out, flat, false);
out:
    cti_free(flat);
    cti_free(flat_p);
    return done;
}

enum cti_status cti_cpu_random(struct cti_random *work)
{
    if (work->out->numel == 0)
        return true;
    bool flat = work->out->flags & CTI_CONTIGUOUS;
    if (flat && (!work->p || work->p->flags & CTI_CONTIGUOUS))
        return fill_flat(work, cti_data(work->out), work->p ? cti_data(work->p) : NULL);
    return fill_strided(work);
}
