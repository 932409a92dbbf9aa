/* SPDX-License-Identifier: BSD-3-Clause */
/* Q and R of one matrix, products of reflectors, and least squares. Called by the driver (factor.c)
 * through its table of kinds. */
#include "cpu/factor/small.h"
#include "cpu/factor/tiles.h"

#include <limits.h>
#include <string.h>

/* R and reflectors of a matrix, or the product of reflectors. */
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
           cti_factor_ask(job, call_qr, 0, makes ? "linalg.qr" : "linalg.householder_product");
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
    return cti_factor_ask(job, call_reflect, 0, "ormqr");
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
    int m = (int)job->w->m, n = (int)job->w->n; /* job's may be those of R alone */
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
    } answer[2]; /* gelsd tells the least it needs of these too */
    if (*lwork < 0) {
        f.rwork = &answer[0];
        f.iwork = &answer[1].integer;
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

/* Of tall matrices gelsy gets R alone: half of what it does to a matrix is products of matrices and
 * vectors, all that geqrf does is products of matrices. */
static bool is_reduced(const struct cti_factor_job *job)
{
    enum { FEW = 32 };
    return job->w->mode == 'y' && job->w->n >= FEW && job->w->m >= 2 * job->w->n;
}

static int64_t integers_of(const struct cti_factor_job *job, int64_t depth)
{
    int64_t least = job->m < job->n ? job->m : job->n;
    int64_t count = job->w->mode == 'd' ? 3 * least * depth + 11 * least : job->n;
    return (count + 4) / 4 * 4 * (int64_t)sizeof(int); /* what follows is aligned */
}

/* A becomes R, B becomes Q^H B. */
static void reduce(const struct cti_factor_job *job, char *room, int64_t i)
{
    char *a = cti_factor_part_at(job, 0, job->size, i),
         *b = cti_factor_part_at(job, 1, job->size, i);
    char *tau = room + job->work_bytes + job->rwork_bytes + integers_of(job, 0);
    int info = 0;
    job->lapack->geqrf[job->type](&job->m, &job->n, a, &job->m, tau, room, &job->lwork, &info);
    job->lapack->ormqr[job->type]("L", job->type >= CTI_LAPACK_C ? "C" : "T", &job->m, &job->k,
                                  &job->n, a, &job->m, tau, b, &job->m, room, &job->lwork, &info, 1,
                                  1);
    for (int64_t j = 0; j < job->n; j++)
        memset(a + (j * job->m + j + 1) * job->size, 0, (size_t)((job->n - j - 1) * job->size));
}

/* What is not finite never gets to LAPACK, which writes about it on the terminal. An infinity in B
 * makes all of X NaN. */
void cti_factor_lstsq(const struct cti_factor_job *job, char *room, int64_t i)
{
    struct cti_factor_job inner = *job;
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
    int *order = (int *)(void *)(room + job->work_bytes + job->rwork_bytes);
    if (is_reduced(job)) {
        reduce(job, room, i);
        inner.m = job->n;
    }
    if (job->w->mode == 'y') /* any column may be moved */
        for (int j = 0; j < job->n; j++)
            order[j] = 0;
    job->w->info[i] = call_lstsq(&inner, room, i, &job->lwork);
    if (odd)
        cti_factor_fill_nan(job, b, rows * job->k * parts);
}

/* Beside `work`, by the documentation: gelsd cuts the matrix into a tree with leaves of 25 rows. */
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
    if (!cti_factor_ask(job, call_lstsq, integers_of(job, depth), "linalg.lstsq"))
        return false;
    if (is_reduced(job)) {
        enum { BLOCK = 64 };
        int64_t wanted = (n > k ? n : k) * BLOCK + BLOCK * (BLOCK + 1), had = job->work_bytes;
        job->lwork = job->lwork > wanted || wanted > INT_MAX ? job->lwork : (int)wanted;
        job->work_bytes = job->lwork * job->size;
        job->room_bytes += job->work_bytes - had + n * job->size;
    }
    return true;
}
