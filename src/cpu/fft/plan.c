/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of the Fourier engine: factorises a length and makes its twiddle tables. Plans are kept in
 * an LRU list of bounded length and size. */
#include "core/alloc.h"
#include "core/fork.h"
#include "core/interrupt.h"
#include "cpu/fft/fft.h"

#include <math.h>
#include <pthread.h>

#define KEPT_PLANS 64
#define POLL 65536 /* rows of a table between checks for an interrupt */
#define KEPT_BYTES ((int64_t)64 << 20)
#define SPLIT_FROM 256    /* shorter lines fit registers and L1 */
#define TABLE_MOST 65536  /* longer lines compose twiddles from two tables */
#define LANES_UNTIL 32768 /* longer lines exceed the inner caches and are worth threads */
#define LONGEST_PART 8192 /* atoms of this many elements fit L2 */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cti_fft_plan *kept; /* most recently used first; the list holds a reference to each */

__attribute__((constructor)) static void watch_forks(void)
{
    cti_fork_guard(&lock, 0);
}

/* ---- numbers ---- */

/* The angle is reduced to an octant, so that no angle exceeds pi / 4 and symmetries are exact. */
void cti_fft_root(int64_t k, int64_t n, double *re, double *im)
{
    int64_t octant = 8 * k / n, rest = 8 * k - octant * n;
    double x = 0.78539816339744830962 * ((double)(octant % 2 ? n - rest : rest) / (double)n);
    double c = cos(x), s = sin(x);
    double across = (octant + 1) / 2 % 2 ? s : c, up = (octant + 1) / 2 % 2 ? c : s;
    *re = octant >= 2 && octant < 6 ? -across : across;
    *im = octant < 4 ? -up : up;
}

bool cti_fft_smooth(int64_t n)
{
    for (int64_t p = 2; p <= CTI_FFT_PRIME; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}

/* The radices of a length: odd primes, then eights; 16 is split as 4 * 4 rather than 8 * 2. */
static int factorize(int64_t n, int64_t *radix)
{
    int count = 0, twos = 0;
    if (n == 1)
        radix[count++] = 1;
    for (int64_t p = 3; p <= CTI_FFT_PRIME; p += 2)
        for (; n % p == 0; n /= p)
            radix[count++] = p;
    for (; n % 2 == 0; n /= 2)
        twos++;
    for (; twos >= 3 && twos != 4; twos -= 3)
        radix[count++] = 8;
    for (; twos >= 2; twos -= 2)
        radix[count++] = 4;
    if (twos)
        radix[count++] = 2;
    return count;
}

/* Returns the rows of the best four-step matrix for a line: full vectors, nearly square; 0 if no
 * such matrix exists. */
static int64_t split_rows(int64_t n, int64_t lanes)
{
    double best = 1.6 * 2 * (double)n;
    int64_t rows = 0;
    for (int64_t d = 8; d * d <= n && n >= SPLIT_FROM; d++) {
        int64_t e = n / d;
        if (n % d || (e > LONGEST_PART && d * d * 16 < n))
            continue;
        double cost = (double)(CTI_FFT_UP(d, lanes) * e + CTI_FFT_UP(e, lanes) * d);
        cost *= 1 + log2((double)e / (double)d) / 50;
        if (cost <= best) {
            best = cost;
            rows = d;
        }
    }
    return rows;
}

enum cti_fft_algorithm cti_fft_algorithm_for(int64_t n, enum ct_dtype dtype)
{
    if (!cti_fft_smooth(n))
        return CTI_FFT_CHIRP;
    int64_t lanes = cti_fft_loops_for(dtype)->lanes;
    if (n % lanes == 0 && n >= SPLIT_FROM && n < LANES_UNTIL)
        return CTI_FFT_LANES;
    return split_rows(n, lanes) ? CTI_FFT_SPLIT : CTI_FFT_DIRECT;
}

/* The shortest smooth length for Bluestein's convolution. */
static int64_t chirp_length(int64_t n)
{
    int64_t best = INT64_MAX;
    for (int64_t odd = 1; odd <= 9; odd += 2) {
        int64_t m = odd;
        while (odd != 7 && m < 2 * n - 1)
            m *= 2;
        if (odd != 7 && m < best)
            best = m;
    }
    return best;
}

/* ---- tables ---- */

static void put(const struct cti_fft_plan *plan, void *table, int64_t at, double x)
{
    if (plan->dtype == CT_FLOAT32)
        ((float *)table)[at] = (float)x;
    else
        ((double *)table)[at] = x;
}

static void put_root(const struct cti_fft_plan *plan, void *table, int64_t re_at, int64_t im_at,
                     int64_t k, int64_t n)
{
    double re, im;
    cti_fft_root(k, n, &re, &im);
    put(plan, table, re_at, re);
    put(plan, table, im_at, im);
}

/* Allocates all tables of a plan. */
static char *reserve(struct cti_fft_plan *plan, int64_t numbers)
{
    plan->bytes = numbers * cti_itemsize(plan->dtype);
    plan->block = cti_block_new(plan->bytes ? plan->bytes : 1);
    return plan->block ? plan->block->address : NULL;
}

static bool make_direct(struct cti_fft_plan *plan)
{
    int64_t radix[CTI_FFT_STEPS + 24], numbers = 0, size = cti_itemsize(plan->dtype), s = 1;
    int64_t left = plan->n;
    plan->steps = factorize(plan->n, radix);
    for (int i = 0; i < plan->steps; i++) {
        int64_t r = radix[i];
        left /= r;
        plan->step[i] = (struct cti_fft_step){.radix = r, .m = left, .s = s};
        numbers += 2 * left * (r - 1) + 2 * r;
        s *= r;
    }
    char *at = reserve(plan, numbers);
    for (int i = 0; at && i < plan->steps; i++) {
        struct cti_fft_step *st = &plan->step[i];
        int64_t r = st->radix, count = 2 * st->m * (r - 1);
        st->trig = at;
        for (int64_t j = 0; j < r; j++) {
            double re, im;
            cti_fft_root(j, r, &re, &im);
            put(plan, at, j, re);
            put(plan, at, r + j, -im);
        }
        at += 2 * r * size;
        st->twiddle = at;
        for (int64_t p = 0; p < st->m; p++) {
            if (cti_interrupted_at(p, POLL))
                return false;
            for (int64_t k = 1; k < r; k++) {
                int64_t to = 2 * (p * (r - 1) + k - 1);
                put_root(plan, at, to, to + 1, p * k, st->m * r);
            }
        }
        at += count * size;
    }
    return at;
}

/* exp(-2 pi i row column / n): the full table, or factors for the first block of columns and for
 * the others. */
static bool make_split(struct cti_fft_plan *plan)
{
    int64_t lanes = cti_fft_loops_for(plan->dtype)->lanes, n = plan->n, rows = split_rows(n, lanes);
    plan->down = cti_fft_plan_get(rows, plan->dtype, CTI_FFT_DIRECT);
    plan->across = plan->down ? cti_fft_plan_get(n / rows, plan->dtype, CTI_FFT_DIRECT) : NULL;
    if (!plan->across)
        return false;
    int64_t blocks = (n / rows + lanes - 1) / lanes, atoms = n > TABLE_MOST ? rows : blocks * rows;
    int64_t coarse = n > TABLE_MOST ? blocks * rows : 0;
    char *at = reserve(plan, 2 * (atoms * lanes + coarse));
    if (!at)
        return false;
    for (int64_t i = 0; i < atoms; i++) {
        if (cti_interrupted_at(i, POLL))
            return false;
        for (int64_t l = 0; l < lanes; l++) {
            int64_t row = i % rows, column = i / rows * lanes + l;
            put_root(plan, at, 2 * i * lanes + l, (2 * i + 1) * lanes + l, row * column % n, n);
        }
    }
    plan->table = at;
    if (coarse) {
        plan->fine = at;
        plan->table = at + 2 * atoms * lanes * cti_itemsize(plan->dtype);
    }
    for (int64_t i = 0; i < coarse; i++)
        put_root(plan, plan->table, 2 * i, 2 * i + 1, i % rows * (i / rows * lanes) % n, n);
    return true;
}

/* exp(-2 pi i position k / n) of the first pass, in the vector order of `spread` in lines.h. */
static bool make_lanes(struct cti_fft_plan *plan)
{
    int64_t lanes = cti_fft_loops_for(plan->dtype)->lanes, n = plan->n, m = n / lanes;
    int64_t blocks = (m + lanes - 1) / lanes, to = 0;
    plan->down = cti_fft_plan_get(m, plan->dtype, CTI_FFT_DIRECT);
    plan->table = plan->down ? reserve(plan, 2 * blocks * lanes * (lanes - 1)) : NULL;
    for (int64_t b = 0; plan->table && b < blocks; b++) {
        int64_t first = b * lanes + lanes <= m ? b * lanes : m - lanes;
        for (int64_t k = 1; k < lanes; k++, to += 2 * lanes)
            for (int64_t l = 0; l < lanes; l++)
                put_root(plan, plan->table, to + l, to + lanes + l, (first + l) * k % n, n);
    }
    return plan->table;
}

static bool make_chirp(struct cti_fft_plan *plan)
{
    int64_t n = plan->n, m = chirp_length(n);
    plan->down = cti_fft_plan_get(m, CT_FLOAT64, cti_fft_algorithm_for(m, CT_FLOAT64));
    double *at = plan->down ? (double *)(void *)reserve(plan, 2 * (n + m)) : NULL;
    struct cti_block *block = at ? cti_block_new(cti_fft_line_bytes(plan->down, 1)) : NULL;
    if (!block)
        return false;
    double *filter = at + 2 * n;
    for (int64_t j = 0; j < 2 * m; j++)
        filter[j] = 0;
    for (int64_t j = 0, square = 0; j < n; square = (square + 2 * j + 1) % (2 * n), j++) {
        if (cti_interrupted_at(j, POLL))
            break;
        cti_fft_root(square, 2 * n, &at[2 * j], &at[2 * j + 1]);
        int64_t back = j ? m - j : 0;
        filter[2 * j] = filter[2 * back] = at[2 * j];
        filter[2 * j + 1] = filter[2 * back + 1] = -at[2 * j + 1];
    }
    struct cti_fft_work work = {.memory = block->address, .tasks = 1};
    cti_fft_line(plan->down, CT_FLOAT64, (char *)filter, (char *)filter, false, 1 / (double)m,
                 &work);
    cti_block_free(block);
    plan->table = at;
    plan->fine = filter;
    return true;
}

static bool make_halves(struct cti_fft_plan *plan)
{
    char *at = reserve(plan, plan->n + 2);
    for (int64_t k = 0; at && k <= plan->n / 2; k++)
        put_root(plan, at, 2 * k, 2 * k + 1, k, plan->n);
    plan->table = at;
    return at;
}

static bool fill_tables(struct cti_fft_plan *plan)
{
    switch (plan->algorithm) {
    case CTI_FFT_DIRECT:
        return make_direct(plan);
    case CTI_FFT_LANES:
        return make_lanes(plan);
    case CTI_FFT_SPLIT:
        return make_split(plan);
    case CTI_FFT_CHIRP:
        return make_chirp(plan);
    case CTI_FFT_HALVES:
        return make_halves(plan);
    }
    return false;
}

/* Makes the tables. Fails if interrupted, since an incomplete plan must not stay in the cache. */
static bool make(struct cti_fft_plan *plan)
{
    return fill_tables(plan) && cti_ran();
}

/* ---- the cache ---- */

/* Finds a plan, moves it to the front and takes a reference. The caller holds the lock. */
static struct cti_fft_plan *find_plan(int64_t n, enum ct_dtype dtype,
                                      enum cti_fft_algorithm algorithm)
{
    for (struct cti_fft_plan **at = &kept; *at; at = &(*at)->next) {
        struct cti_fft_plan *plan = *at;
        if (plan->n == n && plan->dtype == dtype && plan->algorithm == algorithm) {
            *at = plan->next;
            plan->next = kept;
            kept = plan;
            plan->refs++;
            return plan;
        }
    }
    return NULL;
}

/* Detaches and returns the plans over the limits. The caller holds the lock. */
static struct cti_fft_plan *trim(void)
{
    int64_t count = 0, bytes = 0;
    for (struct cti_fft_plan **at = &kept; *at; at = &(*at)->next) {
        bytes += (*at)->bytes;
        if (++count > KEPT_PLANS || bytes > KEPT_BYTES) {
            struct cti_fft_plan *rest = *at;
            *at = NULL;
            return rest;
        }
    }
    return NULL;
}

void cti_fft_plan_put(struct cti_fft_plan *plan)
{
    if (!plan)
        return;
    pthread_mutex_lock(&lock);
    bool last = --plan->refs == 0;
    pthread_mutex_unlock(&lock);
    if (!last)
        return;
    cti_fft_plan_put(plan->down);
    cti_fft_plan_put(plan->across);
    if (plan->block)
        cti_block_free(plan->block);
    cti_free(plan);
}

struct cti_fft_plan *cti_fft_plan_get(int64_t n, enum ct_dtype dtype,
                                      enum cti_fft_algorithm algorithm)
{
    if (algorithm == CTI_FFT_CHIRP)
        dtype = CT_FLOAT64; /* Bluestein's algorithm loses digits, and float64 has digits to
                             * spare */
    pthread_mutex_lock(&lock);
    struct cti_fft_plan *plan = find_plan(n, dtype, algorithm), *rest;
    pthread_mutex_unlock(&lock);
    if (plan)
        return plan;
    if (!(plan = cti_calloc(1, sizeof *plan)))
        return NULL;
    *plan = (struct cti_fft_plan){.n = n, .dtype = dtype, .algorithm = algorithm, .refs = 1};
    if (!make(plan)) {
        cti_fft_plan_put(plan);
        return NULL;
    }
    pthread_mutex_lock(&lock);
    plan->refs++; /* for the list; if two threads make the same plan, both are valid */
    plan->next = kept;
    kept = plan;
    rest = trim();
    pthread_mutex_unlock(&lock);
    while (rest) {
        struct cti_fft_plan *next = rest->next;
        cti_fft_plan_put(rest);
        rest = next;
    }
    return plan;
}
