/* SPDX-License-Identifier: BSD-3-Clause */
/* What fronts share: arguments made regular, copies and casts, results given in `out`. Generated
 * fronts and the hand-written files beside them call this; it knows core and the backend table. */
#ifndef CORTEN_OPS_FRONT_H
#define CORTEN_OPS_FRONT_H

#include "autograd/autocast/autocast.h"
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
/* The same beside t: a number, or a 0-d tensor of the CPU, goes to a card that t is on, for engines
 * that take tensors; a number still promotes as one. */
ct_tensor *cti_value_beside(ct_value v, const ct_tensor *t);
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
static inline bool cti_devices_differ_tensor(const ct_tensor *first, const ct_tensor *other,
                                             const char *words)
{
    return other != CT_NO_TENSOR &&
           !cti_same_device(other->storage->device, first->storage->device) &&
           !cti_device_refused(other, first, words);
}
/* A 0-d tensor of the CPU is as good as a number. */
bool cti_devices_differ_value(const ct_tensor *first, ct_value other, const char *words);
/* Beside a tensor without memory an index may lie on the CPU. */
static inline bool cti_devices_differ_index(const ct_tensor *first, const ct_tensor *index,
                                            const char *words)
{
    bool unread = first->storage->device.type == CT_META && index->storage->device.type == CT_CPU;
    return !unread && cti_devices_differ_tensor(first, index, words);
}
/* Beside a first tensor (or NULL) a list holds indices, which may lie on the CPU. */
bool cti_devices_differ_list(const ct_tensor *first, ct_list list, const char *words);
#define cti_devices_differ(first, other, words)                                                    \
    _Generic((other), ct_value                                                                     \
             : cti_devices_differ_value, ct_list                                                   \
             : cti_devices_differ_list, default                                                    \
             : cti_devices_differ_tensor)(first, other, words)
bool cti_out_apart(const ct_tensor *out, const ct_tensor *result);

/* ---- types ---- */

/* Note [Float8]: sets PyTorch's error where x, a tensor, a number, a list or a type, is of such a
 * type. */
bool cti_float8_refused_dtype(enum ct_dtype dtype, const char *kernel);
bool cti_float8_refused_tensor(const ct_tensor *t, const char *kernel);
bool cti_float8_refused_value(ct_value v, const char *kernel);
bool cti_float8_refused_list(ct_list list, const char *kernel);
#define cti_float8_refused(x, kernel)                                                              \
    _Generic((x), ct_value                                                                         \
             : cti_float8_refused_value, ct_list                                                   \
             : cti_float8_refused_list, enum ct_dtype                                              \
             : cti_float8_refused_dtype, default                                                   \
             : cti_float8_refused_tensor)(x, kernel)

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

/* Uninitialised, laid out like a result beside the input, on a device (CT_NO_DEVICE: the input's).
 */
ct_tensor *cti_empty_like_on(const ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                             enum ct_memory_format format);
ct_tensor *cti_clone(ct_tensor *t); /* always new memory, preserve_format */
void cti_warn_of_real(void);        /* the imaginary part is lost; once */
void cti_warn_of_cast(const ct_tensor *from, enum ct_dtype to); /* of a complex one to real */
ct_tensor *cti_cast(ct_tensor *t, enum ct_dtype dtype); /* conj and neg resolved with the cast */
ct_tensor *cti_contiguous(ct_tensor *t);
/* Both at once: what an engine reads. NULL in, NULL out. */
ct_tensor *cti_cast_contiguous(ct_tensor *t, enum ct_dtype dtype);
ct_tensor *cti_resolve(ct_tensor *t);          /* without conj and neg flags */
bool cti_copy(ct_tensor *dst, ct_tensor *src); /* src broadcasts, casts; dst's flags honoured */
bool cti_fill(ct_tensor *dst, ct_value number);

/* ---- results: see Note [Results in `out`] in out.c ---- */

void *cti_out_refused(const char *name); /* while gradients are recorded */
/* Gives t a shape, contiguous, as resize_ does: elements stay, new ones are not set. */
bool cti_resize(ct_tensor *t, int ndim, const int64_t *shape);
bool cti_out_resize(ct_tensor *out, int ndim, const int64_t *shape); /* warns if it had elements */
/* A new tensor written to `out` has out's type; RuntimeError when another one is asked for. */
bool cti_out_dtype(const ct_tensor *out, enum ct_dtype *dtype);
/* May a result of this shape and type be computed in `out`? Its memory is the caller's to check. */
bool cti_out_is_direct(const ct_tensor *out, int ndim, const int64_t *shape, enum ct_dtype dtype);
/* Writes a result, which it takes; false if that is NULL. The caller counts the version. */
bool cti_out_copy(ct_tensor *out, ct_tensor *result);

/* The same for a new contiguous result, whose elements go one after the other into an `out` that
 * has as many, whatever its shape. */
bool cti_out_copy_elements(ct_tensor *out, ct_tensor *result);
/* Writes several, when all can be; takes them, counts versions. */
bool cti_out_write(ct_tensor *const *out, ct_tensor *const *result, int n);
bool cti_write_result(ct_tensor *self, ct_tensor *result); /* in place: self keeps its shape */
/* What a view sees, as new elements; the view is let go. */
ct_tensor *cti_copy_take(ct_tensor *view);
ct_list cti_copy_list_take(ct_list views);
void cti_finish_several(struct cti_node *node, ct_tensor **results, int64_t n, bool good);
ct_list cti_finish_list(struct cti_node *node, ct_list list);
ct_tensor *cti_finish_inplace(struct cti_node *node, ct_tensor *self, bool good);
#endif
