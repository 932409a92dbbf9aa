/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds the registered locks during a fork; see fork.h. */
#include "core/fork.h"

#define GUARDED 16

uint32_t cti_forks;
uint8_t cti_fork_mark = 1;

static struct {
    pthread_mutex_t *lock[2][GUARDED]; /* outer ones, then inner ones */
    int count[2];
} guarded;

static void before_fork(void)
{
    for (int inner = 0; inner < 2; inner++)
        for (int i = 0; i < guarded.count[inner]; i++)
            pthread_mutex_lock(guarded.lock[inner][i]);
}

static void after_fork(void)
{
    for (int inner = 1; inner >= 0; inner--)
        for (int i = guarded.count[inner] - 1; i >= 0; i--)
            pthread_mutex_unlock(guarded.lock[inner][i]);
}

static void after_fork_in_child(void)
{
    cti_forks++;
    cti_fork_mark = (uint8_t)(cti_forks % 255 + 1);
    after_fork();
}

void cti_fork_guard(pthread_mutex_t *lock, int inner)
{
    if (guarded.count[inner] < GUARDED)
        guarded.lock[inner][guarded.count[inner]++] = lock;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}
