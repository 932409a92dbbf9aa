/* SPDX-License-Identifier: BSD-3-Clause */
/* LU factorisation of one large matrix by all threads, and solves with the factors: see Note
 * [Tiles] and Note [Looking ahead]. Called by lu.c. */
#include "cpu/factor/divide.h"
#include "cpu/factor/tile.h"

/* Solves `width` rows of a tile, at most PANEL, with a panel's triangle. */
static void solve_with_panel(const struct cti_factor_job *job, bool upper, int width, int cols,
                             char *a, int lda, char *b)
{
    const struct cti_factor_divide *own = cti_factor_divide(job);
    if (!own || !own->left(upper, width, cols, a, lda, b, lda))
        job->lapack->trsm[job->type]("L", upper ? "U" : "L", "N", upper ? "N" : "U", &width, &cols,
                                     number(job, 1), a, &lda, b, &lda, 1, 1, 1, 1);
}

struct lu {
    const struct cti_factor_job *job;
    char *a;
    int *pivots;
    int k, width, all; /* k: the current panel; all: number of pivots */
    int info;
};

/* Factors the panel at k. */
static void lu_columns(struct lu *f, int k)
{
    const struct cti_factor_job *job = f->job;
    int rows = job->m - k, width = least(PANEL, f->all - k), info = 0;
    job->lapack->getrf[job->type](&rows, &width, at(job, f->a, job->m, k, k), &job->m,
                                  f->pivots + k, &info);
    f->info = info && !f->info ? k + info : f->info;
    for (int i = k; i < k + width; i++)
        f->pivots[i] += k;
}

static void exchange(const struct lu *f, int column, int cols, int first, int last)
{
    const struct cti_factor_job *job = f->job;
    int one = 1;
    if (first <= last)
        job->lapack->laswp[job->type](&cols, at(job, f->a, job->m, 0, column), &job->m, &first,
                                      &last, f->pivots, &one);
}

/* Updates columns after the panel; the first of them are the next panel. */
static void lu_update(void *context, int64_t begin, int64_t end)
{
    struct lu *f = context;
    const struct cti_factor_job *job = f->job;
    int m = job->m, next = f->k + f->width, below = m - next;
    cti_blas_enter();
    for (int t = (int)begin; t < (int)end; t++) {
        int column = next + t * PANEL, cols = least(PANEL, job->n - column);
        exchange(f, column, cols, f->k + 1, f->k + f->width);
        solve_with_panel(job, false, f->width, cols, at(job, f->a, m, f->k, f->k), m,
                         at(job, f->a, m, f->k, column));
        if (below > 0)
            tile_product(job, "N", "N", below, cols, f->width, -1, at(job, f->a, m, next, f->k), m,
                         at(job, f->a, m, f->k, column), m, 1, at(job, f->a, m, next, column), m);
        if (t == 0 && next < f->all)
            lu_columns(f, next);
    }
    cti_blas_leave();
}

/* Applies the row exchanges of later panels to the columns of L, at the end. */
static void exchange_before(void *context, int64_t begin, int64_t end)
{
    const struct lu *f = context;
    cti_blas_enter();
    for (int t = (int)begin; t < (int)end; t++) {
        int column = t * PANEL, cols = least(PANEL, f->all - column);
        exchange(f, column, cols, column + cols + 1, f->all);
    }
    cti_blas_leave();
}

int cti_tiles_lu(const struct cti_factor_job *job, char *a, int *pivots)
{
    struct lu f = {.job = job, .a = a, .pivots = pivots, .all = least(job->m, job->n)};
    cti_blas_enter();
    lu_columns(&f, 0);
    cti_blas_leave();
    for (f.k = 0; f.k < f.all; f.k += f.width) {
        f.width = least(PANEL, f.all - f.k);
        if (!cti_parallel_for((job->n - f.k - f.width + PANEL - 1) / PANEL, 1, lu_update, &f))
            return 0; /* interrupted before the next panel had its pivots */
    }
    cti_parallel_for((f.all + PANEL - 1) / PANEL, 1, exchange_before, &f);
    return f.info;
}

/* Solves n rows of a tile with L or U, in steps that consist mostly of a product: the library's own
 * solve of many rows is half as fast. */
static void solve_tile(const struct cti_factor_job *job, bool upper, int n, char *a, char *b,
                       int cols)
{
    int ld = job->n, steps = (n + PANEL - 1) / PANEL;
    for (int s = 0; s < steps; s++) {
        int k = (upper ? steps - 1 - s : s) * PANEL, width = least(PANEL, n - k);
        int next = upper ? 0 : k + width, rows = upper ? k : n - next;
        solve_with_panel(job, upper, width, cols, at(job, a, ld, k, k), ld, at(job, b, ld, k, 0));
        if (rows > 0)
            tile_product(job, "N", "N", rows, cols, width, -1, at(job, a, ld, next, k), ld,
                         at(job, b, ld, k, 0), ld, 1, at(job, b, ld, next, 0), ld);
    }
}

struct inverse {
    const struct cti_factor_job *job;
    char *lu, *x; /* x: the inverse of L U */
    int64_t *row; /* the permutation of rows by the pivots */
};

/* The inverse of L has only zeros above a column's diagonal. */
static void invert_columns(void *context, int64_t begin, int64_t end)
{
    const struct inverse *f = context;
    const struct cti_factor_job *job = f->job;
    int n = job->n;
    cti_blas_enter();
    for (int t = (int)begin; t < (int)end; t++) {
        int column = t * PANEL, cols = least(PANEL, n - column);
        char *tile = at(job, f->x, n, 0, column);
        set_unit(job, tile, n, column, cols);
        solve_tile(job, false, n - column, at(job, f->lu, n, column, column),
                   at(job, tile, n, column, 0), cols);
        solve_tile(job, true, n, f->lu, tile, cols);
    }
    cti_blas_leave();
}

static void permute_columns(void *context, int64_t begin, int64_t end)
{
    const struct inverse *f = context;
    const struct cti_factor_job *job = f->job;
    for (int j = (int)begin; j < (int)end; j++)
        memcpy(at(job, f->lu, job->n, 0, (int)f->row[j]), at(job, f->x, job->n, 0, j),
               (size_t)job->n * (size_t)job->size);
}

/* Rows come first, since they need the larger alignment. */
void cti_tiles_lu_inverse_room(struct cti_factor_job *job)
{
    job->work_bytes = job->n * (int64_t)sizeof(int64_t);
    job->room_bytes = job->work_bytes + (int64_t)job->n * job->n * job->size;
}

void cti_tiles_lu_inverse(const struct cti_factor_job *job, char *room, char *lu, const int *pivots)
{
    struct inverse f = {job, lu, room + job->work_bytes, (int64_t *)(void *)room};
    cti_factor_rows(pivots, job->n, f.row, job->n);
    if (cti_parallel_for((job->n + PANEL - 1) / PANEL, 1, invert_columns, &f))
        cti_parallel_for(job->n, PANEL, permute_columns, &f);
}

struct solve {
    const struct cti_factor_job *job;
    char *lu, *b;
    const int *pivots;
};

static void solve_columns(void *context, int64_t begin, int64_t end)
{
    const struct solve *s = context;
    const struct cti_factor_job *job = s->job;
    int n = job->n, one = 1, info = 0;
    cti_blas_enter();
    for (int t = (int)begin; t < (int)end; t++) {
        int column = t * PANEL, cols = least(PANEL, job->k - column);
        char *tile = at(job, s->b, n, 0, column);
        if (job->w->mode == 'N') {
            job->lapack->laswp[job->type](&cols, tile, &n, &one, &n, s->pivots, &one);
            solve_tile(job, false, n, s->lu, tile, cols);
            solve_tile(job, true, n, s->lu, tile, cols);
        } else {
            job->lapack->getrs[job->type](&job->w->mode, &n, &cols, s->lu, &n, s->pivots, tile, &n,
                                          &info, 1);
        }
    }
    cti_blas_leave();
}

void cti_tiles_lu_solve(const struct cti_factor_job *job, char *lu, const int *pivots, char *b)
{
    struct solve s = {job, lu, b, pivots};
    cti_parallel_for((job->k + PANEL - 1) / PANEL, 1, solve_columns, &s);
}
