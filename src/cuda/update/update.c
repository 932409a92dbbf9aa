/* SPDX-License-Identifier: BSD-3-Clause */
/* Optimizer steps: a kernel fused from the program, with one launch for as many parameters as fit
 * into its argument. A block updates elements of one parameter. */
#include "cuda/engines.h"
#include "cuda/runtime/kernel.h"
#include "cuda/runtime/launch.h"

#include "core/small.h"
#include "core/update.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define THREADS 256
#define EACH 4         /* elements of a thread */
#define MAX_TENSORS 22 /* parameters of a launch */
#define FEW 2          /* up to this many parameters use a smaller argument */

/* write_kernel declares the same structs. */
struct update_tensor {
    int64_t block, numel; /* block: the first one that updates it */
    char *data[CTI_UPDATE_OPERANDS];
    double number[CTI_UPDATE_NUMBERS];
};

struct update_args {
    int64_t n;
    struct update_tensor tensor[MAX_TENSORS];
};

/* Returns how many tensors fit into the argument. */
static int max_tensors(const struct cti_update *w)
{
    return w->nlines <= FEW ? FEW : MAX_TENSORS;
}

/* Writes the variable of a slot: o<k> for operands, which steps may overwrite, n<k> for numbers,
 * s<k> for other results. */
static void write_slot(struct cti_text *t, int slot)
{
    if (slot < CTI_UPDATE_OPERANDS)
        cti_text_printf(t, "o%d", slot);
    else if (slot < CTI_UPDATE_RESULT(0))
        cti_text_printf(t, "n%d", slot - CTI_UPDATE_OPERANDS);
    else
        cti_text_printf(t, "s%d", slot);
}

static void write_steps(struct cti_text *t, const struct cti_update *w)
{
    for (int s = 0; s < w->nsteps; s++) {
        const struct cti_step *step = &w->step[s];
        cti_text_add(t, step->out < CTI_UPDATE_OPERANDS ? "" : "const auto ");
        write_slot(t, step->out);
        cti_text_printf(t, " = ctr_%s_%s(", cti_cuda_row_names[step->row],
                        cti_cuda_suffix[step->dtype]);
        for (int i = 0; i < step->nin; i++) {
            cti_text_add(t, i ? ", " : "");
            write_slot(t, step->in[i]);
        }
        cti_text_add(t, ");\n");
    }
}

static void write_kernel(struct cti_text *t, const void *context)
{
    const struct cti_update *w = context;
    const char *compute = cti_cuda_type[w->compute];
    char value[64];
    cti_text_printf(
        t,
        "struct tensor {\nlong long block, numel;\nchar *data[%d];\ndouble number[%d];\n"
        "};\nstruct arguments {\nlong long n;\ntensor tensors[%d];\n};\n"
        "extern \"C\" __global__ void __launch_bounds__(%d)\n"
        "update_%d_steps(const arguments a)\n{\n"
        "int at = 0;\nwhile (at + 1 < a.n && a.tensors[at + 1].block <= blockIdx.x)\n"
        "at++;\nconst tensor &l = a.tensors[at];\n"
        "const long long first = (blockIdx.x - l.block) * %d + threadIdx.x;\n",
        CTI_UPDATE_OPERANDS, CTI_UPDATE_NUMBERS, max_tensors(w), THREADS, w->nsteps,
        THREADS * EACH);
    for (int k = 0; k < w->nnumbers; k++)
        cti_text_printf(t, "const %s n%d = (%s)l.number[%d];\n", compute, k, compute, k);
    cti_text_printf(t,
                    "#pragma unroll\nfor (int u = 0; u < %d; u++) {\nconst long long i = first + u "
                    "* %d;\nif (i >= l.numel)\nreturn;\n",
                    EACH, THREADS);
    bool written[CTI_UPDATE_OPERANDS] = {false};
    for (int o = 0; o < w->noperands; o++) {
        snprintf(value, sizeof value, "((const %s *)l.data[%d])[i]", cti_cuda_type[w->dtype[o]], o);
        cti_text_printf(t, "%s o%d = ", compute, o);
        cti_cuda_cast(t, w->compute, w->dtype[o], value);
        cti_text_add(t, ";\n");
    }
    write_steps(t, w);
    for (int s = 0; s < w->nsteps; s++)
        if (w->step[s].out < CTI_UPDATE_OPERANDS)
            written[w->step[s].out] = true;
    for (int o = 0; o < w->noperands; o++)
        if (written[o]) {
            snprintf(value, sizeof value, "o%d", o);
            cti_text_printf(t, "((%s *)l.data[%d])[i] = ", cti_cuda_type[w->dtype[o]], o);
            cti_cuda_cast(t, w->dtype[o], w->compute, value);
            cti_text_add(t, ";\n");
        }
    cti_text_add(t, "}\n}\n");
}

static size_t write_key(const struct cti_update *w, unsigned char *key)
{
    unsigned char *at = key;
    *at++ = 'u';
    *at++ = (unsigned char)max_tensors(w);
    *at++ = (unsigned char)w->noperands;
    *at++ = (unsigned char)w->nnumbers;
    *at++ = w->compute;
    for (int o = 0; o < w->noperands; o++)
        *at++ = w->dtype[o];
    for (int s = 0; s < w->nsteps; s++)
        at = cti_cuda_write_step(at, &w->step[s]);
    return (size_t)(at - key);
}

static bool has_data(const struct cti_update *w)
{
    bool all = true;
    for (int64_t i = 0; i < w->nlines && all; i++)
        for (int o = 0; o < w->noperands; o++)
            all = all && (w->line[i].data[o] || w->line[i].numel == 0);
    return all;
}

enum cti_status cti_cuda_update(struct cti_update *w)
{
    unsigned char key[32 + CTI_UPDATE_STEPS * CTI_STEP_KEY];
    struct update_args a;
    int device = w->work.device.index;
    if (!cti_cuda_has_kernels() || !has_data(w))
        return CTI_DECLINED;
    if (!cti_cuda_use(device))
        return CTI_FAILED;
    size_t length = write_key(w, key);
    cu_function f = cti_cuda_kernel_known(device, key, length);
    if (!f && !cti_cuda_has_steps(w->step, w->nsteps))
        return CTI_DECLINED;
    if (!f)
        f = cti_cuda_kernel(device, key, length, write_kernel, w);
    bool good = f != NULL;
    for (int64_t i = 0; good && i < w->nlines;) {
        int64_t blocks = 0;
        for (a.n = 0; a.n < MAX_TENSORS && i < w->nlines; i++) {
            if (w->line[i].numel == 0)
                continue;
            struct update_tensor *t = &a.tensor[a.n++];
            t->block = blocks;
            t->numel = w->line[i].numel;
            memcpy(t->data, w->line[i].data, sizeof t->data);
            memcpy(t->number, w->line[i].number, sizeof t->number);
            blocks += ceil_div(t->numel, THREADS * EACH);
        }
        size_t size =
            offsetof(struct update_args, tensor) + (size_t)max_tensors(w) * sizeof *a.tensor;
        good = cti_cuda_launch(device, f, blocks, THREADS, &a, size);
    }
    return cti_cuda_launched(good);
}
