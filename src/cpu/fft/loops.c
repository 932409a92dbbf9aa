/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of the Fourier engine, compiled once for each instruction set; fft.c calls it
 * through a table. Lanes are independent: a line's result does not depend on its neighbours. */
#include "cpu/fft/fft.h"

#include "core/interrupt.h"
#include "core/parallel.h"
#include "cpu/isa.h"
#include "cpu/pointwise/pack.h"
#include "cpu/simd/fma.h"

#include <string.h>

/* Hides the origin of a pointer from gcc, which would otherwise keep a separate pointer for each
 * element of a butterfly, more than there are registers. */
#define HIDE(p) __asm__("" : "+r"(p))
#define INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)
#define WIDTH 64
#elif defined(__AVX2__)
#define WIDTH 32
#else
#define WIDTH 16
#endif

typedef float vec_f32 __attribute__((vector_size(WIDTH)));
typedef double vec_f64 __attribute__((vector_size(WIDTH)));
/* Unaligned vectors; gcc would split a memcpy into two halves. */
typedef float loose_f32 __attribute__((vector_size(WIDTH), aligned(1), may_alias));
typedef double loose_f64 __attribute__((vector_size(WIDTH), aligned(1), may_alias));

#if WIDTH == 64
#define LANES_OF_4(which) which##_16
#define LANES_OF_8(which) which##_8
#define BLOCKS_OF(which) which##_64
#elif WIDTH == 32
#define LANES_OF_4(which) which##_8
#define LANES_OF_8(which) which##_4
#define BLOCKS_OF(which) which##_32
#else
#define LANES_OF_4(which) which##_4
#define LANES_OF_8(which) which##_2
#define BLOCKS_OF(which) which##_16
#endif
#include "cpu/fft/shuffles.h"

#define T float
#define V float
#define NAME(x) single_##x##_f32
#include "cpu/fft/passes.h"
#define BY_LANES(which) LANES_OF_4(which)
#define BY_BLOCKS(which) BLOCKS_OF(which##_4)
#define V vec_f32
#define LOOSE loose_f32
#define NAME(x) several_##x##_f32
#include "cpu/fft/passes.h"
#define VEC vec_f32
#define LANES (WIDTH / 4)
#define NAME(x) x##_f32
#include "cpu/fft/lines.h"
#include "cpu/fft/real.h"

#define T double
#define V double
#define NAME(x) single_##x##_f64
#include "cpu/fft/passes.h"
#define BY_LANES(which) LANES_OF_8(which)
#define BY_BLOCKS(which) BLOCKS_OF(which##_8)
#define V vec_f64
#define LOOSE loose_f64
#define NAME(x) several_##x##_f64
#include "cpu/fft/passes.h"
#define VEC vec_f64
#define LANES (WIDTH / 8)
#define NAME(x) x##_f64
#include "cpu/fft/lines.h"
#include "cpu/fft/real.h"

extern const struct cti_fft_loops CTI_ISA_NAME(cti_fft_f32), CTI_ISA_NAME(cti_fft_f64);
const struct cti_fft_loops CTI_ISA_NAME(cti_fft_f32) = {
    .lanes = WIDTH / 4,
    .atom = 2 * WIDTH,
    .line = line_f32,
    .real_line = real_line_f32,
    .block = block_f32,
    .load = load_f32,
    .store = store_f32,
    .after_atoms = after_atoms_f32,
    .before_atoms = before_atoms_f32,
    .after_line = after_line_f32,
    .before_line = before_line_f32,
};
const struct cti_fft_loops CTI_ISA_NAME(cti_fft_f64) = {
    .lanes = WIDTH / 8,
    .atom = 2 * WIDTH,
    .line = line_f64,
    .real_line = real_line_f64,
    .block = block_f64,
    .load = load_f64,
    .store = store_f64,
    .after_atoms = after_atoms_f64,
    .before_atoms = before_atoms_f64,
    .after_line = after_line_f64,
    .before_line = before_line_f64,
};
