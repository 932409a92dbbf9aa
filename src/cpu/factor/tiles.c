/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors of one large matrix by all threads: the matrix is cut into tiles, and the library does
 * one tile at a time on each thread. Called by the kinds beside it.
 *
 * Note [Tiles]: tiles follow the shape alone, and a tile is computed by one thread, so the bits
 * depend neither on the number of threads nor on whether there are any to share with: inside a
 * batch, which the threads share already, the same tiles are done one after the other.
 *
 * Note [Looking ahead]: a panel is factored by one thread, and all that follows needs it. So the
 * first tile of a step, which becomes the next panel, is factored by the thread that brought it up
 * to date, while the others are still at their tiles. */
#include "cpu/factor/tile.h"

#include "cpu/factor/divide.h"
#include "cpu/isa.h"

extern const struct cti_factor_divide CTI_ISA_NAMES(cti_divide_f32), CTI_ISA_NAMES(cti_divide_f64);

const struct cti_factor_divide *cti_factor_divide(const struct cti_factor_job *job)
{
    static const struct cti_factor_divide *const narrow[] = CTI_ISA_TABLE(cti_divide_f32);
    static const struct cti_factor_divide *const wide[] = CTI_ISA_TABLE(cti_divide_f64);
    const struct cti_factor_divide *found = (job->real == 4 ? narrow : wide)[cti_cpu_isa()];
    return job->size == job->real && found->left ? found : NULL;
}

/* ---- Cholesky's factors ---- */

struct cholesky {
    const struct cti_factor_job *job;
    char *a;
    int k, width, rest; /* the panel in work begins at k; tiles behind it */
    int info;
    bool upper;
};

static int tile_at(const struct cholesky *c, int i)
{
    return c->k + c->width + i * PANEL;
}

/* The diagonal tile at k; nothing after one that is not positive. */
static void factor_diagonal(struct cholesky *c, int k)
{
    const struct cti_factor_job *job = c->job;
    int width = least(PANEL, job->n - k), info = 0;
    cti_blas_enter();
    job->lapack->potrf[job->type](&job->w->uplo, &width, at(job, c->a, job->n, k, k), &job->n,
                                  &info, 1);
    cti_blas_leave();
    c->info = info ? k + info : 0;
}

/* The panel's tiles: divided by the factor of its diagonal. */
static void divide_panel(void *context, int64_t begin, int64_t end)
{
    const struct cholesky *c = context;
    const struct cti_factor_job *job = c->job;
    const struct cti_factor_divide *own = cti_factor_divide(job);
    for (int i = (int)begin; i < (int)end; i++) {
        int from = tile_at(c, i), rows = least(PANEL, job->n - from);
        char *diagonal = at(job, c->a, job->n, c->k, c->k);
        if (!c->upper && own &&
            own->right(rows, c->width, diagonal, job->n, at(job, c->a, job->n, from, c->k), job->n))
            continue;
        cti_blas_enter();
        if (c->upper)
            job->lapack->trsm[job->type]("L", "U", "C", "N", &c->width, &rows, number(job, 1),
                                         diagonal, &job->n, at(job, c->a, job->n, c->k, from),
                                         &job->n, 1, 1, 1, 1);
        else
            job->lapack->trsm[job->type]("R", "L", "C", "N", &rows, &c->width, number(job, 1),
                                         diagonal, &job->n, at(job, c->a, job->n, from, c->k),
                                         &job->n, 1, 1, 1, 1);
        cti_blas_leave();
    }
}

/* c -= op(a) op(b). Tiles are many and short: a place in the library is taken only by those that
 * need one. */
static void subtract_product(const struct cti_factor_job *job, const char *op_a, const char *op_b,
                             int m, int n, int k, const char *a, const char *b, char *c)
{
    int ld = job->n;
    if (own_tile_product(job, op_a, op_b, m, n, k, -1, a, ld, b, ld, 1, c, ld))
        return;
    cti_blas_enter();
    tile_product(job, op_a, op_b, m, n, k, -1, a, ld, b, ld, 1, c, ld);
    cti_blas_leave();
}

/* The tiles behind it, of one triangle: less the product of the panel with itself. The first is the
 * next diagonal. */
static void subtract(void *context, int64_t begin, int64_t end)
{
    struct cholesky *c = context;
    const struct cti_factor_job *job = c->job;
    int n = job->n;
    for (int64_t t = begin; t < end; t++) {
        int i = 0;
        int64_t left = t;
        while (left > i)
            left -= ++i;
        int row = tile_at(c, i), col = tile_at(c, (int)left);
        int rows = least(PANEL, n - row), cols = least(PANEL, n - col);
        if (c->upper)
            subtract_product(job, "C", "N", cols, rows, c->width, at(job, c->a, n, c->k, col),
                             at(job, c->a, n, c->k, row), at(job, c->a, n, col, row));
        else
            subtract_product(job, "N", "C", rows, cols, c->width, at(job, c->a, n, row, c->k),
                             at(job, c->a, n, col, c->k), at(job, c->a, n, row, col));
        if (t == 0)
            factor_diagonal(c, row);
    }
}

int cti_tiles_cholesky(const struct cti_factor_job *job, char *a)
{
    struct cholesky c = {.job = job, .a = a, .upper = job->w->uplo == 'U'};
    factor_diagonal(&c, 0);
    for (c.k = 0; c.k < job->n && !c.info; c.k += c.width) {
        c.width = least(PANEL, job->n - c.k);
        c.rest = (job->n - c.k - c.width + PANEL - 1) / PANEL;
        if (!cti_parallel_for(c.rest, 1, divide_panel, &c) ||
            !cti_parallel_for((int64_t)c.rest * (c.rest + 1) / 2, 1, subtract, &c))
            break;
    }
    return c.info;
}
