/* SPDX-License-Identifier: BSD-3-Clause */
/* The macros that give C keyword arguments (ct_sum(x, .keepdim = true)), numbers in place of
 * tensors (ct_add(x, 1)), list literals (CT_DIMS(0, 1)), and scopes that end with their block
 * (CT_SCOPE;). ops.h builds one macro per operation from them. They need C11 with the extensions of
 * gcc and clang. Other languages, including C++, call the functions ct_NAME_ex under the macros.
 *
 * Arguments are evaluated once, from left to right, and keywords after them. The expansion names
 * each positional argument once, so that nested calls do not grow exponentially. */
#ifndef CORTEN_MACROS_H
#define CORTEN_MACROS_H

#ifdef __GNUC__
#pragma GCC system_header /* warnings point at the program, not into expanded macros */
#endif
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-zero-variadic-macro-arguments" /* ct_sum(x) */
#endif

#include "corten/base.h"

#include "corten/hide_letters.h"

#ifndef __cplusplus

#define CT_CAT_(a, b) a##b
#define CT_CAT(a, b) CT_CAT_(a, b)
#define CT_ID(p) CT_CAT(p, __COUNTER__) /* a new name, so that nested calls do not shadow it */

/* ---- list literals, ended by a sentinel: counting would expand the arguments twice ---- */

#define CT_INTS(...) ((ct_ints){(const int64_t[]){__VA_ARGS__ __VA_OPT__(, ) CT_END}, -1})
#define CT_FLOATS(...)                                                                             \
    ((ct_floats){(const double[]){__VA_ARGS__ __VA_OPT__(, ) __builtin_nan("")}, -1})
#define CT_SHAPE(...) CT_INTS(__VA_ARGS__)
#define CT_DIMS(...) CT_INTS(__VA_ARGS__)
#define CT_LIST(...) ((ct_list){(ct_tensor *const[]){__VA_ARGS__ __VA_OPT__(, ) CT_LIST_END}, -1})

/* ---- a tensor or any C number as a ct_value ---- */

static inline ct_value ct_value_same(ct_value v)
{
    return v;
}

static inline ct_value ct_value_null(void *nothing)
{
    (void)nothing;
    return ct_value_tensor(NULL);
}

static inline ct_value ct_value_complex(_Complex double c)
{
    return ct_value_complex_of(__real__ c, __imag__ c);
}

static inline ct_value ct_value_text(char *text)
{
    return ct_value_str(text);
}

/* Never defined: the compiler names it when an argument is neither a tensor nor a number. */
struct ct_a_tensor_or_a_number {
    char none;
};
ct_value ct_expected_a_tensor_or_a_number(struct ct_a_tensor_or_a_number);

#define CT_V(x) CT_V_(CT_ID(ct_v), x)
#define CT_V_(v, x)                                                                                 \
    (__extension__({                                                                                \
        __auto_type v = (x);                                                                        \
        _Generic(v, ct_tensor *: ct_value_tensor, void *: ct_value_null, ct_value: ct_value_same, \
            char *: ct_value_text, const char *: ct_value_str, bool: ct_value_bool,               \
            char: ct_value_int, signed char: ct_value_int, unsigned char: ct_value_int,           \
            short: ct_value_int, unsigned short: ct_value_int, int: ct_value_int,                 \
            unsigned: ct_value_int, long: ct_value_int, unsigned long: ct_value_uint,             \
            long long: ct_value_int, unsigned long long: ct_value_uint, float: ct_value_float,    \
            double: ct_value_float, _Complex float: ct_value_complex,                             \
            _Complex double: ct_value_complex,                                                    \
            default: ct_expected_a_tensor_or_a_number)(v); \
    }))

/* ---- for each of up to 16 arguments ---- */

#define CT_COUNT(...)                                                                              \
    CT_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CT_COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, n, ...) n
#define CT_EACH(M, s, ...) __VA_OPT__(CT_CAT(CT_EACH_, CT_COUNT(__VA_ARGS__))(M, s, __VA_ARGS__))
#define CT_EACH_1(M, s, a) M(s, a)
#define CT_EACH_2(M, s, a, b) M(s, a) M(s, b)
#define CT_EACH_3(M, s, a, b, c) M(s, a) M(s, b) M(s, c)
#define CT_EACH_4(M, s, a, b, c, d) M(s, a) M(s, b) M(s, c) M(s, d)
#define CT_EACH_5(M, s, a, b, c, d, e) CT_EACH_4(M, s, a, b, c, d) M(s, e)
#define CT_EACH_6(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_2(M, s, __VA_ARGS__)
#define CT_EACH_7(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_3(M, s, __VA_ARGS__)
#define CT_EACH_8(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_4(M, s, __VA_ARGS__)
#define CT_EACH_9(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_5(M, s, __VA_ARGS__)
#define CT_EACH_10(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_6(M, s, __VA_ARGS__)
#define CT_EACH_11(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_7(M, s, __VA_ARGS__)
#define CT_EACH_12(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_8(M, s, __VA_ARGS__)
#define CT_EACH_13(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_9(M, s, __VA_ARGS__)
#define CT_EACH_14(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_10(M, s, __VA_ARGS__)
#define CT_EACH_15(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_11(M, s, __VA_ARGS__)
#define CT_EACH_16(M, s, a, b, c, d, ...) CT_EACH_4(M, s, a, b, c, d) CT_EACH_12(M, s, __VA_ARGS__)

/* ---- keywords: assignments to a struct that holds the defaults ---- */

/* Note [Wrong calls]: a compiler's own message about a misplaced argument ("expected ';' before
 * numeric constant") does not explain what to write, so a static assertion with a hint checks each
 * argument first. A keyword is recognised by the dot that its stringized form begins with. Because
 * of that string, the value of a keyword appears twice in preprocessed code, so only calls nested
 * in keywords grow. */
#define CT_HINT_KEYWORD                                                                            \
    "expected a keyword such as .dim = CT_DIMS(0) here: optional arguments are written "           \
    ".name = value, and a list is one argument, CT_SHAPE(2, 3) or CT_LIST(x, y)"
#define CT_HINT_INTS                                                                               \
    "expected a list of integers here: sizes are written CT_SHAPE(2, 3), dims CT_DIMS(0, 1)"
#define CT_HINT_LIST "expected a list of tensors here: it is written CT_LIST(x, y)"
#define CT_HINT_TENSOR "expected a ct_tensor * here"
#define CT_HINT_TOO_MANY                                                                           \
    "too many arguments: a list is one argument, CT_SHAPE(2, 3), CT_DIMS(0, 1) or CT_LIST(x, y)"

#define CT_KW(k, x)                                                                                \
    _Static_assert(sizeof(#x) == 1 || __builtin_memcmp(#x, ".", 1) == 0, CT_HINT_KEYWORD);         \
    k x;

/* An argument of a call, evaluated once into a variable called name. V: a tensor or a number, T: a
 * tensor, I: a list of integers, L: a list of tensors, A: anything else. */
#define CT_ARG_V(name, p) ct_value name = CT_V(p);
#define CT_ARG_A(name, p) __auto_type name = (p);
#define CT_ARG_T(name, p)                                                                          \
    __auto_type CT_CAT(name, _t) = (p);                                                            \
    _Static_assert(_Generic(CT_CAT(name, _t), ct_tensor * : 1, void * : 1, default : 0),           \
                   CT_HINT_TENSOR);                                                                \
    ct_tensor *name = _Generic(CT_CAT(name, _t), ct_tensor *: CT_CAT(name, _t),                      \
        void *: CT_CAT(name, _t), default: (void *)0);
#define CT_ARG_I(name, p)                                                                          \
    __auto_type CT_CAT(name, _t) = (p);                                                            \
    _Static_assert(_Generic(CT_CAT(name, _t), ct_ints : 1, default : 0), CT_HINT_INTS);            \
    ct_ints name = _Generic(CT_CAT(name, _t), ct_ints : CT_CAT(name, _t), default : CT_NO_DIMS);
#define CT_ARG_L(name, p)                                                                          \
    __auto_type CT_CAT(name, _t) = (p);                                                            \
    _Static_assert(_Generic(CT_CAT(name, _t), ct_list : 1, default : 0), CT_HINT_LIST);            \
    ct_list name = _Generic(CT_CAT(name, _t), ct_list : CT_CAT(name, _t), default : CT_NO_LIST);

/* ---- the source location of a failed call, see ct_error_location ---- */

/* Whether a call with a result of this type failed. Numbers have no value that means failure. */

static inline bool ct_is_null(const void *result)
{
    return !*(void *const *)result; /* a tensor, a list, or a struct that begins with one */
}

static inline bool ct_is_false(const void *result)
{
    return !*(const bool *)result;
}

static inline bool ct_is_number(const void *result)
{
    (void)result;
    return false;
}

/* The last line of a statement expression: makes the call, records the source location if it
 * failed, and yields its result. */
#define CT_LOCATED(r, name, call)                                                                  \
    __auto_type r = (call);                                                                        \
    if (__builtin_expect(_Generic((r), bool                                                        \
                                  : ct_is_false, int                                               \
                                  : ct_is_number, int64_t                                          \
                                  : ct_is_number, double                                           \
                                  : ct_is_number, default                                          \
                                  : ct_is_null)(&r),                                               \
                         0))                                                                       \
        ct_error_at(__FILE__, __LINE__, name);                                                     \
    r;

/* ---- indexing ---- */

/* ct_at(x, i, j) is x[i, j]; ct_at(x, "1:, ?", i) is x[1:, i], where each ? stands for the next
 * argument, an integer or a tensor. ct_set(x, 2, 0.5) is x[2] = 0.5: the last argument is the
 * value; it returns x. ct_item_at(x, i, j) is the value of one element as a double, NaN on error.
 */

#define ct_at(...) CT_INDEXED(CT_ID(ct_k), ct_at, __VA_ARGS__)
#define ct_set(...) CT_INDEXED(CT_ID(ct_k), ct_set, __VA_ARGS__)
#define ct_item_at(...) CT_INDEXED(CT_ID(ct_k), ct_item_at, __VA_ARGS__)
#define CT_INDEX_ITEM(s, x) CT_V(x),
#define CT_INDEXED(k, fn, x, ...)                                                                  \
    (__extension__({                                                                               \
        ct_tensor *CT_CAT(k, _0) = (x);                                                            \
        const ct_value k[] = {CT_EACH(CT_INDEX_ITEM, , __VA_ARGS__) ct_value_end()};               \
        CT_LOCATED(CT_CAT(k, _r), #fn, fn##_ex(CT_CAT(k, _0), k))                                  \
    }))

/* ---- data ---- */

/* The data type for a C type: CT_FLOAT32 for float. */
#define CT_DTYPE_OF(type)                                                                          \
    _Generic((type *)0, bool *: CT_BOOL, uint8_t *: CT_UINT8, int8_t *: CT_INT8,                 \
        int16_t *: CT_INT16, int32_t *: CT_INT32, int64_t *: CT_INT64, long long *: CT_INT64,    \
        uint16_t *: CT_UINT16, uint32_t *: CT_UINT32, uint64_t *: CT_UINT64,                     \
        unsigned long long *: CT_UINT64, float *: CT_FLOAT32, double *: CT_FLOAT64,              \
        _Complex float *: CT_COMPLEX64, _Complex double *: CT_COMPLEX128)

/* ct_tensor_of(float, CT_SHAPE(2, -1), 1, 2, 3, 4): a new tensor with these values. One size may be
 * -1; it is inferred from the number of values. */
#define ct_tensor_of(...) CT_TENSOR_OF(CT_ID(ct_k), __VA_ARGS__)
#define CT_TENSOR_OF(k, type, shape, ...)                                                          \
    (__extension__({                                                                               \
        ct_ints CT_CAT(k, _0) = shape;                                                             \
        /* The values may have other numeric types. */                                             \
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"")          \
            _Pragma("GCC diagnostic ignored \"-Wfloat-conversion\"")                               \
                const type k[] = {__VA_ARGS__};                                                    \
        _Pragma("GCC diagnostic pop")                                                              \
            CT_LOCATED(CT_CAT(k, _r), "ct_tensor_of",                                              \
                       ct_tensor_copy(CT_DTYPE_OF(type), CT_CAT(k, _0), k,                         \
                                      (int64_t)(sizeof k / sizeof(type))))                         \
    }))
/* float *p = CT_DATA(float, x): as ct_data_as; NULL and an error if x has another data type. */
#define CT_DATA(type, x) ((type *)ct_data_as(x, CT_DTYPE_OF(type)))

/* A loop over all elements of x in row-major order, whatever its strides:
 * float *p; CT_FOR (p, x) *p *= 2; The type of p must be that of the elements. */
#define CT_FOR(p, x) CT_FOR_(CT_ID(ct_w), p, x)
#define CT_FOR_(w, p, x)                                                                           \
    for (struct ct_walk w = ct_walk_of(x, CT_DTYPE_OF(__typeof__(*(p)))); ((p) = w.at) != NULL;    \
         ct_walk_next(&w))

/* ct_to_array(x, double, array, 6): copies all elements of x, in row-major order, into an array of
 * n elements of that C type, with a cast if necessary. False and an error: x does not have n
 * elements. */
#define ct_to_array(x, type, array, n) ct_to_array_ex(x, CT_DTYPE_OF(type), array, n)

/* ct_from_data(p, CT_SHAPE(2, 3), .deleter = free): a tensor over memory of the caller, without a
 * copy. The keywords are those of struct ct_from_data_args below. */
#define ct_from_data(...) CT_FROM_DATA(CT_ID(ct_k), __VA_ARGS__)
#define CT_FROM_DATA(k, p, shape, ...)                                                             \
    (__extension__({                                                                               \
        __auto_type CT_CAT(k, _0) = (p);                                                           \
        ct_ints CT_CAT(k, _1) = shape;                                                             \
        struct ct_from_data_args k = ct_from_data_defaults;                                        \
        CT_EACH(CT_KW, k __VA_OPT__(, ) __VA_ARGS__)                                               \
        k.read_only |= CT_IS_CONST(CT_CAT(k, _0));                                                 \
        CT_LOCATED(CT_CAT(k, _r), "ct_from_data",                                                  \
                   ct_from_data_ex((void *)(uintptr_t)CT_CAT(k, _0), CT_DTYPE_AT(CT_CAT(k, _0)),   \
                                   CT_CAT(k, _1), &k))                                             \
    }))
/* The data type of the elements that a pointer points to (CT_NO_DTYPE for void *), and whether they
 * are const. */
#define CT_DTYPE_AT(p)                                                                             \
    _Generic((p), void *: CT_NO_DTYPE, const void *: CT_NO_DTYPE,                                  \
        bool *: CT_BOOL, const bool *: CT_BOOL,                                                    \
        uint8_t *: CT_UINT8, const uint8_t *: CT_UINT8,                                            \
        int8_t *: CT_INT8, const int8_t *: CT_INT8,                                                \
        int16_t *: CT_INT16, const int16_t *: CT_INT16,                                            \
        int32_t *: CT_INT32, const int32_t *: CT_INT32,                                            \
        int64_t *: CT_INT64, const int64_t *: CT_INT64,                                            \
        long long *: CT_INT64, const long long *: CT_INT64,                                        \
        uint16_t *: CT_UINT16, const uint16_t *: CT_UINT16,                                        \
        uint32_t *: CT_UINT32, const uint32_t *: CT_UINT32,                                        \
        uint64_t *: CT_UINT64, const uint64_t *: CT_UINT64,                                        \
        unsigned long long *: CT_UINT64, const unsigned long long *: CT_UINT64,                    \
        float *: CT_FLOAT32, const float *: CT_FLOAT32,                                            \
        double *: CT_FLOAT64, const double *: CT_FLOAT64,                                          \
        _Complex float *: CT_COMPLEX64, const _Complex float *: CT_COMPLEX64,                      \
        _Complex double *: CT_COMPLEX128, const _Complex double *: CT_COMPLEX128)
#define CT_IS_CONST(p)                                                                             \
    _Generic((p), const void *: true,                                                              \
        const bool *: true, const uint8_t *: true, const int8_t *: true, const int16_t *: true,    \
        const int32_t *: true, const int64_t *: true, const long long *: true,                     \
        const uint16_t *: true, const uint32_t *: true, const uint64_t *: true,                    \
        const unsigned long long *: true, const float *: true, const double *: true,               \
        const _Complex float *: true, const _Complex double *: true, default: false)

/* ct_print(x), ct_fprint(file, x): prints a tensor, a list, a storage, or the struct of an
 * operation with several results, as Python does. */
#define ct_print(...) CT_FPRINT(CT_ID(ct_k), NULL, __VA_ARGS__)
#define ct_fprint(...) CT_FPRINT(CT_ID(ct_k), __VA_ARGS__)
#define CT_PRINTED(x)                                                                              \
    _Generic((x), ct_tensor *                                                                      \
             : CT_PRINTED_TENSOR, ct_storage *                                                     \
             : CT_PRINTED_STORAGE, ct_list                                                         \
             : CT_PRINTED_LIST, default                                                            \
             : CT_PRINTED_RESULTS)
#define CT_A_STRUCT 12 /* what __builtin_classify_type returns for a struct */
#define CT_FPRINT(k, file, x)                                                                      \
    (__extension__({                                                                               \
        FILE *CT_CAT(k, _0) = (file);                                                              \
        __auto_type k = (x);                                                                       \
        _Static_assert(CT_PRINTED(k) != CT_PRINTED_RESULTS ||                                      \
                           __builtin_classify_type(k) == CT_A_STRUCT,                              \
                       "ct_print takes a tensor, a list, a storage or an operation's results");    \
        ct_fprint_any(CT_CAT(k, _0), CT_PRINTED(k), &k, sizeof k);                                 \
    }))
/* ct_result_type(x, 2.5): the data type of an operation on two tensors or numbers. */
#define ct_result_type(...) CT_RESULT_TYPE(CT_ID(ct_k), __VA_ARGS__)
#define CT_RESULT_TYPE(k, a, b)                                                                    \
    (__extension__({                                                                               \
        CT_ARG_V(CT_CAT(k, _0), a)                                                                 \
        CT_ARG_V(CT_CAT(k, _1), b)                                                                 \
        ct_result_type_ex(CT_CAT(k, _0), CT_CAT(k, _1));                                           \
    }))

/* ---- statements that act until the end of the block ---- */

/* CT_SCOPE; opens a scope, CT_NO_GRAD; stops recording for autograd, CT_ENABLE_GRAD; starts it. */
#define CT_WITH(type, close, open)                                                                 \
    __attribute__((cleanup(close), unused)) type CT_ID(ct_with) = open
#define ct_scope_begin() ct_scope_begin_at(__FILE__, __LINE__)
#define CT_SCOPE CT_WITH(ct_scope, ct_scope_close, ct_scope_begin())
#define CT_NO_GRAD CT_WITH(bool, ct_grad_mode_restore, ct_set_grad_enabled(false))
#define CT_ENABLE_GRAD CT_WITH(bool, ct_grad_mode_restore, ct_set_grad_enabled(true))

#endif /* C */

/* The default keyword arguments of an operation, for calls of the function under the macro:
 * struct ct_sum_args a = CT_ARGS(ct_sum); a.keepdim = true; ct_sum_ex(x, &a); */
#define CT_ARGS(fn) fn##_defaults

struct ct_from_data_args {
    size_t struct_size;
    ct_ints stride; /* in elements; absent: contiguous */
    /* Called with context when the last tensor on the memory is released, and if the call fails. */
    void (*deleter)(void *context);
    void *context;
    enum ct_dtype dtype; /* required for void *; otherwise the type of the pointer decides */
    int64_t count;  /* elements in the memory; -1: unknown. A size of -1 is inferred from it. */
    bool read_only; /* in-place operations fail; always so for a pointer to const */
};
#define ct_from_data_defaults                                                                      \
    {                                                                                              \
        .struct_size = sizeof(struct ct_from_data_args), .stride = CT_NO_DIMS, .deleter = NULL,    \
        .context = NULL, .dtype = CT_NO_DTYPE, .count = -1, .read_only = false                     \
    }

#ifdef __cplusplus
/* Lists of constants, for the default arguments in ops.h. */
template <int64_t... values> struct ct_constant_ints {
    static constexpr int64_t list[] = {values..., CT_END};
};
#define CT_INTS(...) (ct_ints{ct_constant_ints<__VA_ARGS__>::list, -1})
#define CT_DIMS(...) CT_INTS(__VA_ARGS__)
extern "C" {
#endif

/* ct_tensordot(a, b, .dims = 1): sums the products over the last `dims` dims of a and the first
 * ones of b. ct_tensordot_dims takes lists of dims. */
struct ct_tensordot_args {
    size_t struct_size;
    int64_t dims;
};
#define ct_tensordot_defaults                                                                      \
    {                                                                                              \
        .struct_size = sizeof(struct ct_tensordot_args), .dims = 2                                 \
    }
CT_API ct_tensor *ct_tensordot_ex(ct_tensor *input, ct_tensor *other,
                                  const struct ct_tensordot_args *args);
#ifndef __cplusplus
#define ct_tensordot(...) CT_CALL_AA_K(CT_ID(ct_k), ct_tensordot, __VA_ARGS__)
#endif

/* The functions under the macros above. `index` ends with ct_value_end(); for ct_set_ex, the value
 * to store comes just before it. args NULL: the defaults. */
CT_API ct_tensor *ct_from_data_ex(void *data, enum ct_dtype dtype, ct_ints shape,
                                  const struct ct_from_data_args *args);
CT_API ct_tensor *ct_at_ex(ct_tensor *x, const ct_value *index);
CT_API ct_tensor *ct_set_ex(ct_tensor *x, const ct_value *index_and_value);
CT_API double ct_item_at_ex(ct_tensor *x, const ct_value *index);
CT_API bool ct_to_array_ex(ct_tensor *x, enum ct_dtype dtype, void *array, int64_t n);
/* A new tensor with a copy of `count` values, in the scope. One size may be -1. */
CT_API ct_tensor *ct_tensor_copy(enum ct_dtype dtype, ct_ints shape, const void *values,
                                 int64_t count);
CT_API enum ct_dtype ct_result_type_ex(ct_value a, ct_value b);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
