/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings that the library reads, and the processor's floating-point mode, which the threads of a
 * parallel region take over from the thread that started it. */
#ifndef CORTEN_CORE_SETTINGS_H
#define CORTEN_CORE_SETTINGS_H

#include "corten/base.h"

/* Returns how the calling thread treats unusual broadcasting, see ct_set_broadcast. */
enum ct_broadcast cti_broadcast_rule(void);
/* Whether as_strided and ct_set_source accept negative strides. */
bool cti_negative_strides(void);
/* Whether ct_empty and the like fill their memory, see ct_set_fill_empty. */
bool cti_fill_empty(void);

/* The mode without the sticky exception flags. CTI_FLUSH_BITS flush denormal results and operands
 * to 0: FTZ and DAZ of x86, FZ of ARM. */
#if defined(__x86_64__)
#define CTI_FLUSH_BITS 0x8040u
static inline unsigned cti_float_mode(void)
{
    return __builtin_ia32_stmxcsr() & 0xffc0u;
}
static inline void cti_set_float_mode(unsigned mode)
{
    __builtin_ia32_ldmxcsr(mode);
}
#elif defined(__aarch64__)
#define CTI_FLUSH_BITS (1u << 24)
static inline unsigned cti_float_mode(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return (unsigned)mode;
}
static inline void cti_set_float_mode(unsigned mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)mode));
}
#else
#define CTI_FLUSH_BITS 0u
static inline unsigned cti_float_mode(void)
{
    return 0;
}
static inline void cti_set_float_mode(unsigned mode)
{
    (void)mode;
}
#endif

#endif
