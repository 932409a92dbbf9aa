/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels by key: source assembled from pieces and compiled by NVRTC; see kernel.h. */
#include "cuda/runtime/kernel.h"

#include "accelerator/disk_cache.h"
#include "accelerator/plans.h"

#include "core/alloc.h"

#include <corten/archive.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* X(dtype, suffix, type in memory) */
#define DTYPES(X)                                                                                  \
    X(BOOL, b8, uint8_t)                                                                           \
    X(UINT8, u8, uint8_t)                                                                          \
    X(INT8, i8, int8_t)                                                                            \
    X(INT16, i16, int16_t)                                                                         \
    X(INT32, i32, int32_t)                                                                         \
    X(INT64, i64, int64_t)                                                                         \
    X(UINT16, u16, uint16_t)                                                                       \
    X(UINT32, u32, uint32_t)                                                                       \
    X(UINT64, u64, uint64_t)                                                                       \
    X(FLOAT8_E4M3FN, e4m3fn, uint8_t)                                                              \
    X(FLOAT8_E5M2, e5m2, uint8_t)                                                                  \
    X(FLOAT8_E4M3FNUZ, e4m3fnuz, uint8_t)                                                          \
    X(FLOAT8_E5M2FNUZ, e5m2fnuz, uint8_t)                                                          \
    X(FLOAT8_E8M0FNU, e8m0fnu, uint8_t)                                                            \
    X(FLOAT16, f16, uint16_t)                                                                      \
    X(BFLOAT16, bf16, uint16_t)                                                                    \
    X(FLOAT32, f32, float)                                                                         \
    X(FLOAT64, f64, double)                                                                        \
    X(COMPLEX32, c32, uint32_t)                                                                    \
    X(COMPLEX64, c64, ct_c64)                                                                      \
    X(COMPLEX128, c128, ct_c128)
#define SUFFIX(dtype, suffix, type) [CT_##dtype] = #suffix,
#define TYPE(dtype, suffix, type) [CT_##dtype] = #type,
const char *const cti_cuda_suffix[CT_DTYPE_COUNT] = {DTYPES(SUFFIX)};
const char *const cti_cuda_type[CT_DTYPE_COUNT] = {DTYPES(TYPE)};

const char *cti_cuda_bits_type(int64_t itemsize)
{
    static const char *const types[] = {
        [1] = "uint8_t", [2] = "uint16_t", [4] = "uint32_t", [8] = "uint64_t", [16] = "ct_c128"};
    return types[itemsize];
}

/* ---- source ---- */

/* The smallest and largest values of each type, used by the generated reductions. */
#define PRELUDE                                                                                    \
    "#define CTI_LEAST_b8 0\n#define CTI_MOST_b8 1\n#define CTI_LEAST_u8 0\n"                      \
    "#define CTI_MOST_u8 255\n#define CTI_LEAST_u16 0\n#define CTI_MOST_u16 65535\n"               \
    "#define CTI_LEAST_u32 0\n#define CTI_MOST_u32 0xffffffffu\n#define CTI_LEAST_u64 0\n"         \
    "#define CTI_MOST_u64 0xffffffffffffffffull\n#define CTI_LEAST_i8 -128\n"                      \
    "#define CTI_MOST_i8 127\n#define CTI_LEAST_i16 -32768\n#define CTI_MOST_i16 32767\n"          \
    "#define CTI_LEAST_i32 (-2147483647 - 1)\n#define CTI_MOST_i32 2147483647\n"                   \
    "#define CTI_LEAST_i64 (-9223372036854775807ll - 1)\n"                                         \
    "#define CTI_MOST_i64 9223372036854775807ll\n#define CTI_LEAST_f32 "                           \
    "-__int_as_float(0x7f800000)\n"                                                                \
    "#define CTI_MOST_f32 __int_as_float(0x7f800000)\n"                                            \
    "#define CTI_LEAST_f64 -__longlong_as_double(0x7ff0000000000000ll)\n"                          \
    "#define CTI_MOST_f64 __longlong_as_double(0x7ff0000000000000ll)\n"

void cti_cuda_cast(struct cti_text *text, int to, int from, const char *value)
{
    int to_compute = cti_cuda_compute(to), from_compute = cti_cuda_compute(from);
    const char *close = "";
    if (to == from) {
        cti_text_add(text, value);
        return;
    }
    if (to != to_compute) {
        cti_text_printf(text, "ctm_%s_from_%s(", cti_cuda_suffix[to], cti_cuda_suffix[to_compute]);
        close = ")";
    }
    if (to_compute != from_compute)
        cti_text_printf(text, "ctm_%s_from_%s(", cti_cuda_suffix[to_compute],
                        cti_cuda_suffix[from_compute]);
    if (from_compute != from)
        cti_text_printf(text, "ctm_%s_from_%s(%s)", cti_cuda_suffix[from_compute],
                        cti_cuda_suffix[from], value);
    else
        cti_text_add(text, value);
    cti_text_add(text, to_compute != from_compute ? ")" : "");
    cti_text_add(text, close);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct piece {
    const char *name, *text;
};

/* Owned by the caller; NULL: failed. */
static struct piece *unpack(void)
{
    struct piece *pieces = cti_malloc((size_t)cti_cuda_ntexts * sizeof *pieces);
    char *p = pieces ? cti_malloc((size_t)cti_cuda_texts_size) : NULL;
    if (!p || ct_inflate(cti_cuda_packed_texts, cti_cuda_packed_size, p, cti_cuda_texts_size, 15) !=
                  cti_cuda_texts_size) {
        cti_free(pieces);
        cti_free(p);
        return NULL;
    }
    for (int k = 0; k < cti_cuda_ntexts; k++) {
        pieces[k].name = p;
        pieces[k].text = p + strlen(p) + 1;
        p += strlen(p) + 1 + strlen(pieces[k].text) + 1;
    }
    return pieces;
}

/* All pieces, decompressed once in a process; NULL: failed, the error is set. */
static const struct piece *all_pieces(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct piece *pieces;
    pthread_mutex_lock(&lock);
    if (!pieces)
        pieces = unpack();
    const struct piece *found = pieces;
    pthread_mutex_unlock(&lock);
    return found;
}

static const struct piece *find_piece(const struct piece *pieces, const char *name, size_t n)
{
    int low = 0, high = pieces ? cti_cuda_ntexts : 0;
    while (low < high) {
        int middle = (low + high) / 2;
        const char *other = pieces[middle].name;
        int order = strncmp(other, name, n);
        if (order == 0 && other[n] == 0)
            return &pieces[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool cti_cuda_has_piece(const char *name, size_t n)
{
    return find_piece(all_pieces(), name, n) != NULL;
}

unsigned char *cti_cuda_write_step(unsigned char *key, const struct cti_step *step)
{
    *key++ = (unsigned char)step->row;
    *key++ = (unsigned char)(step->row >> 8);
    *key++ = step->dtype;
    *key++ = step->nin;
    *key++ = step->masks;
    for (int i = 0; i < step->nin; i++)
        *key++ = step->in[i];
    *key++ = step->out;
    return key;
}

bool cti_cuda_has_steps(const struct cti_step *step, int n)
{
    for (int i = 0; i < n; i++) {
        char name[96];
        int length = snprintf(name, sizeof name, "ctr_%s_%s", cti_cuda_row_names[step[i].row],
                              cti_cuda_suffix[step[i].dtype]);
        if (!cti_cuda_has_piece(name, (size_t)length))
            return false;
    }
    return true;
}

const char *cti_cuda_kernel_text(const char *name)
{
    char whole[64];
    int n = snprintf(whole, sizeof whole, "kernel %s", name);
    const struct piece *found = find_piece(all_pieces(), whole, (size_t)n);
    return found ? found->text : ""; /* compiling it fails in cti_cuda_whole_text */
}

/* Appends the pieces that a text names, each after its dependencies (in topological order). */
static void add_pieces(struct cti_text *whole, const struct piece *pieces, const char *text,
                       unsigned char *seen)
{
    for (const char *p = text; *p;) {
        const char *name = p;
        while (is_letter(*p))
            p++;
        if (p == name) {
            p++;
            continue;
        }
        const struct piece *found = find_piece(pieces, name, (size_t)(p - name));
        if (!found || seen[found - pieces])
            continue;
        seen[found - pieces] = 1;
        add_pieces(whole, pieces, found->text, seen);
        cti_text_add(whole, found->text);
    }
}

/* Note [Overlapping launches] With programmatic dependent launch (compute capability 9.0) a kernel
 * may be scheduled before the previous one has finished, which hides the launch latency. So each of
 * our kernels starts with griddepcontrol.wait, after which it sees all earlier writes. A kernel
 * with many short blocks (MANY_BLOCKS) also triggers launch_dependents as soon as all its blocks
 * have started, so that the next kernel fills multiprocessors that become idle. A kernel with few
 * long blocks does not, because the next kernel's blocks would only occupy resources while they
 * wait. Kernels of libraries are launched without overlap. */
static const char overlap[] = "\n#if __CUDA_ARCH__ >= 900 && !defined EMULATED\n"
                              "#ifdef MANY_BLOCKS\n"
                              "asm volatile(\"griddepcontrol.launch_dependents;\");\n#endif\n"
                              "asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n#endif\n";

/* Adds a kernel's text, with the prologue `overlap` at the start of each __global__ function. */
static void add_kernel(struct cti_text *whole, const char *text)
{
    for (const char *at; (at = strstr(text, "__global__")) && (at = strchr(at, '{')); text = at) {
        at++;
        cti_text_printf(whole, "%.*s%s", (int)(at - text), text, overlap);
    }
    cti_text_add(whole, text);
}

void cti_cuda_whole_text(struct cti_text *whole, const char *text)
{
    const struct piece *pieces = all_pieces();
    unsigned char *seen = pieces ? calloc(1, (size_t)cti_cuda_ntexts) : NULL;
    cti_text_add(whole, PRELUDE);
    if (seen)
        add_pieces(whole, pieces, text, seen);
    whole->failed |= !seen;
    free(seen);
    add_kernel(whole, text);
}

/* ---- NVRTC ---- */

typedef struct program *program;
static struct {
    int (*version)(int *major, int *minor);
    int (*create)(program *p, const char *text, const char *name, int n, const char *const *headers,
                  const char *const *names);
    int (*compile)(program p, int n, const char *const *options);
    int (*code_size)(program p, size_t *size);
    int (*code)(program p, char *code);
    int (*log_size)(program p, size_t *size);
    int (*log)(program p, char *log);
    int (*destroy)(program *p);
} nvrtc;
static int nvrtc_version; /* 0: NVRTC was not found */

static void open_nvrtc(void)
{
    static const char *const versions[] = {".13", ".12", "", NULL};
    const struct cti_library_function functions[] = {
        {"nvrtcVersion", &nvrtc.version},        {"nvrtcCreateProgram", &nvrtc.create},
        {"nvrtcCompileProgram", &nvrtc.compile}, {"nvrtcGetCUBINSize", &nvrtc.code_size},
        {"nvrtcGetCUBIN", &nvrtc.code},          {"nvrtcGetProgramLogSize", &nvrtc.log_size},
        {"nvrtcGetProgramLog", &nvrtc.log},      {"nvrtcDestroyProgram", &nvrtc.destroy},
    };
    int major = 0, minor = 0, n = (int)(sizeof functions / sizeof *functions);
    if (cti_library_functions(&cti_nvidia, "libnvrtc", versions, functions, n) &&
        nvrtc.version(&major, &minor) == 0)
        nvrtc_version = major * 1000 + minor;
}

static bool has_nvrtc(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_nvrtc);
    return nvrtc_version != 0;
}

bool cti_cuda_has_kernels(void)
{
    static bool warned;
    static int compiles = -1; /* fake devices; -1: not known yet */
    if (cti_cuda_fake()) {
        if (compiles < 0)
            compiles = getenv("CORTEN_FAKE_CUDA_COMPILE") && has_nvrtc();
        return compiles;
    }
    if (has_nvrtc())
        return true;
    cti_warn_once(&warned, "libnvrtc was not found, so the CPU computes on copies of CUDA tensors. "
                           "Install the package nvidia-cuda-nvrtc or a CUDA toolkit.");
    return false;
}

static void *compile_failed(program p, const char *text)
{
    size_t size = 0;
    nvrtc.log_size(p, &size);
    char *log = calloc(1, size + 1);
    if (log && size)
        nvrtc.log(p, log);
    ct_fail(CT_ERR_RUNTIME, "a CUDA kernel does not compile: %.1500s\n%.1500s", log ? log : "",
            text);
    free(log);
    return NULL;
}

void *cti_cuda_compile(const char *text, int arch, size_t *size)
{
    char target[40];
    program p = NULL;
    char *code = NULL;
    if (!has_nvrtc())
        return ct_fail(CT_ERR_RUNTIME, "libnvrtc was not found");
    /* wgmma and setmaxnreg need the architecture-specific target sm_90a. */
    snprintf(target, sizeof target, "--gpu-architecture=sm_%d%s", arch, arch == 90 ? "a" : "");
    /* No FMA contraction, so that results have the same bits as on the CPU. */
    const char *const options[] = {target, "--fmad=false", "-default-device", "--std=c++17", "-w"};
    if (nvrtc.create(&p, text, "corten.cu", 0, NULL, NULL) != 0)
        return ct_fail(CT_ERR_RUNTIME, "libnvrtc could not start");
    if (nvrtc.compile(p, (int)(sizeof options / sizeof *options), options) != 0 ||
        nvrtc.code_size(p, size) != 0)
        compile_failed(p, text);
    else if ((code = malloc(*size)))
        nvrtc.code(p, code);
    else
        ct_fail(CT_ERR_OUT_OF_MEMORY, "out of memory");
    nvrtc.destroy(&p);
    return code;
}

/* ---- kernels by key ---- */

struct kernel {
    struct kernel *next;
    uint64_t hash;
    cu_function function[CTI_CUDA_MAX_DEVICES];
    size_t size;
    char key[];
};

#define BUCKETS 1024
static struct kernel *table[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct kernel *find(uint64_t hash, const void *key, size_t size)
{
    struct kernel *k = __atomic_load_n(&table[hash % BUCKETS], __ATOMIC_ACQUIRE);
    while (k && !(k->hash == hash && k->size == size && memcmp(k->key, key, size) == 0))
        k = k->next;
    return k;
}

/* Copies the name of the next kernel in a text, and advances *text past it; false: no more kernels.
 */
static bool next_name(const char **text, char *name, size_t size)
{
    const char *start = strstr(*text, "__global__");
    const char *end = start ? strstr(start, "(const ") : NULL;
    if (!end)
        return false;
    for (start = end; is_letter(start[-1]); start--)
        ;
    snprintf(name, size, "%.*s", (int)(end - start), start);
    *text = end;
    return true;
}

/* Returns the only kernel of a module. The text may name several kernels, of which #if keeps
 * one. */
static cu_function find_kernel(cu_module module, const char *text)
{
    char name[96];
    cu_function function = NULL;
    int code = CU_NOT_FOUND;
    while (code == CU_NOT_FOUND && next_name(&text, name, sizeof name))
        code = cti_cu.module_function(&function, module, name);
    return cti_cuda_check(code) ? function : NULL;
}

static cu_function load(int device, const char *text)
{
    struct cti_cuda_device *d = cti_cuda_use(device);
    cu_module module;
    size_t size = 0;
    int arch = d->major * 10 + d->minor;
    char target[31];
    snprintf(target, sizeof target, "%d-%d.cubin", arch, nvrtc_version);
    char *code = cti_disk_cache_find(text, target, &size);
    bool good = code && cti_cu.module_load(&module, code) == CU_OK;
    if (!good) {
        free(code);
        code = cti_cuda_compile(text, arch, &size);
        if (!code)
            return NULL;
        cti_disk_cache_keep(text, target, code, size);
        good = cti_cuda_check(cti_cu.module_load(&module, code));
    }
    free(code);
    return good ? find_kernel(module, text) : NULL;
}

static cu_function make(int device, uint64_t hash, const void *key, size_t size,
                        cti_cuda_writer *write, const void *context)
{
    struct cti_text own = {0}, whole = {0};
    cu_function function = NULL;
    write(&own, context);
    if (!own.failed)
        cti_cuda_whole_text(&whole, own.v);
    whole.failed |= own.failed;
    cti_text_free(&own);
    char *text = cti_text_take(&whole);
    function = text ? load(device, text) : NULL;
    free(text);
    if (!function)
        return NULL;
    struct kernel *k = find(hash, key, size);
    if (!k) {
        k = cti_malloc(sizeof *k + size);
        if (!k)
            return NULL;
        memset(k, 0, sizeof *k);
        memcpy(k->key, key, size);
        k->size = size;
        k->hash = hash;
        k->next = table[hash % BUCKETS];
        __atomic_store_n(&table[hash % BUCKETS], k, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&k->function[device], function, __ATOMIC_RELEASE);
    return function;
}

cu_function cti_cuda_kernel_known(int device, const void *key, size_t size)
{
    struct kernel *k = find(cti_plans_hash(key, size), key, size);
    return k ? __atomic_load_n(&k->function[device], __ATOMIC_ACQUIRE) : NULL;
}

cu_function cti_cuda_kernel(int device, const void *key, size_t size, cti_cuda_writer *write,
                            const void *context)
{
    uint64_t hash = cti_plans_hash(key, size);
    struct kernel *k = find(hash, key, size);
    cu_function function = k ? __atomic_load_n(&k->function[device], __ATOMIC_ACQUIRE) : NULL;
    if (__builtin_expect(function != NULL, 1))
        return function;
    pthread_mutex_lock(&lock);
    k = find(hash, key, size);
    function = k ? k->function[device] : NULL;
    if (!function)
        function = make(device, hash, key, size, write, context);
    pthread_mutex_unlock(&lock);
    return function;
}
