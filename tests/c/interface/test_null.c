/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls every function of the public headers with one invalid argument: NULL, a list without an
 * address or with a negative count, an unknown enum value, the smallest and largest int. No call
 * may crash or hang, and each must set an error if it cannot use the argument. emit_null_calls.py
 * writes the calls from the headers, so new functions are included automatically. Each function
 * runs in a separate process, so that a crash is attributed to its call. */
#include "../check.h"

#include <corten.h>
#include <corten/archive.h>
#include <corten/autograd.h>
#include <corten/cuda.h>
#include <corten/dist.h>
#include <corten/dlpack.h>
#include <corten/io.h>
#include <corten/nn.h>
#include <corten/optim.h>
#include <corten/profile.h>
#include <corten/wait.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

struct inputs {
    ct_tensor *x, *list[3], *nulls[2], *out[8];
    ct_node *node;
    ct_params *params;
    ct_scope scope;
    int64_t sizes[3], number;
    double doubles[3];
    bool flag;
    ct_value index[2];
    ct_index items[1];
    ct_named named[2], unnamed[1], empty[1];
    const char *texts[2];
    FILE *file;
    void *memory;
};

struct call {
    const char *name;
    void (*call)(struct inputs *in, int which);
    int count;
    const char *const *what; /* '1' if the call must set an error, then a description */
};

static bool a_hook(void *context, struct ct_hook_call *c)
{
    (void)context, (void)c;
    return true;
}

/* Makers of valid arguments; the generated calls need not use all of them. */
#define MAKER static __attribute__((unused))

MAKER void a_work_function(void *arg)
{
    (void)arg;
}

MAKER ct_hook_handle *a_handle(const struct inputs *in)
{
    return ct_register_hook(in->x, (ct_hook){.call = a_hook});
}

MAKER ct_optim *an_optimizer(const struct inputs *in)
{
    return ct_sgd(ct_list_of(in->list, 2));
}

MAKER ct_group *a_group(void)
{
    return ct_group_create("gloo", ct_store_hash(), 0, 1, 5);
}

MAKER ct_work *a_work(const struct inputs *in)
{
    CT_NO_GRAD;
    return ct_dist_all_reduce(a_group(), ct_clone(in->x), CT_REDUCE_SUM);
}

MAKER ct_profile *a_profile(void)
{
    ct_profile_start_ex(NULL);
    return ct_profile_stop();
}

MAKER bool swallow(void *context, const void *data, int64_t nbytes)
{
    (void)context, (void)data, (void)nbytes;
    return true;
}

MAKER ct_sink *a_sink(void)
{
    return ct_sink_function(swallow, NULL);
}

MAKER ct_archive *an_archive(void)
{
    char path[] = "/tmp/test_null_XXXXXX.npz";
    close(mkstemps(path, 4));
    ct_save(CT_DICT({"a", ct_ones(CT_SHAPE(2))}), path);
    ct_archive *a = ct_archive_open(path);
    unlink(path);
    return a;
}

MAKER struct ct_linear_layer a_linear_layer(const struct inputs *in)
{
    return ct_new_linear(in->params, "layer", 3, 2);
}

MAKER struct ct_embedding_layer a_embedding_layer(const struct inputs *in)
{
    return ct_new_embedding(in->params, "layer", 3, 2);
}

MAKER struct ct_conv_layer a_conv_layer(const struct inputs *in)
{
    return ct_new_conv1d(in->params, "layer", 2, 2, CT_DIMS(2));
}

MAKER struct ct_layer_norm_layer a_layer_norm_layer(const struct inputs *in)
{
    return ct_new_layer_norm(in->params, "layer", CT_DIMS(3));
}

MAKER struct ct_batch_norm_layer a_batch_norm_layer(const struct inputs *in)
{
    return ct_new_batch_norm(in->params, "layer", 3);
}

MAKER struct ct_dropout_layer a_dropout_layer(const struct inputs *in)
{
    return ct_new_dropout(in->params, 0.5);
}

MAKER struct ct_lstm_layer a_lstm_layer(const struct inputs *in)
{
    return ct_new_lstm(in->params, "layer", 3, 2);
}

MAKER struct ct_attention_layer a_attention_layer(const struct inputs *in)
{
    return ct_new_attention(in->params, "layer", 4, 2);
}

#include "null_calls.h"

static void set_up(struct inputs *in)
{
    ct_tensor *leaf = ct_requires_grad_(ct_ones(CT_SHAPE(2, 3)));
    *in = (struct inputs){.x = ct_mul(leaf, 2),
                          .params = ct_params_new(),
                          .sizes = {2, 3},
                          .scope = ct_scope_begin(),
                          .texts = {"a", "b"},
                          .file = fopen("/dev/null", "w"),
                          .memory = calloc(1, 8192)};
    in->list[0] = in->nulls[0] = leaf;
    in->list[1] = ct_requires_grad_(ct_ones(CT_SHAPE(2, 3)));
    ct_set_grad(leaf, ct_ones(CT_SHAPE(2, 3)));
    ct_set_grad(in->list[1], ct_ones(CT_SHAPE(2, 3)));
    in->node = ct_own_grad_fn(in->x);
    in->index[0] = ct_value_int(0);
    in->index[1] = ct_value_end();
    in->items[0] = (ct_index){.kind = CT_INDEX_INT};
    in->named[0] = (ct_named){"a", in->x};
    in->unnamed[0] = (ct_named){NULL, in->x};
    in->empty[0] = (ct_named){"a", NULL};
    ct_clear_error();
}

/* Runs in the child: makes the calls from `first` on; *at is the number of the running call. */
static void run(const struct call *c, int first, volatile int *at, volatile char *silent)
{
    for (int which = first; which < c->count; which++) {
        struct inputs in;
        *at = which;
        set_up(&in);
        alarm(10);
        c->call(&in, which);
        silent[which] = c->what[which][0] == '1' && !ct_error();
        ct_clear_error();
    }
    _exit(0);
}

static volatile struct {
    int at;
    char silent[256];
} * shared;

static void check_call(const struct call *c)
{
    for (int first = 0; first < c->count; first = shared->at + 1) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            run(c, first, &shared->at, shared->silent);
        int status;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        failures++;
        fprintf(stderr, "%s, %s: %s\n", c->name, c->what[shared->at] + 1,
                WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it ended the process");
    }
    for (int which = 0; which < c->count; which++) {
        if (shared->silent[which]) {
            failures++;
            fprintf(stderr, "%s, %s: no error\n", c->name, c->what[which] + 1);
        }
        shared->silent[which] = 0;
    }
}

int main(int argc, char **argv)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (argc < 2 || strstr(calls[i].name, argv[1]))
            check_call(&calls[i]);
    fprintf(stderr, "%d failures\n", failures);
    return failures != 0;
}
