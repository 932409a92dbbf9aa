/* SPDX-License-Identifier: BSD-3-Clause */
/* Corten's types, errors, scopes and queries: everything a C program needs besides the operations,
 * which are in ops.h. The comments here are the manual. These rules hold for every function:
 *   - A returned tensor belongs to the innermost open scope of the thread, which releases it when
 *     it ends; ct_keep moves it to the scope around that one. A function whose name begins with
 *     ct_own_ returns an owned reference instead, which the caller passes to ct_release.
 *   - Arguments are borrowed: a function that keeps a tensor adds a reference to it.
 *   - A call that fails returns NULL, false, NaN or -1 and sets the error of the thread (ct_error).
 *     The first error stays until ct_clear_error(). A NULL tensor as an argument makes a call fail
 *     and keeps the earlier error, so calls can be nested and checked once at the end.
 *   - The library never exits, aborts or prints, except in ct_print and ct_fprint.
 *   - Every function may be called on every thread. Threads that write to one tensor at the same
 *     time, or read it while another writes, must synchronize themselves. */
#ifndef CORTEN_BASE_H
#define CORTEN_BASE_H

#ifdef __GNUC__
#pragma GCC system_header /* warnings point at the program, not into expanded macros */
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

typedef struct ct_tensor ct_tensor;       /* data type, sizes, strides and offset, over a storage */
typedef struct ct_storage ct_storage;     /* bytes on a device, shared by a tensor and its views */
typedef struct ct_generator ct_generator; /* a random number generator */

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
    CT_FLOAT8_E4M3FN, /* the float8 types can be stored, copied and cast, but not computed with */
    CT_FLOAT8_E5M2,
    CT_FLOAT8_E4M3FNUZ,
    CT_FLOAT8_E5M2FNUZ,
    CT_FLOAT8_E8M0FNU, /* an exponent alone: powers of two, as scale factors */
    CT_FLOAT16,
    CT_BFLOAT16,
    CT_FLOAT32,
    CT_FLOAT64,
    CT_COMPLEX64,
    CT_COMPLEX128,
    CT_COMPLEX32, /* two float16; computed as CT_COMPLEX64 */
    CT_DTYPE_COUNT
};

enum ct_device_type {
    CT_NO_DEVICE_TYPE = 0, /* absent */
    CT_CPU,
    CT_CUDA,
    CT_XLA,
    CT_META,
    CT_BAD_DEVICE /* ct_device() failed: every call that gets this device fails, too */
};

struct ct_device {
    enum ct_device_type type;
    int index; /* from 0; -1: not specified, as in "cuda", which means the current GPU */
};

/* The order of dims in memory. CT_PRESERVE_FORMAT: that of the input. CT_CHANNELS_LAST: NHWC, for
 * tensors of 4 dims; CT_CHANNELS_LAST_3D: NDHWC, for 5 dims. */
enum ct_memory_format {
    CT_CONTIGUOUS_FORMAT,
    CT_PRESERVE_FORMAT,
    CT_CHANNELS_LAST,
    CT_CHANNELS_LAST_3D
};

enum ct_layout {
    CT_STRIDED,
    CT_SPARSE_COO, /* coordinates of each value */
    CT_SPARSE_CSR, /* compressed sparse rows */
    CT_SPARSE_CSC, /* compressed sparse columns */
    CT_SPARSE_BSR, /* compressed sparse rows of dense blocks */
    CT_SPARSE_BSC  /* compressed sparse columns of dense blocks */
};

#ifdef __cplusplus /* C++ compilers warn about a function that has the name of a struct */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
/* Parses "cpu", "cuda" or "cuda:1". On failure the type is CT_BAD_DEVICE and the error is set. */
CT_API struct ct_device ct_device(const char *text);
#ifdef __cplusplus /* C++ has no compound literals, so the constants are written differently */
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

#define CT_END INT64_MIN /* terminates the array of a ct_ints whose n is -1 */

/* The structs below are passed by value and borrow the array v, which must live until the call
 * returns. In C, the macros CT_SHAPE(2, 3), CT_DIMS(0, 1), CT_FLOATS(0.5) and CT_LIST(x, y) make
 * them (macros.h). */

/* n integers. n == -1: v is terminated by CT_END. v == NULL: absent (None). */
typedef struct {
    const int64_t *v;
    int64_t n;
} ct_ints;

/* n numbers. n == -1: v is terminated by a NaN. v == NULL: absent (None). */
typedef struct {
    const double *v;
    int64_t n;
} ct_floats;

/* n tensors. n == -1: v is terminated by CT_LIST_END. v == NULL: absent; as a result, the call
 * failed. */
typedef struct {
    ct_tensor *const *v;
    int64_t n;
} ct_list;

CT_API extern ct_tensor *const ct_list_end_mark, *const ct_no_tensor_mark;
#define CT_LIST_END ct_list_end_mark
#define CT_NO_TENSOR ct_no_tensor_mark /* an absent optional tensor (NULL means a failed call) */
#define CT_NO_DIM INT64_MIN            /* an absent optional integer */
#define CT_NO_NUMBER ct_no_number()    /* an absent optional number: a NaN with a certain payload */
CT_API double ct_no_number(void);
CT_API bool ct_is_no_number(double x); /* whether x is CT_NO_NUMBER; false for other NaN */

enum ct_value_kind {
    CT_VALUE_NULL, /* the result of a failed call */
    CT_VALUE_NONE, /* absent, like Python's None */
    CT_VALUE_TENSOR,
    CT_VALUE_BOOL,
    CT_VALUE_INT,
    CT_VALUE_FLOAT,
    CT_VALUE_COMPLEX,
    CT_VALUE_STR, /* an index in Python's notation, such as "1:, 0" */
    CT_VALUE_END, /* terminates an array of values */
    CT_VALUE_UINT /* an integer above INT64_MAX; all others are CT_VALUE_INT */
};

/* A number, a tensor (borrowed) or an index in text form (borrowed). In C, the macros of the
 * operations make it from a tensor or any number. */
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

/* One item of an index: x[3], x[1:7:2], x[None], x[...], x[True] or x[tensor]. An absent start,
 * stop or step is CT_NO_DIM. */
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
    int64_t start, stop, step; /* INT and BOOL use only start */
    ct_tensor *tensor;
} ct_index;

/* ---- errors: each thread has one; the first error stays until it is cleared ---- */

/* The kinds are the exception classes that PyTorch raises. */
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
    CT_ERR_BUFFER, /* memory cannot be shared with another library */
    CT_ERR_OUT_OF_MEMORY,
    CT_ERR_ASSERTION,
    CT_ERR_OS, /* a file cannot be opened, read or written */
    CT_ERR_RECURSION,
    CT_ERR_DEVICE_MEMORY, /* out of memory on a GPU */
    CT_ERR_ACCELERATOR,   /* the driver of a GPU failed */
    CT_ERR_INTERRUPT,     /* ct_interrupt, or Python's KeyboardInterrupt */
    CT_ERR_STORE,         /* dist.h: a store cannot be reached, or a wait for it timed out */
    CT_ERR_NETWORK,       /* dist.h: a connection between processes failed */
    CT_ERR_BACKEND,       /* dist.h: the communication library failed */
    CT_ERR_KIND_COUNT
};

CT_API const char *ct_error(void);             /* the message, or NULL if no error is set */
CT_API enum ct_error_kind ct_error_kind(void); /* CT_ERR_NONE if no error is set */
CT_API const char *ct_error_class(void);       /* "ValueError": Python's class name, or NULL */
CT_API const char *ct_error_detail(void);      /* help in addition to the message, or NULL */
CT_API void ct_clear_error(void);
/* "moons.c:62, ct_linear": the source line of the failed call, if a macro of an operation made it.
 * NULL otherwise. The texts of these functions stay valid until the error is cleared. */
CT_API const char *ct_error_location(void);
/* Records that location. The macros call it; programs need not. */
CT_API void ct_error_at(const char *file, int line, const char *function);
/* Sets the error of the thread, unless one is set already. Returns NULL, so that a function can end
 * with `return ct_fail(...)`. For bindings and extensions, too. */
CT_API void *ct_fail(enum ct_error_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Removes the oldest pending warning of this thread and returns it, or NULL. The caller frees the
 * text. At most two warnings are pending; further ones are dropped. */
CT_API char *ct_take_warning(void);
/* Whether warnings that appear once in a process appear at every call instead. Off by default. */
CT_API void ct_set_warn_always(bool on);
CT_API bool ct_get_warn_always(void);

/* Makes the long call that is in progress, on any thread, fail with CT_ERR_INTERRUPT; without one,
 * the next long call fails. Further calls fail, too, until ct_clear_error(). Safe in a signal
 * handler. Calls stop between blocks of work, within milliseconds; a LAPACK call runs to its end.
 */
CT_API void ct_interrupt(void);
/* Sets a callback that long calls invoke about every 20 ms on the thread that made the call. If it
 * returns false, the call fails with CT_ERR_INTERRUPT. NULL (the default): no callback. One for the
 * process. */
CT_API void ct_set_poll(bool (*go_on)(void));

/* ---- scopes: each thread has a stack of them, which own the tensors that calls return ---- */

typedef struct {
    int64_t depth;
} ct_scope;

/* Opens a scope inside the current one. A thread without an open scope uses its root scope, which
 * lives until the thread ends. In C, CT_SCOPE; opens a scope that ends with the block. */
CT_API ct_scope ct_scope_begin(void);
/* The same with a source location, which the debug mode reports. The macro ct_scope_begin() uses
 * it. */
CT_API ct_scope ct_scope_begin_at(const char *file, int line);
/* Releases all that the scope owns and closes it, and the scopes inside it that are still open. */
CT_API void ct_scope_end(ct_scope scope);
CT_API void ct_scope_close(ct_scope *scope); /* the same; CT_SCOPE needs this form */
/* Moves t from its scope to the scope around it, and returns t. A tensor that no scope of this
 * thread owns (in debug mode an error), or that the root scope owns, stays as it is. */
CT_API ct_tensor *ct_keep(ct_tensor *t);
/* Releases t now instead of at the end of its scope. An error if no scope of this thread owns t. */
CT_API void ct_free(ct_tensor *t);
/* *variable = value, where value takes over the scope of the old tensor, which is released: for a
 * tensor that changes in each iteration of a loop. Returns value. */
CT_API ct_tensor *ct_replace(ct_tensor **variable, ct_tensor *value);
/* The debug mode, also switched on by CORTEN_DEBUG=1 in the environment: a call that uses a
 * released tensor, or frees it twice, fails with an error that reports why it was released and
 * where its scope began. The memory of elements is returned to the system at once, so that valgrind
 * and the address sanitizer detect later accesses. */
CT_API void ct_set_debug(bool on);
CT_API int64_t ct_live_count(void); /* how many tensors the open scopes of this thread own */

/* Owned references, for bindings: scopes do not know them. NULL is allowed. */
CT_API ct_tensor *ct_retain(ct_tensor *t); /* adds a reference and returns t */
CT_API void ct_release(ct_tensor *t);
CT_API ct_tensor *ct_scoped(ct_tensor *owned); /* passes the reference to the innermost scope */
CT_API ct_list ct_scoped_list(ct_list owned);  /* the same for all tensors, and for the array */
/* Pass a tensor from one thread to another: ct_hand_over removes t from its scope without releasing
 * it; ct_take_over, on the other thread, adds it to the innermost scope there. The program itself
 * transports the pointer. */
CT_API ct_tensor *ct_hand_over(ct_tensor *t);
CT_API ct_tensor *ct_take_over(ct_tensor *t);
/* Element i of a list, borrowed. NULL and an error if i is out of range or the list is NULL. */
CT_API ct_tensor *ct_list_get(ct_list list, int64_t i);
CT_API int64_t ct_memory_bytes(void); /* bytes that larger tensors use, in the process */
/* Releases the tensors of an owned list, and its array. */
CT_API void ct_list_release(ct_list owned);

/* ---- queries; NULL gives -1, false, NULL or NaN, and sets an error unless one is set ---- */

CT_API int64_t ct_ndim(const ct_tensor *t);
CT_API int64_t ct_numel(const ct_tensor *t);
/* dim counts from the end if it is negative. -1 and an error: out of range. */
CT_API int64_t ct_size(const ct_tensor *t, int64_t dim);
CT_API int64_t ct_stride(const ct_tensor *t, int64_t dim); /* in elements; may be negative */
/* ct_ndim(t) numbers, borrowed: valid until t changes its shape or is released. */
CT_API const int64_t *ct_shape_ptr(const ct_tensor *t);
CT_API const int64_t *ct_stride_ptr(const ct_tensor *t);
CT_API int64_t ct_storage_offset(const ct_tensor *t); /* of the first element, in elements */
CT_API int64_t ct_element_size(const ct_tensor *t);   /* in bytes */
CT_API enum ct_dtype ct_dtype(const ct_tensor *t);
CT_API struct ct_device ct_device_of(const ct_tensor *t);
CT_API bool ct_is_contiguous(const ct_tensor *t);
CT_API bool ct_is_contiguous_as(const ct_tensor *t, enum ct_memory_format format);
/* Views that are lazily conjugated or negated: the elements in memory are not those of the view. */
CT_API bool ct_is_conj(const ct_tensor *t);
CT_API bool ct_is_neg(const ct_tensor *t);
/* The version counter, which counts in-place writes; a tensor and its views share it. Autograd uses
 * it to detect that a saved tensor was overwritten. ct_bump_version reports a write that was made
 * through a pointer. */
CT_API int64_t ct_version(const ct_tensor *t);
CT_API bool ct_bump_version(ct_tensor *t);
/* Sparse tensors. COO (ct_sparse_coo_tensor): indices [sparse dims, nnz] and values [nnz, dense
 * dims]. Until the tensor is coalesced, several values may have the same index; they add up.
 * Compressed layouts (ct_sparse_csr_tensor and others): the offset of each row, and the column of
 * each value (rows and columns exchange roles for CSC and BSC). */
CT_API bool ct_is_sparse(const ct_tensor *t); /* any layout except CT_STRIDED */
CT_API enum ct_layout ct_layout_of(const ct_tensor *t);
CT_API int64_t ct_sparse_dim(const ct_tensor *t); /* 0 for strided tensors, 2 for compressed ones */
CT_API int64_t ct_dense_dim(const ct_tensor *t);
CT_API int64_t ct_sparse_nnz(const ct_tensor *t);      /* compressed: of one matrix of the batch */
CT_API int ct_sparse_is_coalesced(const ct_tensor *t); /* -1 and an error: not COO */
CT_API bool ct_sparse_set_coalesced(ct_tensor *t, bool coalesced); /* asserts it, unchecked */
/* The indices and values of a COO tensor, coalesced or not, without autograd history. Owned. */
CT_API ct_tensor *ct_own_sparse_indices(ct_tensor *t);
CT_API ct_tensor *ct_own_sparse_values(ct_tensor *t);
/* The value of a tensor with one element; an error for other tensors. Waits for the GPU if t is on
 * one. */
CT_API double ct_item(ct_tensor *t);      /* NaN on error */
CT_API int64_t ct_item_i64(ct_tensor *t); /* -1 on error */
/* Bool, int, float or complex; CT_VALUE_NULL on error. */
CT_API ct_value ct_item_value(ct_tensor *t);

CT_API int64_t ct_dtype_size(enum ct_dtype dtype); /* bytes of an element */
CT_API bool ct_dtype_is_floating(enum ct_dtype dtype);
CT_API bool ct_dtype_is_complex(enum ct_dtype dtype);
CT_API bool ct_dtype_is_signed(enum ct_dtype dtype);
/* Conversions between the code of a float8 element and its value, rounded as PyTorch does. */
CT_API float ct_float8_value(uint8_t code, enum ct_dtype dtype);
CT_API uint8_t ct_float8_code(float x, enum ct_dtype dtype);
/* The type in which an operation on two tensors of these types computes. */
CT_API enum ct_dtype ct_promote_types(enum ct_dtype a, enum ct_dtype b);
/* Whether an in-place operation may store results of type `from` in a tensor of type `to`. */
CT_API bool ct_can_cast(enum ct_dtype from, enum ct_dtype to);
/* The type of new floating-point tensors for which the program names no type: CT_FLOAT32 unless
 * set; only floating types can be set. One for the process. */
CT_API enum ct_dtype ct_get_default_dtype(void);
CT_API bool ct_set_default_dtype(enum ct_dtype dtype);
/* Which implementations scaled_dot_product_attention may use, as bits. MATH: matrix products and a
 * softmax, each recorded by autograd. The others: the fused kernel. On a GPU, that kernel replaces
 * three of PyTorch's, of which FLASH and CUDNN accept only float16 and bfloat16. MATH_FIRST prefers
 * MATH if both are possible. Returns the earlier value; -1 changes nothing. One for the process. */
enum {
    CT_ATTENTION_MATH = 1,
    CT_ATTENTION_FLASH = 2,
    CT_ATTENTION_EFFICIENT = 4,
    CT_ATTENTION_CUDNN = 8,
    CT_ATTENTION_OTHER = 16, /* PyTorch's OVERRIDEABLE; no kernel of Corten belongs to it */
    CT_ATTENTION_MATH_FIRST = 32
};
CT_API int ct_attention_kernels(int allowed);

/* ---- text; the results belong to the innermost scope unless they are static ---- */

CT_API const char *ct_repr(ct_tensor *t);             /* as Python's repr(): "tensor([1., 2.])" */
CT_API const char *ct_item_str(ct_tensor *t);         /* the value of a tensor with one element */
CT_API const char *ct_shape_str(const ct_tensor *t);  /* "torch.Size([2, 3])" */
CT_API const char *ct_stride_str(const ct_tensor *t); /* "(3, 1)" */
CT_API const char *ct_dtype_str(enum ct_dtype dtype); /* "torch.float32"; static */
/* The names in PyTorch's error messages: "Float" (as in torch.FloatTensor) and "float"; static. */
CT_API const char *ct_dtype_scalar_name(enum ct_dtype dtype);
CT_API const char *ct_dtype_cpp_name(enum ct_dtype dtype);
CT_API const char *ct_device_str(struct ct_device device);
CT_API const char *ct_grad_fn_str(const ct_tensor *t); /* "AddBackward0", or "None" */
/* Draws the cells of the storage and the element in each, and explains the layout (contiguous or
 * not, shared, broadcast). */
CT_API const char *ct_explain(ct_tensor *t);
/* Print to standard output, or to a file. ct_print and ct_fprint call these. */
CT_API bool ct_print_tensor(ct_tensor *t);
CT_API bool ct_print_storage(ct_storage *s);
CT_API bool ct_print_list(ct_list list); /* as a tuple; a list of one tensor as that tensor */
CT_API bool ct_fprint_tensor(FILE *file, ct_tensor *t);
CT_API bool ct_fprint_storage(FILE *file, ct_storage *s);
CT_API bool ct_fprint_list(FILE *file, ct_list list);
/* Implements both macros: prints the object at `what`, of `size` bytes. RESULTS: the struct that an
 * operation with several results returns, as a tuple without its NULL members. file NULL: standard
 * output. */
enum ct_printed { CT_PRINTED_TENSOR, CT_PRINTED_STORAGE, CT_PRINTED_LIST, CT_PRINTED_RESULTS };
CT_API bool ct_fprint_any(FILE *file, enum ct_printed kind, const void *what, size_t size);
/* The same texts for bindings, allocated by malloc; the caller frees them. */
CT_API char *ct_own_repr(ct_tensor *t);
CT_API char *ct_own_repr_as(ct_tensor *t, const char *class_name); /* "MyTensor(...)" */
CT_API char *ct_own_item_str(ct_tensor *t);
CT_API char *ct_own_explain(ct_tensor *t, bool svg);
CT_API char *ct_own_storage_repr(ct_storage *s, enum ct_dtype dtype); /* CT_NO_DTYPE: untyped */

/* As torch.set_printoptions. One set for the process. */
struct ct_print_options {
    int precision; /* digits after the point */
    int threshold; /* more elements than this are summarized ... */
    int edgeitems; /* ... to so many at each end of a dim */
    int linewidth; /* characters in a line */
    int sci_mode;  /* scientific notation: 1 always, 0 never, -1 if the values need it */
};
CT_API struct ct_print_options ct_get_print_options(void);
CT_API void ct_set_print_options(struct ct_print_options options);

/* ---- storages ---- */

CT_API ct_storage *ct_storage_of(ct_tensor *t); /* borrowed: valid while a tensor uses it */
CT_API ct_storage *ct_storage_retain(ct_storage *s);
CT_API void ct_storage_release(ct_storage *s);
CT_API int64_t ct_storage_nbytes(const ct_storage *s);
CT_API void *ct_storage_data(ct_storage *s); /* the address of the first byte, on its device */
CT_API struct ct_device ct_storage_device(const ct_storage *s);
/* Changes the size; the bytes may move. False and an error: not resizable, or out of memory. */
CT_API bool ct_storage_resize(ct_storage *s, int64_t nbytes);
/* Moves the bytes to shared memory: processes forked from now on see the same bytes. */
CT_API bool ct_storage_share(ct_storage *s);
CT_API bool ct_storage_is_shared(const ct_storage *s);
/* For sending storages between processes. share_fd: shares s if it is not shared yet and returns
 * the file descriptor of its memory, borrowed; -1: error. open_fd: a storage over such memory
 * (owned), which takes over fd, also on failure; NULL: error. */
CT_API int ct_storage_share_fd(ct_storage *s);
CT_API ct_storage *ct_storage_open_fd(int fd, int64_t nbytes);
/* Whether ct_storage_resize may move the bytes. Off for memory whose address another library
 * holds, such as the caller's memory. ct_storage_pin forbids it temporarily: by is 1, and -1 to
 * undo that. */
CT_API bool ct_storage_resizable(const ct_storage *s);
CT_API void ct_storage_set_resizable(ct_storage *s, bool on);
CT_API void ct_storage_pin(ct_storage *s, int by);
/* A new uninitialised storage (owned), and a tensor over a part of s (owned). Strides and offset
 * count elements; stride.v == NULL: contiguous. */
CT_API ct_storage *ct_storage_create(int64_t nbytes, struct ct_device device);
CT_API ct_tensor *ct_own_from_storage(ct_storage *s, enum ct_dtype dtype, ct_ints shape,
                                      ct_ints stride, int64_t offset);
/* As x.set_() in PyTorch: makes t a view of s with this geometry. s grows if it is too small. */
CT_API bool ct_set_source(ct_tensor *t, ct_storage *s, ct_ints shape, ct_ints stride,
                          int64_t offset);
/* Access by element, in the data type of the tensor that ct_storage_of was last called with. A
 * negative i counts from the end. For storages that the host can read. */
CT_API int64_t ct_storage_size(const ct_storage *s);
CT_API double ct_storage_get(ct_storage *s, int64_t i);
CT_API bool ct_storage_set(ct_storage *s, int64_t i, double value);

/* ---- memory shared with the caller ---- */

/* A tensor over the caller's memory, without a copy. Strides count elements; stride.v == NULL:
 * contiguous. deleter (may be NULL) is called with `context` when the last tensor on that memory is
 * released, on whatever thread, and also if this call fails. Owned. */
CT_API ct_tensor *ct_own_from_memory(void *data, enum ct_dtype dtype, ct_ints shape, ct_ints stride,
                                     void (*deleter)(void *context), void *context);
/* The address of the first element, on the device of t. It is valid while t or a view of it lives
 * and its storage is not resized. Use the strides to find the other elements. */
CT_API void *ct_data(ct_tensor *t);
/* The same; NULL and an error if t has another data type or is a lazily conjugated or negated view,
 * whose elements differ from those in memory. */
CT_API void *ct_data_as(ct_tensor *t, enum ct_dtype dtype);
/* t itself if it is in host memory, otherwise a copy in host memory. Owned. */
CT_API ct_tensor *ct_own_host(ct_tensor *t);

/* An iterator over the elements of a tensor in row-major order, whatever its strides. The macro
 * CT_FOR uses it. `at` is the address of the current element, and NULL at the end. It is also NULL,
 * with an error, if the tensor has another data type (CT_NO_DTYPE: any), is on a GPU, or is a
 * lazily conjugated or negated view. The tensor must outlive the iterator. */
struct ct_walk {
    void *at;
    int64_t step; /* bytes from one element of the last dim to the next */
    int64_t left; /* elements left in the last dim, including the current one */
    const ct_tensor *t;
    int64_t index[64]; /* in the other dims */
};
CT_API struct ct_walk ct_walk_of(ct_tensor *t, enum ct_dtype dtype);
CT_API void ct_walk_line(struct ct_walk *walk); /* goes to the next index of the other dims */
static inline void ct_walk_next(struct ct_walk *walk)
{
    if (--walk->left > 0)
        walk->at = (char *)walk->at + walk->step;
    else
        ct_walk_line(walk);
}

/* ---- indexing, for bindings; C programs write ct_at(x, "1:, 0") ---- */

/* x[index] and x[index] = value with n items. The result is a view if no item is a tensor. Owned.
 */
CT_API ct_tensor *ct_own_getitem(ct_tensor *t, const ct_index *index, int64_t n);
CT_API bool ct_own_setitem(ct_tensor *t, const ct_index *index, int64_t n, ct_value value);

/* ---- handles: a binding's object for a tensor, such as the Python object ---- */

CT_API void *ct_handle(const ct_tensor *t); /* NULL: none was set */
CT_API void ct_set_handle(ct_tensor *t, void *handle);
/* Sets the function that is called when the last reference to a tensor with a handle is released,
 * on the thread that releases it. If it returns true, the binding has taken over that reference and
 * the tensor lives on. One for the process. */
CT_API void ct_set_handle_hook(bool (*last_reference)(ct_tensor *t));
CT_API int64_t ct_reference_count(const ct_tensor *t); /* 0 for NULL */
CT_API void *ct_storage_handle(const ct_storage *s);
CT_API void ct_storage_set_handle(ct_storage *s, void *handle);

/* ---- autograd state ---- */

CT_API bool ct_requires_grad(const ct_tensor *t);
CT_API bool ct_is_leaf(const ct_tensor *t); /* no operation recorded by autograd made it */
/* Whether this thread records operations for gradients: true unless set. In C, CT_NO_GRAD; and
 * CT_ENABLE_GRAD; set it until the end of the block. */
CT_API bool ct_is_grad_enabled(void);
CT_API bool ct_set_grad_enabled(bool on);    /* returns the earlier mode */
CT_API void ct_grad_mode_restore(bool *old); /* the function that ends those blocks */

/* ---- random number generators ---- */

/* The CPU generators give the numbers of PyTorch's for the same seed. A generator may be shared by
 * threads; each draw locks it. Functions that return a generator owned expect ct_generator_release.
 */
CT_API ct_generator *ct_generator_default(void); /* used by draws without a generator; borrowed */
CT_API ct_generator *ct_generator_new(void);     /* in the scope, with PyTorch's default seed */
CT_API ct_generator *ct_generator_create(void);  /* the same, owned */
CT_API ct_generator *ct_generator_create_on(struct ct_device device); /* owned; CUDA: Philox */
CT_API struct ct_device ct_generator_device(const ct_generator *g);
CT_API int64_t ct_generator_state_bytes(const ct_generator *g); /* see ct_generator_get_state */
CT_API ct_generator *ct_generator_clone(ct_generator *g);       /* owned, in the same state */
CT_API ct_generator *ct_generator_retain(ct_generator *g);
CT_API void ct_generator_release(ct_generator *g);
CT_API void ct_generator_manual_seed(ct_generator *g, uint64_t seed);
CT_API uint64_t ct_generator_seed(ct_generator *g);         /* seeds it from the system's entropy */
CT_API uint64_t ct_generator_initial_seed(ct_generator *g); /* the seed that was set last */
/* The state as PyTorch saves it: ct_generator_state_bytes(g) bytes, CT_GENERATOR_STATE_BYTES for a
 * CPU generator. set_state returns false and an error if the bytes are not such a state. */
#define CT_GENERATOR_STATE_BYTES 5056
CT_API void ct_generator_get_state(ct_generator *g, uint8_t *dst);
CT_API bool ct_generator_set_state(ct_generator *g, const uint8_t *src, int64_t nbytes);
/* The same for the default generator; the state is a tensor of bytes, in the scope. */
CT_API ct_generator *ct_manual_seed(uint64_t seed); /* returns that generator, borrowed */
CT_API uint64_t ct_seed(void);
CT_API uint64_t ct_initial_seed(void);
CT_API ct_tensor *ct_get_rng_state(void);
CT_API bool ct_set_rng_state(ct_tensor *state);

/* ---- settings, threads and memory ---- */

CT_API const char *ct_library_version(void); /* "0.1.0", of the library that was loaded */
CT_API const char *ct_isa(void); /* the instruction set in use: "baseline", "avx2" or "avx512" */
/* The LAPACK library that linear algebra uses, with its version and file. Loads it if that has not
 * happened yet. NULL and an error: none was found. */
CT_API const char *ct_lapack_name(void);

/* The device of new tensors when the call names no device: the CPU unless set, and again after
 * CT_NO_DEVICE. For the calling thread. */
CT_API struct ct_device ct_get_default_device(void);
CT_API bool ct_set_default_device(struct ct_device device);
/* How to treat operands whose broadcast shape differs from each of their shapes: [3, 1] and [3]
 * give [3, 3], which is more often a mistake than intended. CT_BROADCAST_ALLOW unless set. For the
 * calling thread; returns the earlier rule. */
enum ct_broadcast { CT_BROADCAST_ALLOW, CT_BROADCAST_WARN, CT_BROADCAST_RAISE };
CT_API enum ct_broadcast ct_set_broadcast(enum ct_broadcast rule);
/* How many threads one operation may use. One number for the process. */
CT_API int ct_get_num_threads(void);
CT_API bool ct_set_num_threads(int64_t count);
/* Stored but unused, for programs written for PyTorch: operations never run in parallel with each
 * other. It can be set once. */
CT_API int ct_get_num_interop_threads(void);
CT_API bool ct_set_num_interop_threads(int64_t count);
/* Whether the calling thread, and the threads that help it, treat denormal numbers as 0. False: the
 * processor has no such mode. */
CT_API bool ct_set_flush_denormal(bool on);
/* Whether as_strided and ct_set_source accept negative strides (default: yes). PyTorch raises an
 * error, and some programs rely on that. One for the process. */
CT_API void ct_allow_negative_strides(bool on);
/* Whether ct_empty, ct_empty_like and the like fill their memory with NaN, true or the largest
 * integer, so that a program that reads uninitialised memory always fails in the same way. */
CT_API void ct_set_fill_empty(bool on);
CT_API void ct_empty_cache(void); /* returns cached free memory to the system or its allocator */
/* Functions that provide the memory for the elements of tensors larger than 4 KB. `allocate`
 * returns memory aligned to 64 bytes, or NULL. Both may be called on any thread. */
struct ct_allocator {
    void *(*allocate)(size_t nbytes, void *context);
    void (*release)(void *memory, size_t nbytes, void *context);
    void *context;
};
/* Sets the allocator of the process, at any time: each block is released by the functions that
 * allocated it. The struct is copied. The library caches freed blocks (ct_empty_cache). NULL: the
 * system's memory, as at the start. */
CT_API bool ct_set_allocator(const struct ct_allocator *allocator);
/* For tests: makes the n-th allocation of the process from now on fail, once. 0: none. */
CT_API void ct_test_fail_alloc(int64_t n);

#ifdef __cplusplus
}
#endif

#include "corten/restore_letters.h"

#endif
