/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPU's engines. Those that run over several regions say at their end whether all of them were
 * run, see Note [Interrupted] in core/interrupt.h; the others return what their region did. */
#include "core/interrupt.h"
#include "cpu/attend/attend.h"
#include "cpu/conv/conv.h"
#include "cpu/ctc/ctc.h"
#include "cpu/distance/distance.h"
#include "cpu/factor/factor.h"
#include "cpu/fft/fft.h"
#include "cpu/gemm/gemm.h"
#include "cpu/index/index.h"
#include "cpu/norm/norm.h"
#include "cpu/order/order.h"
#include "cpu/pointwise/pointwise.h"
#include "cpu/random/random.h"
#include "cpu/recur/recur.h"
#include "cpu/reduce/reduce.h"
#include "cpu/sample/sample.h"
#include "cpu/softmax/softmax.h"
#include "cpu/update/update.h"
#include "cpu/window/window.h"

static bool scan(enum cti_scan_op op, ct_tensor *out, ct_tensor *index, ct_tensor *in, int64_t dim)
{
    return cti_cpu_scan(op, out, index, in, dim) && cti_ran();
}

static bool softmax(enum cti_softmax_op op, ct_tensor *out, ct_tensor *in, ct_tensor *grad,
                    int64_t dim)
{
    return cti_cpu_softmax(op, out, in, grad, dim) && cti_ran();
}

static bool norm(const struct cti_norm *work)
{
    return cti_cpu_norm(work) && cti_ran();
}

static bool norm_backward(const struct cti_norm *work)
{
    return cti_cpu_norm_backward(work) && cti_ran();
}

static bool attend(const struct cti_attend *work)
{
    return cti_cpu_attend(work) && cti_ran();
}

static bool attend_backward(const struct cti_attend *work)
{
    return cti_cpu_attend_backward(work) && cti_ran();
}

static bool ctc(const struct cti_ctc *work)
{
    return cti_cpu_ctc(work) && cti_ran();
}

static bool ctc_backward(const struct cti_ctc *work)
{
    return cti_cpu_ctc_backward(work) && cti_ran();
}

static bool recur(const struct cti_recur *work)
{
    return cti_cpu_recur(work) && cti_ran();
}

static bool recur_backward(const struct cti_recur *work)
{
    return cti_cpu_recur_backward(work) && cti_ran();
}

static bool window(const struct cti_window *work)
{
    return cti_cpu_window(work) && cti_ran();
}

static bool sample(const struct cti_sample *work)
{
    return cti_cpu_sample(work) && cti_ran();
}

static bool gather(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index)
{
    return cti_cpu_gather(out, in, dim, index) && cti_ran();
}

static bool scatter(ct_tensor *self, int64_t dim, ct_tensor *index, ct_tensor *src,
                    enum cti_combine how)
{
    return cti_cpu_scatter(self, dim, index, src, how) && cti_ran();
}

static bool index_select(ct_tensor *out, ct_tensor *in, int64_t dim, ct_tensor *index)
{
    return cti_cpu_index_select(out, in, dim, index) && cti_ran();
}

static int class_loss(const struct cti_class_loss *work)
{
    (void)work;
    return 0; /* its parts cost no launches here */
}

static int scatter_lines(ct_tensor *out, ct_tensor *index, ct_tensor *src)
{
    (void)out, (void)index, (void)src;
    return 0; /* scatter does as well */
}

static bool bag_sum(ct_tensor *out, ct_tensor *in, ct_tensor *index, ct_tensor *ends)
{
    return cti_cpu_bag_sum(out, in, index, ends) && cti_ran();
}

static bool index_get(ct_tensor *out, ct_tensor *in, ct_tensor *const *index, int nindex)
{
    return cti_cpu_index_get(out, in, index, nindex) && cti_ran();
}

static bool index_put(ct_tensor *self, ct_tensor *const *index, int nindex, ct_tensor *value,
                      bool accumulate)
{
    return cti_cpu_index_put(self, index, nindex, value, accumulate) && cti_ran();
}

static bool masked_select(ct_tensor *out, ct_tensor *in, ct_tensor *mask)
{
    return cti_cpu_masked_select(out, in, mask) && cti_ran();
}

static bool masked_put(ct_tensor *self, ct_tensor *mask, ct_tensor *src)
{
    return cti_cpu_masked_put(self, mask, src) && cti_ran();
}

static bool nonzero(ct_tensor *out, ct_tensor *in)
{
    return cti_cpu_nonzero(out, in) && cti_ran();
}

static bool sort(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t dim, bool descending,
                 bool stable)
{
    return cti_cpu_sort(values, index, in, dim, descending, stable) && cti_ran();
}

static bool topk(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                 bool largest, bool sorted)
{
    return cti_cpu_topk(values, index, in, k, dim, largest, sorted) && cti_ran();
}

static bool search(ct_tensor *out, ct_tensor *sorted, ct_tensor *values, ct_tensor *sorter,
                   bool right)
{
    return cti_cpu_search(out, sorted, values, sorter, right) && cti_ran();
}

static bool sort_rows(ct_tensor *index, ct_tensor *rows)
{
    return cti_cpu_sort_rows(index, rows) && cti_ran();
}

static bool place(ct_tensor *values, ct_tensor *index, ct_tensor *in, int64_t k, int64_t dim,
                  bool nan_wins)
{
    return cti_cpu_place(values, index, in, k, dim, nan_wins) && cti_ran();
}

static bool distance(ct_tensor *out, ct_tensor *a, ct_tensor *b, double p)
{
    return cti_cpu_distance(out, a, b, p) && cti_ran();
}

static bool fft(ct_tensor *out, ct_tensor *in, ct_ints dim, bool inverse, double scale)
{
    return cti_cpu_fft(out, in, dim, inverse, scale) && cti_ran();
}

static bool gemm(const struct cti_gemm *work)
{
    return cti_cpu_gemm(work) && cti_ran();
}

static bool conv(const struct cti_conv *work)
{
    return cti_cpu_conv(work) && cti_ran();
}

static bool factor(const struct cti_factor *work)
{
    return cti_cpu_factor(work) && cti_ran();
}

static bool random(const struct cti_fill_random *work)
{
    return cti_cpu_random(work) && cti_ran();
}

static bool update(const struct cti_update *work)
{
    return cti_cpu_update(work) && cti_ran();
}

const struct cti_backend cti_cpu_backend = {
    .pointwise = cti_cpu_pointwise,
    .reduce = cti_cpu_reduce,
    .copy = cti_cpu_copy,
    .join = cti_join_by_copies,
    .fill = cti_cpu_fill,
    .ramp = cti_cpu_ramp,
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
    .index_check = cti_cpu_index_check,
    .gather = gather,
    .scatter = scatter,
    .index_select = index_select,
    .bag_sum = bag_sum,
    .scatter_lines = scatter_lines,
    .class_loss = class_loss,
    .index_get = index_get,
    .index_put = index_put,
    .count_nonzero = cti_cpu_count_nonzero,
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
