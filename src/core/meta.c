/* SPDX-License-Identifier: BSD-3-Clause */
/* The backend of meta tensors, which have sizes and no memory: fronts check and allocate as always,
 * and these engines have nothing left to do. What needs to look at elements fails. */
#include "core/backend.h"

static bool depends_on_data(void)
{
    return cti_refuse(CT_ERR_NOT_IMPLEMENTED,
                      "meta tensors have no elements, on which the size of this result depends");
}

static bool pointwise(const struct cti_pointwise *work)
{
    (void)work;
    return true;
}

static bool reduce(const struct cti_reduce *work)
{
    (void)work;
    return true;
}

static bool copy(ct_tensor *dst, ct_tensor *src)
{
    (void)dst, (void)src;
    return true;
}

static bool fill(ct_tensor *dst, ct_value number)
{
    (void)dst, (void)number;
    return true;
}

static bool ramp(ct_tensor *dst, ct_value start, ct_value step, ct_value end)
{
    (void)dst, (void)start, (void)step, (void)end;
    return true;
}

static bool scan(enum cti_scan_op op, ct_tensor *out, ct_tensor *index, ct_tensor *in, int64_t dim)
{
    (void)op, (void)out, (void)index, (void)in, (void)dim;
    return true;
}

static bool softmax(enum cti_softmax_op op, ct_tensor *out, ct_tensor *in, ct_tensor *grad,
                    int64_t dim)
{
    (void)op, (void)out, (void)in, (void)grad, (void)dim;
    return true;
}

static bool norm(const struct cti_norm *work)
{
    (void)work;
    return true;
}

static bool window(const struct cti_window *work)
{
    (void)work;
    return true;
}

static bool sample(const struct cti_sample *work)
{
    (void)work;
    return true;
}

static bool attend(const struct cti_attend *work)
{
    (void)work;
    return true;
}

static bool ctc(const struct cti_ctc *work)
{
    (void)work;
    return true;
}

static bool recur(const struct cti_recur *work)
{
    (void)work;
    return true;
}

static bool index_check(ct_tensor *index, int64_t size, bool wrap, int64_t *bad)
{
    (void)index, (void)size, (void)wrap, (void)bad;
    return true;
}

static bool gather(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index)
{
    (void)out, (void)in, (void)dim, (void)index;
    return true;
}

static bool scatter(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src, int reduction)
{
    (void)self, (void)dim, (void)index, (void)src, (void)reduction;
    return true;
}

static bool index_get(ct_tensor *out, ct_tensor *in, ct_tensor *const *index, int nindex)
{
    (void)out, (void)in, (void)index, (void)nindex;
    return true;
}

static bool index_put(ct_tensor *self, ct_tensor *const *index, int nindex, ct_tensor *value,
                      bool accumulate)
{
    (void)self, (void)index, (void)nindex, (void)value, (void)accumulate;
    return true;
}

static int64_t count_nonzero(ct_tensor *mask)
{
    (void)mask;
    depends_on_data();
    return -1;
}

static bool masked_select(ct_tensor *out, ct_tensor *in, ct_tensor *mask)
{
    (void)out, (void)in, (void)mask;
    return depends_on_data();
}

static bool masked_put(ct_tensor *self, ct_tensor *mask, ct_tensor *src)
{
    (void)self, (void)mask, (void)src;
    return true;
}

static bool nonzero(ct_tensor *out, ct_tensor *in)
{
    (void)out, (void)in;
    return depends_on_data();
}

static bool sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim, bool descending,
                 bool stable)
{
    (void)values, (void)index, (void)in, (void)dim, (void)descending, (void)stable;
    return true;
}

static bool topk(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                 bool largest, bool sorted)
{
    (void)values, (void)index, (void)in, (void)k, (void)dim, (void)largest, (void)sorted;
    return true;
}

static bool place(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                  bool nan_wins)
{
    (void)values, (void)index, (void)in, (void)k, (void)dim, (void)nan_wins;
    return true;
}

static bool search(ct_tensor *out, ct_tensor *sorted, ct_tensor *values, ct_tensor *sorter,
                   bool right)
{
    (void)out, (void)sorted, (void)values, (void)sorter, (void)right;
    return true;
}

static bool sort_rows(ct_tensor *index, ct_tensor *rows)
{
    (void)index, (void)rows;
    return true;
}

static bool distance(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p)
{
    (void)out, (void)a, (void)b, (void)p;
    return true;
}

static bool fft(ct_tensor *out, ct_tensor *in, ct_ints dim, bool inverse, double scale)
{
    (void)out, (void)in, (void)dim, (void)inverse, (void)scale;
    return true;
}

static bool conv(const struct cti_conv *work)
{
    (void)work;
    return true;
}

static bool gemm(const struct cti_gemm *work)
{
    (void)work;
    return true;
}

static bool factor(const struct cti_factor *work)
{
    (void)work;
    return true;
}

static bool random(const struct cti_fill_random *work)
{
    (void)work;
    return true;
}

static bool update(const struct cti_update *work)
{
    (void)work;
    return true;
}

const struct cti_backend cti_meta_backend = {
    .pointwise = pointwise,
    .reduce = reduce,
    .copy = copy,
    .join = cti_join_by_copies,
    .fill = fill,
    .ramp = ramp,
    .scan = scan,
    .softmax = softmax,
    .norm = norm,
    .norm_backward = norm,
    .attend = attend,
    .attend_backward = attend,
    .ctc = ctc,
    .ctc_backward = ctc,
    .recur = recur,
    .recur_backward = recur,
    .window = window,
    .sample = sample,
    .index_check = index_check,
    .gather = gather,
    .scatter = scatter,
    .index_select = gather,
    .index_get = index_get,
    .index_put = index_put,
    .count_nonzero = count_nonzero,
    .masked_select = masked_select,
    .masked_put = masked_put,
    .nonzero = nonzero,
    .sort = sort,
    .topk = topk,
    .place = place,
    .search = search,
    .sort_rows = sort_rows,
    .distance = distance,
    .fft = fft,
    .gemm = gemm,
    .conv = conv,
    .factor = factor,
    .random = random,
    .update = update,
};
