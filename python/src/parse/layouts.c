/* SPDX-License-Identifier: BSD-3-Clause */
/* The argument layout= of creation functions: makes sparse tensors without values where PyTorch
 * does, makes a dense tensor like a sparse one, and raises PyTorch's errors in all other cases.
 * Called by parse.c for a call that matches a signature. */
#include "parse/parse.h"

#include <corten/own.h>
#include <string.h>

static const char *const layout_names[] = {"Strided",   "Sparse",    "SparseCsr", "SparseCsc",
                                           "SparseBsr", "SparseBsc", "Jagged"};

const char *py_layout_name(int layout)
{
    return layout_names[layout];
}

/* Returns the value of the argument with this name, or NULL. */
static union py_value *argument_value(struct py_frame *frame, const struct py_signature *s,
                                      const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->args[i].name, name) == 0)
            return py_slot(frame, s, i);
    return NULL;
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name))
        names++;
    return *names != NULL;
}

/* Raises PyTorch's error for a layout that the function does not support. */
static PyObject *refuse_layout(const char *name, int layout, bool blocks)
{
    static const char *const windows[] = {"bartlett_window", "blackman_window", "hamming_window",
                                          "hann_window",     "kaiser_window",   NULL};
    static const char *const names[] = {"strided",    "sparse_coo", "sparse_csr", "sparse_csc",
                                        "sparse_bsr", "sparse_bsc", "jagged"};
    static const char *const signals[] = {
        "bartlett",        "blackman", "cosine", "exponential", "gaussian", "general_cosine",
        "general_hamming", "hamming",  "hann",   "kaiser",      "nuttall",  NULL};
    if (is_one_of(name, windows))
        return PyErr_Format(PyExc_RuntimeError,
                            "%s is not implemented for sparse types, got: layout=%s", name,
                            layout_names[layout]);
    if (is_one_of(name, signals))
        return PyErr_Format(PyExc_ValueError,
                            "%s is implemented for strided tensors only, got: torch.%s", name,
                            names[layout]);
    if (blocks)
        return PyErr_Format(PyExc_RuntimeError,
                            "%s_sparse_compressed expected sparse compressed (non-block) tensor "
                            "layout but got %s",
                            strstr(name, "zeros") ? "zeros" : "empty", layout_names[layout]);
    if (layout == CT_SPARSE_COO && (!strcmp(name, "full") || !strcmp(name, "ones")))
        return PyErr_Format(PyExc_RuntimeError, "full(...) is not implemented for sparse layout");
    return PyErr_Format(PyExc_NotImplementedError,
                        "Could not run 'aten::%s' with arguments from the '%s%s' backend. This "
                        "could be because the operator doesn't exist for this backend.",
                        name,
                        layout == CT_SPARSE_COO ? "Sparse"
                        : layout == 6           ? "Jagged"
                                                : "SparseCsr",
                        "CPU");
}

/* Makes a sparse tensor without values, with a given size or that of a tensor. */
static PyObject *without_values(struct py_frame *frame, const struct py_signature *s, int layout)
{
    const union py_value *like = argument_value(frame, s, "input"),
                         *size = argument_value(frame, s, "size");
    enum ct_dtype dtype = argument_value(frame, s, "dtype")->dtype;
    struct ct_device device = argument_value(frame, s, "device")->device;
    bool requires_grad = argument_value(frame, s, "requires_grad")->b;
    int64_t shape[64];
    ct_ints dims = size ? size->ints : ct_ints_of(shape, like ? ct_ndim(like->tensor) : 0);
    for (int64_t d = 0; !size && d < dims.n; d++)
        shape[d] = ct_size(like->tensor, (int)d);
    if (like && dtype == CT_NO_DTYPE)
        dtype = ct_dtype(like->tensor);
    if (like && device.type == CT_NO_DEVICE_TYPE)
        device = ct_device_of(like->tensor);
    return py_wrap(ct_own_sparse_zeros(dims, layout, dtype, device, requires_grad));
}

/* Replaces the sparse argument of a *_like function by a dense tensor of the same shape and dtype,
 * since the function reads nothing else of it. The frame owns the tensor. */
static bool substitute_dense(struct py_frame *frame, const struct py_signature *s)
{
    union py_value *like = argument_value(frame, s, "input");
    int64_t shape[64], n = ct_ndim(like->tensor), stride[64] = {0};
    for (int64_t d = 0; d < n; d++)
        shape[d] = ct_size(like->tensor, (int)d);
    for (int64_t d = n, step = 1; d-- > 0; step *= shape[d] ? shape[d] : 1)
        stride[d] = step;
    ct_tensor *t = ct_own_empty_strided(ct_ints_of(shape, n), ct_ints_of(stride, n),
                                        ct_dtype(like->tensor), ct_device_of(like->tensor), false);
    PyObject *held = t ? py_wrap(t) : py_raise();
    if (!held)
        return false;
    like->tensor = t;
    if (frame->nmore == (int)(sizeof frame->more / sizeof *frame->more)) {
        Py_DECREF(held);
        PyErr_SetString(PyExc_RuntimeError, "too many arguments");
        return false;
    }
    frame->more[frame->nmore].memory = NULL;
    frame->more[frame->nmore++].object = held;
    return true;
}

bool py_apply_layout(struct py_frame *frame, const struct py_signature *s, PyObject **answer)
{
    static const char *const makers[] = {"empty",     "zeros",     "empty_like", "zeros_like",
                                         "new_empty", "new_zeros", NULL};
    const char *name = frame->op->name;
    int layout = frame->layout - 1;
    const union py_value *input = argument_value(frame, s, "input");
    int have = input && input->tensor ? (int)ct_layout_of(input->tensor) : CT_STRIDED;
    bool like = input && !argument_value(frame, s, "size");
    *answer = NULL;
    if (layout == have && (like || layout == CT_STRIDED))
        return false; /* the op makes this layout by itself */
    if (layout == CT_STRIDED)
        return !substitute_dense(frame, s);
    bool blocks = layout == 4 || layout == 5;
    bool makes = is_one_of(name, makers) && (have != CT_STRIDED || strcmp(name, "empty_like"));
    *answer = makes && !blocks && layout < 6 ? without_values(frame, s, layout)
                                             : refuse_layout(name, layout, makes && blocks);
    return true;
}
