/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs of tensors and storages, and the functions that make them. All of src includes this;
 * C programs see only base.h. Functions return owned references unless their comment says
 * "borrowed". */
#ifndef CORTEN_CORE_TENSOR_H
#define CORTEN_CORE_TENSOR_H

#include "core/error.h"
#include "corten/base.h"

#define CTI_MAX_DIMS 64
#define CTI_INLINE_DIMS 5 /* tensors of at most this many dims come from one free list */

/* ---- storages ---- */

/* The version counter of a tensor, its views and detach(), which counts in-place writes. Most are
 * inside the storage for which they were made (refs == CTI_VERSION_INSIDE): all tensors that share
 * such a version hold that storage, so the version needs no reference count. */
struct cti_version {
    int32_t refs;   /* atomic */
    uint32_t count; /* atomic: in-place writes so far, and CTI_VERSION_WATCHED */
};
#define CTI_VERSION_INSIDE (-1)
#define CTI_VERSION_WATCHED (UINT32_C(1) << 31) /* a gradient needs it: report writes */

struct ct_storage {
    int64_t refs; /* atomic */
    char *data;   /* outside of core, use cti_data() */
    int64_t nbytes;
    struct ct_device device;
    bool exposed;       /* a program has its address: never an input of deferred work */
    bool resizable;     /* false for borrowed memory */
    uint8_t dtype;      /* of the last tensor for ct_storage_of; read by ct_storage_get */
    uint8_t pool;       /* the free list it came from */
    bool borrowed : 1;  /* block is a deleter and its context, see storage.c */
    bool read_only : 1; /* the caller's memory is const */
    uint8_t level : 6;  /* see Note [Guards] */
    bool shared;        /* with forked processes, see ct_storage_share */
    uint16_t pins;      /* atomic: users that need the bytes to stay where they are */
    struct cti_version version;
    void *block;  /* the allocator's handle; NULL when the bytes follow this struct */
    void *handle; /* the Python object, borrowed */
};

/* Uninitialised bytes on a device; NULL and CT_ERR_OUT_OF_MEMORY/RUNTIME on failure. */
ct_storage *cti_storage_new(int64_t nbytes, struct ct_device device);
ct_storage *cti_storage_borrow(void *data, int64_t nbytes, struct ct_device device,
                               void (*deleter)(void *), void *context);
bool cti_storage_resize(ct_storage *s, int64_t nbytes);

/* For devices of storages, whose index is resolved (0, not -1). */
static inline bool cti_same_device(struct ct_device a, struct ct_device b)
{
    return a.type == b.type && a.index == b.index;
}

/* ---- tensors ---- */

enum {
    CTI_CONJ = 1 << 0,           /* lazily conjugated view */
    CTI_NEG = 1 << 1,            /* lazily negated view */
    CTI_CONTIGUOUS = 1 << 2,     /* cached by cti_tensor_layout_changed() */
    CTI_WRAPPED_NUMBER = 1 << 3, /* a 0-d tensor made from a number: promotes as a number */
    CTI_REQUIRES_GRAD = 1 << 4,  /* leaf that requires a gradient, or a result with a grad_fn */
    CTI_INFERENCE = 1 << 5,      /* made in inference mode */
    /* how a view was made (see autograd) */
    CTI_VIEW_NO_GRAD = 1 << 6,
    CTI_VIEW_MULTI = 1 << 7, /* one of several outputs of one call: no in-place writes */
    CTI_IS_PARAMETER = 1 << 8,
    CTI_VIEW_CUSTOM = 1 << 9,     /* a result of a custom function */
    CTI_VIEW_INFERENCE = 1 << 10, /* with CTI_VIEW_NO_GRAD: made in inference mode */
    CTI_DUAL_SOURCE = 1 << 11,    /* eps of Note [Dual numbers] in autograd/forward.c */
    CTI_SPARSE = 1 << 12          /* indices and values, no elements: core/sparse.h */
};

struct cti_autograd; /* src/autograd */

struct ct_tensor {
    int64_t refs;  /* atomic */
    uint8_t dtype; /* enum ct_dtype */
    uint8_t ndim;
    uint16_t flags;
    uint32_t capacity; /* dims that fit at `shape` */
    ct_storage *storage;
    int64_t offset; /* elements from the storage's start */
    int64_t numel;
    int64_t *shape;                /* inline_dims, or allocated for more dims */
    int64_t *stride;               /* elements; may be 0 or negative */
    struct cti_version *version;   /* NULL: never written in place, never shared */
    ct_tensor *base;               /* the tensor this is a differentiable view of, or NULL; owned */
    struct cti_autograd *autograd; /* NULL unless a gradient is involved */
    void *handle;                  /* the Python object */
    int64_t inline_dims[2 * CTI_INLINE_DIMS];
};

/* Makes a tensor on a storage, whose reference it takes over, also on failure. stride NULL:
 * contiguous. */
ct_tensor *cti_tensor_take(ct_storage *s, enum ct_dtype dtype, int ndim, const int64_t *shape,
                           const int64_t *stride, int64_t offset);
/* A new uninitialised contiguous tensor. Negative sizes and overflow give PyTorch's errors. */
ct_tensor *cti_empty(int ndim, const int64_t *shape, enum ct_dtype dtype, struct ct_device device);
/* The same with given strides (all >= 0, dense or not). */
ct_tensor *cti_empty_strided(int ndim, const int64_t *shape, const int64_t *stride,
                             enum ct_dtype dtype, struct ct_device device);
/* Sets the flags of tensors made on this thread from now on: CTI_INFERENCE or 0. */
void cti_tensor_new_flags(uint16_t flags);
/* A 0-d CPU tensor with this value, marked CTI_WRAPPED_NUMBER. CT_NO_DTYPE: in a type that holds
 * the number exactly. */
ct_tensor *cti_wrap_number(ct_value number, enum ct_dtype dtype);

/* A view of t: same storage, data type, conj/neg flags and version; its base is t's base, or t. All
 * views are made here. The geometry is not checked. */
ct_tensor *cti_view(ct_tensor *t, int ndim, const int64_t *shape, const int64_t *stride,
                    int64_t offset);
/* Returns a tensor on the same memory without history, like detach(): it shares the version and has
 * no base. */
ct_tensor *cti_alias(ct_tensor *t);
/* Gives t the sizes, strides, offset and storage of other (set_data, transpose_, resize_, ...). */
bool cti_tensor_become(ct_tensor *t, const ct_tensor *other);
/* Changes sizes, strides and offset in place (squeeze_, t_, resize_). False: out of memory, or the
 * geometry is impossible. */
bool cti_tensor_set_geometry(ct_tensor *t, int ndim, const int64_t *shape, const int64_t *stride,
                             int64_t offset);
void cti_tensor_layout_changed(ct_tensor *t); /* recomputes numel and CTI_CONTIGUOUS */

/* The stride and offset of a view: Note [Wild strides]. */
static inline int64_t cti_stride_times(int64_t stride, int64_t by)
{
    return (int64_t)((uint64_t)stride * (uint64_t)by);
}

static inline int64_t cti_offset_by(int64_t offset, int64_t stride, int64_t by)
{
    return (int64_t)((uint64_t)offset + (uint64_t)cti_stride_times(stride, by));
}

static inline int64_t cti_itemsize(enum ct_dtype dtype)
{
    static const uint8_t size[] = {1, 1, 1, 2, 4, 8, 2, 4, 8, 1, 1, 1, 1, 1, 2, 2, 4, 8, 8, 16, 4};
    return size[dtype];
}

/* Note [The only accessor]: the address of the first element. Call it only when a backend starts to
 * work on the tensor: a device with deferred work would complete it here. The caller must respect
 * the conj and neg flags. */
static inline char *cti_data(const ct_tensor *t)
{
    return t->storage->data + t->offset * cti_itemsize(t->dtype);
}

/* ---- versions ---- */

struct cti_version *
cti_version_of(ct_tensor *t); /* borrowed; created when missing; NULL: out of memory */
bool cti_version_share(ct_tensor *t, ct_tensor *with);
void cti_version_renew(ct_tensor *t); /* starts a new version at 0 (.data, set_) */
bool cti_version_bump(ct_tensor *t);  /* counts an in-place write */
void cti_version_release(struct cti_version *v);

/* ---- results and optional arguments ---- */

/* Whether an optional argument is present. NULL (a failed call) counts as absent. */
static inline bool cti_is_given(const ct_tensor *t)
{
    return t && t != CT_NO_TENSOR;
}

/* Releases several owned tensors, any of which may be NULL: cti_release_all(a, b, c). */
#define cti_release_all(...)                                                                       \
    cti_release_tensors((ct_tensor *[]){__VA_ARGS__},                                              \
                        sizeof(ct_tensor *[]){__VA_ARGS__} / sizeof(ct_tensor *))
static inline void cti_release_tensors(ct_tensor *const *t, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ct_release(t[i]);
}

/* For `x = cti_replace_take(x, f(x))`: releases `old` and returns `made`, which may be NULL. */
static inline ct_tensor *cti_replace_take(ct_tensor *old, ct_tensor *made)
{
    ct_release(old);
    return made;
}

/* Returns t if good; otherwise releases it and returns NULL. */
static inline ct_tensor *cti_take_if(ct_tensor *t, bool good)
{
    if (good)
        return t;
    ct_release(t);
    return NULL;
}

/* The same for a new result that was filled by in-place writes; resets its version to 0. */
static inline ct_tensor *cti_take_new_if(ct_tensor *t, bool good)
{
    if (good)
        cti_version_renew(t);
    return cti_take_if(t, good);
}

static inline int64_t cti_version_count(const ct_tensor *t)
{
    return t->version ? __atomic_load_n(&t->version->count, __ATOMIC_ACQUIRE) & ~CTI_VERSION_WATCHED
                      : 0;
}

/* Adds a warning for the user, which waits until a binding takes it: Python makes it a UserWarning;
 * C programs call ct_take_warning. */
void cti_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The same, but only once in a process; *said is a static variable of the caller. */
void cti_warn_once(bool *said, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- functions of other folders that core calls ----
 *
 * Those folders set them when the library is loaded, so that core does not depend on them. */

struct cti_core_hooks {
    /* A tensor with autograd state is being freed. */
    void (*autograd_release)(struct cti_autograd *a);
    /* The last reference to a tensor with a handle is released. True: the binding has taken that
     * reference over. */
    bool (*handle_last_reference)(ct_tensor *t);
    /* The name of the grad_fn ("AddBackward0"), static; NULL: it has none; "Invalid": it cannot be
     * updated. */
    const char *(*grad_fn_name)(const ct_tensor *t);
    bool (*is_only_dual)(const ct_tensor *t);
    /* Memory with a CTI_VERSION_WATCHED version was written. */
    void (*watched_write)(const struct cti_version *version, uint32_t count);
};
extern struct cti_core_hooks cti_core_hooks;

#endif
