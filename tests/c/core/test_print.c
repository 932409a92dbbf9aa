/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares printed text with PyTorch 2.15's (recorded literals): modes, widths, line breaks,
 * summaries, suffixes, storages, Python's repr of numbers. */
#include "../check.h"
#include "core/tensor.h"
#include "core/text.h"
#include "core/value.h"

#include <math.h>
#include <stdlib.h>

static const struct ct_device cpu = {CT_CPU, -1};

struct sample {
    const char *want;
    enum ct_dtype dtype;
    int ndim;
    int64_t shape[3];
    double v[10];
};

static const struct sample samples[] = {
    {"tensor([1., 2., 3.])", CT_FLOAT32, 1, {3}, {1, 2, 3}},
    {"tensor([1.5000, 2.2500])", CT_FLOAT32, 1, {2}, {1.5, 2.25}},
    {"tensor([1.0000e-05, 1.0000e+00])", CT_FLOAT32, 1, {2}, {1e-5, 1}},
    {"tensor([1.0000e+09, 1.5000e+00], dtype=torch.float64)", CT_FLOAT64, 1, {2}, {1e9, 1.5}},
    {"tensor([0., nan, inf, -inf, 1.])", CT_FLOAT32, 1, {5}, {0, -NAN, INFINITY, -INFINITY, 1}},
    {"tensor([0., -0.])", CT_FLOAT32, 1, {2}, {0.0, -0.0}},
    {"tensor(nan)", CT_FLOAT32, 0, {0}, {NAN}},
    {"tensor(3.1416)", CT_FLOAT32, 0, {0}, {3.14159274}},
    {"tensor([  1,  -2, 300])", CT_INT64, 1, {3}, {1, -2, 300}},
    {"tensor([  1,  -2, 300], dtype=torch.int16)", CT_INT16, 1, {3}, {1, -2, 300}},
    {"tensor([ True, False])", CT_BOOL, 1, {2}, {1, 0}},
    {"tensor([[0, 1, 2],\n        [3, 4, 5]], dtype=torch.int32)",
     CT_INT32,
     2,
     {2, 3},
     {0, 1, 2, 3, 4, 5}},
    {"tensor([[[0., 1.],\n         [2., 3.]],\n\n        [[4., 5.],\n         [6., 7.]]], "
     "dtype=torch.float16)",
     CT_FLOAT16,
     3,
     {2, 2, 2},
     {0, 1, 2, 3, 4, 5, 6, 7}},
    {"tensor([])", CT_FLOAT32, 1, {0}, {0}},
    {"tensor([], size=(2, 0))", CT_FLOAT32, 2, {2, 0}, {0}},
    {"tensor([], dtype=torch.int64)", CT_INT64, 1, {0}, {0}},
    {"tensor([], size=(0, 3), dtype=torch.bool)", CT_BOOL, 2, {0, 3}, {0}},
    {"tensor([1.0010e-01, 1.0000e+03], dtype=torch.bfloat16)", CT_BFLOAT16, 1, {2}, {0.1, 1000.5}},
    {"tensor([1.2346e+08, 1.0000e+00])", CT_FLOAT32, 1, {2}, {123456789, 1}},
    {"tensor([6.5504e+04, 5.0000e-01], dtype=torch.float16)", CT_FLOAT16, 1, {2}, {65504, 0.5}},
    {"tensor([255,   0], dtype=torch.uint8)", CT_UINT8, 1, {2}, {255, 0}},
};

static ct_tensor *make(enum ct_dtype dtype, int ndim, const int64_t *shape)
{
    return cti_empty(ndim, shape, dtype, cpu);
}

static void put(ct_tensor *t, int64_t i, ct_value v)
{
    enum ct_dtype dtype = (enum ct_dtype)t->dtype;
    cti_value_store(cti_data(t) + i * cti_itemsize(dtype), dtype, v);
}

static void check_repr(ct_tensor *t, const char *want)
{
    char *got = ct_own_repr(t);
    CHECK_TEXT(got, want);
    free(got);
}

static ct_tensor *range(int64_t n, double factor, enum ct_dtype dtype, int ndim,
                        const int64_t *shape)
{
    ct_tensor *t = make(dtype, ndim, shape);
    for (int64_t i = 0; i < n; i++)
        put(t, i, ct_value_float((double)i * factor));
    return t;
}

static void test_samples(void)
{
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        ct_tensor *t = make(samples[s].dtype, samples[s].ndim, samples[s].shape);
        for (int64_t i = 0; i < t->numel; i++)
            put(t, i, ct_value_float(samples[s].v[i]));
        check_repr(t, samples[s].want);
        ct_release(t);
    }
}

static void test_long(void)
{
    ct_tensor *t = range(40, 1, CT_FLOAT32, 1, (int64_t[]){40});
    check_repr(t, "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,\n"
                  "        14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27.,\n"
                  "        28., 29., 30., 31., 32., 33., 34., 35., 36., 37., 38., 39.])");
    ct_release(t);
    t = range(1001, 1, CT_INT64, 1, (int64_t[]){1001});
    check_repr(t, "tensor([   0,    1,    2,  ...,  998,  999, 1000])");
    ct_release(t);
    t = range(2400, 1, CT_FLOAT32, 2, (int64_t[]){40, 60});
    check_repr(t, "tensor([[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 5.7000e+01, 5.8000e+01,\n"
                  "         5.9000e+01],\n"
                  "        [6.0000e+01, 6.1000e+01, 6.2000e+01,  ..., 1.1700e+02, 1.1800e+02,\n"
                  "         1.1900e+02],\n"
                  "        [1.2000e+02, 1.2100e+02, 1.2200e+02,  ..., 1.7700e+02, 1.7800e+02,\n"
                  "         1.7900e+02],\n"
                  "        ...,\n"
                  "        [2.2200e+03, 2.2210e+03, 2.2220e+03,  ..., 2.2770e+03, 2.2780e+03,\n"
                  "         2.2790e+03],\n"
                  "        [2.2800e+03, 2.2810e+03, 2.2820e+03,  ..., 2.3370e+03, 2.3380e+03,\n"
                  "         2.3390e+03],\n"
                  "        [2.3400e+03, 2.3410e+03, 2.3420e+03,  ..., 2.3970e+03, 2.3980e+03,\n"
                  "         2.3990e+03]])");
    ct_release(t);
    struct ct_print_options old = ct_get_print_options();
    ct_set_print_options((struct ct_print_options){2, 5, 1, 30, -1});
    t = range(12, 1 / 7.0, CT_FLOAT32, 2, (int64_t[]){3, 4});
    check_repr(t, "tensor([[0.00,  ..., 0.43],\n        ...,\n        [1.14,  ..., 1.57]])");
    ct_set_print_options(old);
    ct_release(t);
}

static const char *tail_name(const ct_tensor *t)
{
    return t->ndim == 2 ? "AddBackward0" : NULL;
}

static void test_suffixes(void)
{
    ct_tensor *t = range(6, 1, CT_FLOAT32, 2, (int64_t[]){2, 3});
    t->flags |= CTI_REQUIRES_GRAD;
    check_repr(t, "tensor([[0., 1., 2.],\n        [3., 4., 5.]], requires_grad=True)");
    cti_core_hooks.grad_fn_name = tail_name;
    check_repr(t, "tensor([[0., 1., 2.],\n        [3., 4., 5.]], grad_fn=<AddBackward0>)");
    CHECK_TEXT(ct_grad_fn_str(t), "AddBackward0");
    CHECK_TEXT(ct_shape_str(t), "torch.Size([2, 3])");
    CHECK_TEXT(ct_stride_str(t), "(3, 1)");
    ct_release(t);
    t = range(12, 1.5, CT_FLOAT64, 1, (int64_t[]){12});
    t->flags |= CTI_REQUIRES_GRAD;
    check_repr(t, "tensor([ 0.0000,  1.5000,  3.0000,  4.5000,  6.0000,  7.5000,  9.0000, "
                  "10.5000,\n        12.0000, 13.5000, 15.0000, 16.5000], dtype=torch.float64,\n"
                  "       requires_grad=True)");
    CHECK_TEXT(ct_stride_str(t), "(1,)");
    CHECK_TEXT(ct_grad_fn_str(t), "None");
    cti_core_hooks.grad_fn_name = NULL;
    ct_release(t);
    t = cti_empty(2, (int64_t[]){2, 3}, CT_INT32, (struct ct_device){CT_META, -1});
    check_repr(t, "tensor(..., device='meta', size=(2, 3), dtype=torch.int32)");
    ct_release(t);
}

static void test_complex(void)
{
    ct_tensor *t = make(CT_COMPLEX64, 1, (int64_t[]){3});
    put(t, 0, ct_value_complex_of(1, 2));
    put(t, 1, ct_value_complex_of(-0.5, -1e-3));
    put(t, 2, ct_value_complex_of(0, 3));
    check_repr(t, "tensor([ 1.0000+2.0000e+00j, -0.5000-1.0000e-03j,  0.0000+3.0000e+00j])");
    t->flags |= CTI_CONJ;
    check_repr(t, "tensor([ 1.0000-2.0000e+00j, -0.5000+1.0000e-03j,  0.0000-3.0000e+00j])");
    t->flags ^= CTI_CONJ;
    ct_tensor *first = cti_view(t, 0, NULL, NULL, 0), *second = cti_view(t, 0, NULL, NULL, 1);
    check_repr(first, "tensor(1.+2.j)");
    CHECK_TEXT(ct_item_str(second), "(-0.5-0.0010000000474974513j)");
    ct_release(first);
    ct_release(second);
    ct_release(t);
}

static void test_numbers(void)
{
    static const struct {
        double x;
        const char *want;
    } facts[] = {{0.1, "0.1"},
                 {1e16, "1e+16"},
                 {123456789012345.0, "123456789012345.0"},
                 {1e-5, "1e-05"},
                 {0.0001, "0.0001"},
                 {5e-324, "5e-324"},
                 {0x1p-44, "5.684341886080802e-14"},
                 {0x1p-1017, "7.120236347223045e-307"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"},
                 {-0.0, "-0.0"},
                 {1e22, "1e+22"},
                 {3, "3.0"},
                 {9007199254740993.0, "9007199254740992.0"},
                 {-INFINITY, "-inf"},
                 {-NAN, "nan"}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        struct cti_text text = {0};
        cti_text_number(&text, ct_value_float(facts[i].x));
        CHECK_TEXT(text.v, facts[i].want);
        cti_text_free(&text);
    }
    ct_tensor *t = cti_wrap_number(ct_value_int(-1), CT_UINT64);
    CHECK_TEXT(ct_item_str(t), "18446744073709551615");
    ct_release(t);
}

static void test_storages(void)
{
    ct_tensor *t = range(3, 0.5, CT_FLOAT32, 1, (int64_t[]){3});
    ct_tensor *last = cti_view(t, 1, (int64_t[]){1}, (int64_t[]){1}, 2);
    char *text = ct_own_storage_repr(ct_storage_of(last), CT_FLOAT32);
    CHECK_TEXT(text, " 0.0\n 0.5\n 1.0\n"
                     "[torch.storage.TypedStorage(dtype=torch.float32, device=cpu) of size 3]");
    free(text);
    ct_storage *s = ct_storage_create(2, CT_NO_DEVICE);
    memset(ct_storage_data(s), 7, 2);
    text = ct_own_storage_repr(s, CT_NO_DTYPE);
    CHECK_TEXT(text, " 7\n 7\n[torch.storage.UntypedStorage(device=cpu) of size 2]");
    free(text);
    ct_storage_release(s);
    ct_release(t);
    ct_release(last);
}

/* tests/python/tools/test_explain.py checks the drawing itself. */
static void test_explain(void)
{
    ct_tensor *t = range(3, 1, CT_INT32, 1, (int64_t[]){3});
    ct_scope scope = ct_scope_begin();
    CHECK_TEXT(ct_explain(t), "shape (3,), stride (1,), offset 0: element [i] is in cell i\n"
                              "storage: 3 cells of torch.int32, 12 bytes; held by 1\n\n"
                              "     0     1     2\n"
                              "  +-----+-----+-----+\n"
                              "  |  0  |  1  |  2  |\n"
                              "  +-----+-----+-----+\n"
                              "    [0]   [1]   [2]\n\n"
                              "contiguous: the cells follow each other as the indices do; view() "
                              "can give it any other shape");
    ct_scope_end(scope);
    CHECK(ct_explain(NULL) == NULL);
    char *text = NULL;
    for (int64_t n = 1; !text && n < 100; n++) { /* with the n-th allocation failing */
        ct_test_fail_alloc(n);
        text = ct_own_explain(t, n & 1);
        ct_test_fail_alloc(0);
        CHECK(!text == !!ct_error());
        ct_clear_error();
    }
    CHECK(text != NULL);
    free(text);
    ct_release(t);
}

int main(void)
{
    test_samples();
    test_long();
    test_suffixes();
    test_complex();
    test_numbers();
    test_storages();
    test_explain();
    CHECK(ct_error() == NULL);
    return failures != 0;
}
