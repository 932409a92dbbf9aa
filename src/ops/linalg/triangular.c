/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements triangular systems with the factor engine. The derivative is in
 * autograd/derivatives/linalg/cholesky.c. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

/* A triangular matrix as the engine reads it: column-major memory to which LAPACK applies `op`. */
struct triangle {
    ct_tensor *memory; /* borrowed */
    char uplo, op;
};

static ct_tensor *transposed_view(struct cti_hold *h, ct_tensor *t)
{
    return cti_hold(h, ct_own_mT(t));
}

/* Describes t without copying it if it is column- or row-major. LAPACK conjugates only together
 * with a transpose, so other conjugated or negated triangles are copied. */
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
    r->memory = rows ? transposed_view(h, t) : t;
    r->uplo = upper != rows ? 'U' : 'L';
    r->op = !transposed ? 'N' : t && t->flags & CTI_CONJ ? 'C' : 'T';
    return r->memory != NULL;
}

/* Overwrites x, column-major, with the solution. The triangle has x's batch dims, or there is one
 * triangle for the whole batch. */
static bool run_triangular(const struct triangle *t, ct_tensor *x, bool left, bool unit)
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
    ct_tensor *A = input; /* B is cast to its dtype */
    if (!check_solve_triangular(A, B, left) || !cti_linalg_broadcast(A, B, &nbatch, batch) ||
        !cti_linalg_has_kernel(A, "triangular_solve_cpu"))
        return NULL;
    ct_tensor *typed = cti_hold(&h, B->dtype == A->dtype ? ct_retain(B) : cti_cast(B, ct_dtype(A)));
    ct_tensor *expanded = typed ? cti_hold(&h, cti_linalg_spread(typed, nbatch, batch, 2)) : NULL;
    bool one = cti_linalg_batch(A) == 1;
    ct_tensor *a = one ? A : cti_hold(&h, cti_linalg_spread(A, nbatch, batch, 2));
    if (!expanded || !a)
        return cti_hold_end(&h, NULL);
    /* The result is column-major. As in PyTorch it is row-major if that saves a copy of a
     * conjugated A: the engine then solves X^T A^T = B^T, applying conj(A)^T. */
    bool rows = a->flags & CTI_CONJ && cti_linalg_is_column_major(a);
    ct_tensor *x = cti_hold(&h, rows ? ct_own_clone(expanded, CT_CONTIGUOUS_FORMAT)
                                     : cti_linalg_copy(expanded));
    ct_tensor *resolved = x && rows ? cti_hold(&h, cti_resolve(x)) : x;
    ct_tensor *oriented = rows && resolved ? transposed_view(&h, resolved) : resolved;
    bool good = oriented && read_triangle(&h, &t, a, upper, rows) &&
                run_triangular(&t, oriented, left != rows, unitriangular);
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
    static bool warned;
    cti_warn_once(
        &warned,
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand "
        "will be removed in a future PyTorch release.\ntorch.linalg.solve_triangular has its "
        "arguments reversed and does not return a copy of one of the inputs.\nX = "
        "torch.triangular_solve(B, A).solution\nshould be replaced with\nX = "
        "torch.linalg.solve_triangular(A, B).");
    if (!cti_linalg_broadcast(A, b, &nbatch, batch) ||
        !cti_linalg_has_kernel(b, "triangular_solve_cpu"))
        return false;
    ct_tensor *expanded = cti_hold(&h, cti_linalg_spread(b, nbatch, batch, 2));
    ct_tensor *a = cti_hold(&h, cti_linalg_spread(A, nbatch, batch, 2));
    ct_tensor *x = expanded ? cti_hold(&h, cti_linalg_copy(expanded)) : NULL;
    ct_tensor *copy = a ? cti_hold(&h, cti_linalg_copy(a)) : NULL;
    struct triangle t = {copy, upper ? 'U' : 'L', transpose ? 'T' : 'N'};
    bool good = x && copy && run_triangular(&t, x, true, unitriangular);
    result->solution = good ? ct_retain(x) : NULL;
    result->cloned_coefficient = good ? ct_retain(copy) : NULL;
    cti_hold_end(&h, NULL);
    return good;
}
