/* SPDX-License-Identifier: BSD-3-Clause */
/* Connectionist temporal classification for one type (Graves et al., Connectionist temporal
 * classification, 2006). ctc.c includes this after it has defined T, EXP, LOG, INFINITE and
 * NAME(x). The states of a target are its labels with a blank before, between and after them: state
 * s is a blank if s is even. All numbers are logarithms of probabilities. alpha[t][s] is that of
 * all paths through frames 0 to t that end in state s; beta[t][s] is that of all paths through
 * frames t to the last that begin in state s. Both include frame t's own probability. */

/* log(e^a + e^b + e^c), without overflow */
static T NAME(add)(T a, T b, T c)
{
    T m = a > b ? a : b;
    m = c > m ? c : m;
    if (m == -INFINITE)
        return a + b + c; /* -inf or NaN */
    return LOG(EXP(a - m) + EXP(b - m) + EXP(c - m)) + m;
}

struct NAME(sequence) {
    const struct cti_ctc *w;
    const int64_t *label;
    const T *probs; /* log probabilities of frame 0 */
    T *alpha;
    int64_t states, frames;
    int64_t line; /* elements between frames of alpha */
};

static struct NAME(sequence) NAME(sequence_of)(const struct cti_ctc *w, int64_t b)
{
    struct NAME(sequence) s = {.w = w, .label = w->targets + w->first[b]};
    s.line = 2 * w->longest + 1;
    s.states = 2 * w->target_lengths[b] + 1;
    s.frames = w->input_lengths[b];
    s.probs = (const T *)w->log_probs + b * w->classes;
    s.alpha = (T *)w->alpha + b * w->frames * s.line;
    return s;
}

static int64_t NAME(class_of)(const struct NAME(sequence) * s, int64_t state)
{
    return state % 2 ? s->label[state / 2] : s->w->blank;
}

/* Whether a path may enter `state` from state - 2, skipping the blank in between: true for a label
 * that differs from the previous label. */
static bool NAME(skips)(const struct NAME(sequence) * s, int64_t state)
{
    return state % 2 && state > 1 && s->label[state / 2] != s->label[state / 2 - 1];
}

static T NAME(prob)(const struct NAME(sequence) * s, int64_t frame, int64_t state)
{
    return s->probs[frame * s->w->batch * s->w->classes + NAME(class_of)(s, state)];
}

static void NAME(forward)(const struct cti_ctc *w, int64_t b)
{
    struct NAME(sequence) s = NAME(sequence_of)(w, b);
    T *loss = (T *)w->loss + b;
    if (s.frames == 0) {
        *loss = w->target_lengths[b] ? INFINITE : 0;
        return;
    }
    for (int64_t i = 0; i < s.states; i++)
        s.alpha[i] = i < 2 ? NAME(prob)(&s, 0, i) : -INFINITE;
    for (int64_t t = 1; t < s.frames; t++) {
        T *now = s.alpha + t * s.line;
        const T *before = now - s.line;
        for (int64_t i = 0; i < s.states; i++)
            now[i] =
                NAME(prob)(&s, t, i) + NAME(add)(before[i], i > 0 ? before[i - 1] : -INFINITE,
                                                 NAME(skips)(&s, i) ? before[i - 2] : -INFINITE);
    }
    const T *last = s.alpha + (s.frames - 1) * s.line + s.states - 1;
    *loss = -NAME(add)(*last, s.states > 1 ? last[-1] : -INFINITE, -INFINITE);
}

/* Computes beta of frame t from that of frame t + 1, `after`. */
static void NAME(step_back)(const struct NAME(sequence) * s, int64_t t, T *beta, const T *after)
{
    for (int64_t i = 0; i < s->states; i++) {
        T sum = i >= s->states - 2 ? 0 : -INFINITE;
        if (t < s->frames - 1)
            sum = NAME(add)(after[i], i + 1 < s->states ? after[i + 1] : -INFINITE,
                            i + 2 < s->states && NAME(skips)(s, i + 2) ? after[i + 2] : -INFINITE);
        beta[i] = sum + NAME(prob)(s, t, i);
    }
}

/* Scratch: 2 * line elements, for beta of two frames. */
static void NAME(backward)(const struct cti_ctc *w, int64_t b, T *room)
{
    struct NAME(sequence) s = NAME(sequence_of)(w, b);
    int64_t frame = w->batch * w->classes;
    T loss = ((const T *)w->loss)[b], scale = ((const T *)w->grad_loss)[b];
    T *grad = (T *)w->grad + b * w->classes, *beta = room, *after = room + s.line;
    for (int64_t t = w->frames - 1; t >= 0; t--) {
        T *g = grad + t * frame;
        const T *p = s.probs + t * frame;
        bool silent = t >= s.frames || (w->zero_infinity && loss == INFINITE);
        for (int64_t c = 0; c < w->classes; c++)
            g[c] = silent ? 0 : -INFINITE;
        if (silent)
            continue;
        T *swap = beta;
        beta = after;
        after = swap;
        NAME(step_back)(&s, t, beta, after);
        for (int64_t i = 0; i < s.states; i++) {
            T *sum = g + NAME(class_of)(&s, i);
            *sum = NAME(add)(*sum, s.alpha[t * s.line + i] + beta[i], -INFINITE);
        }
        for (int64_t c = 0; c < w->classes; c++)
            g[c] = (EXP(p[c]) - EXP(g[c] + loss - p[c])) * scale;
    }
}

#undef T
#undef EXP
#undef LOG
#undef INFINITE
#undef NAME
