/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements singular values (svd, svdvals) with the factor engine. The derivative is in
 * autograd/derivatives/linalg/svd.c. */
#include "fronts.h"
#include "ops/linalg/linalg.h"

#include <string.h>

struct svd {
    ct_tensor *u, *s, *vh;
};

static void release_svd(struct svd *f)
{
    cti_release_all(f->u, f->s, f->vh);
    *f = (struct svd){0};
}

static bool check_svd(const ct_tensor *a, const char *driver)
{
    if (!cti_linalg_is_matrix(a, "A", "linalg.svd") || !cti_linalg_is_floating(a, "linalg.svd"))
        return false;
    bool device = cti_accelerator_of(a->storage->device.type) != NULL;
    if (driver && device && strcmp(driver, "gesvd") != 0 && strcmp(driver, "gesvdj") != 0 &&
        strcmp(driver, "gesvda") != 0)
        return cti_refuse(CT_ERR_RUNTIME, "torch.linalg.svd: unknown svd driver %s", driver);
    if (driver && !device)
        return cti_refuse(CT_ERR_RUNTIME, "torch.linalg.svd: keyword argument `driver=` is only "
                                          "supported on CUDA inputs with cuSOLVER backend.");
    return !a->numel || cti_linalg_has_kernel(a, "linalg_svd_cpu");
}

/* Returns the factors of an empty matrix: identities if full matrices are wanted. */
static bool svd_of_nothing(struct svd *f)
{
    return (!f->u || !f->u->numel || cti_linalg_fill_identity(f->u)) &&
           (!f->vh || !f->vh->numel || cti_linalg_fill_identity(f->vh));
}

static bool converged(ct_tensor *info)
{
    static const char *const words[] = {
        "%s: %sThe algorithm failed to converge because the input matrix is ill-conditioned or has "
        "too many repeated singular values (error code: %d).",
        "%s: %sThe algorithm failed to converge because the input matrix contained non-finite "
        "values."};
    int32_t code;
    if (!cti_linalg_first_code(info, &code))
        return false;
    return !code || cti_linalg_succeeded(info, CT_ERR_LINALG, words[code < 0], "linalg.svd");
}

static bool svd_run(struct svd *f, ct_tensor *a, char mode)
{
    ct_tensor *copy = cti_linalg_copy(a), *info = cti_linalg_vectors(a, -1, CT_INT32);
    bool good = copy && info;
    if (good) {
        struct cti_factor work = {.kind = CTI_FACTOR_SVD,
                                  .mode = mode,
                                  .m = cti_linalg_rows(a),
                                  .n = cti_linalg_cols(a),
                                  .part = {cti_linalg_part(copy, 2), cti_linalg_part(f->s, 1)}};
        if (mode != 'N') {
            work.part[2] = cti_linalg_part(f->u, 2);
            work.part[3] = cti_linalg_part(f->vh, 2);
        }
        good = cti_linalg_run(&work, copy, info) && converged(info);
    }
    cti_release_all(copy, info);
    return good;
}

/* mode, as in LAPACK: 'A' full matrices, 'S' reduced, 'N' only the values. */
static bool svd_decompose(struct svd *f, ct_tensor *a, char mode, const char *driver)
{
    *f = (struct svd){0};
    if (!check_svd(a, driver))
        return false;
    int64_t m = cti_linalg_rows(a), n = cti_linalg_cols(a), k = m < n ? m : n;
    enum ct_dtype dtype = ct_dtype(a);
    f->s = cti_linalg_vectors(a, k, cti_dtype_to_real(dtype));
    bool good = f->s != NULL;
    if (good && mode != 'N') {
        f->u = cti_linalg_columns(a, m, mode == 'A' ? m : k, dtype);
        f->vh = cti_linalg_columns(a, mode == 'A' ? n : k, n, dtype);
        good = f->u && f->vh;
    }
    good = good && (a->numel ? svd_run(f, a, mode) : svd_of_nothing(f));
    if (!good)
        release_svd(f);
    return good;
}

bool cti_op_linalg_svd(struct ct_linalg_svd_result *result, ct_tensor *A, bool full_matrices,
                       const char *driver)
{
    struct svd f;
    bool good = svd_decompose(&f, A, full_matrices ? 'A' : 'S', driver);
    *result = (struct ct_linalg_svd_result){f.u, f.s, f.vh};
    return good;
}

ct_tensor *cti_op_linalg_svdvals(ct_tensor *A, const char *driver)
{
    if (cti_grad_on() && cti_wants_grad(A)) { /* the derivative also needs the vectors */
        struct ct_linalg_svd_result all = ct_own_linalg_svd(A, false, driver);
        cti_release_all(all.U, all.Vh);
        return all.S;
    }
    struct svd f;
    return svd_decompose(&f, A, 'N', driver) ? f.s : NULL;
}

/* [..., n, n] of zeros: the vectors that svd returns for compute_uv=False. */
static ct_tensor *no_vectors(ct_tensor *a, int64_t n)
{
    int64_t shape[CTI_MAX_DIMS];
    for (int d = 0; d < a->ndim; d++)
        shape[d] = d < a->ndim - 2 ? a->shape[d] : n;
    return ct_own_zeros(ct_ints_of(shape, a->ndim), ct_dtype(a), a->storage->device, false);
}

bool cti_op_svd(struct ct_svd_result *result, ct_tensor *input, bool some, bool compute_uv)
{
    ct_tensor *vh = NULL;
    if (input->ndim < 2)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "linalg.svd: input should have at least 2 dimensions, but has %d dimensions "
            "instead",
            input->ndim);
    if (compute_uv) {
        struct ct_linalg_svd_result all = ct_own_linalg_svd(input, !some, NULL);
        result->U = all.U;
        result->S = all.S;
        vh = all.Vh;
    } else {
        result->S = ct_own_linalg_svdvals(input, NULL);
        result->U = result->S ? no_vectors(input, cti_linalg_rows(input)) : NULL;
        vh = result->U ? no_vectors(input, cti_linalg_cols(input)) : NULL;
    }
    result->V = ct_own_adjoint(vh);
    ct_release(vh);
    return result->U && result->S && result->V;
}
