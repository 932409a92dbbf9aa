/* SPDX-License-Identifier: BSD-3-Clause */
/* Mistakes of C programs: every failure sets an error and returns a false value, and the error
 * names the function, the argument and the source location. Also the debug mode, and small stacks.
 */
#include "../check.h"

#include <corten.h>
#include <math.h>
#include <pthread.h>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND 0
#define VALGRIND_GET_VBITS(memory, bits, size) 0
#endif

static void test_null(void)
{
    ct_tensor *x = ct_ones(CT_SHAPE(2, 3)), *w = ct_ones(CT_SHAPE(4, 3));
    CHECK(!ct_linear(x, w, .bias = NULL));
    CHECK_ERROR("TypeError", "ct_linear(): argument 'bias' is NULL");
    CHECK(!ct_add(x, NULL));
    CHECK_ERROR("TypeError", "ct_add(): argument 'other' is NULL");
    CHECK(!ct_sub_(w, ct_grad(w)));
    CHECK_ERROR("TypeError", "ct_sub_(): argument 'other' is NULL");
    CHECK(!ct_cat(CT_LIST(x, NULL)));
    CHECK_ERROR("TypeError", "ct_cat(): argument 'tensors' is NULL");
    CHECK(!ct_add(CT_NO_TENSOR, 1));
    CHECK_ERROR("TypeError", "ct_add(): argument 'input' must be given");
    CHECK(!ct_equal(x, NULL) && !ct_allclose(x, NULL) && !ct_is_nonzero(NULL));
    CHECK_ERROR("TypeError", "ct_equal(): argument 'other' is NULL");
    CHECK(!ct_replace(NULL, x));
    CHECK_ERROR("TypeError", "ct_replace(): the variable is NULL");
    CHECK(!ct_generator_set_state(ct_generator_default(), NULL, 5056));
    CHECK(ct_error());
    ct_clear_error();
    /* the first message stays: NULL in, NULL out */
    CHECK(!ct_add(ct_mm(x, x), 1));
    CHECK_ERROR("RuntimeError", "mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)");
}

static void test_texts_and_lists(void)
{
    ct_tensor *x = ct_ones(CT_SHAPE(2, 3));
    CHECK(!ct_einsum(NULL, CT_LIST(x)));
    CHECK_ERROR("TypeError", "ct_einsum(): argument 'equation' is NULL instead of a text");
    CHECK(!ct_zeros(ct_ints_of(NULL, 2)));
    CHECK_ERROR("TypeError",
                "ct_zeros(): argument 'size' is not a list: its address is NULL or its "
                "count is negative");
    CHECK(!ct_cat(ct_list_of(&x, -5)));
    CHECK(ct_error());
    ct_clear_error();
    CHECK(!ct_zeros(CT_SHAPE(2), .dtype = (enum ct_dtype)77));
    CHECK_ERROR("TypeError", "ct_zeros(): argument 'dtype' is not a data type");
    CHECK(!ct_clone(x, .memory_format = 55));
    CHECK_ERROR("TypeError", "ct_clone(): argument 'memory_format' is not a memory format");
    CHECK(!ct_zeros(CT_SHAPE(2), .device = (struct ct_device){.type = (enum ct_device_type)99}));
    CHECK_ERROR("TypeError", "ct_zeros(): argument 'device' is not a device");
    CHECK(!ct_zeros(CT_SHAPE(2), .device = ct_device("nothing")) && ct_error());
    ct_clear_error();
    CHECK(!ct_at(x, (const char *)NULL));
    CHECK_ERROR("TypeError", "the text of an index is NULL");
    CHECK(!ct_set(x, "0, 0", "text"));
    CHECK_ERROR("TypeError", "ct_set(): argument 'value' is a text, not a number or a tensor");
    CHECK(ct_item(ct_sum(x)) == 6);
    CHECK(!ct_list_get(ct_chunk(NULL, 2), 1));
    CHECK_ERROR("TypeError", "ct_chunk(): argument 'input' is NULL");
    CHECK(ct_list_get(ct_chunk(x, 2), 1) && !ct_list_get(ct_chunk(x, 2), 2));
    CHECK_ERROR("IndexError", "ct_list_get(): index 2 of a list of 2");
}

static void test_place(void)
{
    ct_tensor *x = ct_ones(CT_SHAPE(2, 3));
    char want[64];
    snprintf(want, sizeof want, "test_check_args.c:%d, ct_mm", __LINE__ + 1);
    ct_add(ct_mm(x, x), 1);
    CHECK_TEXT(ct_error_location(), want);
    ct_clear_error();
    CHECK(!ct_error_location());
}

static void test_elements(void)
{
    ct_tensor *x = ct_view(ct_arange(6), CT_SHAPE(2, 3));
    CHECK(ct_item(ct_at(x, 1, 2)) == 5 && ct_item_at(x, 1, -1) == 5 &&
          ct_item_at(x, "0, ?", 2) == 2);
    CHECK(ct_set(x, 1, 2, 9) && ct_item_at(x, 1, 2) == 9);
    CHECK(!ct_at(x, 1, 2, 0));
    CHECK_ERROR("IndexError", "too many indices for tensor of dimension 2");
    float a[6];
    CHECK(ct_to_array(ct_t(x), float, a, 6) && a[1] == 3 && a[5] == 9);
    CHECK(!ct_to_array(x, float, a, 5));
    CHECK_ERROR("ValueError", "ct_to_array(): the tensor has 6 elements, the array 5");
    ct_tensor *z = ct_tensor_of(_Complex double, CT_SHAPE(1), __builtin_complex(1.0, 2.0));
    CHECK(!CT_DATA(_Complex double, ct_conj(z)));
    CHECK_ERROR("RuntimeError", "data: the elements of a conj or neg view are not those in memory");
    _Complex double c[1];
    CHECK(ct_to_array(ct_conj(z), _Complex double, c, 1) && __imag__ c[0] == -2);
    ct_tensor *u = ct_tensor_of(uint64_t, CT_SHAPE(1), UINT64_MAX);
    CHECK(ct_item_i64(u) == -1);
    CHECK_ERROR("RuntimeError", "value cannot be converted to type int64_t without overflow");
}

/* Checks for an error text that contains the line of a scope. */
static void check_gone(const char *before, const char *after, int line)
{
    char want[200];
    snprintf(want, sizeof want, "%sits scope has ended (test_check_args.c:%d)%s", before, line,
             after);
    CHECK_ERROR("RuntimeError", want);
}

/* Returns whether the memory is inaccessible according to valgrind; true without valgrind. */
static bool is_out_of_bounds(const void *memory)
{
    unsigned char bits[1];
    (void)bits, (void)memory; /* without valgrind's header, its macros read neither */
    return !RUNNING_ON_VALGRIND || VALGRIND_GET_VBITS(memory, bits, 1) == 3;
}

static void test_debug(void)
{
    ct_set_debug(true);
    ct_tensor *gone, *kept;
    const float *few, *many;
    int line;
    {
        CT_SCOPE;
        line = __LINE__ - 1;
        gone = ct_ones(CT_SHAPE(2));
        kept = ct_keep(ct_ones(CT_SHAPE(3)));
        few = CT_DATA(float, gone);
        many = CT_DATA(float, ct_ones(CT_SHAPE(5000)));
    }
    CHECK(ct_item(ct_sum(kept)) == 3);
    for (int i = 0; i < 100; i++) { /* later tensors must not reuse the address of `gone` */
        CT_SCOPE;
        ct_ones(CT_SHAPE(2));
    }
    CHECK(!ct_add(gone, 1));
    check_gone("ct_add(): argument 'input' is a released tensor: ", "", line);
    CHECK(ct_ndim(gone) == -1 && !CT_DATA(float, gone) && !ct_grad(gone) && !ct_shape_ptr(gone));
    check_gone("a released tensor is used: ", "", line);
    CHECK(!ct_print(gone) && isnan(ct_item(gone)) && !ct_requires_grad_(gone));
    check_gone("a released tensor is used: ", "", line);
    CHECK(is_out_of_bounds(few) && is_out_of_bounds(many) && is_out_of_bounds((char *)gone + 8));
    ct_free(kept);
    ct_free(kept);
    CHECK_ERROR("RuntimeError", "ct_free(): the tensor was released: ct_free() has freed it");
    ct_set_debug(false);
}

/* The default stack of a thread is 128 KB with some C libraries. */
static void *on_a_small_stack(void *unused)
{
    (void)unused;
    CT_SCOPE;
    ct_tensor *x = ct_requires_grad_(ct_rand(CT_SHAPE(60, 70), .dtype = CT_FLOAT64));
    ct_backward(ct_sum(ct_tanh(ct_matmul(x, ct_t(x)))));
    CHECK(ct_grad(x) && ct_sum(x, .dim = CT_DIMS(0)) && ct_softmax(x, 1) && ct_std(ct_t(x)));
    CHECK(ct_sum(ct_to(ct_t(x), .dtype = CT_COMPLEX128)) && ct_cdist(x, x) && ct_sort(x).values);
    CHECK(ct_randn(CT_SHAPE(500000)) && ct_fft_fft(x) && ct_cumsum(x, 0));
    CHECK(!ct_error());
    return NULL;
}

static void test_small_stack(void)
{
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    CHECK(pthread_attr_setstacksize(&attr, 128 * 1024) == 0);
    CHECK(pthread_create(&thread, &attr, on_a_small_stack, NULL) == 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
}

int main(void)
{
    test_null();
    test_texts_and_lists();
    test_place();
    test_elements();
    test_debug();
    test_small_stack();
    return failures != 0;
}
