/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and loads an MPI library and its handles. Open MPI's handles are addresses of variables, by
 * which it is recognised. CORTEN_MPI names another library file. */
#define _GNU_SOURCE
#include "corten/dist.h"
#include "dist/mpi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

struct cti_mpi cti_mpi;

static const char *why = "no MPI library was found (libmpi.so.40)";
static bool usable;

static void *open_any(void)
{
    static const char *const names[] = {
        "libmpi.so.40", "libmpi.so.80",   "libmpi.so", "libmpi.so.20",
        "libmpi.so.12", "libmpich.so.12", NULL};
    const char *chosen = getenv("CORTEN_MPI");
    /* RTLD_GLOBAL: Open MPI's plugins resolve its functions among the program's symbols. */
    if (chosen && *chosen)
        return dlopen(chosen, RTLD_NOW | RTLD_GLOBAL);
    for (int i = 0; names[i]; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
        if (library)
            return library;
    }
    return NULL;
}

static bool load_functions(void *library)
{
    bool complete = true;
#define LOAD(name, symbol, arguments)                                                              \
    *(void **)&cti_mpi.name = dlsym(library, #symbol);                                             \
    complete = complete && cti_mpi.name;
    CTI_MPI_FUNCTIONS(LOAD)
#undef LOAD
    return complete;
}

static mpi_handle handle(void *library, const char *name)
{
    return (mpi_handle)dlsym(library, name);
}

static void load_handles(void *library)
{
    static const char *const types[CT_DTYPE_COUNT] = {
        [CT_UINT8] = "ompi_mpi_uint8_t",
        [CT_INT8] = "ompi_mpi_int8_t",
        [CT_INT16] = "ompi_mpi_int16_t",
        [CT_INT32] = "ompi_mpi_int32_t",
        [CT_INT64] = "ompi_mpi_int64_t",
        [CT_UINT16] = "ompi_mpi_uint16_t",
        [CT_UINT32] = "ompi_mpi_uint32_t",
        [CT_UINT64] = "ompi_mpi_uint64_t",
        [CT_FLOAT32] = "ompi_mpi_float",
        [CT_FLOAT64] = "ompi_mpi_double",
        [CT_COMPLEX64] = "ompi_mpi_c_float_complex",
        [CT_COMPLEX128] = "ompi_mpi_c_double_complex",
    };
    static const char *const ops[CT_REDUCE_OPS] = {
        [CT_REDUCE_SUM] = "ompi_mpi_op_sum",      [CT_REDUCE_AVG] = "ompi_mpi_op_sum",
        [CT_REDUCE_PRODUCT] = "ompi_mpi_op_prod", [CT_REDUCE_MIN] = "ompi_mpi_op_min",
        [CT_REDUCE_MAX] = "ompi_mpi_op_max",      [CT_REDUCE_BAND] = "ompi_mpi_op_band",
        [CT_REDUCE_BOR] = "ompi_mpi_op_bor",      [CT_REDUCE_BXOR] = "ompi_mpi_op_bxor",
    };
    for (int i = 0; i < CT_DTYPE_COUNT; i++)
        cti_mpi.type[i] = types[i] ? handle(library, types[i]) : NULL;
    for (int i = 0; i < CT_REDUCE_OPS; i++)
        cti_mpi.op[i] = handle(library, ops[i]);
    cti_mpi.byte = handle(library, "ompi_mpi_byte");
    cti_mpi.errors_return = handle(library, "ompi_mpi_errors_return");
}

static void mpi_load(void)
{
    void *library = open_any();
    if (!library)
        return;
    cti_mpi.world = handle(library, "ompi_mpi_comm_world");
    if (!cti_mpi.world) {
        why = "the MPI library is not Open MPI; MPICH and its derivatives are not supported";
        return;
    }
    why = "the MPI library lacks functions of MPI 3";
    load_handles(library);
    usable = load_functions(library) && cti_mpi.byte && cti_mpi.errors_return;
}

bool cti_mpi_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, mpi_load);
    return usable;
}

const char *cti_mpi_why(void)
{
    return why;
}
