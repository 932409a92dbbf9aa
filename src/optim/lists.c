/* SPDX-License-Identifier: BSD-3-Clause */
/* torch._foreach_*: applies an operation to every tensor of a list in one call. A table maps names
 * to functions of own.h, so that dtypes, devices and gradients behave as for single tensors. */
#include "core/alloc.h"
#include "core/check_args.h"
#include "core/dtype.h"
#include "core/error.h"
#include "corten/optim.h"
#include "corten/own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The operands for one tensor of the list. */
struct one {
    ct_tensor *self, *first, *second;
    ct_value value; /* second operand, or a scale */
    const struct ct_foreach_operands *args;
};

typedef ct_tensor *maker(const struct one *o);

/* ---- operations with more than one operand ---- */

#define SELF ct_value_tensor(o->self)
#define ROW(name, call, call_)                                                                     \
    static ct_tensor *name(const struct one *o)                                                    \
    {                                                                                              \
        return call;                                                                               \
    }                                                                                              \
    static ct_tensor *name##_(const struct one *o)                                                 \
    {                                                                                              \
        return call_;                                                                              \
    }
ROW(add, ct_own_add(SELF, o->value, o->args->alpha), ct_own_add_(o->self, o->value, o->args->alpha))
ROW(sub, ct_own_sub(SELF, o->value, o->args->alpha), ct_own_sub_(o->self, o->value, o->args->alpha))
ROW(mul, ct_own_mul(SELF, o->value), ct_own_mul_(o->self, o->value))
ROW(divide, ct_own_div(SELF, o->value, NULL), ct_own_div_(o->self, o->value, NULL))
ROW(clamp_max, ct_own_clamp_max(o->self, o->value), ct_own_clamp_max_(o->self, o->value))
ROW(clamp_min, ct_own_clamp_min(o->self, o->value), ct_own_clamp_min_(o->self, o->value))
ROW(power, ct_own_pow(SELF, o->value), ct_own_pow_(o->self, o->value))
ROW(lerp, ct_own_lerp(o->self, o->first, o->value), ct_own_lerp_(o->self, o->first, o->value))
ROW(addcmul, ct_own_addcmul(o->self, o->first, o->second, o->value),
    ct_own_addcmul_(o->self, o->first, o->second, o->value))
ROW(addcdiv, ct_own_addcdiv(o->self, o->first, o->second, o->value),
    ct_own_addcdiv_(o->self, o->first, o->second, o->value))

/* A number raised to the power of each tensor. */
static ct_tensor *power_of(const struct one *o)
{
    return ct_own_pow(o->value, SELF);
}

static ct_tensor *copy_(const struct one *o)
{
    return ct_own_copy_(o->self, o->first, o->args->non_blocking);
}

static ct_tensor *clone(const struct one *o)
{
    return ct_own_clone(o->self, o->args->memory_format);
}

static ct_tensor *matrix_product(const struct one *o)
{
    return ct_own_mm(o->self, o->first);
}

static ct_tensor *maximum_of(const struct one *o)
{
    if (ct_numel(o->self) == 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "_foreach_max cannot compute the maximum of an empty tensor; "
                       "max over zero elements is undefined.");
    return ct_own_max(o->self);
}

static ct_tensor *norm(const struct one *o)
{
    bool infinite = o->value.kind == CT_VALUE_FLOAT && isinf(o->value.as.f);
    if (infinite && o->value.as.f > 0 && ct_numel(o->self) == 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "_foreach_norm cannot compute the infinity norm on an empty tensor because "
                       "the operation does not have an identity");
    return ct_own_linalg_vector_norm(o->self, o->value, CT_NO_DIMS, false, o->args->dtype);
}

/* The sum of the absolute values raised to a power, in the result dtype. */
static ct_tensor *power_sum(const struct one *o)
{
    enum ct_dtype given = o->args->dtype;
    ct_tensor *size = ct_own_abs(o->self); /* real, even if self is complex */
    enum ct_dtype dtype = given == CT_NO_DTYPE ? ct_dtype(size) : given;
    if (size && !ct_dtype_is_floating(dtype)) {
        ct_release(size);
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"powsum_cpu\" not implemented for '%s'",
                       given == CT_NO_DTYPE ? "Long" : cti_dtype_scalar_name(given));
    }
    ct_tensor *powers = ct_own_pow(ct_value_tensor(size), o->value);
    ct_tensor *sum = ct_own_sum(powers, CT_NO_DIMS, false, dtype);
    ct_release(powers);
    ct_release(size);
    return sum;
}

/* ---- the table ---- */

/* The operations, sorted by name for bsearch. */
static const struct row {
    const char *name;
    enum { ALONE, BESIDE, PAIRED, THREE } kind; /* number of further lists: 0; 0 or 1; 1 or 2; 2 */
    bool tensor;                                /* accepts a 0-d tensor as the operand of all */
    maker *make, *make_;
    ct_tensor *(*one)(ct_tensor *), *(*one_)(ct_tensor *);
} rows[] = {
#define UNARY(name)                                                                                \
    {                                                                                              \
#name, ALONE, false, NULL, NULL, ct_own_##name, ct_own_##name##_                           \
    }
#define OTHER(name, kind, tensor, make, make_)                                                     \
    {                                                                                              \
        name, kind, tensor, make, make_, NULL, NULL                                                \
    }
    UNARY(abs),
    UNARY(acos),
    OTHER("add", BESIDE, true, add, add_),
    OTHER("addcdiv", THREE, false, addcdiv, addcdiv_),
    OTHER("addcmul", THREE, false, addcmul, addcmul_),
    UNARY(asin),
    UNARY(atan),
    UNARY(ceil),
    OTHER("clamp_max", BESIDE, false, clamp_max, clamp_max_),
    OTHER("clamp_min", BESIDE, false, clamp_min, clamp_min_),
    OTHER("clone", ALONE, false, clone, NULL),
    OTHER("copy", PAIRED, false, NULL, copy_),
    UNARY(cos),
    UNARY(cosh),
    OTHER("div", BESIDE, true, divide, divide_),
    UNARY(erf),
    UNARY(erfc),
    UNARY(exp),
    UNARY(expm1),
    UNARY(floor),
    UNARY(frac),
    OTHER("lerp", PAIRED, false, lerp, lerp_),
    UNARY(lgamma),
    UNARY(log),
    UNARY(log10),
    UNARY(log1p),
    UNARY(log2),
    OTHER("max", ALONE, false, maximum_of, NULL),
    OTHER("maximum", BESIDE, false, clamp_min, clamp_min_),
    OTHER("minimum", BESIDE, false, clamp_max, clamp_max_),
    OTHER("mm", PAIRED, false, matrix_product, NULL),
    OTHER("mul", BESIDE, true, mul, mul_),
    UNARY(neg),
    OTHER("norm", ALONE, false, norm, NULL),
    OTHER("pow", BESIDE, false, power, power_),
    OTHER("powsum", ALONE, false, power_sum, NULL),
    UNARY(reciprocal),
    UNARY(round),
    OTHER("rpow", ALONE, false, power_of, NULL),
    UNARY(rsqrt),
    UNARY(sigmoid),
    UNARY(sign),
    UNARY(sin),
    UNARY(sinh),
    UNARY(sqrt),
    OTHER("sub", BESIDE, true, sub, sub_),
    UNARY(tan),
    UNARY(tanh),
    UNARY(trunc),
    {"zero", ALONE, false, NULL, NULL, NULL, ct_own_zero_},
};

static int by_name(const void *name, const void *row)
{
    return strcmp(name, ((const struct row *)row)->name);
}

static const struct row *foreach_find(const char *name, bool in_place)
{
    const struct row *r = bsearch(name, rows, sizeof rows / sizeof *rows, sizeof *rows, by_name);
    if (r && (in_place ? r->make_ || r->one_ : r->make || r->one))
        return r;
    return ct_fail(CT_ERR_VALUE, "unknown operation on lists: '%s%s'", name, in_place ? "_" : "");
}

/* ---- the other operands ---- */

static bool same_length(ct_list a, ct_list b)
{
    return a.n == b.n || cti_refuse(CT_ERR_RUNTIME,
                                    "Tensor lists must have the same number of tensors, got %lld "
                                    "and %lld",
                                    (long long)a.n, (long long)b.n);
}

static bool lists_fit(const struct row *r, const struct ct_foreach_operands *a)
{
    if (r->make == matrix_product && a->list.n != a->first.n)
        return cti_refuse(CT_ERR_RUNTIME,
                          "_foreach_mm: self and mat2 must have the same number of tensors");
    if (r->make == matrix_product && a->list.n == 0)
        return cti_refuse(CT_ERR_RUNTIME, "_foreach_mm requires non-empty tensor lists");
    bool first = a->first.v || r->kind >= PAIRED, second = a->second.v || r->kind == THREE;
    bool nothing = a->list.n == 0 || (r->make_ == copy_ && a->first.n == 0);
    if (nothing && !(first && a->first.n && r->kind == BESIDE))
        return cti_refuse(CT_ERR_RUNTIME, "Tensor list must have at least one tensor.");
    if (first && !same_length(a->list, a->first))
        return false;
    if (second && !same_length(a->list, a->second))
        return false;
    return !a->values || a->nvalues == a->list.n ||
           cti_refuse(CT_ERR_RUNTIME,
                      "Tensor list must have same number of elements as scalar list.");
}

/* Checks a tensor operand for the whole list: 0-d, or for operations with three lists a vector of
 * scalars. */
static bool tensor_fits(const struct row *r, const struct ct_foreach_operands *a)
{
    if (a->value.kind != CT_VALUE_TENSOR)
        return true;
    const ct_tensor *t = a->value.as.tensor;
    if (r->tensor && ct_ndim(t) != 0)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "scalar tensor expected to be 0 dim but it has %lld dimensions and %lld elements.",
            (long long)ct_ndim(t), (long long)ct_numel(t));
    if (r->kind != THREE)
        return true;
    if (ct_device_of(t).type != CT_CPU)
        return cti_refuse(CT_ERR_RUNTIME, "Expected scalars to be on CPU, got %s instead.",
                          ct_device_str(ct_device_of(t)));
    if (!ct_is_contiguous(t))
        return cti_refuse(CT_ERR_RUNTIME, "Expected scalars to be contiguous.");
    if (ct_ndim(t) != 1)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected packed scalar Tensor to be of dimension 1. Got %lld instead.",
                          (long long)ct_ndim(t));
    return ct_numel(t) == a->list.n ||
           cti_refuse(CT_ERR_RUNTIME,
                      "Expected length of scalars to match input of length %lld but got %lld "
                      "instead.",
                      (long long)a->list.n, (long long)ct_numel(t));
}

/* Reads element i of a vector. */
static bool packed_value(ct_tensor *vector, int64_t i, ct_value *value)
{
    ct_tensor *at = ct_own_select(vector, 0, i);
    *value = at ? ct_item_value(at) : ct_value_none();
    ct_release(at);
    return at && value->kind != CT_VALUE_NULL;
}

/* Collects the operands for tensor i of the list. */
static bool collect_operands(const struct row *r, const struct ct_foreach_operands *a, int64_t i,
                             struct one *o)
{
    o->args = a;
    o->self = a->list.v[i];
    o->first = a->first.v ? a->first.v[i] : NULL;
    o->second = a->second.v ? a->second.v[i] : NULL;
    o->value = a->values ? a->values[i] : a->value;
    if (r->kind == THREE && o->value.kind == CT_VALUE_TENSOR)
        return packed_value(o->value.as.tensor, i, &o->value);
    if (r->kind == BESIDE && o->first)
        o->value = ct_value_tensor(o->first);
    else if (r->make == lerp && o->second)
        o->value = ct_value_tensor(o->second);
    return true;
}

/* ---- the calls ---- */

/* Checks the arguments and finds the row; *a receives them with lists counted. NULL with an
 * error. */
static const struct row *foreach_begin(const char *name, const struct ct_foreach_operands *args,
                                       bool in_place, struct ct_foreach_operands *a)
{
    const char *function = in_place ? "ct_foreach_" : "ct_own_foreach";
    if (!cti_check_pointer(name, function, "name") || !cti_check_pointer(args, function, "args"))
        return NULL;
    *a = *args;
    if (!cti_check_list(&a->list, function, "list") ||
        ((a->first.v || a->first.n) && !cti_check_list(&a->first, function, "first")) ||
        ((a->second.v || a->second.n) && !cti_check_list(&a->second, function, "second")))
        return NULL;
    if (a->alpha.kind == CT_VALUE_NULL)
        a->alpha = ct_value_int(1);
    const struct row *r = foreach_find(name, in_place);
    return r && lists_fit(r, a) && tensor_fits(r, a) ? r : NULL;
}

ct_list ct_own_foreach(const char *name, const struct ct_foreach_operands *args)
{
    struct ct_foreach_operands a;
    const struct row *r = foreach_begin(name, args, false, &a);
    ct_tensor **made = r ? cti_malloc((size_t)(a.list.n + 1) * sizeof *made) : NULL;
    if (!made)
        return (ct_list){NULL, 0};
    for (int64_t i = 0; i < a.list.n; i++) {
        struct one o;
        made[i] = r->one                           ? r->one(a.list.v[i])
                  : collect_operands(r, &a, i, &o) ? r->make(&o)
                                                   : NULL;
        if (!made[i]) {
            ct_list_release(ct_list_of(made, i));
            return (ct_list){NULL, 0};
        }
    }
    return ct_list_of(made, a.list.n);
}

bool ct_foreach_(const char *name, const struct ct_foreach_operands *args)
{
    struct ct_foreach_operands a;
    const struct row *r = foreach_begin(name, args, true, &a);
    for (int64_t i = 0; r && i < a.list.n; i++) {
        struct one o;
        if (!(r->one_                          ? r->one_(a.list.v[i])
              : collect_operands(r, &a, i, &o) ? r->make_(&o)
                                               : NULL))
            return false;
    }
    return r != NULL;
}
