/* SPDX-License-Identifier: BSD-3-Clause */
/* Data types: names, sizes, categories, and PyTorch's promotion of two types. The promotion of
 * numbers and 0-d tensors is built on this in src/ops. */
#include "core/dtype.h"
#include "core/error.h"
#include "core/tensor.h"

struct fact {
    const char *torch_name; /* with the prefix "torch.", which cti_dtype_name skips */
    const char *scalar_name;
    const char *old_name;
    const char *cpp_name;
    enum cti_category category;
    bool is_signed;
};

/* PyTorch's errors call the type of a bool tensor "CPUBoolType". For the types of its first
 * versions they use the name of the Python class instead, "torch.LongTensor". */
#define OLD(name) name, "torch." name "Tensor"
#define NEW(name) name, "CPU" name "Type"

static const struct fact fact[CT_DTYPE_COUNT] = {
    [CT_BOOL] = {"torch.bool", NEW("Bool"), "bool", CTI_KIND_BOOL, false},
    [CT_UINT8] = {"torch.uint8", OLD("Byte"), "unsigned char", CTI_KIND_INT, false},
    [CT_INT8] = {"torch.int8", OLD("Char"), "signed char", CTI_KIND_INT, true},
    [CT_INT16] = {"torch.int16", OLD("Short"), "short int", CTI_KIND_INT, true},
    [CT_INT32] = {"torch.int32", OLD("Int"), "int", CTI_KIND_INT, true},
    [CT_INT64] = {"torch.int64", OLD("Long"), "long int", CTI_KIND_INT, true},
    [CT_UINT16] = {"torch.uint16", NEW("UInt16"), "short unsigned int", CTI_KIND_INT, false},
    [CT_UINT32] = {"torch.uint32", NEW("UInt32"), "unsigned int", CTI_KIND_INT, false},
    [CT_UINT64] = {"torch.uint64", NEW("UInt64"), "long unsigned int", CTI_KIND_INT, false},
    [CT_FLOAT8_E4M3FN] = {"torch.float8_e4m3fn", NEW("Float8_e4m3fn"), "c10::Float8_e4m3fn",
                          CTI_KIND_FLOAT, true},
    [CT_FLOAT8_E5M2] = {"torch.float8_e5m2", NEW("Float8_e5m2"), "c10::Float8_e5m2", CTI_KIND_FLOAT,
                        true},
    [CT_FLOAT8_E4M3FNUZ] = {"torch.float8_e4m3fnuz", NEW("Float8_e4m3fnuz"), "c10::Float8_e4m3fnuz",
                            CTI_KIND_FLOAT, true},
    [CT_FLOAT8_E5M2FNUZ] = {"torch.float8_e5m2fnuz", NEW("Float8_e5m2fnuz"), "c10::Float8_e5m2fnuz",
                            CTI_KIND_FLOAT, true},
    [CT_FLOAT8_E8M0FNU] = {"torch.float8_e8m0fnu", NEW("Float8_e8m0fnu"), "c10::Float8_e8m0fnu",
                           CTI_KIND_FLOAT, false},
    [CT_FLOAT16] = {"torch.float16", OLD("Half"), "c10::Half", CTI_KIND_FLOAT, true},
    [CT_BFLOAT16] = {"torch.bfloat16", NEW("BFloat16"), "c10::BFloat16", CTI_KIND_FLOAT, true},
    [CT_FLOAT32] = {"torch.float32", OLD("Float"), "float", CTI_KIND_FLOAT, true},
    [CT_FLOAT64] = {"torch.float64", OLD("Double"), "double", CTI_KIND_FLOAT, true},
    [CT_COMPLEX64] = {"torch.complex64", NEW("ComplexFloat"), "c10::complex<float>",
                      CTI_KIND_COMPLEX, true},
    [CT_COMPLEX128] = {"torch.complex128", NEW("ComplexDouble"), "c10::complex<double>",
                       CTI_KIND_COMPLEX, true},
    [CT_COMPLEX32] = {"torch.complex32", NEW("ComplexHalf"), "c10::complex<c10::Half>",
                      CTI_KIND_COMPLEX, true},
};

/* Returns whether the value is a data type. CT_NO_DTYPE gives false; a value outside the enum also
 * sets an error. */
static bool known(enum ct_dtype dtype)
{
    if (__builtin_expect((unsigned)dtype < CT_DTYPE_COUNT, 1))
        return true;
    return (int)dtype != CT_NO_DTYPE && cti_refuse(CT_ERR_TYPE, "%d is no data type", (int)dtype);
}

const char *ct_dtype_str(enum ct_dtype dtype)
{
    return known(dtype) ? fact[dtype].torch_name : "None";
}

const char *cti_dtype_name(enum ct_dtype dtype)
{
    return fact[dtype].torch_name + sizeof "torch." - 1;
}

const char *cti_dtype_scalar_name(enum ct_dtype dtype)
{
    return fact[dtype].scalar_name;
}

const char *cti_dtype_old_name(enum ct_dtype dtype)
{
    return fact[dtype].old_name;
}

const char *cti_dtype_cpp_name(enum ct_dtype dtype)
{
    return fact[dtype].cpp_name;
}

const char *ct_dtype_scalar_name(enum ct_dtype dtype)
{
    return known(dtype) ? fact[dtype].scalar_name : "None";
}

const char *ct_dtype_cpp_name(enum ct_dtype dtype)
{
    return known(dtype) ? fact[dtype].cpp_name : "None";
}

enum cti_category cti_dtype_category(enum ct_dtype dtype)
{
    return fact[dtype].category;
}

int64_t ct_dtype_size(enum ct_dtype dtype)
{
    return known(dtype) ? cti_itemsize(dtype) : -1;
}

bool ct_dtype_is_floating(enum ct_dtype dtype)
{
    return known(dtype) && fact[dtype].category == CTI_KIND_FLOAT;
}

bool ct_dtype_is_complex(enum ct_dtype dtype)
{
    return known(dtype) && fact[dtype].category == CTI_KIND_COMPLEX;
}

bool ct_dtype_is_signed(enum ct_dtype dtype)
{
    return known(dtype) && fact[dtype].is_signed;
}

enum ct_dtype cti_dtype_to_real(enum ct_dtype dtype)
{
    return dtype == CT_COMPLEX64    ? CT_FLOAT32
           : dtype == CT_COMPLEX128 ? CT_FLOAT64
           : dtype == CT_COMPLEX32  ? CT_FLOAT16
                                    : dtype;
}

enum ct_dtype cti_dtype_to_complex(enum ct_dtype dtype)
{
    return dtype == CT_FLOAT64 || dtype == CT_COMPLEX128  ? CT_COMPLEX128
           : dtype == CT_FLOAT16 || dtype == CT_COMPLEX32 ? CT_COMPLEX32
                                                          : CT_COMPLEX64;
}

static enum ct_dtype signed_of_size(int64_t size)
{
    switch (size) {
    case 2:
        return CT_INT16;
    case 4:
        return CT_INT32;
    case 8:
        return CT_INT64;
    }
    /* No integer type holds both uint64 and negative numbers. Float64 is NumPy's answer; PyTorch
     * raises an error. */
    return CT_FLOAT64;
}

static enum ct_dtype promote_ints(enum ct_dtype a, enum ct_dtype b)
{
    int64_t sa = cti_itemsize(a), sb = cti_itemsize(b);
    if (fact[a].is_signed == fact[b].is_signed)
        return sa >= sb ? a : b;
    enum ct_dtype s = fact[a].is_signed ? a : b, u = fact[a].is_signed ? b : a;
    return cti_itemsize(s) > cti_itemsize(u) ? s : signed_of_size(2 * cti_itemsize(u));
}

enum ct_dtype ct_promote_types(enum ct_dtype a, enum ct_dtype b)
{
    if (!known(a) || !known(b))
        return CT_NO_DTYPE;
    if (a == b)
        return a;
    if (cti_is_float8(a) || cti_is_float8(b)) {
        ct_fail(CT_ERR_RUNTIME,
                "Promotion for Float8 Types is not supported, attempted to promote %s and %s",
                fact[a].scalar_name, fact[b].scalar_name);
        return CT_NO_DTYPE;
    }
    enum cti_category ca = fact[a].category, cb = fact[b].category;
    if (ca == CTI_KIND_COMPLEX || cb == CTI_KIND_COMPLEX) {
        enum ct_dtype other = ca == CTI_KIND_COMPLEX ? b : a, own = ca == CTI_KIND_COMPLEX ? a : b;
        if (fact[other].category < CTI_KIND_FLOAT)
            return own;
        bool wide = own == CT_COMPLEX128 || other == CT_COMPLEX128 || other == CT_FLOAT64;
        bool half = own == CT_COMPLEX32 && other == CT_FLOAT16;
        return wide ? CT_COMPLEX128 : half ? CT_COMPLEX32 : CT_COMPLEX64;
    }
    if (ca != cb && (ca == CTI_KIND_FLOAT || cb == CTI_KIND_FLOAT || ca == CTI_KIND_BOOL ||
                     cb == CTI_KIND_BOOL))
        return ca > cb ? a : b;
    if (ca == CTI_KIND_INT)
        return promote_ints(a, b);
    if (cti_itemsize(a) == 2 && cti_itemsize(b) == 2)
        return CT_FLOAT32; /* float16 and bfloat16 */
    return cti_itemsize(a) > cti_itemsize(b) ? a : b;
}

bool ct_can_cast(enum ct_dtype from, enum ct_dtype to)
{
    if (!known(from) || !known(to))
        return false;
    enum cti_category cf = fact[from].category, ct = fact[to].category;
    if (cf == CTI_KIND_INT)
        return ct != CTI_KIND_BOOL;
    return cf <= ct;
}

static int default_dtype = CT_FLOAT32;

enum ct_dtype ct_get_default_dtype(void)
{
    return (enum ct_dtype)__atomic_load_n(&default_dtype, __ATOMIC_RELAXED);
}

bool ct_set_default_dtype(enum ct_dtype dtype)
{
    if (cti_is_float8(dtype))
        return ct_fail(CT_ERR_TYPE, "couldn't find storage object %sStorage",
                       fact[dtype].scalar_name);
    if (!ct_dtype_is_floating(dtype))
        return ct_fail(CT_ERR_TYPE, "only floating-point types are supported as the default type");
    __atomic_store_n(&default_dtype, (int)dtype, __ATOMIC_RELAXED);
    return true;
}
