/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the operations of random.toml that return new tensors: they allocate a tensor, which
 * random.c fills. */
#include "fronts.h"
#include "ops/front.h"
#include "ops/random/random.h"

#include <math.h>

/* ---- uniform and normal ---- */

ct_tensor *cti_op_rand(ct_ints size, ct_generator *generator, enum ct_dtype dtype,
                       struct ct_device device, bool requires_grad)
{
    ct_tensor *t = cti_op_empty(size, dtype, device, requires_grad, -1);
    return cti_take_if(t, t && cti_op_uniform_(t, 0, 1, generator));
}

ct_tensor *cti_op_rand_like(ct_tensor *input, ct_generator *generator, int memory_format,
                            enum ct_dtype dtype, struct ct_device device, bool requires_grad)
{
    ct_tensor *t = cti_op_empty_like(input, dtype, device, requires_grad, memory_format);
    return cti_take_if(t, t && cti_op_uniform_(t, 0, 1, generator));
}

ct_tensor *cti_op_normal(double mean, double std, ct_ints size, ct_generator *generator,
                         enum ct_dtype dtype, struct ct_device device, bool requires_grad)
{
    if (!cti_random_check_std(std))
        return NULL;
    ct_tensor *t = cti_op_empty(size, dtype, device, requires_grad, -1);
    return cti_take_if(t, t && cti_op_normal_(t, mean, std, generator));
}

ct_tensor *cti_op_randn(ct_ints size, ct_generator *generator, enum ct_dtype dtype,
                        struct ct_device device, bool requires_grad)
{
    return cti_op_normal(0, 1, size, generator, dtype, device, requires_grad);
}

/* Fills `out` in place if it has the right shape and dtype, because the order of draws depends on
 * its strides. */
bool cti_op_normal_out(ct_tensor *out, double mean, double std, ct_ints size,
                       ct_generator *generator, enum ct_dtype dtype, struct ct_device device,
                       bool requires_grad)
{
    bool good =
        cti_out_is_direct(out, (int)size.n, size.v, dtype)
            ? cti_op_normal_(out, mean, std, generator)
            : cti_out_copy(out, cti_op_normal(mean, std, size, generator, dtype, device, false));
    return good && cti_version_bump(out) && (!requires_grad || ct_set_requires_grad(out, true));
}

bool cti_op_randn_out(ct_tensor *out, ct_ints size, ct_generator *generator, enum ct_dtype dtype,
                      struct ct_device device, bool requires_grad)
{
    return cti_op_normal_out(out, 0, 1, size, generator, dtype, device, requires_grad);
}

ct_tensor *cti_op_randn_like(ct_tensor *input, ct_generator *generator, int memory_format,
                             enum ct_dtype dtype, struct ct_device device, bool requires_grad)
{
    ct_tensor *t = cti_op_empty_like(input, dtype, device, requires_grad, memory_format);
    return cti_take_if(t, t && cti_op_normal_(t, 0, 1, generator));
}

/* ---- means and standard deviations in tensors ---- */

/* Whether all elements of t compare true with x; *good becomes false on failure. */
static bool all_are(ct_tensor *(*compare)(ct_value, ct_value), ct_tensor *t, double x, bool *good)
{
    ct_tensor *mask = compare(V(t), ct_value_float(x));
    int64_t count = mask ? cti_count_nonzero(mask) : -1;
    ct_release(mask);
    *good = *good && count >= 0;
    return count == t->numel;
}

static bool check_stds(ct_tensor *std)
{
    bool good = true;
    if (std->dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_RUNTIME, "normal expects standard deviation to be non-complex");
    if (std->dtype >= CT_UINT16 && std->dtype <= CT_UINT64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"min_all\" not implemented for '%s'",
                       cti_dtype_scalar_name(std->dtype));
    if (all_are(ct_own_ge, std, 0, &good))
        return true;
    return good && ct_fail(CT_ERR_RUNTIME, "normal expects all elements of std >= 0.0");
}

/* Fills out with standard normals, scales and shifts them; std is a tensor or a number. */
static bool normals(ct_tensor *out, ct_value mean, ct_value std, ct_generator *generator)
{
    if (std.kind != CT_VALUE_TENSOR)
        return cti_op_normal_(out, 0, std.as.f, generator) &&
               ct_own_add_(out, mean, ct_value_int(1));
    return cti_op_normal_(out, 0, 1, generator) && ct_own_mul_(out, std) &&
           ct_own_add_(out, mean, ct_value_int(1));
}

static bool common_shape(const ct_tensor *a, const ct_tensor *b, int *ndim, int64_t *shape)
{
    *ndim = 0;
    return cti_shape_broadcast(ndim, shape, a->ndim, a->shape) &&
           cti_shape_broadcast(ndim, shape, b->ndim, b->shape);
}

ct_tensor *cti_op_normal_tensors(ct_tensor *mean, ct_tensor *std, ct_generator *generator)
{
    int64_t shape[CTI_MAX_DIMS];
    int ndim;
    if (!check_stds(std) || !common_shape(mean, std, &ndim, shape))
        return NULL;
    ct_tensor *t = cti_empty(ndim, shape, mean->dtype, mean->storage->device);
    return cti_take_new_if(t, t && normals(t, V(mean), V(std), generator));
}

ct_tensor *cti_op_normal_means(ct_tensor *mean, double std, ct_generator *generator)
{
    if (!cti_random_check_std(std))
        return NULL;
    ct_tensor *t = cti_empty_like(mean, mean->dtype, CT_CONTIGUOUS_FORMAT);
    return cti_take_new_if(t, t && normals(t, V(mean), ct_value_float(std), generator));
}

ct_tensor *cti_op_normal_stds(double mean, ct_tensor *std, ct_generator *generator)
{
    if (!check_stds(std))
        return NULL;
    ct_tensor *t = cti_empty_like(std, std->dtype, CT_CONTIGUOUS_FORMAT);
    return cti_take_new_if(t, t && normals(t, ct_value_float(mean), V(std), generator));
}

/* Fills a given result and bumps its version. The numbers are drawn into memory with out's strides,
 * which determine the order of draws, and copied to `out` once nothing can fail any more. */
static bool normals_into(ct_tensor *out, ct_value mean, ct_value std, ct_generator *generator)
{
    ct_tensor *t =
        cti_empty_strided(out->ndim, out->shape, out->stride, out->dtype, out->storage->device);
    return cti_out_copy(out, cti_take_if(t, t && normals(t, mean, std, generator))) &&
           cti_version_bump(out);
}

bool cti_op_normal_tensors_out(ct_tensor *out, ct_tensor *mean, ct_tensor *std,
                               ct_generator *generator)
{
    int64_t shape[CTI_MAX_DIMS];
    int ndim;
    if (!check_stds(std) || !common_shape(mean, std, &ndim, shape))
        return false;
    if (out->storage != mean->storage && out->storage != std->storage &&
        cti_out_is_direct(out, ndim, shape, mean->dtype))
        return normals_into(out, V(mean), V(std), generator);
    return cti_out_copy(out, cti_op_normal_tensors(mean, std, generator)) && cti_version_bump(out);
}

bool cti_op_normal_means_out(ct_tensor *out, ct_tensor *mean, double std, ct_generator *generator)
{
    if (!cti_random_check_std(std))
        return false;
    if (out->storage != mean->storage &&
        cti_out_is_direct(out, mean->ndim, mean->shape, mean->dtype))
        return normals_into(out, V(mean), ct_value_float(std), generator);
    return cti_out_copy(out, cti_op_normal_means(mean, std, generator)) && cti_version_bump(out);
}

bool cti_op_normal_stds_out(ct_tensor *out, double mean, ct_tensor *std, ct_generator *generator)
{
    if (!check_stds(std))
        return false;
    if (out->storage != std->storage && cti_out_is_direct(out, std->ndim, std->shape, std->dtype))
        return normals_into(out, ct_value_float(mean), V(std), generator);
    return cti_out_copy(out, cti_op_normal_stds(mean, std, generator)) && cti_version_bump(out);
}

/* ---- integers ---- */

static enum ct_dtype or_int64(enum ct_dtype dtype)
{
    return dtype == CT_NO_DTYPE ? CT_INT64 : dtype;
}

ct_tensor *cti_op_randint(int64_t low, int64_t high, ct_ints size, ct_generator *generator,
                          enum ct_dtype dtype, struct ct_device device, bool requires_grad)
{
    ct_tensor *t = cti_op_empty(size, or_int64(dtype), device, requires_grad, -1);
    return cti_take_if(t, t && cti_random_between(t, low, high, generator));
}

ct_tensor *cti_op_randint_like(ct_tensor *input, int64_t low, int64_t high, ct_generator *generator,
                               int memory_format, enum ct_dtype dtype, struct ct_device device,
                               bool requires_grad)
{
    ct_tensor *t = cti_op_empty_like(input, dtype, device, requires_grad, memory_format);
    return cti_take_if(t, t && cti_random_between(t, low, high, generator));
}

ct_tensor *cti_op_randint_like_high(ct_tensor *input, int64_t high, ct_generator *generator,
                                    int memory_format, enum ct_dtype dtype, struct ct_device device,
                                    bool requires_grad)
{
    return cti_op_randint_like(input, 0, high, generator, memory_format, dtype, device,
                               requires_grad);
}

ct_tensor *cti_op_randint_like_tensor(ct_tensor *input, ct_tensor *high, ct_generator *generator,
                                      int memory_format, enum ct_dtype dtype,
                                      struct ct_device device, bool requires_grad)
{
    if (high->ndim)
        return ct_fail(CT_ERR_RUNTIME, "high must be a scalar tensor and on CPU");
    ct_value most = ct_item_value(high);
    if (most.kind == CT_VALUE_NULL)
        return NULL;
    double bound = cti_value_real(most);
    int64_t whole = ct_dtype_is_floating(high->dtype) || ct_dtype_is_complex(high->dtype)
                        ? (int64_t)bound
                        : cti_value_int(most);
    return cti_op_randint_like(input, 0, whole, generator, memory_format, dtype, device,
                               requires_grad);
}

/* Checks that the dtype represents all integers below n. PyTorch accepts bfloat16, which then
 * repeats numbers. */
static bool check_permutation(int64_t n, enum ct_dtype dtype)
{
    static const char *const name[] = {
        [CT_UINT8] = "uint8_t", [CT_INT8] = "int8_t", [CT_INT16] = "int16_t", [CT_INT32] = "int"};
    if (dtype == CT_BOOL || (dtype >= CT_UINT16 && dtype <= CT_UINT64) || dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"randperm\" not implemented for '%s'",
                       cti_dtype_scalar_name(dtype));
    if (dtype < CT_INT64) {
        int bits = (int)(8 * cti_itemsize(dtype)) - (dtype != CT_UINT8);
        if (n >= INT64_C(1) << bits)
            return ct_fail(CT_ERR_RUNTIME, "value cannot be converted to type %s without overflow",
                           name[dtype]);
    }
    if (dtype == CT_FLOAT16 && n > 2049)
        return ct_fail(CT_ERR_RUNTIME, "n cannot be greater than 2049 for Half type.");
    if (dtype == CT_FLOAT32 && n > (1 << 24) + 1)
        return ct_fail(CT_ERR_RUNTIME, "n cannot be greater than 2^24+1 for Float type.");
    if (dtype == CT_FLOAT64 && n > (INT64_C(1) << 53) + 1)
        return ct_fail(CT_ERR_RUNTIME, "n cannot be greater than 2^53+1 for Double type.");
    return true;
}

static bool permute(ct_tensor *out, ct_generator *generator)
{
    return cti_random_fill(
        (struct cti_random){.kind = CTI_RANDOM_PERMUTATION, .generator = generator, .out = out});
}

ct_tensor *cti_op_randperm(int64_t n, ct_generator *generator, enum ct_dtype dtype,
                           struct ct_device device, bool requires_grad)
{
    if (n >= 0 && !check_permutation(n, or_int64(dtype)))
        return NULL;
    ct_tensor *t = cti_op_empty(ct_ints_of(&n, 1), or_int64(dtype), device, requires_grad, -1);
    return cti_take_if(t, t && permute(t, generator));
}

/* ---- bernoulli and multinomial ---- */

ct_tensor *cti_op_bernoulli(ct_tensor *input, ct_generator *generator)
{
    ct_tensor *t = cti_empty_like(input, input->dtype, CT_CONTIGUOUS_FORMAT);
    return cti_take_if(t, t && cti_op_bernoulli_tensor_(t, input, generator));
}

ct_tensor *cti_op_bernoulli_p(ct_tensor *input, double p, ct_generator *generator)
{
    ct_tensor *t = cti_empty_like(input, input->dtype, CT_CONTIGUOUS_FORMAT);
    return cti_take_if(t, t && cti_op_bernoulli_(t, p, generator));
}

static bool check_multinomial(const ct_tensor *input, int64_t num_samples, bool replacement)
{
    if (input->ndim < 1 || input->ndim > 2)
        return ct_fail(CT_ERR_RUNTIME, "prob_dist must be 1 or 2 dim");
    if (!ct_dtype_is_floating(input->dtype))
        return ct_fail(CT_ERR_RUNTIME,
                       "multinomial only supports floating-point dtypes for input, got: %s",
                       cti_dtype_scalar_name(input->dtype));
    if (num_samples <= 0)
        return ct_fail(CT_ERR_RUNTIME, "cannot sample n_sample <= 0 samples");
    int64_t categories = input->shape[input->ndim - 1];
    if (!replacement && num_samples > categories)
        return ct_fail(CT_ERR_RUNTIME, "cannot sample n_sample > prob_dist.size(-1) samples "
                                       "without replacement");
    if (categories > 1 << 24)
        return ct_fail(CT_ERR_RUNTIME, "number of categories cannot exceed 2^24");
    return true;
}

/* Checks that weights are finite, not negative, and not all zero in any row. Reads from the device.
 */
static bool multinomial_check_weights(ct_tensor *p)
{
    bool good = true,
         fit = all_are(ct_own_ge, p, 0, &good) && all_are(ct_own_lt, p, INFINITY, &good);
    if (!good)
        return false;
    if (!fit)
        return ct_fail(CT_ERR_RUNTIME,
                       "probability tensor contains either `inf`, `nan` or element < 0");
    ct_tensor *mask = ct_own_ne(V(p), ct_value_int(0));
    ct_tensor *rows = ct_own_any(mask, (ct_ints){&(int64_t){-1}, 1}, true);
    int64_t count = rows ? cti_count_nonzero(rows) : -1;
    good = count >= 0;
    if (good && count < rows->numel)
        good = cti_refuse(CT_ERR_RUNTIME,
                          "invalid multinomial distribution (sum of probabilities <= 0)");
    cti_release_all(mask, rows);
    return good;
}

/* Draws categories without replacement: those with the largest weight / exponential variate. */
static ct_tensor *draw_distinct(ct_tensor *p, int64_t num_samples, ct_generator *generator)
{
    struct ct_topk_result top = {0};
    ct_tensor *q = cti_empty_like(p, p->dtype, CT_CONTIGUOUS_FORMAT);
    if (q && cti_op_exponential_(q, 1, generator)) {
        ct_tensor *ratio = ct_own_div(V(p), V(q), NULL);
        top = ct_own_topk(ratio, num_samples, -1, true, true);
        ct_release(ratio);
    }
    cti_release_all(q, top.values);
    return top.indices;
}

ct_tensor *cti_op_multinomial(ct_tensor *input, int64_t num_samples, bool replacement,
                              ct_generator *generator)
{
    if (!check_multinomial(input, num_samples, replacement))
        return NULL;
    int64_t shape[2] = {input->shape[0], num_samples};
    ct_ints size = ct_ints_of(shape + (input->ndim == 1), input->ndim);
    if (input->ndim == 2 && shape[0] == 0)
        return cti_op_empty(size, CT_INT64, input->storage->device, false, -1);
    ct_tensor *p = cti_contiguous(input), *result = NULL;
    if (p && (!replacement || num_samples == 1)) {
        result = multinomial_check_weights(p) ? draw_distinct(p, num_samples, generator) : NULL;
    } else if (p) {
        result = cti_op_empty(size, CT_INT64, input->storage->device, false, -1);
        result = cti_take_if(
            result, result && cti_random_fill((struct cti_random){.kind = CTI_RANDOM_MULTINOMIAL,
                                                                  .generator = generator,
                                                                  .out = result,
                                                                  .p = p}));
    }
    ct_release(p);
    return result;
}
