/* SPDX-License-Identifier: BSD-3-Clause */
/* QR factorisation of one matrix, products of reflectors, and least squares. Called by the driver
 * (factor.c) through its table of kinds. */
#include "cpu/factor/small.h"
#include "cpu/factor/tiles.h"

#include "cpu/blas.h"

#include <math.h>
#include <string.h>

/* geqrf, or orgqr: R and reflectors, or Q from reflectors. */
static int call_qr(const struct cti_factor_job *job, char *room, int64_t i, const int *lwork)
{
    char *a = cti_factor_part_at(job, 0, job->size, i);
    char *tau = cti_factor_part_at(job, 1, job->size, i);
    int lda = cti_factor_least_one(job->m), info = 0;
    if (job->w->kind == CTI_FACTOR_QR)
        job->lapack->geqrf[job->type](&job->m, &job->n, a, &lda, tau, room, lwork, &info);
    else
        job->lapack->orgqr[job->type](&job->m, &job->n, &job->k, a, &lda, tau, room, lwork, &info);
    return info;
}

void cti_factor_qr(const struct cti_factor_job *job, char *room, int64_t i)
{
    char *a = cti_factor_part_at(job, 0, job->size, i);
    char *tau = cti_factor_part_at(job, 1, job->size, i);
    bool makes = job->w->kind == CTI_FACTOR_QR;
    if (!cti_factor_is_small(job) && !cti_factor_is_tiled(job->w))
        call_qr(job, room, i, &job->lwork);
    else if (cti_factor_is_small(job) && makes)
        cti_small_qr(job, a, tau);
    else if (cti_factor_is_small(job))
        cti_small_reflectors(job, a, tau);
    else if (makes)
        cti_tiles_qr(job, room, a, tau);
    else
        cti_tiles_reflectors(job, room, a, tau);
}

bool cti_factor_qr_room(struct cti_factor_job *job)
{
    bool makes = job->w->kind == CTI_FACTOR_QR;
    if (cti_factor_is_tiled(job->w))
        return cti_tiles_qr_room(job);
    return cti_factor_is_small(job) ||
           cti_factor_query_workspace(job, call_qr, 0,
                                      makes ? "linalg.qr" : "linalg.householder_product");
}

static int call_reflect(const struct cti_factor_job *job, char *room, int64_t i, const int *lwork)
{
    const struct cti_factor *w = job->w;
    int lda = cti_factor_least_one(w->side == 'L' ? job->m : job->n), info = 0;
    int ldc = cti_factor_least_one(job->m);
    char op = job->type >= CTI_LAPACK_C || w->op == 'N' ? w->op : 'T';
    job->lapack->ormqr[job->type](
        &w->side, &op, &job->m, &job->n, &job->k, cti_factor_part_at(job, 0, job->size, i), &lda,
        cti_factor_part_at(job, 1, job->size, i), cti_factor_part_at(job, 2, job->size, i), &ldc,
        room, lwork, &info, 1, 1);
    return info;
}

void cti_factor_reflect(const struct cti_factor_job *job, char *room, int64_t i)
{
    call_reflect(job, room, i, &job->lwork);
}

bool cti_factor_reflect_room(struct cti_factor_job *job)
{
    return cti_factor_query_workspace(job, call_reflect, 0, "ormqr");
}

/* ---- least squares ---- */

struct lstsq {
    int lda, ldb, rank, info;
    void *a, *b, *s, *rwork;
    int *iwork;
    union {
        float narrow;
        double wide;
    } least;
};

static void call_real(const struct cti_factor_job *job, struct lstsq *f, char *room,
                      const int *lwork)
{
    const int *m = &job->m, *n = &job->n, *k = &job->k;
    if (job->w->mode == 'y')
        job->lapack->gelsy_real[job->type](m, n, k, f->a, &f->lda, f->b, &f->ldb, f->iwork,
                                           &f->least, &f->rank, room, lwork, &f->info);
    else if (job->w->mode == 'd')
        job->lapack->gelsd_real[job->type](m, n, k, f->a, &f->lda, f->b, &f->ldb, f->s, &f->least,
                                           &f->rank, room, lwork, f->iwork, &f->info);
    else
        job->lapack->gelss_real[job->type](m, n, k, f->a, &f->lda, f->b, &f->ldb, f->s, &f->least,
                                           &f->rank, room, lwork, &f->info);
}

static void call_complex(const struct cti_factor_job *job, struct lstsq *f, char *room,
                         const int *lwork)
{
    const int *m = &job->m, *n = &job->n, *k = &job->k;
    int type = job->type - CTI_LAPACK_C;
    if (job->w->mode == 'y')
        job->lapack->gelsy_complex[type](m, n, k, f->a, &f->lda, f->b, &f->ldb, f->iwork, &f->least,
                                         &f->rank, room, lwork, f->rwork, &f->info);
    else if (job->w->mode == 'd')
        job->lapack->gelsd_complex[type](m, n, k, f->a, &f->lda, f->b, &f->ldb, f->s, &f->least,
                                         &f->rank, room, lwork, f->rwork, f->iwork, &f->info);
    else
        job->lapack->gelss_complex[type](m, n, k, f->a, &f->lda, f->b, &f->ldb, f->s, &f->least,
                                         &f->rank, room, lwork, f->rwork, &f->info);
}

static int call_lstsq(const struct cti_factor_job *job, char *room, int64_t i, const int *lwork)
{
    int m = (int)job->w->m, n = (int)job->w->n; /* job->m and job->n may be the sizes of R alone */
    struct lstsq f = {.lda = cti_factor_least_one(m),
                      .ldb = cti_factor_least_one(m > n ? m : n),
                      .a = cti_factor_part_at(job, 0, job->size, i),
                      .b = cti_factor_part_at(job, 1, job->size, i),
                      .s = cti_factor_part_at(job, 2, job->real, i),
                      .rwork = room + job->work_bytes,
                      .iwork = (int *)(void *)(room + job->work_bytes + job->rwork_bytes)};
    int64_t *rank = (int64_t *)(void *)cti_factor_part_at(job, 3, 8, i);
    union {
        double real;
        int integer;
    } answer[2]; /* gelsd writes its minimum sizes to these, too */
    if (*lwork < 0) {
        f.rwork = &answer[0];
        f.iwork = &answer[1].integer;
    } else if (job->w->mode == 'y') { /* any column may be exchanged */
        memset(f.iwork, 0, (size_t)n * sizeof(int));
    }
    if (job->real == 4)
        f.least.narrow = (float)job->w->least;
    else
        f.least.wide = job->w->least;
    if (job->w->mode == '-')
        job->lapack->gels[job->type]("N", &job->m, &job->n, &job->k, f.a, &f.lda, f.b, &f.ldb, room,
                                     lwork, &f.info, 1);
    else if (job->type >= CTI_LAPACK_C)
        call_complex(job, &f, room, lwork);
    else
        call_real(job, &f, room, lwork);
    if (*lwork >= 0 && rank)
        *rank = f.rank;
    return f.info;
}

static int64_t integers_of(const struct cti_factor_job *job, int64_t depth)
{
    int64_t least = job->m < job->n ? job->m : job->n;
    int64_t count = job->w->mode == 'd' ? 3 * least * depth + 11 * least : job->n;
    return (count + 4) / 4 * 4 * (int64_t)sizeof(int); /* aligned for what follows */
}

/* The norm of n contiguous numbers. */
static double length_of(const struct cti_factor_job *job, const char *data, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n * (job->size / job->real); i++) {
        double x = job->real == 4 ? (double)((const float *)(const void *)data)[i]
                                  : ((const double *)(const void *)data)[i];
        sum += x * x;
    }
    return sqrt(sum);
}

/* Multiplies n numbers by a real factor. */
static void stretch(const struct cti_factor_job *job, char *data, int64_t n, double by)
{
    for (int64_t i = 0; i < n * (job->size / job->real); i++)
        if (job->real == 4)
            ((float *)(void *)data)[i] *= (float)by;
        else
            ((double *)(void *)data)[i] *= by;
}

/* Solves the columns of x with R or its adjoint. */
static void divide(const struct cti_factor_job *job, const char *op, const char *r, int columns,
                   char *x)
{
    static const float one_s[2] = {1, 0};
    static const double one_d[2] = {1, 0};
    job->lapack->trsm[job->type]("L", "U", op, "N", &job->n, &columns,
                                 job->real == 4 ? (const void *)one_s : one_d, r, &job->m, x,
                                 &job->m, 1, 1, 1, 1);
}

/* Whether R certainly has full rank, so that no column pivoting is needed to find its rank:
 * compares the norms of R and of its inverse, which a few steps of power iteration estimate. x is
 * scratch for n numbers. */
static bool has_full_rank(const struct cti_factor_job *job, const char *r, char *x)
{
    enum { STEPS = 4, MARGIN = 8 };
    double length = 0, inverse = 0;
    for (int j = 0; j < job->n; j++) {
        const char *column = r + (int64_t)j * job->m * job->size;
        length = hypot(length, length_of(job, column, j + 1));
    }
    memset(x, 0, (size_t)(job->n * job->size));
    /* A start vector that is nearly orthogonal to no singular vector. */
    for (int j = 0; j < job->n; j++) {
        int64_t at = j * (job->size / job->real);
        if (job->real == 4)
            ((float *)(void *)x)[at] = (float)(1 + j % 7);
        else
            ((double *)(void *)x)[at] = 1 + j % 7;
    }
    stretch(job, x, job->n, 1 / length_of(job, x, job->n));
    for (int step = 0; step < STEPS; step++) {
        divide(job, "C", r, 1, x);
        divide(job, "N", r, 1, x);
        inverse = length_of(job, x, job->n);
        stretch(job, x, job->n, 1 / inverse);
    }
    return length * sqrt(inverse) * MARGIN * job->w->least < 1;
}

/* For tall matrices, checks the rank of R first: half of the work of gelsy is matrix-vector
 * products, which are unnecessary if the rank is full. */
static void solve_tall(const struct cti_factor_job *job, char *room, int64_t i)
{
    char *a = cti_factor_part_at(job, 0, job->size, i),
         *b = cti_factor_part_at(job, 1, job->size, i);
    int64_t *rank = (int64_t *)(void *)cti_factor_part_at(job, 3, 8, i);
    struct cti_factor_job inner = *job;
    cti_tiles_reduce(job, room, a, b);
    cti_blas_enter();
    if (has_full_rank(job, a, room)) {
        divide(job, "N", a, job->k, b);
        *rank = job->n;
    } else {
        inner.m = job->n;
        job->w->info[i] = call_lstsq(&inner, room, i, &job->lwork);
    }
    cti_blas_leave();
}

/* LAPACK prints a message for values that are not finite, so they are handled here. An infinity in
 * B makes all of X NaN. */
void cti_factor_lstsq(const struct cti_factor_job *job, char *room, int64_t i)
{
    int64_t parts = job->size / job->real, rows = job->m > job->n ? job->m : job->n;
    char *a = cti_factor_part_at(job, 0, job->size, i),
         *b = cti_factor_part_at(job, 1, job->size, i);
    int odd = cti_factor_oddity(job, b, rows * job->k * parts);
    if (odd == 2 || cti_factor_oddity(job, a, (int64_t)job->m * job->n * parts)) {
        job->w->info[i] = -4;
        return;
    }
    if (odd)
        memset(b, 0, (size_t)(rows * job->k * job->size));
    if (cti_factor_is_tiled(job->w))
        solve_tall(job, room, i);
    else
        job->w->info[i] = call_lstsq(job, room, i, &job->lwork);
    if (odd)
        cti_factor_fill_nan(job, b, rows * job->k * parts);
}

/* The memory besides `work`, from the documentation: gelsd divides the matrix into a tree with
 * leaves of 25 rows. */
bool cti_factor_lstsq_room(struct cti_factor_job *job)
{
    enum { LEAF = 26 };
    int64_t least = job->m < job->n ? job->m : job->n, k = job->k, n = job->n, depth = 2;
    int64_t reals = 5 * least + 2 * n;
    for (int64_t rows = least; rows > LEAF; rows /= 2)
        depth++;
    if (job->w->mode == 'd') {
        int64_t leaf = LEAF * LEAF, whole = n * (1 + k) + 2 * k;
        reals = 10 * least + 2 * least * LEAF + 8 * least * depth + 3 * LEAF * k;
        reals += leaf > whole ? leaf : whole;
    }
    if (job->type >= CTI_LAPACK_C)
        job->rwork_bytes = reals * job->real;
    if (!cti_factor_query_workspace(job, call_lstsq, integers_of(job, depth), "linalg.lstsq"))
        return false;
    if (cti_factor_is_tiled(job->w)) {
        int64_t tall = cti_tiles_reduce_room(job);
        job->room_bytes = job->room_bytes > tall ? job->room_bytes : tall;
    }
    return true;
}
