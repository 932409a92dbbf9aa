// SPDX-License-Identifier: BSD-3-Clause
// libcuda.so.1 of a card that is the host: kernels (compiler.cpp) run block after block, the threads of a block as
// fibers that change places at barriers and collective operations. Who waits where nobody else comes ends the process.
// What it finds: wrong arguments, sums and addresses, addresses of the host among a kernel's arguments, barriers that
// not all threads reach, and with EMU_ORDER=1 or 2 (threads in another order) most missing ones. What it does not:
// races between blocks, and speed.
#include "shim.hpp"
#undef threadIdx
#undef __shared__

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <vector>

static int number(const char *variable, int otherwise) {
    const char *text = getenv(variable);
    return text ? atoi(text) : otherwise;
}

// ---- fibers ----

enum state { RUNS, AT_BLOCK, AT_WARP, DONE }; // the last but one: waits for all threads, for those of a mask
static const size_t STACK = 128 << 10;
static const int MOST = 1024; // threads of a block

static struct fiber {
    void *stack; // where it stands
    enum state state;
    unsigned mask; // lanes that it waits for
} fibers[MOST];
static void *scheduler;
static char *stacks;
static int now, nthreads;
static emu_state shared_state; // what kernels see
static unsigned long long slots[4 * MOST];
static void (*entry)(const void *);
static const void *entry_arguments;

// Keeps the registers that a call keeps, and goes on where the other fiber stands.
extern "C" void emu_switch(void **keep, void *other);
asm(".globl emu_switch\n"
    "emu_switch:\n"
    "push %rbp\n push %rbx\n push %r12\n push %r13\n push %r14\n push %r15\n"
    "mov %rsp, (%rdi)\n"
    "mov %rsi, %rsp\n"
    "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbx\n pop %rbp\n"
    "ret\n");

static void yield() { emu_switch(&fibers[now].stack, scheduler); }

static void sync_block() {
    fibers[now].state = AT_BLOCK;
    yield();
}

static void sync_warp(unsigned mask) {
    fibers[now].state = AT_WARP;
    fibers[now].mask = mask;
    yield();
}

static int paused; // how often threads of this block waited for others

static void pause_fiber() {
    if (++paused > 100000000) {
        fprintf(stderr, "emulator: threads wait for barriers that nobody reaches\n");
        abort();
    }
    yield();
}

static int live(int thread) { return thread < nthreads && fibers[thread].state != DONE; }

// __syncthreads_or, _and, _count: op 0, 1, 2.
static unsigned counted(int op, int given) {
    unsigned sum = 0, all = 0;
    slots[4 * now + 3] = given != 0;
    sync_block();
    for (int i = 0; i < nthreads; i++)
        if (live(i)) {
            sum += (unsigned)slots[4 * i + 3];
            all++;
        }
    sync_block();
    return op == 0 ? sum != 0 : op == 1 ? sum == all : sum;
}

static void body() {
    entry(entry_arguments);
    fibers[now].state = DONE;
    yield();
    abort();
}

static void run(int thread) {
    emu_state &s = shared_state;
    const unsigned i = (unsigned)thread, x = s.block_dim.x, y = s.block_dim.y;
    now = s.id = thread;
    s.thread = {i % x, i / x % y, i / (x * y)};
    emu_switch(&scheduler, fibers[thread].stack);
}

static bool release_block() {
    for (int i = 0; i < nthreads; i++)
        if (fibers[i].state != AT_BLOCK && fibers[i].state != DONE) return false;
    for (int i = 0; i < nthreads; i++)
        if (fibers[i].state == AT_BLOCK) fibers[i].state = RUNS;
    return true;
}

// Lets the lanes go on that one of them waits for, where all are there.
static bool release_lanes(int warp, int lane) {
    const unsigned mask = fibers[warp + lane].mask;
    bool ready = mask >> lane & 1;
    for (int j = 0; j < 32 && warp + j < nthreads; j++) {
        const fiber &f = fibers[warp + j];
        if (mask >> j & 1) ready = ready && (f.state == DONE || (f.state == AT_WARP && f.mask == mask));
    }
    for (int j = 0; ready && j < 32 && warp + j < nthreads; j++)
        if ((mask >> j & 1) && fibers[warp + j].state == AT_WARP) fibers[warp + j].state = RUNS;
    return ready;
}

static void run_block(int order) {
    for (int i = 0; i < nthreads; i++) {
        void **top = (void **)(stacks + (size_t)(i + 1) * STACK - 64);
        *--top = nullptr;
        *--top = (void *)body;
        for (int k = 0; k < 6; k++) *--top = nullptr;
        fibers[i] = {top, RUNS, 0};
    }
    for (int left = nthreads; left;) {
        bool moved = false;
        for (int k = 0; k < nthreads; k++) {
            const int i = order == 1 ? nthreads - 1 - k : order == 2 ? (k * 389 + 7) % nthreads : k;
            if (fibers[i].state != RUNS) continue;
            run(i);
            moved = true;
            left -= fibers[i].state == DONE;
        }
        moved = (left && release_block()) || moved;
        for (int i = 0; i < nthreads; i++)
            if (fibers[i].state == AT_WARP) moved = release_lanes(i / 32 * 32, i % 32) || moved;
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
static std::vector<region> regions; // that kernels may touch: the device's and pinned memory of the host

static void add_region(unsigned long long first, size_t n) {
    pthread_mutex_lock(&lock);
    regions.push_back({first, first + n});
    pthread_mutex_unlock(&lock);
}

static bool in_regions(unsigned long long address) {
    for (const region &r : regions)
        if (address >= r.first && address <= r.end) return true; // <=: where something of no elements ends
    return false;
}

// A card cannot read the host's other memory. Here it could: so each word of the arguments that is an address of
// mapped memory must be one of a region. Numbers are hardly ever such addresses. Tensors of no elements have that of a
// static object, which dladdr knows. The address sanitizer maps so much that small numbers are addresses too.
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
        fprintf(stderr, "emulator: byte %zu of a kernel's arguments has an address of the host\n", i * sizeof *word);
        return true;
    }
    return false;
}

struct function {
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
    f->entry = (void (*)(const void *))dlsym(l, "emu_entry");
    f->state = (emu_state **)dlsym(l, "emu_E");
    *f->state = &shared_state;
    *m = f;
    return 0;
}
int cuModuleGetFunction(void **f, void *m, const char *) {
    *f = m;
    return 0;
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
        return 700; // as a card: an illegal address
    }
    if (!stacks)
        stacks = (char *)mmap(0, MOST * STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(copy, extra[1], size);
    entry = ((function *)f)->entry;
    entry_arguments = copy;
    nthreads = (int)(bx * by * bz);
    emu_state &s = shared_state;
    s.block_dim = {bx, by, bz};
    s.grid_dim = {gx, gy, gz};
    s.sync_block = sync_block;
    s.sync_warp = sync_warp;
    s.slots = slots;
    s.live = live;
    s.counted = counted;
    s.pause = pause_fiber;
    for (unsigned z = 0; z < gz; z++)
        for (unsigned y = 0; y < gy; y++)
            for (unsigned x = 0; x < gx; x++) {
                s.block = {x, y, z};
                paused = 0;
                run_block(order);
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
