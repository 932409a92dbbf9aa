// SPDX-License-Identifier: BSD-3-Clause
// A libcuda.so.1 that runs kernels (compiler.cpp) on the host, block after block. The threads of a block are fibers that
// switch at barriers and collective operations; the process aborts if all of them wait for each other. The emulator
// finds wrong arguments, results and addresses, host addresses among a kernel's arguments, barriers that not all threads
// reach, and with EMU_ORDER=1 or 2 (another thread order) most missing barriers. It does not find races between blocks
// or slow code.
#include "shim.hpp"
#undef threadIdx
#undef __shared__

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <string>
#include <sys/mman.h>
#include <vector>

static int number(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    return text ? atoi(text) : otherwise;
}

// ---- fibers ----

static const int MOST = 1024; // maximum threads of a block
static const int WARPS = MOST / 32;
// Not a power of two, since equal frames of all stacks would otherwise map to the same few cache sets.
static const size_t STACK = (128 << 10) + 320;

static struct fiber {
    void *stack; // the stack pointer while another fiber runs
    unsigned mask; // lanes that it waits for at a collective operation
    emu_uint3 thread;
} fibers[MOST];

// Each lane is in one of four states: running, waiting for lanes of its warp, waiting for its block, or done.
static struct warp {
    unsigned all, runs, waits, blocked, done; // sets of lanes
} warps[WARPS];

static void *scheduler;
static char *stacks;
static int now, nthreads, nwarps;
static unsigned pending; // positions of lanes that have yet to run in this pass over a warp
static int lane_at[32], warp_at[WARPS]; // the lane or warp at a position of the order
static emu_state shared_state; // visible to kernels
static unsigned long long given[4 * MOST], seen[4 * MOST];
static unsigned alive[WARPS];
static bool votes[MOST];
static unsigned yes, voters; // of the last __syncthreads_or, _and, _count
static void (*entry)(const void *);
static const void *entry_arguments;

// Saves the registers that a callee must preserve, and continues the other fiber.
extern "C" void emu_switch(void **keep, void *other);
asm(".globl emu_switch\n"
    "emu_switch:\n"
    "push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
    "mov %rsp, (%rdi)\n"
    "mov %rsi, %rsp\n"
    "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n"
    "ret\n");

static warp &own() { return warps[now / 32]; }
static unsigned own_bit() { return 1u << now % 32; }

// Continues the next lane of this pass, or the scheduler after the last one. A lane switches to the next one directly:
// both have usually made the same call, so the processor predicts where they return to.
static void switch_from(void **keep) {
    void *next = scheduler;
    if (pending) {
        const int i = now / 32 * 32 + lane_at[__builtin_ctz(pending)];
        pending &= pending - 1;
        now = shared_state.id = i;
        shared_state.thread = fibers[i].thread;
        next = fibers[i].stack;
    }
    emu_switch(keep, next);
}

static void yield() { switch_from(&fibers[now].stack); }

static void sync_block() {
    own().runs &= ~own_bit();
    own().blocked |= own_bit();
    yield();
}

static void sync_warp(unsigned mask) {
    own().runs &= ~own_bit();
    own().waits |= own_bit();
    fibers[now].mask = mask;
    yield();
}

static int paused; // number of pauses of this block's threads

static void pause_fiber() {
    if (++paused > 100000000) {
        fprintf(stderr, "emulator: threads wait at barriers that no other thread reaches\n");
        abort();
    }
    yield();
}

// __syncthreads_or, _and, _count: op 0, 1, 2.
static unsigned counted(int op, int vote) {
    votes[now] = vote != 0;
    sync_block();
    return op == 0 ? yes != 0 : op == 1 ? yes == voters : yes;
}

static void body() {
    entry(entry_arguments);
    own().runs &= ~own_bit();
    own().done |= own_bit();
    yield();
    abort();
}

static bool release_block() {
    for (int w = 0; w < nwarps; w++)
        if (warps[w].runs | warps[w].waits) return false;
    yes = voters = 0;
    for (int w = 0; w < nwarps; w++) {
        for (unsigned left = warps[w].blocked; left; left &= left - 1, voters++)
            yes += votes[w * 32 + __builtin_ctz(left)];
        warps[w].runs = warps[w].blocked;
        warps[w].blocked = 0;
    }
    return voters != 0;
}

// Releases the lanes of a collective operation once all of them have arrived, and copies their values. The copy replaces
// a second barrier: a lane that runs ahead to its next operation cannot overwrite a value that others have yet to read,
// since every released lane runs before the next release.
static bool release_lanes(int w, int lane) {
    const unsigned mask = fibers[w * 32 + lane].mask, others = mask & warps[w].all & ~warps[w].done;
    if (!(mask >> lane & 1) || (others & ~warps[w].waits)) return false;
    for (unsigned left = others; left; left &= left - 1)
        if (fibers[w * 32 + __builtin_ctz(left)].mask != mask) return false;
    for (unsigned left = others; left; left &= left - 1) {
        const int i = w * 32 + __builtin_ctz(left);
        memcpy(&seen[4 * i], &given[4 * i], 4 * sizeof *seen);
    }
    alive[w] = warps[w].all & ~warps[w].done;
    warps[w].waits &= ~others;
    warps[w].runs |= others;
    return true;
}

// Runs a warp until it needs other warps, so that warps get as far apart as barriers allow.
static bool run_warp(int w) {
    bool moved = false, released = true;
    while (released && warps[w].runs) {
        pending = 0;
        for (int k = 0; k < 32; k++) pending |= (warps[w].runs >> lane_at[k] & 1) << k;
        now = w * 32;
        switch_from(&scheduler);
        moved = true;
        released = false;
        for (int lane = 0; lane < 32; lane++)
            if (warps[w].waits >> lane & 1) released = release_lanes(w, lane) || released;
    }
    return moved;
}

// order 0: ascending, 1: descending, 2: shuffled
static void prepare_threads(int order) {
    const emu_uint3 size = shared_state.block_dim;
    for (int k = 0; k < 32; k++) lane_at[k] = order == 1 ? 31 - k : order == 2 ? (k * 389 + 7) % 32 : k;
    for (int k = 0; k < nwarps; k++)
        warp_at[k] = order == 1 ? nwarps - 1 - k : order == 2 ? (k * 389 + 7) % nwarps : k;
    for (unsigned i = 0; i < (unsigned)nthreads; i++)
        fibers[i].thread = {i % size.x, i / size.x % size.y, i / (size.x * size.y)};
}

static void run_block() {
    for (int i = 0; i < nthreads; i++) {
        void **top = (void **)(stacks + ((size_t)(i + 1) * STACK - 64) / 64 * 64);
        *--top = nullptr;
        *--top = (void *)body;
        for (int k = 0; k < 6; k++) *--top = nullptr;
        fibers[i].stack = top;
    }
    for (int w = 0; w < nwarps; w++) {
        const int n = nthreads - w * 32;
        const unsigned all = n < 32 ? (1u << n) - 1 : ~0u;
        warps[w] = {all, all, 0, 0, 0};
    }
    for (bool left = true; left;) {
        bool moved = false;
        for (int k = 0; k < nwarps; k++) moved = run_warp(warp_at[k]) || moved;
        moved = release_block() || moved;
        left = false;
        for (int w = 0; w < nwarps; w++) left = left || warps[w].done != warps[w].all;
        if (left && !moved) {
            fprintf(stderr, "emulator: threads wait at different places\n");
            abort();
        }
    }
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---- memory ----

struct region {
    unsigned long long first, end;
};
static std::vector<region> regions; // memory that kernels may use: device memory and pinned host memory

static void add_region(unsigned long long first, size_t n) {
    pthread_mutex_lock(&lock);
    regions.push_back({first, first + n});
    pthread_mutex_unlock(&lock);
}

static bool in_regions(unsigned long long address) {
    for (const region &r : regions)
        if (address >= r.first && address <= r.end) return true; // <=: the end of an empty tensor
    return false;
}

// A GPU cannot read other host memory, but an emulated kernel could. So each word of the arguments that is the address of
// a mapped page must be in a region. Numbers rarely look like such addresses. Empty tensors point to a static object,
// which dladdr recognizes. The address sanitizer maps so much memory that small numbers are valid addresses too.
static bool has_host_memory(const void *arguments, size_t size) {
    static const bool sanitized = dlsym(RTLD_DEFAULT, "__asan_init") != nullptr;
    if (sanitized) return false;
    const unsigned long long *word = (const unsigned long long *)arguments;
    for (size_t i = 0; i < size / sizeof *word; i++) {
        const unsigned long long page = word[i] & ~4095ull;
        unsigned char there;
        Dl_info object;
        if (page < 1ull << 32 || page >= 1ull << 47 || in_regions(word[i]) || mincore((void *)page, 1, &there) ||
            dladdr((void *)word[i], &object))
            continue;
        fprintf(stderr, "emulator: byte %zu of a kernel's arguments is a host address\n", i * sizeof *word);
        return true;
    }
    return false;
}

struct function {
    void *library;
    void (*entry)(const void *);
    emu_state **state;
};

// ---- the driver ----

extern "C" {
int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int *v) {
    *v = 13000;
    return 0;
}
int cuGetErrorString(int c, const char **t) {
    *t = c == 2 ? "out of memory" : "emulated error";
    return 0;
}
int cuDeviceGetCount(int *n) {
    *n = 1;
    return 0;
}
int cuDeviceGet(int *d, int o) {
    *d = o;
    return 0;
}
int cuDeviceGetName(char *n, int s, int) {
    snprintf(n, s, "Emulated device");
    return 0;
}
int cuDeviceTotalMem_v2(size_t *b, int) {
    *b = (size_t)8 << 30;
    return 0;
}
int cuDeviceGetUuid_v2(unsigned char *u, int) {
    memset(u, 0, 16);
    return 0;
}
int cuDeviceGetAttribute(int *v, int a, int) {
    *v = a == 75   ? number("EMU_MAJOR", 9)
         : a == 76 ? 0
         : a == 16 ? number("EMU_SM", 132)
         : a == 10 ? 32
         : a == 39 ? 2048
         : a == 95 ? 0 // blocks run one after the other
         : a == 97 ? 232448
         : a == 8  ? 49152
         : a == 81 ? 233472
         : a == 38 ? 52428800
                   : 1024;
    return 0;
}
int cuDeviceCanAccessPeer(int *c, int, int) {
    *c = 0;
    return 0;
}
int cuDevicePrimaryCtxRetain(void **c, int) {
    *c = (void *)&lock;
    return 0;
}
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxGetCurrent(void **c) {
    *c = (void *)&lock;
    return 0;
}
int cuCtxEnablePeerAccess(void *, unsigned) { return 0; }
int cuCtxSynchronize() { return 0; }
int cuMemGetInfo_v2(size_t *f, size_t *a) {
    *f = *a = (size_t)8 << 30;
    return 0;
}
int cuMemAlloc_v2(unsigned long long *p, size_t n) {
    void *q = mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (q == MAP_FAILED) return 2;
    if (n < (64u << 20)) memset(q, 0xcb, n);
    *p = (unsigned long long)q;
    add_region(*p, n);
    return 0;
}
int cuMemFree_v2(unsigned long long) { return 0; }
int cuMemHostAlloc(void **p, size_t n, unsigned) {
    *p = aligned_alloc(4096, (n + 4095) / 4096 * 4096);
    add_region((unsigned long long)*p, n);
    return 0;
}
int cuMemFreeHost(void *p) {
    free(p);
    return 0;
}
int cuMemHostGetDevicePointer_v2(unsigned long long *a, void *h, unsigned) {
    *a = (unsigned long long)h;
    return 0;
}
int cuMemcpyAsync(unsigned long long d, unsigned long long s, size_t n, void *) {
    memmove((void *)d, (void *)s, n);
    return 0;
}
int cuMemsetD8Async(unsigned long long d, unsigned char v, size_t n, void *) {
    memset((void *)d, v, n);
    return 0;
}
int cuMemsetD32Async(unsigned long long d, unsigned v, size_t n, void *) {
    for (size_t i = 0; i < n; i++) ((unsigned *)d)[i] = v;
    return 0;
}
int cuStreamCreateWithPriority(void **s, unsigned, int) {
    *s = malloc(1);
    return 0;
}
int cuStreamDestroy_v2(void *s) {
    free(s);
    return 0;
}
int cuStreamSynchronize(void *) { return 0; }
int cuStreamQuery(void *) { return 0; }
int cuStreamWaitEvent(void *, void *, unsigned) { return 0; }
int cuEventCreate(void **e, unsigned) {
    *e = malloc(1);
    return 0;
}
int cuEventDestroy_v2(void *e) {
    free(e);
    return 0;
}
int cuEventRecord(void *, void *) { return 0; }
int cuEventQuery(void *) { return 0; }
int cuEventSynchronize(void *) { return 0; }
int cuEventElapsedTime_v2(float *m, void *, void *) {
    *m = 0;
    return 0;
}
int cuModuleLoadData(void **m, const void *image) {
    function *f = new function;
    void *l = dlopen((const char *)image, RTLD_NOW | RTLD_LOCAL);
    if (!l) {
        fprintf(stderr, "emu: %s\n", dlerror());
        return 200;
    }
    f->library = l;
    f->state = (emu_state **)dlsym(l, "emu_E");
    *f->state = &shared_state;
    *m = f;
    return 0;
}
int cuModuleGetFunction(void **f, void *m, const char *name) {
    function *found = (function *)m;
    found->entry = (void (*)(const void *))dlsym(found->library, (std::string("emu_") + name).c_str());
    *f = found;
    return found->entry ? 0 : 500;
}
int cuModuleUnload(void *) { return 0; }
int cuFuncSetAttribute(void *, int, int) { return 0; }
int cuFuncGetAttribute(int *v, int, void *) {
    *v = 32;
    return 0;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, void *, int, size_t) {
    *n = 2;
    return 0;
}
int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned,
                   void *, void **, void **extra) {
    static int order = number("EMU_ORDER", 0);
    static char copy[4096];
    const size_t size = *(size_t *)extra[3];
    if (!gx || !gy || !gz || gy > 65535 || gz > 65535 || !bx || bx * by * bz > (unsigned)MOST || size > sizeof copy) {
        fprintf(stderr, "emulator: %u %u %u blocks of %u threads, %zu bytes\n", gx, gy, gz, bx * by * bz, size);
        return 1;
    }
    pthread_mutex_lock(&lock);
    if (has_host_memory(extra[1], size)) {
        pthread_mutex_unlock(&lock);
        return 700; // as on a GPU: an illegal address
    }
    if (!stacks)
        stacks = (char *)mmap(0, MOST * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(copy, extra[1], size);
    entry = ((function *)f)->entry;
    entry_arguments = copy;
    nthreads = (int)(bx * by * bz);
    nwarps = (nthreads + 31) / 32;
    emu_state &s = shared_state;
    s.block_dim = {bx, by, bz};
    s.grid_dim = {gx, gy, gz};
    s.sync_block = sync_block;
    s.sync_warp = sync_warp;
    s.given = given;
    s.seen = seen;
    s.alive = alive;
    s.counted = counted;
    s.pause = pause_fiber;
    prepare_threads(order);
    for (unsigned z = 0; z < gz; z++)
        for (unsigned y = 0; y < gy; y++)
            for (unsigned x = 0; x < gx; x++) {
                s.block = {x, y, z};
                paused = 0;
                run_block();
            }
    pthread_mutex_unlock(&lock);
    return 0;
}
struct launch {
    unsigned grid[3], block[3], shared;
    void *stream, *attributes;
    unsigned nattributes;
};
int cuLaunchKernelEx(const launch *l, void *f, void **arguments, void **extra) {
    return cuLaunchKernel(f, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->shared,
                          l->stream, arguments, extra);
}
#define NONE(n)                                                                                                        \
    int n() {                                                                                                          \
        fprintf(stderr, "emu: %s\n", #n);                                                                              \
        return 801;                                                                                                    \
    }
NONE(cuStreamBeginCapture_v2)
NONE(cuStreamEndCapture) NONE(cuGraphInstantiateWithFlags) NONE(cuGraphLaunch) NONE(cuGraphDestroy)
    NONE(cuGraphExecDestroy) NONE(cuStreamIsCapturing) NONE(cuPointerGetAttribute) NONE(cuMemcpyPeerAsync)
        NONE(cuThreadExchangeStreamCaptureMode) NONE(cuMemHostRegister_v2)
            NONE(cuMemHostUnregister)
}
