// SPDX-License-Identifier: BSD-3-Clause
// A libcudnn.so.9 for the emulator: the part of the graph API that src/cuda/conv/cudnn.c uses, with one float32 or float64
// convolution per graph, computed on the host. As in the real library, a descriptor must be finalized before use and
// cannot be changed afterwards. emu_cudnn_count returns counts of calls.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

enum { OK = 0, BAD = 2000, UNSUPPORTED = 3000 };
enum { CONVOLUTION = 1, ENGINE, ENGINECFG, ENGINEHEUR, PLAN, FORWARD = 10, FILTER, DATA, GRAPH = 15, PACK, TENSOR };
enum { TYPE_DESCRIPTOR = 15 };

struct content {
    int kind, engine = 0;
    bool final = false;
    std::map<int, std::vector<char>> bytes;
    std::map<int, std::shared_ptr<content>> parts;

    const int64_t *numbers(int name) const { return (const int64_t *)bytes.at(name).data(); }
    int number(int name) const { return *(const int *)bytes.at(name).data(); }
};
struct descriptor {
    std::shared_ptr<content> is;
};
static long counts[32]; // descriptors made, by kind; 0: live descriptors, 30: queries of heuristics, 31: executions

static size_t size_of(int type) {
    return type == 1 || type == 4 || type == 7 || type == 8 || type == 11 ? 4 : 8;
}

static const content *graph_of(const content &plan) {
    return plan.parts.at(401)->parts.at(9999)->parts.at(9999)->parts.at(801).get(); // configuration, engine, operation
}

// ---- convolutions ----

struct operand {
    char *data;
    const int64_t *shape, *stride;
};

template <typename T> static T &element(const operand &t, const int64_t *at, int ndim) {
    int64_t offset = 0;
    for (int d = 0; d < ndim; d++) offset += at[d] * t.stride[d];
    return ((T *)t.data)[offset];
}

static bool next(int64_t *at, const int64_t *shape, int ndim) {
    for (int d = ndim - 1; d >= 0; at[d--] = 0)
        if (++at[d] < shape[d]) return true;
    return false;
}

template <typename T> static void clear(const operand &t, int ndim) {
    int64_t at[5] = {0};
    do element<T>(t, at, ndim) = 0;
    while (next(at, t.shape, ndim));
}

template <typename T>
static void convolve(int kind, const content &conv, const operand &x, const operand &w, const operand &y, int ndim) {
    const int64_t *dilation = conv.numbers(102), *stride = conv.numbers(103), *padding = conv.numbers(105);
    const int64_t each = y.shape[1] / (x.shape[1] / w.shape[1]);
    int64_t to[5] = {0};
    clear<T>(kind == FORWARD ? y : kind == DATA ? x : w, ndim);
    do {
        int64_t tap[5] = {0}, from[5] = {to[0]};
        do {
            if (tap[0]) break; // a row of the weight gives a row of the result
            int64_t k[5] = {to[1], tap[1], tap[2], tap[3], tap[4]};
            bool inside = true;
            from[1] = to[1] / each * w.shape[1] + tap[1];
            for (int d = 2; d < ndim; d++) {
                from[d] = to[d] * stride[d - 2] + tap[d] * dilation[d - 2] - padding[d - 2];
                inside = inside && from[d] >= 0 && from[d] < x.shape[d];
            }
            if (!inside) continue;
            T &a = element<T>(x, from, ndim), &b = element<T>(w, k, ndim), &c = element<T>(y, to, ndim);
            *(kind == FORWARD ? &c : kind == DATA ? &a : &b) +=
                kind == FORWARD ? a * b : kind == DATA ? b * c : a * c;
        } while (next(tap, w.shape, ndim));
    } while (next(to, y.shape, ndim));
}

static int run(const content &plan, const content &pack) {
    const content &operation = *graph_of(plan);
    const int first = operation.kind == FORWARD ? 700 : operation.kind == DATA ? 706 : 712;
    operand operands[3];
    int ndim = 0, type = 0;
    for (int i = 0; i < 3; i++) { // weight, input, result
        const content &t = *operation.parts.at(first + 3 + i);
        const int64_t *ids = pack.numbers(1000), id = *t.numbers(906);
        void *const *pointers = (void *const *)pack.bytes.at(1001).data();
        operands[i] = {nullptr, t.numbers(902), t.numbers(903)};
        for (int k = 0; k < 3; k++)
            if (ids[k] == id) operands[i].data = (char *)pointers[k];
        if (!operands[i].data || (uintptr_t)operands[i].data % *t.numbers(900)) return BAD;
        ndim = (int)(t.bytes.at(902).size() / 8);
        type = t.number(901);
    }
    if (!*(void *const *)pack.bytes.at(1003).data()) return BAD;
    (type ? convolve<double> : convolve<float>)(operation.kind, *operation.parts.at(first + 2), operands[1],
                                                operands[0], operands[2], ndim);
    return OK;
}

// ---- the interface ----

static descriptor *made(int kind) {
    counts[0]++;
    counts[kind]++;
    descriptor *d = new descriptor{std::make_shared<content>()};
    d->is->kind = kind;
    return d;
}

extern "C" {
long emu_cudnn_count(int what) { return counts[what]; }
size_t cudnnGetVersion() { return 90000; }
int cudnnCreate(void **handle) {
    *handle = malloc(1);
    return OK;
}
int cudnnSetStream(void *, void *) { return OK; }
const char *cudnnGetErrorString(int) { return "emulated status"; }
int cudnnBackendCreateDescriptor(int kind, descriptor **d) {
    *d = made(kind);
    return OK;
}
int cudnnBackendDestroyDescriptor(descriptor *d) {
    counts[0]--;
    delete d;
    return OK;
}
int cudnnBackendSetAttribute(descriptor *d, int name, int type, int64_t count, const void *from) {
    if (!d || d->is->final) return BAD;
    if (type == TYPE_DESCRIPTOR) {
        descriptor *const part = *(descriptor *const *)from;
        if (!part || count != 1 || !(part->is->final || part->is->kind == ENGINECFG)) return BAD;
        d->is->parts[name] = part->is;
    } else {
        d->is->bytes[name].assign((const char *)from, (const char *)from + count * size_of(type));
    }
    return OK;
}
int cudnnBackendFinalize(descriptor *d) {
    if (!d || d->is->final) return BAD;
    content &c = *d->is;
    if (c.kind == TENSOR && c.number(901) > 1) return UNSUPPORTED; // 16-bit types
    if (c.kind == PLAN && !c.parts.count(401)) return BAD;
    c.final = true;
    return OK;
}
int cudnnBackendGetAttribute(descriptor *d, int name, int, int64_t wanted, int64_t *count, void *to) {
    content &c = *d->is;
    descriptor *const *found = (descriptor *const *)to;
    if (c.kind == ENGINEHEUR && name == 202) { // two engines, the faster one first
        counts[30]++;
        *count = wanted < 2 ? wanted : 2;
        for (int i = 0; i < *count; i++) {
            auto engine = std::make_shared<content>();
            engine->kind = ENGINE;
            engine->engine = i;
            engine->final = true;
            engine->parts[9999] = c.parts.at(201);
            found[i]->is->parts[9999] = engine;
            found[i]->is->final = true;
        }
        return OK;
    }
    if (c.kind == ENGINECFG && name == 300) {
        *count = 1;
        found[0]->is = c.parts.at(9999);
        return OK;
    }
    if (c.kind == ENGINE && name == 1303) { // the first engine is not deterministic
        *count = c.engine == 0;
        if (wanted > 0) *(int *)to = 4;
        return OK;
    }
    if (c.kind == PLAN && name == 402 && c.final) {
        *(int64_t *)to = 1000;
        *count = 1;
        return OK;
    }
    return BAD;
}
int cudnnBackendExecute(void *handle, descriptor *plan, descriptor *pack) {
    counts[31]++;
    if (!handle || !plan || !pack || !plan->is->final || !pack->is->final || plan->is->kind != PLAN) return BAD;
    return run(*plan->is, *pack->is);
}
}
