/* SPDX-License-Identifier: BSD-3-Clause */
/* GEMM by cuBLASLt, or by our own kernels if they are faster (hopper.c, tensor_cores.c, skinny.c).
 * Operands without a unit stride, and conjugated ones, are packed first. Descriptors and algorithms
 * are cached by shape (accelerator/plans.h). Integers, which cuBLASLt does not multiply, are
 * computed on the host. */
#include "accelerator/plans.h"
#include "corten/cuda.h"
#include "cuda/common/strided_copy.h"
#include "cuda/engines.h"
#include "cuda/gemm/skinny.h"
#include "cuda/gemm/tensor_cores.h"
#include "cuda/runtime/kernel.h"

#include "core/alloc.h"
#include "core/gemm.h"
#include "core/half.h"

#include <pthread.h>
#include <string.h>

/* ---- the library: our own declarations ---- */

enum {
    LAYOUT_BATCH = 5,
    LAYOUT_STEP = 6,
    DESC_TRANSA = 3,
    DESC_TRANSB = 4,
    DESC_EPILOGUE = 7,
    DESC_BIAS = 8,
    EPILOGUE_BIAS = 4,
    PREFER_ALIGNMENT = 5, /* of A, then B, C and D */
    PREFER_WORKSPACE = 1,
    PREFER_REDUCTIONS = 3,
    COMPUTE_16F = 64,
    COMPUTE_32F = 68,
    COMPUTE_TF32 = 77,
    COMPUTE_64F = 70
};

struct algo {
    uint64_t data[8];
};

struct found {
    struct algo algo;
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
};

static struct {
    int (*create)(void **handle);
    int (*desc_create)(void **desc, int compute, int scale);
    int (*desc_destroy)(void *desc);
    int (*desc_set)(void *desc, int attribute, const void *value, size_t size);
    int (*layout_create)(void **layout, int type, uint64_t rows, uint64_t cols, int64_t ld);
    int (*layout_set)(void *layout, int attribute, const void *value, size_t size);
    int (*layout_destroy)(void *layout);
    int (*preference_create)(void **preference);
    int (*preference_set)(void *preference, int attribute, const void *value, size_t size);
    int (*heuristic)(void *handle, void *desc, void *a, void *b, void *c, void *d, void *preference,
                     int wanted, struct found *found, int *n);
    int (*matmul)(void *handle, void *desc, const void *alpha, const void *a, void *layout_a,
                  const void *b, void *layout_b, const void *beta, const void *c, void *layout_c,
                  void *d, void *layout_d, const struct algo *algo, void *workspace, size_t size,
                  cu_stream stream);
} lt;
static bool opened;
static void *handles[CTI_CUDA_MAX_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void open_cublaslt(void)
{
    static const char *const versions[] = {".13", ".12", "", NULL};
    const struct cti_library_function functions[] = {
        {"cublasLtCreate", &lt.create},
        {"cublasLtMatmulDescCreate", &lt.desc_create},
        {"cublasLtMatmulDescDestroy", &lt.desc_destroy},
        {"cublasLtMatmulDescSetAttribute", &lt.desc_set},
        {"cublasLtMatrixLayoutCreate", &lt.layout_create},
        {"cublasLtMatrixLayoutDestroy", &lt.layout_destroy},
        {"cublasLtMatrixLayoutSetAttribute", &lt.layout_set},
        {"cublasLtMatmulPreferenceCreate", &lt.preference_create},
        {"cublasLtMatmulPreferenceSetAttribute", &lt.preference_set},
        {"cublasLtMatmulAlgoGetHeuristic", &lt.heuristic},
        {"cublasLtMatmul", &lt.matmul},
    };
    opened = cti_library_functions(&cti_nvidia, "libcublasLt", versions, functions,
                                   (int)(sizeof functions / sizeof *functions));
}

static void *cublaslt_handle_of(int device)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_cublaslt);
    if (!opened)
        return NULL;
    pthread_mutex_lock(&lock);
    if (!handles[device] && lt.create(&handles[device]) != 0)
        handles[device] = NULL;
    void *handle = handles[device];
    pthread_mutex_unlock(&lock);
    return handle;
}

/* ---- plans, cached by shape ---- */

struct shape {
    int64_t m, n, k, batch, ld[3], step[3];
    int32_t device, dtype, trans_a, trans_b, precision, alignment; /* of all addresses, bytes */
    int32_t bias, unused; /* whether a vector is added to each column */
};

#define ALGORITHMS 6 /* tried at most */

struct plan {
    struct cti_plan link;
    struct shape shape;
    int users;    /* running calls */
    bool dropped; /* no longer in the table: its last user frees it */
    void *desc, *a, *b, *c;
    int nfound, first; /* algorithms, best first; index of the first that has not failed */
    struct found found[ALGORITHMS];
};

#define MOST_PLANS 2048
static struct cti_plans plans;

static int cublaslt_type(int dtype)
{
    return dtype == CT_FLOAT32     ? 0
           : dtype == CT_FLOAT64   ? 1
           : dtype == CT_FLOAT16   ? 2
           : dtype == CT_BFLOAT16  ? 14
           : dtype == CT_COMPLEX64 ? 4
                                   : 5;
}

/* The precision that the switches allow for a type. */
enum precision {
    FULL,    /* accumulate in float32 or float64 */
    TF32,    /* operands rounded to TF32 */
    REDUCED, /* split-K reductions in half precision */
    HALF     /* accumulate in float16 */
};

static int gemm_precision_of(int dtype)
{
    switch (dtype) {
    case CT_FLOAT32:
    case CT_COMPLEX64:
        return ct_cuda_switch(CT_CUDA_MATMUL_TF32) ? TF32 : FULL;
    case CT_FLOAT16:
        return ct_cuda_switch(CT_CUDA_FP16_ACCUMULATION) ? HALF
               : ct_cuda_switch(CT_CUDA_FP16_REDUCED)    ? REDUCED
                                                         : FULL;
    case CT_BFLOAT16:
        return ct_cuda_switch(CT_CUDA_BF16_REDUCED) ? REDUCED : FULL;
    default:
        return FULL;
    }
}

/* The type of alpha and beta. */
static int scale_type(int dtype, int precision)
{
    return precision == HALF ? dtype : cti_cuda_compute(dtype);
}

static bool gemm_layout(void **made, const struct shape *s, int which, int64_t rows, int64_t cols)
{
    int32_t batch = (int32_t)s->batch;
    return lt.layout_create(made, cublaslt_type(s->dtype), (uint64_t)rows, (uint64_t)cols,
                            s->ld[which]) == 0 &&
           lt.layout_set(*made, LAYOUT_BATCH, &batch, sizeof batch) == 0 &&
           lt.layout_set(*made, LAYOUT_STEP, &s->step[which], sizeof s->step[which]) == 0;
}

/* Heuristic preferences: workspace, alignment, reduction schemes. NULL: failed. */
static void *gemm_preference_for(const struct shape *s)
{
    static void *preferences[2][10]; /* by `reduced` and log2 of the alignment */
    size_t most = (size_t)32 << 20;
    uint32_t alignment = (uint32_t)s->alignment;
    bool reduced = s->precision == REDUCED || s->precision == HALF;
    /* Split-K reduction schemes: in the compute type, or also in the output's if the switches allow
     * it. Never in place (1): that scheme adds parts in the order in which blocks finish, so that
     * bits would differ from run to run. */
    uint32_t schemes = reduced ? 0x2 | 0x4 : 0x2;
    void **made = &preferences[reduced][__builtin_ctz(alignment)];
    if (*made)
        return *made;
    bool good = lt.preference_create(made) == 0 &&
                lt.preference_set(*made, PREFER_WORKSPACE, &most, sizeof most) == 0 &&
                lt.preference_set(*made, PREFER_REDUCTIONS, &schemes, sizeof schemes) == 0;
    for (int i = 0; good && i < 4; i++)
        good = lt.preference_set(*made, PREFER_ALIGNMENT + i, &alignment, sizeof alignment) == 0;
    return good ? *made : (*made = NULL);
}

static void gemm_free_plan(struct plan *p)
{
    void *const layouts[] = {p->a, p->b, p->c};
    for (int i = 0; i < 3; i++)
        if (layouts[i])
            lt.layout_destroy(layouts[i]);
    if (p->desc)
        lt.desc_destroy(p->desc);
    cti_free(p);
}

static bool gemm_fill_plan(struct plan *p, void *handle)
{
    const struct shape *s = &p->shape;
    const int32_t epilogue = EPILOGUE_BIAS;
    int n = 0;
    void *preference = gemm_preference_for(s);
    bool wide = s->dtype == CT_FLOAT64 || s->dtype == CT_COMPLEX128;
    int compute = wide                   ? COMPUTE_64F
                  : s->precision == TF32 ? COMPUTE_TF32
                  : s->precision == HALF ? COMPUTE_16F
                                         : COMPUTE_32F;
    bool good =
        preference &&
        lt.desc_create(&p->desc, compute, cublaslt_type(scale_type(s->dtype, s->precision))) == 0 &&
        lt.desc_set(p->desc, DESC_TRANSA, &s->trans_a, sizeof s->trans_a) == 0 &&
        lt.desc_set(p->desc, DESC_TRANSB, &s->trans_b, sizeof s->trans_b) == 0 &&
        (!s->bias || lt.desc_set(p->desc, DESC_EPILOGUE, &epilogue, sizeof epilogue) == 0) &&
        gemm_layout(&p->a, s, 0, s->trans_a ? s->k : s->m, s->trans_a ? s->m : s->k) &&
        gemm_layout(&p->b, s, 1, s->trans_b ? s->n : s->k, s->trans_b ? s->k : s->n) &&
        gemm_layout(&p->c, s, 2, s->m, s->n) &&
        lt.heuristic(handle, p->desc, p->a, p->b, p->c, p->c, preference, ALGORITHMS, p->found,
                     &n) == 0;
    for (int i = 0; good && i < n; i++)
        if (p->found[i].state == 0)
            p->found[p->nfound++] = p->found[i];
    return good && p->nfound;
}

static struct plan *gemm_make_plan(const struct shape *s, void *handle)
{
    struct plan *p = cti_malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (struct plan){.shape = *s};
    if (!gemm_fill_plan(p, handle)) {
        gemm_free_plan(p);
        return NULL;
    }
    struct plan *old = cti_plans_add(&plans, &p->link, &p->shape, sizeof p->shape, MOST_PLANS);
    if (old && old->users)
        old->dropped = true;
    else if (old)
        gemm_free_plan(old);
    return p;
}

/* Acquires a plan; release it with gemm_release_plan. NULL without an error: the library does not
 * support the product; with one: out of memory. */
static struct plan *gemm_find_plan(const struct shape *s, void *handle)
{
    pthread_mutex_lock(&lock);
    struct plan *p = cti_plans_find(&plans, s, sizeof *s);
    if (!p)
        p = gemm_make_plan(s, handle);
    if (p)
        p->users++;
    pthread_mutex_unlock(&lock);
    return p;
}

static void gemm_release_plan(struct plan *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&lock);
    if (--p->users == 0 && p->dropped)
        gemm_free_plan(p);
    pthread_mutex_unlock(&lock);
}

/* ---- operands ---- */

/* A column-major operand of cuBLASLt. */
struct matrix {
    const void *data;
    int64_t ld, step;
    bool transposed;
    void *block; /* of a packed copy */
};

/* Packs a batch of matrices in column-major order. shape and stride list the batch dims first, then
 * rows and columns. */
static bool gemm_pack(struct matrix *x, const struct cti_gemm *w, const void *data,
                      const int64_t shape[3], const int64_t stride[3], bool conj)
{
    int64_t rows = shape[1], area = rows * shape[2], batch = stride[0] ? shape[0] : 1;
    void *packed =
        cti_cuda_scratch(w->work.device.index, batch * area * cti_itemsize(w->dtype), &x->block);
    struct cti_cuda_strided to = {packed, w->dtype, (const int64_t[]){area, 1, rows}};
    struct cti_cuda_strided from = {data, w->dtype, stride};
    *x = (struct matrix){packed, rows, stride[0] ? area : 0, false, x->block};
    return packed &&
           cti_cuda_copy_strided(w->work.device, 3, (const int64_t[]){batch, rows, shape[2]}, to,
                                 from, conj);
}

/* Describes an operand, or a packed copy if its strides or conj flag require one. False: failed. */
static bool gemm_prepare_operand(struct matrix *x, const struct cti_gemm *w, const void *data,
                                 int64_t batch, int64_t rows, int64_t cols, int64_t step,
                                 int64_t row, int64_t col, bool conj)
{
    *x = (struct matrix){.data = data, .step = batch > 1 ? step : 0};
    if (conj || step < 0)
        return gemm_pack(x, w, data, (const int64_t[]){batch, rows, cols},
                         (const int64_t[]){step, row, col}, conj);
    if ((row == 1 || rows == 1) && (col >= rows || cols == 1)) {
        x->ld = cols == 1 && col < rows ? rows : col;
        return true;
    }
    if ((col == 1 || cols == 1) && (row >= cols || rows == 1)) {
        x->ld = rows == 1 && row < cols ? cols : row;
        x->transposed = true;
        return true;
    }
    return gemm_pack(x, w, data, (const int64_t[]){batch, rows, cols},
                     (const int64_t[]){step, row, col}, false);
}

/* cuBLASLt is column-major: for a row-major C compute C^T = B^T A^T. */
static struct cti_gemm transposed_problem(const struct cti_gemm *w)
{
    struct cti_gemm t = *w;
    t.m = w->n;
    t.n = w->m;
    t.a = w->b;
    t.a_row = w->b_col;
    t.a_col = w->b_row;
    t.a_batch = w->b_batch;
    t.conj_a = w->conj_b;
    t.b = w->a;
    t.b_row = w->a_col;
    t.b_col = w->a_row;
    t.b_batch = w->a_batch;
    t.conj_b = w->conj_a;
    t.c_row = w->c_col;
    t.c_col = w->c_row;
    t.bias_row = w->bias_col;
    t.bias_col = w->bias_row;
    return t;
}

static void store_scale(int dtype, const double x[2], char to[16])
{
    const float f[2] = {(float)x[0], (float)x[1]};
    const uint16_t half = cti_float_to_half(f[0]);
    if (dtype == CT_FLOAT64 || dtype == CT_COMPLEX128)
        memcpy(to, x, 16);
    else if (dtype == CT_FLOAT16)
        memcpy(to, &half, 2);
    else
        memcpy(to, f, 8);
}

/* Fills C with the bias; the product is then added with beta = 1. */
static bool gemm_put_bias(const struct cti_gemm *w)
{
    struct cti_cuda_strided to = {w->c, w->dtype,
                                  (const int64_t[]){w->c_batch, w->c_row, w->c_col}};
    struct cti_cuda_strided from = {w->bias, w->dtype,
                                    (const int64_t[]){w->bias_batch, w->bias_row, w->bias_col}};
    return cti_cuda_copy_strided(w->work.device, 3, (const int64_t[]){w->batch, w->m, w->n}, to,
                                 from, false);
}

/* False: every algorithm was refused, or out of memory; the error is set. */
static bool gemm_run_plan(struct plan *p, const struct cti_gemm *w, void *handle, const void *a,
                          const void *b, const void *alpha, const void *beta)
{
    bool good = true, done = false;
    int device = w->work.device.index;
    for (int i = __atomic_load_n(&p->first, __ATOMIC_RELAXED); good && !done && i < p->nfound;
         i++) {
        size_t size = p->found[i].workspace;
        void *block = NULL, *room = size ? cti_cuda_scratch(device, (int64_t)size, &block) : NULL;
        good = room || !size;
        int code = 0;
        if (p->shape.bias) /* descriptors are shared by all threads */
            pthread_mutex_lock(&lock);
        if (good && p->shape.bias)
            code = lt.desc_set(p->desc, DESC_BIAS, &w->bias, sizeof w->bias);
        if (good && code == 0)
            code = lt.matmul(handle, p->desc, alpha, a, p->a, b, p->b, beta, w->c, p->c, w->c, p->c,
                             &p->found[i].algo, room, size, cti_cuda_stream(device));
        if (p->shape.bias)
            pthread_mutex_unlock(&lock);
        done = good && code == 0;
        if (good && !done) /* proposed by the heuristic, then refused: not tried again */
            __atomic_store_n(&p->first, i + 1, __ATOMIC_RELAXED);
        cti_cuda_scratch_end(block);
    }
    return done;
}

/* Whether our own tensor-core kernels apply. They are row-major, so the operands of the
 * column-major product are exchanged. */
static bool gemm_is_for_tensor_cores(struct cti_gemm_tensor *t, const struct cti_gemm *w,
                                     const struct matrix *a, const struct matrix *b, int64_t ld,
                                     bool fused, bool library)
{
    *t = (struct cti_gemm_tensor){.a = {b->data, b->ld, b->step, !b->transposed},
                                  .b = {a->data, a->ld, a->step, a->transposed},
                                  .bias = fused ? w->bias : NULL,
                                  .c = w->c,
                                  .m = w->n,
                                  .n = w->m,
                                  .k = w->k,
                                  .batch = w->batch,
                                  .ldc = ld,
                                  .c_batch = w->batch > 1 ? w->c_batch : 0,
                                  .alpha = w->alpha[0],
                                  .beta = w->beta[0]};
    return w->dtype == CT_FLOAT32 && gemm_precision_of(CT_FLOAT32) == FULL && (!w->bias || fused) &&
           (cti_cuda_gemm_hopper_fits(t, w->work.device.index, library) ||
            cti_cuda_gemm_tensor_fits(t, w->work.device.index, library));
}

/* A column-major product. handle: cuBLASLt's, or NULL. False without an error: nothing supports
 * it. */
static bool gemm_multiply(const struct cti_gemm *w, void *handle)
{
    struct matrix a, b = {0};
    struct plan *p = NULL;
    char alpha[16], beta[16];
    int device = w->work.device.index;
    bool good = gemm_prepare_operand(&a, w, w->a, w->batch, w->m, w->k, w->a_batch, w->a_row,
                                     w->a_col, w->conj_a) &&
                gemm_prepare_operand(&b, w, w->b, w->batch, w->k, w->n, w->b_batch, w->b_row,
                                     w->b_col, w->conj_b);
    int64_t ld = w->n == 1 && w->c_col < w->m ? w->m : w->c_col;
    bool fused = w->bias && w->bias_row == 1 && w->bias_col == 0 && w->bias_batch == 0 &&
                 w->dtype < CT_COMPLEX64 && w->m > 1;
    struct cti_gemm_tensor t;
    if (good && gemm_is_for_tensor_cores(&t, w, &a, &b, ld, fused, handle != NULL)) {
        good = cti_cuda_gemm_hopper_fits(&t, device, handle) ? cti_cuda_gemm_hopper(&t, device)
                                                             : cti_cuda_gemm_tensor(&t, device);
        cti_cuda_scratch_end(a.block);
        cti_cuda_scratch_end(b.block);
        return good;
    }
    uintptr_t bits = (uintptr_t)a.data | (uintptr_t)b.data | (uintptr_t)w->c | 256;
    bits |= fused ? (uintptr_t)w->bias : 0;
    struct shape s;
    memset(&s, 0, sizeof s);
    s = (struct shape){.m = w->m,
                       .n = w->n,
                       .k = w->k,
                       .batch = w->batch,
                       .ld = {a.ld, b.ld, ld},
                       .step = {a.step, b.step, w->batch > 1 ? w->c_batch : 0},
                       .device = device,
                       .dtype = (int32_t)w->dtype,
                       .trans_a = a.transposed,
                       .trans_b = b.transposed,
                       .precision = gemm_precision_of((int)w->dtype),
                       .alignment = (int32_t)(bits & -bits),
                       .bias = fused};
    p = good && handle ? gemm_find_plan(&s, handle) : NULL;
    if (good && handle && fused && !p) {
        s.bias = fused = false;
        p = gemm_find_plan(&s, handle);
    }
    good = p != NULL;
    good = good && (!w->bias || fused || gemm_put_bias(w));
    int type = scale_type((int)w->dtype, s.precision);
    store_scale(type, w->alpha, alpha);
    store_scale(type, w->bias && !fused ? (const double[]){1, 0} : w->beta, beta);
    good = good && gemm_run_plan(p, w, handle, a.data, b.data, alpha, beta);
    gemm_release_plan(p);
    cti_cuda_scratch_end(a.block);
    cti_cuda_scratch_end(b.block);
    return good;
}

enum cti_status cti_cuda_gemm(struct cti_gemm *work)
{
    bool plain = work->dtype >= CT_FLOAT16 && work->m && work->n && work->k && work->batch;
    bool columns = (work->c_row == 1 || work->m == 1) && (work->c_col >= work->m || work->n == 1);
    bool rows = (work->c_col == 1 || work->n == 1) && (work->c_row >= work->n || work->m == 1);
    if (!plain || !(columns || rows) || cti_cuda_fake() || !cti_cuda_has_kernels() ||
        !cti_cuda_use(work->work.device.index))
        return CTI_DECLINED;
    enum cti_status status = cti_cuda_gemm_skinny(work);
    if (status != CTI_DECLINED)
        return status;
    void *handle = cublaslt_handle_of(work->work.device.index);
    struct cti_gemm t = columns ? *work : transposed_problem(work);
    if (gemm_multiply(&t, handle))
        return CTI_DONE;
    return ct_error_kind() == CT_ERR_NONE ? CTI_DECLINED : CTI_FAILED;
}
