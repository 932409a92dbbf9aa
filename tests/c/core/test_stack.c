/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls with the deepest stacks, and their derivatives, run on a thread with a stack of 128 KB,
 * which is the default of some C libraries; with one library thread and with several. */
#include "../check.h"

#include <corten.h>
#include <math.h>
#include <pthread.h>

static void linear_algebra(enum ct_dtype dtype, int64_t n)
{
    CT_SCOPE;
    ct_tensor *x = ct_requires_grad_(ct_randn(CT_SHAPE(2, n, n), .dtype = dtype));
    ct_tensor *hermitian = ct_matmul(x, ct_conj(ct_transpose(x, 1, 2)));
    ct_tensor *sum =
        ct_add(ct_sum(ct_abs(ct_linalg_svd(x).S)), ct_sum(ct_linalg_eigvalsh(hermitian)));
    sum = ct_add(sum, ct_sum(ct_abs(ct_linalg_solve(x, ct_ones_like(x)))));
    sum = ct_add(sum, ct_sum(ct_abs(ct_linalg_qr(x).R)));
    sum = ct_add(sum, ct_sum(ct_abs(ct_linalg_inv(x))));
    CHECK(ct_backward(sum) && ct_grad(x) && isfinite(ct_item(ct_sum(ct_abs(ct_grad(x))))));
    CHECK(ct_linalg_eigvals(x) && ct_linalg_lstsq(x, x).solution && ct_linalg_matrix_exp(x));
}

static void distances(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_requires_grad_(ct_randn(CT_SHAPE(60, 30)));
    for (int p = 0; p < 4; p++)
        CHECK(ct_backward(ct_sum(ct_cdist(x, ct_ones(CT_SHAPE(50, 30)), .p = p ? p / 1.5 : 0))));
}

static void convolutions(void)
{
    CT_SCOPE;
    for (int groups = 1; groups <= 4; groups *= 4) {
        ct_tensor *x = ct_requires_grad_(ct_randn(CT_SHAPE(2, 4, 20, 20)));
        ct_tensor *w = ct_requires_grad_(ct_randn(CT_SHAPE(8, 4 / groups, 3, 3)));
        ct_tensor *y =
            ct_conv2d(x, w, .stride = CT_DIMS(2), .padding = CT_DIMS(1), .groups = groups);
        CHECK(ct_backward(ct_sum(ct_mul(y, y))));
        CHECK(ct_backward(ct_sum(ct_max_pool2d(x, CT_DIMS(2)))));
    }
}

static void networks(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_requires_grad_(ct_randn(CT_SHAPE(12, 3, 16)));
    ct_tensor *zero = ct_zeros(CT_SHAPE(1, 3, 32)), *weights[4];
    for (int i = 0; i < 4; i++)
        weights[i] = ct_requires_grad_(
            ct_randn(i < 2 ? ct_ints_of((int64_t[]){128, i ? 32 : 16}, 2) : CT_SHAPE(128)));
    ct_lstm_result y =
        ct_lstm(x, CT_LIST(zero, zero), ct_list_of(weights, 4), true, 1, 0, false, false, false);
    CHECK(ct_backward(ct_sum(y.output)));
    ct_optim *o = ct_adamw(ct_list_of(weights, 4));
    CHECK(ct_step(o));
    ct_optim_free(o);
    ct_tensor *q = ct_requires_grad_(ct_randn(CT_SHAPE(2, 2, 40, 16)));
    CHECK(ct_backward(ct_sum(ct_scaled_dot_product_attention(q, q, q))));
}

static void the_rest(enum ct_dtype dtype)
{
    CT_SCOPE;
    ct_tensor *x = ct_randn(CT_SHAPE(300, 300), .dtype = dtype);
    CHECK(ct_sort(x).values && ct_topk(x, 5).values && ct_median(x) && ct_unique(x).output);
    CHECK(ct_cumsum(x, 1) && ct_softmax(x, 1) && ct_var(x) && ct_logsumexp(x, CT_DIMS(0)));
    CHECK(dtype == CT_BFLOAT16 || (ct_fft_fft2(x) && ct_special_zeta(ct_add(ct_abs(x), 2), 3)));
    CHECK(ct_sum(x, .dim = CT_DIMS(0)) && ct_prod(x, .dim = 0) && ct_norm(x) && ct_repr(x));
    CHECK(ct_einsum("ij,kj,k->i", CT_LIST(x, x, ct_at(x, 0))) && ct_kthvalue(x, 3).values);
    CHECK(ct_index_put(x, CT_LIST(ct_arange(300)), x) && ct_matmul(x, ct_t(x)));
    CHECK(ct_layer_norm(x, CT_SHAPE(300)));
}

static void *work(void *threads)
{
    ct_set_num_threads(*(int *)threads);
    linear_algebra(CT_FLOAT32, 40);
    linear_algebra(CT_FLOAT64, 40);
    linear_algebra(CT_COMPLEX128, 12);
    distances();
    convolutions();
    networks();
    the_rest(CT_FLOAT32);
    the_rest(CT_FLOAT64);
    the_rest(CT_BFLOAT16);
    ct_clear_error();
    return NULL;
}

int main(void)
{
    ct_manual_seed(0);
    for (int threads = 1; threads <= 2; threads++) {
        pthread_t thread;
        pthread_attr_t small;
        CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 128 * 1024) == 0);
        CHECK(pthread_create(&thread, &small, work, &threads) == 0 &&
              pthread_join(thread, NULL) == 0);
        pthread_attr_destroy(&small);
    }
    return failures != 0;
}
