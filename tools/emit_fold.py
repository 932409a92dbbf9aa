# SPDX-License-Identifier: BSD-3-Clause
"""CPU folds from `fold` rows: the inner loops of reductions; see Note [Folds] in src/cpu/fold.h.

A row's fold is a table: `element` (of `input` and `param`), `combine` (of `a` and `b`), `start`, and
`finish` (of `acc`, `count`, `param`); or `pick` (is `input` better than `best`?), which keeps the
index too; or `spread = true`: mean and sum of squared distances, for var and std.
"""
import formula
from emit_loops import Expression, REAL_OF, WIDE
from rows import SUFFIX, TYPES

HEAD = """/* Generated from src/ops: folds of {name}. */
#include "cpu/fold.h"
#include "math/math.h"

"""
WIDER = {"b8": "i64", "u8": "i64", "i8": "i64", "i16": "i64", "i32": "i64", "i64": "i64", "u16": "i64",
         "u32": "i64", "u64": "i64", "f32": "f64", "f64": "f64", "c64": "c128", "c128": "c128"}

MONOID = """
static inline {R} element_{n}({T} input, {P} param)
{{
    (void)param;
    return {element};
}}

static inline {R} combine_{n}({R} a, {R} b)
{{
    return {combine_r};
}}

static inline {A} widen_{n}({R} x)
{{
    return {widen};
}}

static inline {A} combine_wide_{n}({A} a, {A} b)
{{
    return {combine_a};
}}

{block}
static void columns_{n}(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at, double number,
                        void *parts)
{{
    const {P} param = ({P})number;
    {R} *part = parts;
    int64_t r = 0;
    (void)at;
    for (int64_t i = 0; i < n; i++)
        part[i] = {start_r};
    for (; r + 4 <= rows; r += 4) {{
        const {T} *a = (const {T} *)(p + r * bstride), *b = (const {T} *)(p + (r + 1) * bstride);
        const {T} *c = (const {T} *)(p + (r + 2) * bstride), *d = (const {T} *)(p + (r + 3) * bstride);
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            part[i] = combine_{n}(part[i],
                                  combine_{n}(combine_{n}(element_{n}(a[i], param), element_{n}(b[i], param)),
                                              combine_{n}(element_{n}(c[i], param), element_{n}(d[i], param))));
    }}
    for (; r < rows; r++) {{
        const {T} *a = (const {T} *)(p + r * bstride);
        CT_IVDEP
        for (int64_t i = 0; i < n; i++)
            part[i] = combine_{n}(part[i], element_{n}(a[i], param));
    }}
}}

static void begin_{n}(void *acc, int64_t n)
{{
    for (int64_t i = 0; i < n; i++)
        (({A} *)acc)[i] = {start_a};
}}

static void merge_{n}(void *acc, const void *parts, int64_t n)
{{
    {A} *a = acc;
    for (int64_t i = 0; i < n; i++)
        a[i] = combine_wide_{n}(a[i], widen_{n}(((const {R} *)parts)[i]));
}}

static void join_{n}(void *acc, const void *others, int64_t n)
{{
    {A} *a = acc;
    for (int64_t i = 0; i < n; i++)
        a[i] = combine_wide_{n}(a[i], ((const {A} *)others)[i]);
}}

static void finish_{n}(void *out, const void *accs, int64_t n, double count_of, double number)
{{
    const {AR} count = ({AR})count_of, param = ({AR})number;
    (void)count;
    (void)param;
    for (int64_t i = 0; i < n; i++) {{
        const {A} acc = ((const {A} *)accs)[i];
        (({O} *)out)[i] = {finish};
    }}
}}
"""

LANES = """static void block_{n}(const void *p, int64_t count, int64_t at, double number, void *part)
{{
    const {T} *q = p;
    const {P} param = ({P})number;
    {R} lane[CTI_FOLD_LANES];
    int64_t i = 0;
    (void)at;
    for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
        lane[k] = {start_r};
    for (; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES)
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] = combine_{n}(lane[k], element_{n}(q[i + k], param));
    for (int64_t k = 0; i < count; i++, k++)
        lane[k] = combine_{n}(lane[k], element_{n}(q[i], param));
    for (int64_t width = CTI_FOLD_LANES / 2; width > 0; width /= 2)
        for (int64_t k = 0; k < width; k++)
            lane[k] = combine_{n}(lane[k], lane[k + width]);
    *({R} *)part = lane[0];
}}
"""

# Sums add eight streams in a tree before one accumulator, which the compiler spreads over a vector.
STREAMS = """static void block_{n}(const void *p, int64_t count, int64_t at, double number, void *part)
{{
    const {T} *q = p;
    const {P} param = ({P})number;
    {R} sum = 0;
    int64_t s = count / 128 * 16; /* whole vectors, whatever their width */
    (void)at;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < s; i++)
        sum += ((element_{n}(q[i], param) + element_{n}(q[i + s], param)) +
                (element_{n}(q[i + 2 * s], param) + element_{n}(q[i + 3 * s], param))) +
               ((element_{n}(q[i + 4 * s], param) + element_{n}(q[i + 5 * s], param)) +
                (element_{n}(q[i + 6 * s], param) + element_{n}(q[i + 7 * s], param)));
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 8 * s; i < count; i++)
        sum += element_{n}(q[i], param);
    *({R} *)part = sum;
}}
"""

PICK = """
struct acc_{n} {{
    {T} value;
    int64_t index; /* -1: nothing yet */
}};

/* Whether x comes before the best so far; NaN comes before every number, the first one before all. */
static inline bool better_{n}({T} input, {T} best)
{{
    return {better};
}}

static void block_{n}(const void *p, int64_t count, int64_t at, double param, void *part)
{{
    const {T} *q = p;
    {T} lane[CTI_FOLD_LANES], best = q[0];
    int64_t i = 0;
    (void)param;
    if (count >= CTI_FOLD_LANES) {{
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] = q[k];
        for (i = CTI_FOLD_LANES; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES)
            for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
                lane[k] = {combine_lane};
        for (int64_t width = CTI_FOLD_LANES / 2; width > 0; width /= 2)
            for (int64_t k = 0; k < width; k++)
                lane[k] = {combine_tree};
        best = lane[0];
    }}
    for (; i < count; i++)
        best = better_{n}(q[i], best) ? q[i] : best;
    /* where it stands: first the lanes' width that has it, then the place */
    for (i = 0; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES) {{
        int found = 0;
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            found |= {same_lane};
        if (found)
            break;
    }}
    for (; i < count && !({same}); i++)
        ;
    *(struct acc_{n} *)part = (struct acc_{n}){{ best, at + i }};
}}

static void columns_{n}(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at, double param,
                        void *parts)
{{
    {T} best[CTI_FOLD_COLUMNS];
    int32_t row[CTI_FOLD_COLUMNS];
    struct acc_{n} *part = parts;
    (void)param;
    for (int64_t i = 0; i < n; i++) {{
        best[i] = ((const {T} *)p)[i];
        row[i] = 0;
    }}
    for (int64_t r = 1; r < rows; r++) {{
        const {T} *q = (const {T} *)(p + r * bstride);
        CT_IVDEP
        for (int64_t i = 0; i < n; i++) {{
            bool take = better_{n}(q[i], best[i]);
            best[i] = take ? q[i] : best[i];
            row[i] = take ? (int32_t)r : row[i];
        }}
    }}
    for (int64_t i = 0; i < n; i++)
        part[i] = (struct acc_{n}){{ best[i], at + row[i] }};
}}

static void begin_{n}(void *acc, int64_t n)
{{
    for (int64_t i = 0; i < n; i++)
        ((struct acc_{n} *)acc)[i] = (struct acc_{n}){{ 0, -1 }};
}}

static void merge_{n}(void *acc, const void *parts, int64_t n)
{{
    struct acc_{n} *a = acc;
    const struct acc_{n} *b = parts;
    for (int64_t i = 0; i < n; i++)
        if (b[i].index >= 0 && (a[i].index < 0 || better_{n}(b[i].value, a[i].value)))
            a[i] = b[i];
}}

static void finish_{n}(void *out, const void *acc, int64_t n, double count, double param)
{{
    (void)count;
    (void)param;
    for (int64_t i = 0; i < n; i++)
        (({T} *)out)[i] = ((const struct acc_{n} *)acc)[i].value;
}}
"""

SPREAD = """
struct acc_{n} {{
    double count, mean, squares; /* of distances from the mean */
}};

/* Two passes over a block that is in the cache: exact where one pass would cancel. */
static void block_{n}(const void *p, int64_t count, int64_t at, double param, void *part)
{{
    const {T} *q = p;
    {T} lane[CTI_FOLD_LANES] = {{ 0 }};
    int64_t i = 0;
    (void)at;
    (void)param;
    for (; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES)
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] += q[i + k];
    for (int64_t k = 0; i < count; i++, k++)
        lane[k] += q[i];
    double sum = 0, squares = 0;
    for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
        sum += (double)lane[k];
    const {T} mean = ({T})(sum / (double)count);
    for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
        lane[k] = 0;
    for (i = 0; i + CTI_FOLD_LANES <= count; i += CTI_FOLD_LANES)
        for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
            lane[k] += (q[i + k] - mean) * (q[i + k] - mean);
    for (int64_t k = 0; i < count; i++, k++)
        lane[k] += (q[i] - mean) * (q[i] - mean);
    for (int64_t k = 0; k < CTI_FOLD_LANES; k++)
        squares += (double)lane[k];
    /* `mean` was rounded: what its error adds to the squares is taken back. */
    double off = sum / (double)count - (double)mean;
    *(struct acc_{n} *)part =
        (struct acc_{n}){{ (double)count, sum / (double)count, squares - (double)count * off * off }};
}}

static void columns_{n}(const char *p, int64_t bstride, int64_t rows, int64_t n, int64_t at, double param,
                        void *parts)
{{
    {T} mean[CTI_FOLD_COLUMNS], squares[CTI_FOLD_COLUMNS];
    struct acc_{n} *part = parts;
    (void)at;
    (void)param;
    for (int64_t i = 0; i < n; i++)
        mean[i] = squares[i] = 0;
    for (int64_t r = 0; r < rows; r++) {{
        const {T} *q = (const {T} *)(p + r * bstride);
        for (int64_t i = 0; i < n; i++)
            mean[i] += q[i];
    }}
    for (int64_t i = 0; i < n; i++)
        mean[i] /= ({T})rows;
    for (int64_t r = 0; r < rows; r++) {{
        const {T} *q = (const {T} *)(p + r * bstride);
        for (int64_t i = 0; i < n; i++)
            squares[i] += (q[i] - mean[i]) * (q[i] - mean[i]);
    }}
    for (int64_t i = 0; i < n; i++)
        part[i] = (struct acc_{n}){{ (double)rows, (double)mean[i], (double)squares[i] }};
}}

static void begin_{n}(void *acc, int64_t n)
{{
    for (int64_t i = 0; i < n; i++)
        ((struct acc_{n} *)acc)[i] = (struct acc_{n}){{ 0, 0, 0 }};
}}

/* Chan, Golub and LeVeque: the squares of two sets from those of each. */
static void merge_{n}(void *acc, const void *parts, int64_t n)
{{
    struct acc_{n} *a = acc;
    const struct acc_{n} *b = parts;
    for (int64_t i = 0; i < n; i++) {{
        double count = a[i].count + b[i].count, step = b[i].mean - a[i].mean;
        double share = count > 0 ? b[i].count / count : 0;
        a[i].mean += step * share;
        a[i].squares += b[i].squares + step * step * a[i].count * share;
        a[i].count = count;
    }}
}}

static void finish_{n}(void *out, const void *accs, int64_t n, double count, double param)
{{
    (void)count;
    for (int64_t i = 0; i < n; i++) {{
        const struct acc_{n} *a = (const struct acc_{n} *)accs + i;
        double free = a->count - param;
        double acc = a->squares / (free > 0 ? free : 0);
        (({T} *)out)[i] = ({T}){finish};
    }}
}}
"""

ENTRY = """
const struct cti_fold CT_LOOP(fold_{n}) = {{
    .part_size = sizeof({part}), .acc_size = sizeof({acc}), .in = {in_}, .out = {out}, .picks = {picks},
    .block = block_{n}, .columns = columns_{n}, .begin = begin_{n}, .merge = merge_{n}, .join = {join},
    .finish = finish_{n},
}};
"""


def literal(text, t):
    """A start value in C: a number, or the least and greatest of a type."""
    c = SUFFIX[t][0]
    if text in ("least", "most"):
        if t[0] == "f":
            return f"({c}){'-' if text == 'least' else ''}__builtin_inf()"
        if t == "b8":
            return "0" if text == "least" else "1"
        bits = int(t[1:])
        low, high = (0, 2**bits - 1) if t[0] == "u" else (-2**(bits - 1), 2**(bits - 1) - 1)
        value = low if text == "least" else high
        return f"({c})({value + 1} - 1)" if value == -2**63 else f"({c}){value}{'U' if t == 'u64' else ''}"
    return Expression(t, {}, "").literal(int(text))


def monoid(row, t, name):
    f = row.keys["fold"]
    real = REAL_OF.get(t, t)
    sums = f.get("wide", True)
    r = f.get("part_type", {"f": t, "c": t}.get(t[0], WIDER[t]) if sums else t)
    if f.get("real"):
        r = REAL_OF.get(r, r)
    a = WIDER[r] if sums else r
    out = {"bool": "b8", "real": REAL_OF.get(t, t)}.get(row.keys.get("result"), t if not sums or t[0] in "fc" else "i64")
    param = real if real[0] == "f" else "f64"
    element = Expression(t, {"input": t, "param": param}, row.where).emit(formula.parse(f["element"], row.where), None)
    have = Expression(t, {"input": t, "param": param}, row.where).typed(formula.parse(f["element"], row.where))[1]
    if have != r:
        element = f"ctm_{r}_from_{have}({element})"
    ab = lambda kind: Expression(kind, {"a": kind, "b": kind}, row.where).emit(formula.parse(f["combine"], row.where), kind)
    areal = REAL_OF.get(a, a)
    names = {"acc": a, "count": areal, "param": areal}
    finish_node = formula.parse(f.get("finish", "acc"), row.where)
    finish, kind = finish_text(finish_node, a, areal, row)
    if kind != out:
        finish = f"ctm_{out}_from_{kind}({finish})"
    block = STREAMS if f["combine"] == "a + b" and r[0] in "fiu" else LANES
    fields = dict(n=name, T=SUFFIX[t][0], R=SUFFIX[r][0], P=SUFFIX[param][0], start_r=literal(f["start"], r))
    text = MONOID.format(
        block=block.format(**fields).rstrip(), n=name, T=SUFFIX[t][0], R=SUFFIX[r][0], A=SUFFIX[a][0], P=SUFFIX[param][0],
        AR="double" if areal[0] == "f" and areal == "f64" else SUFFIX[areal][0], O=SUFFIX[out][0], element=element,
        combine_r=ab(r), combine_a=ab(a), widen="x" if r == a else f"ctm_{a}_from_{r}(x)",
        start_r=literal(f["start"], r), start_a=literal(f["start"], a), finish=finish)
    return text + ENTRY.format(n=name, part=SUFFIX[r][0], acc=SUFFIX[a][0], in_=SUFFIX[t][1], out=SUFFIX[out][1],
                               picks="false", join=f"join_{name}")


def finish_text(node, a, areal, row):
    """`acc` alone, or an expression of acc, count and param in acc's type (or its real type)."""
    if isinstance(node, formula.Name):
        return "acc", a
    if a[0] == "c" and node.fn == "div":
        real = REAL_OF[a]
        return f"(ct_{a}){{ acc.re / count, acc.im / count }}", a
    return Expression(a, {"acc": a, "count": areal, "param": areal}, row.where).typed(node)


def pick(row, t, name):
    greater = row.keys["fold"]["pick"] == "greater"
    sign = ">" if greater else "<"
    if t[0] == "f":
        better = f"(input {sign} best || input != input) && best == best"
        lane = f"ctm_{'maximum' if greater else 'minimum'}_{t}(lane[k], q[i + k])"
        same = "q[i] == best || (best != best && q[i] != q[i])"
        same_lane = "(q[i + k] == best) | ((best != best) & (q[i + k] != q[i + k]))"
    else:
        better = f"input {sign} best"
        lane = f"q[i + k] {sign} lane[k] ? q[i + k] : lane[k]"
        same, same_lane = "q[i] == best", "q[i + k] == best"
    text = PICK.format(n=name, T=SUFFIX[t][0], better=better, combine_lane=lane, same=same, same_lane=same_lane,
                       combine_tree=lane.replace("q[i + k]", "lane[k + width]"))
    return text + ENTRY.format(n=name, part=f"struct acc_{name}", acc=f"struct acc_{name}", in_=SUFFIX[t][1],
                               out=SUFFIX[t][1], picks="true", join=f"merge_{name}")


def spread(row, t, name):
    text = SPREAD.format(n=name, T=SUFFIX[t][0], finish="__builtin_sqrt(acc)" if row.keys["fold"].get("root") else "acc")
    return text + ENTRY.format(n=name, part=f"struct acc_{name}", acc=f"struct acc_{name}", in_=SUFFIX[t][1],
                               out=SUFFIX[t][1], picks="false", join=f"merge_{name}")


def fold_types(row):
    return TYPES[row.keys["types"]].split()


def emit_row(row):
    f = row.keys["fold"]
    make = pick if "pick" in f else spread if f.get("spread") else monoid
    wide, narrow = [], []
    for t in fold_types(row):
        (wide if t in WIDE else narrow).append(make(row, t, f"{row.cname}_{t}"))
    return HEAD.format(name=row.name) + "".join(wide) + "\n#ifndef CT_ISA_AVX512\n" + "".join(narrow) + "#endif\n"


def emit_table(rows):
    lines = ["/* Generated: every fold of one instruction set. */", '#include "cpu/fold.h"', '#include "rows.h"', ""]
    entries = {True: [], False: []}
    decls = {True: [], False: []}
    for row in rows:
        for t in fold_types(row):
            name = f"CT_LOOP(fold_{row.cname}_{t})"
            decls[t in WIDE].append(f"extern const struct cti_fold {name};")
            entries[t in WIDE].append(f"    [{row.id}][{SUFFIX[t][1]}] = &{name},")
    return "\n".join([*lines, *decls[True], "#ifndef CT_ISA_AVX512", *decls[False], "#endif",
                      "const struct cti_fold *const CT_LOOP(folds)[CTI_ROW_COUNT][CT_DTYPE_COUNT] = {",
                      *entries[True], "#ifndef CT_ISA_AVX512", *entries[False], "#endif", "};", ""])


def outputs(rows):
    folds = [r for r in rows if r.maker == "fold"]
    files = {f"loops_fold_{r.cname}.c": lambda r=r: emit_row(r) for r in folds}
    return {**files, "loops_fold_table.c": lambda: emit_table(folds)}
