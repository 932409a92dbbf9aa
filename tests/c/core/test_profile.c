/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles from C: recorded events, their nesting, shapes and memory; tables, traces; several
 * threads. */
#include <corten.h>

#include "../check.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const struct ct_profile_event *named(const ct_profile *p, const char *name)
{
    for (int64_t i = 0; i < ct_profile_count(p); i++)
        if (strcmp(ct_profile_at(p, i)->name, name) == 0)
            return ct_profile_at(p, i);
    return NULL;
}

static void test_events(void)
{
    ct_scope s = ct_scope_begin();
    ct_tensor *w = ct_ones(CT_SHAPE(3, 4), .requires_grad = true);
    CHECK(ct_profile_start(.shapes = true));
    CHECK(!ct_profile_start());
    CHECK_ERROR("RuntimeError", "Profiler is already enabled on this thread");
    int64_t block = ct_profile_begin("forward \"one\"");
    ct_tensor *y = ct_matmul(ct_ones(CT_SHAPE(2, 3)), w);
    ct_tensor *loss = ct_sum(ct_add_(ct_neg(y), 1));
    ct_profile_end(block);
    CHECK(ct_backward(loss));
    ct_cat(CT_LIST(y, y));
    ct_at(y, "0");
    ct_profile *p = ct_profile_stop();
    CHECK(p && !ct_profile_is_on() && ct_profile_lost(p) == 0);
    ct_ones(CT_SHAPE(1)); /* not recorded any more */
    const char *order[] = {"forward \"one\"", "ones", "matmul", "neg", "add_", "sum", "backward"};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        CHECK_TEXT(ct_profile_at(p, (int64_t)i)->name, order[i]);
    const struct ct_profile_event *e = named(p, "matmul"), *outer = ct_profile_at(p, 0);
    int64_t shapes[] = {2, 2, 3, 2, 3, 4};
    CHECK(e->nshapes == 6 && memcmp(e->shapes, shapes, sizeof shapes) == 0);
    CHECK(e->memory == 64 || e->memory == 32); /* 2 x 4 floats, rounded up to a block size */
    CHECK(e->parent == 0 && outer->parent == -1 && outer->kind == CT_PROFILE_BLOCK);
    CHECK(e->kind == CT_PROFILE_OPERATION && outer->start <= e->start && e->end <= outer->end);
    CHECK(outer->inside > 0 && outer->inside <= outer->end - outer->start);
    CHECK(named(p, "MmBackward0")->kind == CT_PROFILE_NODE && named(p, "AccumulateGrad"));
    CHECK(named(p, "cat")->nshapes == 6 && named(p, "index")->nshapes == 3);
    CHECK(!ct_profile_at(p, 1000));
    CHECK_ERROR("IndexError", "event index 1000 out of range: the profile has 15");
    ct_scope_end(s);
}

static void test_text(void)
{
    ct_scope s = ct_scope_begin();
    ct_profile_start(.shapes = true);
    for (int i = 0; i < 3; i++)
        ct_exp(ct_ones(CT_SHAPE(2, 2)));
    ct_exp(ct_ones(CT_SHAPE(5)));
    ct_profile *p = ct_profile_stop();
    const char *table = ct_profile_table(p, .sort_by = "count", .row_limit = 1);
    CHECK(strstr(table, "# of Calls") && strstr(table, "Self CPU time total: "));
    CHECK(!strstr(table, "aten::exp") != !strstr(table, "aten::ones")); /* row_limit is 1 */
    table = ct_profile_table(p, .sort_by = NULL, .by_shape = true);
    CHECK(strstr(table, "[[2, 2]]") && strstr(table, "[[5]]"));
    CHECK(!ct_profile_table(p, .sort_by = "beauty"));
    CHECK_ERROR("ValueError", "ct_profile_table: there is no column 'beauty'");
    CHECK(ct_profile_save_trace(p, "test_profile.json"));
    char text[4096] = {0};
    FILE *file = fopen("test_profile.json", "r");
    CHECK(file && fread(text, 1, sizeof text - 1, file) > 100);
    fclose(file);
    remove("test_profile.json");
    CHECK(strstr(text, "\"name\": \"aten::exp\", \"ph\": \"X\"") && strstr(text, "[[2, 2]]"));
    CHECK(!ct_profile_stop());
    CHECK_ERROR("RuntimeError", "Can't disable profiler when it's not running");
    ct_scope_end(s);
}

static void *work(void *unused)
{
    (void)unused;
    for (int i = 0; i < 100; i++) {
        ct_scope s = ct_scope_begin();
        int64_t block = ct_profile_begin("block");
        ct_exp(ct_ones(CT_SHAPE(3)));
        ct_profile_end(block);
        ct_scope_end(s);
    }
    return NULL;
}

static void test_threads(void)
{
    ct_scope s = ct_scope_begin();
    pthread_t thread[4];
    ct_profile_start();
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&thread[i], NULL, work, NULL) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    ct_profile *p = ct_profile_stop();
    CHECK(ct_profile_count(p) == 4 * 100 * 3);
    for (int64_t i = 0; i < ct_profile_count(p); i++) {
        const struct ct_profile_event *e = ct_profile_at(p, i);
        if (strcmp(e->name, "block") == 0)
            CHECK(e->parent == -1);
        else
            CHECK(ct_profile_at(p, e->parent)->thread == e->thread);
    }
    ct_scope_end(s);
}

/* Stopping and starting a profile inside a call does not corrupt the next profile. */
static void test_across(void)
{
    ct_scope s = ct_scope_begin();
    ct_profile_start();
    int64_t block = ct_profile_begin("left open");
    ct_profile_stop();
    ct_profile_start();
    ct_ones(CT_SHAPE(1));
    ct_profile_end(block);
    ct_profile *p = ct_profile_stop();
    CHECK(ct_profile_count(p) == 1);
    CHECK(ct_profile_at(p, 0)->parent == -1);
    CHECK(ct_profile_begin("off") == -1);
    ct_scope_end(s);
}

/* Without memory, events are lost or making the table fails, but the profiled calls succeed. */
static void test_memory_that_fails(void)
{
    for (int64_t n = 1, left = 1; left && n < 200; n++) {
        CT_SCOPE;
        ct_tensor *x = ct_ones(CT_SHAPE(3));
        ct_test_fail_alloc(n);
        bool on = ct_profile_start(.shapes = true);
        ct_profile *p = NULL;
        const char *table = NULL;
        if (on) {
            ct_exp(x);
            p = ct_profile_stop();
            table = p ? ct_profile_table(p) : NULL;
        }
        ct_test_fail_alloc(0);
        CHECK((on && table) || ct_error());
        CHECK(!ct_profile_is_on());
        left = !table || ct_error();
        ct_clear_error();
    }
}

int main(void)
{
    test_events();
    test_text();
    test_threads();
    test_across();
    test_memory_that_fails();
    return failures != 0;
}
