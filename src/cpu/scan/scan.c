/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans along a dim: cumsum, cumprod, cummax, cummin, logcumsumexp. float32 accumulates in float64,
 * like PyTorch. There are three algorithms: line by line; tiles of interleaved lines if the dim is
 * not the inner one; and blocks of one long line, for types in which the total of a block may be
 * computed before its prefix sums (the order of additions does not depend on the number of
 * threads). The caller converts float16 and bfloat16 to float32. */
#include "core/alloc.h"
#include "core/backend.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "cpu/engines.h"
#include "cpu/index/index.h"
#include "cpu/isa.h"
#include "cpu/pointwise/pack.h"
#include "cpu/pointwise/stream.h"
#include "cpu/scan/tiles.h"
#include "math/math.h"

#define SCAN_TILE 1024 /* lines of a tile, at most */
#define SCAN_PART CTI_SCAN_PART
#define SCAN_PARTS 8
#define COMPLEX_TILE 256
#define FEW 8         /* minimum number of lines worth transposing */
#define SIDE 16       /* lines that are transposed together */
#define TRANSPOSED 64 /* elements of each of these lines */
#define SCAN_BLOCK (SCAN_PART * SCAN_PARTS)
#define POLL (1 << 18) /* elements of a long line between checks for an interrupt */

struct scan_loops;
struct scan;

struct scan {
    struct cti_lines lines; /* out, in, index */
    const struct scan_loops *loops;
    /* For ops other than CTI_SCAN_SUM and CTI_SCAN_PROD. */
    void (*extreme)(const struct scan *s, const struct cti_line *line);
    enum cti_scan_op op;
    int64_t n, out_step, in_step, index_step; /* along the dim */
    int64_t width, tile, ntiles, item;        /* of the inner dim */
    const struct cti_scan_tiles *tiles;       /* NULL: none for this type */
    void *carry;
};

struct scan_loops {
    void (*line)(const struct scan *s, const struct cti_line *line);
    void (*four)(const struct scan *s, const struct cti_line *line, int64_t in_line,
                 int64_t out_line);
    void (*begin)(void *accs, int64_t n, bool product);
    void (*tile)(const struct scan *s, const char *in, char *out, int64_t width);
    void (*long_line)(struct scan *s);
};
typedef void extreme_fn(const struct scan *s, const struct cti_line *line);

/* Plain complex products like PyTorch's: infinities are not recovered. */
static inline double _Complex mul_complex(double _Complex a, double _Complex b)
{
    return __builtin_complex(__real__ a * __real__ b - __imag__ a * __imag__ b,
                             __real__ a * __imag__ b + __imag__ a * __real__ b);
}

/* Scans n elements of `lines` contiguous lines, in_line and out_line bytes apart, from the given
 * accumulators on: transposes them in square tiles, so that lines run in parallel lanes. */
static void transpose_lines(const struct scan *s, const char *in, int64_t in_line, char *out,
                            int64_t out_line, int64_t lines, int64_t n, void *accs)
{
    _Alignas(64) char square[TRANSPOSED * SIDE * 8];
    int64_t pitch = lines * s->item;
    struct cti_scan_tile t = {.in = square,
                              .out = square,
                              .in_step = pitch,
                              .out_step = pitch,
                              .width = lines,
                              .product = s->op == CTI_SCAN_PROD};
    for (int64_t at = 0; at < n; at += TRANSPOSED) {
        t.rows = n - at < TRANSPOSED ? n - at : TRANSPOSED;
        cti_cpu_transpose(square, pitch, in + at * s->item, in_line, t.rows, lines, s->item);
        s->tiles->tile(&t, accs);
        cti_cpu_transpose(out + at * s->item, out_line, square, pitch, lines, t.rows, s->item);
    }
}

#define PLAIN_MUL(a, b) ((a) * (b))
#define NEVER(x) ((void)(x), 0)

/* Integers of one width share loops, since sums and products wrap to the same bits. */

#define T uint8_t
#define A uint32_t
#define MUL PLAIN_MUL
#define NAME(x) x##_u8
#define BLOCKED 0
#define STEPPED 0
#define TILED 1
#include "cpu/scan/typed.h"

#define T uint16_t
#define A uint32_t
#define MUL PLAIN_MUL
#define NAME(x) x##_u16
#define BLOCKED 0
#define STEPPED 0
#define TILED 1
#include "cpu/scan/typed.h"

#define T uint32_t
#define A uint32_t
#define MUL PLAIN_MUL
#define NAME(x) x##_u32
#define BLOCKED 1
#define STEPPED 0
#define TILED 1
#include "cpu/scan/typed.h"

#define T uint64_t
#define A uint64_t
#define MUL PLAIN_MUL
#define NAME(x) x##_u64
#define BLOCKED 1
#define STEPPED 0
#define TILED 1
#include "cpu/scan/typed.h"

#define T float
#define A double
#define MUL PLAIN_MUL
#define NAME(x) x##_f32
#define BLOCKED 1
#define STEPPED 1
#define TILED 1
#include "cpu/scan/typed.h"

#define T double
#define A double
#define MUL PLAIN_MUL
#define NAME(x) x##_f64
#define BLOCKED 0
#define STEPPED 0
#define TILED 1
#include "cpu/scan/typed.h"

#define T float _Complex
#define A double _Complex
#define MUL mul_complex
#define NAME(x) x##_c64
#define BLOCKED 0
#define STEPPED 0
#define TILED 0
#include "cpu/scan/typed.h"

#define T double _Complex
#define A double _Complex
#define MUL mul_complex
#define NAME(x) x##_c128
#define BLOCKED 0
#define STEPPED 0
#define TILED 0
#include "cpu/scan/typed.h"

#define T bool
#define IS_NAN NEVER
#define NAME(x) x##_bool
#include "cpu/scan/extreme.h"

#define T uint8_t
#define IS_NAN NEVER
#define NAME(x) x##_u8
#include "cpu/scan/extreme.h"

#define T int8_t
#define IS_NAN NEVER
#define NAME(x) x##_i8
#include "cpu/scan/extreme.h"

#define T int16_t
#define IS_NAN NEVER
#define NAME(x) x##_i16
#include "cpu/scan/extreme.h"

#define T int32_t
#define IS_NAN NEVER
#define NAME(x) x##_i32
#include "cpu/scan/extreme.h"

#define T int64_t
#define IS_NAN NEVER
#define NAME(x) x##_i64
#include "cpu/scan/extreme.h"

#define T uint16_t
#define IS_NAN NEVER
#define NAME(x) x##_u16
#include "cpu/scan/extreme.h"

#define T uint32_t
#define IS_NAN NEVER
#define NAME(x) x##_u32
#include "cpu/scan/extreme.h"

#define T uint64_t
#define IS_NAN NEVER
#define NAME(x) x##_u64
#include "cpu/scan/extreme.h"

#define T float
#define IS_NAN __builtin_isnan
#define NAME(x) x##_f32
#include "cpu/scan/extreme.h"

#define T double
#define IS_NAN __builtin_isnan
#define NAME(x) x##_f64
#include "cpu/scan/extreme.h"

#define T float
#define NAME(x) x##_f32
#include "cpu/scan/exp.h"

#define T double
#define NAME(x) x##_f64
#include "cpu/scan/exp.h"

#define T float
#define NAME(x) x##_c64
#include "cpu/scan/exp_complex.h"

#define T double
#define NAME(x) x##_c128
#include "cpu/scan/exp_complex.h"

static const struct scan_loops *loops_of(enum ct_dtype dtype)
{
    static const struct scan_loops *const table[CT_DTYPE_COUNT] = {
        [CT_BOOL] = &loops_u8,         [CT_UINT8] = &loops_u8,    [CT_INT8] = &loops_u8,
        [CT_INT16] = &loops_u16,       [CT_INT32] = &loops_u32,   [CT_INT64] = &loops_u64,
        [CT_UINT16] = &loops_u16,      [CT_UINT32] = &loops_u32,  [CT_UINT64] = &loops_u64,
        [CT_FLOAT32] = &loops_f32,     [CT_FLOAT64] = &loops_f64, [CT_COMPLEX64] = &loops_c64,
        [CT_COMPLEX128] = &loops_c128,
    };
    return table[dtype];
}

static extreme_fn *extreme_of(enum ct_dtype dtype)
{
    static extreme_fn *const table[CT_DTYPE_COUNT] = {
        [CT_BOOL] = extreme_bool,   [CT_UINT8] = extreme_u8,    [CT_INT8] = extreme_i8,
        [CT_INT16] = extreme_i16,   [CT_INT32] = extreme_i32,   [CT_INT64] = extreme_i64,
        [CT_UINT16] = extreme_u16,  [CT_UINT32] = extreme_u32,  [CT_UINT64] = extreme_u64,
        [CT_FLOAT32] = extreme_f32, [CT_FLOAT64] = extreme_f64,
    };
    return table[dtype];
}

static void scan_lines(void *context, int64_t begin, int64_t end)
{
    const struct scan *s = context;
    struct cti_line line;
    cti_line_at(&s->lines, begin, &line);
    for (int64_t i = begin; i < end; i++) {
        if (s->extreme)
            s->extreme(s, &line);
        else
            s->loops->line(s, &line);
        cti_line_next(&s->lines, &line);
    }
}

/* Scans short lines with a common stride, four at a time. */
static void run_fours(void *context, int64_t begin, int64_t end)
{
    const struct scan *s = context;
    struct cti_line line;
    int64_t in_line = cti_line_step(&s->lines, 1), out_line = cti_line_step(&s->lines, 0);
    cti_line_at(&s->lines, begin, &line);
    for (int64_t i = begin, n; i < end; i += n) {
        n = cti_line_row(&s->lines, &line, end - i < 4 ? end - i : 4);
        if (n == 4)
            s->loops->four(s, &line, in_line, out_line);
        else
            s->loops->line(s, &line);
        n = n == 4 ? 4 : 1;
        cti_line_skip(&s->lines, &line, n);
    }
}

/* The same, transposed, which is faster if elements are cast. */
static void run_transposed(void *context, int64_t begin, int64_t end)
{
    const struct scan *s = context;
    struct cti_line line;
    double accs[SIDE]; /* wide enough for any tile's accumulators */
    cti_line_at(&s->lines, begin, &line);
    for (int64_t i = begin, n; i < end; i += n) {
        n = cti_line_row(&s->lines, &line, end - i < SIDE ? end - i : SIDE);
        if (n < FEW) {
            run_fours(context, i, i + n);
        } else {
            s->loops->begin(accs, n, s->op == CTI_SCAN_PROD);
            transpose_lines(s, line.p[1], cti_line_step(&s->lines, 1), line.p[0],
                            cti_line_step(&s->lines, 0), n, s->n, accs);
        }
        cti_line_skip(&s->lines, &line, n);
    }
}

static void run_tile(const struct scan *s, const char *in, char *out, int64_t width)
{
    double accs[SCAN_TILE];
    struct cti_scan_tile t = {.in = in,
                              .out = out,
                              .in_step = s->in_step,
                              .out_step = s->out_step,
                              .width = width,
                              .product = s->op == CTI_SCAN_PROD};
    int64_t part = POLL / width + 1;
    s->loops->begin(accs, width, t.product);
    for (int64_t i = 0; i < s->n && !(i > 0 && cti_interrupted()); i += part) {
        t.rows = s->n - i < part ? s->n - i : part;
        s->tiles->tile(&t, accs);
        t.in += part * s->in_step;
        t.out += part * s->out_step;
    }
}

static void run_tiles(void *context, int64_t begin, int64_t end)
{
    const struct scan *s = context;
    struct cti_line line;
    int64_t tile = begin % s->ntiles;
    cti_line_at(&s->lines, begin / s->ntiles, &line);
    for (int64_t i = begin; i < end; i++) {
        int64_t first = tile * s->tile;
        int64_t width = s->width - first < s->tile ? s->width - first : s->tile;
        (s->tiles ? run_tile : s->loops->tile)(s, line.p[1] + first * s->item,
                                               line.p[0] + first * s->item, width);
        if (++tile == s->ntiles) {
            tile = 0;
            cti_line_next(&s->lines, &line);
        }
    }
}

typedef const struct cti_scan_tiles scan_table[CT_DTYPE_COUNT];
extern scan_table CTI_ISA_NAMES(cti_scan_table);

static const struct cti_scan_tiles *scan_tiles(enum ct_dtype dtype)
{
    static scan_table *const tables[] = CTI_ISA_TABLE(cti_scan_table);
    const struct cti_scan_tiles *tiles = &(*tables[cti_cpu_isa()])[dtype];
    return tiles->tile ? tiles : NULL;
}

/* Returns the largest width whose accumulators fit L1, but leaves at least one tile for each
 * thread. */
static int64_t tile_width(const struct scan *s)
{
    int64_t share = s->width * s->lines.count / cti_parallel_threads() / 64 * 64;
    share = share < 256 ? 256 : share;
    return share < SCAN_TILE ? share : SCAN_TILE;
}

enum cti_status cti_cpu_scan(struct cti_scan *work)
{
    ct_tensor *out = work->out, *index = work->index, *in = work->in;
    enum cti_scan_op op = work->op;
    int dim = (int)work->dim;
    struct cti_geometry go = cti_geometry_of(out), gi = cti_geometry_of(in);
    struct scan s = {.op = op, .loops = loops_of(out->dtype), .tiles = scan_tiles(out->dtype)};
    if (out->numel == 0)
        return true;
    if (index)
        s.extreme = extreme_of(out->dtype);
    if (op == CTI_SCAN_LOGSUMEXP)
        s.extreme = out->dtype == CT_FLOAT64      ? log_line_f64
                    : out->dtype == CT_COMPLEX64  ? log_line_c64
                    : out->dtype == CT_COMPLEX128 ? log_line_c128
                                                  : log_line_f32;
    if (!s.loops || (index && !s.extreme))
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "scans are not implemented for %s",
                          ct_dtype_str(out->dtype));
    s.item = cti_itemsize(out->dtype);
    s.n = go.shape[dim];
    s.out_step = go.stride[dim] * s.item;
    s.in_step = gi.stride[dim] * s.item;
    s.index_step = index ? cti_geometry_of(index).stride[dim] * 8 : 0;
    int inner = cti_inner_dim(go);
    bool tiled = !s.extreme && inner != dim && go.stride[inner] == 1 && gi.stride[inner] == 1;
    cti_lines_begin(&s.lines, go.ndim, go.shape, dim, tiled ? inner : CTI_NO_SKIP);
    cti_lines_add(&s.lines, out);
    cti_lines_add(&s.lines, in);
    if (index)
        cti_lines_add(&s.lines, index);
    if (tiled) {
        s.width = go.shape[inner];
        s.tile = s.tiles ? tile_width(&s) : COMPLEX_TILE;
        s.ntiles = (s.width + s.tile - 1) / s.tile;
        cti_parallel_for(s.lines.count * s.ntiles, cti_line_grain(s.n * s.tile), run_tiles, &s);
        return true;
    }
    bool dense = s.out_step == s.item && s.in_step == s.item;
    if (s.lines.count == 1 && op == CTI_SCAN_SUM && dense && s.loops->long_line &&
        s.n >= 16 * SCAN_BLOCK && cti_parallel_threads() > 1) {
        s.carry = cti_malloc((size_t)(s.n / SCAN_PART + SCAN_PARTS) * 8);
        if (!s.carry)
            return false;
        s.loops->long_line(&s);
        cti_free(s.carry);
        return true;
    }
    /* If the data is not in cache, processing one line after the other is faster. */
    bool several = !s.extreme && s.n < SCAN_BLOCK && s.lines.count >= FEW &&
                   !cti_cpu_exceeds_caches(16 * s.item * out->numel);
    bool transposed = several && dense && s.tiles && s.item == 4 && s.n >= 2 * SIDE;
    cti_parallel_for(s.lines.count, cti_line_grain(s.n),
                     transposed ? run_transposed
                     : several  ? run_fours
                                : scan_lines,
                     &s);
    return true;
}
