/* SPDX-License-Identifier: BSD-3-Clause */
/* Internals of src/core: tensors, storages, memory, data types, devices and shapes. Covers
 * reference counts, versions, the allocator across threads and forks, promotion, layouts and
 * failing allocations. Expected values from PyTorch are recorded literals. */
#include "../check.h"
#include "core/alloc.h"
#include "core/attend.h"
#include "core/backend.h"
#include "core/class_loss.h"
#include "core/coalesce.h"
#include "core/conv.h"
#include "core/ctc.h"
#include "core/dtype.h"
#include "core/factor.h"
#include "core/gemm.h"
#include "core/half.h"
#include "core/norm.h"
#include "core/parallel.h"
#include "core/random.h"
#include "core/recur.h"
#include "core/sample.h"
#include "core/settings.h"
#include "core/shape.h"
#include "core/sparse.h"
#include "core/value.h"
#include "core/window.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct ct_device cpu = {CT_CPU, -1};

#define DIMS(...)                                                                                  \
    (int)(sizeof((int64_t[]){__VA_ARGS__}) / 8), (const int64_t[])                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define ELEMENTS(...) ((const int64_t[]){__VA_ARGS__})

static ct_tensor *filled(int ndim, const int64_t *shape, enum ct_dtype dtype)
{
    ct_tensor *t = cti_empty(ndim, shape, dtype, cpu);
    for (int64_t i = 0; i < t->numel; i++)
        cti_value_store(cti_data(t) + i * cti_itemsize(dtype), dtype, ct_value_int(i));
    return t;
}

static void test_references(void)
{
    ct_tensor *t = filled(DIMS(2, 3), CT_FLOAT32);
    CHECK(t->refs == 1 && t->storage->refs == 1 && t->numel == 6 && t->stride[0] == 3);
    CHECK((uintptr_t)cti_data(t) % 64 == 0);
    ct_tensor *v = cti_view(t, DIMS(3), ELEMENTS(1), 3);
    ct_tensor *w = cti_view(v, DIMS(2), ELEMENTS(2), 3);
    CHECK(v->base == t && w->base == t && t->refs == 3 && t->storage->refs == 3);
    CHECK(ct_item(w) != ct_item(w)); /* two elements: NaN */
    CHECK_ERROR("RuntimeError", "a Tensor with 2 elements cannot be converted to Scalar");
    ct_release(t);
    CHECK(t->refs == 2);
    ct_release(v);
    CHECK(((float *)cti_data(w))[2] == 5);
    ct_release(w);
    CHECK(ct_retain(NULL) == NULL && ct_retain(CT_NO_TENSOR) == CT_NO_TENSOR);
    ct_release(NULL);
    ct_release(CT_NO_TENSOR);
}

static void test_versions(void)
{
    ct_tensor *t = filled(DIMS(4), CT_INT64);
    ct_tensor *view = cti_view(t, DIMS(2), ELEMENTS(2), 1), *detached = cti_alias(t);
    CHECK(ct_version(t) == 0 && detached->base == NULL);
    cti_version_bump(view);
    CHECK(ct_version(t) == 1 && ct_version(view) == 1 && ct_version(detached) == 1);
    ct_tensor *data = cti_alias(t); /* .data */
    cti_version_renew(data);
    cti_version_bump(t);
    CHECK(ct_version(data) == 0 && ct_version(t) == 2);
    cti_version_bump(data);
    CHECK(ct_version(data) == 1 && ct_version(t) == 2);
    ct_tensor *other = filled(DIMS(2, 2), CT_FLOAT64);
    CHECK(cti_tensor_become(t, other)); /* t.data = other: keeps t's version counter */
    CHECK(ct_version(t) == 2 && t->dtype == CT_FLOAT64 && t->storage == other->storage);
    cti_version_bump(t);
    CHECK(ct_version(t) == 3 && ct_version(view) == 2 && ct_version(other) == 0);
    ct_tensor *second = ct_own_from_storage(ct_storage_of(other), CT_FLOAT64,
                                            ct_ints_of(ELEMENTS(4), 1), CT_NO_DIMS, 0);
    cti_version_bump(second);
    CHECK(ct_version(second) == 1 && ct_version(other) == 0);
    CHECK(cti_version_share(second, data) && ct_version(second) == 1);
    CHECK(cti_version_share(data, view) && ct_version(data) == 2);
    ct_release(t);
    ct_release(view);
    ct_release(detached);
    ct_release(data);
    ct_release(second);
    ct_release(other);
}

static void test_geometry(void)
{
    ct_tensor *t = filled(DIMS(2, 3), CT_INT32);
    CHECK(ct_is_contiguous(t));
    CHECK(cti_tensor_set_geometry(t, 2, ELEMENTS(3, 2), ELEMENTS(1, 3), 0) && !ct_is_contiguous(t));
    CHECK(cti_tensor_set_geometry(t, 2, t->shape, t->stride, 0));
    CHECK(cti_tensor_set_geometry(t, DIMS(1, 1, 1, 1, 2, 1, 3), ELEMENTS(6, 6, 6, 6, 3, 3, 1), 0));
    CHECK(t->ndim == 7 && t->numel == 6 && ct_is_contiguous(t) && t->shape[6] == 3);
    ct_release(t);
    int64_t ones[CTI_MAX_DIMS + 1];
    for (int d = 0; d <= CTI_MAX_DIMS; d++)
        ones[d] = 1;
    t = cti_empty(CTI_MAX_DIMS, ones, CT_BOOL, cpu);
    CHECK(t && t->numel == 1 && t->stride[0] == 1);
    ct_release(t);
    CHECK(!cti_empty(CTI_MAX_DIMS + 1, ones, CT_BOOL, cpu));
    CHECK_ERROR("RuntimeError", "a tensor has at most 64 dimensions, not 65");
    t = cti_empty(DIMS(3, 0, 2), CT_BOOL, cpu);
    CHECK(t->numel == 0 && ct_is_contiguous(t) && t->stride[0] == 2 && t->stride[1] == 2);
    ct_release(t);
}

static void test_bad_sizes(void)
{
    int64_t huge = (int64_t)1 << 40;
    CHECK(!cti_empty(DIMS(2, -1), CT_FLOAT32, cpu));
    CHECK_ERROR("RuntimeError", "Trying to create tensor with negative dimension -1: [2, -1]");
    CHECK(!cti_empty(DIMS(huge, huge), CT_FLOAT32, cpu));
    CHECK_ERROR("RuntimeError", "Storage size calculation overflowed with sizes=[1099511627776, "
                                "1099511627776]");
    CHECK(!cti_empty(DIMS((int64_t)1 << 62), CT_FLOAT32, cpu));
    CHECK_ERROR("RuntimeError",
                "Storage size calculation overflowed with sizes=[4611686018427387904]");
    CHECK(!cti_empty(DIMS(1000000000000000), CT_FLOAT32, cpu));
    CHECK(ct_error_kind() == CT_ERR_OUT_OF_MEMORY);
    CHECK_ERROR("RuntimeError",
                "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate "
                "memory: you tried to allocate 4000000000000000 bytes. Error code 12 (Cannot "
                "allocate memory)");
    CHECK(!cti_empty_strided(DIMS(2, 3), ELEMENTS(-1, 1), CT_FLOAT32, cpu));
    CHECK_ERROR("RuntimeError",
                "Storage size calculation overflowed with sizes=[2, 3] and strides=[-1, 1]");
    ct_storage *s = ct_storage_create(12, CT_NO_DEVICE);
    CHECK(!ct_own_from_storage(s, CT_FLOAT32, ct_ints_of(ELEMENTS(10), 1), CT_NO_DIMS, 0));
    CHECK_ERROR("RuntimeError",
                "setStorage: sizes [10], strides [1], storage offset 0, and itemsize 4 requiring a "
                "storage size of 40 are out of bounds for storage of size 12");
    ct_storage_release(s);
}

static void test_storages(void)
{
    ct_tensor *t = filled(DIMS(3), CT_FLOAT32);
    ct_storage *s = ct_storage_of(t);
    CHECK(ct_storage_size(s) == 3 && ct_storage_get(s, 2) == 2 && ct_storage_get(s, -3) == 0);
    CHECK(ct_storage_set(s, 0, 7) && *(float *)ct_data_as(t, CT_FLOAT32) == 7);
    CHECK(isnan(ct_storage_get(s, 7)));
    CHECK_ERROR("IndexError", "index 7 out of range for storage of size 3");
    CHECK(!ct_data_as(t, CT_FLOAT64));
    CHECK_ERROR("TypeError", "data: expected a tensor of torch.float64, got torch.float32");
    for (int64_t n = 16; n <= (int64_t)1 << 22; n *= 4) {
        CHECK(ct_storage_resize(s, n) && ct_storage_nbytes(s) == n && ct_storage_get(s, 1) == 1);
        memset((char *)ct_storage_data(s) + 12, 1, (size_t)n - 12);
    }
    CHECK(ct_storage_resize(s, 4) && ct_storage_size(s) == 1);
    ct_release(t);
}

static int freed;

static void count_freed(void *context)
{
    freed += *(int *)context;
}

static void test_borrowed(void)
{
    static double data[6] = {0, 1, 2, 3, 4, 5};
    int one = 1;
    freed = 0;
    ct_tensor *t = ct_own_from_memory(data + 5, CT_FLOAT64, ct_ints_of(ELEMENTS(3), 1),
                                      ct_ints_of(ELEMENTS(-2), 1), count_freed, &one);
    CHECK(ct_data(t) == data + 5 && t->offset == 4 && t->storage->nbytes == 40);
    ct_tensor *v = cti_view(t, 0, NULL, NULL, 0);
    CHECK(ct_item(v) == 1);
    CHECK(!ct_storage_resize(ct_storage_of(t), 100));
    CHECK_ERROR("RuntimeError", "Trying to resize storage that is not resizable");
    ct_release(t);
    CHECK(freed == 0);
    ct_release(v);
    CHECK(freed == 1);
    CHECK(!ct_own_from_memory(data, CT_FLOAT64, ct_ints_of(ELEMENTS(-3), 1), CT_NO_DIMS,
                              count_freed, &one));
    CHECK(freed == 2);
    ct_clear_error();
}

static void test_block_cache(void)
{
    ct_empty_cache();
    int64_t live = cti_block_stats().live;
    struct cti_block *a = cti_block_new(5 << 20);
    void *address = a->address;
    CHECK((uintptr_t)address % (2 << 20) == 0 && a->size >= 5 << 20 && a->size <= 6 << 20);
    cti_block_free(a);
    a = cti_block_new((5 << 20) - 100);
    CHECK(a->address == address);
    cti_block_free(a);
    CHECK(cti_block_stats().live == live && cti_block_stats().cached > 0);
    struct cti_block *many[100];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++)
            many[i] = cti_block_new(5000 + 9000 * i);
        for (int i = 0; i < 100; i++)
            cti_block_free(many[(i * 37) % 100]);
    }
    struct cti_block_stats now = cti_block_stats();
    int64_t limit = 2 * now.peak;
    CHECK(now.live + now.cached <= (limit > 64 << 20 ? limit : 64 << 20));
    ct_empty_cache();
    CHECK(cti_block_stats().cached == 0 && cti_block_stats().live == live);
}

/* One thread makes tensors that the other releases, and both use their own tensors. */
struct hand_over {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    ct_tensor *tensor;
    bool done;
};

static void *release_other(void *argument)
{
    struct hand_over *h = argument;
    for (;;) {
        pthread_mutex_lock(&h->lock);
        while (!h->tensor && !h->done)
            pthread_cond_wait(&h->moved, &h->lock);
        ct_tensor *t = h->tensor;
        h->tensor = NULL;
        bool done = h->done;
        pthread_cond_signal(&h->moved);
        pthread_mutex_unlock(&h->lock);
        if (t) {
            ct_tensor *own = filled(DIMS(3, 5), CT_INT16);
            ct_release(cti_view(t, DIMS(2), ELEMENTS(1), 0));
            ct_release(t);
            ct_release(own);
        } else if (done) {
            return NULL;
        }
    }
}

static void test_threads(void)
{
    struct hand_over h = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, false};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, release_other, &h) == 0);
    for (int i = 0; i < 2000; i++) {
        ct_tensor *t = filled(DIMS(i % 7 + 2, 1 + (i % 5) * (i % 3) * 100), CT_FLOAT32);
        pthread_mutex_lock(&h.lock);
        while (h.tensor)
            pthread_cond_wait(&h.moved, &h.lock);
        h.tensor = t;
        h.done = i == 1999;
        pthread_cond_signal(&h.moved);
        pthread_mutex_unlock(&h.lock);
    }
    pthread_join(thread, NULL);
    CHECK(h.tensor == NULL);
}

static void test_fork(void)
{
    ct_tensor *t = filled(DIMS(100000), CT_FLOAT32);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        ct_tensor *other = filled(DIMS(200000), CT_FLOAT32);
        bool ok = other && ((float *)cti_data(t))[99999] == 99999;
        ct_release(other);
        ct_release(t);
        _exit(ok ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    ct_release(t);
}

/* One letter per type in the order of the enum, without float8. The table is PyTorch's; for pairs
 * on which PyTorch raises (uint16, uint32 and uint64 with other integers) it is NumPy's. */
static const char letters[] = "buihlqUVWHBfdFDE";
static const char *const promotion[] = {
    "buihlqUVWHBfdFDE", "uuhhlqUVWHBfdFDE", "ihihlqlqdHBfdFDE", "hhhhlqlqdHBfdFDE",
    "lllllqlqdHBfdFDE", "qqqqqqqqdHBfdFDE", "UUlllqUVWHBfdFDE", "VVqqqqVVWHBfdFDE",
    "WWddddWWWHBfdFDE", "HHHHHHHHHHffdFDE", "BBBBBBBBBfBfdFDF", "ffffffffffffdFDF",
    "dddddddddddddDDD", "FFFFFFFFFFFFDFDF", "DDDDDDDDDDDDDDDD", "EEEEEEEEEEFFDFDE"};
static const char *const casts[] = {
    "1111111111111111", "0111111111111111", "0111111111111111", "0111111111111111",
    "0111111111111111", "0111111111111111", "0111111111111111", "0111111111111111",
    "0111111111111111", "0000000001111111", "0000000001111111", "0000000001111111",
    "0000000001111111", "0000000000000111", "0000000000000111", "0000000000000111"};

#define FLOAT8_TYPES (CT_FLOAT8_E8M0FNU - CT_FLOAT8_E4M3FN + 1)

static enum ct_dtype type_at(int i)
{
    return (enum ct_dtype)(i < CT_FLOAT8_E4M3FN ? i : i + FLOAT8_TYPES);
}

static int place_of(enum ct_dtype dtype)
{
    return dtype < CT_FLOAT8_E4M3FN ? (int)dtype : (int)dtype - FLOAT8_TYPES;
}

static void test_float8(void)
{
    for (enum ct_dtype d = CT_FLOAT8_E4M3FN; d <= CT_FLOAT8_E8M0FNU; d++) {
        CHECK(ct_dtype_size(d) == 1 && ct_dtype_is_floating(d) && ct_promote_types(d, d) == d);
        for (int code = 0; code < 256; code++) {
            float x = ct_float8_value((uint8_t)code, d);
            CHECK(isnan(x) || ct_float8_code(x, d) == code);
        }
        CHECK(ct_promote_types(d, CT_FLOAT32) == CT_NO_DTYPE);
        ct_clear_error();
        CHECK(ct_can_cast(d, CT_FLOAT32) && ct_can_cast(CT_INT64, d) && !ct_can_cast(d, CT_INT64));
    }
    CHECK(ct_float8_value(0x7e, CT_FLOAT8_E4M3FN) == 448 &&
          ct_float8_code(1e9f, CT_FLOAT8_E4M3FN) == 0x7e);
    CHECK(ct_float8_code(61440, CT_FLOAT8_E5M2) == 0x7c &&
          ct_float8_code(248, CT_FLOAT8_E4M3FNUZ) == 0x80);
    CHECK(ct_float8_code(-0.0f, CT_FLOAT8_E5M2FNUZ) == 0 &&
          ct_float8_code(-1.5f, CT_FLOAT8_E8M0FNU) == 128);
    CHECK(ct_float8_value(1, CT_FLOAT32) == 0);
    CHECK_ERROR("TypeError", "ct_float8_value: the type is not one of the float8 types");
    CHECK(!ct_set_default_dtype(CT_FLOAT8_E5M2));
    CHECK_ERROR("TypeError", "couldn't find storage object Float8_e5m2Storage");
}

static void test_dtypes(void)
{
    int n = CT_DTYPE_COUNT - FLOAT8_TYPES;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            enum ct_dtype both = ct_promote_types(type_at(a), type_at(b));
            CHECK(letters[place_of(both)] == promotion[a][b]);
            CHECK(ct_can_cast(type_at(a), type_at(b)) == (casts[a][b] == '1'));
        }
    CHECK_TEXT(ct_dtype_str(CT_BFLOAT16), "torch.bfloat16");
    CHECK_TEXT(cti_dtype_name(CT_UINT16), "uint16");
    CHECK_TEXT(cti_dtype_scalar_name(CT_INT64), "Long");
    CHECK_TEXT(cti_dtype_old_name(CT_INT64), "torch.LongTensor");
    CHECK_TEXT(cti_dtype_old_name(CT_BOOL), "CPUBoolType");
    CHECK_TEXT(ct_dtype_scalar_name(CT_COMPLEX64), "ComplexFloat");
    CHECK_TEXT(ct_dtype_cpp_name(CT_UINT8), "unsigned char");
    CHECK_TEXT(ct_dtype_scalar_name(CT_NO_DTYPE), "None");
    CHECK(ct_dtype_size(CT_COMPLEX128) == 16 && ct_dtype_size(CT_COMPLEX32) == 4 &&
          ct_dtype_size(CT_NO_DTYPE) == -1);
    CHECK(!ct_set_default_dtype(CT_INT32) && ct_get_default_dtype() == CT_FLOAT32);
    CHECK_ERROR("TypeError", "only floating-point types are supported as the default type");
}

/* Two tensors of shape [2, 1, 3, 4]: one contiguous, one with the last two dims transposed. */
static void test_coalesce(void)
{
    int64_t size[] = {2, 1, 3, 4}, plain[] = {12, 12, 4, 1}, transposed[] = {12, 99, 1, 3};
    int64_t *stride[] = {plain, transposed};
    struct cti_dims dims = {
        .n = 4, .inner_last = true, .tensors = 1, .size = size, .stride = stride};
    CHECK(cti_coalesce(&dims) == 1 && size[0] == 24 && plain[0] == 1);

    memcpy(size, ELEMENTS(2, 1, 3, 4), sizeof size);
    memcpy(plain, ELEMENTS(12, 12, 4, 1), sizeof plain);
    dims.n = 4, dims.tensors = 2;
    CHECK(cti_coalesce(&dims) == 3 && size[0] == 2 && size[1] == 3 && transposed[1] == 1);

    /* Order by the strides of the transposed tensor, whose dims then merge. */
    dims.order = CTI_DIMS_FIRST, dims.tensors = 1;
    stride[0] = transposed;
    CHECK(cti_coalesce(&dims) == 1 && size[0] == 24 && transposed[0] == 1);

    /* A broadcast dim (stride 0) does not decide the order; the second tensor's strides do. */
    int64_t first[] = {0, 8}, second[] = {40, 8};
    stride[0] = first, stride[1] = second;
    memcpy(size, ELEMENTS(5, 3), 2 * sizeof *size);
    dims = (struct cti_dims){
        .n = 2, .order = CTI_DIMS_EACH, .tensors = 2, .size = size, .stride = stride};
    CHECK(cti_coalesce(&dims) == 2 && size[0] == 3 && first[1] == 0 && second[1] == 40);

    int64_t one = 1;
    dims = (struct cti_dims){.n = 1, .tensors = 1, .size = &one, .stride = stride};
    CHECK(cti_coalesce(&dims) == 0);
    dims.n = 1, dims.keep_one = true;
    CHECK(cti_coalesce(&dims) == 1 && one == 1 && first[0] == 0);
}

static void test_values(void)
{
    CHECK(cti_half_to_float(0x3c01) == 1.0009765625f && cti_half_to_float(0x0001) == 0x1p-24f);
    CHECK(cti_float_to_half(65519.0f) == 0x7bff && cti_float_to_half(65520.0f) == 0x7c00);
    CHECK(cti_float_to_half(0x1p-25f) == 0 && cti_float_to_half(0x1.8p-24f) == 2);
    CHECK(cti_float_to_bfloat(1.00390625f) == 0x3f80 && cti_float_to_bfloat(NAN) == 0x7fc0);
    for (uint32_t h = 0; h < 0x10000; h++) {
        float x = cti_half_to_float((uint16_t)h), y = cti_bfloat_to_float((uint16_t)h);
        CHECK(isnan(x) || cti_float_to_half(x) == h);
        CHECK(isnan(y) || cti_float_to_bfloat(y) == h);
    }
    for (enum ct_dtype d = CT_BOOL; d < CT_DTYPE_COUNT; d++) {
        ct_tensor *t = cti_wrap_number(ct_value_int(1), d);
        CHECK(ct_item(t) == 1 && ct_item_i64(t) == 1 && t->flags & CTI_WRAPPED_NUMBER);
        t->flags |= CTI_NEG;
        /* Negating 1 wraps around in unsigned types: 255 for uint8. */
        bool wraps = d == CT_UINT8 || (d >= CT_UINT16 && d <= CT_UINT64);
        double most = wraps ? ldexp(1, 8 * (int)cti_itemsize(d)) - 1 : -1;
        CHECK(d == CT_BOOL || ct_item(t) == most);
        ct_release(t);
    }
    ct_tensor *t = cti_wrap_number(ct_value_float(0x1.8p63), CT_UINT64);
    CHECK(ct_item(t) == 0x1.8p63);
    CHECK(ct_item_value(t).kind == CT_VALUE_UINT && ct_item_value(t).as.u == UINT64_C(3) << 62);
    CHECK(ct_item_i64(t) == -1);
    CHECK_ERROR("RuntimeError", "value cannot be converted to type int64_t without overflow");
    ct_release(t);
    CHECK(ct_is_no_number(CT_NO_NUMBER) && !ct_is_no_number(NAN));
}

static void test_devices(void)
{
    struct ct_device d = ct_device("cuda:12");
    CHECK(d.type == CT_CUDA && d.index == 12 && ct_device("cpu").index == -1);
    static const char *const wrong[][2] = {
        {"", "Device string must not be empty"},
        {"cuda:", "Invalid device string: 'cuda:'"},
        {"cuda:01", "Invalid device string: 'cuda:01'"},
        {" cpu", "Invalid device string: ' cpu'"},
        {"cuda:99999999999",
         "Could not parse device index '99999999999' in device string 'cuda:99999999999'"},
        {"gpu", "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, "
                "fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at "
                "start of device string: gpu"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(ct_device(wrong[i][0]).type == CT_BAD_DEVICE);
        CHECK_ERROR("RuntimeError", wrong[i][1]);
    }
    ct_tensor *t = cti_empty(DIMS(1000000, 1000000), CT_FLOAT32, ct_device("meta"));
    CHECK(t && ct_numel(t) == 1000000000000);
    ct_release(t);
}

static void test_shapes(void)
{
    int ndim = 2, dim;
    int64_t shape[CTI_MAX_DIMS] = {3, 1};
    CHECK(cti_shape_broadcast(&ndim, shape, DIMS(4, 1, 5)));
    CHECK(ndim == 3 && shape[0] == 4 && shape[1] == 3 && shape[2] == 5);
    CHECK(!cti_shape_broadcast(&ndim, shape, DIMS(2, 5)));
    CHECK_ERROR("RuntimeError", "The size of tensor a (3) must match the size of tensor b (2) at "
                                "non-singleton dimension 1");
    CHECK(cti_shape_wrap_dim(-1, 3, &dim) && dim == 2 && cti_shape_wrap_dim(-1, 0, &dim));
    CHECK(!cti_shape_wrap_dim(2, 2, &dim));
    CHECK_ERROR("IndexError",
                "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
    ct_tensor *t = cti_wrap_number(ct_value_int(1), CT_INT64);
    CHECK(ct_size(t, 1) == -1);
    CHECK_ERROR("IndexError", "Dimension specified as 1 but tensor has no dimensions");
    ct_release(t);
}

static bool strides_are(const int64_t *got, int n, const int64_t *want)
{
    return memcmp(got, want, (size_t)n * sizeof *got) == 0;
}

static void test_layouts(void)
{
    int64_t stride[CTI_MAX_DIMS];
    CHECK(cti_shape_format_strides(CT_CHANNELS_LAST, DIMS(2, 3, 4, 5), stride));
    CHECK(strides_are(stride, 4, ELEMENTS(60, 1, 15, 3)));
    CHECK(!cti_shape_format_strides(CT_CHANNELS_LAST, DIMS(2, 3), stride));
    CHECK_ERROR("RuntimeError", "required rank 4 tensor to use channels_last format");
    ct_tensor *last = cti_empty_strided(DIMS(2, 3, 4, 5), ELEMENTS(60, 1, 15, 3), CT_FLOAT32, cpu);
    ct_tensor *plain = cti_empty(DIMS(2, 3, 4, 5), CT_FLOAT32, cpu);
    ct_tensor *row = cti_empty(DIMS(5), CT_FLOAT32, cpu);
    CHECK(ct_is_contiguous_as(last, CT_CHANNELS_LAST) && !ct_is_contiguous(last));
    cti_shape_result_strides(2, (ct_tensor *[]){last, row}, DIMS(2, 3, 4, 5), stride);
    CHECK(strides_are(stride, 4, last->stride));
    cti_shape_result_strides(2, (ct_tensor *[]){row, last}, DIMS(2, 3, 4, 5), stride);
    CHECK(strides_are(stride, 4, last->stride));
    cti_shape_result_strides(2, (ct_tensor *[]){plain, last}, DIMS(2, 3, 4, 5), stride);
    CHECK(strides_are(stride, 4, plain->stride));
    ct_tensor *same = cti_empty_like(last, CT_INT64, CT_PRESERVE_FORMAT);
    CHECK(strides_are(same->stride, 4, last->stride) && same->dtype == CT_INT64);
    ct_tensor *expanded = cti_view(row, DIMS(3, 5), ELEMENTS(0, 1), 0);
    CHECK(!cti_shape_check_writable(expanded));
    CHECK_ERROR("RuntimeError",
                "unsupported operation: more than one element of the written-to tensor refers to a "
                "single memory location. Please clone() the tensor before performing the "
                "operation.");
    ct_tensor *left = cti_view(row, DIMS(4), ELEMENTS(1), 0),
              *right = cti_view(row, DIMS(4), ELEMENTS(1), 1);
    CHECK(cti_shape_check_overlap(left, left, true) && !cti_shape_check_overlap(left, right, true));
    CHECK_ERROR(
        "RuntimeError",
        "unsupported operation: some elements of the input tensor and the written-to tensor "
        "refer to a single memory location. Please clone() the tensor before performing "
        "the operation.");
    CHECK(!cti_shape_may_overlap(plain, last) && cti_shape_may_overlap(left, row));
    ct_tensor *all[] = {last, plain, row, same, expanded, left, right};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        ct_release(all[i]);
}

/* Runs all functions that allocate, with the 1st, 2nd, 3rd... allocation failing. */
static bool work(void)
{
    bool ok = false;
    ct_tensor *t = cti_empty(DIMS(2, 3), CT_FLOAT32, cpu), *many = NULL, *view = NULL, *big = NULL;
    ct_tensor *copy = NULL, *strided = NULL;
    char *text = NULL;
    if (!t)
        return false;
    memset(cti_data(t), 0, 24);
    cti_version_renew(t);
    if (!(view = cti_view(t, DIMS(3), ELEMENTS(1), 3)) || !(text = ct_own_repr(t)))
        goto out;
    if (!(many = cti_empty(DIMS(1, 1, 1, 1, 1, 1, 1), CT_FLOAT32, cpu)) ||
        !(big = cti_empty(DIMS(100000), CT_FLOAT32, cpu)) ||
        !(strided = cti_empty_strided(DIMS(2, 2), ELEMENTS(1, 2), CT_FLOAT32, cpu)))
        goto out;
    if (!(copy = cti_alias(big)) || !cti_tensor_become(copy, many) || !cti_version_bump(copy) ||
        !ct_storage_resize(ct_storage_of(t), 100000))
        goto out;
    ok = true;
out:
    free(text);
    ct_release(t);
    ct_release(many);
    ct_release(view);
    ct_release(big);
    ct_release(copy);
    ct_release(strided);
    return ok;
}

static void test_failing_allocations(void)
{
    int64_t live = cti_block_stats().live, n = 0;
    bool ok;
    do {
        ct_test_fail_alloc(++n);
        ok = work();
        CHECK(ok ? ct_error() == NULL : ct_error_kind() == CT_ERR_OUT_OF_MEMORY);
        CHECK(cti_block_stats().live == live);
        ct_clear_error();
    } while (!ok && n < 1000);
    CHECK(ok && n > 10);
    ct_test_fail_alloc(0);
}

/* Every device type has an entry for every engine, and the tensor counts match the structs: the
 * tensor members end before the next member begins. */
static void test_backends(void)
{
    const enum ct_device_type all[] = {CT_CPU, CT_CUDA, CT_META, CTI_SPARSE_DEVICE};
    for (size_t b = 0; b < sizeof all / sizeof *all; b++)
        for (int e = 0; e < CTI_ENGINE_COUNT; e++)
            CHECK(cti_backends[all[b]]->run[e] != NULL);
    for (int e = 0; e < CTI_ENGINE_COUNT; e++) {
        const struct cti_engine_facts *f = &cti_engine_facts[e];
        CHECK(f->nwritten <= f->ntensors && (f->ntensors > 0) == !(f->traits & CTI_IN_MEMORY));
    }
#define ENDS(name, last) offsetof(struct cti_##name, last) + sizeof(ct_tensor *)
#define CHECK_TENSORS(name, last)                                                                  \
    CHECK(sizeof(struct cti_work) +                                                                \
              cti_engine_facts[CTI_ENGINE_##name].ntensors * sizeof(ct_tensor *) ==                \
          ENDS(name, last))
    CHECK_TENSORS(reduce, in);
    CHECK_TENSORS(copy, src);
    CHECK_TENSORS(join, dst);
    CHECK_TENSORS(fill, dst);
    CHECK_TENSORS(ramp, dst);
    CHECK_TENSORS(scan, in);
    CHECK_TENSORS(softmax, grad);
    CHECK_TENSORS(norm, grad);
    CHECK_TENSORS(attend, of.mask);
    CHECK_TENSORS(ctc, of.grad_loss);
    CHECK_TENSORS(recur, of.grad_output);
    CHECK_TENSORS(window, in);
    CHECK_TENSORS(sample, along);
    CHECK_TENSORS(index_check, index);
    CHECK_TENSORS(gather, index);
    CHECK_TENSORS(scatter, src);
    CHECK_TENSORS(scatter_lines, src);
    CHECK_TENSORS(class_loss, grad);
    CHECK_TENSORS(index_select, index);
    CHECK_TENSORS(bag_sum, ends);
    CHECK_TENSORS(index_get, in);
    CHECK_TENSORS(index_put, value);
    CHECK_TENSORS(count_nonzero, mask);
    CHECK_TENSORS(masked_select, mask);
    CHECK_TENSORS(masked_put, src);
    CHECK_TENSORS(nonzero, in);
    CHECK_TENSORS(sort, in);
    CHECK_TENSORS(topk, in);
    CHECK_TENSORS(search, sorter);
    CHECK_TENSORS(sort_rows, rows);
    CHECK_TENSORS(kthvalue, in);
    CHECK_TENSORS(distance, b);
    CHECK_TENSORS(fft, in);
    CHECK_TENSORS(gemm, of.bias);
    CHECK_TENSORS(conv, bias);
    CHECK_TENSORS(factor, of.info);
    CHECK_TENSORS(random, q);
}

static void modes_of_pieces(void *context, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        ((unsigned *)context)[i] = cti_float_mode();
}

static void test_settings(void)
{
    struct ct_device device = ct_get_default_device();
    CHECK(device.type == CT_CPU && device.index == -1);
    CHECK(!ct_set_default_device(ct_device("nowhere")));
    ct_clear_error();
    CHECK(ct_set_default_device(ct_device("meta")) && ct_get_default_device().type == CT_META);
    CHECK(ct_set_default_device(CT_NO_DEVICE) && ct_get_default_device().type == CT_CPU);
    if (ct_set_flush_denormal(true)) {
        unsigned modes[64] = {0};
        volatile double tiny = 0x1p-1040, one = 1;
        CHECK(tiny * one == 0);
        cti_parallel_for(64, 1, modes_of_pieces, modes);
        for (int i = 0; i < 64; i++)
            CHECK((modes[i] & CTI_FLUSH_BITS) == CTI_FLUSH_BITS);
        ct_set_flush_denormal(false);
        cti_parallel_for(64, 1, modes_of_pieces, modes);
        for (int i = 0; i < 64; i++)
            CHECK((modes[i] & CTI_FLUSH_BITS) == 0);
        CHECK(tiny * one != 0);
    }
    CHECK(!ct_set_num_interop_threads(0) && ct_error_kind() == CT_ERR_RUNTIME);
    ct_clear_error();
    CHECK(ct_get_num_interop_threads() >= 1 && ct_set_num_interop_threads(3));
    CHECK(ct_get_num_interop_threads() == 3 && !ct_set_num_interop_threads(4));
    ct_clear_error();
}

int main(void)
{
    test_references();
    test_versions();
    test_geometry();
    test_bad_sizes();
    test_storages();
    test_borrowed();
    test_block_cache();
    test_threads();
    test_fork();
    test_dtypes();
    test_float8();
    test_coalesce();
    test_values();
    test_devices();
    test_shapes();
    test_layouts();
    test_failing_allocations();
    test_backends();
    test_settings();
    CHECK(ct_error() == NULL);
    return failures != 0;
}
