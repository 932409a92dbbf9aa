/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes: help beside an error's message, for people. The message is PyTorch's and stays; the note,
 * which ct_error_detail() returns and Python shows below the message, draws what clashes and
 * suggests a fix. Called right after ct_fail by whoever knows the operands. */
#ifndef CORTEN_CORE_NOTE_H
#define CORTEN_CORE_NOTE_H

#include "corten/base.h"

/* Adds a line to the note of the error that the last ct_fail of this thread set; does nothing when
 * an older error is set. NULL, so that it can be returned in ct_fail's place. */
void *cti_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* One shape of a drawing. */
struct cti_note_row {
    const char *name;
    int ndim;
    const int64_t *shape;
};

/* Shapes below one another, aligned at their last dims, with a mark under the dim that is `mark`
 * before the last (0: the last). mark < 0: none. */
void *cti_note_shapes(const struct cti_note_row *row, int n, int mark);

/* Two shapes that do not broadcast: the drawing, and what would make them fit. */
void *cti_note_broadcast(const struct cti_note_row *a, const struct cti_note_row *b);
/* Two matrices (or batches of them) that cannot be multiplied. */
void *cti_note_product(const struct cti_note_row *a, const struct cti_note_row *b);

#endif
