/* SPDX-License-Identifier: BSD-3-Clause */
/* Scopes and errors of the C interface: ownership, ct_keep, ct_free, ct_replace, threads, the rule
 * that the first error stays, and no leaks after failed allocations (run under valgrind or ASan).
 */
#include "../check.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/note.h"
#include "core/scope.h"
#include "core/tensor.h"

#include <pthread.h>
#include <stdlib.h>

static const struct ct_device cpu = {CT_CPU, -1};

static ct_tensor *fresh(void)
{
    return ct_scoped(cti_empty(1, &(int64_t){3}, CT_FLOAT32, cpu));
}

static ct_tensor *kept_from_inside(void)
{
    __attribute__((cleanup(ct_scope_close), unused)) ct_scope scope = ct_scope_begin();
    fresh();
    fresh();
    return ct_keep(fresh());
}

static void test_ownership(void)
{
    int64_t before = ct_live_count();
    ct_tensor *a = fresh();
    CHECK(ct_live_count() == before + 1);
    ct_tensor *b = kept_from_inside();
    CHECK(ct_live_count() == before + 2 && b->refs == 1);
    ct_scope s = ct_scope_begin();
    ct_tensor *c = fresh();
    ct_scoped(ct_retain(a)); /* a second scope entry for an existing tensor */
    CHECK(ct_live_count() == before + 4 && a->refs == 2);
    ct_keep(c);
    ct_free(a); /* releases the reference of the innermost scope */
    CHECK(a->refs == 1 && ct_live_count() == before + 3);
    ct_scope_end(s);
    CHECK(ct_live_count() == before + 3 && c->refs == 1);
    CHECK(ct_keep(a) == a && ct_live_count() == before + 3); /* no scope is outside the root */
    ct_free(a);
    ct_free(b);
    ct_free(c);
    ct_free(NULL);
    CHECK(ct_keep(NULL) == NULL && ct_live_count() == before);
}

static void test_nested(void)
{
    int64_t before = ct_live_count();
    ct_tensor *t[4][3];
    ct_scope s[4];
    for (int k = 0; k < 4; k++) {
        s[k] = ct_scope_begin();
        for (int i = 0; i < 3; i++)
            t[k][i] = fresh();
    }
    ct_free(t[1][0]);                   /* not the last of its scope */
    ct_keep(ct_keep(t[3][2]));          /* moves two scopes outwards */
    CHECK(ct_keep(t[2][1]) == t[2][1]); /* from an enclosing scope, one outwards */
    ct_scope_end(s[3]);
    CHECK(ct_live_count() == before + 9); /* 3 + 2 + 3, and the kept t[3][2] */
    ct_scope_end(s[2]);
    CHECK(ct_live_count() == before + 7); /* 3 + 2, and both kept tensors */
    CHECK(t[3][2]->refs == 1 && t[2][1]->refs == 1 && t[1][2]->refs == 1);
    ct_scope_end(s[0]); /* also ends s[1], which is inside it */
    CHECK(ct_live_count() == before);
}

static void test_replace(void)
{
    int64_t before = ct_live_count();
    ct_tensor *sum = fresh();
    for (int i = 0; i < 10; i++) {
        ct_scope s = ct_scope_begin();
        ct_tensor *next = fresh();
        fresh();
        CHECK(ct_replace(&sum, next) == next && sum == next);
        ct_scope_end(s);
        CHECK(ct_live_count() == before + 1 && sum->refs == 1);
    }
    CHECK(ct_replace(&sum, sum) == sum && sum->refs == 1);
    CHECK(ct_replace(&sum, NULL) == NULL && sum == NULL);
    CHECK(ct_live_count() == before);
}

static int released;

static void count_release(void *object)
{
    released += *(int *)object;
}

static void test_other_things(void)
{
    int one = 1;
    int64_t before = ct_live_count();
    ct_scope s = ct_scope_begin();
    CHECK(cti_scope_add(&one, count_release) == &one);
    CHECK_TEXT(cti_scope_text("text"), "text");
    ct_tensor **v = malloc(2 * sizeof *v);
    v[0] = cti_empty(0, NULL, CT_BOOL, cpu);
    v[1] = cti_empty(0, NULL, CT_BOOL, cpu);
    ct_list list = ct_scoped_list(ct_list_of(v, 2));
    CHECK(list.n == 2 && ct_live_count() == before + 2);
    ct_scope_end(s);
    CHECK(released == 1 && ct_live_count() == before);
    CHECK(ct_scoped(NULL) == NULL && ct_scoped_list((ct_list){NULL, 0}).v == NULL);
}

static void test_errors(void)
{
    CHECK(ct_error() == NULL && ct_error_kind() == CT_ERR_NONE && ct_error_class() == NULL);
    CHECK(ct_fail(CT_ERR_INDEX, "first %d", 1) == NULL);
    CHECK(ct_fail(CT_ERR_VALUE, "second") == NULL && cti_note("more") == NULL);
    CHECK(ct_error_detail() == NULL);
    CHECK_ERROR("IndexError", "first 1");
    cti_note("there is no error");
    CHECK(ct_error_detail() == NULL && ct_fail(CT_ERR_LINALG, "text") == NULL);
    CHECK(cti_note("more") == NULL && cti_note("and %s", "more") == NULL);
    CHECK_TEXT(ct_error_detail(), "more\nand more");
    struct cti_saved_error saved;
    cti_error_take(&saved);
    CHECK(ct_error() == NULL);
    ct_fail(CT_ERR_KEY, "another");
    cti_error_put_back(&saved);
    CHECK_ERROR("LinAlgError", "text");
}

static void test_notes(void)
{
    const int64_t a[] = {10, 200, 3}, b[] = {7, 3};
    ct_fail(CT_ERR_RUNTIME, "shapes");
    cti_note_broadcast(&(struct cti_note_row){"a", 3, a}, &(struct cti_note_row){"b", 2, b});
    CHECK_TEXT(ct_error_detail(), "  a: [10, 200, 3]\n"
                                  "  b:     [  7, 3]\n"
                                  "            ^\n"
                                  "shapes broadcast when their sizes, from the last dim backwards, "
                                  "are equal or one of them is 1");
    ct_clear_error();
    for (int64_t n = 1; n < 20; n++) { /* without memory the note is missing or incomplete */
        ct_fail(CT_ERR_RUNTIME, "shapes");
        ct_test_fail_alloc(n);
        cti_note_broadcast(&(struct cti_note_row){"a", 3, a}, &(struct cti_note_row){"b", 2, b});
        ct_test_fail_alloc(0);
        CHECK_ERROR("RuntimeError", "shapes");
    }
}

static void *in_thread(void *unused)
{
    (void)unused;
    CHECK(ct_live_count() == 0 && ct_error() == NULL);
    fresh(); /* freed with the root scope when the thread ends */
    ct_scope_begin();
    fresh();
    cti_scope_text("a text");
    ct_fail(CT_ERR_VALUE, "only here");
    CHECK(ct_live_count() == 2);
    return NULL;
}

static void test_threads(void)
{
    ct_tensor *mine = fresh();
    int64_t before = ct_live_count();
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, in_thread, NULL) == 0);
        pthread_join(thread, NULL);
    }
    CHECK(ct_live_count() == before && ct_error() == NULL);
    ct_free(mine);
}

/* Fills a scope beyond several growths of its stack; the caller makes the n-th allocation fail. */
static bool work(void)
{
    ct_scope outer = ct_scope_begin();
    bool ok = outer.depth > 0;
    for (int i = 0; ok && i < 20; i++) {
        ct_scope_begin();
        for (int k = 0; ok && k < 10; k++)
            ok = fresh() && cti_scope_text("text");
        ct_tensor **v = ok ? malloc(sizeof *v) : NULL;
        if (v) {
            v[0] = cti_empty(0, NULL, CT_BOOL, cpu);
            if (!v[0])
                free(v);
            else
                ok = ct_scoped_list(ct_list_of(v, 1)).v != NULL;
            ok = ok && ct_error() == NULL;
        }
    }
    ct_scope_end(outer);
    return ok && ct_error() == NULL;
}

static void *fail_in_fresh_thread(void *argument)
{
    int64_t n = *(int64_t *)argument;
    ct_test_fail_alloc(n);
    bool ok = work();
    ct_test_fail_alloc(0);
    CHECK(ok || ct_error_kind() == CT_ERR_OUT_OF_MEMORY);
    ct_clear_error();
    ct_scope_end((ct_scope){1});
    CHECK(!ok || ct_live_count() == 0);
    return ok ? argument : NULL;
}

static void test_failing_allocations(void)
{
    void *done = NULL;
    for (int64_t n = 1; !done && n < 10000; n += n < 100 ? 1 : 17) {
        pthread_t thread; /* a new thread begins with empty stacks */
        CHECK(pthread_create(&thread, NULL, fail_in_fresh_thread, &n) == 0);
        pthread_join(thread, &done);
    }
    CHECK(done != NULL);
}

int main(void)
{
    test_ownership();
    test_nested();
    test_replace();
    test_other_things();
    test_errors();
    test_notes();
    test_threads();
    test_failing_allocations();
    fresh(); /* the root scope of the main thread is emptied at exit */
    return failures != 0;
}
