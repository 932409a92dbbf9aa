/* SPDX-License-Identifier: BSD-3-Clause */
/* A pointwise program with its geometry prepared. pointwise.c passes it to the files that run it,
 * by blocks (block.c) or as a copy (copy.c). Private to this folder.
 *
 * Note [Block paths]: an operand is *direct* (contiguous along the block, so that loops access it
 * in place), a *number* (stride 0), or *packed* (strided, transposed or of another type: loaded
 * into a buffer first, or stored from one afterwards). Dims are ordered by the result's strides,
 * innermost first, and merged if all operands allow it. Long inner dims are cut into blocks. Short
 * ones are treated as one long line with several rows in a block; since a block is then a multiple
 * of a row, an operand that is the same in all rows is loaded only once. An operand that is
 * contiguous along the second dim instead of the first is loaded by tiles, a few cache lines of
 * rows at a time. A single step whose operation has a loop for half types accesses their rows in
 * place. */
#ifndef CORTEN_CPU_POINTWISE_WALK_H
#define CORTEN_CPU_POINTWISE_WALK_H

#include "core/backend.h"
#include "cpu/pointwise/loops.h"

#define CTI_WALK_SCRATCH (128 * 1024) /* bytes of a thread's scratch, which buffers share */
#define CTI_WALK_BLOCK 512            /* elements of a block, at most */
#define CTI_WALK_CACHE_LINE 64
/* The maximum number of buffers: each operand packed and cast, and a result and converted inputs
 * for each step. */
#define CTI_WALK_BUFFERS (2 * CTI_MAX_OPERANDS + CTI_MAX_STEPS * (1 + CTI_MAX_INPUTS))
#define CTI_WALK_SHORT_ROW 64 /* shorter inner dims are treated as one line */
#define CTI_WALK_GRAIN 32768  /* elements that justify a thread */

/* How the blocks of an operand are accessed. */
struct cti_operand_path {
    bool number, direct, transposed, cast, flagged;
    bool row_number;            /* one number for each row: its inner stride is 0 */
    bool repeats;               /* of a line: the same in every block */
    int16_t raw_buffer, buffer; /* for packed elements, for cast ones; -1: none */
};

/* A program with its dims merged and ordered, innermost first. */
struct cti_walk {
    const struct cti_pointwise *w;
    int ndim, nbuffers;
    bool line;     /* all dims count as one line, because rows are short */
    bool tiled;    /* some operand is transposed */
    bool streamed; /* results are stored past the caches */
    bool halves;   /* the step takes halves in place; numbers are float32 */
    int64_t shape[CTI_MAX_DIMS];
    int64_t bstride[CTI_MAX_OPERANDS][CTI_MAX_DIMS];
    char *data[CTI_MAX_OPERANDS];
    int64_t total, block, rows; /* elements; elements of a block; rows of a tile */
    cti_loop *loop[CTI_MAX_STEPS];
    struct cti_operand_path path[CTI_MAX_OPERANDS];
    int16_t slot_buffer[CTI_MAX_SLOTS];
    int16_t step_buffer[CTI_MAX_STEPS][CTI_MAX_INPUTS]; /* inputs converted for one step */
    uint8_t spread[CTI_MAX_STEPS]; /* inputs that are numbers but must be spread */
};

/* Prepares the geometry, the loops and the path of each operand. */
void cti_walk_begin(struct cti_walk *k, const struct cti_pointwise *w);
/* Assigns buffers and sizes blocks. */
void cti_walk_cut_blocks(struct cti_walk *k);
/* Calls body(k, begin, end) for units of a walk of at least two dims: a unit is a tile of k->rows
 * rows. */
void cti_walk_for_units(struct cti_walk *k, void (*body)(void *, int64_t, int64_t));
/* Runs the program block by block, after cti_walk_cut_blocks. */
void cti_walk_run_blocks(struct cti_walk *k);
/* Runs a program without steps if it needs no blocks; false otherwise. Called before
 * cti_walk_cut_blocks. */
bool cti_walk_try_copy(struct cti_walk *k);

static inline int64_t cti_walk_itemsize(uint8_t dtype)
{
    return cti_itemsize((enum ct_dtype)dtype);
}

/* Returns the type in which a step takes its i-th input. */
static inline uint8_t cti_step_wanted(const struct cti_step *step, int i)
{
    return step->masks >> i & 1 ? CT_BOOL : step->dtype;
}

static inline int cti_step_tensors(const struct cti_step *step)
{
    return step->nin - __builtin_popcount(step->params);
}

/* Whether the loops have a variant in which the i-th input is a number, in addition to those in
 * `numbers`; see Note [Loops]. */
static inline bool cti_step_takes_number(const struct cti_step *step, int i, unsigned numbers)
{
    int tensors = cti_step_tensors(step);
    return tensors == 2 ? numbers == 0 : tensors == 3 && i > 0;
}

static inline bool cti_walk_is_plain_number(const struct cti_walk *k, uint8_t slot)
{
    return slot < k->w->noperands &&
           (k->path[slot].row_number || (k->path[slot].number && k->path[slot].raw_buffer < 0));
}

/* Sets base[] to the start of a unit and returns its number of rows. The walk has at least two
 * dims. */
static inline int64_t cti_walk_start_unit(const struct cti_walk *k, int64_t unit, char **base)
{
    int64_t tiles = (k->shape[1] + k->rows - 1) / k->rows;
    int64_t row = unit % tiles * k->rows, rest = unit / tiles;
    for (int o = 0; o < k->w->noperands; o++)
        base[o] = k->data[o] + row * k->bstride[o][1];
    for (int d = 2; d < k->ndim; d++, rest /= k->shape[d - 1])
        for (int o = 0; o < k->w->noperands; o++)
            base[o] += rest % k->shape[d] * k->bstride[o][d];
    return k->shape[1] - row < k->rows ? k->shape[1] - row : k->rows;
}

#endif
