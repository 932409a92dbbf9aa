/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements eigenvalues (eig, eigvals, eigh, eigvalsh) with the factor engine, and the matrix
 * square root, which is computed from them. The derivatives are in
 * autograd/derivatives/linalg/eigen.c. */
#include "core/hold.h"
#include "fronts.h"
#include "ops/linalg/linalg.h"

#include <ctype.h>

struct eigen {
    ct_tensor *values, *vectors;
};

static bool release_eigen(struct eigen *f)
{
    cti_release_all(f->values, f->vectors);
    *f = (struct eigen){0};
    return false;
}

#define NOT_CONVERGED                                                                              \
    "%s: %sThe algorithm failed to converge because the input matrix is ill-conditioned or has "   \
    "too many repeated eigenvalues (error code: %d)."

/* ---- symmetric and Hermitian matrices ---- */

static bool is_triangle(const char *uplo)
{
    char letter = (char)toupper((unsigned char)uplo[0]);
    return ((letter == 'L' || letter == 'U') && !uplo[1]) ||
           cti_refuse(CT_ERR_RUNTIME, "Expected UPLO argument to be 'L' or 'U', but got %s", uplo);
}

/* The engine overwrites a copy of the matrix with the eigenvectors. */
static bool eigh(struct eigen *f, ct_tensor *a, const char *uplo, bool vectors)
{
    *f = (struct eigen){0};
    if (!cti_linalg_is_square(a, "linalg.eigh") || !is_triangle(uplo) ||
        (a->numel && !cti_linalg_has_kernel(a, "linalg_eigh_cpu")))
        return false;
    int64_t n = cti_linalg_cols(a);
    f->values = cti_linalg_vectors(a, n, cti_dtype_to_real(ct_dtype(a)));
    f->vectors = cti_linalg_copy(a);
    if (!f->values || !f->vectors)
        return release_eigen(f);
    if (!a->numel)
        return true;
    ct_tensor *info = cti_linalg_vectors(a, -1, CT_INT32);
    bool good = info != NULL;
    if (good) {
        struct cti_factor work = {
            .kind = CTI_FACTOR_EIGH,
            .mode = vectors ? 'V' : 'N',
            .uplo = (char)toupper((unsigned char)uplo[0]),
            .m = n,
            .n = n,
            .part = {cti_linalg_part(f->vectors, 2), cti_linalg_part(f->values, 1)}};
        good = cti_linalg_run(&work, f->vectors, info) &&
               cti_linalg_succeeded(info, CT_ERR_LINALG, NOT_CONVERGED, "linalg.eigh");
    }
    ct_release(info);
    return good || release_eigen(f);
}

bool cti_op_linalg_eigh(struct ct_linalg_eigh_result *result, ct_tensor *input, const char *UPLO)
{
    struct eigen f;
    bool good = eigh(&f, input, UPLO, true);
    *result = (struct ct_linalg_eigh_result){f.values, f.vectors};
    return good;
}

ct_tensor *cti_op_linalg_eigvalsh(ct_tensor *input, const char *UPLO)
{
    struct eigen f;
    if (cti_grad_on() && cti_wants_grad(input)) { /* the derivative also needs the vectors */
        struct ct_linalg_eigh_result all = ct_own_linalg_eigh(input, UPLO);
        ct_release(all.eigenvectors);
        return all.eigenvalues;
    }
    if (!eigh(&f, input, UPLO, false))
        return NULL;
    ct_release(f.vectors);
    return f.values;
}

/* ---- any square matrix ---- */

static bool refuse_not_finite(const char *name)
{
    return cti_refuse(CT_ERR_RUNTIME, "torch.%s: input tensor should not contain infs or NaNs.",
                      name);
}

static bool is_finite(ct_tensor *a)
{
    struct cti_hold h = {0};
    ct_tensor *each = cti_hold(&h, ct_own_isfinite(a));
    ct_tensor *all = cti_hold(&h, ct_own_all(each, CT_NO_DIMS, false));
    bool good = !all || ct_item(all) != 0;
    cti_hold_end(&h, NULL);
    return good;
}

/* With eigenvectors PyTorch checks for infs and NaNs before anything else. The engine checks too,
 * so a separate pass is needed only if a later check would fail first. */
static bool eig_refused(ct_tensor *a, bool vectors, const char *name)
{
    if (a->dtype < CT_FLOAT16)
        return !ct_fail(CT_ERR_RUNTIME, "Unknown Complex ScalarType for %s",
                        cti_dtype_scalar_name(ct_dtype(a)));
    bool square = a->ndim >= 2 && cti_linalg_rows(a) == cti_linalg_cols(a);
    if (vectors && (!square || a->dtype < CT_FLOAT32) && !is_finite(a))
        return !refuse_not_finite(name);
    return !cti_linalg_is_square(a, name) || !cti_linalg_has_kernel(a, "linalg_eig_out_cpu");
}

/* The engine's info is -1 if an element is not finite. */
static bool eig_succeeded(ct_tensor *info, const char *name)
{
    ct_tensor *host = info->storage->device.type == CT_META ? NULL : cti_host(info);
    if (!host)
        return info->storage->device.type == CT_META;
    const int32_t *code = (const int32_t *)(const void *)cti_data(host);
    bool odd = false;
    for (int64_t i = 0; i < host->numel; i++)
        odd = odd || code[i] < 0;
    ct_release(host);
    if (odd)
        return refuse_not_finite(name);
    return cti_linalg_succeeded(info, CT_ERR_LINALG, NOT_CONVERGED, name);
}

/* Computes the complex eigenvalues and, if `vectors`, the eigenvectors of general matrices. On
 * failure there is nothing to release. */
static bool eig(struct eigen *f, ct_tensor *a, bool vectors, const char *name)
{
    *f = (struct eigen){0};
    if (eig_refused(a, vectors, name))
        return false;
    int64_t n = cti_linalg_cols(a);
    enum ct_dtype complex = cti_dtype_to_complex(ct_dtype(a));
    f->values = cti_linalg_vectors(a, n, complex);
    f->vectors = vectors ? cti_linalg_columns(a, n, n, complex) : NULL;
    if (!f->values || (vectors && !f->vectors))
        return release_eigen(f);
    if (!a->numel)
        return true;
    ct_tensor *copy = cti_linalg_copy(a), *info = cti_linalg_vectors(a, -1, CT_INT32);
    bool good = copy && info;
    if (good) {
        struct cti_factor work = {
            .kind = CTI_FACTOR_EIG,
            .m = n,
            .n = n,
            .part = {cti_linalg_part(copy, 2), cti_linalg_part(f->values, 1)}};
        if (vectors)
            work.part[2] = cti_linalg_part(f->vectors, 2);
        good = cti_linalg_run(&work, copy, info) && eig_succeeded(info, name);
    }
    cti_release_all(copy, info);
    return good || release_eigen(f);
}

bool cti_op_linalg_eig(struct ct_linalg_eig_result *result, ct_tensor *input)
{
    struct eigen f;
    bool good = eig(&f, input, true, "linalg.eig");
    *result = (struct ct_linalg_eig_result){f.values, f.vectors};
    return good;
}

ct_tensor *cti_op_linalg_eigvals(ct_tensor *input)
{
    struct eigen f;
    if (cti_grad_on() && cti_wants_grad(input)) {
        struct ct_linalg_eig_result all = ct_own_linalg_eig(input);
        ct_release(all.eigenvectors);
        return all.eigenvalues;
    }
    return eig(&f, input, false, "linalg.eigvals") ? f.values : NULL;
}

/* ---- the square root ---- */

/* V sqrt(L) V^H; eigenvalues below 0 (by rounding) count as 0. */
ct_tensor *cti_op_linalg_matrix_sqrth(ct_tensor *input)
{
    static const char name[] = "linalg.matrix_sqrth";
    struct cti_hold h = {0};
    if (!cti_linalg_is_square(input, name) || !cti_linalg_is_full(input, name))
        return NULL;
    if (!cti_linalg_cols(input))
        return cti_clone(input);
    struct ct_linalg_eigh_result f = ct_own_linalg_eigh(input, "L");
    cti_hold(&h, f.eigenvalues);
    cti_hold(&h, f.eigenvectors);
    ct_tensor *above =
        f.eigenvalues ? cti_hold(&h, ct_own_clamp_min(f.eigenvalues, ct_value_int(0))) : NULL;
    ct_tensor *roots = cti_hold(&h, ct_own_unsqueeze(cti_hold(&h, ct_own_sqrt(above)), -2));
    ct_tensor *scaled = cti_hold(&h, ct_own_mul(V(f.eigenvectors), V(roots)));
    ct_tensor *transposed = cti_hold(&h, ct_own_adjoint(f.eigenvectors));
    return cti_hold_end(&h, cti_hold(&h, ct_own_matmul(scaled, transposed)));
}

/* Solves H Y + Y H = X: in the basis of H's eigenvectors each element of X is divided by the sum of
 * two eigenvalues. */
ct_tensor *cti_op__linalg_halves(ct_tensor *H, ct_tensor *X)
{
    struct cti_hold h = {0};
    if (!X->numel)
        return cti_clone(X);
    struct ct_linalg_eigh_result f = ct_own_linalg_eigh(H, "L");
    ct_tensor *values = cti_hold(&h, f.eigenvalues), *v = cti_hold(&h, f.eigenvectors);
    ct_tensor *transposed = cti_hold(&h, ct_own_adjoint(v));
    ct_tensor *row = cti_hold(&h, ct_own_unsqueeze(values, -2));
    ct_tensor *column = cti_hold(&h, ct_own_unsqueeze(values, -1));
    ct_tensor *sums = cti_hold(&h, ct_own_add(V(row), V(column), ct_value_int(1)));
    ct_tensor *left = cti_hold(&h, ct_own_matmul(transposed, X));
    ct_tensor *inner = cti_hold(&h, ct_own_matmul(left, v));
    ct_tensor *ratio = cti_hold(&h, ct_own_div(V(inner), V(sums), NULL));
    ct_tensor *right = cti_hold(&h, ct_own_matmul(v, ratio));
    return cti_hold_end(&h, cti_hold(&h, ct_own_matmul(right, transposed)));
}
