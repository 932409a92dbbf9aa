/* SPDX-License-Identifier: BSD-3-Clause */
/* DLPack from C: export, import, and the calls of deleters; ct_set_source; and everything with the
 * first, second, third ... allocation failing. */
#include <corten.h>
#include <corten/dlpack.h>
#include <corten/own.h>

#include "../check.h"

static int64_t const two_three[] = {2, 3};

static ct_tensor *numbers(void)
{
    return ct_own_arange(ct_value_int(0), ct_value_int(6), ct_value_int(1), CT_FLOAT32,
                         CT_NO_DEVICE, false);
}

/* Reads one element without leaving a tensor in a scope. */
static double at(ct_tensor *t, const char *index)
{
    ct_scope scope = ct_scope_begin();
    double value = ct_item(ct_at(t, index));
    ct_scope_end(scope);
    return value;
}

static void test_export(void)
{
    ct_tensor *line = numbers(), *t = ct_own_view(line, ct_ints_of(two_three, 2));
    ct_tensor *turned = ct_own_t(t);
    struct ct_dl_managed *m = ct_to_dlpack(turned);
    CHECK(m && m->tensor.ndim == 2 && m->tensor.shape[0] == 3 && m->tensor.shape[1] == 2);
    CHECK(m->tensor.strides[0] == 1 && m->tensor.strides[1] == 3);
    CHECK(m->tensor.device.type == CT_DL_CPU && m->tensor.byte_offset == 0);
    CHECK(m->tensor.dtype.code == CT_DL_FLOAT && m->tensor.dtype.bits == 32);
    CHECK(m->tensor.dtype.lanes == 1 && m->tensor.data == ct_data(line));
    CHECK(!ct_storage_resizable(ct_storage_of(line)));
    ct_release(line);
    ct_release(t);
    ct_release(turned);
    CHECK(((float *)m->tensor.data)[5] == 5); /* the memory is still valid */
    m->deleter(m);
}

static void test_round_trip(void)
{
    ct_tensor *t = numbers();
    struct ct_dl_versioned *m = ct_to_dlpack_versioned(t);
    CHECK(m && m->version.major == CT_DL_MAJOR && m->flags == 0);
    ct_tensor *back = ct_own_from_dlpack_versioned(m);
    CHECK(back && ct_data(back) == ct_data(t) && ct_dtype(back) == CT_FLOAT32);
    ct_release(t);
    CHECK(at(back, "5") == 5);
    ct_release(back);
}

static int deleted;

static void note(struct ct_dl_managed *self)
{
    (void)self;
    deleted++;
}

static struct ct_dl_managed foreign(void *data, uint8_t code, uint8_t bits, int64_t *shape,
                                    int64_t *strides)
{
    struct ct_dl_managed m = {.deleter = note};
    m.tensor.data = data;
    m.tensor.device.type = CT_DL_CPU;
    m.tensor.ndim = 1;
    m.tensor.dtype.code = code;
    m.tensor.dtype.bits = bits;
    m.tensor.dtype.lanes = 1;
    m.tensor.shape = shape;
    m.tensor.strides = strides;
    return m;
}

static void test_import(void)
{
    double data[] = {1, 2, 3, 4};
    int64_t shape = 4, back = -1;
    struct ct_dl_managed m = foreign(data, CT_DL_FLOAT, 64, &shape, NULL);
    deleted = 0;
    ct_tensor *t = ct_own_from_dlpack(&m), *part = ct_own_narrow(t, 0, 1, 2);
    CHECK(t && ct_stride(t, 0) == 1 && ct_data(t) == data);
    ct_release(t);
    CHECK(deleted == 0);
    ct_release(part);
    CHECK(deleted == 1);
    m = foreign(data + 3, CT_DL_FLOAT, 64, &shape, &back); /* the stride is -1 */
    t = ct_own_from_dlpack(&m);
    CHECK(t && ct_stride(t, 0) == -1 && at(t, "0") == 4 && at(t, "3") == 1);
    ct_release(t);
    CHECK(deleted == 2);
    ct_scope scope = ct_scope_begin();
    m = foreign((char *)data, CT_DL_FLOAT, 64, &shape, NULL);
    m.tensor.byte_offset = 8;
    shape = 3;
    CHECK(ct_item(ct_at(ct_from_dlpack(&m), "0")) == 2);
    ct_scope_end(scope);
    CHECK(deleted == 3);
}

static void test_refusals(void)
{
    double data[4] = {0};
    int64_t shape = 4, negative = -4;
    struct ct_dl_managed m = foreign(data, CT_DL_FLOAT, 128, &shape, NULL);
    deleted = 0;
    CHECK(!ct_own_from_dlpack(&m));
    CHECK_ERROR("BufferError", "from_dlpack: no data type has code 2, 128 bits and 1 lanes");
    m = foreign(data, CT_DL_FLOAT, 64, &shape, NULL);
    m.tensor.device.type = 7;
    CHECK(!ct_own_from_dlpack(&m));
    CHECK_ERROR("BufferError", "from_dlpack: device type 7 is not supported");
    m = foreign(data, CT_DL_FLOAT, 64, &negative, NULL);
    CHECK(!ct_own_from_dlpack(&m));
    ct_clear_error();
    CHECK(deleted == 3); /* each failed import called the deleter */
    CHECK(!ct_own_from_dlpack(NULL) && !ct_to_dlpack(NULL));
    CHECK_ERROR("TypeError", "ct_own_from_dlpack(): argument 'managed' is NULL");
    ct_tensor *t = numbers(), *z = ct_own_to_dtype(t, CT_COMPLEX64), *conj = ct_own_conj(z);
    CHECK(!ct_to_dlpack(conj));
    CHECK_ERROR("BufferError", "Can't export tensors with the conjugate bit set");
    ct_release(t);
    ct_release(z);
    ct_release(conj);
}

static void test_set_source(void)
{
    ct_tensor *n = numbers(), *t = numbers();
    int64_t size[] = {2, 2}, stride[] = {1, 0}, back[] = {-2, -1}, one = 20;
    ct_storage *s = ct_storage_of(n);
    CHECK(ct_set_source(t, s, ct_ints_of(size, 2), ct_ints_of(stride, 2), 4));
    CHECK(at(t, "1, 1") == 5 && ct_version(t) == 1 && ct_version(n) == 0);
    CHECK(ct_set_source(t, s, ct_ints_of(size, 2), ct_ints_of(back, 2), 3));
    CHECK(at(t, "0, 0") == 3 && at(t, "1, 1") == 0);
    CHECK(!ct_set_source(t, s, ct_ints_of(size, 2), ct_ints_of(back, 2), 2));
    ct_clear_error();
    CHECK(at(t, "0, 0") == 3); /* t is unchanged */
    CHECK(ct_set_source(t, s, ct_ints_of(&one, 1), CT_NO_DIMS, 0));
    CHECK(ct_storage_nbytes(s) == 80 && at(n, "5") == 5);
    one = 2000;
    ct_storage_set_resizable(s, false);
    CHECK(!ct_set_source(t, s, ct_ints_of(&one, 1), CT_NO_DIMS, 0));
    CHECK_ERROR("RuntimeError", "Trying to resize storage that is not resizable");
    ct_release(n);
    ct_release(t);
}

static bool everything(void)
{
    double data[] = {1, 2, 3, 4};
    int64_t shape = 4;
    struct ct_dl_managed m = foreign(data, CT_DL_FLOAT, 64, &shape, NULL);
    ct_tensor *t = numbers(), *other = t ? numbers() : NULL;
    struct ct_dl_managed *out = ct_to_dlpack(t);
    ct_tensor *back = ct_own_from_dlpack(out), *borrowed = back ? ct_own_from_dlpack(&m) : NULL;
    int64_t n = 5000;
    bool good = borrowed && other &&
                ct_set_source(t, ct_storage_of(other), ct_ints_of(&n, 1), CT_NO_DIMS, 0);
    ct_release(t);
    ct_release(other);
    ct_release(back);
    ct_release(borrowed);
    return good;
}

static void test_without_memory(void)
{
    bool good = false;
    for (int64_t n = 1; n < 100 && !good; n++) {
        ct_empty_cache(); /* so that blocks are allocated, not reused */
        ct_test_fail_alloc(n);
        good = everything();
        ct_test_fail_alloc(0);
        CHECK(good == !ct_error());
        ct_clear_error();
    }
    CHECK(good);
}

int main(void)
{
    test_export();
    test_round_trip();
    test_import();
    test_refusals();
    test_set_source();
    test_without_memory();
    return failures != 0;
}
