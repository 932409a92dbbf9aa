/* SPDX-License-Identifier: BSD-3-Clause */
/* An LSTM that learns to predict the characters of sentences from a small grammar, then writes its
 * own, and saves its weights in a file that Python can read. The Python version is
 * examples/train_lstm.py.
 *
 *     spell [steps] */
#include "progress.h"

#include <corten.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH 48 /* characters per training sequence */
#define BATCH 16

static const char *const letters = "\n abcdefghijklmnopqrstuvwxyz.";
static const char *const who[] = {"the smith", "a red tower", "the old bridge", "my ship"};
static const char *const does[] = {"rusts", "holds", "turns", "waits"};
static const char *const where[] = {"by the sea", "in the morning", "under the moss"};

struct speller {
    struct ct_embedding_layer embedding;
    struct ct_lstm_layer lstm;
    struct ct_linear_layer head;
};

static struct speller new_speller(ct_params *p, int64_t nletters)
{
    return (struct speller){
        .embedding = ct_new_embedding(p, "embedding", nletters, 24),
        .lstm = ct_new_lstm(p, "lstm", 24, 64, .num_layers = 2, .batch_first = true),
        .head = ct_new_linear(p, "head", 64, nletters),
    };
}

static ct_tensor *forward(const struct speller *net, ct_tensor *x)
{
    return ct_forward(net->head, ct_forward(net->lstm, ct_forward(net->embedding, x)));
}

/* Makes sentences as letter indices. */
static ct_tensor *text_of(int sentences)
{
    int64_t n = 0, *number = malloc((size_t)sentences * 64 * sizeof *number);
    for (int i = 0; number && i < sentences; i++) {
        char line[64];
        int k = snprintf(line, sizeof line, "%s %s %s.\n", who[rand() % 4], does[rand() % 4],
                         where[rand() % 3]);
        for (int c = 0; c < k; c++)
            number[n++] = strchr(letters, line[c]) - letters;
    }
    ct_tensor *text = ct_clone(ct_from_data(number, CT_SHAPE(n)));
    free(number);
    return text;
}

/* Samples one character at a time and carries the state along. */
static void compose(const struct speller *net, int length)
{
    CT_NO_GRAD;
    struct ct_lstm_states state = {.h = CT_NO_TENSOR, .c = CT_NO_TENSOR};
    ct_tensor *last = ct_zeros(CT_SHAPE(1, 1), .dtype = CT_INT64);
    for (int i = 0; i < length && last; i++) {
        state = ct_run_lstm(net->lstm, ct_forward(net->embedding, last), state.h, state.c);
        ct_tensor *scores = ct_div(ct_at(ct_forward(net->head, state.output), "0, -1"), 0.7);
        last = ct_view(ct_multinomial(ct_softmax(scores, 0), 1), CT_SHAPE(1, 1));
        putchar(letters[(int)ct_item(last)]);
    }
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 120;
    ct_manual_seed(0);
    ct_tensor *text = text_of(300);
    ct_params *params = ct_params_new();
    struct speller net = new_speller(params, (int64_t)strlen(letters));
    ct_optim *optim = ct_adam(ct_params_list(params), .lr = 5e-3);
    printf("%lld letters, %lld parameters\n", (long long)ct_numel(text),
           (long long)ct_params_numel(params));

    struct progress progress = progress_begin(steps);
    double loss_now = 0;
    for (int step = 0; step < steps; step++) {
        CT_SCOPE;
        ct_tensor *starts = ct_randint(ct_numel(text) - LENGTH - 1, CT_SHAPE(BATCH, 1));
        ct_tensor *chunk = ct_take(text, ct_add(starts, ct_arange(LENGTH + 1)));
        ct_tensor *scores = forward(&net, ct_at(chunk, ":, :-1"));
        ct_tensor *loss =
            ct_cross_entropy(ct_flatten(scores, .end_dim = 1), ct_flatten(ct_at(chunk, ":, 1:")));
        ct_zero_grad(optim);
        ct_backward(loss);
        ct_clip_grad_norm(ct_params_list(params), 1.0);
        ct_step(optim);
        progress_show(&progress, step, loss_now = ct_item(loss));
    }
    compose(&net, 200);
    puts("");
    ct_save(ct_params_dict(params), "spell.pt");
    if (ct_error())
        fprintf(stderr, "%s: %s\n", ct_error_location() ? ct_error_location() : "?", ct_error());
    return ct_error() || loss_now > 1.0;
}
