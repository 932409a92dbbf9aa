/* SPDX-License-Identifier: BSD-3-Clause */
/* The internal interface of the Fourier engine. fft.c iterates over tensors, plan.c makes and
 * caches plans, chirp.c transforms lengths with large primes; the arithmetic is in loops.c,
 * compiled once for each instruction set. Private to this folder.
 *
 * Note [Atoms]: the loops transform several lines at once, one in each lane of a vector. An atom is
 * one complex element of all those lines: a vector of real parts, then one of imaginary parts. So
 * each instruction processes all lanes, and a transposed matrix of lines is an array of atoms. A
 * single line is an array of atoms with one lane, which is the interleaved complex layout.
 *
 * Note [Lanes]: a single line of n = lanes * m elements is transformed in L1 and still fully
 * vectorised. The first pass has radix `lanes` and works on vectors of adjacent elements. Its
 * results, transposed in registers, are m atoms, each lane of which is an independent transform of
 * length m; the final result is in order.
 *
 * Note [Inverse]: exchanging real and imaginary parts of both input and output makes a transform
 * its inverse. The loops get two pointers into the atoms, and exchange those. */
#ifndef CORTEN_CPU_FFT_H
#define CORTEN_CPU_FFT_H

#include "core/backend.h"

#define CTI_FFT_STEPS 40
#define CTI_FFT_PRIME 127 /* the largest radix; larger primes use Bluestein's algorithm */

/* One pass of Stockham's autosort algorithm: s sets of m butterflies of `radix` elements. */
struct cti_fft_step {
    int64_t radix, m, s;
    const void *twiddle; /* [m][radix - 1] complex; the last pass needs none */
    const void *trig;    /* odd radix: its cosines, then its sines */
};

enum cti_fft_algorithm {
    CTI_FFT_DIRECT, /* passes over the whole length */
    CTI_FFT_LANES,  /* a first pass fills the lanes: Note [Lanes] */
    CTI_FFT_SPLIT,  /* four-step: rows x columns with twiddles in between */
    CTI_FFT_CHIRP,  /* Bluestein: a convolution of smooth length */
    CTI_FFT_HALVES  /* only the table for real lines of twice the length */
};

struct cti_fft_plan {
    int64_t n;
    enum ct_dtype dtype; /* of the tables; chirps are always CT_FLOAT64 */
    enum cti_fft_algorithm algorithm;
    int steps;
    struct cti_fft_step step[CTI_FFT_STEPS];
    /* split: plans of the lengths `rows` (down) and `columns` (across); lanes, chirp: only down */
    struct cti_fft_plan *down, *across;
    /* split: twiddles [block][row] of atoms, or, for long lines, `fine` [row] of atoms for the
     * first block and `table` [block][row] of complex numbers to rotate it for the others.
     * lanes: [block][1 ... lanes - 1] of atoms.
     * chirp: the chirp, and in `fine` its transform; halves: the upper half of the unit circle */
    void *table, *fine;
    /* Private to plan.c. */
    struct cti_block *block; /* memory of the tables */
    int64_t refs, bytes;
    struct cti_fft_plan *next;
};

/* Returns a shared, cached plan, or NULL and an error. n > 0; DIRECT only for smooth lengths. */
struct cti_fft_plan *cti_fft_plan_get(int64_t n, enum ct_dtype dtype,
                                      enum cti_fft_algorithm algorithm);
void cti_fft_plan_put(struct cti_fft_plan *plan);
/* Returns the best algorithm for a single line. For blocks, DIRECT works for every smooth
 * length. */
enum cti_fft_algorithm cti_fft_algorithm_for(int64_t n, enum ct_dtype dtype);
bool cti_fft_smooth(int64_t n); /* no prime above CTI_FFT_PRIME */
/* exp(-2 pi i k / n), accurate to within an ulp. */
void cti_fft_root(int64_t k, int64_t n, double *re, double *im);

/* The leading dimension of a split line's transposed matrix, and its rows rounded up to vectors.
 * Rows are padded by one vector, since otherwise they would all fall into the same cache sets. */
#define CTI_FFT_UP(n, lanes) (((n) + (lanes)-1) / (lanes) * (lanes))
#define CTI_FFT_WIDTH(rows, lanes) (CTI_FFT_UP(rows, lanes) + (lanes))

/* The distance between a line's two atom arrays, chosen to avoid L1 set conflicts. */
static inline int64_t cti_fft_array_bytes(int64_t atoms)
{
    return CTI_FFT_UP(atoms, 64) + 704;
}

/* The workspace of one line: cti_fft_line_bytes() bytes for the given number of tasks. */
struct cti_fft_work {
    char *memory;
    int64_t tasks; /* threads that may share the line */
    /* NULL, or the next line's contiguous source and result, of which one byte is prefetched for
     * each complex number of the transform. */
    const char *next_src, *next_dst;
    /* NULL, or memory for n + 1 real and n + 1 imaginary parts, to which a split line writes them
     * instead of its result. */
    char *planes;
};
int64_t cti_fft_line_bytes(const struct cti_fft_plan *plan, int64_t tasks);

/* The addresses of a block of lines: the real part of element j of lane l is at lane[l] + j * step,
 * its imaginary part `im` bytes after that. */
struct cti_fft_side {
    char *const *lane;
    int64_t lanes, step, im;
};

struct cti_fft_loops {
    int64_t lanes, atom; /* lanes of a block; bytes of an atom */
    /* One contiguous line from src to dst, which may alias; not for chirps. */
    void (*line)(const struct cti_fft_plan *plan, const char *src, char *dst, bool inverse,
                 double scale, const struct cti_fft_work *work);
    /* A real line of 2n elements by a plan of n; z and planes have room for a line each. */
    void (*real_line)(const struct cti_fft_plan *plan, const char *src, char *dst,
                      const void *circle, double scale, char *z, char *planes,
                      struct cti_fft_work *work);
    /* A block by a direct plan, with atom buffers x and y. With `from` NULL the input is in x. With
     * `to` NULL the result stays in atoms, in x or y, and is returned. */
    char *(*block)(const struct cti_fft_plan *plan, const struct cti_fft_side *from,
                   const struct cti_fft_side *to, char *x, char *y, bool inverse, double scale);
    /* Copies `count` atoms from or to memory. */
    void (*load)(char *atoms, const struct cti_fft_side *from, int64_t count);
    void (*store)(const struct cti_fft_side *to, char *atoms, int64_t count, double scale);
    /* Real lines of 2n elements. after: makes the n + 1 elements of the result from n transformed
     * pairs z. before: the inverse, makes pairs whose inverse transform is the real line. For
     * blocks of atoms, and for single lines (planes has room for 2n + 2 reals; z NULL: they hold z
     * already). */
    void (*after_atoms)(char *dst, const char *z, int64_t n, const void *circle, double scale);
    void (*before_atoms)(char *z, const char *src, int64_t n, const void *circle, double scale);
    void (*after_line)(char *dst, const char *z, int64_t n, const void *circle, double scale,
                       char *planes);
    void (*before_line)(char *z, const char *src, int64_t n, const void *circle, double scale,
                        char *planes);
};
/* Returns the loops for the best instruction set. */
const struct cti_fft_loops *cti_fft_loops_for(enum ct_dtype dtype);

/* Transforms one contiguous line of complex64 or complex128 numbers with any plan; src and dst may
 * alias. */
void cti_fft_line(const struct cti_fft_plan *plan, enum ct_dtype dtype, const char *src, char *dst,
                  bool inverse, double scale, const struct cti_fft_work *work);
void cti_fft_chirp(const struct cti_fft_plan *plan, bool narrow, const char *src, char *dst,
                   bool inverse, double scale, const struct cti_fft_work *work);

#endif
