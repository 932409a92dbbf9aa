/* SPDX-License-Identifier: BSD-3-Clause */
/* A pull parser for JSON, see json.h. Parses the headers of safetensors files, which are
 * untrusted. */
#include "io/json.h"

#include <string.h>

static bool json_fail(struct cti_json *j)
{
    j->failed = true;
    return false;
}

static void skip_blanks(struct cti_json *j)
{
    while (j->at < j->end && memchr(" \t\r\n", *j->at, 4))
        j->at++;
}

static bool accept(struct cti_json *j, char c)
{
    skip_blanks(j);
    if (j->failed || j->at == j->end || *j->at != c)
        return false;
    j->at++;
    return true;
}

bool cti_json_open(struct cti_json *j, char bracket)
{
    j->begun = false;
    return accept(j, bracket) || json_fail(j);
}

bool cti_json_more(struct cti_json *j, char bracket)
{
    if (j->failed)
        return false;
    if (accept(j, bracket)) {
        j->begun = true; /* the enclosing value now has an item */
        return false;
    }
    if (j->begun && !accept(j, ','))
        return json_fail(j);
    j->begun = true;
    return true;
}

static bool hex4(struct cti_json *j, uint32_t *value)
{
    if (j->end - j->at < 4)
        return json_fail(j);
    *value = 0;
    for (int i = 0; i < 4; i++) {
        const char *digits = "0123456789abcdef", *d = memchr(digits, *j->at++ | 0x20, 16);
        if (!d)
            return json_fail(j);
        *value = *value << 4 | (uint32_t)(d - digits);
    }
    return true;
}

static bool add_escape(struct cti_json *j)
{
    if (j->at == j->end)
        return json_fail(j);
    char c = *j->at++;
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *plain = memchr(from, c, 8);
    if (plain) {
        cti_text_add_n(&j->text, &to[plain - from], 1);
        return true;
    }
    uint32_t code, low;
    if (c != 'u' || !hex4(j, &code))
        return json_fail(j);
    if (code >= 0xd800 && code < 0xdc00) {
        if (j->end - j->at < 2 || j->at[0] != '\\' || j->at[1] != 'u')
            return json_fail(j);
        j->at += 2;
        if (!hex4(j, &low) || low < 0xdc00 || low > 0xdfff)
            return json_fail(j);
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    char utf8[4];
    int n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (code == 0)
        return json_fail(j);
    for (int i = n - 1; i > 0; i--, code >>= 6)
        utf8[i] = (char)(0x80 | (code & 0x3f));
    utf8[0] = (char)(n == 1 ? code : (0xf00u >> n & 0xf0) | code);
    cti_text_add_n(&j->text, utf8, (size_t)n);
    return true;
}

bool cti_json_text(struct cti_json *j)
{
    if (!accept(j, '"'))
        return json_fail(j);
    j->text.n = 0;
    cti_text_add_n(&j->text, "", 0);
    while (j->at < j->end && *j->at != '"') {
        char c = *j->at++;
        if (c == '\\') {
            if (!add_escape(j))
                return false;
        } else if (c == 0) {
            return json_fail(j);
        } else {
            cti_text_add_n(&j->text, &c, 1);
        }
    }
    if (j->text.failed)
        return json_fail(j);
    return accept(j, '"') || json_fail(j);
}

bool cti_json_key(struct cti_json *j)
{
    return cti_json_text(j) && (accept(j, ':') || json_fail(j));
}

bool cti_json_int(struct cti_json *j, int64_t *number)
{
    skip_blanks(j);
    const char *start = j->at;
    *number = 0;
    while (j->at < j->end && *j->at >= '0' && *j->at <= '9') {
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, *j->at - '0', number))
            return json_fail(j);
        j->at++;
    }
    return j->at > start || json_fail(j);
}

void cti_json_quote(struct cti_text *out, const char *text)
{
    cti_text_add(out, "\"");
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            cti_text_printf(out, "\\%c", c);
        else if (c < 0x20)
            cti_text_printf(out, "\\u%04x", c);
        else
            cti_text_add_n(out, text, 1);
    }
    cti_text_add(out, "\"");
}
