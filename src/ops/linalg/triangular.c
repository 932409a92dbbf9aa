/* SPDX-License-Identifier: BSD-3-Clause */
/* Equations with triangular matrices, over the factor engine. The derivative is in
 * autograd/derivatives/linalg/cholesky.c. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

/* A triangular matrix as the engine reads it: memory in columns, of which `op` makes the matrix, or
 * its transpose where that is wanted. */
struct triangle {
    ct_tensor *memory; /* borrowed */
    char uplo, op;
};

static ct_tensor *mirrored(struct cti_hold *h, ct_tensor *t)
{
    return cti_hold(h, ct_own_mT(t));
}

/* Without a copy where t lies in columns or rows; conjugated numbers only where LAPACK can do it on
 * the way, which is with the transpose. */
static bool read_triangle(struct cti_hold *h, struct triangle *r, ct_tensor *t, bool upper,
                          bool transpose)
{
    bool columns = cti_linalg_is_column_major(t), rows = !columns && ct_is_contiguous(t);
    bool transposed = rows != transpose;
    if (t->flags & CTI_NEG || (t->flags & CTI_CONJ && !transposed) || !(columns || rows)) {
        t = cti_hold(h, cti_linalg_copy(t));
        rows = false;
        transposed = transpose;
    }
    r->memory = rows ? mirrored(h, t) : t;
    r->uplo = upper != rows ? 'U' : 'L';
    r->op = !transposed ? 'N' : t && t->flags & CTI_CONJ ? 'C' : 'T';
    return r->memory != NULL;
}

/* x, in columns, becomes the solution; batch dims of the triangle are x's, or it is one for all. */
static bool run(const struct triangle *t, ct_tensor *x, bool left, bool unit)
{
    struct cti_factor work = {.kind = CTI_FACTOR_TRIANGULAR,
                              .side = left ? 'L' : 'R',
                              .uplo = t->uplo,
                              .op = t->op,
                              .diag = unit ? 'U' : 'N',
                              .m = cti_linalg_rows(x),
                              .n = cti_linalg_cols(x),
                              .part = {cti_linalg_part(t->memory, 2), cti_linalg_part(x, 2)}};
    if (cti_linalg_batch(t->memory) == 1)
        work.part[0].step = 0;
    return cti_linalg_run(&work, x, NULL);
}

static bool check_solve_triangular(const ct_tensor *a, const ct_tensor *b, bool left)
{
    static const char name[] = "linalg.solve_triangular";
    if (!cti_linalg_is_square(a, name) || !cti_linalg_is_matrix(b, "B", name))
        return false;
    int64_t n = cti_linalg_cols(a), m = cti_linalg_rows(b), k = cti_linalg_cols(b);
    return cti_linalg_fit(n, m, k, left, name);
}

ct_tensor *cti_op_linalg_solve_triangular(ct_tensor *input, ct_tensor *B, bool upper, bool left,
                                          bool unitriangular)
{
    struct cti_hold h = {0};
    struct triangle t;
    int64_t batch[CTI_MAX_DIMS];
    int nbatch;
    ct_tensor *A = input; /* B gets its type */
    if (!check_solve_triangular(A, B, left) || !cti_linalg_broadcast(A, B, &nbatch, batch) ||
        !cti_linalg_has_kernel(A, "triangular_solve_cpu"))
        return NULL;
    ct_tensor *typed = cti_hold(&h, B->dtype == A->dtype ? ct_retain(B) : cti_cast(B, ct_dtype(A)));
    ct_tensor *wide = typed ? cti_hold(&h, cti_linalg_spread(typed, nbatch, batch, 2)) : NULL;
    bool one = cti_linalg_batch(A) == 1;
    ct_tensor *a = one ? A : cti_hold(&h, cti_linalg_spread(A, nbatch, batch, 2));
    if (!wide || !a)
        return cti_hold_end(&h, NULL);
    /* The result lies in columns. As in PyTorch it lies in rows where that saves a copy of A:
     * X^T A^T = B^T, with conj(A)^T on the way. */
    bool rows = a->flags & CTI_CONJ && cti_linalg_is_column_major(a);
    ct_tensor *x =
        cti_hold(&h, rows ? ct_own_clone(wide, CT_CONTIGUOUS_FORMAT) : cti_linalg_copy(wide));
    ct_tensor *resolved = x && rows ? cti_hold(&h, cti_resolve(x)) : x;
    ct_tensor *seen = rows && resolved ? mirrored(&h, resolved) : resolved;
    bool good =
        seen && read_triangle(&h, &t, a, upper, rows) && run(&t, seen, left != rows, unitriangular);
    return cti_hold_end(&h, good ? resolved : NULL);
}

bool cti_op_triangular_solve(struct ct_triangular_solve_result *result, ct_tensor *input,
                             ct_tensor *A, bool upper, bool transpose, bool unitriangular)
{
    struct cti_hold h = {0};
    int64_t batch[CTI_MAX_DIMS];
    int nbatch;
    ct_tensor *b = input;
    const ct_tensor *const both[] = {b, A};
    for (int i = 0; i < 2; i++)
        if (both[i]->ndim < 2)
            return cti_refuse(
                CT_ERR_RUNTIME,
                "torch.triangular_solve: Expected %s to have at least 2 dimensions, but "
                "it has %d dimensions instead",
                i ? "A" : "b", both[i]->ndim);
    if (!cti_linalg_can_solve(b, A, "triangular_solve"))
        return false;
    static bool said;
    cti_warn_once(
        &said,
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand "
        "will be removed in a future PyTorch release.\ntorch.linalg.solve_triangular has its "
        "arguments reversed and does not return a copy of one of the inputs.\nX = "
        "torch.triangular_solve(B, A).solution\nshould be replaced with\nX = "
        "torch.linalg.solve_triangular(A, B).");
    if (!cti_linalg_broadcast(A, b, &nbatch, batch) ||
        !cti_linalg_has_kernel(b, "triangular_solve_cpu"))
        return false;
    ct_tensor *wide = cti_hold(&h, cti_linalg_spread(b, nbatch, batch, 2));
    ct_tensor *a = cti_hold(&h, cti_linalg_spread(A, nbatch, batch, 2));
    ct_tensor *x = wide ? cti_hold(&h, cti_linalg_copy(wide)) : NULL;
    ct_tensor *copy = a ? cti_hold(&h, cti_linalg_copy(a)) : NULL;
    struct triangle t = {copy, upper ? 'U' : 'L', transpose ? 'T' : 'N'};
    bool good = x && copy && run(&t, x, true, unitriangular);
    result->solution = good ? ct_retain(x) : NULL;
    result->cloned_coefficient = good ? ct_retain(copy) : NULL;
    cti_hold_end(&h, NULL);
    return good;
}
