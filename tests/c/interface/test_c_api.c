/* SPDX-License-Identifier: BSD-3-Clause */
/* The C interface: keyword arguments, numbers in place of tensors, order of evaluation, literal
 * lists, several results, data, indices, errors. test_blocks.c tests blocks and scopes. */
#include "../check.h"

#include <corten.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_print(ct_tensor *t, const char *want, int line)
{
    check_text_at(t ? ct_repr(t) : ct_error(), want, __FILE__, line);
}
#define PRINTS(t, want) check_print(t, want, __LINE__)

/* ---- arguments ---- */

static void test_keywords(void)
{
    ct_tensor *x = ct_view(ct_arange(6.), CT_SHAPE(2, 3));
    PRINTS(ct_sum(x), "tensor(15.)");
    PRINTS(ct_sum(x, .dim = CT_DIMS(0)), "tensor([3., 5., 7.])");
    PRINTS(ct_sum(x, .keepdim = true, .dim = CT_DIMS(0, -1)), "tensor([[15.]])");
    PRINTS(ct_arange(10, .start = 4, .step = 2), "tensor([4, 6, 8])");
    PRINTS(ct_add(x, x, .alpha = -1), "tensor([[0., 0., 0.],\n        [0., 0., 0.]])");
    PRINTS(ct_zeros(CT_SHAPE(), .dtype = CT_INT64), "tensor(0)");
    PRINTS(ct_full(CT_SHAPE(2), 7, .dtype = CT_UINT8), "tensor([7, 7], dtype=torch.uint8)");
    PRINTS(ct_clamp(x, .max = 1.5), "tensor([[0.0000, 1.0000, 1.5000],\n"
                                    "        [1.5000, 1.5000, 1.5000]])");
    CHECK(ct_requires_grad(ct_ones(CT_SHAPE(1), .requires_grad = true)));
    PRINTS(ct_argmax(x), "tensor(5)");
    PRINTS(ct_argmax(x, .dim = 0), "tensor([1, 1, 1])");
    CHECK(!ct_clamp(x, .min = CT_NO_NUMBER, .max = CT_NO_NUMBER));
    CHECK_ERROR("RuntimeError", "torch.clamp: At least one of 'min' or 'max' must not be None");
}

static void test_numbers(void)
{
    ct_tensor *x = ct_tensor_of(float, CT_SHAPE(2), 1, 4),
              *i = ct_tensor_of(int64_t, CT_SHAPE(1), 3);
    PRINTS(ct_add(x, 2.5), "tensor([3.5000, 6.5000])");
    PRINTS(ct_sub(1, x), "tensor([ 0., -3.])");
    PRINTS(ct_pow(2, x), "tensor([ 2., 16.])");
    PRINTS(ct_mul(i, 2), "tensor([6])");
    PRINTS(ct_mul(i, 2u), "tensor([6])");
    PRINTS(ct_mul(i, (short)2), "tensor([6])");
    PRINTS(ct_mul(i, (unsigned char)2), "tensor([6])");
    PRINTS(ct_mul(i, 2.0f), "tensor([6.])");
    PRINTS(ct_mul(i, 2ull), "tensor([6])");
    PRINTS(ct_mul(i, 1.0i), "tensor([0.+3.j])");
    PRINTS(ct_mul(i, (bool)1), "tensor([3])");
    PRINTS(ct_add(ct_tensor_of(bool, CT_SHAPE(1), 1), (bool)1), "tensor([True])");
    PRINTS(ct_where(ct_gt(x, 2), x, 0), "tensor([0., 4.])");
    PRINTS(ct_add(x, ct_value_int(1)), "tensor([2., 5.])");
    CHECK(ct_result_type(i, 2.5) == CT_FLOAT32 && ct_result_type(i, 2) == CT_INT64);
    PRINTS(ct_scatter(ct_zeros(CT_SHAPE(3)), 0, ct_tensor_of(int64_t, CT_SHAPE(1), 2), 5),
           "tensor([0., 0., 5.])");
    PRINTS(ct_scatter(ct_zeros(CT_SHAPE(3)), 0, ct_tensor_of(int64_t, CT_SHAPE(2), 2, 0), x),
           "tensor([4., 0., 1.])");
}

static int turn;

static ct_tensor *next(int expected)
{
    CHECK(turn == expected);
    turn = expected + 1;
    return ct_full(CT_SHAPE(), expected);
}

static double next_number(int expected)
{
    CHECK(turn == expected);
    turn = expected + 1;
    return expected;
}

static void test_order(void)
{
    turn = 0;
    PRINTS(ct_sub(next(0), ct_sub(next(1), next(2)), .alpha = next_number(3)), "tensor(3)");
    turn = 0;
    ct_stack(CT_LIST(next(0), next(1), next(2)), .dim = (int64_t)next_number(3) - 3);
    turn = 0;
    PRINTS(ct_lerp(ct_float(next(0)), ct_float(next(1)), next_number(2)), "tensor(2.)");
    turn = 0;
    PRINTS(ct_where(ct_eq(next(0), 0), next(1), next(2)), "tensor(1)");
    turn = 1;
    PRINTS(ct_at(ct_add(ct_arange(5), next(1)), "?", (int)next_number(2)), "tensor(3)");
    turn = 0;
    ct_set(ct_add(ct_arange(3), next(0)), "?", (int)next_number(1), next(2));
    turn = 2;
    PRINTS(ct_tensor_of(double, CT_SHAPE((int64_t)next_number(2)), next_number(3), next_number(4)),
           "tensor([3., 4.], dtype=torch.float64)");
    turn = 0;
    CHECK(ct_result_type(next(0), next_number(1)) == CT_FLOAT32);
    turn = 0;
    ct_add_(next(0), next(1), .alpha = next_number(2));
    CHECK(turn == 3 && !ct_error());
}

/* The macro expansion of nested calls grows linearly with their number. */
static void test_nesting(void)
{
    ct_tensor *x = ct_ones(CT_SHAPE(2));
    PRINTS(ct_add(ct_add(ct_add(ct_add(ct_add(ct_add(ct_add(ct_add(x, 1), 1), 1), 1), 1), 1), 1,
                         .alpha = 2),
                  ct_sum(ct_mul(ct_sub(ct_neg(ct_exp(ct_mul(x, 0))), 1), 0), .dim = CT_DIMS(0))),
           "tensor([9., 9.])");
}

/* ---- lists and results ---- */

static void test_lists(void)
{
    ct_tensor *x = ct_arange(6);
    int64_t sizes[] = {3, -1};
    PRINTS(ct_view(x, ct_ints_of(sizes, 2)), "tensor([[0, 1],\n        [2, 3],\n        [4, 5]])");
    ct_tensor *parts[] = {x, x};
    CHECK(ct_numel(ct_cat(ct_list_of(parts, 2))) == 12);
    ct_list cut = ct_chunk(x, 4);
    CHECK(cut.n == 3 && ct_item(ct_sum(cut.v[2])) == 9);
    CHECK(!ct_cat(CT_LIST(x, NULL)));
    CHECK_ERROR("TypeError", "ct_cat(): argument 'tensors' is NULL");
    CHECK(!ct_cat(CT_LIST()));
    CHECK_ERROR("ValueError", "torch.cat(): expected a non-empty list of Tensors");
    ct_list wide = ct_broadcast_tensors(CT_LIST(x, ct_ones(CT_SHAPE(2, 1))));
    CHECK(wide.n == 2);
    CHECK_TEXT(ct_shape_str(wide.v[0]), "torch.Size([2, 6])");
    CHECK_TEXT(ct_stride_str(wide.v[0]), "(0, 1)");
}

static void test_results(void)
{
    ct_tensor *x = ct_tensor_of(float, CT_SHAPE(2, 2), 1, 4, 3, 2);
    ct_max_dim_result best = ct_max_dim(x, 1);
    PRINTS(best.values, "tensor([4., 3.])");
    PRINTS(best.indices, "tensor([1, 0])");
    PRINTS(ct_sort(x, .descending = true).values, "tensor([[4., 1.],\n        [3., 2.]])");
    ct_sort_result failed = ct_sort(NULL);
    CHECK(!failed.values && !failed.indices);
    CHECK_ERROR("TypeError", "ct_sort(): argument 'input' is NULL");
    CHECK(ct_equal(x, ct_clone(x)) == 1 && ct_equal(x, ct_neg(x)) == 0);
}

/* Several results are named members; a result that was not requested is NULL. */
static void test_named_results(void)
{
    ct_tensor *x = ct_tensor_of(float, CT_SHAPE(4), 1, 3, 3, 5);
    struct ct_std_mean_result spread = ct_std_mean(x, .correction = 0);
    CHECK(ct_item(spread.mean) == 3 && fabs(ct_item(spread.std) - sqrt(2)) < 1e-6);
    CHECK(ct_item(ct_var_mean(x, .correction = 0).var) == 2);
    ct_unique_result all = ct_unique(x, .return_inverse = true, .return_counts = true);
    PRINTS(all.output, "tensor([1., 3., 5.])");
    PRINTS(all.inverse_indices, "tensor([0, 1, 1, 2])");
    PRINTS(all.counts, "tensor([1, 2, 1])");
    ct_unique_consecutive_result some = ct_unique_consecutive(x, .return_counts = true);
    PRINTS(some.counts, "tensor([1, 2, 1])");
    CHECK(some.output && !some.inverse_indices);
    CHECK(!ct_unique(NULL).output && !ct_std_mean(NULL).mean);
    CHECK_ERROR("TypeError", "ct_unique(): argument 'input' is NULL");

    ct_tensor *weights[] = {ct_zeros(CT_SHAPE(8, 4)), ct_zeros(CT_SHAPE(8, 2))};
    ct_tensor *h = ct_zeros(CT_SHAPE(1, 3, 2)), *c = ct_ones(CT_SHAPE(1, 3, 2));
    struct ct_lstm_result r = ct_lstm(ct_ones(CT_SHAPE(5, 3, 4)), CT_LIST(h, c),
                                      ct_list_of(weights, 2), false, 1, 0, false, false, false);
    CHECK(ct_size(r.output, 0) == 5 && ct_ndim(r.h_n) == 3 &&
          ct_item_at(r.c_n, 0, 0, 0) == 1. / 32);
}

/* ct_print takes a tensor, a list, or all results of a call. */
static void test_print_results(void)
{
    char text[200] = "";
    FILE *file = fmemopen(text, sizeof text, "w");
    ct_tensor *x = ct_tensor_of(float, CT_SHAPE(1, 2), 1, 3);
    CHECK(ct_fprint(file, ct_max_dim(x, 1)) && ct_fprint(file, ct_unique(x)));
    CHECK(ct_fprint(file, CT_LIST(x, x)));
    fclose(file);
    CHECK_TEXT(text, "(tensor([3.]), tensor([1]))\ntensor([1., 3.])\n"
                     "(tensor([[1., 3.]]), tensor([[1., 3.]]))\n");
    CHECK(!ct_print(ct_max_dim(x, 5)));
    CHECK(ct_error_kind() == CT_ERR_INDEX);
    ct_clear_error();
}

/* ---- data ---- */

static void count_call(void *context)
{
    ++*(int *)context;
}

static void test_data(void)
{
    PRINTS(ct_tensor_of(int8_t, CT_SHAPE(2, -1), 1, 2, 3, 4),
           "tensor([[1, 2],\n        [3, 4]], dtype=torch.int8)");
    PRINTS(ct_tensor_of(_Complex float, CT_SHAPE(1), 1 + 2.0i), "tensor([1.+2.j])");
    CHECK(!ct_tensor_of(float, CT_SHAPE(3), 1, 2));
    CHECK_ERROR("RuntimeError", "shape '[3]' is invalid for input of size 2");
    int gone = 0;
    float own[] = {1, 2, 3, 4};
    {
        CT_SCOPE;
        ct_tensor *x = ct_from_data(own, CT_SHAPE(2, 2), .stride = CT_DIMS(1, 2),
                                    .deleter = count_call, .context = &gone);
        PRINTS(x, "tensor([[1., 3.],\n        [2., 4.]])");
        ct_mul_(x, 10);
        CHECK(CT_DATA(float, x) == own && CT_DATA(float, ct_at(x, "1, 1")) == own + 3);
        CHECK(!CT_DATA(double, x));
        CHECK_ERROR("TypeError", "data: expected a tensor of torch.float64, got torch.float32");
        CHECK(gone == 0);
    }
    CHECK(gone == 1 && own[3] == 40);
    ct_storage *s = ct_storage_of(ct_arange(4));
    CHECK(ct_storage_size(s) == 4 && ct_storage_get(s, 2) == 2 && ct_storage_set(s, 2, 9));
    CHECK(ct_storage_get(s, 2) == 9);
}

static void test_indices(void)
{
    ct_tensor *x = ct_view(ct_arange(12), CT_SHAPE(3, 4));
    PRINTS(ct_at(x, 1), "tensor([4, 5, 6, 7])");
    PRINTS(ct_at(x, "-1, ::2"), "tensor([ 8, 10])");
    PRINTS(ct_at(x, ct_gt(x, 9)), "tensor([10, 11])");
    PRINTS(ct_at(x, "?, 1:3", ct_tensor_of(int64_t, CT_SHAPE(2), 2, 0)),
           "tensor([[ 9, 10],\n        [ 1,  2]])");
    CHECK(ct_set(x, "0, :", -1) == x && ct_set(x, 1, ct_arange(4)) == x);
    PRINTS(x, "tensor([[-1, -1, -1, -1],\n        [ 0,  1,  2,  3],\n        [ 8,  9, 10, 11]])");
    CHECK(!ct_at(x, "7"));
    CHECK_ERROR("IndexError", "index 7 is out of bounds for dimension 0 with size 3");
    CHECK(ct_at(x, "1:,"));
    CHECK(!ct_at(x, "1 2") && ct_error_kind() == CT_ERR_SYNTAX);
    ct_clear_error();
}

/* ---- errors ---- */

static void test_errors(void)
{
    ct_tensor *a = ct_ones(CT_SHAPE(2, 3)), *b = ct_ones(CT_SHAPE(4));
    CHECK(!ct_exp(ct_mul(ct_add(a, b), ct_at(a, "9"))));
    CHECK_ERROR("RuntimeError", "The size of tensor a (3) must match the size of tensor b (4) at "
                                "non-singleton dimension 1");
    CHECK(!ct_neg(NULL) && !ct_add(NULL, 1));
    CHECK_ERROR("TypeError", "ct_neg(): argument 'input' is NULL");
    CHECK(isnan(ct_item(a)) && ct_error_kind() == CT_ERR_RUNTIME);
    CHECK(ct_add(b, 1) && ct_error()); /* an earlier error does not stop later calls */
    ct_clear_error();
    CHECK(ct_size(a, 5) == -1);
    CHECK_ERROR("IndexError",
                "Dimension out of range (expected to be in range of [-2, 1], but got 5)");
    CHECK(!ct_zeros(CT_SHAPE(2), .device = ct_device("nonsense")));
    CHECK(ct_error_kind() == CT_ERR_RUNTIME);
    ct_clear_error();
    CHECK(!ct_grad(a) && !ct_error());
}

/* ---- the plain functions under the macros ---- */

struct old_sum_args { /* as in a program compiled when dim was the last keyword */
    size_t struct_size;
    ct_ints dim;
};

static void test_plain(void)
{
    ct_tensor *x = ct_ones(CT_SHAPE(2, 3));
    PRINTS(ct_sum_ex(x, NULL), "tensor(6.)");
    struct ct_sum_args a = CT_ARGS(ct_sum);
    a.keepdim = true;
    PRINTS(ct_sum_ex(x, &a), "tensor([[6.]])");
    struct old_sum_args old = {sizeof old, CT_DIMS(0)};
    PRINTS(ct_sum_ex(x, (const struct ct_sum_args *)(const void *)&old), "tensor([2., 2., 2.])");
    PRINTS(ct_add_ex(ct_value_tensor(x), ct_value_int(1), NULL),
           "tensor([[2., 2., 2.],\n        [2., 2., 2.]])");
    ct_tensor *(*transpose)(ct_tensor *) = ct_t; /* a name without parentheses is the function */
    CHECK_TEXT(ct_shape_str(transpose(x)), "torch.Size([3, 2])");
}

static void test_random_face(void)
{
    CHECK(ct_manual_seed(0) == ct_generator_default() && ct_initial_seed() == 0);
    ct_tensor *state = ct_get_rng_state(), *first = ct_rand(CT_SHAPE(5));
    CHECK(ct_set_rng_state(state) && ct_equal(first, ct_rand(CT_SHAPE(5))));
    CHECK(!ct_set_rng_state(first));
    CHECK_ERROR("TypeError", "RNG state must be a torch.ByteTensor");
    ct_generator *g = ct_generator_new();
    ct_generator_manual_seed(g, 7);
    ct_tensor *mine = ct_randint(10, CT_SHAPE(100), .low = 5, .generator = g);
    CHECK(ct_item(ct_min(mine)) == 5 && ct_item(ct_max(mine)) == 9);
    CHECK(!ct_normal_(ct_empty(CT_SHAPE(2)), .std = -1));
    CHECK_ERROR("RuntimeError", "normal expects std >= 0.0, but found std -1");
    CHECK(ct_item(ct_max(ct_bernoulli_(ct_empty(CT_SHAPE(9)), .p = 0))) == 0);
    CHECK(ct_random_(ct_empty(CT_SHAPE(4)), .from = 3, .to = 4) && !ct_error());
}

static void test_iteration(void)
{
    ct_manual_seed(0);
    ct_tensor *A = ct_diag(ct_arange(13, .start = 1, .dtype = CT_FLOAT64));
    struct ct_lobpcg_result found = ct_lobpcg(A, .k = 2, .ortho_iparams = CT_INTS(3, 4));
    CHECK(ct_allclose(found.eigenvalues, ct_tensor_of(double, CT_SHAPE(2), 12, 11)));
    CHECK(!ct_lobpcg(A, .X = ct_ones(CT_SHAPE(2, 2))).eigenvalues);
    CHECK_ERROR("AssertionError", "X_ shape mismatch: got torch.Size([2, 2]), expected (12, 2)");
    struct ct_svd_lowrank_result few = ct_svd_lowrank(A, .q = 12);
    CHECK(ct_allclose(ct_sum(few.S), ct_trace(A)));
    CHECK(!ct_pca_lowrank(A, .q = 13).U);
    CHECK_ERROR("ValueError",
                "q(=13) must be non-negative integer and not greater than min(m, n)=12");
}

static void test_compressed(void)
{
    ct_tensor *crow = ct_tensor_of(int64_t, CT_SHAPE(3), 0, 2, 3),
              *col = ct_tensor_of(int64_t, CT_SHAPE(3), 0, 2, 1),
              *values = ct_tensor_of(float, CT_SHAPE(3), 1, 2, 3);
    ct_tensor *s = ct_sparse_csr_tensor(crow, col, values, .size = CT_SHAPE(2, 3));
    CHECK(ct_is_sparse(s) && ct_layout_of(s) == CT_SPARSE_CSR && ct_sparse_nnz(s) == 3);
    CHECK(ct_sparse_dim(s) == 2 && ct_dense_dim(s) == 0 && ct_layout_of(values) == CT_STRIDED);
    PRINTS(ct_mul(s, 2), "tensor(crow_indices=tensor([0, 2, 3]),\n"
                         "       col_indices=tensor([0, 2, 1]),\n"
                         "       values=tensor([2., 4., 6.]), size=(2, 3), nnz=3,\n"
                         "       layout=torch.sparse_csr)");
    PRINTS(ct_to_dense(s), "tensor([[1., 0., 2.],\n        [0., 3., 0.]])");
    PRINTS(ct_matmul(s, ct_ones(CT_SHAPE(3, 1))), "tensor([[3.],\n        [3.]])");
    PRINTS(ct_ccol_indices(ct_t(s)), "tensor([0, 2, 3])");
    PRINTS(ct_row_indices(ct_to_sparse_csc(s)), "tensor([0, 1, 0])");
    PRINTS(ct_values(ct_to_sparse(s, .layout = CT_SPARSE_CSC)), "tensor([1., 3., 2.])");
    CHECK(ct_layout_of(ct_to_sparse(s)) == CT_SPARSE_COO);
    PRINTS(ct_to_dense(ct_sparse_csc_tensor(crow, col, values)),
           "tensor([[1., 0.],\n        [0., 3.],\n        [2., 0.]])");
    CHECK(!ct_sparse_compressed_tensor(crow, col, values));
    CHECK_ERROR("RuntimeError", "sparse_compressed_tensor expected sparse compressed tensor layout "
                                "but got none");
    CHECK(!ct_sparse_csr_tensor(col, col, values));
    CHECK_ERROR("RuntimeError", "`crow_indices[..., -1] == nnz` is not satisfied.");
    CHECK(!ct_own_sparse_indices(s));
    CHECK_ERROR("NotImplementedError",
                "Could not run 'aten::_indices' with arguments from the 'SparseCsrCPU' backend. "
                "This could be because the operator doesn't exist for this backend.");
}

/* After a failure ct_error_location() names this file and the macro, also for macros that are not
 * operations of the table. */
static bool failed_here(const char *function)
{
    const char *place = ct_error_location();
    bool good = place && strncmp(place, "test_c_api.c:", 13) == 0 && strstr(place, function);
    if (!good)
        printf("%s: %s, not here: %s\n", function, place ? place : "nowhere", ct_error());
    ct_clear_error();
    return good;
}

static void test_places(void)
{
    ct_params *p = ct_params_new();
    struct ct_linear_layer layer = ct_new_linear(p, "fc", 3, 2);
    CHECK(!ct_forward(layer, ct_ones(CT_SHAPE(5, 4))) && failed_here("ct_forward"));
    CHECK(!ct_forward(layer, ct_forward(layer, ct_ones(CT_SHAPE(5, 4)))));
    CHECK(failed_here("ct_forward"));
    CHECK(!ct_tensor_of(float, CT_SHAPE(3), 1, 2) && failed_here("ct_tensor_of"));
    CHECK(!ct_load("nowhere.pt") && failed_here("ct_load"));
    CHECK(!ct_load_dict("nowhere.pt").v && failed_here("ct_load_dict"));
    CHECK(!ct_save(ct_ones(CT_SHAPE(2)), "/no/such/x.pt") && failed_here("ct_save"));
    CHECK(!ct_get(CT_DICT({"a", ct_ones(CT_SHAPE(1))}), "b") && failed_here("ct_get"));
    CHECK(!ct_save_image(ct_ones(CT_SHAPE(3, 2, 2)), "/no/such/x.png"));
    CHECK(failed_here("ct_save_image"));
}

int main(void)
{
    test_places();
    test_compressed();
    test_keywords();
    test_numbers();
    test_order();
    test_nesting();
    test_lists();
    test_results();
    test_named_results();
    test_print_results();
    test_data();
    test_indices();
    test_errors();
    test_plain();
    test_random_face();
    test_iteration();
    CHECK(!ct_error());
    return failures != 0;
}
