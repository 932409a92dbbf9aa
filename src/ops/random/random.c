/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements in-place random fills, declared in random.toml: PyTorch's checks of bounds and dtypes
 * with its error messages, then one call of the random engine. create.c uses these for new
 * tensors. */
#include "ops/random/random.h"
#include "core/guard.h"
#include "core/note.h"

#include "fronts.h"
#include "ops/front.h"

#include <float.h>

enum type_set { FLOATING, FLOATING_OR_COMPLEX, NUMBER, REAL };

/* The dtypes of PyTorch's kernels; none of them supports uint16, uint32 and uint64. */
static bool is_in(enum ct_dtype dtype, enum type_set set)
{
    bool unsigned_wide = dtype >= CT_UINT16 && dtype <= CT_UINT64;
    switch (set) {
    case FLOATING:
        return dtype >= CT_FLOAT16 && dtype <= CT_FLOAT64;
    case FLOATING_OR_COMPLEX:
        return dtype >= CT_FLOAT16;
    case NUMBER:
        return dtype != CT_BOOL && !unsigned_wide && dtype <= CT_FLOAT64;
    case REAL:
        return !unsigned_wide && dtype <= CT_FLOAT64;
    }
    return false;
}

static bool check_any_type(const ct_tensor *t, enum type_set set, const char *kernel)
{
    if (is_in(t->dtype, set))
        return true;
    ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", kernel,
            cti_dtype_scalar_name(t->dtype));
    return false;
}

/* Like most of PyTorch's kernels, does not check the dtype of an empty tensor. */
static bool random_check_type(const ct_tensor *t, enum type_set set, const char *kernel)
{
    return t->numel == 0 || check_any_type(t, set, kernel);
}

/* The largest finite number of a floating type. */
static double float_max(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT16    ? 65504.0
           : dtype == CT_BFLOAT16 ? 0x1.FEp127
           : dtype == CT_FLOAT32  ? (double)FLT_MAX
                                  : DBL_MAX;
}

bool cti_random_fill(struct cti_random work)
{
    ct_tensor *self = work.out;
    if (!cti_shape_check_writable(self) || !cti_guard_draw(work.generator))
        return false;
    if (self->numel == 0)
        return true;
    if (!(self->flags & (CTI_CONJ | CTI_NEG)))
        return cti_run_on(&work.work, CTI_ENGINE_random, self);
    /* The engine ignores conj and neg flags, so draw into a new tensor and copy it through the
     * view. */
    work.out = cti_empty_like(self, self->dtype, CT_PRESERVE_FORMAT);
    bool good =
        work.out && cti_run_on(&work.work, CTI_ENGINE_random, self) && cti_copy(self, work.out);
    ct_release(work.out);
    return good;
}

/* ---- continuous ---- */

bool cti_random_check_std(double std)
{
    if (!(std >= 0))
        ct_fail(CT_ERR_RUNTIME, "normal expects std >= 0.0, but found std %g", std);
    return std >= 0;
}

bool cti_op_normal_(ct_tensor *self, double mean, double std, ct_generator *generator)
{
    return cti_random_check_std(std) &&
           random_check_type(self, FLOATING_OR_COMPLEX, "normal_kernel_cpu") &&
           cti_random_fill((struct cti_random){.kind = CTI_RANDOM_NORMAL,
                                               .generator = generator,
                                               .out = self,
                                               .a = mean,
                                               .b = std});
}

static bool random_check_bound(double bound, const char *name, double limit, enum ct_dtype dtype)
{
    if (bound >= -limit && bound <= limit)
        return true;
    ct_fail(CT_ERR_RUNTIME, "%s is out of bounds for %s", name, cti_dtype_cpp_name(dtype));
    return false;
}

bool cti_op_uniform_(ct_tensor *self, double from, double to, ct_generator *generator)
{
    if (!check_any_type(self, FLOATING_OR_COMPLEX, "check_uniform_bounds"))
        return cti_note("for integers use torch.randint(low, high, size) or x.random_(low, high)");
    enum ct_dtype dtype = cti_dtype_to_real(self->dtype);
    double limit = float_max(dtype);
    if (!random_check_bound(from, "from", limit, dtype) ||
        !random_check_bound(to, "to", limit, dtype))
        return false;
    if (from > to)
        return ct_fail(CT_ERR_RUNTIME,
                       "uniform_ expects to return a [from, to) range, but found from=%g > to=%g",
                       from, to);
    if (to - from > limit)
        return ct_fail(CT_ERR_RUNTIME,
                       "uniform_ expects to-from <= std::numeric_limits<%s>::max(), but found "
                       "to=%g and from=%g which result in to-from to exceed the limit",
                       cti_dtype_scalar_name(dtype), to, from);
    return cti_random_fill((struct cti_random){
        .kind = CTI_RANDOM_UNIFORM, .generator = generator, .out = self, .a = from, .b = to});
}

static bool check_continuous(const char *distribution, const ct_tensor *self, const char *type)
{
    if (is_in(self->dtype, FLOATING))
        return true;
    ct_fail(CT_ERR_RUNTIME,
            "%s distribution is a continuous probability distribution. dtype must be a floating "
            "point but you specified %s",
            distribution, type);
    return false;
}

bool cti_op_exponential_(ct_tensor *self, double lambd, ct_generator *generator)
{
    const char *type = cti_dtype_scalar_name(self->dtype);
    if (!(lambd > 0))
        return ct_fail(CT_ERR_RUNTIME, "exponential_ expects lambda > 0.0, but found lambda=%g",
                       lambd);
    if (self->numel && !check_continuous("Exponential", self, type))
        return false;
    return cti_random_fill((struct cti_random){
        .kind = CTI_RANDOM_EXPONENTIAL, .generator = generator, .out = self, .a = lambd});
}

bool cti_op_cauchy_(ct_tensor *self, double median, double sigma, ct_generator *generator)
{
    if (!(sigma > 0))
        return ct_fail(CT_ERR_RUNTIME, "cauchy_ expects sigma > 0.0, but found sigma=%g", sigma);
    if (!check_continuous("Cauchy", self, cti_dtype_cpp_name(self->dtype)))
        return false;
    return cti_random_fill((struct cti_random){
        .kind = CTI_RANDOM_CAUCHY, .generator = generator, .out = self, .a = median, .b = sigma});
}

bool cti_op_log_normal_(ct_tensor *self, double mean, double std, ct_generator *generator)
{
    if (!(std > 0))
        return ct_fail(CT_ERR_RUNTIME, "log_normal_ expects std > 0.0, but found std=%g", std);
    return random_check_type(self, FLOATING, "log_normal_cpu") &&
           cti_random_fill((struct cti_random){.kind = CTI_RANDOM_LOG_NORMAL,
                                               .generator = generator,
                                               .out = self,
                                               .a = mean,
                                               .b = std});
}

/* ---- bernoulli and geometric ---- */

bool cti_random_coins(enum cti_random_kind kind, ct_tensor *self, double p, ct_generator *generator)
{
    if (!(p >= 0 && p <= 1))
        return ct_fail(CT_ERR_RUNTIME, "bernoulli_ expects p to be in [0, 1], but got p=%g", p);
    return random_check_type(self, REAL, "bernoulli_scalar_cpu_") &&
           cti_random_fill(
               (struct cti_random){.kind = kind, .generator = generator, .out = self, .a = p});
}

bool cti_op_bernoulli_(ct_tensor *self, double p, ct_generator *generator)
{
    return cti_random_coins(CTI_RANDOM_BERNOULLI, self, p, generator);
}

bool cti_op_bernoulli_tensor_(ct_tensor *self, ct_tensor *p, ct_generator *generator)
{
    if (self->numel == 0)
        return true;
    if (!random_check_type(self, REAL, "bernoulli_tensor_cpu_self_") ||
        !random_check_type(p, FLOATING, "bernoulli_tensor_cpu_p_"))
        return false;
    ct_tensor *plain = cti_resolve(p);
    ct_tensor *expanded = plain ? cti_view_expand(plain, cti_shape_of(self), true) : NULL;
    struct cti_random fill = {.kind = CTI_RANDOM_BERNOULLI_TENSOR, .generator = generator};
    fill.out = self, fill.p = expanded;
    bool good = expanded && cti_random_fill(fill);
    cti_release_all(plain, expanded);
    return good;
}

bool cti_op_geometric_(ct_tensor *self, double p, ct_generator *generator)
{
    if (!(p > 0 && p < 1))
        return ct_fail(CT_ERR_RUNTIME, "geometric_ expects p to be in (0, 1), but got p=%g", p);
    return random_check_type(self, NUMBER, "geometric_cpu") &&
           cti_random_fill((struct cti_random){
               .kind = CTI_RANDOM_GEOMETRIC, .generator = generator, .out = self, .a = p});
}

/* ---- integers ---- */

struct limits {
    int64_t min, max;
};

/* The range of an integer dtype, within int64. */
static struct limits limits_of(enum ct_dtype dtype)
{
    if (dtype == CT_BOOL)
        return (struct limits){0, 1};
    int bits = (int)(8 * cti_itemsize(dtype));
    if (ct_dtype_is_signed(dtype))
        return (struct limits){bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1)),
                               bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1};
    return (struct limits){0, bits == 64 ? INT64_MAX : (INT64_C(1) << bits) - 1};
}

static bool check_whole_bound(int64_t bound, const char *name, enum ct_dtype dtype)
{
    struct limits l = dtype < CT_FLOAT16 ? limits_of(dtype) : (struct limits){0, 0};
    if (dtype < CT_FLOAT16 ? bound < l.min || bound > l.max
                           : !random_check_bound((double)bound, name, float_max(dtype), dtype)) {
        ct_fail(CT_ERR_RUNTIME, "%s is out of bounds for %s", name, cti_dtype_cpp_name(dtype));
        return false;
    }
    int digits = cti_random_digits(dtype);
    int64_t exact = INT64_C(1) << digits;
    if (digits && (bound < -exact || bound > exact))
        cti_warn("%s is out of bounds [-(2^%d), 2^%d]. Due to precision limitations %s can support "
                 "discrete uniform distribution only within this range. This warning will become "
                 "an error in version 1.7 release, please fix the code in advance",
                 name, digits, digits, cti_dtype_cpp_name(dtype));
    return true;
}

/* Draws from [from, last]. */
static bool fill_range(ct_tensor *self, int64_t from, int64_t last, ct_generator *generator)
{
    enum ct_dtype dtype = self->dtype;
    if (dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_RUNTIME, "check_random_bounds handles only integral, floating-point "
                                       "and boolean types");
    return check_whole_bound(from, "from", dtype) && check_whole_bound(last, "to - 1", dtype) &&
           cti_random_fill((struct cti_random){.kind = CTI_RANDOM_RANGE,
                                               .generator = generator,
                                               .out = self,
                                               .base = from,
                                               .range = (uint64_t)last - (uint64_t)from + 1});
}

bool cti_random_between(ct_tensor *self, int64_t from, int64_t to, ct_generator *generator)
{
    if (from >= to)
        return ct_fail(CT_ERR_RUNTIME,
                       "random_ expects 'from' to be less than 'to', but got from=%lld >= to=%lld",
                       (long long)from, (long long)to);
    cti_random_narrow(self->dtype, &from, &to);
    if (from >= to)
        return ct_fail(CT_ERR_RUNTIME,
                       "random_ expects 'from' casted to dtype to be less than 'to' casted to "
                       "dtype, but got from=%lld >= to=%lld",
                       (long long)from, (long long)to);
    return fill_range(self, from, to - 1, generator);
}

/* Draws from the whole range of int64, which only some dtypes can represent. */
static bool fill_all(ct_tensor *self, ct_generator *generator)
{
    static const char kernel[] = "random_full_64_bits_range_kernel_cpu";
    enum ct_dtype dtype = self->dtype;
    if (dtype == CT_FLOAT16 || !random_check_type(self, NUMBER, kernel))
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "\"%s\" not implemented for '%s'", kernel,
                       cti_dtype_scalar_name(dtype));
    if (dtype < CT_INT64)
        return ct_fail(CT_ERR_RUNTIME, "%s handles only int64, double, float and bfloat16", kernel);
    return cti_random_fill((struct cti_random){
        .kind = CTI_RANDOM_RANGE, .generator = generator, .out = self, .base = INT64_MIN});
}

/* Draws from `from` up to the largest integer that the dtype represents. */
static bool fill_above(ct_tensor *self, int64_t from, ct_generator *generator)
{
    enum ct_dtype dtype = self->dtype;
    if (from == INT64_MIN)
        return fill_all(self, generator);
    if (dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_RUNTIME, "random_from_to_impl handles only integral, floating-point "
                                       "and boolean types");
    if (dtype < CT_FLOAT16)
        return fill_range(self, from, dtype == CT_UINT64 ? -1 : limits_of(dtype).max, generator);
    int64_t last = INT64_C(1) << cti_random_digits(dtype), unused = INT64_MIN;
    cti_random_narrow(dtype, &from, &unused);
    if (from >= last)
        return ct_fail(CT_ERR_RUNTIME,
                       "random_ expects 'from' casted to dtype to be less than or equal to "
                       "'to_inc' casted to dtype, but got from=%lld > to_inc=%lld",
                       (long long)from, (long long)last);
    return fill_range(self, from, last, generator);
}

bool cti_op_random_(ct_tensor *self, int64_t from, int64_t to, ct_generator *generator)
{
    if (to != CT_NO_DIM)
        return cti_random_between(self, from == CT_NO_DIM ? 0 : from, to, generator);
    if (from != CT_NO_DIM)
        return fill_above(self, from, generator);
    return random_check_type(self, REAL, "random_kernel_cpu") &&
           cti_random_fill(
               (struct cti_random){.kind = CTI_RANDOM_FULL, .generator = generator, .out = self});
}

bool cti_op_random_from_(ct_tensor *self, int64_t from, int64_t to, ct_generator *generator)
{
    return to == CT_NO_DIM ? fill_above(self, from, generator)
                           : cti_random_between(self, from, to, generator);
}

bool cti_op_random_to_(ct_tensor *self, int64_t to, ct_generator *generator)
{
    return cti_random_between(self, 0, to, generator);
}
