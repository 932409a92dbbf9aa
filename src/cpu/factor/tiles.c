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
    return c->k + c->width + i * TILE;
}

/* The diagonal tile at k; nothing after one that is not positive. */
static void factor_diagonal(struct cholesky *c, int k)
{
    const struct cti_factor_job *job = c->job;
    int width = least(TILE, job->n - k), info = 0;
    job->lapack->potrf[job->type](&job->w->uplo, &width, at(job, c->a, job->n, k, k), &job->n,
                                  &info, 1);
    c->info = info ? k + info : 0;
}

/* The panel's tiles: divided by the factor of its diagonal. */
static void divide_panel(void *context, int64_t begin, int64_t end)
{
    const struct cholesky *c = context;
    const struct cti_factor_job *job = c->job;
    const struct cti_factor_divide *own = cti_factor_divide(job);
    cti_blas_enter();
    for (int i = (int)begin; i < (int)end; i++) {
        int from = tile_at(c, i), rows = least(TILE, job->n - from);
        char *diagonal = at(job, c->a, job->n, c->k, c->k);
        if (!c->upper && own &&
            own->right(rows, c->width, diagonal, job->n, at(job, c->a, job->n, from, c->k), job->n))
            continue;
        if (c->upper)
            job->lapack->trsm[job->type]("L", "U", "C", "N", &c->width, &rows, number(job, 1),
                                         diagonal, &job->n, at(job, c->a, job->n, c->k, from),
                                         &job->n, 1, 1, 1, 1);
        else
            job->lapack->trsm[job->type]("R", "L", "C", "N", &rows, &c->width, number(job, 1),
                                         diagonal, &job->n, at(job, c->a, job->n, from, c->k),
                                         &job->n, 1, 1, 1, 1);
    }
    cti_blas_leave();
}

/* The tiles behind it, of one triangle: less the product of the panel with itself. The first is the
 * next diagonal. */
static void subtract(void *context, int64_t begin, int64_t end)
{
    struct cholesky *c = context;
    const struct cti_factor_job *job = c->job;
    int n = job->n;
    cti_blas_enter();
    for (int64_t t = begin; t < end; t++) {
        int i = 0;
        int64_t left = t;
        while (left > i)
            left -= ++i;
        int row = tile_at(c, i), col = tile_at(c, (int)left);
        int rows = least(TILE, n - row), cols = least(TILE, n - col);
        if (c->upper)
            job->lapack->gemm[job->type]("C", "N", &cols, &rows, &c->width, number(job, -1),
                                         at(job, c->a, n, c->k, col), &n,
                                         at(job, c->a, n, c->k, row), &n, number(job, 1),
                                         at(job, c->a, n, col, row), &n, 1, 1);
        else
            job->lapack->gemm[job->type]("N", "C", &rows, &cols, &c->width, number(job, -1),
                                         at(job, c->a, n, row, c->k), &n,
                                         at(job, c->a, n, col, c->k), &n, number(job, 1),
                                         at(job, c->a, n, row, col), &n, 1, 1);
        if (t == 0)
            factor_diagonal(c, row);
    }
    cti_blas_leave();
}

int cti_tiles_cholesky(const struct cti_factor_job *job, char *a)
{
    struct cholesky c = {.job = job, .a = a, .upper = job->w->uplo == 'U'};
    cti_blas_enter();
    factor_diagonal(&c, 0);
    cti_blas_leave();
    for (c.k = 0; c.k < job->n && !c.info; c.k += c.width) {
        c.width = least(TILE, job->n - c.k);
        c.rest = (job->n - c.k - c.width + TILE - 1) / TILE;
        cti_parallel_for(c.rest, 1, divide_panel, &c);
        cti_parallel_for((int64_t)c.rest * (c.rest + 1) / 2, 1, subtract, &c);
    }
    return c.info;
}

/* ---- Q and R ---- */

struct qr {
    const struct cti_factor_job *job;
    char *a, *tau, *q;
    int k, width, all; /* the panel in work; all: reflectors */
    char *triangle;    /* of each panel, PANEL x PANEL: its reflectors as one block */
    char *room;        /* as much for each tile of a region */
};

static int64_t square_bytes(const struct cti_factor_job *job)
{
    return (int64_t)PANEL * PANEL * job->size;
}

static int panels(int columns)
{
    return (columns + PANEL - 1) / PANEL;
}

/* Several threads apply a panel at once, so nothing may be written to it then, not even for a
 * moment, as ormqr does. */
static void make_triangle(const struct qr *f, int k)
{
    const struct cti_factor_job *job = f->job;
    int rows = job->m - k, width = least(PANEL, f->all - k), ldt = PANEL;
    job->lapack->larft[job->type]("F", "C", &rows, &width, at(job, f->a, job->m, k, k), &job->m,
                                  f->tau + k * job->size,
                                  f->triangle + k / PANEL * square_bytes(job), &ldt, 1, 1);
}

/* op(panel at k) times `cols` columns of c, which begin in the panel's first row. */
static void reflect_tile(const struct qr *f, const char *op, int k, char *c, int cols, char *room)
{
    const struct cti_factor_job *job = f->job;
    int rows = job->m - k, width = least(PANEL, f->all - k), ld = PANEL;
    job->lapack->larfb[job->type](
        "L", op, "F", "C", &rows, &cols, &width, at(job, f->a, job->m, k, k), &job->m,
        f->triangle + k / PANEL * square_bytes(job), &ld, c, &job->m, room, &ld, 1, 1, 1, 1);
}

/* The reflectors of the panel at k, and their triangle; `room` is a tile's. */
static void reflect_panel(const struct qr *f, int k, char *room)
{
    const struct cti_factor_job *job = f->job;
    int rows = job->m - k, width = least(PANEL, f->all - k), info = 0, lwork = PANEL * PANEL;
    job->lapack->geqrf[job->type](&rows, &width, at(job, f->a, job->m, k, k), &job->m,
                                  f->tau + k * job->size, room, &lwork, &info);
    make_triangle(f, k);
}

/* Columns behind the panel; the first of them are the next one. */
static void follow_panel(void *context, int64_t begin, int64_t end)
{
    const struct qr *f = context;
    const struct cti_factor_job *job = f->job;
    int next = f->k + f->width;
    cti_blas_enter();
    for (int t = (int)begin; t < (int)end; t++) {
        int column = next + t * PANEL, cols = least(PANEL, job->n - column);
        char *room = f->room + t * square_bytes(job);
        reflect_tile(f, job->type >= CTI_LAPACK_C ? "C" : "T", f->k,
                     at(job, f->a, job->m, f->k, column), cols, room);
        if (t == 0 && next < f->all)
            reflect_panel(f, next, room);
    }
    cti_blas_leave();
}

/* A square for each tile, and before them one for each panel's triangle. */
bool cti_tiles_qr_room(struct cti_factor_job *job)
{
    job->work_bytes = (panels(job->n) + panels(least(job->m, job->n))) * square_bytes(job);
    job->room_bytes = job->work_bytes;
    if (job->w->kind == CTI_FACTOR_REFLECTORS) /* a copy of them beside it */
        job->room_bytes += (int64_t)job->m * job->k * job->size;
    return true;
}

void cti_tiles_qr(const struct cti_factor_job *job, char *room, char *a, char *tau)
{
    struct qr f = {.job = job, .a = a, .tau = tau, .all = least(job->m, job->n), .triangle = room};
    f.room = room + panels(f.all) * square_bytes(job);
    cti_blas_enter();
    reflect_panel(&f, 0, f.room);
    cti_blas_leave();
    for (f.k = 0; f.k < f.all; f.k += f.width) {
        f.width = least(PANEL, f.all - f.k);
        cti_parallel_for(panels(job->n - f.k - f.width), 1, follow_panel, &f);
    }
}

static void make_triangles(void *context, int64_t begin, int64_t end)
{
    cti_blas_enter();
    for (int64_t p = begin; p < end; p++)
        make_triangle(context, (int)p * PANEL);
    cti_blas_leave();
}

/* Columns of the unit matrix through the panels, the last one first. A panel behind a column does
 * not move it. */
static void make_columns(void *context, int64_t begin, int64_t end)
{
    const struct qr *f = context;
    const struct cti_factor_job *job = f->job;
    cti_blas_enter();
    for (int t = (int)begin; t < (int)end; t++) {
        int column = t * PANEL, cols = least(PANEL, job->n - column);
        char *tile = at(job, f->q, job->m, 0, column);
        set_unit(job, tile, job->m, column, cols);
        int last = least(column, (f->all - 1) / PANEL * PANEL);
        for (int k = last; k >= 0; k -= PANEL)
            reflect_tile(f, "N", k, at(job, tile, job->m, k, 0), cols,
                         f->room + t * square_bytes(job));
    }
    cti_blas_leave();
}

void cti_tiles_reflectors(const struct cti_factor_job *job, char *room, char *q, char *tau)
{
    struct qr f = {.job = job, .tau = tau, .q = q, .all = job->k, .triangle = room};
    f.room = room + panels(f.all) * square_bytes(job);
    f.a = room + job->work_bytes;
    memcpy(f.a, q, (size_t)job->m * (size_t)job->k * (size_t)job->size);
    cti_parallel_for(panels(f.all), 1, make_triangles, &f);
    cti_parallel_for(panels(job->n), 1, make_columns, &f);
}
