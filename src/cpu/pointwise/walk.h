/* SPDX-License-Identifier: BSD-3-Clause */
/* A pointwise program with its geometry settled: how pointwise.c hands work to the files that run
 * it, by blocks (block.c) or as a copy (copy.c). Used by pointwise*.c alone.
 *
 * Note [Block paths]: an operand is *direct* (contiguous along the block: loops read or write
 * it where it lies), a *number* (stride 0), or *packed* (strided, transposed or of another type:
 * loaded into a buffer first, or stored from it afterwards). Dims are ordered by the result's
 * strides, innermost first, and merged where all operands allow it. Long inner dims are cut into
 * blocks; short ones are walked as one long line, several rows to a block; an operand that is the
 * same in all rows is loaded once, since a block is a whole number of rows then. An operand that is
 * contiguous along the second dim instead of the first is loaded by tiles, a cache line of rows
 * at a time. One step whose row has a loop for halves takes rows of them where they lie.
 */
#ifndef CORTEN_CPU_POINTWISE_WALK_H
#define CORTEN_CPU_POINTWISE_WALK_H

#include "core/backend.h"
#include "cpu/pointwise/loops.h"

#define CTI_WALK_SCRATCH (128 * 1024) /* bytes of a thread's scratch, which buffers share */
#define CTI_WALK_BLOCK 512            /* elements of a block, at most */
#define CTI_WALK_CACHE_LINE 64
/* At most: each operand packed and cast, each step with a result and inputs made fit for it. */
#define CTI_WALK_BUFFERS (2 * CTI_MAX_OPERANDS + CTI_MAX_STEPS * (1 + CTI_MAX_INPUTS))
#define CTI_WALK_SHORT_ROW 64 /* inner dims below this are walked as one line */
#define CTI_WALK_GRAIN 32768  /* elements worth a thread */

/* What an operand needs. */
struct cti_operand_path {
    bool number, direct, transposed, cast, flagged;
    bool row_number;            /* one number for each row: its inner stride is 0 */
    bool repeats;               /* of a line: the same in every block */
    int16_t raw_buffer, buffer; /* where packed elements and cast ones go, -1: nowhere */
};

/* The work with regular geometry: dims merged and ordered, innermost first. */
struct cti_walk {
    const struct cti_pointwise *w;
    int ndim, nbuffers;
    bool line;     /* walk as one line: rows are short */
    bool tiled;    /* some operand is transposed */
    bool streamed; /* results go past the caches */
    bool halves;   /* the step runs over halves as they are; numbers beside them are float32 */
    int64_t shape[CTI_MAX_DIMS];
    int64_t bstride[CTI_MAX_OPERANDS][CTI_MAX_DIMS];
    char *data[CTI_MAX_OPERANDS];
    int64_t total, block, rows; /* elements; elements of a block; rows of a tile */
    cti_loop *loop[CTI_MAX_STEPS];
    struct cti_operand_path way[CTI_MAX_OPERANDS];
    int16_t slot_buffer[CTI_MAX_SLOTS];
    int16_t step_buffer[CTI_MAX_STEPS][CTI_MAX_INPUTS]; /* inputs made fit for one step alone */
    uint8_t spread[CTI_MAX_STEPS]; /* inputs that are numbers, but must be a block */
};

/* Geometry and loops of the work, and what each operand needs. */
void cti_walk_begin(struct cti_walk *k, const struct cti_pointwise *w);
/* Buffers for packed operands and values between steps, and how large blocks are. */
void cti_walk_cut_blocks(struct cti_walk *k);
/* body(k, begin, end) over all units of two dims or more: a unit is a tile of k->rows rows. */
void cti_walk_for_units(struct cti_walk *k, void (*body)(void *, int64_t, int64_t));
/* Runs it block by block, after cti_walk_cut_blocks. */
void cti_walk_run_blocks(struct cti_walk *k);
/* Runs a program without steps from memory to memory, before any cutting. False: it needs blocks.
 */
bool cti_walk_try_copy(struct cti_walk *k);

static inline int64_t cti_walk_itemsize(uint8_t dtype)
{
    return cti_itemsize((enum ct_dtype)dtype);
}

/* The type in which a step takes its i-th input. */
static inline uint8_t cti_step_wanted(const struct cti_step *step, int i)
{
    return step->masks >> i & 1 ? CT_BOOL : step->dtype;
}

static inline int cti_step_tensors(const struct cti_step *step)
{
    return step->nin - __builtin_popcount(step->params);
}

/* Has a loop a variant in which its i-th input is a number, beside those in `numbers`? See Note
 * [Loops]. */
static inline bool cti_step_takes_number(const struct cti_step *step, int i, unsigned numbers)
{
    int tensors = cti_step_tensors(step);
    return tensors == 2 ? numbers == 0 : tensors == 3 && i > 0;
}

static inline bool cti_walk_is_plain_number(const struct cti_walk *k, uint8_t slot)
{
    return slot < k->w->noperands &&
           (k->way[slot].row_number || (k->way[slot].number && k->way[slot].raw_buffer < 0));
}

/* Where a unit begins, a tile of rows at a place of the outer dims; its number of rows. The walk
 * has at least two dims. */
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
