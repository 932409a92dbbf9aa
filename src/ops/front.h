/* SPDX-License-Identifier: BSD-3-Clause */
/* Helpers of all operations: argument normalisation, device and dtype checks, copies and casts,
 * `out=`. Generated entry points and the hand-written files of this folder call them; they depend
 * on core and on the backend table. Unless a comment says otherwise, arguments are borrowed, the
 * caller owns returned tensors, and NULL or false means that the error is set. */
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

/* Counts a list that is closed by CT_END; an absent list stays absent. */
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

bool cti_list_is_whole(ct_list *list); /* counts it; false if it or one of its tensors is NULL */
bool cti_number_is(ct_value number, double x);
ct_value cti_keyword_number(double x); /* a keyword of a C program: an int if x is integral */
static inline bool cti_value_is_number(ct_value v)
{
    return v.kind != CT_VALUE_TENSOR && v.kind != CT_VALUE_NULL;
}
/* Copies a caller's keywords over the defaults in `args`. The first member of `given` is its size,
 * so a struct compiled against an older, shorter version works. */
void cti_keywords_copy(void *args, size_t size, const void *given);
static inline ct_ints cti_shape_of(const ct_tensor *t)
{
    return ct_ints_of(t ? t->shape : NULL, t ? t->ndim : 0);
}
/* The tensor, or a 0-d tensor that promotes like the number. */
ct_tensor *cti_value_as_tensor(ct_value v);
/* The same for engines that take tensors only: a number or 0-d CPU tensor is moved to t's device if
 * that is a GPU. The result still promotes as a number. */
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

/* ---- devices: true, with the error set, if tensors are on different devices ---- */

/* Sets the error and returns false. `message` replaces PyTorch's usual text if not NULL. */
bool cti_device_refused(const ct_tensor *found, const ct_tensor *wanted, const char *message);
static inline bool cti_devices_differ_tensor(const ct_tensor *first, const ct_tensor *other,
                                             const char *message)
{
    return other != CT_NO_TENSOR &&
           !cti_same_device(other->storage->device, first->storage->device) &&
           !cti_device_refused(other, first, message);
}
/* A 0-d CPU tensor is allowed with any device, like a number. */
bool cti_devices_differ_value(const ct_tensor *first, ct_value other, const char *message);
/* An index may be on the CPU if `first` is a meta tensor, whose memory is never read. */
static inline bool cti_devices_differ_index(const ct_tensor *first, const ct_tensor *index,
                                            const char *message)
{
    bool unread = first->storage->device.type == CT_META && index->storage->device.type == CT_CPU;
    return !unread && cti_devices_differ_tensor(first, index, message);
}
/* With a `first` tensor the list holds indices, which may be on the CPU; without one (NULL) all of
 * its tensors have to be on one device. */
bool cti_devices_differ_list(const ct_tensor *first, ct_list list, const char *message);
#define cti_devices_differ(first, other, message)                                                  \
    _Generic((other), ct_value                                                                     \
             : cti_devices_differ_value, ct_list                                                   \
             : cti_devices_differ_list, default                                                    \
             : cti_devices_differ_tensor)(first, other, message)
/* Whether `out` and the result are on different devices. */
bool cti_out_apart(const ct_tensor *out, const ct_tensor *result);

/* ---- types ---- */

/* Note [Float8]: float8 dtypes are stored and cast, never computed with. True, with PyTorch's error
 * set, if x (a tensor, number, list or dtype) is float8; `kernel` is the name in the message. */
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

/* Note [Promotion]: operands fall into three classes, from high to low: tensors with dims, 0-d
 * tensors, numbers. A lower class affects the result's dtype only if its kind (bool, integer,
 * floating, complex) is higher; float32 tensor + float64 number is float32. */
/* The dtype by which t promotes. A wrapped number is stored in the widest dtype of its kind, but
 * promotes as the default dtype. */
enum ct_dtype cti_promoting_dtype(const ct_tensor *t);
/* The common dtype of n operands; CT_NO_DTYPE: the error is set. */
enum ct_dtype cti_result_type(const ct_value *v, int n);
static inline bool cti_is_integral(enum ct_dtype dtype, bool with_bool)
{
    return dtype <= CT_UINT64 && (with_bool || dtype != CT_BOOL);
}
/* RuntimeError "result type Float can't be cast to the desired output type Long". */
bool cti_check_can_cast(enum ct_dtype from, enum ct_dtype to);

/* ---- copies: owned; t itself, retained, if nothing has to be done ---- */

/* Uninitialised, with the strides that a result of `input` has in this format, on `device`
 * (CT_NO_DEVICE: the input's). */
ct_tensor *cti_empty_like_on(const ct_tensor *input, enum ct_dtype dtype, struct ct_device device,
                             enum ct_memory_format format);
ct_tensor *cti_clone(ct_tensor *t); /* always new memory, preserve_format */
void cti_warn_of_real(void);        /* once per process: a cast discards the imaginary part */
void cti_warn_of_cast(const ct_tensor *from, enum ct_dtype to); /* the same, if the cast does so */
ct_tensor *cti_cast(ct_tensor *t, enum ct_dtype dtype); /* also resolves conj and neg flags */
ct_tensor *cti_contiguous(ct_tensor *t);
/* Cast and contiguous, as engines read operands. NULL in, NULL out. */
ct_tensor *cti_cast_contiguous(ct_tensor *t, enum ct_dtype dtype);
ct_tensor *cti_resolve(ct_tensor *t);          /* without conj and neg flags */
bool cti_copy(ct_tensor *dst, ct_tensor *src); /* broadcasts, casts, honours dst's conj and neg */
bool cti_fill(ct_tensor *dst, ct_value number);

/* ---- results: see Note [Results in `out`] in out.c ---- */

/* Sets the error of `out=` in recording mode; returns NULL. */
void *cti_out_refused(const char *name);
/* Gives t a contiguous shape, as resize_ does: elements stay, new ones are uninitialised. */
bool cti_resize(ct_tensor *t, int ndim, const int64_t *shape);
bool cti_out_resize(ct_tensor *out, int ndim, const int64_t *shape); /* warns if it had elements */
/* For rows with a dtype keyword: an absent dtype becomes out's; any other is a RuntimeError. */
bool cti_out_dtype(const ct_tensor *out, enum ct_dtype *dtype);
/* Whether a result of this shape and dtype can be computed straight into `out`. The caller checks
 * that `out` does not overlap an argument. */
bool cti_out_is_direct(const ct_tensor *out, int ndim, const int64_t *shape, enum ct_dtype dtype);
/* Writes `result` to `out`, casting and resizing, and releases `result`; false if that is NULL. The
 * caller bumps out's version. */
bool cti_out_copy(ct_tensor *out, ct_tensor *result);

/* The same for a new contiguous result that fills an `out` of equal numel in order, whatever the
 * shape of `out`. */
bool cti_out_copy_elements(ct_tensor *out, ct_tensor *result);
/* Writes n results if all of them can be written; releases them and bumps versions. */
bool cti_out_write(ct_tensor *const *out, ct_tensor *const *result, int n);
/* An empty list, for a failure whose error is set: return cti_no_list(ct_fail(...)). */
static inline ct_list cti_no_list(void *null)
{
    (void)null;
    return CT_NO_LIST;
}

/* A list of n owned tensors in allocated memory `v`; on failure releases what is there (v and any
 * tensor may be NULL) and returns an empty list. */
static inline ct_list cti_list_take_if(ct_tensor **v, int64_t n, bool good)
{
    if (!good && v)
        ct_list_release(ct_list_of(v, n));
    return good ? ct_list_of(v, n) : (ct_list){NULL, 0};
}
/* Writes the result of an in-place call to `self`, whose shape it must have; releases `result`. */
bool cti_write_result(ct_tensor *self, ct_tensor *result);
/* Copies a view, or each view of a list, into new memory and releases the view. */
ct_tensor *cti_copy_take(ct_tensor *view);
ct_list cti_copy_list_take(ct_list views);
/* Attaches a node to the results of a call. If the call failed (not `good`, or an empty list),
 * releases the node and the results. */
void cti_finish_several(struct cti_node *node, ct_tensor **results, int64_t n, bool good);
ct_list cti_finish_list(struct cti_node *node, ct_list list);
/* The same for an in-place call: self, borrowed, or NULL. */
ct_tensor *cti_finish_inplace(struct cti_node *node, ct_tensor *self, bool good);
#endif
