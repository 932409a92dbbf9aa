/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes: help for people in addition to the message of an error. The message is PyTorch's and stays
 * unchanged; the note, which ct_error_detail() returns and Python shows below the message, draws
 * the shapes that conflict and suggests a fix. The code that knows the operands calls this right
 * after ct_fail. */
#ifndef CORTEN_CORE_NOTE_H
#define CORTEN_CORE_NOTE_H

#include "corten/base.h"

/* Adds a line to the note of the error that the last ct_fail of this thread has set. Does nothing
 * if that call kept an older error. Returns NULL, so that a caller can return it instead of
 * ct_fail's result. */
void *cti_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One shape of a drawing. */
struct cti_note_row {
    const char *name;
    int ndim;
    const int64_t *shape;
};

/* Adds a drawing of shapes below one another, aligned at their last dims. `mark` is the dim to
 * mark, counted from the end (0: the last dim); negative: no mark. */
void *cti_note_shapes(const struct cti_note_row *row, int n, int mark);

/* For two shapes that do not broadcast: the drawing, and a change that would make them fit. */
void *cti_note_broadcast(const struct cti_note_row *a, const struct cti_note_row *b);
/* The same for two matrices, or batches of them, that cannot be multiplied. */
void *cti_note_product(const struct cti_note_row *a, const struct cti_note_row *b);

#endif
