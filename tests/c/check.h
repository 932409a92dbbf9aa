/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks for the C test programs. A failed check is printed and counted; the program continues and
 * returns a nonzero status at the end. */
#ifndef CORTEN_TESTS_CHECK_H
#define CORTEN_TESTS_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int failures;

static inline void check_at(bool ok, const char *what, const char *file, int line)
{
    if (ok)
        return;
    fprintf(stderr, "%s:%d: FAILED: %s\n", file, line, what);
    failures++;
}
#define CHECK(condition) check_at((condition), #condition, __FILE__, __LINE__)

static inline void check_text_at(const char *got, const char *want, const char *file, int line)
{
    if (got && want ? strcmp(got, want) == 0 : got == want)
        return;
    fprintf(stderr, "%s:%d: FAILED:\ngot  %s\nwant %s\n", file, line, got ? got : "(null)",
            want ? want : "(null)");
    failures++;
}
#define CHECK_TEXT(got, want) check_text_at((got), (want), __FILE__, __LINE__)

/* Checks that the current error has this class and text, then clears it. */
#define CHECK_ERROR(class_name, text)                                                              \
    (CHECK_TEXT(ct_error_class(), class_name), CHECK_TEXT(ct_error(), text), ct_clear_error())

#endif
