/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs of the engines (core/engine.h); large ones have their own headers, named below. Also
 * the interface to the memory of accelerators. Before an engine runs, the operation (src/ops) has
 * checked its arguments, promoted types, broadcast shapes and allocated results. Unless a struct
 * says otherwise, its tensors have no conj/neg flags, and index tensors are int64. The tensors to
 * write come first: Note [Engines]. */
#ifndef CORTEN_CORE_BACKEND_H
#define CORTEN_CORE_BACKEND_H

#include "core/engine.h"

#define CTI_MAX_OPERANDS 16
#define CTI_MAX_STEPS 32
#define CTI_MAX_INPUTS 6 /* of one step */
#define CTI_MAX_SLOTS (CTI_MAX_OPERANDS + CTI_MAX_STEPS)

/* One instruction of a pointwise program: slot[out] = row(slot[in[0]], ...). */
struct cti_step {
    uint16_t row;  /* enum cti_row, generated */
    uint8_t dtype; /* compute type: never half or bfloat16 */
    uint8_t nin;
    uint8_t masks;  /* bit mask of inputs that are bools */
    uint8_t params; /* bit mask of inputs that are always scalars, never tensors */
    uint8_t in[CTI_MAX_INPUTS];
    uint8_t out;
};

/* One operand in memory. A scalar is an operand with all strides 0 whose value, of the compute
 * type, is in host memory, whatever the device. */
struct cti_operand {
    char *data;
    uint8_t dtype;          /* the type in memory */
    uint8_t compute;        /* the type the steps compute in; blocks are cast if it differs */
    uint8_t flags;          /* CTI_CONJ, CTI_NEG: resolved on loading */
    const int64_t *bstride; /* ndim strides in bytes */
};

/* A program over a broadcast iteration space. Slots below noperands are operands, of which the
 * first nout are written; the others are block buffers. nsteps == 0: operand 0 = operand 1 (a copy
 * that casts). */
struct cti_pointwise {
    struct cti_work work;
    uint32_t numbers; /* bit mask of operands whose value of the compute type is in host memory */
    int ndim, nout, noperands, nsteps;
    const int64_t *shape;
    struct cti_operand operand[CTI_MAX_OPERANDS];
    struct cti_step step[CTI_MAX_STEPS];
    uint8_t slot_dtype[CTI_MAX_SLOTS];
};

/* A reduction: the operation's `each` function is applied to each element, the results are
 * combined, and `finish` is applied to the total. reduced[d] marks the reduced dims. out and index
 * have the strides of the kept dims, and 0 for reduced ones. */
struct cti_reduce {
    struct cti_work work;
    ct_tensor *out, *index; /* with dims of size 1; index: NULL if not needed */
    ct_tensor *in;
    uint16_t row;
    uint8_t dtype;       /* compute type of the elements, the input is cast to it */
    const bool *reduced; /* one entry for each dim of `in` */
    ct_value param;      /* norm's p, var's correction */
};

/* Softmax-like operations along a dim, in float32 or float64. The derivatives take the forward
 * result as `in`. */
enum cti_softmax_op {
    CTI_SOFTMAX,
    CTI_LOG_SOFTMAX,
    CTI_LOGSUMEXP, /* out has size 1 along the dim */
    CTI_SOFTMAX_BACKWARD,
    CTI_LOG_SOFTMAX_BACKWARD
};

enum cti_scan_op {
    CTI_SCAN_SUM,
    CTI_SCAN_PROD,
    CTI_SCAN_LOGSUMEXP,
    CTI_SCAN_MIN, /* this and the next also fill an index */
    CTI_SCAN_MAX
};

/* How a written element combines with the one already there. */
enum cti_combine {
    CTI_COMBINE_PUT,
    CTI_COMBINE_ADD,
    CTI_COMBINE_MULTIPLY,
    CTI_COMBINE_MIN,
    CTI_COMBINE_MAX,
    CTI_COMBINE_MEAN,     /* fronts compute it from sums and counts; no engine supports it */
    CTI_COMBINE_NONE = -1 /* an unknown name */
};

/* ---- copies and ranges ---- */

/* Tensors of one shape (src may be expanded). Casts, and resolves src's conj/neg flags. Copies
 * between a device and the host run on the device: call cti_run_copy. */
struct cti_copy {
    struct cti_work work;
    ct_tensor *dst, *src;
};

/* Concatenates tensors along a dim of dst, with a cast. Together they fill dst. */
struct cti_join {
    struct cti_work work;
    ct_tensor *dst;
    ct_list parts;
    int dim;
};

struct cti_fill {
    struct cti_work work;
    ct_tensor *dst;
    ct_value number;
};

/* A contiguous range: start + i * step. With an end, the second half counts down from it, as in
 * linspace. */
struct cti_ramp {
    struct cti_work work;
    ct_tensor *dst;
    ct_value start, step, end;
};

/* ---- along a dim ---- */

struct cti_scan {
    struct cti_work work;
    ct_tensor *out, *index, *in; /* index: only for MIN and MAX */
    enum cti_scan_op op;
    int64_t dim;
};

/* All tensors are contiguous. grad: only for derivatives. */
struct cti_softmax {
    struct cti_work work;
    ct_tensor *out, *in, *grad;
    enum cti_softmax_op op;
    int64_t dim;
};

/* The discrete Fourier transform, sum over j of in[j] exp(-+ 2 pi i j k / n), along the dims, the
 * last first, multiplied by scale. The sign is + if inverse. out may be in. A real input (float32
 * or float64) gives the first n / 2 + 1 elements along the last of the dims, or all n. A real
 * output is computed from those n / 2 + 1 elements, along one dim, where n is the size of out. No
 * tensor is empty. */
struct cti_fft {
    struct cti_work work;
    ct_tensor *out, *in;
    ct_ints dims;
    bool inverse;
    double scale;
};

/* out[..., i, j] is the p-norm of a[..., i, :] - b[..., j, :]. Contiguous, float32 or float64. */
struct cti_distance {
    struct cti_work work;
    ct_tensor *out, *a, *b;
    double p;
};

/* ---- indices and masks ---- */

/* Checks that all values are in [0, size), or with wrap in [-size, size). */
struct cti_index_check {
    struct cti_work work;
    ct_tensor *index;
    int64_t size;
    bool wrap;
    bool outside; /* result: whether any value is out of range */
    int64_t bad;  /* result: the first such value */
};

/* Checks the index itself, with PyTorch's error. */
struct cti_gather {
    struct cti_work work;
    ct_tensor *out, *in, *index;
    int64_t dim;
};

/* The index has been checked. */
struct cti_scatter {
    struct cti_work work;
    ct_tensor *self, *index, *src;
    int64_t dim;
    enum cti_combine how;
};

/* out[line, j] = the sum of src[line, i] over all i with index[line, i] == j. All tensors are
 * contiguous, and the index has been checked. */
struct cti_scatter_lines {
    struct cti_work work;
    ct_tensor *out, *index, *src;
};

/* The index, of at most one dim, has been checked. */
struct cti_index_select {
    struct cti_work work;
    ct_tensor *out, *in, *index;
    int64_t dim;
};

/* embedding_bag: row b of out is the sum of the rows of `in` that are selected by index[ends[b -
 * 1]], ..., index[ends[b] - 1]. float32 or float64. All tensors are contiguous, except that the
 * rows of `in` may have any stride. The index has been checked. */
struct cti_bag_sum {
    struct cti_work work;
    ct_tensor *out, *in, *index, *ends;
};

/* x[i, j, ...] with index tensors: the indexed dims come first in `in` and `self`, and the dims of
 * the broadcast index tensors come first in `out` and `value`. Index values may be negative; they
 * are checked before anything is written. */
struct cti_index_get {
    struct cti_work work;
    ct_tensor *out, *in;
    ct_list index;
};

struct cti_index_put {
    struct cti_work work;
    ct_tensor *self, *value;
    ct_list index;
    bool accumulate;
};

struct cti_count_nonzero {
    struct cti_work work;
    ct_tensor *mask;
    int64_t count; /* result */
};

/* All tensors are contiguous and have been broadcast. */
struct cti_masked_select {
    struct cti_work work;
    ct_tensor *out, *in, *mask;
};

/* masked_scatter_, and with a 0-d src masked_fill_. self may have any strides. */
struct cti_masked_put {
    struct cti_work work;
    ct_tensor *self, *mask, *src;
};

/* in is contiguous. out is [count, ndim] with strides (1, count), as in PyTorch. */
struct cti_nonzero {
    struct cti_work work;
    ct_tensor *out, *in;
};

/* ---- order ---- */

struct cti_sort {
    struct cti_work work;
    ct_tensor *values, *index, *in; /* values may be NULL */
    int64_t dim;
    bool descending, stable;
};

struct cti_topk {
    struct cti_work work;
    ct_tensor *values, *index, *in;
    int64_t k, dim;
    bool largest, sorted;
};

/* The k-th smallest element, k from 0, of each line along dim. nan_wins: a line that contains NaN
 * gives NaN. In the results, dim is removed or has size 1. */
struct cti_kthvalue {
    struct cti_work work;
    ct_tensor *values, *index, *in;
    int64_t k, dim;
    bool nan_wins;
};

/* searchsorted along the last dim; equal elements go to the left, or to the right. Contiguous, no
 * half types. sorted has one dim or the leading dims of values. sorter (may be NULL) is the
 * permutation that sorts each line. out is int64. */
struct cti_search {
    struct cti_work work;
    ct_tensor *out, *sorted, *values, *sorter;
    bool right;
};

/* The lexicographic order of rows [n, ...], contiguous, no half types. */
struct cti_sort_rows {
    struct cti_work work;
    ct_tensor *index, *rows;
};

/* ---- in other headers ---- */

struct cti_norm;       /* core/norm.h */
struct cti_attend;     /* core/attend.h */
struct cti_ctc;        /* core/ctc.h */
struct cti_recur;      /* core/recur.h */
struct cti_window;     /* core/window.h */
struct cti_sample;     /* core/sample.h */
struct cti_class_loss; /* core/class_loss.h */
struct cti_gemm;       /* core/gemm.h */
struct cti_conv;       /* core/conv.h */
struct cti_factor;     /* core/factor.h */
struct cti_random;     /* core/random.h */
struct cti_update;     /* core/update.h */

/* ---- functions that run common engines ---- */

/* Runs the copy engine. If one tensor is on the CPU and the other on an accelerator, the engine of
 * the accelerator runs. */
bool cti_run_copy(ct_tensor *dst, ct_tensor *src);
/* Returns whether all values are in range. If not, *bad is the first that is out of range, or an
 * error is set. */
bool cti_check_index(ct_tensor *index, int64_t size, bool wrap, int64_t *bad);
int64_t cti_count_nonzero(ct_tensor *mask); /* -1 and an error: failed */
/* Concatenates like the join engine, but with one copy per part. */
bool cti_join_by_copies(const struct cti_join *work);

/* ---- devices ---- */

/* A type of device whose memory the host cannot read: its allocator, which returns device
 * addresses, and its random number generators. */
struct cti_accelerator {
    int (*current)(void); /* the index of the current device */
    /* Allocates nbytes for a new storage: sets data, block, and the device's index if it is -1. */
    bool (*take)(ct_storage *s, int64_t nbytes);
    void (*drop)(ct_storage *s); /* frees what take allocated and clears it in the storage */
    /* Copies between the host (a device of type CPU) and a device, or between devices, after all
     * earlier work on them. wait: returns only when a copy from or to the host is complete. */
    bool (*move)(void *dst, struct ct_device to, const void *src, struct ct_device from,
                 int64_t nbytes, bool wait);
    bool (*wait)(int device); /* waits for all work on the device */
    /* Whether the address is in device memory. Only the fake device, which computes on the host,
     * needs this check; on a real device the kernel would fault. */
    bool (*holds)(const void *address);
    void (*seed_all)(uint64_t seed); /* the generators of all its devices */
};
extern const struct cti_accelerator cti_cuda_accelerator;
const struct cti_accelerator *
cti_accelerator_of(enum ct_device_type type); /* NULL: the host can read the memory of this type */

/* Returns t itself if the host can read its elements, otherwise a copy in host memory, after
 * waiting for the device. Meta tensors have no elements and are returned unchanged. The caller owns
 * the result. */
ct_tensor *cti_host(ct_tensor *t);
/* Returns t if it is contiguous without conj/neg flags, otherwise a contiguous copy; in host memory
 * if `host`. The caller owns the result, which has no autograd history. */
ct_tensor *cti_plain(ct_tensor *t, bool host);
/* Resolves "cuda" to the current device. */
struct ct_device cti_device_meant(struct ct_device device);

#endif
