/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory and threads in C programs: tensors from pointers of every type, single elements, a custom
 * allocator, tensors passed between threads, interrupted calls. */
#include "../check.h"

#include <corten.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void test_pointers(void)
{
    CT_SCOPE;
    float a[6] = {1, 2, 3, 4, 5, 6};
    const float *fixed = a;
    void *any = a;
    const void *any_fixed = a;
    uint16_t bits[2] = {0x3f80, 0x4000};
    CHECK_TEXT(ct_repr(ct_from_data(a, CT_SHAPE(2, 3))),
               "tensor([[1., 2., 3.],\n        [4., 5., 6.]])");
    CHECK_TEXT(ct_repr(ct_from_data(fixed, CT_SHAPE(-1, 3), .count = 6)),
               "tensor([[1., 2., 3.],\n        [4., 5., 6.]])");
    CHECK_TEXT(ct_repr(ct_from_data(any, CT_SHAPE(2), .dtype = CT_FLOAT32)), "tensor([1., 2.])");
    CHECK_TEXT(ct_repr(ct_from_data(bits, CT_SHAPE(2), .dtype = CT_BFLOAT16)),
               "tensor([1., 2.], dtype=torch.bfloat16)");

    ct_tensor *read_only[] = {ct_from_data(fixed, CT_SHAPE(6)),
                              ct_from_data(any_fixed, CT_SHAPE(6), .dtype = CT_FLOAT32),
                              ct_from_data(a, CT_SHAPE(6), .read_only = true)};
    for (int i = 0; i < 3; i++) {
        ct_tensor *x = read_only[i], *view = ct_at(x, "1:");
        CHECK(!ct_add_(x, 1) && ct_error_kind() == CT_ERR_RUNTIME);
        ct_clear_error();
        CHECK(!ct_zero_(view) && !ct_set(x, 0, 5.0) && !ct_exp_out(x, x) && !ct_normal_(view));
        ct_clear_error();
        CHECK(!ct_sort_out(x, ct_empty(CT_SHAPE(6), .dtype = CT_INT64), ct_ones(CT_SHAPE(6))));
        ct_clear_error();
        CHECK(ct_item(ct_sum(x)) == 21 && a[0] == 1);
    }

    CHECK(!ct_from_data(any, CT_SHAPE(6)));
    ct_clear_error();
    CHECK(!ct_from_data(a, CT_SHAPE(6), .dtype = CT_FLOAT64));
    ct_clear_error();
    CHECK(!ct_from_data(a, CT_SHAPE(-1, 4), .count = 6) &&
          !ct_from_data(a, CT_SHAPE(-1, -1), .count = 6));
    CHECK(!ct_from_data(a, CT_SHAPE(7), .count = 6) && !ct_from_data(a, CT_SHAPE(-1)));
    CHECK_TEXT(ct_error_class(), "ValueError");
    ct_clear_error();
}

static void test_walk(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_view(ct_arange(24.), CT_SHAPE(2, 3, 4));
    ct_tensor *views[] = {x,
                          ct_t(ct_at(x, 1)),
                          ct_at(x, ":, ::2, 1:"),
                          ct_flip(x, CT_DIMS(0)),
                          ct_expand(ct_at(x, "0, 0"), CT_SHAPE(3, 4)),
                          ct_at(x, 1, 2, 3),
                          ct_permute(x, CT_DIMS(2, 0, 1)),
                          ct_at(x, ":0")};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        float want[24], *p;
        int64_t n = ct_numel(views[i]), k = 0;
        CHECK(ct_to_array(views[i], float, want, n));
        CT_FOR(p, views[i])
        CHECK(k < n && *p == want[k++]);
        CHECK(k == n);
    }
    float *p;
    CT_FOR(p, ct_at(x, "..., 0"))
    *p = -1;
    CHECK(ct_item(ct_sum(ct_eq(x, -1))) == 6);
    double *wrong;
    CT_FOR(wrong, x)
    CHECK(false);
    CHECK_TEXT(ct_error_class(), "TypeError");
    ct_clear_error();
}

static int taken;

static void *take(size_t nbytes, void *context)
{
    ++*(int *)context;
    return aligned_alloc(64, (nbytes + 63) / 64 * 64);
}

static void give(void *memory, size_t nbytes, void *context)
{
    memset(memory, 0, nbytes);
    --*(int *)context;
    free(memory);
}

static void test_allocator(void)
{
    struct ct_allocator mine = {take, give, &taken}, half = {take, NULL, &taken};
    CHECK(!ct_set_allocator(&half));
    ct_clear_error();
    ct_tensor *before = ct_ones(CT_SHAPE(100000));
    CHECK(ct_set_allocator(&mine) && taken == 0);
    {
        CT_SCOPE;
        CHECK(ct_item(ct_sum(ct_add(ct_ones(CT_SHAPE(100000)), before))) == 200000);
        CHECK(taken > 0);
        CHECK(ct_memory_bytes() >= 400000);
    }
    CHECK(ct_set_allocator(NULL));
    ct_free(before);
    ct_empty_cache();
    CHECK(taken == 0);
}

/* ---- threads ---- */

static void *other_thread(void *given)
{
    ct_tensor *x = ct_take_over(given);
    CHECK(ct_live_count() == 1);
    ct_tensor *y = ct_mul(x, 2);
    return ct_hand_over(y); /* x is freed when the thread ends */
}

static void *strangers(void *given)
{
    ct_free(given); /* an error: another thread owns it */
    CHECK(ct_error_kind() == CT_ERR_RUNTIME);
    ct_clear_error();
    CHECK(!ct_hand_over(given) && ct_error_kind() == CT_ERR_RUNTIME);
    ct_clear_error();
    return NULL;
}

static void test_threads(void)
{
    CT_SCOPE;
    pthread_t thread;
    void *answer = NULL;
    int64_t before = ct_live_count();
    ct_tensor *x = ct_ones(CT_SHAPE(3));
    CHECK(pthread_create(&thread, NULL, strangers, x) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(ct_hand_over(x) == x && ct_live_count() == before);
    CHECK(pthread_create(&thread, NULL, other_thread, x) == 0);
    CHECK(pthread_join(thread, &answer) == 0);
    ct_tensor *y = ct_take_over(answer);
    CHECK_TEXT(ct_repr(y), "tensor([2., 2., 2.])");
    CHECK(!ct_hand_over(NULL) && !ct_take_over(NULL) && !ct_error());
}

/* ---- interrupted calls ---- */

static bool never(void)
{
    return false;
}

static void test_interrupt(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_ones(CT_SHAPE(800, 800)), *i = ct_arange(640000);
    int64_t before = ct_live_count();
    ct_interrupt();
    CHECK(!ct_matmul(x, x) && ct_error_kind() == CT_ERR_INTERRUPT && ct_live_count() == before);
    CHECK_TEXT(ct_error_class(), "KeyboardInterrupt");
    CHECK(!ct_at(ct_view(x, CT_SHAPE(-1)), i)); /* fails until the error is cleared */
    ct_clear_error();
    CHECK(ct_item(ct_sum(ct_matmul(x, x))) == 800. * 800 * 800);
    ct_set_poll(never);
    struct timespec long_ago = {0, 30000000};
    nanosleep(&long_ago, NULL);
    CHECK(!ct_sort(ct_view(x, CT_SHAPE(-1))).values && ct_error_kind() == CT_ERR_INTERRUPT);
    ct_set_poll(NULL);
    ct_clear_error();
    CHECK(ct_add(ct_ones(CT_SHAPE(2)), 1) != NULL);
}

int main(void)
{
    test_pointers();
    test_walk();
    test_allocator();
    test_threads();
    test_interrupt();
    CHECK(ct_library_version()[0] == '0' + CT_VERSION_MAJOR);
    return failures != 0;
}
