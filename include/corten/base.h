/* SPDX-License-Identifier: BSD-3-Clause */
/* Corten's types, errors, scopes and queries: everything a C program needs besides the operations,
 * which are in ops.h. The comments here are the manual. The rules in one breath:
 *   - A tensor returned to you belongs to the innermost open scope and is released with it
 *     (ct_keep hands it outwards).
 *   - A call that fails returns NULL (false, NaN, -1); NULL in gives NULL out; ct_error() tells
 *     what failed first.
 *   - Nothing here prints (but ct_print), exits or aborts. Any thread may call any function. */
#ifndef CORTEN_BASE_H
#define CORTEN_BASE_H

#ifdef __GNUC__
#pragma GCC system_header /* compilers speak of the program, not of what macros are made of */
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "corten/hide_letters.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CT_VERSION_MAJOR 0
#define CT_VERSION_MINOR 1
#define CT_VERSION_PATCH 0

#define CT_API __attribute__((visibility("default")))

typedef struct ct_tensor ct_tensor;       /* a view (sizes, strides, offset) of a storage */
typedef struct ct_storage ct_storage;     /* bytes on a device */
typedef struct ct_generator ct_generator; /* a stream of random numbers */

/* ---- data types and devices ---- */

enum ct_dtype {
    CT_NO_DTYPE = -1, /* absent: what PyTorch's dtype=None means */
    CT_BOOL = 0,
    CT_UINT8,
    CT_INT8,
    CT_INT16,
    CT_INT32,
    CT_INT64,
    CT_UINT16,
    CT_UINT32,
    CT_UINT64,
    CT_FLOAT8_E4M3FN, /* the types of one byte: stored, copied and cast, without arithmetic */
    CT_FLOAT8_E5M2,
    CT_FLOAT8_E4M3FNUZ,
    CT_FLOAT8_E5M2FNUZ,
    CT_FLOAT8_E8M0FNU, /* powers of two, for scales */
    CT_FLOAT16,
    CT_BFLOAT16,
    CT_FLOAT32,
    CT_FLOAT64,
    CT_COMPLEX64,
    CT_COMPLEX128,
    CT_COMPLEX32, /* of halves; computed as CT_COMPLEX64 */
    CT_DTYPE_COUNT
};

enum ct_device_type {
    CT_NO_DEVICE_TYPE = 0, /* absent */
    CT_CPU,
    CT_CUDA,
    CT_XLA,
    CT_META,
    CT_BAD_DEVICE /* ct_device() failed */
};

struct ct_device {
    enum ct_device_type type;
    int index; /* -1: none was given ("cuda") */
};

enum ct_memory_format {
    CT_CONTIGUOUS_FORMAT,
    CT_PRESERVE_FORMAT,
    CT_CHANNELS_LAST,
    CT_CHANNELS_LAST_3D
};

enum ct_layout {
    CT_STRIDED,
    CT_SPARSE_COO, /* an index for each value */
    CT_SPARSE_CSR, /* compressed rows */
    CT_SPARSE_CSC, /* compressed columns */
    CT_SPARSE_BSR, /* compressed rows of blocks */
    CT_SPARSE_BSC  /* compressed columns of blocks */
};

#ifdef __cplusplus /* which warns of a function with the name of a struct */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
CT_API struct ct_device ct_device(const char *text); /* "cpu", "cuda:1" */
#ifdef __cplusplus                                   /* which has other literals of structs, too */
#pragma GCC diagnostic pop
static inline struct ct_device ct_no_device(void)
{
    struct ct_device none = {CT_NO_DEVICE_TYPE, -1};
    return none;
}
#define CT_NO_DEVICE ct_no_device()
#define CT_NO_DIMS (ct_ints{NULL, 0})
#define CT_NO_LIST (ct_list{NULL, 0})
#define CT_NO_FLOATS (ct_floats{NULL, 0})
#else
#define CT_NO_DEVICE ((struct ct_device){CT_NO_DEVICE_TYPE, -1})
#define CT_NO_DIMS ((ct_ints){NULL, 0})
#define CT_NO_LIST ((ct_list){NULL, 0})
#define CT_NO_FLOATS ((ct_floats){NULL, 0})
#endif

/* ---- lists and values ---- */

#define CT_END INT64_MIN /* closes literals of ints */

/* A list of ints. n == -1: v ends with CT_END. v == NULL: absent (None). */
typedef struct {
    const int64_t *v;
    int64_t n;
} ct_ints;

/* A list of numbers. n == -1: v ends with a NaN. v == NULL: absent (None). */
typedef struct {
    const double *v;
    int64_t n;
} ct_floats;

/* A list of tensors. n == -1: v ends with CT_LIST_END. v == NULL: the call that returned it failed.
 */
typedef struct {
    ct_tensor *const *v;
    int64_t n;
} ct_list;

CT_API extern ct_tensor *const ct_list_end_mark, *const ct_no_tensor_mark;
#define CT_LIST_END ct_list_end_mark
#define CT_NO_TENSOR ct_no_tensor_mark /* an optional tensor that is absent */
#define CT_NO_DIM INT64_MIN            /* an optional int that is absent */
CT_API double ct_no_number(void);      /* a NaN with a mark: an optional number that is absent */
CT_API bool ct_is_no_number(double x);
#define CT_NO_NUMBER ct_no_number()

enum ct_value_kind {
    CT_VALUE_NULL, /* a tensor that failed */
    CT_VALUE_NONE, /* Python's None: absent */
    CT_VALUE_TENSOR,
    CT_VALUE_BOOL,
    CT_VALUE_INT,
    CT_VALUE_FLOAT,
    CT_VALUE_COMPLEX,
    CT_VALUE_STR, /* an index in Python's notation */
    CT_VALUE_END,
    CT_VALUE_UINT /* an int above INT64_MAX; smaller ones are CT_VALUE_INT */
};

/* A number or a tensor (and, for indices, a text). */
typedef struct {
    enum ct_value_kind kind;
    union {
        ct_tensor *tensor;
        bool b;
        int64_t i;
        uint64_t u;
        double f;
        struct {
            double re, im;
        } c;
        const char *str;
    } as;
} ct_value;

static inline ct_ints ct_ints_of(const int64_t *v, int64_t n)
{
    ct_ints list = {v, n};
    return list;
}

static inline ct_floats ct_floats_of(const double *v, int64_t n)
{
    ct_floats list = {v, n};
    return list;
}

static inline ct_list ct_list_of(ct_tensor *const *v, int64_t n)
{
    ct_list list = {v, n};
    return list;
}

static inline ct_value ct_value_int(int64_t i)
{
    ct_value v;
    v.kind = CT_VALUE_INT;
    v.as.i = i;
    return v;
}

static inline ct_value ct_value_uint(uint64_t u)
{
    ct_value v;
    v.kind = u > INT64_MAX ? CT_VALUE_UINT : CT_VALUE_INT;
    v.as.u = u;
    return v;
}

static inline ct_value ct_value_float(double f)
{
    ct_value v;
    v.kind = CT_VALUE_FLOAT;
    v.as.f = f;
    return v;
}

static inline ct_value ct_value_bool(bool b)
{
    ct_value v;
    v.kind = CT_VALUE_BOOL;
    v.as.b = b;
    return v;
}

static inline ct_value ct_value_complex_of(double re, double im)
{
    ct_value v;
    v.kind = CT_VALUE_COMPLEX;
    v.as.c.re = re;
    v.as.c.im = im;
    return v;
}

static inline ct_value ct_value_tensor(ct_tensor *t)
{
    ct_value v;
    v.kind = t ? CT_VALUE_TENSOR : CT_VALUE_NULL;
    v.as.tensor = t;
    return v;
}

static inline ct_value ct_value_str(const char *text)
{
    ct_value v;
    v.kind = CT_VALUE_STR;
    v.as.str = text;
    return v;
}

static inline ct_value ct_value_none(void)
{
    ct_value v;
    v.kind = CT_VALUE_NONE;
    v.as.i = 0;
    return v;
}

static inline ct_value ct_value_end(void)
{
    ct_value v;
    v.kind = CT_VALUE_END;
    v.as.i = 0;
    return v;
}

/* One item of an index: x[3], x[1:7:2], x[None], x[...], x[True], x[tensor]. Absent bounds:
 * CT_NO_DIM. */
enum ct_index_kind {
    CT_INDEX_INT,
    CT_INDEX_SLICE,
    CT_INDEX_NONE,
    CT_INDEX_ELLIPSIS,
    CT_INDEX_BOOL,
    CT_INDEX_TENSOR
};

typedef struct {
    enum ct_index_kind kind;
    int64_t start, stop, step; /* INT and BOOL use start alone */
    ct_tensor *tensor;
} ct_index;

/* ---- errors: one kind and one text per thread; the first stays until cleared ---- */

enum ct_error_kind {
    CT_ERR_NONE = 0,
    CT_ERR_RUNTIME,
    CT_ERR_INDEX,
    CT_ERR_TYPE,
    CT_ERR_VALUE,
    CT_ERR_KEY,
    CT_ERR_NOT_IMPLEMENTED,
    CT_ERR_FILE_NOT_FOUND,
    CT_ERR_SYNTAX,
    CT_ERR_LINALG,
    CT_ERR_BUFFER, /* memory that cannot be shared */
    CT_ERR_OUT_OF_MEMORY,
    CT_ERR_ASSERTION,
    CT_ERR_OS, /* a file that cannot be opened, read or written */
    CT_ERR_RECURSION,
    CT_ERR_DEVICE_MEMORY, /* a GPU's is used up */
    CT_ERR_ACCELERATOR,   /* its driver failed */
    CT_ERR_INTERRUPT,     /* KeyboardInterrupt: see ct_interrupt */
    CT_ERR_STORE,         /* processes did not find each other, see dist.h */
    CT_ERR_NETWORK,       /* or could not talk */
    CT_ERR_BACKEND,       /* or their library failed */
    CT_ERR_KIND_COUNT
};

CT_API const char *ct_error(void);             /* the text, or NULL */
CT_API enum ct_error_kind ct_error_kind(void); /* CT_ERR_NONE when all is well */
CT_API const char *ct_error_class(void);       /* Python's class name, or NULL without an error */
CT_API const char *ct_error_detail(void);      /* help beyond the message, or NULL */
CT_API void ct_clear_error(void);
/* "moons.c:62, ct_linear": where the call stands that failed; NULL without an error, or when it was
 * no macro of this library that was called. */
CT_API const char *ct_error_location(void);
CT_API void ct_error_at(const char *file, int line, const char *function); /* for those macros */
/* Sets the error unless one is set; returns NULL. Also for bindings and extensions. */
CT_API void *ct_fail(enum ct_error_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A warning that waits on this thread (malloc'ed: free it), or NULL. The first two are kept. */
CT_API char *ct_take_warning(void);
/* Whether warnings that are given once in a program are given at every call. */
CT_API void ct_set_warn_always(bool on);
CT_API bool ct_get_warn_always(void);

/* Ends the long call that is running, on whatever thread, with CT_ERR_INTERRUPT, or the next one if
 * there is none; ct_clear_error() makes calls possible again. Signal handlers may call it. Calls
 * end between blocks of work, after milliseconds; one inside a LAPACK library ends with that. */
CT_API void ct_interrupt(void);
/* What long calls ask about every 20 ms, on the thread that made them: false ends the call. NULL
 * (the default): they ask nobody. */
CT_API void ct_set_poll(bool (*go_on)(void));

/* ---- scopes: who owns what a C caller was given ---- */

typedef struct {
    int64_t depth;
} ct_scope;

CT_API ct_scope ct_scope_begin(void);
/* The same under the macro of that name: the debug mode says where a scope began that has ended. */
CT_API ct_scope ct_scope_begin_at(const char *file, int line);
CT_API void ct_scope_end(ct_scope scope);    /* releases what the scope holds */
CT_API void ct_scope_close(ct_scope *scope); /* the same, for CT_SCOPE */
CT_API ct_tensor *ct_keep(ct_tensor *t);     /* moves the innermost reference one scope out */
CT_API void ct_free(ct_tensor *t);           /* gives the innermost reference up now */
/* value takes the place and the scope of the old tensor, which is released. */
CT_API ct_tensor *ct_replace(ct_tensor **place, ct_tensor *value);
/* The debug mode, also CORTEN_DEBUG=1: released tensors are remembered, and whoever uses one, or
 * frees it twice, gets an error that says why it was released and where its scope began. Elements
 * go back to the system at once, so that valgrind and the address sanitizer see who reads them
 * later. */
CT_API void ct_set_debug(bool on);
CT_API int64_t ct_live_count(void); /* tensors in the calling thread's open scopes */

/* Owned references, for bindings: no scope knows of these. NULL is allowed. */
CT_API ct_tensor *ct_retain(ct_tensor *t);
CT_API void ct_release(ct_tensor *t);
CT_API ct_tensor *ct_scoped(ct_tensor *owned); /* hands an owned reference to the innermost scope */
CT_API ct_list ct_scoped_list(ct_list owned);
/* From one thread to another: hand_over takes t out of its scope, without releasing it, and
 * take_over puts it into the innermost scope of the thread that calls that. How the address gets
 * from one to the other is the program's matter. */
CT_API ct_tensor *ct_hand_over(ct_tensor *t);
CT_API ct_tensor *ct_take_over(ct_tensor *t);
/* An element of a list; NULL and an error where it has no such one, as a list of a failed call. */
CT_API ct_tensor *ct_list_get(ct_list list, int64_t i);
CT_API int64_t ct_memory_bytes(void);       /* in use by larger tensors, in the whole process */
CT_API void ct_list_release(ct_list owned); /* the tensors and the array of an owned list */

/* ---- queries ---- */

CT_API int64_t ct_ndim(const ct_tensor *t);
CT_API int64_t ct_numel(const ct_tensor *t);
CT_API int64_t ct_size(const ct_tensor *t, int64_t dim);   /* -1 and an error: no such dim */
CT_API int64_t ct_stride(const ct_tensor *t, int64_t dim); /* elements; may be negative */
CT_API const int64_t *ct_shape_ptr(const ct_tensor *t);    /* ct_ndim(t) sizes, borrowed */
CT_API const int64_t *ct_stride_ptr(const ct_tensor *t);
CT_API int64_t ct_storage_offset(const ct_tensor *t);
CT_API int64_t ct_element_size(const ct_tensor *t);
CT_API enum ct_dtype ct_dtype(const ct_tensor *t);
CT_API struct ct_device ct_device_of(const ct_tensor *t);
CT_API bool ct_is_contiguous(const ct_tensor *t);
CT_API bool ct_is_contiguous_as(const ct_tensor *t, enum ct_memory_format format);
CT_API bool ct_is_conj(const ct_tensor *t);
CT_API bool ct_is_neg(const ct_tensor *t);
CT_API int64_t ct_version(const ct_tensor *t); /* how often its memory was written in place */
CT_API bool ct_bump_version(ct_tensor *t);     /* it was written by other means */
/* Sparse tensors (ct_sparse_coo_tensor): indices [sparse dims, nnz] and values [nnz, dense dims],
 * which may name an element several times until they are coalesced. Compressed ones
 * (ct_sparse_csr_tensor): where each row begins, and the column of each value. */
CT_API bool ct_is_sparse(const ct_tensor *t); /* in any layout but CT_STRIDED */
CT_API enum ct_layout ct_layout_of(const ct_tensor *t);
CT_API int64_t ct_sparse_dim(const ct_tensor *t); /* 0 for others; 2 of compressed ones */
CT_API int64_t ct_dense_dim(const ct_tensor *t);
CT_API int64_t ct_sparse_nnz(const ct_tensor *t);      /* compressed: of each matrix of a batch */
CT_API int ct_sparse_is_coalesced(const ct_tensor *t); /* -1 on error */
CT_API bool ct_sparse_set_coalesced(ct_tensor *t, bool coalesced);
CT_API ct_tensor *ct_own_sparse_indices(ct_tensor *t); /* as they are, without history; owned */
CT_API ct_tensor *ct_own_sparse_values(ct_tensor *t);
CT_API double ct_item(ct_tensor *t); /* NaN and an error unless there is one element */
CT_API int64_t ct_item_i64(ct_tensor *t);
CT_API ct_value ct_item_value(ct_tensor *t); /* in its own kind; CT_VALUE_NULL on error */

CT_API int64_t ct_dtype_size(enum ct_dtype dtype);
CT_API bool ct_dtype_is_floating(enum ct_dtype dtype);
CT_API bool ct_dtype_is_complex(enum ct_dtype dtype);
CT_API bool ct_dtype_is_signed(enum ct_dtype dtype);
/* An element of a float8 type as a float, and the nearest code of a float; by PyTorch's rounding.
 */
CT_API float ct_float8_value(uint8_t code, enum ct_dtype dtype);
CT_API uint8_t ct_float8_code(float x, enum ct_dtype dtype);
CT_API enum ct_dtype ct_promote_types(enum ct_dtype a, enum ct_dtype b);
CT_API bool ct_can_cast(enum ct_dtype from, enum ct_dtype to);
CT_API enum ct_dtype ct_get_default_dtype(void);
/* What scaled_dot_product_attention may use, bits of the process: products and a softmax that are
 * recorded one by one (MATH), or the fused kernel, which on a GPU stands for three of PyTorch's, of
 * which FLASH and CUDNN take halves alone. MATH_FIRST prefers the former where both are possible.
 * Returns what was allowed before; -1 changes nothing. */
enum {
    CT_ATTENTION_MATH = 1,
    CT_ATTENTION_FLASH = 2,
    CT_ATTENTION_EFFICIENT = 4,
    CT_ATTENTION_CUDNN = 8,
    CT_ATTENTION_OTHER = 16, /* no kernel has this name */
    CT_ATTENTION_MATH_FIRST = 32
};
CT_API int ct_attention_kernels(int allowed);
CT_API bool ct_set_default_dtype(enum ct_dtype dtype); /* floating only */

/* ---- text; what is returned belongs to the innermost scope ---- */

CT_API const char *ct_repr(ct_tensor *t); /* Python's repr */
CT_API const char *ct_item_str(ct_tensor *t);
CT_API const char *ct_shape_str(const ct_tensor *t);  /* "torch.Size([2, 3])" */
CT_API const char *ct_stride_str(const ct_tensor *t); /* "(3, 1)" */
CT_API const char *ct_dtype_str(enum ct_dtype dtype); /* "torch.float32"; static */
/* As PyTorch's messages name a type: "Float" (in torch.FloatTensor), "float"; static. */
CT_API const char *ct_dtype_scalar_name(enum ct_dtype dtype);
CT_API const char *ct_dtype_cpp_name(enum ct_dtype dtype);
CT_API const char *ct_device_str(struct ct_device device);
CT_API const char *ct_grad_fn_str(const ct_tensor *t); /* "AddBackward0", or "None" */
/* A drawing: the cells of the storage, which element lies in which, what follows from that. */
CT_API const char *ct_explain(ct_tensor *t);
CT_API bool ct_print_tensor(ct_tensor *t); /* under ct_print */
CT_API bool ct_print_storage(ct_storage *s);
CT_API bool ct_print_list(ct_list list);                /* a tuple; of one tensor, that tensor */
CT_API bool ct_fprint_tensor(FILE *file, ct_tensor *t); /* the same under ct_fprint */
CT_API bool ct_fprint_storage(FILE *file, ct_storage *s);
CT_API bool ct_fprint_list(FILE *file, ct_list list);
/* Under the macros: what lies at `what` is a tensor, a storage, a list or, as a tuple of those that
 * are there, the struct of an operation's results. file NULL: standard output. */
enum ct_printed { CT_PRINTED_TENSOR, CT_PRINTED_STORAGE, CT_PRINTED_LIST, CT_PRINTED_RESULTS };
CT_API bool ct_fprint_any(FILE *file, enum ct_printed kind, const void *what, size_t size);
/* The same for bindings: malloc'ed, the caller frees. */
CT_API char *ct_own_repr(ct_tensor *t);
CT_API char *ct_own_repr_as(ct_tensor *t, const char *class_name); /* "MyTensor(...)" */
CT_API char *ct_own_item_str(ct_tensor *t);
CT_API char *ct_own_explain(ct_tensor *t, bool svg);
CT_API char *ct_own_storage_repr(ct_storage *s, enum ct_dtype dtype); /* CT_NO_DTYPE: untyped */

struct ct_print_options {
    int precision, threshold, edgeitems, linewidth;
    int sci_mode; /* -1: as the values want it, else 0 or 1 */
};
CT_API struct ct_print_options ct_get_print_options(void);
CT_API void ct_set_print_options(struct ct_print_options options);

/* ---- storages ---- */

CT_API ct_storage *ct_storage_of(ct_tensor *t); /* borrowed: lives as long as a tensor on it */
CT_API ct_storage *ct_storage_retain(ct_storage *s);
CT_API void ct_storage_release(ct_storage *s);
CT_API int64_t ct_storage_nbytes(const ct_storage *s);
CT_API void *ct_storage_data(ct_storage *s); /* the storage counts as exposed from now on */
CT_API struct ct_device ct_storage_device(const ct_storage *s);
CT_API bool ct_storage_resize(ct_storage *s, int64_t nbytes);
/* Moves the bytes to memory that processes forked from now on share with this one. */
CT_API bool ct_storage_share(ct_storage *s);
CT_API bool ct_storage_is_shared(const ct_storage *s);
/* The file that such memory is (shared first, if need be; borrowed), and a storage over such a file
 * of another process (owned; the file is taken over): how bindings send tensors. -1, NULL: error.
 */
CT_API int ct_storage_share_fd(ct_storage *s);
CT_API ct_storage *ct_storage_open_fd(int fd, int64_t nbytes);
/* Memory whose address somebody outside keeps must stay where it is. */
CT_API bool ct_storage_resizable(const ct_storage *s);
CT_API void ct_storage_set_resizable(ct_storage *s, bool on);
CT_API void ct_storage_pin(ct_storage *s, int by); /* the same for a while: 1, and -1 after it */
/* A new storage (owned), and a tensor over part of one (owned; strides in elements, v == NULL:
 * contiguous). */
CT_API ct_storage *ct_storage_create(int64_t nbytes, struct ct_device device);
CT_API ct_tensor *ct_own_from_storage(ct_storage *s, enum ct_dtype dtype, ct_ints shape,
                                      ct_ints stride, int64_t offset);
/* x.set_(): t looks at part of another storage from now on, which grows if it is too small. */
CT_API bool ct_set_source(ct_tensor *t, ct_storage *s, ct_ints shape, ct_ints stride,
                          int64_t offset);
/* By element, in the data type of the tensor that ct_storage_of was last asked for. */
CT_API int64_t ct_storage_size(const ct_storage *s);
CT_API double ct_storage_get(ct_storage *s, int64_t i);
CT_API bool ct_storage_set(ct_storage *s, int64_t i, double value);

/* ---- memory shared with the caller ---- */

/* A tensor over the caller's memory: strides in elements (v == NULL: contiguous); deleter(context)
 * is called when the last view is gone, also when this call fails. Owned reference. */
CT_API ct_tensor *ct_own_from_memory(void *data, enum ct_dtype dtype, ct_ints shape, ct_ints stride,
                                     void (*deleter)(void *context), void *context);
CT_API void *ct_data(ct_tensor *t); /* address of the first element */
/* t itself, or a copy in the host's memory where t lies on a device. Owned. */
CT_API ct_tensor *ct_own_host(ct_tensor *t);
CT_API void *ct_data_as(ct_tensor *t,
                        enum ct_dtype dtype); /* NULL and an error if the type differs */

/* The elements of a view one after the other, whatever its strides; under CT_FOR. `at` is NULL at
 * the end, and when the elements are of another type (CT_NO_DTYPE: any), not the host's, or to be
 * conjugated or negated first (an error). */
struct ct_walk {
    void *at;
    int64_t step, left; /* in bytes to the next element of a line; elements of it */
    const ct_tensor *t;
    int64_t index[64]; /* of the line */
};
CT_API struct ct_walk ct_walk_of(ct_tensor *t, enum ct_dtype dtype);
CT_API void ct_walk_line(struct ct_walk *walk);
static inline void ct_walk_next(struct ct_walk *walk)
{
    if (--walk->left > 0)
        walk->at = (char *)walk->at + walk->step;
    else
        ct_walk_line(walk);
}

/* ---- indexing, for bindings; C programs write ct_at(x, "1:, 0") ---- */

CT_API ct_tensor *ct_own_getitem(ct_tensor *t, const ct_index *index, int64_t n);
CT_API bool ct_own_setitem(ct_tensor *t, const ct_index *index, int64_t n, ct_value value);

/* ---- the handle: the object of another language that stands for a tensor ---- */

CT_API void *ct_handle(const ct_tensor *t);
CT_API void ct_set_handle(ct_tensor *t, void *handle);
/* Called, on any thread, when the last reference to a tensor with a handle is released; true: the
 * handle has taken that reference over. One for the process. */
CT_API void ct_set_handle_hook(bool (*last_reference)(ct_tensor *t));
CT_API int64_t ct_reference_count(const ct_tensor *t);
CT_API void *ct_storage_handle(const ct_storage *s);
CT_API void ct_storage_set_handle(ct_storage *s, void *handle);

/* ---- autograd state ---- */

CT_API bool ct_requires_grad(const ct_tensor *t);
CT_API bool ct_is_leaf(const ct_tensor *t);
CT_API bool ct_is_grad_enabled(void);
CT_API bool ct_set_grad_enabled(bool on); /* this thread's mode; returns the old one */
CT_API void ct_grad_mode_restore(bool *old);

/* ---- streams of random numbers ---- */

CT_API ct_generator *
ct_generator_default(void);                  /* what is drawn from when none is given; borrowed */
CT_API ct_generator *ct_generator_new(void); /* in the scope; with PyTorch's default seed */
CT_API ct_generator *ct_generator_create(void);                       /* the same, owned */
CT_API ct_generator *ct_generator_create_on(struct ct_device device); /* "cuda": Philox */
CT_API struct ct_device ct_generator_device(const ct_generator *g);
CT_API int64_t ct_generator_state_bytes(const ct_generator *g); /* of ct_generator_get_state */
CT_API ct_generator *ct_generator_clone(ct_generator *g);       /* owned; the same numbers follow */
CT_API ct_generator *ct_generator_retain(ct_generator *g);
CT_API void ct_generator_release(ct_generator *g);
CT_API void ct_generator_manual_seed(ct_generator *g, uint64_t seed);
CT_API uint64_t ct_generator_seed(ct_generator *g); /* seeds from the system; returns the seed */
CT_API uint64_t ct_generator_initial_seed(ct_generator *g);
/* The state as PyTorch saves it: CT_GENERATOR_STATE_BYTES bytes. */
#define CT_GENERATOR_STATE_BYTES 5056
CT_API void ct_generator_get_state(ct_generator *g, uint8_t *dst);
CT_API bool ct_generator_set_state(ct_generator *g, const uint8_t *src, int64_t nbytes);
/* The default one's seed, and its state as a tensor of bytes (in the scope). */
CT_API ct_generator *ct_manual_seed(uint64_t seed); /* returns the default generator, borrowed */
CT_API uint64_t ct_seed(void);
CT_API uint64_t ct_initial_seed(void);
CT_API ct_tensor *ct_get_rng_state(void);
CT_API bool ct_set_rng_state(ct_tensor *state);

/* ---- settings, threads and memory ---- */

CT_API const char *ct_library_version(void); /* "0.1.0", of the library that was loaded */
CT_API const char *ct_isa(void); /* the instruction set in use: "baseline", "avx2", "avx512" */
/* The LAPACK library that linear algebra uses, with its version and file; it is opened if need be.
 * NULL and an error: there is none. */
CT_API const char *ct_lapack_name(void);

/* Where the calling thread makes new tensors when no device is named. */
CT_API struct ct_device ct_get_default_device(void);
CT_API bool ct_set_default_device(struct ct_device device); /* CT_NO_DEVICE: the CPU again */
/* What becomes of operands that broadcast to a shape which none of them has, as [3, 1] and [3] do
 * to [3, 3]: more often a slip than a wish. For the calling thread; returns the old rule. */
enum ct_broadcast { CT_BROADCAST_ALLOW, CT_BROADCAST_WARN, CT_BROADCAST_RAISE };
CT_API enum ct_broadcast ct_set_broadcast(enum ct_broadcast rule);
CT_API int ct_get_num_threads(void); /* within one operation */
CT_API bool ct_set_num_threads(int64_t count);
CT_API int ct_get_num_interop_threads(void); /* a number to set and get: operations never overlap */
CT_API bool ct_set_num_interop_threads(int64_t count); /* once */
/* Whether the calling thread, and the threads that help it, take numbers too small to be normal for
 * 0; false: the processor cannot. */
CT_API bool ct_set_flush_denormal(bool on);
/* Whether as_strided and ct_set_source take strides below 0, as they do at first. Programs written
 * for PyTorch may rely on the error that they get there. */
CT_API void ct_allow_negative_strides(bool on);
/* Whether ct_empty, ct_empty_like and so on fill their memory with NaN, true or the greatest
 * integer, so that programs which forget to write it always go wrong in the same way. */
CT_API void ct_set_fill_empty(bool on);
CT_API void ct_empty_cache(void); /* gives cached free memory back to the system */
/* Where memory for elements comes from, from 4 KB a tensor on: aligned to 64 bytes, NULL if there
 * is none. Freed memory is kept for the next tensor (ct_empty_cache). Before the first tensor, or
 * any time: memory goes back to where it came from. NULL: the system's again. */
struct ct_allocator {
    void *(*take)(size_t nbytes, void *context);
    void (*give_back)(void *memory, size_t nbytes, void *context);
    void *context;
};
CT_API bool ct_set_allocator(const struct ct_allocator *allocator);
/* For tests: the n-th allocation of the process from now on fails, once; 0 turns it off. */
CT_API void ct_test_fail_alloc(int64_t n);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
