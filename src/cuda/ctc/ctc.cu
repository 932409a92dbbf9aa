/* SPDX-License-Identifier: BSD-3-Clause */
/* Connectionist temporal classification (A. Graves et al., 2006) by the forward-backward recursions
 * in log space; see core/ctc.h and cpu/ctc/typed.h. A block computes one sequence, frame by frame;
 * its threads share the states: a target's labels with a blank before, between and after them, so
 * that even states are blanks. Launched by ctc.c. */
#include "cuda/common/real.cuh"
#include "cuda/ctc/ctc_args.h"

struct sequence {
    const int64_t *label;
    const T *probs; /* of frame 0 */
    T *alpha;
    int64_t states, line, frames; /* line: the stride of frames in alpha */
    int64_t frame;                /* the stride of frames in probs */
};

/* log(exp(a) + exp(b) + exp(c)) */
static __device__ T log_add(T a, T b, T c)
{
    T m = a > b ? a : b;
    m = c > m ? c : m;
    if (m == -infinity())
        return a + b + c; /* -inf, or NaN */
    return log(exp(a - m) + exp(b - m) + exp(c - m)) + m;
}

static __device__ sequence sequence_of(const ctc_args &a, int64_t b)
{
    sequence s;
    s.label = a.targets + a.first[b];
    s.line = 2 * a.longest + 1;
    s.states = 2 * a.target_lengths[b] + 1;
    s.frames = a.input_lengths[b];
    s.frame = a.batch * a.classes;
    s.probs = a.log_probs + b * a.classes;
    s.alpha = a.alpha + b * a.frames * s.line;
    return s;
}

static __device__ int64_t class_of(const ctc_args &a, const sequence &s, int64_t state)
{
    return state % 2 ? s.label[state / 2] : a.blank;
}

/* Whether the state is a label that may follow the previous label without a blank between them. */
static __device__ bool skips(const sequence &s, int64_t state)
{
    return state % 2 && state > 1 && s.label[state / 2] != s.label[state / 2 - 1];
}

#if BACK
/* Links equal labels: next[i] is the next position with the same label as position i, or 0 at the
 * last one. If the label occurred before, or is the blank, -next - 1 is stored instead. So a thread
 * that starts at a nonnegative entry can sum its class alone, in a fixed order and without
 * atomics. */
static __device__ void chain(const ctc_args &a, const sequence &s, int64_t *next)
{
    const int64_t n = s.states / 2;
    for (int64_t i = threadIdx.x; i < n; i += THREADS) {
        int64_t to = i + 1, before = i - 1;
        while (to < n && s.label[to] != s.label[i])
            to++;
        while (before >= 0 && s.label[before] != s.label[i])
            before--;
        const int64_t found = to < n ? to : 0;
        next[i] = before >= 0 || s.label[i] == a.blank ? -found - 1 : found;
    }
}

/* Returns, in every thread, the logsumexp over all blank states of a frame. */
static __device__ T blanks(const ctc_args &a, const sequence &s, const T *alpha, const T *beta)
{
    __shared__ T all[THREADS];
    T sum = -infinity();
    for (int64_t i = threadIdx.x; i < s.states; i += THREADS)
        if (class_of(a, s, i) == a.blank)
            sum = log_add(sum, alpha[i] + beta[i], -infinity());
    all[threadIdx.x] = sum;
    for (int width = THREADS / 2; width > 0; width /= 2) {
        __syncthreads();
        if (threadIdx.x < width)
            all[threadIdx.x] = log_add(all[threadIdx.x], all[threadIdx.x + width], -infinity());
    }
    __syncthreads();
    sum = all[0];
    __syncthreads();
    return sum;
}

static __device__ void back(const ctc_args &a, const sequence &s, int64_t b)
{
    int64_t *const next = a.next + b * a.longest;
    T *beta = a.beta + b * 2 * s.line, *after = beta + s.line;
    const T loss = a.loss[b], scale = a.grad_loss[b];
    chain(a, s, next);
    for (int64_t t = a.frames - 1; t >= 0; t--) {
        T *const g = a.grad + b * a.classes + t * s.frame;
        const T *const p = s.probs + t * s.frame, *const alpha = s.alpha + t * s.line;
        const bool silent = t >= s.frames || (a.zero_infinity && loss == infinity());
        for (int64_t c = threadIdx.x; c < a.classes; c += THREADS)
            g[c] = silent ? (T)0 : -infinity();
        if (silent)
            continue;
        T *const swap = beta;
        beta = after;
        after = swap;
        for (int64_t i = threadIdx.x; i < s.states; i += THREADS) {
            T sum = i >= s.states - 2 ? (T)0 : -infinity();
            if (t < s.frames - 1)
                sum = log_add(after[i], i + 1 < s.states ? after[i + 1] : -infinity(),
                              i + 2 < s.states && skips(s, i + 2) ? after[i + 2] : -infinity());
            beta[i] = sum + p[class_of(a, s, i)];
        }
        __syncthreads();
        const T blank = blanks(a, s, alpha, beta);
        if (threadIdx.x == 0)
            g[a.blank] = blank;
        for (int64_t i = threadIdx.x; i < s.states / 2; i += THREADS) {
            if (next[i] < 0)
                continue;
            T sum = -infinity();
            for (int64_t j = i, to = next[i];; j = to, to = -next[j] - 1) {
                sum = log_add(sum, alpha[2 * j + 1] + beta[2 * j + 1], -infinity());
                if (to == 0)
                    break;
            }
            g[s.label[i]] = sum;
        }
        __syncthreads();
        for (int64_t c = threadIdx.x; c < a.classes; c += THREADS)
            g[c] = (exp(p[c]) - exp(g[c] + loss - p[c])) * scale;
    }
}
#else
static __device__ void forward(const ctc_args &a, const sequence &s, int64_t b)
{
    if (s.frames == 0) {
        if (threadIdx.x == 0)
            a.loss[b] = s.states > 1 ? infinity() : (T)0;
        return;
    }
    for (int64_t t = 0; t < s.frames; t++) {
        T *const now = s.alpha + t * s.line;
        const T *const before = now - s.line, *const p = s.probs + t * s.frame;
        for (int64_t i = threadIdx.x; i < s.states; i += THREADS) {
            const T here = p[class_of(a, s, i)];
            if (t == 0)
                now[i] = i < 2 ? here : -infinity();
            else
                now[i] = here + log_add(before[i], i > 0 ? before[i - 1] : -infinity(),
                                        skips(s, i) ? before[i - 2] : -infinity());
        }
        __syncthreads();
    }
    const T *const last = s.alpha + (s.frames - 1) * s.line + s.states - 1;
    if (threadIdx.x == 0)
        a.loss[b] = -log_add(*last, s.states > 1 ? last[-1] : -infinity(), -infinity());
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) ctc_loss(const ctc_args a)
{
    const int64_t b = blockIdx.x;
    const sequence s = sequence_of(a, b);
#if BACK
    back(a, s, b);
#else
    forward(a, s, b);
#endif
}
