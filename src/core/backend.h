/* SPDX-License-Identifier: BSD-3-Clause */
/* A backend: the engines of one kind of device, as a table of functions. Fronts (src/ops) call it
 * after all checks: types are promoted, shapes broadcast, results allocated. Engines see geometry
 * and bytes; they never allocate a result, never record, never know a row's arguments. Unless
 * stated otherwise tensors arrive without conj/neg flags. False: failed, the error is set. */
#ifndef CORTEN_CORE_BACKEND_H
#define CORTEN_CORE_BACKEND_H

#include "core/tensor.h"

#define CTI_MAX_OPERANDS 16
#define CTI_MAX_STEPS 32
#define CTI_MAX_INPUTS 6 /* of one step */
#define CTI_MAX_SLOTS (CTI_MAX_OPERANDS + CTI_MAX_STEPS)

/* One instruction of a pointwise program: slot[out] = row(slot[in[0]], ...). */
struct cti_step {
    uint16_t row;  /* enum cti_row, generated */
    uint8_t dtype; /* compute type: never half or bfloat16 */
    uint8_t nin;
    uint8_t masks;  /* bit mask of inputs that are truth values */
    uint8_t params; /* bit mask of inputs that are always scalars, never tensors */
    uint8_t in[CTI_MAX_INPUTS];
    uint8_t out;
};

/* One operand in memory. A scalar is an operand with all strides 0 whose value, of the compute
 * type, is in host memory, whatever the device. */
struct cti_operand {
    char *data;
    uint8_t dtype;          /* in memory */
    uint8_t compute;        /* as the steps see it; cast block by block where they differ */
    uint8_t flags;          /* CTI_CONJ, CTI_NEG: resolved on loading */
    const int64_t *bstride; /* ndim strides in bytes */
};

/* A program over a broadcast iteration space. Slots below noperands are operands, of which the
 * first nout are written; the others are block buffers. nsteps == 0: operand 0 = operand 1 (a copy
 * that casts). */
struct cti_pointwise {
    struct ct_device device;
    uint32_t numbers; /* bit mask of operands whose value of the compute type is in host memory */
    int ndim, nout, noperands, nsteps;
    const int64_t *shape;
    struct cti_operand operand[CTI_MAX_OPERANDS];
    struct cti_step step[CTI_MAX_STEPS];
    uint8_t slot_dtype[CTI_MAX_SLOTS];
};

/* A reduction: each element through the row's `each`, combined, finished. reduced[d] marks the
 * reduced dims; out (and index) have the kept dims' strides, 0 for reduced ones. */
struct cti_reduce {
    uint16_t row;
    uint8_t dtype;          /* compute type of the elements, the input is cast to it */
    ct_tensor *out, *index; /* keepdim shape; index NULL where the row has none */
    ct_tensor *in;
    const bool *reduced; /* ndim of `in` */
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
    CTI_COMBINE_MEAN,     /* fronts make it of sums and counts; no engine has it */
    CTI_COMBINE_NONE = -1 /* an unknown name */
};

struct cti_attend; /* core/attend.h */
struct cti_norm;   /* core/norm.h */
struct cti_window; /* core/window.h */
struct cti_ctc;    /* core/ctc.h */
struct cti_sample; /* core/sample.h */
struct cti_factor; /* core/factor.h */
struct cti_gemm;
struct cti_conv;        /* core/conv.h */
struct cti_recur;       /* core/recur.h */
struct cti_fill_random; /* core/random.h */
struct cti_update;      /* core/update.h */
struct cti_class_loss;  /* core/class_loss.h */

struct cti_backend {
    bool (*pointwise)(const struct cti_pointwise *work);
    bool (*reduce)(const struct cti_reduce *work);
    /* Same shapes (src may be expanded); casts, resolves src's conj/neg. Between devices, a method
     * of cti_copy_backend. */
    bool (*copy)(ct_tensor *dst, ct_tensor *src);
    /* Concatenates n tensors of one device along a dim of dst, which they fill; casts. */
    bool (*join)(ct_tensor *dst, ct_tensor *const *src, int64_t n, int dim);
    bool (*fill)(ct_tensor *dst, ct_value number);
    /* A contiguous range: start + i * step; given an end, its second half is counted down from
     * that. */
    bool (*ramp)(ct_tensor *dst, ct_value start, ct_value step, ct_value end);
    bool (*scan)(enum cti_scan_op op, ct_tensor *out, ct_tensor *index, ct_tensor *in, int64_t dim);
    /* All tensors contiguous; grad NULL but in derivatives. */
    bool (*softmax)(enum cti_softmax_op op, ct_tensor *out, ct_tensor *in, ct_tensor *grad,
                    int64_t dim);
    /* Batch, layer, group and instance norm over lines or channels; and the gradients. */
    bool (*norm)(const struct cti_norm *work);
    bool (*norm_backward)(const struct cti_norm *work);
    bool (*attend)(const struct cti_attend *work);
    bool (*attend_backward)(const struct cti_attend *work);
    bool (*ctc)(const struct cti_ctc *work);
    bool (*ctc_backward)(const struct cti_ctc *work);
    bool (*recur)(const struct cti_recur *work);
    bool (*recur_backward)(const struct cti_recur *work);
    /* Sums or maxima over boxes of the input: pooling, interpolation. */
    bool (*window)(const struct cti_window *work);
    /* grid_sample, or its gradients. */
    bool (*sample)(const struct cti_sample *work);
    /* Index tensors are int64. True when all values are in [0, size), or in [-size, size) with
     * wrap; else *bad is the first that is not. */
    bool (*index_check)(ct_tensor *index, int64_t size, bool wrap, int64_t *bad);
    /* Checks its index itself, with PyTorch's text. */
    bool (*gather)(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index);
    /* The index has been checked. */
    bool (*scatter)(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                    enum cti_combine how);
    /* out[line, index[line, i]] = sum of src[line, i], zero elsewhere; all contiguous, the index
     * has been checked. 1: done; 0: not for this backend; -1: failed. */
    int (*scatter_lines)(ct_tensor *out, ct_tensor *index, ct_tensor *src);
    /* Cross entropy of classes; answers as scatter_lines. Asked of GPUs alone, where launches cost
     * more than sums. */
    int (*class_loss)(const struct cti_class_loss *work);
    /* The index (one dim, or none) has been checked. */
    bool (*index_select)(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index);
    /* embedding_bag: row b of `out` is the sum of the rows of `in` that index names, between the
     * ends of bag b - 1 and of bag b. float32 or float64; all contiguous but for the rows of `in`;
     * the index has been checked. CPU only. */
    bool (*bag_sum)(ct_tensor *out, ct_tensor *in, ct_tensor *index, ct_tensor *ends);
    /* x[i, j, ...]: the indexed dims come first in `in` and `self`, the dims of the (broadcast)
     * index tensors first in `out` and `value`; values may be negative and are checked before
     * anything is written. */
    bool (*index_get)(ct_tensor *out, ct_tensor *in, ct_tensor *const *index, int nindex);
    bool (*index_put)(ct_tensor *self, ct_tensor *const *index, int nindex, ct_tensor *value,
                      bool accumulate);
    int64_t (*count_nonzero)(ct_tensor *mask); /* -1: failed */
    /* Contiguous tensors: the front has broadcast and copied. masked_put: self has any strides. */
    bool (*masked_select)(ct_tensor *out, ct_tensor *in, ct_tensor *mask);
    /* masked_scatter_; a 0-d src is a scalar for all (masked_fill_). */
    bool (*masked_put)(ct_tensor *self, ct_tensor *mask, ct_tensor *src);
    /* in is contiguous; out is [count, ndim] with stride (1, count), as PyTorch's. */
    bool (*nonzero)(ct_tensor *out, ct_tensor *in);
    bool (*sort)(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim, bool descending,
                 bool stable);
    bool (*topk)(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                 bool largest, bool sorted);
    /* searchsorted along the last dim, left (or right) of equal elements. Contiguous, no half
     * types; sorted has one dim or the leading dims of values; sorter (may be NULL): the
     * permutation that sorts each line. out is int64. */
    bool (*search)(ct_tensor *out, ct_tensor *sorted, ct_tensor *values, ct_tensor *sorter,
                   bool right);
    /* The lexicographic order of rows [n, ...], contiguous, no half types. */
    bool (*sort_rows)(ct_tensor *index, ct_tensor *rows);
    /* kthvalue: the k-th (from 0) of each line in ascending order; a line with NaN yields NaN where
     * nan_wins. The results lack the dim or have size 1 there. */
    bool (*place)(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                  bool nan_wins);
    /* out[..., i, j]: the p-norm of a[..., i, :] - b[..., j, :]. Contiguous float32 or float64. */
    bool (*distance)(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p);
    /* The sum of in[j] exp(-+ 2 pi i j k / n) along each of some dims, the last first, times scale;
     * in may be out. Of real input (float32, float64): the first n / 2 + 1 elements of the last of
     * the dims, or all n; and back from those, along one dim, where the size of `out` is n. Nothing
     * is empty. */
    bool (*fft)(ct_tensor *out, ct_tensor *in, ct_ints dim, bool inverse, double scale);
    bool (*gemm)(const struct cti_gemm *work);
    bool (*conv)(const struct cti_conv *work);
    /* At least one matrix, and it has elements. */
    bool (*factor)(const struct cti_factor *work);
    bool (*random)(const struct cti_fill_random *work);
    bool (*update)(const struct cti_update *work);
};

/* A new engine is for all of these: tests/c/core/test_core.c looks for gaps. */
extern const struct cti_backend cti_cpu_backend, cti_cuda_backend, cti_meta_backend,
    cti_sparse_backend;

/* The backend of a tensor's device. Borrowed. */
const struct cti_backend *cti_backend_of(const ct_tensor *t);
/* join by one copy after the other. */
bool cti_join_by_copies(ct_tensor *dst, ct_tensor *const *src, int64_t n, int dim);
/* Who copies: the accelerator's side, where only one of the two is the CPU. */
const struct cti_backend *cti_copy_backend(const ct_tensor *dst, const ct_tensor *src);

/* A kind of device beside the CPU, whose memory the host cannot read: its allocator, with device
 * addresses, and its generators. */
struct cti_accelerator {
    int (*current)(void); /* the index of a device without one */
    /* Memory for a new storage: sets data, block and the device's index, which may be -1. */
    bool (*take)(ct_storage *s, int64_t nbytes);
    void (*drop)(ct_storage *s); /* frees what take allocated and clears it in the storage */
    /* Between the host (a device of type CPU) and devices; waits where the host is involved. */
    bool (*move)(void *dst, struct ct_device to, const void *src, struct ct_device from,
                 int64_t nbytes);
    void (*seed_all)(uint64_t seed); /* the generators of all its devices */
};
extern const struct cti_accelerator cti_cuda_accelerator;
const struct cti_accelerator *
cti_accelerator_of(enum ct_device_type type); /* NULL: the host can read it */

/* t itself where the host can read its elements, else a host copy, which waits for the device.
 * Owned. Meta tensors have no elements and are returned as they are. */
ct_tensor *cti_host(ct_tensor *t);
/* t itself where its bytes lie one after the other and are its elements, else a copy of which that
 * is so; on the CPU where `host`. Owned, without a history. */
ct_tensor *cti_plain(ct_tensor *t, bool host);
/* Resolves "cuda" to the current device. */
struct ct_device cti_device_meant(struct ct_device device);

#endif
