/* SPDX-License-Identifier: BSD-3-Clause */
/* A diagram of a tensor's storage: which cells there are, what they contain, and which elements map
 * to each. explain.c gathers it once; it is drawn as text or SVG. */
#ifndef CORTEN_EXPLAIN_EXPLAIN_H
#define CORTEN_EXPLAIN_EXPLAIN_H

#include "core/tensor.h"
#include "core/text.h"

#define CTI_PICTURE_CELLS 48 /* longer storages are shown in part */
#define CTI_PICTURE_WORD 48

struct cti_picture_cell {
    int64_t elements;             /* elements of the tensor in this cell */
    char value[CTI_PICTURE_WORD]; /* "" if the host cannot read it */
    char index[CTI_PICTURE_WORD]; /* first element: "[0,1]"; "[:,1]" for stride 0; "[0,1]+2" */
};

struct cti_picture {
    const ct_tensor *t;
    int64_t total, first, shown; /* cells in the storage; first shown; number shown */
    int64_t visits;              /* elements visited */
    int width;                   /* width of the widest text in a cell */
    struct cti_picture_cell cell[CTI_PICTURE_CELLS];
};

void cti_picture_take(struct cti_picture *p, const ct_tensor *t);
/* "shape (3, 2), stride (1, 3), offset 0: element [i,j] is in cell i + 3*j" */
void cti_picture_caption(const ct_tensor *t, struct cti_text *text);
/* Remarks on the strides, one per line. */
void cti_picture_remarks(const ct_tensor *t, struct cti_text *text);
void cti_picture_draw_svg(const struct cti_picture *p, struct cti_text *text);

#endif
