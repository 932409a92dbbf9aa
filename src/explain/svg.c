/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws a storage diagram as SVG, for notebooks and web pages; see explain.h. It has its own light
 * background, so it is readable on any page. */
#include "explain/explain.h"

#include <stdio.h>

#define PER_ROW 16
#define LETTER 7 /* character width of the font */
#define CELL_HEIGHT 26
#define ROW_HEIGHT 68
#define MARGIN 12
#define TOP 40

/* Writes a string centred at x. Our strings need no XML escaping. */
static void add_word(struct cti_text *text, int64_t x, int64_t y, const char *colour,
                     const char *word)
{
    cti_text_printf(text,
                    "<text x=\"%lld\" y=\"%lld\" fill=\"%s\" text-anchor=\"middle\">%s</text>\n",
                    (long long)x, (long long)y, colour, word);
}

/* Draws cell i with its number, value and element. */
static void add_cell(const struct cti_picture *p, int64_t i, int64_t width, struct cti_text *text)
{
    const struct cti_picture_cell *cell = &p->cell[i];
    int64_t x = MARGIN + i % PER_ROW * width, y = TOP + i / PER_ROW * ROW_HEIGHT + 14;
    int64_t middle = x + width / 2;
    char number[CTI_PICTURE_WORD];
    snprintf(number, sizeof number, "%lld", (long long)(p->first + i));
    add_word(text, middle, y - 4, "#888", number);
    cti_text_printf(text,
                    "<rect x=\"%lld\" y=\"%lld\" width=\"%lld\" height=\"%d\" fill=\"%s\" "
                    "stroke=\"#555\"/>\n",
                    (long long)x, (long long)y, (long long)width, CELL_HEIGHT,
                    cell->elements ? "#f6c9a4" : "#f4f4f4");
    add_word(text, middle, y + 17, cell->elements ? "#000" : "#999", cell->value);
    add_word(text, middle, y + CELL_HEIGHT + 14, "#a34a14", cell->index);
}

void cti_picture_draw_svg(const struct cti_picture *p, struct cti_text *text)
{
    struct cti_text caption = {0};
    cti_picture_caption(p->t, &caption);
    int64_t cell = (p->width + 2) * LETTER, rows = (p->shown + PER_ROW - 1) / PER_ROW;
    int64_t width = (p->shown < PER_ROW ? p->shown : PER_ROW) * cell;
    int64_t words = (int64_t)caption.n * LETTER;
    width = (width > words ? width : words) + 2 * MARGIN;
    int64_t height = TOP + rows * ROW_HEIGHT + MARGIN, rest = p->total - p->first - p->shown;
    height += p->first || rest ? 16 : 0;
    cti_text_printf(text,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%lld\" height=\"%lld\" "
                    "font-family=\"monospace\" font-size=\"11\">\n"
                    "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                    (long long)width, (long long)height);
    cti_text_printf(text, "<text x=\"%d\" y=\"22\">%s</text>\n", MARGIN,
                    caption.v ? caption.v : "");
    for (int64_t i = 0; i < p->shown; i++)
        add_cell(p, i, cell, text);
    if (p->first || rest)
        cti_text_printf(text,
                        "<text x=\"%d\" y=\"%lld\" fill=\"#888\">%lld cells before, %lld after"
                        "</text>\n",
                        MARGIN, (long long)(height - MARGIN), (long long)p->first, (long long)rest);
    cti_text_add(text, "</svg>\n");
    text->failed |= caption.failed;
    cti_text_free(&caption);
}
