/* SPDX-License-Identifier: BSD-3-Clause */
/* A progress line for training: step, loss, a curve of the loss, steps per second. The C version of
 * examples/progress.py. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_WIDTH 30

struct progress {
    int steps, size; /* size: number of losses per bar */
    double sum[PROGRESS_WIDTH];
    int count[PROGRESS_WIDTH];
    double begin, drawn;
};

static double progress_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct progress progress_begin(int steps)
{
    int size = (steps + PROGRESS_WIDTH - 1) / PROGRESS_WIDTH;
    return (struct progress){.steps = steps, .size = size, .begin = progress_clock()};
}

static void progress_curve(const struct progress *p)
{
    static const char *const bar[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double low = 0, high = 0;
    for (int i = 0; i < PROGRESS_WIDTH && p->count[i]; i++) {
        double mean = p->sum[i] / p->count[i];
        low = i == 0 || mean < low ? mean : low;
        high = i == 0 || mean > high ? mean : high;
    }
    for (int i = 0; i < PROGRESS_WIDTH; i++) {
        double mean = p->count[i] ? p->sum[i] / p->count[i] : 0;
        int level = high > low ? (int)((mean - low) / (high - low) * 7) : 0;
        fputs(p->count[i] ? bar[level] : " ", stdout);
    }
}

/* Redraws the line at most ten times a second; a file gets only the last line. */
static void progress_show(struct progress *p, int step, double loss)
{
    double now = progress_clock();
    int last = step + 1 == p->steps;
    p->sum[step / p->size] += loss;
    p->count[step / p->size]++;
    if ((now - p->drawn < 0.1 || !isatty(1)) && !last)
        return;
    p->drawn = now;
    printf("step %5d/%d  loss %8.4f  ", step + 1, p->steps, loss);
    progress_curve(p);
    printf("  %6.1f/s%s", (step + 1) / (now - p->begin + 1e-9), last ? "\n" : "\r");
    fflush(stdout);
}

#endif
