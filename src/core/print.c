/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats tensors and storages as text, character for character as PyTorch prints them: brackets,
 * line breaks, summaries of long tensors, and the suffixes (device, size, dtype, grad_fn). Reads
 * the elements of CPU tensors in place, whatever their strides and conj/neg flags. */
#include "core/print.h"
#include "core/backend.h"
#include "core/check_args.h"
#include "core/debug.h"
#include "core/fork.h"
#include "core/interrupt.h"
#include "core/scope.h"
#include "core/sparse.h"
#include "core/value.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options: one set for the process, as in PyTorch ---- */

static pthread_mutex_t options_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ct_print_options current = {
    .precision = 4, .threshold = 1000, .edgeitems = 3, .linewidth = 80, .sci_mode = -1};

__attribute__((constructor)) static void watch_forks(void)
{
    cti_fork_guard(&options_lock, 0);
}

struct ct_print_options ct_get_print_options(void)
{
    pthread_mutex_lock(&options_lock);
    struct ct_print_options options = current;
    pthread_mutex_unlock(&options_lock);
    return options;
}

void ct_set_print_options(struct ct_print_options options)
{
    pthread_mutex_lock(&options_lock);
    current = options;
    pthread_mutex_unlock(&options_lock);
}

/* ---- the numbers ---- */

struct printer {
    struct ct_print_options options;
    struct cti_shown shown;
    struct cti_format real, imag; /* imag: complex types only */
    bool is_complex;
    bool break_line; /* before the next suffix, in any case */
    struct cti_text text;
};

static void add_imag(struct printer *p, double im)
{
    size_t before = p->text.n;
    cti_format_number(&p->imag, &p->text, ct_value_float(im));
    if (p->text.failed)
        return;
    /* Remove the padding; add a plus unless there is a sign. */
    size_t spaces = strspn(p->text.v + before, " ");
    char *number = p->text.v + before;
    bool sign = number[spaces] == '-';
    memmove(number, number + spaces, p->text.n - before - spaces + 1);
    p->text.n -= spaces;
    if (!sign) {
        cti_text_add(&p->text, " ");
        if (p->text.failed)
            return;
        number = p->text.v + before;
        memmove(number + 1, number, p->text.n - before - 1);
        *number = '+';
    }
    cti_text_add(&p->text, "j");
}

static void add_element(struct printer *p, const char *at)
{
    ct_value v = cti_value_element(p->shown.tensor, at);
    if (!p->is_complex) {
        cti_format_number(&p->real, &p->text, v);
        return;
    }
    cti_format_number(&p->real, &p->text, ct_value_float(v.as.c.re));
    add_imag(p, v.as.c.im);
}

static void add_vector(struct printer *p, const char *at, int64_t n, int64_t step, int64_t indent)
{
    int64_t edge = p->shown.edge;
    bool cut = p->shown.summarize && (edge == 0 || n > 2 * edge);
    int64_t length = p->real.width + 2 + (p->is_complex ? p->imag.width + 1 : 0);
    int64_t per_line = (p->options.linewidth - indent) / length;
    int64_t written = 0;
    if (p->options.linewidth - indent < length)
        per_line = 1;
    cti_text_add(&p->text, "[");
    for (int64_t i = 0; (i < n || (cut && edge == 0 && i == 0)) && !p->text.failed; i++) {
        if (cti_interrupted_at(i, 1024))
            p->text.failed = true;
        if (written > 0) {
            bool line_full = written % per_line == 0;
            cti_text_add(&p->text, line_full ? ",\n" : ", ");
            cti_text_fill(&p->text, ' ', line_full ? indent + 1 : 0);
        }
        written++;
        if (cut && i == edge) {
            cti_text_add(&p->text, edge ? " ..." : "...");
            if (edge == 0)
                break;
            i = n - edge - 1;
            continue;
        }
        add_element(p, at + i * step);
    }
    cti_text_add(&p->text, "]");
}

static void add_dims(struct printer *p, const char *at, int d, int64_t indent)
{
    const ct_tensor *t = p->shown.tensor;
    if (t->ndim == 0) {
        add_element(p, at);
        return;
    }
    int64_t n = t->shape[d], edge = p->shown.edge;
    int64_t step = t->stride[d] * cti_itemsize(t->dtype);
    if (d == t->ndim - 1) {
        add_vector(p, at, n, step, indent);
        return;
    }
    bool cut = p->shown.summarize && n > 2 * edge;
    cti_text_add(&p->text, "[");
    for (int64_t i = 0; i < n && !p->text.failed; i++) {
        if (cti_interrupted_at(i, 1024))
            p->text.failed = true;
        if (i > 0) {
            cti_text_add(&p->text, ",");
            cti_text_fill(&p->text, '\n', t->ndim - d - 1);
            cti_text_fill(&p->text, ' ', indent + 1);
        }
        if (cut && i == edge) {
            cti_text_add(&p->text, "...");
            i = n - edge - 1;
            if (edge == 0)
                break;
            continue;
        }
        add_dims(p, at + i * step, d + 1, indent + 1);
    }
    cti_text_add(&p->text, "]");
}

static void add_numbers(struct printer *p, int64_t indent)
{
    const ct_tensor *t = p->shown.tensor;
    p->is_complex = ct_dtype_is_complex(t->dtype);
    p->shown.summarize = t->numel > p->options.threshold;
    bool ok =
        cti_format_choose(&p->real, &p->shown, p->is_complex ? CTI_REAL : CTI_WHOLE, &p->options);
    if (ok && p->is_complex)
        ok = cti_format_choose(&p->imag, &p->shown, CTI_IMAG, &p->options);
    if (ok)
        add_dims(p, cti_data(t), 0, indent);
    p->text.failed |= !ok;
}

/* ---- suffixes ---- */

/* Adds a suffix to the line or on a new line. *line: the length of the line as PyTorch counts
 * it. */
static void add_suffix(struct printer *p, int64_t *line, int64_t indent, struct cti_text *suffix)
{
    int64_t length = (int64_t)suffix->n;
    bool broken = p->break_line || *line + length + 2 > p->options.linewidth;
    p->break_line = false;
    if (broken) {
        cti_text_add(&p->text, ",\n");
        cti_text_fill(&p->text, ' ', indent);
        *line = indent + length;
    } else {
        cti_text_add(&p->text, ", ");
        *line += length + 2;
    }
    if (!suffix->failed)
        cti_text_add_n(&p->text, suffix->v, suffix->n);
    p->text.failed |= suffix->failed;
    suffix->n = 0;
}

static bool is_default_dtype(enum ct_dtype dtype)
{
    enum ct_dtype real = ct_get_default_dtype();
    return dtype == real || dtype == CT_INT64 || dtype == CT_BOOL ||
           dtype == (real == CT_FLOAT64 ? CT_COMPLEX128 : CT_COMPLEX64);
}

static void add_suffixes(struct printer *p, const ct_tensor *t, int64_t indent)
{
    struct cti_text suffix = {0};
    struct ct_device device = ct_device_of(t);
    enum ct_dtype dtype = t->dtype;
    bool sparse = t->flags & CTI_SPARSE;
    bool no_numbers = !sparse && (device.type == CT_META || t->numel == 0);
    const char *newline = p->text.failed ? NULL : strrchr(p->text.v, '\n');
    int64_t line = newline ? p->text.v + p->text.n - newline + 1 : (int64_t)p->text.n + 2;
    if (device.type != CT_CPU) {
        const char *name = device.type == CT_CUDA ? "cuda" : device.type == CT_XLA ? "xla" : "meta";
        cti_text_printf(&suffix, device.index < 0 ? "device='%s'" : "device='%s:%d'", name,
                        device.index);
        add_suffix(p, &line, indent, &suffix);
    }
    if (sparse || device.type == CT_META || (t->numel == 0 && t->ndim != 1) ||
        (!no_numbers && p->shown.edge == 0)) {
        cti_text_add(&suffix, "size=");
        cti_text_tuple(&suffix, t->ndim, t->shape);
        add_suffix(p, &line, indent, &suffix);
    }
    if (sparse && device.type != CT_META) {
        cti_text_printf(&suffix, "nnz=%lld", (long long)ct_sparse_nnz(t));
        add_suffix(p, &line, indent, &suffix);
    }
    if (no_numbers ? dtype != ct_get_default_dtype() : !is_default_dtype(dtype)) {
        cti_text_printf(&suffix, "dtype=%s", ct_dtype_str(dtype));
        add_suffix(p, &line, indent, &suffix);
    }
    if (sparse) {
        static const char *const names[] = {"strided",    "sparse_coo", "sparse_csr",
                                            "sparse_csc", "sparse_bsr", "sparse_bsc"};
        cti_text_printf(&suffix, "layout=torch.%s", names[ct_layout_of(t)]);
        add_suffix(p, &line, indent, &suffix);
    }
    const char *grad_fn = cti_core_hooks.grad_fn_name ? cti_core_hooks.grad_fn_name(t) : NULL;
    bool dual = cti_core_hooks.is_only_dual && cti_core_hooks.is_only_dual(t);
    bool wanted = (t->flags | (t->base ? t->base->flags : 0)) & CTI_REQUIRES_GRAD;
    if (grad_fn || (wanted && !dual)) {
        if (grad_fn)
            cti_text_printf(&suffix, "grad_fn=<%s>", grad_fn);
        else
            cti_text_add(&suffix, "requires_grad=True");
        add_suffix(p, &line, indent, &suffix);
    }
    cti_text_add(&p->text, ")");
    cti_text_free(&suffix);
}

/* Appends the indices or values of a sparse tensor as a nested "tensor(...)". */
static void add_part_take(struct printer *p, const char *name, ct_tensor *part, int64_t indent)
{
    if (!part) {
        p->text.failed = true;
        return;
    }
    bool meta = part->storage->device.type == CT_META;
    ct_tensor *here = meta ? ct_retain(part) : cti_host(part);
    cti_text_printf(&p->text, "%s=tensor(", name);
    p->shown.tensor = here;
    if (!here)
        p->text.failed = true;
    else if (meta || part->numel == 0)
        cti_text_add(&p->text, meta ? "..." : "[]");
    else
        add_numbers(p, indent + (int64_t)strlen(name) + 8);
    if (meta || part->numel == 0) {
        cti_text_add(&p->text, ", size=");
        cti_text_tuple(&p->text, part->ndim, part->shape);
    }
    cti_text_add(&p->text, ")");
    ct_release(here);
    ct_release(part);
}

static void next_line(struct printer *p, int64_t indent)
{
    cti_text_add(&p->text, ",\n");
    cti_text_fill(&p->text, ' ', indent);
}

static char *sparse_repr(ct_tensor *t, const char *class_name)
{
    struct printer p = {.options = ct_get_print_options(), .break_line = true};
    p.shown.edge = p.options.edgeitems;
    cti_text_printf(&p.text, "%s(", class_name ? class_name : "tensor");
    int64_t indent = (int64_t)p.text.n;
    enum ct_layout layout = ct_layout_of(t);
    bool columns = cti_by_columns(layout);
    if (layout == CT_SPARSE_COO) {
        add_part_take(&p, "indices", cti_alias(cti_sparse_of(t)->indices), indent);
        next_line(&p, indent);
        add_part_take(&p, "values", cti_alias(cti_sparse_of(t)->values), indent);
    } else {
        add_part_take(&p, columns ? "ccol_indices" : "crow_indices", cti_sparse_begins(t), indent);
        next_line(&p, indent);
        add_part_take(&p, columns ? "row_indices" : "col_indices", cti_sparse_plain(t), indent);
        next_line(&p, indent);
        add_part_take(&p, "values", cti_sparse_batched(t), indent);
    }
    p.break_line = layout == CT_SPARSE_COO;
    add_suffixes(&p, t, indent);
    return cti_text_take(&p.text);
}

char *ct_own_repr_as(ct_tensor *t, const char *class_name)
{
    if (!cti_is_there(t))
        return NULL;
    if (t->flags & CTI_SPARSE)
        return sparse_repr(t, class_name);
    enum ct_device_type device = t->storage->device.type;
    struct printer p = {.options = ct_get_print_options()};
    ct_tensor *here = device == CT_META || t->numel == 0 ? ct_retain(t) : cti_host(t);
    if (!here)
        return NULL;
    p.shown = (struct cti_shown){here, false, p.options.edgeitems};
    cti_text_printf(&p.text, "%s(", class_name ? class_name : "tensor");
    int64_t indent = (int64_t)p.text.n;
    if (device == CT_META)
        cti_text_add(&p.text, "...");
    else if (t->numel == 0)
        cti_text_add(&p.text, "[]");
    else
        add_numbers(&p, indent);
    add_suffixes(&p, t, indent);
    ct_release(here);
    return cti_text_take(&p.text);
}

char *ct_own_repr(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_own_repr", "t"))
        return NULL;
    return ct_own_repr_as(t, NULL);
}

const char *ct_repr(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_repr", "t"))
        return NULL;
    return cti_scope_text_take(ct_own_repr(t));
}

/* ---- storages ---- */

char *ct_own_storage_repr(ct_storage *s, enum ct_dtype dtype)
{
    if (!cti_check_pointer(s, "ct_own_storage_repr", "s"))
        return NULL;
    if (!cti_check_dtype(dtype, "ct_own_storage_repr", "dtype"))
        return NULL;
    enum ct_dtype element = dtype == CT_NO_DTYPE ? CT_UINT8 : dtype;
    int64_t size = cti_itemsize(element), n = s->nbytes / size;
    struct cti_text text = {0};
    ct_tensor *all = s->device.type == CT_META
                         ? NULL
                         : cti_tensor_take(ct_storage_retain(s), element, 1, &n, NULL, 0);
    ct_tensor *here = cti_host(all);
    text.failed = !here && s->device.type != CT_META;
    cti_text_add(&text, here ? " " : "...");
    for (int64_t i = 0; here && i < n; i++) {
        if (i)
            cti_text_add(&text, "\n ");
        cti_text_number(&text, cti_value_load(cti_data(here) + i * size, element));
    }
    ct_release(here);
    ct_release(all);
    cti_text_add(&text, dtype == CT_NO_DTYPE ? "\n[torch.storage.UntypedStorage("
                                             : "\n[torch.storage.TypedStorage(");
    if (dtype != CT_NO_DTYPE)
        cti_text_printf(&text, "dtype=%s, ", ct_dtype_str(dtype));
    ct_scope scope = ct_scope_begin();
    const char *device = ct_device_str(s->device);
    cti_text_printf(&text, "device=%s) of size %lld]", device ? device : "", (long long)n);
    text.failed |= !device;
    ct_scope_end(scope);
    return cti_text_take(&text);
}

/* ---- printing and small texts ---- */

static bool print_line(FILE *file, char *text)
{
    if (!text)
        return false;
    bool ok = file && fputs(text, file) >= 0 && fputc('\n', file) != EOF;
    free(text);
    return ok || ct_fail(CT_ERR_RUNTIME, "cannot write to the %s",
                         file == stdout ? "standard output" : "file");
}

bool ct_fprint_tensor(FILE *file, ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_fprint_tensor", "t"))
        return false;
    return print_line(file, ct_own_repr(t));
}

bool ct_fprint_list(FILE *file, ct_list list)
{
    struct cti_text text = {0};
    if (!cti_check_list(&list, "ct_fprint_list", "list"))
        return false;
    for (int64_t i = 0; i < list.n; i++) {
        char *one = ct_own_repr(list.v[i]);
        if (!one) {
            cti_text_free(&text);
            return false;
        }
        cti_text_printf(&text, "%s%s", i ? ", " : list.n > 1 ? "(" : "", one);
        free(one);
    }
    cti_text_add(&text, list.n > 1 ? ")" : list.n ? "" : "()");
    return print_line(file, cti_text_take(&text));
}

bool ct_fprint_storage(FILE *file, ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_fprint_storage", "s"))
        return false;
    return s && print_line(file, ct_own_storage_repr(s, s->dtype));
}

/* Results that were not requested are NULL; after a failed call all are. */
static bool print_results(FILE *file, ct_tensor *const *result, size_t count)
{
    ct_tensor *present[16];
    int64_t n = 0;
    for (size_t i = 0; i < count && n < 16; i++)
        if (result[i])
            present[n++] = result[i];
    return n && ct_fprint_list(file, ct_list_of(present, n));
}

bool ct_fprint_any(FILE *file, enum ct_printed kind, const void *what, size_t size)
{
    if (!cti_check_pointer(what, "ct_fprint_any", "what"))
        return false;
    file = file ? file : stdout;
    switch (kind) {
    case CT_PRINTED_TENSOR:
        return ct_fprint_tensor(file, *(ct_tensor *const *)what);
    case CT_PRINTED_STORAGE:
        return ct_fprint_storage(file, *(ct_storage *const *)what);
    case CT_PRINTED_LIST:
        return ct_fprint_list(file, *(const ct_list *)what);
    case CT_PRINTED_RESULTS:
        return print_results(file, what, size / sizeof(ct_tensor *));
    }
    return false;
}

bool ct_print_tensor(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_print_tensor", "t"))
        return false;
    return ct_fprint_tensor(stdout, t);
}

bool ct_print_list(ct_list list)
{
    if (!cti_check_list(&list, "ct_print_list", "list"))
        return false;
    return ct_fprint_list(stdout, list);
}

bool ct_print_storage(ct_storage *s)
{
    if (!cti_check_pointer(s, "ct_print_storage", "s"))
        return false;
    return ct_fprint_storage(stdout, s);
}

char *ct_own_item_str(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_own_item_str", "t"))
        return NULL;
    ct_value v = ct_item_value(t);
    if (v.kind == CT_VALUE_NULL)
        return NULL;
    struct cti_text text = {0};
    cti_text_number(&text, v);
    return cti_text_take(&text);
}

const char *ct_item_str(ct_tensor *t)
{
    if (!cti_check_pointer(t, "ct_item_str", "t"))
        return NULL;
    return cti_scope_text_take(ct_own_item_str(t));
}

const char *ct_shape_str(const ct_tensor *t)
{
    if (!cti_is_there(t))
        return NULL;
    struct cti_text text = {0};
    cti_text_add(&text, "torch.Size([");
    for (int d = 0; d < t->ndim; d++)
        cti_text_printf(&text, d ? ", %lld" : "%lld", (long long)t->shape[d]);
    cti_text_add(&text, "])");
    return cti_scope_text_take(cti_text_take(&text));
}

const char *ct_stride_str(const ct_tensor *t)
{
    if (!cti_is_there(t))
        return NULL;
    struct cti_text text = {0};
    cti_text_tuple(&text, t->ndim, t->stride);
    return cti_scope_text_take(cti_text_take(&text));
}

const char *ct_grad_fn_str(const ct_tensor *t)
{
    if (!cti_is_there(t))
        return NULL;
    const char *name = cti_core_hooks.grad_fn_name ? cti_core_hooks.grad_fn_name(t) : NULL;
    return name ? name : "None";
}
