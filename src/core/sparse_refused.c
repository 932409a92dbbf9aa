/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend of sparse tensors, which have no elements that an engine could read: every engine
 * refuses. Rows that take sparse tensors never come here: see Note [Sparse tensors]. */
#include "core/backend.h"
#include "core/sparse.h"

static bool pointwise(const struct cti_pointwise *work)
{
    (void)work;
    return cti_sparse_refused("pointwise") != NULL;
}

static bool reduce(const struct cti_reduce *work)
{
    (void)work;
    return cti_sparse_refused("reduce") != NULL;
}

static bool copy(ct_tensor *dst, ct_tensor *src)
{
    (void)dst, (void)src;
    return cti_sparse_refused("copy") != NULL;
}

static bool join(ct_tensor *dst, ct_tensor *const *src, int64_t n, int dim)
{
    (void)dst, (void)src, (void)n, (void)dim;
    return cti_sparse_refused("cat") != NULL;
}

static bool fill(ct_tensor *dst, ct_value number)
{
    (void)dst, (void)number;
    return cti_sparse_refused("fill") != NULL;
}

static bool ramp(ct_tensor *dst, ct_value start, ct_value step, ct_value end)
{
    (void)dst, (void)start, (void)step, (void)end;
    return cti_sparse_refused("ramp") != NULL;
}

static bool scan(enum cti_scan_op op, ct_tensor *out, ct_tensor *index, ct_tensor *in, int64_t dim)
{
    (void)op, (void)out, (void)index, (void)in, (void)dim;
    return cti_sparse_refused("scan") != NULL;
}

static bool softmax(enum cti_softmax_op op, ct_tensor *out, ct_tensor *in, ct_tensor *grad,
                    int64_t dim)
{
    (void)op, (void)out, (void)in, (void)grad, (void)dim;
    return cti_sparse_refused("softmax") != NULL;
}

static bool norm(const struct cti_norm *work)
{
    (void)work;
    return cti_sparse_refused("norm") != NULL;
}

static bool norm_backward(const struct cti_norm *work)
{
    (void)work;
    return cti_sparse_refused("norm_backward") != NULL;
}

static bool attend(const struct cti_attend *work)
{
    (void)work;
    return cti_sparse_refused("attend") != NULL;
}

static bool attend_backward(const struct cti_attend *work)
{
    (void)work;
    return cti_sparse_refused("attend_backward") != NULL;
}

static bool ctc(const struct cti_ctc *work)
{
    (void)work;
    return cti_sparse_refused("ctc") != NULL;
}

static bool ctc_backward(const struct cti_ctc *work)
{
    (void)work;
    return cti_sparse_refused("ctc_backward") != NULL;
}

static bool recur(const struct cti_recur *work)
{
    (void)work;
    return cti_sparse_refused("recur") != NULL;
}

static bool recur_backward(const struct cti_recur *work)
{
    (void)work;
    return cti_sparse_refused("recur_backward") != NULL;
}

static bool window(const struct cti_window *work)
{
    (void)work;
    return cti_sparse_refused("window") != NULL;
}

static bool sample(const struct cti_sample *work)
{
    (void)work;
    return cti_sparse_refused("sample") != NULL;
}

static bool index_check(ct_tensor *index, int64_t size, bool wrap, int64_t *bad)
{
    (void)index, (void)size, (void)wrap, (void)bad;
    return cti_sparse_refused("index_check") != NULL;
}

static bool gather(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index)
{
    (void)out, (void)in, (void)dim, (void)index;
    return cti_sparse_refused("gather") != NULL;
}

static bool scatter(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                    enum cti_combine how)
{
    (void)self, (void)dim, (void)index, (void)src, (void)how;
    return cti_sparse_refused("scatter") != NULL;
}

static bool index_select(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index)
{
    (void)out, (void)in, (void)dim, (void)index;
    return cti_sparse_refused("index_select") != NULL;
}

static bool index_get(ct_tensor *out, ct_tensor *in, ct_tensor *const *index, int nindex)
{
    (void)out, (void)in, (void)index, (void)nindex;
    return cti_sparse_refused("index_get") != NULL;
}

static bool index_put(ct_tensor *self, ct_tensor *const *index, int nindex, ct_tensor *value,
                      bool accumulate)
{
    (void)self, (void)index, (void)nindex, (void)value, (void)accumulate;
    return cti_sparse_refused("index_put") != NULL;
}

static int64_t count_nonzero(ct_tensor *mask)
{
    (void)mask;
    cti_sparse_refused("count_nonzero");
    return -1;
}

static bool masked_select(ct_tensor *out, ct_tensor *in, ct_tensor *mask)
{
    (void)out, (void)in, (void)mask;
    return cti_sparse_refused("masked_select") != NULL;
}

static bool masked_put(ct_tensor *self, ct_tensor *mask, ct_tensor *src)
{
    (void)self, (void)mask, (void)src;
    return cti_sparse_refused("masked_put") != NULL;
}

static bool nonzero(ct_tensor *out, ct_tensor *in)
{
    (void)out, (void)in;
    return cti_sparse_refused("nonzero") != NULL;
}

static bool sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim, bool descending,
                 bool stable)
{
    (void)values, (void)index, (void)in, (void)dim, (void)descending, (void)stable;
    return cti_sparse_refused("sort") != NULL;
}

static bool topk(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                 bool largest, bool sorted)
{
    (void)values, (void)index, (void)in, (void)k, (void)dim, (void)largest, (void)sorted;
    return cti_sparse_refused("topk") != NULL;
}

static bool search(ct_tensor *out, ct_tensor *sorted, ct_tensor *values, ct_tensor *sorter,
                   bool right)
{
    (void)out, (void)sorted, (void)values, (void)sorter, (void)right;
    return cti_sparse_refused("search") != NULL;
}

static bool sort_rows(ct_tensor *index, ct_tensor *rows)
{
    (void)index, (void)rows;
    return cti_sparse_refused("sort_rows") != NULL;
}

static bool place(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                  bool nan_wins)
{
    (void)values, (void)index, (void)in, (void)k, (void)dim, (void)nan_wins;
    return cti_sparse_refused("place") != NULL;
}

static bool distance(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p)
{
    (void)out, (void)a, (void)b, (void)p;
    return cti_sparse_refused("distance") != NULL;
}

static bool fft(ct_tensor *out, ct_tensor *in, ct_ints dim, bool inverse, double scale)
{
    (void)out, (void)in, (void)dim, (void)inverse, (void)scale;
    return cti_sparse_refused("fft") != NULL;
}

static bool gemm(const struct cti_gemm *work)
{
    (void)work;
    return cti_sparse_refused("gemm") != NULL;
}

static bool conv(const struct cti_conv *work)
{
    (void)work;
    return cti_sparse_refused("conv") != NULL;
}

static bool factor(const struct cti_factor *work)
{
    (void)work;
    return cti_sparse_refused("factor") != NULL;
}

static bool random(const struct cti_fill_random *work)
{
    (void)work;
    return cti_sparse_refused("random") != NULL;
}

static bool update(const struct cti_update *work)
{
    (void)work;
    return cti_sparse_refused("update") != NULL;
}

const struct cti_backend cti_sparse_backend = {
    .pointwise = pointwise,
    .reduce = reduce,
    .copy = copy,
    .join = join,
    .fill = fill,
    .ramp = ramp,
    .scan = scan,
    .softmax = softmax,
    .norm = norm,
    .norm_backward = norm_backward,
    .attend = attend,
    .attend_backward = attend_backward,
    .ctc = ctc,
    .ctc_backward = ctc_backward,
    .recur = recur,
    .recur_backward = recur_backward,
    .window = window,
    .sample = sample,
    .index_check = index_check,
    .gather = gather,
    .scatter = scatter,
    .index_select = index_select,
    .index_get = index_get,
    .index_put = index_put,
    .count_nonzero = count_nonzero,
    .masked_select = masked_select,
    .masked_put = masked_put,
    .nonzero = nonzero,
    .sort = sort,
    .topk = topk,
    .search = search,
    .sort_rows = sort_rows,
    .place = place,
    .distance = distance,
    .fft = fft,
    .gemm = gemm,
    .conv = conv,
    .factor = factor,
    .random = random,
    .update = update,
};
