/* SPDX-License-Identifier: BSD-3-Clause */
/* The default number of threads, from the environment, the affinity mask and the cgroup quota.
 * parallel.c calls it once in a process. */
#define _GNU_SOURCE
#include "core/parallel_count.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 1024 };

static int clamp_count(long count)
{
    return count < 1 ? 1 : count > THREADS_MAX ? THREADS_MAX : (int)count;
}

static int affinity_count(void)
{
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0)
        return clamp_count(CPU_COUNT(&mask));
    /* the machine has more processors than a cpu_set_t holds */
    return clamp_count(sysconf(_SC_NPROCESSORS_ONLN));
}

/* A number from a one-line file, or -1 ("max", no such file). */
static long read_number(const char *path)
{
    FILE *file = fopen(path, "re");
    long value = -1;
    if (!file)
        return -1;
    if (fscanf(file, "%ld", &value) != 1)
        value = -1;
    fclose(file);
    return value;
}

/* The CPU quota of the cgroup in processors, rounded up; 0: no quota. A container that is limited
 * to two processors of a large machine would be slowed down by a thread for each of them. */
static long quota_count(void)
{
    long quota = -1, period = -1;
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "re");
    if (file) {
        if (fscanf(file, "%ld %ld", &quota, &period) != 2)
            quota = -1;
        fclose(file);
    } else {
        quota = read_number("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
        period = read_number("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    }
    return quota > 0 && period > 0 ? (quota + period - 1) / period : 0;
}

int cti_parallel_default_threads(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    long wanted = text ? strtol(text, NULL, 10) : 0;
    if (wanted > 0)
        return clamp_count(wanted);
    int count = affinity_count();
    long quota = quota_count();
    return quota > 0 && quota < count ? (int)quota : count;
}
