/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointwise programs: one kernel for each program, types of its operands and class of geometry.
 *
 * Note [Classes of geometry]
 * Dims are dropped, ordered by the result's strides and merged first. What is then one dim without
 * gaps is read and written 16 bytes at a time (`pack` elements), from operands that are aligned so;
 * everything else has an index taken apart, by multiplications with inverses that the host has
 * made: for each pack where the inner dim has no gaps, else for each element; what has 2^31 of them
 * or more divides in 64 bits. Where an operand is transposed, the result is made by tiles of 32 by
 * 32, into which such operands are brought through shared memory, along their own rows. Numbers
 * travel in the arguments, never in the text: a program is compiled once for all of them. */
#include "cuda/engines.h"
#include "cuda/host.h"
#include "cuda/kernel.h"

#include "core/value.h"

#include <stdio.h>
#include <string.h>

#define THREADS 256
#define MOST_DIMS 12
#define EDGE 32 /* of a tile */

/* An element for each, one for all, a number in the arguments, one for each pack; an element for
 * each that comes by tiles. */
enum kind { ALONG, ONE, NUMBER, SPLAT, TURNED };

struct plan {
    const struct cti_pointwise *work;
    int ndim;  /* 0: packed */
    int pack;  /* elements at a time */
    bool wide; /* 64-bit indices */
    bool tiled;
    uint8_t kind[CTI_MAX_OPERANDS];
    int64_t numel; /* indices to take apart: elements, packs of a strided plan, or tiles */
    int64_t shape[CTI_MAX_DIMS], stride[CTI_MAX_OPERANDS][CTI_MAX_DIMS];
};

/* ---- geometry ---- */

static int64_t size_of(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Whether dim a should lie inside dim b. */
static bool is_inside(const struct plan *p, int a, int b)
{
    for (int o = 0; o < p->work->noperands; o++) {
        int64_t x = size_of(p->stride[o][a]), y = size_of(p->stride[o][b]);
        if (x != y && x && y)
            return x < y;
    }
    return false;
}

static void swap_dims(struct plan *p, int a, int b)
{
    int64_t keep = p->shape[a];
    p->shape[a] = p->shape[b];
    p->shape[b] = keep;
    for (int o = 0; o < p->work->noperands; o++) {
        keep = p->stride[o][a];
        p->stride[o][a] = p->stride[o][b];
        p->stride[o][b] = keep;
    }
}

static bool merges(const struct plan *p, int outer, int inner)
{
    for (int o = 0; o < p->work->noperands; o++)
        if (p->stride[o][outer] != p->stride[o][inner] * p->shape[inner])
            return false;
    return true;
}

/* Drops dims of one element, puts the inner ones last and merges neighbours. */
static void settle(struct plan *p)
{
    const struct cti_pointwise *w = p->work;
    int n = 0;
    p->numel = 1;
    for (int d = 0; d < w->ndim; d++) {
        p->numel *= w->shape[d];
        if (w->shape[d] == 1)
            continue;
        p->shape[n] = w->shape[d];
        for (int o = 0; o < w->noperands; o++)
            p->stride[o][n] = (w->numbers >> o & 1) ? 0 : w->operand[o].bstride[d];
        n++;
    }
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && is_inside(p, k - 1, k); k--)
            swap_dims(p, k - 1, k);
    int last = 0;
    for (int d = 1; d < n; d++) {
        if (merges(p, last, d)) {
            p->shape[last] *= p->shape[d];
            for (int o = 0; o < w->noperands; o++)
                p->stride[o][last] = p->stride[o][d];
        } else {
            last++;
            p->shape[last] = p->shape[d];
            for (int o = 0; o < w->noperands; o++)
                p->stride[o][last] = p->stride[o][d];
        }
    }
    p->ndim = n ? last + 1 : 0;
    if (n == 0) {
        p->ndim = 1;
        p->shape[0] = 1;
        for (int o = 0; o < w->noperands; o++)
            p->stride[o][0] = 0;
    }
}

/* Packs of a strided plan: as wide as the inner dim, its addresses and the other strides allow. */
static void pack_rows(struct plan *p, int64_t largest)
{
    const struct cti_pointwise *w = p->work;
    int last = p->ndim - 1;
    int64_t pack = largest >= 16 ? 1 : largest < 2 ? 8 : 16 / largest;
    while (pack > 1 && p->shape[last] % pack)
        pack /= 2;
    for (int o = 0; o < w->noperands; o++) {
        int64_t size = cti_itemsize((enum ct_dtype)w->operand[o].dtype);
        if (p->kind[o] != ALONG || (o >= w->nout && p->stride[o][last] == 0))
            continue;
        uintptr_t all = (uintptr_t)w->operand[o].data;
        for (int d = 0; d < last; d++)
            all |= (uintptr_t)p->stride[o][d];
        while (pack > 1 && (p->stride[o][last] != size || all % (uintptr_t)(size * pack)))
            pack /= 2;
    }
    if (pack == 1)
        return;
    p->pack = (int)pack;
    p->numel /= pack;
    p->shape[last] /= pack;
    for (int o = 0; o < w->noperands; o++) {
        if (p->kind[o] == ALONG && p->stride[o][last] == 0)
            p->kind[o] = SPLAT;
        p->stride[o][last] *= pack;
    }
}

/* Tiles over the inner dim and the one that lies inside for an operand that is transposed; that one
 * becomes the last but one. */
static void tile_up(struct plan *p)
{
    const struct cti_pointwise *w = p->work;
    int last = p->ndim - 1, other = -1;
    int64_t room = 48 << 10, size = cti_itemsize((enum ct_dtype)w->operand[0].dtype);
    if (last < 1 || p->stride[0][last] != size || p->shape[last] < EDGE / 2)
        return;
    for (int o = w->nout; o < w->noperands; o++) {
        size = cti_itemsize((enum ct_dtype)w->operand[o].dtype);
        if (p->kind[o] != ALONG || p->stride[o][last] == 0 || p->stride[o][last] == size)
            continue;
        int d = other;
        for (int k = 0; other < 0 && k < last; k++)
            d = p->stride[o][k] == size && p->shape[k] >= EDGE / 2 ? k : d;
        room -= EDGE * (EDGE + 1) * size;
        if (d < 0 || p->stride[o][d] != size || room < 0)
            continue;
        other = d;
        p->kind[o] = TURNED;
    }
    if (other < 0)
        return;
    swap_dims(p, other, last - 1);
    p->tiled = true;
    p->numel = (p->shape[last] + EDGE - 1) / EDGE * ((p->shape[last - 1] + EDGE - 1) / EDGE);
    for (int d = 0; d < last - 1; d++)
        p->numel *= p->shape[d];
}

/* Chooses the class; see the Note. */
static void choose(struct plan *p)
{
    const struct cti_pointwise *w = p->work;
    bool packed = p->ndim == 1;
    int64_t largest = 1;
    for (int o = 0; o < w->noperands; o++) {
        const struct cti_operand *x = &w->operand[o];
        int64_t size = cti_itemsize((enum ct_dtype)x->dtype);
        bool still = true;
        for (int d = 0; d < p->ndim; d++)
            still = still && p->stride[o][d] == 0;
        p->kind[o] = (w->numbers >> o & 1) ? NUMBER : still && o >= w->nout ? ONE : ALONG;
        if (p->kind[o] == ALONG) {
            packed = packed && (p->stride[o][0] == size || p->shape[0] == 1);
            largest = size > largest ? size : largest;
        }
    }
    p->pack = 1;
    p->tiled = false;
    if (!packed && p->numel < INT32_MAX)
        tile_up(p);
    if (!packed && !p->tiled)
        pack_rows(p, largest);
    p->wide = p->numel >= INT32_MAX;
    if (!packed)
        return;
    p->ndim = 0;
    p->pack = largest >= 16 ? 1 : largest < 2 ? 8 : (int)(16 / largest);
    for (int o = 0; o < w->noperands; o++) {
        uintptr_t step = (uintptr_t)(cti_itemsize((enum ct_dtype)w->operand[o].dtype) * p->pack);
        if (p->kind[o] == ALONG && (uintptr_t)w->operand[o].data % step)
            p->pack = 1;
    }
}

/* ---- text ---- */

static const char *memory_type(const struct plan *p, int o)
{
    return cti_cuda_type[p->work->operand[o].dtype];
}

/* Operand o as the steps see it, from m<o>, what lies in memory. */
static void write_loaded(struct cti_text *t, const struct plan *p, int o)
{
    const struct cti_operand *x = &p->work->operand[o];
    int dtype = cti_cuda_compute(x->dtype), compute = cti_cuda_compute(x->compute);
    char value[64], flagged[160];
    struct cti_text wide = {0};
    snprintf(value, sizeof value, "m%d", o);
    cti_cuda_cast(&wide, dtype, x->dtype, value);
    snprintf(flagged, sizeof flagged, "%s", wide.failed ? "" : wide.v);
    cti_text_drop(&wide);
    const char *suffix = cti_cuda_suffix[dtype];
    cti_text_printf(t, "const %s v%d = ", cti_cuda_type[dtype], o);
    if ((x->flags & CTI_CONJ) && dtype >= CT_COMPLEX64)
        cti_text_printf(t, "ctm_conj_%s(", suffix);
    if (x->flags & CTI_NEG)
        cti_text_printf(t, dtype == CT_FLOAT32 || dtype == CT_FLOAT64 ? "-(" : "ctm_neg_%s(",
                        suffix);
    cti_text_add(t, flagged);
    cti_text_add(t, x->flags & CTI_NEG ? ")" : "");
    cti_text_printf(t, "%s;\n", (x->flags & CTI_CONJ) && dtype >= CT_COMPLEX64 ? ")" : "");
    cti_text_printf(t, "const %s s%d = ", cti_cuda_type[compute], o);
    snprintf(value, sizeof value, "v%d", o);
    cti_cuda_cast(t, compute, dtype, value);
    cti_text_add(t, ";\n");
}

static void write_step(struct cti_text *t, const struct plan *p, const struct cti_step *step)
{
    int out = step->out;
    cti_text_printf(t, "const %s %s%d = ctr_%s_%s(", cti_cuda_type[p->work->slot_dtype[out]],
                    out ? "s" : "r", out, cti_cuda_row_names[step->row],
                    cti_cuda_suffix[step->dtype]);
    for (int i = 0; i < step->nin; i++) {
        char value[16];
        int want = step->masks >> i & 1 ? CT_BOOL : step->dtype;
        snprintf(value, sizeof value, "s%d", step->in[i]);
        cti_text_add(t, i ? ", " : "");
        cti_cuda_cast(t, want, cti_cuda_compute(p->work->slot_dtype[step->in[i]]), value);
    }
    cti_text_add(t, ");\n");
}

/* each(m1, m2, ...): what becomes of one element. */
static void write_each(struct cti_text *t, const struct plan *p)
{
    const struct cti_pointwise *w = p->work;
    cti_text_printf(t, "static __device__ __forceinline__ %s each(", memory_type(p, 0));
    for (int o = 1; o < w->noperands; o++)
        cti_text_printf(t, "%sconst %s m%d", o > 1 ? ", " : "", memory_type(p, o), o);
    cti_text_add(t, ")\n{\n");
    for (int o = 1; o < w->noperands; o++)
        write_loaded(t, p, o);
    for (int s = 0; s < w->nsteps; s++)
        write_step(t, p, &w->step[s]);
    cti_text_add(t, "return ");
    cti_cuda_cast(t, w->operand[0].dtype,
                  w->nsteps ? w->slot_dtype[0] : cti_cuda_compute(w->operand[1].compute),
                  w->nsteps ? "r0" : "s1");
    cti_text_add(t, ";\n}\n");
}

/* each(...) of elements that `along` names: %d, %s and %s are operand, type and operand again. */
static void write_call(struct cti_text *t, const struct plan *p, const char *along)
{
    cti_text_add(t, "each(");
    for (int o = 1; o < p->work->noperands; o++) {
        char element[160];
        if (p->kind[o] == ALONG)
            snprintf(element, sizeof element, along, o, memory_type(p, o));
        else if (p->kind[o] == TURNED)
            snprintf(element, sizeof element, "t%d[x][y + 8 * j]", o);
        else
            snprintf(element, sizeof element, p->kind[o] == SPLAT ? "t%d[u]" : "m%d", o);
        cti_text_printf(t, "%s%s", o > 1 ? ", " : "", element);
    }
    cti_text_add(t, ");\n");
}

static void write_head(struct cti_text *t, const struct plan *p)
{
    const struct cti_pointwise *w = p->work;
    cti_text_printf(t, "struct arguments {\nlong long n, unused;\noperand op[%d];\n", w->noperands);
    if (p->ndim)
        cti_text_printf(t, "divisor size[%d];\nlong long wide[%d];\nlong long stride[%d][%d];\n",
                        p->ndim, p->ndim, w->noperands, p->ndim);
    cti_text_printf(
        t, "};\nextern \"C\" __global__ void __launch_bounds__(%d) k(const arguments a)\n{\n",
        THREADS);
    for (int o = 1; o < w->noperands; o++)
        if (p->kind[o] == NUMBER)
            cti_text_printf(t, "const %s m%d = *(const %s *)&a.op[%d];\n", memory_type(p, o), o,
                            memory_type(p, o), o);
        else if (p->kind[o] == ONE)
            cti_text_printf(t, "const %s m%d = load<%s>(a.op[%d].p);\n", memory_type(p, o), o,
                            memory_type(p, o), o);
}

/* Two packs of a thread are under way at once. */
static void write_packed(struct cti_text *t, const struct plan *p)
{
    int n = p->pack;
    cti_text_printf(t, "const long long first = ((long long)blockIdx.x * %d + threadIdx.x) * %d;\n",
                    2 * THREADS, n);
    cti_text_printf(t, "const long long second = first + %d;\n", THREADS * n);
    cti_text_printf(t, "if (second + %d <= a.n) {\n", n);
    for (int u = 0; u < 2; u++)
        for (int o = 1; o < p->work->noperands; o++)
            if (p->kind[o] == ALONG)
                cti_text_printf(t,
                                "const pack<%s, %d> p%d_%d = load_pack<%s, %d>(a.op[%d].p + %s * "
                                "(long long)sizeof(%s));\n",
                                memory_type(p, o), n, o, u, memory_type(p, o), n, o,
                                u ? "second" : "first", memory_type(p, o));
    for (int u = 0; u < 2; u++) {
        char along[40];
        snprintf(along, sizeof along, "p%%1$d_%d.v[j]", u);
        cti_text_printf(
            t, "pack<%s, %d> r_%d;\n#pragma unroll\nfor (int j = 0; j < %d; j++)\nr_%d.v[j] = ",
            memory_type(p, 0), n, u, n, u);
        write_call(t, p, along);
        cti_text_printf(t, "*(pack<%s, %d> *)(a.op[0].p + %s * (long long)sizeof(%s)) = r_%d;\n",
                        memory_type(p, 0), n, u ? "second" : "first", memory_type(p, 0), u);
    }
    cti_text_add(t, "return;\n}\n");
    cti_text_printf(
        t,
        "for (int u = 0; u < 2; u++)\nfor (int j = 0; j < %d; j++) {\nconst long long i "
        "= (u ? second : first) + j;\nif (i >= a.n)\nreturn;\n",
        n);
    cti_text_printf(t, "((%s *)a.op[0].p)[i] = ", memory_type(p, 0));
    write_call(t, p, "((const %2$s *)a.op[%1$d].p)[i]");
    cti_text_add(t, "}\n}\n");
}

/* Whether a strided plan has an address for it at each index. */
static bool moves(const struct plan *p, int o)
{
    return p->kind[o] == ALONG || p->kind[o] == SPLAT || p->kind[o] == TURNED;
}

/* Packs are read for all turns of a thread before the first is written: they are under way at
 * once. */
static void write_pack_loads(struct cti_text *t, const struct plan *p)
{
    int n = p->pack;
    for (int o = 1; o < p->work->noperands; o++)
        if (p->kind[o] == ALONG)
            cti_text_printf(t, "p%d[u] = load_pack<%s, %d>(q%d);\n", o, memory_type(p, o), n, o);
        else if (p->kind[o] == SPLAT)
            cti_text_printf(t, "t%d[u] = load<%s>(q%d);\n", o, memory_type(p, o), o);
    cti_text_add(t, "to[u] = (char *)q0;\n}\n");
    cti_text_printf(t,
                    "#pragma unroll\nfor (int u = 0; u < 4; u++)\nif (((long long)blockIdx.x * 4 + "
                    "u) * %d + threadIdx.x < a.n) {\n",
                    THREADS);
    cti_text_printf(t, "pack<%s, %d> r_;\n#pragma unroll\nfor (int j = 0; j < %d; j++)\nr_.v[j] = ",
                    memory_type(p, 0), n, n);
    write_call(t, p, "p%1$d[u].v[j]");
    cti_text_printf(t, "*(pack<%s, %d> *)to[u] = r_;\n", memory_type(p, 0), n);
}

static void write_pack_room(struct cti_text *t, const struct plan *p)
{
    cti_text_add(t, "char *to[4];\n");
    for (int o = 1; o < p->work->noperands; o++)
        if (p->kind[o] == ALONG)
            cti_text_printf(t, "pack<%s, %d> p%d[4];\n", memory_type(p, o), p->pack, o);
        else if (p->kind[o] == SPLAT)
            cti_text_printf(t, "%s t%d[4];\n", memory_type(p, o), o);
}

static void write_strided(struct cti_text *t, const struct plan *p)
{
    const struct cti_pointwise *w = p->work;
    const char *index = p->wide ? "unsigned long long" : "unsigned";
    if (p->pack > 1)
        write_pack_room(t, p);
    cti_text_printf(t, "#pragma unroll\nfor (int u = 0; u < 4; u++) {\n");
    cti_text_printf(t, "const long long i = ((long long)blockIdx.x * 4 + u) * %d + threadIdx.x;\n",
                    THREADS);
    cti_text_printf(t, "if (i >= a.n)\n%s;\n%s r = (%s)i;\n", p->pack > 1 ? "break" : "return",
                    index, index);
    for (int o = 0; o < w->noperands; o++)
        if (moves(p, o))
            cti_text_printf(t, "const char *q%d = a.op[%d].p;\n", o, o);
    for (int d = p->ndim - 1; d >= 0; d--) {
        cti_text_add(t, "{\n");
        if (d == 0)
            cti_text_printf(t, "const long long x = r;\n");
        else if (p->wide)
            cti_text_printf(
                t,
                "const %s n = r / a.wide[%d];\nconst long long x = r - n * a.wide[%d];\nr = n;\n",
                index, d, d);
        else
            cti_text_printf(t,
                            "const unsigned n = divide(r, a.size[%d]);\nconst long long x = r - n "
                            "* a.size[%d].size;\nr = n;\n",
                            d, d);
        for (int o = 0; o < w->noperands; o++)
            if (moves(p, o))
                cti_text_printf(t, "q%d += x * a.stride[%d][%d];\n", o, o, d);
        cti_text_add(t, "}\n");
    }
    if (p->pack > 1) {
        write_pack_loads(t, p);
    } else {
        cti_text_printf(t, "*(%s *)q0 = ", memory_type(p, 0));
        write_call(t, p, "load<%2$s>(q%1$d)");
    }
    cti_text_add(t, "}\n}\n");
}

/* Where the tile of a block begins: q<o>, and how much of it there is, `down` by `across`. */
static void write_tile_place(struct cti_text *t, const struct plan *p)
{
    int last = p->ndim - 1;
    cti_text_printf(t,
                    "const int x = threadIdx.x %% %d, y = threadIdx.x / %d;\n"
                    "unsigned r = blockIdx.x;\n",
                    EDGE, EDGE);
    for (int o = 0; o < p->work->noperands; o++)
        if (moves(p, o))
            cti_text_printf(t, "const char *q%d = a.op[%d].p;\n", o, o);
    for (int d = last; d >= 0; d--) {
        bool edge = d >= last - 1;
        cti_text_printf(t,
                        edge ? "const unsigned n%d = (unsigned)((a.wide[%d] + %d) / %d);\n"
                             : "const unsigned n%d = (unsigned)a.wide[%d];\n",
                        d, d, EDGE - 1, EDGE);
        cti_text_printf(t, "const long long i%d = (long long)(r %% n%d)%s;\nr /= n%d;\n", d, d,
                        edge ? " * 32" : "", d);
        for (int o = 0; o < p->work->noperands; o++)
            if (moves(p, o))
                cti_text_printf(t, "q%d += i%d * a.stride[%d][%d];\n", o, d, o, d);
    }
    cti_text_printf(t, "const long long down = a.wide[%d] - i%d, across = a.wide[%d] - i%d;\n",
                    last - 1, last - 1, last, last);
}

/* All that is read is under way before the first of it is needed. */
static void write_tiled(struct cti_text *t, const struct plan *p)
{
    int last = p->ndim - 1, noperands = p->work->noperands;
    for (int o = 1; o < noperands; o++)
        if (p->kind[o] == TURNED)
            cti_text_printf(t, "__shared__ %s t%d[%d][%d];\n", memory_type(p, o), o, EDGE,
                            EDGE + 1);
        else if (p->kind[o] == ALONG)
            cti_text_printf(t, "%s d%d[4];\n", memory_type(p, o), o);
    write_tile_place(t, p);
    cti_text_add(t, "#pragma unroll\nfor (int j = 0; j < 4; j++) {\n"
                    "if (y + 8 * j < across && x < down) {\n");
    for (int o = 1; o < noperands; o++)
        if (p->kind[o] == TURNED)
            cti_text_printf(t,
                            "t%d[y + 8 * j][x] = load<%s>(q%d + (y + 8 * j) * a.stride[%d][%d] + x "
                            "* (long long)sizeof(%s));\n",
                            o, memory_type(p, o), o, o, last, memory_type(p, o));
    cti_text_add(t, "}\nif (y + 8 * j < down && x < across) {\n");
    for (int o = 1; o < noperands; o++)
        if (p->kind[o] == ALONG)
            cti_text_printf(t,
                            "d%d[j] = load<%s>(q%d + (y + 8 * j) * a.stride[%d][%d] + x * "
                            "a.stride[%d][%d]);\n",
                            o, memory_type(p, o), o, o, last - 1, o, last);
    cti_text_add(t, "}\n}\n__syncthreads();\n#pragma unroll\nfor (int j = 0; j < 4; j++)\n"
                    "if (y + 8 * j < down && x < across)\n");
    cti_text_printf(t, "((%s *)(q0 + (y + 8 * j) * a.stride[0][%d]))[x] = ", memory_type(p, 0),
                    last - 1);
    write_call(t, p, "d%1$d[j]");
    cti_text_add(t, "}\n");
}

static void write_kernel(struct cti_text *t, const void *context)
{
    const struct plan *p = context;
    cti_text_add(t, cti_cuda_kernel_text("pointwise"));
    write_each(t, p);
    write_head(t, p);
    if (p->tiled)
        write_tiled(t, p);
    else if (p->ndim)
        write_strided(t, p);
    else
        write_packed(t, p);
}

/* All that the text depends on. */
static size_t write_key(const struct plan *p, unsigned char *key)
{
    const struct cti_pointwise *w = p->work;
    unsigned char *at = key;
    *at++ = 'p';
    *at++ = (unsigned char)p->ndim;
    *at++ = (unsigned char)(p->pack | p->wide << 7);
    *at++ = (unsigned char)w->noperands;
    *at++ = (unsigned char)w->nsteps;
    for (int o = 0; o < w->noperands; o++) {
        *at++ = w->operand[o].dtype;
        *at++ = w->operand[o].compute;
        *at++ = (unsigned char)(w->operand[o].flags << 4 | p->kind[o]);
    }
    for (int s = 0; s < w->nsteps; s++) {
        const struct cti_step *step = &w->step[s];
        *at++ = (unsigned char)step->row;
        *at++ = (unsigned char)(step->row >> 8);
        *at++ = step->dtype;
        *at++ = step->nin;
        *at++ = step->masks;
        for (int i = 0; i < step->nin; i++)
            *at++ = step->in[i];
        *at++ = step->out;
        *at++ = w->slot_dtype[step->out];
    }
    return (size_t)(at - key);
}

/* ---- launches ---- */

struct argument {
    union {
        const char *p;
        char number[16];
    };
};

struct divisor {
    uint32_t size, mul, shift, unused;
};

static struct divisor divisor_of(int64_t size)
{
    uint32_t d = (uint32_t)size, shift = 0;
    while ((UINT64_C(1) << shift) < d)
        shift++;
    uint64_t mul = ((UINT64_C(1) << 32) * ((UINT64_C(1) << shift) - d)) / d + 1;
    return (struct divisor){d, (uint32_t)mul, shift, 0};
}

static size_t write_arguments(const struct plan *p, char *buffer)
{
    const struct cti_pointwise *w = p->work;
    int64_t head[2] = {p->numel, 0};
    char *at = buffer;
    memcpy(at, head, sizeof head);
    at += sizeof head;
    for (int o = 0; o < w->noperands; o++, at += 16) {
        memset(at, 0, 16);
        if ((w->numbers >> o & 1))
            memcpy(at, w->operand[o].data,
                   (size_t)cti_itemsize((enum ct_dtype)w->operand[o].dtype));
        else
            memcpy(at, &w->operand[o].data, sizeof w->operand[o].data);
    }
    for (int d = 0; d < p->ndim; d++, at += 16) {
        struct divisor v = p->wide ? (struct divisor){0} : divisor_of(p->shape[d]);
        memcpy(at, &v, sizeof v);
    }
    for (int d = 0; d < p->ndim; d++, at += 8)
        memcpy(at, &p->shape[d], 8);
    for (int o = 0; o < w->noperands; o++, at += 8 * (size_t)p->ndim)
        memcpy(at, p->stride[o], 8 * (size_t)p->ndim);
    return (size_t)(at - buffer);
}

/* Whether all steps have a text for their types; those of blocks of complex words have none. */
static bool has_texts(const struct cti_pointwise *w)
{
    for (int s = 0; s < w->nsteps; s++) {
        char name[96];
        const struct cti_step *step = &w->step[s];
        int n = snprintf(name, sizeof name, "ctr_%s_%s", cti_cuda_row_names[step->row],
                         cti_cuda_suffix[step->dtype]);
        if (!cti_cuda_has_piece(name, (size_t)n))
            return false;
    }
    return true;
}

bool cti_cuda_pointwise(const struct cti_pointwise *work)
{
    struct plan p;
    unsigned char key[16 + 3 * CTI_MAX_OPERANDS + CTI_MAX_STEPS * (8 + CTI_MAX_INPUTS)];
    char arguments[4096];
    if (!cti_cuda_has_kernels() || work->nout != 1)
        return cti_cuda_host_pointwise(work);
    p.work = work;
    settle(&p);
    if (p.numel == 0)
        return true;
    choose(&p);
    if (p.ndim > MOST_DIMS)
        return cti_cuda_host_pointwise(work);
    int device = work->device.index;
    if (!cti_cuda_use(device))
        return false;
    size_t length = write_key(&p, key);
    cu_function f = cti_cuda_kernel_known(device, key, length);
    if (!f && !has_texts(work))
        return cti_cuda_host_pointwise(work);
    if (!f)
        f = cti_cuda_kernel(device, key, length, write_kernel, &p);
    if (!f)
        return false;
    if (cti_cuda_fake())
        return cti_cuda_host_pointwise(work);
    size_t size = write_arguments(&p, arguments);
    int64_t each = p.tiled ? 1 : p.ndim ? 4 * THREADS : 2 * THREADS * p.pack;
    return cti_cuda_launch(device, f, (unsigned)((p.numel + each - 1) / each), THREADS, 0,
                           arguments, size);
}

/* ---- fills ---- */

bool cti_cuda_fill(ct_tensor *dst, ct_value number)
{
    enum ct_dtype dtype = (enum ct_dtype)dst->dtype;
    char value[16] = {0};
    int64_t still[CTI_MAX_DIMS] = {0}, bstride[CTI_MAX_DIMS], size = cti_itemsize(dtype);
    if (dst->flags & (CTI_CONJ | CTI_NEG) || !cti_cuda_has_kernels())
        return cti_cuda_host_fill(dst, number);
    cti_value_store(value, dtype, number);
    struct cti_pointwise w = {.device = dst->storage->device, .ndim = dst->ndim, .nout = 1};
    w.noperands = 2;
    w.numbers = 1u << 1;
    w.shape = dst->shape;
    for (int d = 0; d < dst->ndim; d++)
        bstride[d] = dst->stride[d] * size;
    w.operand[0] = (struct cti_operand){
        .data = cti_data(dst), .dtype = dst->dtype, .compute = dst->dtype, .bstride = bstride};
    w.operand[1] = (struct cti_operand){
        .data = value, .dtype = dst->dtype, .compute = dst->dtype, .bstride = still};
    return cti_cuda_pointwise(&w);
}
