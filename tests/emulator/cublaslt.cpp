// SPDX-License-Identifier: BSD-3-Clause
// A libcublasLt.so.13 for the emulator: float32 and float64 column-major products on the host, with the interface that
// src/cuda/gemm/gemm.c uses. If EMU_REFUSE is set, it refuses its first proposed algorithm. emu_cublaslt_count returns
// counts of calls.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

static long counts[2]; // 0: live descriptors; 1: queries of heuristics

struct layout {
    int type, batch;
    uint64_t rows, cols;
    int64_t ld, step;
};
struct description {
    int compute, scale, trans[2], epilogue;
    const void *bias;
};
struct algorithm {
    uint64_t data[8];
};
struct found {
    algorithm algo;
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
};

template <typename T> static T at(const void *data, const layout &l, bool transposed, uint64_t i, uint64_t j) {
    return ((const T *)data)[transposed ? j + i * (uint64_t)l.ld : i + j * (uint64_t)l.ld];
}

template <typename T>
static void multiply(const description &d, T alpha, const T *a, const layout &la, const T *b, const layout &lb, T beta,
                     T *c, const layout &lc) {
    const uint64_t deep = d.trans[0] ? la.rows : la.cols;
    for (int n = 0; n < lc.batch; n++, a += la.step, b += lb.step, c += lc.step)
        for (uint64_t j = 0; j < lc.cols; j++)
            for (uint64_t i = 0; i < lc.rows; i++) {
                T sum = 0, &to = c[i + j * (uint64_t)lc.ld];
                for (uint64_t k = 0; k < deep; k++)
                    sum += at<T>(a, la, d.trans[0], i, k) * at<T>(b, lb, d.trans[1], k, j);
                to = alpha * sum + (beta ? beta * to : 0) + (d.epilogue == 4 ? ((const T *)d.bias)[i] : 0);
            }
}

template <typename T> static int made(T **to) {
    counts[0]++;
    *to = (T *)calloc(1, sizeof **to);
    return 0;
}

static int gone(void *p) {
    counts[0]--;
    free(p);
    return 0;
}

extern "C" {
long emu_cublaslt_count(int what) { return counts[what]; }
int cublasLtCreate(void **handle) {
    *handle = malloc(1);
    return 0;
}
int cublasLtMatmulDescCreate(description **d, int compute, int scale) {
    made(d);
    (*d)->compute = compute;
    (*d)->scale = scale;
    return 0;
}
int cublasLtMatmulDescDestroy(description *d) { return gone(d); }
int cublasLtMatmulDescSetAttribute(description *d, int name, const void *value, size_t size) {
    void *const to = name == 3   ? (void *)&d->trans[0]
                     : name == 4 ? (void *)&d->trans[1]
                     : name == 7 ? (void *)&d->epilogue
                     : name == 8 ? (void *)&d->bias
                                 : nullptr;
    if (!to || size != (name == 8 ? 8 : 4)) return 7;
    memcpy(to, value, size);
    return 0;
}
int cublasLtMatrixLayoutCreate(layout **l, int type, uint64_t rows, uint64_t cols, int64_t ld) {
    made(l);
    **l = {type, 1, rows, cols, ld, 0};
    return 0;
}
int cublasLtMatrixLayoutDestroy(layout *l) { return gone(l); }
int cublasLtMatrixLayoutSetAttribute(layout *l, int name, const void *value, size_t size) {
    if (name != 5 && name != 6) return 7;
    memcpy(name == 5 ? (void *)&l->batch : (void *)&l->step, value, size);
    return 0;
}
int cublasLtMatmulPreferenceCreate(void **preference) {
    *preference = malloc(1);
    return 0;
}
int cublasLtMatmulPreferenceSetAttribute(void *, int, const void *, size_t) { return 0; }
int cublasLtMatmulAlgoGetHeuristic(void *, description *, layout *a, layout *, layout *, layout *, void *, int wanted,
                                   found *to, int *n) {
    counts[1]++;
    if (a->type > 1) return 15; // float32 and float64 only
    *n = wanted < 2 ? wanted : 2;
    for (int i = 0; i < *n; i++) to[i] = {{{(uint64_t)i}}, 1024, 0, 1, {0}};
    return 0;
}
int cublasLtMatmul(void *, description *d, const void *alpha, const void *a, layout *la, const void *b, layout *lb,
                   const void *beta, const void *, layout *, void *c, layout *lc, const algorithm *algo,
                   void *workspace, size_t size, void *) {
    if (!workspace || size < 1024 || (uintptr_t)workspace % 256 || (algo->data[0] == 0 && getenv("EMU_REFUSE")))
        return 7;
    if (la->type == 0)
        multiply<float>(*d, *(const float *)alpha, (const float *)a, *la, (const float *)b, *lb, *(const float *)beta,
                        (float *)c, *lc);
    else
        multiply<double>(*d, *(const double *)alpha, (const double *)a, *la, (const double *)b, *lb,
                         *(const double *)beta, (double *)c, *lc);
    return 0;
}
}
