/* SPDX-License-Identifier: BSD-3-Clause */
/* Factorisations of one large matrix by all threads: the matrix is cut into tiles, and each thread
 * does one tile at a time with the library. Called by lu.c, qr.c and triangles.c.
 *
 * Note [Tiles]: the tiling depends on the shape alone, and one thread computes each tile. So bits
 * depend neither on the number of threads nor on whether threads share the work: within a batch,
 * whose matrices are already divided among threads, the same tiles are computed one after the
 * other.
 *
 * Note [Looking ahead]: one thread factors a panel, and all later work needs the result. So the
 * thread that updates the first tile of a step, which becomes the next panel, factors it at once,
 * while the other threads still update their tiles. */
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
    int k, width, rest; /* k: start of the current panel; rest: tiles after it */
    int info;
    bool upper;
};

static int tile_at(const struct cholesky *c, int i)
{
    return c->k + c->width + i * PANEL;
}

/* Factors the diagonal tile at k, unless an earlier one was not positive definite. */
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

/* Solves the panel's tiles with the factor of its diagonal tile. */
static void solve_panel(void *context, int64_t begin, int64_t end)
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

/* c -= op(a) op(b). There are many small tiles, so only those that need the library take a
 * permit. */
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

/* Subtracts the product of the panel with itself from the tiles of one triangle after it. The first
 * of these is the next diagonal tile. */
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
        if (!cti_parallel_for(c.rest, 1, solve_panel, &c) ||
            !cti_parallel_for((int64_t)c.rest * (c.rest + 1) / 2, 1, subtract, &c))
            break;
    }
    return c.info;
}
