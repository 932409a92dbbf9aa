/* SPDX-License-Identifier: BSD-3-Clause */
/* The arithmetic of the Fourier engine, built once for each instruction set; fft.c calls it by
 * table. Lanes never meet: what is computed for one line does not depend on those beside it. */
#include "cpu/fft/fft.h"

#include "core/interrupt.h"
#include "core/parallel.h"
#include "cpu/isa.h"
#include "cpu/pointwise/pack.h"

#include <string.h>

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

/* Which elements of two vectors are the real parts, the imaginary parts; and back. The lists are
 * for elements of 4 and of 8 bytes. */
#define EVENS_2 0, 2
#define ODDS_2 1, 3
#define LOWS_2 0, 2
#define BACK_2 1, 0
#define HIGHS_2 1, 3
#define EVENS_4 0, 2, 4, 6
#define ODDS_4 1, 3, 5, 7
#define LOWS_4 0, 4, 1, 5
#define BACK_4 3, 2, 1, 0
#define HIGHS_4 2, 6, 3, 7
#define EVENS_8 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS_8 1, 3, 5, 7, 9, 11, 13, 15
#define LOWS_8 0, 8, 1, 9, 2, 10, 3, 11
#define BACK_8 7, 6, 5, 4, 3, 2, 1, 0
#define HIGHS_8 4, 12, 5, 13, 6, 14, 7, 15
#define EVENS_16 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS_16 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define LOWS_16 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define BACK_16 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define HIGHS_16 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#if WIDTH == 64
#define LIST_4(which) which##_16
#define LIST_8(which) which##_8
#elif WIDTH == 32
#define LIST_4(which) which##_8
#define LIST_8(which) which##_4
#else
#define LIST_4(which) which##_4
#define LIST_8(which) which##_2
#endif

#define T float
#define V vec_f32
#define NAME(x) several_##x##_f32
#include "cpu/fft/passes.h"
#define V float
#define NAME(x) single_##x##_f32
#include "cpu/fft/passes.h"
#define VEC vec_f32
#define LANES (WIDTH / 4)
#define EVENS LIST_4(EVENS)
#define ODDS LIST_4(ODDS)
#define LOWS LIST_4(LOWS)
#define HIGHS LIST_4(HIGHS)
#define BACK LIST_4(BACK)
#define NAME(x) x##_f32
#include "cpu/fft/lines.h"

#define T double
#define V vec_f64
#define NAME(x) several_##x##_f64
#include "cpu/fft/passes.h"
#define V double
#define NAME(x) single_##x##_f64
#include "cpu/fft/passes.h"
#define VEC vec_f64
#define LANES (WIDTH / 8)
#define EVENS LIST_8(EVENS)
#define ODDS LIST_8(ODDS)
#define LOWS LIST_8(LOWS)
#define HIGHS LIST_8(HIGHS)
#define BACK LIST_8(BACK)
#define NAME(x) x##_f64
#include "cpu/fft/lines.h"

extern const struct cti_fft_loops CTI_ISA_NAME(cti_fft_f32), CTI_ISA_NAME(cti_fft_f64);
const struct cti_fft_loops CTI_ISA_NAME(cti_fft_f32) = {
    .lanes = WIDTH / 4,
    .atom = 2 * WIDTH,
    .line = line_f32,
    .run = several_run_f32,
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
    .run = several_run_f64,
    .load = load_f64,
    .store = store_f64,
    .after_atoms = after_atoms_f64,
    .before_atoms = before_atoms_f64,
    .after_line = after_line_f64,
    .before_line = before_line_f64,
};
