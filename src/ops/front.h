/* SPDX-License-Identifier: BSD-3-Clause */
/* What fronts share: arguments made regular, copies and casts, results given in `out`. Generated
 * fronts and the hand-written files beside them call this; it knows core and the backend table. */
#ifndef CORTEN_OPS_FRONT_H
#define CORTEN_OPS_FRONT_H

#include "autograd/autograd.h"
#include "core/backend.h"
#include "core/dtype.h"
#include "core/shape.h"
#include "core/value.h"
#include "corten/macros.h"

/* ---- arguments ---- */

/* A list closed by CT_END gets its count. An absent one stays absent. */
static inline ct_ints cti_ints_counted(ct_ints list)
{
    if (list.n < 0)
        for (list.n = 0; list.v[list.n] != CT_END;)
            list.n++;
    return list;
}

static inline ct_floats cti_floats_counted(ct_floats list) /* closed by a NaN */
{
    if (list.n < 0)
        for (list.n = 0; list.v[list.n] == list.v[list.n];)
            list.n++;
    return list;
}

bool cti_list_is_whole(ct_list *list); /* counts it; false when it or one of its tensors failed */
bool cti_number_is(ct_value number, double x);
ct_value cti_keyword_number(double x); /* a keyword of a C program: whole numbers are ints */
static inline bool cti_value_is_number(ct_value v)
{
    return v.kind != CT_VALUE_TENSOR && v.kind != CT_VALUE_NULL;
}
/* Puts a caller's keywords, perhaps of an older and shorter struct, over the defaults. */
void cti_keywords_copy(void *args, size_t size, const void *given);
static inline ct_ints cti_shape_of(const ct_tensor *t)
{
    return ct_ints_of(t ? t->shape : NULL, t ? t->ndim : 0);
}
/* Owned: the tensor, or a 0-d one that promotes like the number. */
ct_tensor *cti_value_as_tensor(ct_value v);
static inline bool cti_same_shape(const ct_tensor *t, int ndim, const int64_t *shape)
{
    if (t->ndim != ndim)
        return false;
    for (int d = 0; d < ndim; d++)
        if (t->shape[d] != shape[d])
            return false;
    return true;
}

/* ---- devices: true, and the error is set, where tensors lie on different ones ---- */

/* Always false. words: what a row says of it; NULL: PyTorch's usual text. */
bool cti_device_refused(const ct_tensor *found, const ct_tensor *wanted, const char *words);
static inline bool cti_apart_tensor(const ct_tensor *first, const ct_tensor *other,
                                    const char *words)
{
    return other != CT_NO_TENSOR && other->storage->device.type != first->storage->device.type &&
           !cti_device_refused(other, first, words);
}
/* A 0-d tensor of the CPU is as good as a number. */
bool cti_apart_value(const ct_tensor *first, ct_value other, const char *words);
/* An index may lie on the CPU. */
static inline bool cti_apart_index(const ct_tensor *first, const ct_tensor *index,
                                   const char *words)
{
    return index->storage->device.type != CT_CPU && cti_apart_tensor(first, index, words);
}
/* Beside a first tensor (or NULL) a list holds indices, which may lie on the CPU. */
bool cti_apart_list(const ct_tensor *first, ct_list list, const char *words);
#define cti_apart(first, other, words)                                                             \
    _Generic((other), ct_value                                                                     \
             : cti_apart_value, ct_list                                                            \
             : cti_apart_list, default                                                             \
             : cti_apart_tensor)(first, other, words)
bool cti_out_apart(const ct_tensor *out, const ct_tensor *result);

/* ---- types ---- */

/* Note [Promotion]: tensors with dims, 0-d tensors and numbers are three classes; a lower class
 * decides only when its kind (bool, integer, floating, complex) is higher. */
/* The type a tensor promotes by: a wrapped number keeps all its digits, but counts as a number. */
enum ct_dtype cti_promoting_dtype(const ct_tensor *t);
enum ct_dtype cti_result_type(const ct_value *v, int n); /* CT_NO_DTYPE: the error is set */
static inline bool cti_is_integral(enum ct_dtype dtype, bool with_bool)
{
    return dtype <= CT_UINT64 && (with_bool || dtype != CT_BOOL);
}
/* RuntimeError "result type Float can't be cast to the desired output type Long". */
bool cti_check_can_cast(enum ct_dtype from, enum ct_dtype to);

/* ---- copies; all return owned references, of t itself where nothing has to be done ---- */

ct_tensor *cti_clone(ct_tensor *t); /* always new memory, preserve_format */
void cti_warn_of_real(void);        /* the imaginary part is lost; once */
void cti_warn_of_cast(const ct_tensor *from, enum ct_dtype to); /* of a complex one to real */
ct_tensor *cti_cast(ct_tensor *t, enum ct_dtype dtype); /* conj and neg resolved with the cast */
ct_tensor *cti_contiguous(ct_tensor *t);
ct_tensor *cti_resolve(ct_tensor *t);          /* without conj and neg flags */
bool cti_copy(ct_tensor *dst, ct_tensor *src); /* src broadcasts, casts; dst's flags honoured */
bool cti_fill(ct_tensor *dst, ct_value number);

/* ---- results ---- */

void *cti_out_refused(const char *name); /* out= and autograd do not mix */
/* True, and the error names the last row, where what a row made of others was recorded: a copy into
 * `out` would lose its history. */
bool cti_out_recorded(ct_tensor *result);
/* Gives t a shape, contiguous, as resize_ does: elements stay, new ones are not set. */
bool cti_resize(ct_tensor *t, int ndim, const int64_t *shape);
/* A new tensor written to `out` has out's type; RuntimeError when another one is asked for. */
bool cti_out_dtype(const ct_tensor *out, enum ct_dtype *dtype);
/* Gives `out` the shape of a result: PyTorch resizes it, with a warning when it had elements. */
bool cti_out_resize(ct_tensor *out, int ndim, const int64_t *shape);
void cti_promise_nothing(void); /* see Note [Promises] */
void cti_promise(int ndim, const int64_t *shape);
ct_tensor *cti_promised(ct_tensor *out, ct_tensor *result);
bool cti_out_requires(ct_tensor *out, bool requires_grad); /* as its call asks */
/* Gives `out` the shape of a result, and its strides where it had another shape. */
bool cti_out_fit(ct_tensor *out, const ct_tensor *result);
/* True, and the error is set, where `out` shares memory with what is read. */
bool cti_out_overlaps_tensor(const ct_tensor *out, const ct_tensor *in);
bool cti_out_overlaps_list(const ct_tensor *out, ct_list in);
#define cti_out_overlaps(out, in)                                                                  \
    _Generic((in), ct_list : cti_out_overlaps_list, default : cti_out_overlaps_tensor)(out, in)
bool cti_out_write(ct_tensor *out, ct_tensor *result); /* takes the result; false when it is NULL */
bool cti_out_write_exact(ct_tensor *out, ct_tensor *result); /* sizes it, then asks for the type */
bool cti_out_write_cast(ct_tensor *out, ct_tensor *result);  /* sizes it, then looks at types */
bool cti_out_write_recorded(ct_tensor *out, ct_tensor *result); /* by a copy that is recorded */
/* What a row asks of an `out` before it is written, when all results are there: that it has their
 * type, else it is refused in the row's words ({out}, {result}: the types; {out_c}, {result_c}: by
 * C++'s names) or in PyTorch's usual ones; or a rule of its own. */
bool cti_out_is(const ct_tensor *out, const ct_tensor *result, const char *words);
bool cti_out_exact(const ct_tensor *out, const ct_tensor *result);
/* "NAME: Expected WHAT to be safely castable from Float dtype, ..." */
bool cti_out_castable(const ct_tensor *out, const ct_tensor *result, const char *name,
                      const char *what);
bool cti_out_floating(const ct_tensor *out, const ct_tensor *result);
bool cti_out_truth(const ct_tensor *out, const ct_tensor *result, const char *name);
bool cti_out_joined(const ct_tensor *out, const ct_tensor *result);
bool cti_out_fft(const ct_tensor *out, const ct_tensor *result, const char *name);
ct_tensor *cti_if(bool good, ct_tensor *result); /* it, or NULL when it was let go */
/* A type as PyTorch's old checks call it: "torch.LongTensor", or "CPUBFloat16Type" where it had no
 * class of its own. `text` has room for 40. */
const char *cti_old_type_name(char *text, size_t size, enum ct_dtype dtype);
bool cti_out_type_refused(const char *words, const ct_tensor *out, enum ct_dtype result);
bool cti_out_copy(ct_tensor *out, ct_tensor *result); /* the same; the caller counts the version */
bool cti_out_write_laid(ct_tensor *out, ct_tensor *result); /* a resized out is laid out like it */
bool cti_out_write_columns(ct_tensor *out, ct_tensor *result); /* ... if it was empty */
bool cti_out_write_solved(ct_tensor *out, ct_tensor *result);  /* ... empty or not */
bool cti_out_write_fft(ct_tensor *out, ct_tensor *result); /* ... if the result is a conjugate */
bool cti_out_write_new(ct_tensor *out, ct_tensor *result); /* of new tensors: resized in silence */
bool cti_out_write_row(ct_tensor *out, ct_tensor *result); /* or of as many elements */
bool cti_out_write_arange(ct_tensor *out, ct_tensor *result); /* ... with a warning */
bool cti_write_result(ct_tensor *self, ct_tensor *result);    /* the same for in-place forms */
/* What a view sees, as new elements; the view is let go. */
ct_tensor *cti_copy_take(ct_tensor *view);
ct_list cti_copy_list_take(ct_list views);
void cti_finish_several(struct cti_node *node, ct_tensor **results, int64_t n, bool good);
ct_list cti_finish_list(struct cti_node *node, ct_list list);
ct_tensor *cti_finish_inplace(struct cti_node *node, ct_tensor *self, bool good);
#endif
