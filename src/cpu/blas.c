/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and opens a BLAS library; see blas.h. This happens once, at the first product or
 * factorisation that needs BLAS, never when Corten is loaded. */
#define _GNU_SOURCE
#include "cpu/blas.h"

#include "core/fork.h"
#include "core/tensor.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Note [A library's memory]: OpenBLAS needs a buffer of 64 MiB for each of its concurrent calls and
 * ends the process when it cannot allocate one. So we open it only if there is memory for its code
 * and one buffer, and make it allocate that buffer at once; it keeps the buffer. A concurrent call
 * starts only if there is memory for one more buffer; otherwise it waits until no other call is
 * running. Querying free memory is a system call, too slow for each of the thousands of tiles of a
 * factorisation, so one query admits several calls, and is repeated after the last of them has
 * returned. */
enum { CALLS_AT_ONCE = 64, TOGETHER = 16 };
#define BUFFER_BYTES ((size_t)80 << 20)  /* slightly more than one buffer */
#define LIBRARY_BYTES ((size_t)48 << 20) /* code and data */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct cti_blas table;
static bool found, wished, starved;
static char trouble[512]; /* why the library named by CORTEN_BLAS could not be opened */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t left;
    atomic_int inside;  /* running calls */
    atomic_int allowed; /* calls that may run until all have returned; changed under the lock */
    atomic_int waiting;
} permits = {.lock = PTHREAD_MUTEX_INITIALIZER, .left = PTHREAD_COND_INITIALIZER};
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER; /* one thread opens a library */

/* Resets the counters: the calls of the parent's other threads do not exist in the child. */
static void after_fork_in_child(void)
{
    pthread_mutex_init(&permits.lock, NULL);
    pthread_cond_init(&permits.left, NULL);
    atomic_store(&permits.inside, 0);
    atomic_store(&permits.waiting, 0);
}

__attribute__((constructor)) static void watch_forks(void)
{
    cti_fork_guard(&opening, 0);
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

/* Looks up a function by name, with or without the symbol prefix of PyPI's OpenBLAS. */
static void *symbol(void *library, const char *name)
{
    char prefixed[64];
    snprintf(prefixed, sizeof prefixed, "scipy_%s", name);
    void *address = dlsym(library, prefixed);
    return address ? address : dlsym(library, name);
}

/* POSIX allows the conversion of a data pointer to a function pointer; C does not. */
bool cti_blas_find(void *library, const char *name, void *function)
{
    void *address = symbol(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

/* Corten does the threading. MKL selects its threading layer by number: 1 is sequential. */
static void make_single(void *library)
{
    static const char *const setters[] = {"openblas_set_num_threads", "MKL_Set_Threading_Layer",
                                          "bli_thread_set_num_threads"};
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++) {
        void (*set)(long);
        if (cti_blas_find(library, setters[i], &set))
            set(1);
    }
}

static bool memory_for(size_t nbytes)
{
    void *address = mmap(NULL, nbytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED)
        return false;
    munmap(address, nbytes);
    return true;
}

/* Makes OpenBLAS allocate its buffer by factoring a 1 by 1 matrix. */
static void take_buffer(void *library)
{
    void (*potrf)(const char *uplo, const int *n, float *a, const int *lda, int *info, size_t);
    int one = 1, info;
    float number = 1;
    if (cti_blas_find(library, "spotrf_", &potrf))
        potrf("L", &one, &number, &one, &info, 1);
}

static bool open_library(const char *path, bool (*take)(void *library))
{
    if (!memory_for(LIBRARY_BYTES + BUFFER_BYTES)) {
        starved = true;
        return false;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
    if (!take(library)) {
        dlclose(library);
        return false;
    }
    make_single(library);
    take_buffer(library);
    return true;
}

static bool take_products(void *library)
{
    struct cti_blas fresh;
    if (!cti_blas_find(library, "cblas_sgemm", &fresh.sgemm) ||
        !cti_blas_find(library, "cblas_dgemm", &fresh.dgemm) ||
        !cti_blas_find(library, "cblas_cgemm", &fresh.cgemm) ||
        !cti_blas_find(library, "cblas_zgemm", &fresh.zgemm))
        return false;
    table = fresh;
    return true;
}

/* Tries ../scipy_openblas32/lib beside site-packages/corten/libcorten.so, and up to two levels
 * higher for a plain C installation. */
static bool open_neighbour(bool (*take)(void *library))
{
    Dl_info here;
    char path[4096];
    if (!dladdr(&table, &here) || !here.dli_fname || strlen(here.dli_fname) > sizeof path - 64)
        return false;
    strcpy(path, here.dli_fname);
    for (int level = 0; level < 4; level++) {
        char *slash = strrchr(path, '/');
        if (!slash)
            return false;
        strcpy(slash, "/scipy_openblas32/lib/libscipy_openblas.so");
        if (open_library(path, take))
            return true;
        *slash = '\0';
    }
    return false;
}

/* Keeps the error for cti_blas_trouble; always returns false. */
static bool note_trouble(const char *wish)
{
    const char *why = starved ? "there is not enough memory to open it" : dlerror();
    snprintf(trouble, sizeof trouble, "CORTEN_BLAS is '%s', which cannot be used: %s", wish,
             why ? why : "it lacks functions of BLAS or LAPACK with 32-bit integers");
    return false;
}

const char *cti_blas_trouble(void)
{
    pthread_mutex_lock(&opening);
    const char *text = *trouble ? trouble : NULL;
    pthread_mutex_unlock(&opening);
    return text;
}

static bool open_any(bool (*take)(void *library), const char *const *names)
{
    const char *wish = getenv("CORTEN_BLAS");
    if (wish && *wish)
        return strcmp(wish, "none") != 0 && (open_library(wish, take) || note_trouble(wish));
    if (open_neighbour(take))
        return true;
    for (; *names; names++)
        if (open_library(*names, take))
            return true;
    return false;
}

/* On loading, OpenBLAS starts a thread for each processor that the calling thread may run on. So
 * this thread restricts itself to one processor during the load. Setting an environment variable
 * instead would not be safe while other threads read the environment. */
static bool open_alone(bool (*take)(void *library), const char *const *names)
{
    cpu_set_t all, one;
    int here = sched_getcpu();
    bool narrowed = here >= 0 && pthread_getaffinity_np(pthread_self(), sizeof all, &all) == 0;
    CPU_ZERO(&one);
    if (narrowed)
        CPU_SET((size_t)here, &one);
    narrowed = narrowed && pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
    pthread_mutex_lock(&opening);
    starved = false;
    bool opened = open_any(take, names);
    pthread_mutex_unlock(&opening);
    if (narrowed)
        pthread_setaffinity_np(pthread_self(), sizeof all, &all);
    return opened;
}

static void open_once(void)
{
    static const char *const names[] = {"libopenblas.so.0", "libmkl_rt.so.2", "libmkl_rt.so.3",
                                        "libblas.so.3", NULL};
    const char *wish = getenv("CORTEN_BLAS");
    found = open_alone(take_products, names);
    wished = found && wish && *wish;
}

const struct cti_blas *cti_blas(void)
{
    pthread_once(&once, open_once);
    return found ? &table : NULL;
}

bool cti_blas_search(bool (*take)(void *library), bool *no_memory)
{
    static const char *const names[] = {
#ifdef CORTEN_BLAS_PATH
        CORTEN_BLAS_PATH,
#endif
        "libopenblas.so.0", "libmkl_rt.so.2", "libmkl_rt.so.3", "liblapack.so.3", NULL};
    bool opened = open_alone(take, names);
    *no_memory = starved;
    return opened;
}

bool cti_blas_wished(void)
{
    /* If CORTEN_BLAS is not set, opens nothing: products then use our own kernels and need no
     * library. Racing first callers compute the same value. */
    static int named = -1;
    int known = __atomic_load_n(&named, __ATOMIC_RELAXED);
    if (known < 0) {
        const char *wish = getenv("CORTEN_BLAS");
        known = wish && *wish;
        __atomic_store_n(&named, known, __ATOMIC_RELAXED);
    }
    if (!known)
        return false;
    static bool said;
    if (!cti_blas() && cti_blas_trouble())
        cti_warn_once(&said, "%s; products use Corten's own loops", cti_blas_trouble());
    return wished;
}

/* Joins the `inside` running calls if one more is allowed. */
static bool enter_beside(int inside)
{
    while (inside > 0 && inside < atomic_load(&permits.allowed))
        if (atomic_compare_exchange_weak(&permits.inside, &inside, inside + 1))
            return true;
    return false;
}

/* Under the lock. The first call needs no check: the library has its buffer. */
static bool enter_first_or_allow(void)
{
    int inside = atomic_load(&permits.inside);
    if (inside >= CALLS_AT_ONCE)
        return false;
    if (inside == 0 || inside >= atomic_load(&permits.allowed)) {
        int more = memory_for(TOGETHER * BUFFER_BYTES)  ? TOGETHER
                   : inside && memory_for(BUFFER_BYTES) ? 1
                                                        : 0;
        if (inside && !more)
            return false;
        int allowed = inside + more > CALLS_AT_ONCE ? CALLS_AT_ONCE : inside + more;
        atomic_store(&permits.allowed, allowed);
    }
    return inside == 0 ? atomic_compare_exchange_strong(&permits.inside, &inside, 1)
                       : enter_beside(inside);
}

void cti_blas_enter(void)
{
    if (enter_beside(atomic_load(&permits.inside)))
        return;
    pthread_mutex_lock(&permits.lock);
    atomic_fetch_add(&permits.waiting, 1);
    while (!enter_first_or_allow())
        if (atomic_load(&permits.inside) > 0)
            pthread_cond_wait(&permits.left, &permits.lock);
    atomic_fetch_sub(&permits.waiting, 1);
    pthread_mutex_unlock(&permits.lock);
}

void cti_blas_leave(void)
{
    atomic_fetch_sub(&permits.inside, 1);
    if (atomic_load(&permits.waiting) == 0)
        return;
    pthread_mutex_lock(&permits.lock);
    pthread_cond_signal(&permits.left);
    pthread_mutex_unlock(&permits.lock);
}
