/* SPDX-License-Identifier: BSD-3-Clause */
/* A tensor's place in its storage as something to look at: which cells there are, what they hold,
 * and which element lies in which. Gathered once (explain.c), drawn as text or SVG. */
#ifndef CORTEN_EXPLAIN_EXPLAIN_H
#define CORTEN_EXPLAIN_EXPLAIN_H

#include "core/tensor.h"
#include "core/text.h"

#define CTI_PICTURE_CELLS 48 /* of a longer storage a part is shown */
#define CTI_PICTURE_WORD 48

struct cti_picture_cell {
    int64_t elements;             /* of the tensor that lie here */
    char value[CTI_PICTURE_WORD]; /* "" where the host cannot read it */
    char index[CTI_PICTURE_WORD]; /* of the first: "[0,1]", "[:,1]" with a stride of 0, "[0,1]+2" */
};

struct cti_picture {
    const ct_tensor *t;
    int64_t total, first, shown; /* cells: of the storage, the first that is shown, how many are */
    int64_t visits;              /* elements that were looked at */
    int width;                   /* of the widest word in a cell */
    struct cti_picture_cell cell[CTI_PICTURE_CELLS];
};

void cti_picture_take(struct cti_picture *p, const ct_tensor *t);
/* "shape (3, 2), stride (1, 3), offset 0: element [i,j] is in cell i + 3*j" */
void cti_picture_caption(const ct_tensor *t, struct cti_text *text);
/* What follows from the strides, a line each. */
void cti_picture_remarks(const ct_tensor *t, struct cti_text *text);
void cti_picture_draw_svg(const struct cti_picture *p, struct cti_text *text);

#endif
