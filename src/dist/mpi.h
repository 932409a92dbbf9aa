/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of an MPI library that are used, with our own declarations and loaded on first use,
 * so that building needs no MPI. Handles are Open MPI's, which are pointers; MPICH and its
 * derivatives use integers and are not supported. Only mpi.c and mpi_library.c include this. */
#ifndef CORTEN_DIST_MPI_H
#define CORTEN_DIST_MPI_H

#include "corten/base.h"

typedef struct mpi_handle *mpi_handle; /* a communicator, group, data type, operation or request */

struct mpi_status { /* starts like Open MPI's, padded to be longer */
    int source, tag, error;
    char rest[116];
};

#define MPI_ANY_SOURCE_ (-1)
#define MPI_SERIALIZED_ 2
#define MPI_IN_PLACE_ ((void *)1)

/* field, name in the library, arguments */
#define CTI_MPI_FUNCTIONS(X)                                                                       \
    X(initialized, MPI_Initialized, (int *flag))                                                   \
    X(init, MPI_Init_thread, (int *argc, char ***argv, int required, int *provided))               \
    X(finalize, MPI_Finalize, (void))                                                              \
    X(error_text, MPI_Error_string, (int code, char *text, int *length))                           \
    X(comm_rank, MPI_Comm_rank, (mpi_handle comm, int *rank))                                      \
    X(comm_size, MPI_Comm_size, (mpi_handle comm, int *size))                                      \
    X(comm_dup, MPI_Comm_dup, (mpi_handle comm, mpi_handle * copy))                                \
    X(comm_free, MPI_Comm_free, (mpi_handle * comm))                                               \
    X(comm_errors, MPI_Comm_set_errhandler, (mpi_handle comm, mpi_handle handler))                 \
    X(comm_group, MPI_Comm_group, (mpi_handle comm, mpi_handle * group))                           \
    X(comm_create, MPI_Comm_create_group,                                                          \
      (mpi_handle comm, mpi_handle group, int tag, mpi_handle *made))                              \
    X(group_some, MPI_Group_incl, (mpi_handle group, int n, const int *ranks, mpi_handle *made))   \
    X(group_free, MPI_Group_free, (mpi_handle * group))                                            \
    X(send, MPI_Isend,                                                                             \
      (const void *data, int n, mpi_handle type, int peer, int tag, mpi_handle comm,               \
       mpi_handle *request))                                                                       \
    X(receive, MPI_Irecv,                                                                          \
      (void *data, int n, mpi_handle type, int peer, int tag, mpi_handle comm,                     \
       mpi_handle *request))                                                                       \
    X(test, MPI_Test, (mpi_handle * request, int *done, struct mpi_status *status))                \
    X(count, MPI_Get_count, (const struct mpi_status *status, mpi_handle type, int *n))            \
    X(cancel, MPI_Cancel, (mpi_handle * request))                                                  \
    X(request_free, MPI_Request_free, (mpi_handle * request))                                      \
    X(barrier, MPI_Ibarrier, (mpi_handle comm, mpi_handle * request))                              \
    X(broadcast, MPI_Ibcast,                                                                       \
      (void *data, int n, mpi_handle type, int root, mpi_handle comm, mpi_handle *request))        \
    X(all_reduce, MPI_Iallreduce,                                                                  \
      (const void *in, void *out, int n, mpi_handle type, mpi_handle op, mpi_handle comm,          \
       mpi_handle *request))                                                                       \
    X(reduce, MPI_Ireduce,                                                                         \
      (const void *in, void *out, int n, mpi_handle type, mpi_handle op, int root,                 \
       mpi_handle comm, mpi_handle *request))                                                      \
    X(all_gather, MPI_Iallgather,                                                                  \
      (const void *in, int nin, mpi_handle intype, void *out, int nout, mpi_handle outtype,        \
       mpi_handle comm, mpi_handle *request))

struct cti_mpi {
#define FIELD(name, symbol, arguments) int(*name) arguments;
    CTI_MPI_FUNCTIONS(FIELD)
#undef FIELD
    mpi_handle world, byte, errors_return;
    mpi_handle type[CT_DTYPE_COUNT]; /* NULL: unsupported */
    mpi_handle op[8];                /* by enum ct_reduce_op; NULL: none */
};

extern struct cti_mpi cti_mpi;

/* Loads the library once; false without an error if none is usable. */
bool cti_mpi_open(void);
/* The reason why cti_mpi_open failed, for the error message. */
const char *cti_mpi_why(void);

#endif
