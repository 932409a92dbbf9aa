/* SPDX-License-Identifier: BSD-3-Clause */
/* QR factorisation of one large matrix by all threads: see Note [Tiles] and Note [Looking ahead] in
 * tiles.c. Called by qr.c.
 *
 * Note [Reflectors as products]: the reflectors V of a panel act together as I - V T V^H. V is
 * stored with its ones and zeros written out, so that a panel is applied by three full matrix
 * products; a fourth, V^H V, yields T. A library works with triangles and vectors instead, at half
 * the speed. For the same reason a panel is factored recursively by halves, down to NARROW columns,
 * which are processed one by one. */
#include "cpu/factor/tile.h"

enum { NARROW = 8 };

struct qr {
    const struct cti_factor_job *job;
    char *a, *tau, *q;
    int k, width, all; /* k: the current panel; all: number of reflectors */
    char *v;           /* V of the current panel and of the next, m x PANEL each */
    char *triangle;    /* T of each panel, PANEL x PANEL */
    char *room;        /* two squares for each tile of a parallel region */
};

static int64_t square_bytes(const struct cti_factor_job *job)
{
    return (int64_t)PANEL * PANEL * job->size;
}

static int panels(int columns)
{
    return (columns + PANEL - 1) / PANEL;
}

/* Computes T of `width` reflectors from its diagonal and from V^H V, column by column: -tau T (V^H
 * v). One function for each type; the leading dim is PANEL. */
#define MAKE_TRIANGLE(name, type)                                                                  \
    static void name(int width, const type *tau, const type *gram, type *t)                        \
    {                                                                                              \
        memset(t, 0, (size_t)PANEL *PANEL * sizeof *t);                                            \
        for (int j = 0; j < width; j++) {                                                          \
            type *column = t + j * PANEL;                                                          \
            for (int k = 0; k < j; k++)                                                            \
                for (int i = 0; i <= k; i++)                                                       \
                    column[i] += t[k * PANEL + i] * gram[j * PANEL + k];                           \
            for (int i = 0; i < j; i++)                                                            \
                column[i] *= -tau[j];                                                              \
            column[j] = tau[j];                                                                    \
        }                                                                                          \
    }
MAKE_TRIANGLE(triangle_s, float)
MAKE_TRIANGLE(triangle_d, double)
MAKE_TRIANGLE(triangle_c, float _Complex)
MAKE_TRIANGLE(triangle_z, double _Complex)

static void make_triangle(const struct cti_factor_job *job, int rows, int width, const char *v,
                          const char *tau, char *gram, char *t)
{
    tile_product(job, "C", "N", width, width, rows, 1, v, job->m, v, job->m, 0, gram, PANEL);
    const void *g = gram, *scale = tau;
    void *to = t;
    switch ((enum cti_lapack_type)job->type) {
    case CTI_LAPACK_S:
        triangle_s(width, scale, g, to);
        return;
    case CTI_LAPACK_D:
        triangle_d(width, scale, g, to);
        return;
    case CTI_LAPACK_C:
        triangle_c(width, scale, g, to);
        return;
    case CTI_LAPACK_Z:
        triangle_z(width, scale, g, to);
    }
}

/* Multiplies `cols` columns of c by op(I - V T V^H); op is "N" or "C". room: two squares. */
static void reflect(const struct cti_factor_job *job, const char *op, int rows, int width,
                    const char *v, const char *t, char *c, int cols, char *room)
{
    char *w = room, *tw = room + square_bytes(job);
    tile_product(job, "C", "N", width, cols, rows, 1, v, job->m, c, job->m, 0, w, PANEL);
    tile_product(job, op, "N", width, cols, width, 1, t, PANEL, w, PANEL, 0, tw, PANEL);
    tile_product(job, "N", "N", rows, cols, width, -1, v, job->m, tw, PANEL, 1, c, job->m);
}

/* Copies the reflectors below the diagonal of a, with ones and zeros written out. `from` may equal
 * `to`. */
static void write_out(const struct cti_factor_job *job, int rows, int width, const char *from,
                      char *to)
{
    for (int j = 0; j < width; j++) {
        char *column = at(job, to, job->m, 0, j);
        if (from != to)
            memcpy(column, from + (int64_t)j * job->m * job->size,
                   (size_t)rows * (size_t)job->size);
        memset(column, 0, (size_t)j * (size_t)job->size);
        memcpy(column + j * job->size, number(job, 1), (size_t)job->size);
    }
}

/* Factors `width` columns of the panel from (k, k) on and stores their V. room: four squares. */
static void qr_columns(const struct qr *f, int k, int width, char *v, char *room)
{
    const struct cti_factor_job *job = f->job;
    int rows = job->m - k, info = 0, lwork = 2 * PANEL * PANEL;
    char *a = at(job, f->a, job->m, k, k), *tau = f->tau + k * job->size;
    if (width <= NARROW) {
        job->lapack->geqrf[job->type](&rows, &width, a, &job->m, tau, room, &lwork, &info);
        write_out(job, rows, width, a, v);
        return;
    }
    int half = width / 2, rest = width - half;
    char *t = room + 2 * square_bytes(job), *gram = t + square_bytes(job);
    qr_columns(f, k, half, v, room);
    make_triangle(job, rows, half, v, tau, gram, t);
    reflect(job, "C", rows, half, v, t, at(job, a, job->m, 0, half), rest, room);
    qr_columns(f, k + half, rest, at(job, v, job->m, half, half), room);
    for (int j = half; j < width; j++) /* above the second half's diagonal */
        memset(at(job, v, job->m, 0, j), 0, (size_t)half * (size_t)job->size);
}

static char *v_of(const struct qr *f, int k)
{
    return f->v + k / PANEL % 2 * ((int64_t)f->job->m * PANEL * f->job->size);
}

static char *triangle_of(const struct qr *f, int k)
{
    return f->triangle + k / PANEL * square_bytes(f->job);
}

/* Returns the scratch of a tile: two squares. The first tile, which factors the next panel, has
 * four. */
static char *room_of(const struct qr *f, int tile)
{
    return f->room + (tile ? 2 * tile + 2 : 0) * square_bytes(f->job);
}

static void factor_panel(const struct qr *f, int k)
{
    const struct cti_factor_job *job = f->job;
    int width = least(PANEL, f->all - k);
    qr_columns(f, k, width, v_of(f, k), room_of(f, 0));
    make_triangle(job, job->m - k, width, v_of(f, k), f->tau + k * job->size, room_of(f, 0),
                  triangle_of(f, k));
}

/* Updates columns after the panel; the first of them are the next panel. */
static void qr_update(void *context, int64_t begin, int64_t end)
{
    const struct qr *f = context;
    const struct cti_factor_job *job = f->job;
    int next = f->k + f->width;
    cti_blas_enter();
    for (int t = (int)begin; t < (int)end; t++) {
        int column = next + t * PANEL, cols = least(PANEL, job->n - column);
        reflect(job, "C", job->m - f->k, f->width, v_of(f, f->k), triangle_of(f, f->k),
                at(job, f->a, job->m, f->k, column), cols, room_of(f, t));
        if (t == 0 && next < f->all)
            factor_panel(f, next);
    }
    cti_blas_leave();
}

/* Bytes of the triangles of `all` reflectors and of the scratch of tiles, aligned for what
 * follows. */
static int64_t squares_bytes(const struct cti_factor_job *job, int all, int columns)
{
    return (panels(all) + 2 * panels(columns) + 2) * square_bytes(job);
}

/* In addition, needs V of two panels, or a copy of all reflectors that becomes V. */
bool cti_tiles_qr_room(struct cti_factor_job *job)
{
    bool given = job->w->kind == CTI_FACTOR_REFLECTORS;
    job->work_bytes = squares_bytes(job, given ? job->k : least(job->m, job->n), job->n);
    job->room_bytes = job->work_bytes + (int64_t)job->m * (given ? job->k : 2 * PANEL) * job->size;
    return true;
}

/* Factors the first `all` columns of a into R and reflectors, and applies these to the columns
 * after them. */
static void factor(const struct cti_factor_job *job, int all, char *room, char *v, char *a,
                   char *tau)
{
    struct qr f = {.job = job, .a = a, .tau = tau, .all = all, .triangle = room, .v = v};
    f.room = room + panels(all) * square_bytes(job);
    cti_blas_enter();
    factor_panel(&f, 0);
    cti_blas_leave();
    for (f.k = 0; f.k < f.all; f.k += f.width) {
        f.width = least(PANEL, f.all - f.k);
        if (!cti_parallel_for(panels(job->n - f.k - f.width), 1, qr_update, &f))
            return;
    }
}

void cti_tiles_qr(const struct cti_factor_job *job, char *room, char *a, char *tau)
{
    factor(job, least(job->m, job->n), room, room + job->work_bytes, a, tau);
}

static void make_triangles(void *context, int64_t begin, int64_t end)
{
    const struct qr *f = context;
    const struct cti_factor_job *job = f->job;
    cti_blas_enter();
    for (int p = (int)begin; p < (int)end; p++) {
        int k = p * PANEL, width = least(PANEL, f->all - k);
        char *v = at(job, f->a, job->m, k, k);
        write_out(job, job->m - k, width, v, v);
        make_triangle(job, job->m - k, width, v, f->tau + k * job->size, room_of(f, p),
                      triangle_of(f, k));
    }
    cti_blas_leave();
}

/* Applies the panels to columns of the identity matrix, the last panel first. A panel after a
 * column leaves it unchanged. */
static void make_columns(void *context, int64_t begin, int64_t end)
{
    const struct qr *f = context;
    const struct cti_factor_job *job = f->job;
    cti_blas_enter();
    for (int t = (int)begin; t < (int)end; t++) {
        int column = t * PANEL, cols = least(PANEL, job->n - column);
        char *tile = at(job, f->q, job->m, 0, column);
        set_unit(job, tile, job->m, column, cols);
        for (int k = least(column, (f->all - 1) / PANEL * PANEL); k >= 0; k -= PANEL)
            reflect(job, "N", job->m - k, least(PANEL, f->all - k), at(job, f->a, job->m, k, k),
                    triangle_of(f, k), at(job, tile, job->m, k, 0), cols, room_of(f, t));
    }
    cti_blas_leave();
}

void cti_tiles_reflectors(const struct cti_factor_job *job, char *room, char *q, char *tau)
{
    struct qr f = {.job = job, .tau = tau, .q = q, .all = job->k, .triangle = room};
    f.room = room + panels(f.all) * square_bytes(job);
    f.a = room + job->work_bytes;
    memcpy(f.a, q, (size_t)job->m * (size_t)job->k * (size_t)job->size);
    if (cti_parallel_for(panels(f.all), 1, make_triangles, &f))
        cti_parallel_for(panels(job->n), 1, make_columns, &f);
}

/* ---- least squares ---- */

int64_t cti_tiles_reduce_room(const struct cti_factor_job *job)
{
    int64_t columns = (int64_t)job->n + job->k + 2 * PANEL;
    return squares_bytes(job, job->n, job->n + job->k) + (columns * job->m + job->n) * job->size;
}

/* Treats B as additional columns of A, so that it becomes Q^H B in the process. */
void cti_tiles_reduce(const struct cti_factor_job *job, char *room, char *a, char *b)
{
    struct cti_factor_job both = *job;
    both.n = job->n + job->k;
    size_t column = (size_t)job->m * (size_t)job->size;
    size_t bytes = column * (size_t)job->n, bytes_b = column * (size_t)job->k;
    char *v = room + squares_bytes(job, job->n, both.n), *c = v + 2 * PANEL * column;
    memcpy(c, a, bytes);
    memcpy(c + bytes, b, bytes_b);
    factor(&both, job->n, room, v, c, c + bytes + bytes_b);
    memcpy(b, c + bytes, bytes_b);
    memset(a, 0, bytes);
    for (int j = 0; j < job->n; j++)
        memcpy(a + (size_t)j * column, c + (size_t)j * column, (size_t)(j + 1) * (size_t)job->size);
}
