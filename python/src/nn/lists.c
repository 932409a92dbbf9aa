/* SPDX-License-Identifier: BSD-3-Clause */
/* torch._foreach_* and the functions of GradScaler: each handles lists of tensors in one library
 * call. */
#include "parse/parse.h"

#include <corten/optim.h>

/* ---- signatures of _foreach_* ---- */

/* Indices in py_frame.v of the arguments. */
enum { LIST, FIRST, SECOND, VALUE, VALUES, ALPHA, DTYPE, FORMAT, LAST };

/* An argument that no signature accepts. It makes the parser set all members of v. */
#define NOT_SHOWN                                                                                  \
    {                                                                                              \
        .name = "", .kind = PY_BOOL, .flags = PY_HIDDEN                                            \
    }
#define ALPHA_ARG                                                                                  \
    {                                                                                              \
        .name = "alpha", .kind = PY_NUMBER, .flags = PY_DEFAULT | PY_KEYWORD, .shown = "1",        \
        .fallback.value = {                                                                        \
            .kind = CT_VALUE_INT,                                                                  \
            .as.i = 1                                                                              \
        }                                                                                          \
    }
#define BESIDE(title, second)                                                                      \
    static struct py_arg title[] = {PY_REQUIRED("self", PY_TENSORS), second, NOT_SHOWN}
BESIDE(scalar_args, PY_REQUIRED("scalar", PY_NUMBER));
BESIDE(scalars_args, PY_REQUIRED("scalars", PY_NUMBERS));
BESIDE(tensor_args, PY_REQUIRED("other", PY_OPERAND));
BESIDE(list_args, PY_REQUIRED("other", PY_TENSORS));
BESIDE(exponent_args, PY_REQUIRED("exponent", PY_NUMBER));
BESIDE(exponents_args, PY_REQUIRED("exponent", PY_NUMBERS));
BESIDE(powers_args, PY_REQUIRED("exponent", PY_TENSORS));
BESIDE(mat2_args, PY_REQUIRED("mat2", PY_TENSORS));
static struct py_arg alone_args[] = {PY_REQUIRED("self", PY_TENSORS), NOT_SHOWN};
static struct py_arg base_args[] = {PY_REQUIRED("self", PY_NUMBER),
                                    PY_REQUIRED("exponent", PY_TENSORS), NOT_SHOWN};
static struct py_arg tensor_alpha_args[] = {PY_REQUIRED("self", PY_TENSORS),
                                            PY_REQUIRED("other", PY_OPERAND), ALPHA_ARG, NOT_SHOWN};
static struct py_arg list_alpha_args[] = {PY_REQUIRED("self", PY_TENSORS),
                                          PY_REQUIRED("other", PY_TENSORS), ALPHA_ARG, NOT_SHOWN};
#define THREE(title, ...)                                                                          \
    static struct py_arg title[] = {PY_REQUIRED("self", PY_TENSORS),                               \
                                    PY_REQUIRED("tensor1", PY_TENSORS),                            \
                                    PY_REQUIRED("tensor2", PY_TENSORS), __VA_ARGS__, NOT_SHOWN}
THREE(three_scalars_args, PY_REQUIRED("scalars", PY_NUMBERS));
THREE(three_tensor_args, PY_REQUIRED("scalars", PY_OPERAND));
THREE(three_value_args, {.name = "value",
                         .kind = PY_NUMBER,
                         .flags = PY_DEFAULT,
                         .shown = "1",
                         .fallback.value = {.kind = CT_VALUE_INT, .as.i = 1}});
#define BETWEEN(title, weight)                                                                     \
    static struct py_arg title[] = {PY_REQUIRED("self", PY_TENSORS),                               \
                                    PY_REQUIRED("tensors1", PY_TENSORS), weight, NOT_SHOWN}
BETWEEN(weight_args, PY_REQUIRED("weight", PY_NUMBER));
BETWEEN(weight_each_args, PY_REQUIRED("weight", PY_NUMBERS));
BETWEEN(weights_args, PY_REQUIRED("weights", PY_TENSORS));
static struct py_arg norm_args[] = {
    PY_REQUIRED("self", PY_TENSORS),
    {.name = "ord",
     .kind = PY_NUMBER,
     .flags = PY_DEFAULT,
     .shown = "2",
     .fallback.value = {.kind = CT_VALUE_INT, .as.i = 2}},
    PY_OR_NONE("dtype", PY_DTYPE, 0),
    NOT_SHOWN,
};
static struct py_arg copy_args[] = {PY_REQUIRED("self", PY_TENSORS), PY_REQUIRED("src", PY_TENSORS),
                                    PY_OFF("non_blocking", 0)};
static struct py_arg clone_args[] = {PY_REQUIRED("self", PY_TENSORS),
                                     PY_OR_NONE("memory_format", PY_FORMAT, PY_KEYWORD), NOT_SHOWN};

#define FORM(title, ...)                                                                           \
    {                                                                                              \
        .args = title, .n = sizeof title / sizeof *title, .slots = (const uint8_t[])               \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* The forms of a function in the order in which they are tried, which is PyTorch's. */
enum {
    ALONE,
    SUM,
    DIFFERENCE,
    PRODUCT,
    BOUND,
    POWER,
    POWER_,
    TERNARY,
    LERP,
    NORM,
    COPY,
    CLONE,
    MATRICES
};
enum { MOST_FORMS = 4 };
static const struct family {
    struct py_signature form[MOST_FORMS];
    uint8_t n;
} families[] = {
    [ALONE] = {{FORM(alone_args, LIST, LAST)}, 1},
    [SUM] = {{FORM(scalar_args, LIST, VALUE, LAST), FORM(scalars_args, LIST, VALUES, LAST),
              FORM(tensor_alpha_args, LIST, VALUE, ALPHA, LAST),
              FORM(list_alpha_args, LIST, FIRST, ALPHA, LAST)},
             4},
    [DIFFERENCE] = {{FORM(scalar_args, LIST, VALUE, LAST), FORM(scalars_args, LIST, VALUES, LAST),
                     FORM(list_alpha_args, LIST, FIRST, ALPHA, LAST)},
                    3},
    [PRODUCT] = {{FORM(scalars_args, LIST, VALUES, LAST), FORM(tensor_args, LIST, VALUE, LAST),
                  FORM(list_args, LIST, FIRST, LAST), FORM(scalar_args, LIST, VALUE, LAST)},
                 4},
    [BOUND] = {{FORM(scalar_args, LIST, VALUE, LAST), FORM(scalars_args, LIST, VALUES, LAST),
                FORM(list_args, LIST, FIRST, LAST)},
               3},
    [POWER] = {{FORM(base_args, VALUE, FIRST, LAST), FORM(exponent_args, LIST, VALUE, LAST),
                FORM(exponents_args, LIST, VALUES, LAST), FORM(powers_args, LIST, FIRST, LAST)},
               4},
    [POWER_] = {{FORM(exponent_args, LIST, VALUE, LAST), FORM(exponents_args, LIST, VALUES, LAST),
                 FORM(powers_args, LIST, FIRST, LAST)},
                3},
    [TERNARY] = {{FORM(three_scalars_args, LIST, FIRST, SECOND, VALUES, LAST),
                  FORM(three_tensor_args, LIST, FIRST, SECOND, VALUE, LAST),
                  FORM(three_value_args, LIST, FIRST, SECOND, VALUE, LAST)},
                 3},
    [LERP] = {{FORM(weight_args, LIST, FIRST, VALUE, LAST),
               FORM(weight_each_args, LIST, FIRST, VALUES, LAST),
               FORM(weights_args, LIST, FIRST, SECOND, LAST)},
              3},
    [NORM] = {{FORM(norm_args, LIST, VALUE, DTYPE, LAST)}, 1},
    [COPY] = {{FORM(copy_args, LIST, FIRST, LAST)}, 1},
    [CLONE] = {{FORM(clone_args, LIST, FORMAT, LAST)}, 1},
    [MATRICES] = {{FORM(mat2_args, LIST, FIRST, LAST)}, 1},
};

/* ---- the functions ---- */

/* X(Python name, library name, family, in place) */
#define BOTH(X, name, family) X(name, #name, family, false) X(name##_, #name, family, true)
/* clang-format off */
#define ALL(X)                                                                                     \
    BOTH(X, abs, ALONE) BOTH(X, acos, ALONE) BOTH(X, asin, ALONE) BOTH(X, atan, ALONE)             \
    BOTH(X, ceil, ALONE) BOTH(X, cos, ALONE) BOTH(X, cosh, ALONE) BOTH(X, erf, ALONE)              \
    BOTH(X, erfc, ALONE) BOTH(X, exp, ALONE) BOTH(X, expm1, ALONE) BOTH(X, floor, ALONE)           \
    BOTH(X, frac, ALONE) BOTH(X, lgamma, ALONE) BOTH(X, log, ALONE) BOTH(X, log10, ALONE)          \
    BOTH(X, log1p, ALONE) BOTH(X, log2, ALONE) BOTH(X, neg, ALONE) BOTH(X, reciprocal, ALONE)      \
    BOTH(X, round, ALONE) BOTH(X, rsqrt, ALONE) BOTH(X, sigmoid, ALONE) BOTH(X, sign, ALONE)       \
    BOTH(X, sin, ALONE) BOTH(X, sinh, ALONE) BOTH(X, sqrt, ALONE) BOTH(X, tan, ALONE)              \
    BOTH(X, tanh, ALONE) BOTH(X, trunc, ALONE) BOTH(X, add, SUM) BOTH(X, sub, DIFFERENCE)          \
    BOTH(X, mul, PRODUCT) BOTH(X, div, PRODUCT) BOTH(X, clamp_max, BOUND)                          \
    BOTH(X, clamp_min, BOUND) BOTH(X, maximum, BOUND) BOTH(X, minimum, BOUND)                      \
    BOTH(X, addcmul, TERNARY) BOTH(X, addcdiv, TERNARY) BOTH(X, lerp, LERP)                        \
    X(pow, "pow", POWER, false) X(pow_, "pow", POWER_, true) X(norm, "norm", NORM, false)          \
    X(powsum, "powsum", NORM, false)                                                               \
    X(max, "max", ALONE, false) X(mm, "mm", MATRICES, false) X(clone, "clone", CLONE, false)       \
    X(copy_, "copy", COPY, true) X(zero_, "zero", ALONE, true)
/* clang-format on */

#define NUMBER(name, row, family, in_place) AT_##name,
enum { ALL(NUMBER) FUNCTIONS };

static const struct {
    const char *name, *row;
    uint8_t family;
    bool in_place;
} functions_of[] = {
#define KNOWN(name, row, family, in_place) {"_foreach_" #name, row, family, in_place},
    ALL(KNOWN)};

static struct py_op ops[FUNCTIONS];
static struct py_signature forms[FUNCTIONS][MOST_FORMS]; /* indexed by function and form; `which` is
                                                          * the function's index */

static void call_list(int which, const union py_value *v, struct py_result *r)
{
    bool base = v[LIST].list.v == NULL; /* _foreach_pow(number, exponents) */
    const char *row = base ? "rpow" : functions_of[which].row;
    struct ct_foreach_operands a = {
        .list = base ? v[FIRST].list : v[LIST].list,
        .first = base ? ct_list_of(NULL, 0) : v[FIRST].list,
        .second = v[SECOND].list,
        .value = v[VALUE].value,
        .values = v[VALUES].values.v,
        .nvalues = v[VALUES].values.n,
        .alpha = v[ALPHA].value,
        .dtype = v[DTYPE].dtype,
        .memory_format = v[FORMAT].small,
        .non_blocking = v[LAST].b,
    };
    if (!functions_of[which].in_place)
        r->list = ct_own_foreach(row, &a);
    else
        r->tensor = ct_foreach_(row, &a) ? a.list.v[0] : NULL;
}

static void make_ops(void)
{
    for (int i = 0; i < FUNCTIONS; i++) {
        const struct family *family = &families[functions_of[i].family];
        for (int k = 0; k < family->n; k++) {
            forms[i][k] = family->form[k];
            forms[i][k].which = (uint8_t)i;
            forms[i][k].returns = functions_of[i].in_place ? PY_RETURNS_GIVEN : PY_RETURNS_LIST;
        }
        ops[i] = (struct py_op){.name = functions_of[i].name,
                                .call = call_list,
                                .signatures = forms[i],
                                .n = family->n};
    }
}

#define FUNCTION(name, row, family, in_place)                                                      \
    static PyObject *foreach_##name(PyObject *module, PyObject *const *args, Py_ssize_t nargs,     \
                                    PyObject *names)                                               \
    {                                                                                              \
        return py_function(&ops[AT_##name], args, nargs, names);                                   \
    }
ALL(FUNCTION)

/* ---- GradScaler ---- */

static struct py_arg unscale_args[] = {PY_REQUIRED("self", PY_TENSORS),
                                       PY_REQUIRED("found_inf", PY_TENSOR),
                                       PY_REQUIRED("inv_scale", PY_TENSOR)};
static struct py_arg update_args[] = {PY_REQUIRED("input", PY_TENSOR),
                                      PY_REQUIRED("growth_tracker", PY_TENSOR),
                                      PY_REQUIRED("found_inf", PY_TENSOR),
                                      PY_REQUIRED("scale_growth_factor", PY_FLOAT),
                                      PY_REQUIRED("scale_backoff_factor", PY_FLOAT),
                                      PY_REQUIRED("growth_interval", PY_INT)};
static struct py_signature unscale_signature = {
    .args = unscale_args, .n = 3, .returns = PY_RETURNS_NONE};
static struct py_signature update_signature = {
    .args = update_args, .n = 6, .returns = PY_RETURNS_SELF};

static void call_unscale(int which, const union py_value *v, struct py_result *r)
{
    r->tensor = ct_amp_unscale_(v[0].list, v[1].tensor, v[2].tensor) ? v[1].tensor : NULL;
}

static void call_update(int which, const union py_value *v, struct py_result *r)
{
    struct ct_amp_factors by = {v[3].f, v[4].f, v[5].i};
    r->tensor =
        ct_amp_update_scale_(v[0].tensor, v[1].tensor, v[2].tensor, &by) ? v[0].tensor : NULL;
}

static struct py_op unscale_op = {.name = "_amp_foreach_non_finite_check_and_unscale_",
                                  .call = call_unscale,
                                  .signatures = &unscale_signature,
                                  .n = 1};
static struct py_op update_op = {
    .name = "_amp_update_scale_", .call = call_update, .signatures = &update_signature, .n = 1};

static PyObject *unscale(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    return py_function(&unscale_op, args, nargs, names);
}

static PyObject *update_scale(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                              PyObject *names)
{
    return py_function(&update_op, args, nargs, names);
}

static PyMethodDef functions[] = {
#define METHOD(name, row, family, in_place)                                                        \
    {"_foreach_" #name, PY_FAST(foreach_##name), #name " of each tensor of a list, in one call."},
    ALL(METHOD){"_amp_foreach_non_finite_check_and_unscale_", PY_FAST(unscale),
                "Multiplies gradients by inv_scale; sets found_inf to 1 if one is not finite."},
    {"_amp_update_scale_", PY_FAST(update_scale), "Updates the loss scale after a step."},
    {0},
};

bool py_init_lists(PyObject *module)
{
    make_ops();
    return PyModule_AddFunctions(module, functions) == 0;
}
