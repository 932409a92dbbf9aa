/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens cuSOLVER and cuBLAS, keeps their handles, and lends them to one call at a time; see
 * solver.h. */
#include "cuda/factor/solver.h"

#include "core/small.h"
#include "corten/cuda.h"
#include "cuda/common/strided_copy.h"
#include "cuda/engines.h"
#include "cuda/runtime/launch.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct cti_cuda_solver library;
static struct {
    int (*create)(void **handle);
    int (*set_stream)(void *handle, cu_stream stream);
    int (*create_params)(void **params);
    int (*blas_create)(void **handle);
    int (*blas_set_stream)(void *handle, cu_stream stream);
} make;
static bool opened;
static struct {
    void *solver, *blas, *params;
} handles[CTI_CUDA_MAX_DEVICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* handles are not thread-safe */

static const char *const solver_versions[] = {".12", ".11", "", NULL};
static const char *const blas_versions[] = {".13", ".12", "", NULL};

/* Loads the functions of one type: in names, "?" is replaced by the type's letter, "#" by "or" or
 * "un". */
static bool open_typed(struct cti_cuda_solver_typed *f, int type)
{
    const struct {
        const char *name;
        void *place;
        bool blas;
    } all[] = {
        {"cusolverDn?getrf_bufferSize", &f->getrf_size, false},
        {"cusolverDn?getrf", &f->getrf, false},
        {"cusolverDn?getrs", &f->getrs, false},
        {"cusolverDn?geqrf_bufferSize", &f->geqrf_size, false},
        {"cusolverDn?geqrf", &f->geqrf, false},
        {"cusolverDn?#gqr_bufferSize", &f->orgqr_size, false},
        {"cusolverDn?#gqr", &f->orgqr, false},
        {"cusolverDn?#mqr_bufferSize", &f->ormqr_size, false},
        {"cusolverDn?#mqr", &f->ormqr, false},
        {"cusolverDn?potrfBatched", &f->potrf_batched, false},
        {"cusolverDn?gesvdj_bufferSize", &f->gesvdj_size, false},
        {"cusolverDn?gesvdj", &f->gesvdj, false},
        {"cusolverDn?gesvdjBatched_bufferSize", &f->gesvdj_batched_size, false},
        {"cusolverDn?gesvdjBatched", &f->gesvdj_batched, false},
        {"cublas?trsm_v2", &f->trsm, true},
        {"cublas?trsmBatched", &f->trsm_batched, true},
        {"cublas?getrfBatched", &f->getrf_batched, true},
        {"cublas?getrsBatched", &f->getrs_batched, true},
    };
    char names[sizeof all / sizeof *all][48];
    struct cti_library_function solver[sizeof all / sizeof *all], blas[sizeof all / sizeof *all];
    int nsolver = 0, nblas = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *to = names[i];
        for (const char *from = all[i].name; *from; from++) {
            if (*from == '#') {
                memcpy(to, type < 2 ? "or" : "un", 2);
                to += 2;
            } else {
                *to++ = *from == '?' ? "SDCZ"[type] : *from;
            }
        }
        *to = 0;
        *(all[i].blas ? &blas[nblas++] : &solver[nsolver++]) =
            (struct cti_library_function){names[i], all[i].place};
    }
    return cti_library_functions(&cti_nvidia, "libcublas", blas_versions, blas, nblas) &&
           cti_library_functions(&cti_nvidia, "libcusolver", solver_versions, solver, nsolver);
}

static void open_solver(void)
{
    const struct cti_library_function blas[] = {{"cublasCreate_v2", &make.blas_create},
                                                {"cublasSetStream_v2", &make.blas_set_stream}};
    const struct cti_library_function solver[] = {
        {"cusolverDnCreate", &make.create},
        {"cusolverDnSetStream", &make.set_stream},
        {"cusolverDnCreateParams", &make.create_params},
        {"cusolverDnXpotrf_bufferSize", &library.potrf_size},
        {"cusolverDnXpotrf", &library.potrf},
        {"cusolverDnXsyevd_bufferSize", &library.syevd_size},
        {"cusolverDnXsyevd", &library.syevd},
        {"cusolverDnCreateGesvdjInfo", &library.gesvdj_params},
        {"cusolverDnXgesvdjSetTolerance", &library.gesvdj_tolerance},
        {"cusolverDnXgesvdjSetMaxSweeps", &library.gesvdj_sweeps},
    };
    const struct cti_library_function newer[] = {
        {"cusolverDnXsyevBatched_bufferSize", &library.syev_batched_size},
        {"cusolverDnXsyevBatched", &library.syev_batched},
    };
    opened = cti_library_functions(&cti_nvidia, "libcublas", blas_versions, blas, 2) &&
             cti_library_functions(&cti_nvidia, "libcusolver", solver_versions, solver,
                                   (int)(sizeof solver / sizeof *solver));
    for (int type = 0; type < 4 && opened; type++)
        opened = open_typed(&library.typed[type], type);
    if (opened && !cti_library_functions(&cti_nvidia, "libcusolver", solver_versions, newer, 2))
        library.syev_batched = NULL;
}

static bool has_handles(int device)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_solver);
    if (!opened || !cti_cuda_use(device))
        return false;
    if (!handles[device].params && (make.create(&handles[device].solver) != 0 ||
                                    make.blas_create(&handles[device].blas) != 0 ||
                                    make.create_params(&handles[device].params) != 0))
        handles[device].params = NULL;
    return handles[device].params != NULL;
}

/* ---- helper kernels ---- */

static bool launch_factor(int device, int op, int type, const struct factor_args *a, int64_t blocks)
{
    return cti_cuda_run(
        &(struct cti_launch){.file = "factor/factor",
                             .texts = {{"T", "void"}, {"REAL", type % 2 == 0 ? "float" : "double"}},
                             .params = {{"OP", op}, {"PARTS", type < 2 ? 1 : 2}},
                             .device = device,
                             .grid = {blocks},
                             .threads = 256,
                             .shared = op == FACTOR_PIVOTS ? (unsigned)a->n * 4 : 0,
                             .args = a,
                             .size = sizeof *a});
}

bool cti_cuda_factor_kernel(struct cti_cuda_job *job, int op, const struct factor_args *args,
                            int64_t threads)
{
    int64_t blocks = op >= FACTOR_PIVOTS ? args->batch : min64(ceil_div(threads, 256), 65535);
    return launch_factor(job->device, op, (int)(job->f - job->all->typed), args, blocks);
}

/* Fake devices have no libraries. They compile the kernels that a card would run. */
static bool only_compile(int device, int type)
{
    const struct factor_args none = {0};
    for (int op = 0; op < FACTOR_OPS; op++)
        if (!launch_factor(device, op, type, &none, 0))
            break;
    return false;
}

/* ---- jobs ---- */

bool cti_cuda_job_begin(struct cti_cuda_job *job, const struct cti_factor *work)
{
    int type = work->dtype == CT_FLOAT32     ? 0
               : work->dtype == CT_FLOAT64   ? 1
               : work->dtype == CT_COMPLEX64 ? 2
                                             : 3;
    int device = work->work.device.index;
    if (work->m > INT_MAX || work->n > INT_MAX || work->k > INT_MAX || work->batch > INT_MAX ||
        !cti_cuda_has_kernels())
        return false;
    if (cti_cuda_fake())
        return only_compile(device, type);
    pthread_mutex_lock(&lock);
    if (!has_handles(device) ||
        make.set_stream(handles[device].solver, cti_cuda_stream(device)) != 0 ||
        make.blas_set_stream(handles[device].blas, cti_cuda_stream(device)) != 0) {
        pthread_mutex_unlock(&lock);
        return false;
    }
    *job = (struct cti_cuda_job){.w = work,
                                 .all = &library,
                                 .f = &library.typed[type],
                                 .solver = handles[device].solver,
                                 .blas = handles[device].blas,
                                 .params = handles[device].params,
                                 .device = device,
                                 .type = (const int[]){0, 1, 4, 5}[type],
                                 .item = work->dtype < CT_FLOAT32 ? 4 : cti_itemsize(work->dtype)};
    return true;
}

void cti_cuda_job_end(struct cti_cuda_job *job)
{
    for (int i = 0; i < job->nblocks; i++)
        cti_cuda_scratch_end(job->blocks[i]);
    pthread_mutex_unlock(&lock);
}

void *cti_cuda_job_scratch(struct cti_cuda_job *job, int64_t nbytes)
{
    if (job->nblocks == (int)(sizeof job->blocks / sizeof *job->blocks))
        return ct_fail(CT_ERR_RUNTIME, "too many work areas in one factorisation");
    void *scratch = cti_cuda_scratch(job->device, nbytes, &job->blocks[job->nblocks]);
    if (scratch)
        job->nblocks++;
    return scratch;
}

bool cti_cuda_job_did(int status, const char *name)
{
    static const char *const words[] = {"SUCCESS",          "NOT_INITIALIZED", "ALLOC_FAILED",
                                        "INVALID_VALUE",    "ARCH_MISMATCH",   "MAPPING_ERROR",
                                        "EXECUTION_FAILED", "INTERNAL_ERROR"};
    if (status == 0)
        return true;
    return cti_refuse(CT_ERR_RUNTIME, "cusolver error: CUSOLVER_STATUS_%s, when calling `%s`",
                      status > 0 && status < 8 ? words[status] : "UNKNOWN", name);
}

void *cti_cuda_job_at(const struct cti_cuda_job *job, int part, int64_t i)
{
    const struct cti_factor_part *p = &job->w->part[part];
    return (char *)p->data + i * p->step * job->item;
}

void **cti_cuda_job_addresses(struct cti_cuda_job *job, void *first, int64_t step)
{
    void **list = cti_cuda_job_scratch(job, job->w->batch * (int64_t)sizeof *list);
    struct factor_args a = {
        .a = first, .b = list, .step = step * job->item, .batch = job->w->batch};
    return list && cti_cuda_factor_kernel(job, FACTOR_ADDRESSES, &a, a.batch) ? list : NULL;
}

bool cti_cuda_job_copy(struct cti_cuda_job *job, void *dst, int64_t dst_rows, int64_t dst_step,
                       const void *src, int64_t src_rows, int64_t src_step, int64_t m, int64_t n,
                       bool transposed)
{
    int dtype = job->w->dtype;
    struct cti_cuda_strided to = {dst, dtype, (const int64_t[]){dst_step, dst_rows, 1}};
    struct cti_cuda_strided from = {
        src, dtype,
        (const int64_t[]){src_step, transposed ? 1 : src_rows, transposed ? src_rows : 1}};
    return cti_cuda_copy_strided(job->w->work.device, 3, (const int64_t[]){job->w->batch, n, m}, to,
                                 from, transposed && job->type >= 4);
}

void *ct_cuda_library_handle(int device, const char *name)
{
    void *handle = NULL;
    device = device < 0 ? cti_cuda_current() : device;
    pthread_mutex_lock(&lock);
    if (!cti_cuda_fake() && has_handles(device))
        handle = strcmp(name, "cublas") == 0     ? handles[device].blas
                 : strcmp(name, "cusolver") == 0 ? handles[device].solver
                                                 : NULL;
    pthread_mutex_unlock(&lock);
    return handle;
}
