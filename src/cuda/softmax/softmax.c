/* SPDX-License-Identifier: BSD-3-Clause */
/* Softmax, log_softmax, logsumexp and their derivatives; launches softmax.cu. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"

#include <stdio.h>

#define THREADS 256

struct arguments {
    void *out;
    const void *in, *grad;
    int64_t outer, n, inner;
};

enum cti_status cti_cuda_softmax(struct cti_softmax *work)
{
    ct_tensor *out = work->out, *in = work->in, *grad = work->grad;
    enum cti_softmax_op op = work->op;
    int64_t dim = work->dim;
    struct arguments a = {cti_data(out), cti_data(in), grad ? cti_data(grad) : NULL, 1, 1, 1};
    if (!cti_cuda_has_kernels() || in->dtype < CT_FLOAT32 || in->dtype > CT_FLOAT64)
        return CTI_DECLINED;
    for (int d = 0; d < in->ndim; d++)
        *(d < dim ? &a.outer : d == dim ? &a.n : &a.inner) *= in->shape[d];
    int device = in->storage->device.index;
    int64_t lines = a.outer * a.inner;
    bool rows = a.inner == 1 && a.n > 1;
    const char *suffix = cti_cuda_suffix[in->dtype];
    if (lines == 0 || !cti_cuda_use(device))
        return lines == 0;
    if (a.n == 0)
        return CTI_DECLINED;
    int group = a.n <= 256 ? 32 : THREADS;
    char way[64] = "";
    if (rows)
        snprintf(way, sizeof way, "#define ROWS\n#define GROUP %d\n%s", group,
                 a.n <= 8 * group ? "#define HELD 8\n" : "");
    cu_function f = cti_cuda_template(device, "softmax/softmax",
                                      "typedef %s T;\n#define EXP(x) ctm_exp_%s(x)\n"
                                      "#define LOG(x) ctm_log_f64(x)\n#define OP %d\n%s",
                                      cti_cuda_type[in->dtype], suffix, (int)op, way);
    if (!f)
        return false;
    if (cti_cuda_fake())
        return CTI_DECLINED;
    int64_t each = rows ? THREADS / group : THREADS, blocks = (lines + each - 1) / each;
    return cti_cuda_launch(device, f, (unsigned)blocks, THREADS, 0, &a, sizeof a);
}
