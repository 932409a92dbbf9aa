/* SPDX-License-Identifier: BSD-3-Clause */
/* Autocast: within its scope some operations compute in a smaller type, others in float32. The key
 * `autocast` in the row of an operation gives its class for each kind of device. The generated
 * entry point checks cti_autocast_on() and, if that is true, casts the arguments and calls itself
 * again with autocast off. The casts are differentiable.
 *
 * Note [Autocast pauses]: the implementation of an operation, its derivative, and its in-place and
 * `out` forms choose the types with which they call other operations, so autocast pauses while they
 * run. An operation that is composed of differentiable operations does not pause: each of those is
 * cast according to its own class. */
#ifndef CORTEN_AUTOGRAD_AUTOCAST_H
#define CORTEN_AUTOGRAD_AUTOCAST_H

#include "core/tensor.h"

/* Kinds of devices, each with its own state; also the numbers of bits in sets. */
enum cti_autocast_kind { CTI_AUTOCAST_CPU, CTI_AUTOCAST_CUDA, CTI_AUTOCAST_KINDS };

struct cti_autocast_mode {
    uint8_t on;                        /* kinds whose calls are cast now */
    uint8_t requested;                 /* the kinds that the program has switched on */
    bool cache_off;                    /* casts of parameters are not cached */
    uint8_t dtype[CTI_AUTOCAST_KINDS]; /* the smaller type; 0: the default of the kind */
    int32_t nesting;
};
extern __thread struct cti_autocast_mode cti_autocast_mode
    __attribute__((tls_model("initial-exec")));

static inline bool cti_autocast_on(void)
{
    return __builtin_expect(cti_autocast_mode.on != 0, 0);
}

/* Switches casts off, see Note [Autocast pauses]; returns the argument for cti_autocast_restore. */
static inline uint8_t cti_autocast_pause(void)
{
    uint8_t was = cti_autocast_mode.on;
    cti_autocast_mode.on = 0;
    return was;
}

/* Callbacks of the program that run within a pause see the state that the program has set. */
static inline uint8_t cti_autocast_resume(void)
{
    uint8_t was = cti_autocast_mode.on;
    cti_autocast_mode.on = cti_autocast_mode.requested;
    return was;
}

static inline void cti_autocast_restore(uint8_t was)
{
    cti_autocast_mode.on = was;
}

static inline void cti_autocast_leave(const uint8_t *was)
{
    cti_autocast_mode.on = *was;
}

/* Pauses until the function returns. */
#define CTI_AUTOCAST_PAUSE                                                                         \
    __attribute__((cleanup(cti_autocast_leave), unused)) uint8_t casting = cti_autocast_pause()

enum cti_autocast_to {
    CTI_AUTOCAST_NONE,
    CTI_AUTOCAST_LOW,    /* the smaller type */
    CTI_AUTOCAST_FULL,   /* float32 */
    CTI_AUTOCAST_WIDEST, /* the widest type of the arguments; float64 arguments are not cast */
    CTI_AUTOCAST_RESULT, /* arguments stay; the result is float32 unless the caller names a type */
    CTI_AUTOCAST_REFUSED /* overflows in half precision: an error that names the alternative */
};

/* The state of one call: the class of the operation for each kind of device, and the casts. */
struct cti_autocast {
    enum cti_autocast_to to[CTI_AUTOCAST_KINDS];
    uint8_t kinds; /* device kinds of the arguments */
    /* arguments have a half type other than the smaller type */
    bool mixed[CTI_AUTOCAST_KINDS];
    enum ct_dtype most[CTI_AUTOCAST_KINDS]; /* the widest type so far, CT_NO_DTYPE: none */
    /* The members below are set by cti_autocast_begin. */
    enum cti_autocast_kind kind;
    enum ct_dtype dtype; /* to which arguments are cast */
    bool failed;
    uint8_t was; /* cti_autocast_mode.on before */
    int64_t n;
    ct_tensor *made[12]; /* owned */
    ct_tensor **list;    /* owned, with its tensors */
    int64_t listed;
};

/* Call for each argument before cti_autocast_begin. */
void cti_autocast_see(struct cti_autocast *c, const ct_tensor *t);
void cti_autocast_see_value(struct cti_autocast *c, ct_value v);
void cti_autocast_see_list(struct cti_autocast *c, ct_list list);
/* True: the operation has a class on the device of the arguments, and autocast is off there until
 * cti_autocast_end. */
bool cti_autocast_begin(struct cti_autocast *c);
/* Returns the argument after the cast, borrowed from c. NULL: failed. */
ct_tensor *cti_autocast_tensor(struct cti_autocast *c, ct_tensor *t);
ct_value cti_autocast_value(struct cti_autocast *c, ct_value v);
/* at most one list for each call */
ct_list cti_autocast_list(struct cti_autocast *c, ct_list list);
/* Returns the type of the result. dtype: the type that the caller asked for; first: the first
 * tensor argument. */
enum ct_dtype cti_autocast_dtype(const struct cti_autocast *c, const ct_tensor *first,
                                 enum ct_dtype dtype);
void cti_autocast_end(struct cti_autocast *c);

/* ---- for functions that choose their types themselves ---- */

/* Whether autocast is on for t's device; sets *dtype to the smaller type. */
bool cti_autocast_of(const ct_tensor *t, enum ct_dtype *dtype);
/* Returns t cast to dtype if it has half or single precision, otherwise t. The cast is
 * differentiable; the caller owns the result. */
ct_tensor *cti_autocast_cast(ct_tensor *t, enum ct_dtype dtype);

/* ---- cache.c ---- */

/* Note [Casts of parameters]: within a scope a parameter is cast once, however often it is used, so
 * that its gradients are added up before they are cast back. One table holds the casts of all
 * threads; it is emptied when a thread's outermost scope ends. A parameter that is written in
 * between keeps its old cast until then, as in PyTorch. */

/* Returns t, a float32 leaf that requires a gradient, cast to a smaller type. The caller owns the
 * result. */
ct_tensor *cti_autocast_cached(ct_tensor *t, enum ct_dtype dtype);

#endif
