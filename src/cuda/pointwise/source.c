/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the kernel of a pointwise program: a function `each` for one element, then the addresses,
 * loads and stores of its class of geometry (pointwise.c). pointwise.cu is the part that all these
 * kernels share. Names in the generated text, for operand o: p<o> is a vector, m<o> an element in
 * memory, v<o> its loaded value, s<o> the converted value, and q<o> an address. */
#include "cuda/pointwise/pointwise.h"

#include "cuda/runtime/kernel.h"

#include <stdio.h>

#define THREADS CTI_POINTWISE_THREADS
#define EDGE CTI_TILE_EDGE

static const char *memory_type(const struct cti_pointwise_plan *p, int o)
{
    return cti_cuda_type[p->work->operand[o].dtype];
}

/* Writes the computation of s<o>, the value that the steps use, from m<o>: applies pending flags
 * and converts. */
static void write_loaded(struct cti_text *t, const struct cti_pointwise_plan *p, int o)
{
    const struct cti_operand *x = &p->work->operand[o];
    int dtype = cti_cuda_compute(x->dtype), compute = cti_cuda_compute(x->compute);
    char value[64], flagged[160];
    struct cti_text converted = {0};
    snprintf(value, sizeof value, "m%d", o);
    cti_cuda_cast(&converted, dtype, x->dtype, value);
    snprintf(flagged, sizeof flagged, "%s", converted.failed ? "" : converted.v);
    cti_text_free(&converted);
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

static void write_step(struct cti_text *t, const struct cti_pointwise_plan *p,
                       const struct cti_step *step)
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

/* Writes the definition of each(m1, m2, ...), the program for one element. */
static void write_each(struct cti_text *t, const struct cti_pointwise_plan *p)
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

/* Writes a call of each(...). `along` is the printf format of an ALONG element; its arguments are
 * the operand, its type in memory, and the operand again. */
static void write_call(struct cti_text *t, const struct cti_pointwise_plan *p, const char *along)
{
    cti_text_add(t, "each(");
    for (int o = 1; o < p->work->noperands; o++) {
        char element[160];
        if (p->kind[o] == ALONG)
            snprintf(element, sizeof element, along, o, memory_type(p, o));
        else if (p->kind[o] == TRANSPOSED)
            snprintf(element, sizeof element, "t%d[x][y + 8 * j]", o);
        else
            snprintf(element, sizeof element, p->kind[o] == SPLAT ? "t%d[u]" : "m%d", o);
        cti_text_printf(t, "%s%s", o > 1 ? ", " : "", element);
    }
    cti_text_add(t, ");\n");
}

/* Writes the kernel's name, for profilers: the operation of a single step, or the number of
 * steps. */
static void write_name(struct cti_text *t, const struct cti_pointwise *w)
{
    if (w->nsteps == 0)
        cti_text_add(t, "pointwise_copy");
    else if (w->nsteps == 1)
        cti_text_printf(t, "pointwise_%s", cti_cuda_row_names[w->step[0].row]);
    else
        cti_text_printf(t, "pointwise_%d_steps", w->nsteps);
}

static void write_head(struct cti_text *t, const struct cti_pointwise_plan *p)
{
    const struct cti_pointwise *w = p->work;
    cti_text_printf(t, "struct arguments {\nlong long n, unused;\noperand op[%d];\n", w->noperands);
    if (p->ndim)
        cti_text_printf(t,
                        "cti_divisor size[%d];\nlong long length[%d];\nlong long stride[%d][%d];\n",
                        p->ndim, p->ndim, w->noperands, p->ndim);
    cti_text_printf(t, "};\nextern \"C\" __global__ void __launch_bounds__(%d)\n", THREADS);
    write_name(t, w);
    cti_text_add(t, "(const arguments a)\n{\n");
    for (int o = 1; o < w->noperands; o++)
        if (p->kind[o] == NUMBER)
            cti_text_printf(t, "const %s m%d = *(const %s *)&a.op[%d];\n", memory_type(p, o), o,
                            memory_type(p, o), o);
        else if (p->kind[o] == ONE)
            cti_text_printf(t, "const %s m%d = load<%s>(a.op[%d].p);\n", memory_type(p, o), o,
                            memory_type(p, o), o);
}

/* Contiguous: a thread has two vectors in flight. The tail is computed element by element. */
static void write_packed(struct cti_text *t, const struct cti_pointwise_plan *p)
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

/* Whether an operand's address depends on the element's position. */
static bool has_address(const struct cti_pointwise_plan *p, int o)
{
    return p->kind[o] == ALONG || p->kind[o] == SPLAT || p->kind[o] == TRANSPOSED;
}

/* A thread loads all its vectors before it stores the first one, so that they are in flight
 * together. */
static void write_pack_loads(struct cti_text *t, const struct cti_pointwise_plan *p)
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

/* Writes the variables for a thread's four vectors. */
static void write_pack_variables(struct cti_text *t, const struct cti_pointwise_plan *p)
{
    cti_text_add(t, "char *to[4];\n");
    for (int o = 1; o < p->work->noperands; o++)
        if (p->kind[o] == ALONG)
            cti_text_printf(t, "pack<%s, %d> p%d[4];\n", memory_type(p, o), p->pack, o);
        else if (p->kind[o] == SPLAT)
            cti_text_printf(t, "%s t%d[4];\n", memory_type(p, o), o);
}

static void write_strided(struct cti_text *t, const struct cti_pointwise_plan *p)
{
    const struct cti_pointwise *w = p->work;
    const char *index = p->index64 ? "unsigned long long" : "unsigned";
    if (p->pack > 1)
        write_pack_variables(t, p);
    cti_text_printf(t, "#pragma unroll\nfor (int u = 0; u < 4; u++) {\n");
    cti_text_printf(t, "const long long i = ((long long)blockIdx.x * 4 + u) * %d + threadIdx.x;\n",
                    THREADS);
    cti_text_printf(t, "if (i >= a.n)\n%s;\n%s r = (%s)i;\n", p->pack > 1 ? "break" : "return",
                    index, index);
    for (int o = 0; o < w->noperands; o++)
        if (has_address(p, o))
            cti_text_printf(t, "const char *q%d = a.op[%d].p;\n", o, o);
    for (int d = p->ndim - 1; d >= 0; d--) {
        cti_text_add(t, "{\n");
        if (d == 0)
            cti_text_printf(t, "const long long x = r;\n");
        else if (p->index64)
            cti_text_printf(t,
                            "const %s n = r / a.length[%d];\nconst long long x = r - n * "
                            "a.length[%d];\nr = n;\n",
                            index, d, d);
        else
            cti_text_printf(t,
                            "const unsigned n = divide(r, a.size[%d]);\nconst long long x = r - n "
                            "* a.size[%d].size;\nr = n;\n",
                            d, d);
        for (int o = 0; o < w->noperands; o++)
            if (has_address(p, o))
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

/* Writes the addresses q<o> of a block's tile, and its valid size: `rows` by `columns`. */
static void write_tile_origin(struct cti_text *t, const struct cti_pointwise_plan *p)
{
    int last = p->ndim - 1;
    cti_text_printf(t,
                    "const int x = threadIdx.x %% %d, y = threadIdx.x / %d;\n"
                    "unsigned r = blockIdx.x;\n",
                    EDGE, EDGE);
    for (int o = 0; o < p->work->noperands; o++)
        if (has_address(p, o))
            cti_text_printf(t, "const char *q%d = a.op[%d].p;\n", o, o);
    for (int d = last; d >= 0; d--) {
        bool edge = d >= last - 1;
        cti_text_printf(t,
                        edge ? "const unsigned n%d = (unsigned)((a.length[%d] + %d) / %d);\n"
                             : "const unsigned n%d = (unsigned)a.length[%d];\n",
                        d, d, EDGE - 1, EDGE);
        cti_text_printf(t, "const long long i%d = (long long)(r %% n%d)%s;\nr /= n%d;\n", d, d,
                        edge ? " * 32" : "", d);
        for (int o = 0; o < p->work->noperands; o++)
            if (has_address(p, o))
                cti_text_printf(t, "q%d += i%d * a.stride[%d][%d];\n", o, d, o, d);
    }
    cti_text_printf(t, "const long long rows = a.length[%d] - i%d, columns = a.length[%d] - i%d;\n",
                    last - 1, last - 1, last, last);
}

/* Tiled: all loads are issued before the first value is used. */
static void write_tiled(struct cti_text *t, const struct cti_pointwise_plan *p)
{
    int last = p->ndim - 1, noperands = p->work->noperands;
    for (int o = 1; o < noperands; o++)
        if (p->kind[o] == TRANSPOSED)
            cti_text_printf(t, "__shared__ %s t%d[%d][%d];\n", memory_type(p, o), o, EDGE,
                            EDGE + 1);
        else if (p->kind[o] == ALONG)
            cti_text_printf(t, "%s d%d[4];\n", memory_type(p, o), o);
    write_tile_origin(t, p);
    cti_text_add(t, "#pragma unroll\nfor (int j = 0; j < 4; j++) {\n"
                    "if (y + 8 * j < columns && x < rows) {\n");
    for (int o = 1; o < noperands; o++)
        if (p->kind[o] == TRANSPOSED)
            cti_text_printf(t,
                            "t%d[y + 8 * j][x] = load<%s>(q%d + (y + 8 * j) * a.stride[%d][%d] + x "
                            "* (long long)sizeof(%s));\n",
                            o, memory_type(p, o), o, o, last, memory_type(p, o));
    cti_text_add(t, "}\nif (y + 8 * j < rows && x < columns) {\n");
    for (int o = 1; o < noperands; o++)
        if (p->kind[o] == ALONG)
            cti_text_printf(t,
                            "d%d[j] = load<%s>(q%d + (y + 8 * j) * a.stride[%d][%d] + x * "
                            "a.stride[%d][%d]);\n",
                            o, memory_type(p, o), o, o, last - 1, o, last);
    cti_text_add(t, "}\n}\n__syncthreads();\n#pragma unroll\nfor (int j = 0; j < 4; j++)\n"
                    "if (y + 8 * j < rows && x < columns)\n");
    cti_text_printf(t, "((%s *)(q0 + (y + 8 * j) * a.stride[0][%d]))[x] = ", memory_type(p, 0),
                    last - 1);
    write_call(t, p, "d%1$d[j]");
    cti_text_add(t, "}\n");
}

void cti_cuda_pointwise_text(struct cti_text *t, const void *context)
{
    const struct cti_pointwise_plan *p = context;
    cti_text_add(t, cti_cuda_kernel_text("pointwise/pointwise"));
    write_each(t, p);
    write_head(t, p);
    if (p->tiled)
        write_tiled(t, p);
    else if (p->ndim)
        write_strided(t, p);
    else
        write_packed(t, p);
}
