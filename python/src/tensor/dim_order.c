/* SPDX-License-Identifier: BSD-3-Clause */
/* x.dim_order(): the dims ordered by decreasing stride, from the outermost in memory to the
 * innermost. */
#include "parse/parse.h"

/* Compares the strides of dims a and b: 1 if a comes first, -1 if b does, 0 if undetermined. Of
 * equal strides the longer dim comes first. */
static int compare_strides(const ct_tensor *t, int64_t a, int64_t b)
{
    const int64_t *stride = ct_stride_ptr(t), *shape = ct_shape_ptr(t);
    if (stride[a] == 0 || stride[b] == 0)
        return 0;
    if (stride[a] == stride[b])
        return shape[a] > shape[b];
    return stride[a] > stride[b] ? 1 : -1;
}

/* Insertion sort from the last dim, like PyTorch's, so that ambiguous cases give the same order. */
static void order_dims(const ct_tensor *t, int64_t *order)
{
    int64_t n = ct_ndim(t);
    bool plain = ct_is_contiguous(t), last = ct_is_contiguous_as(t, CT_CHANNELS_LAST);
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    if (plain && !last)
        return;
    for (int64_t i = n - 2; i >= 0; i--)
        for (int64_t now = i, next = i + 1; next < n; next++) {
            int order_sign = compare_strides(t, order[next], order[now]);
            if (order_sign < 0)
                break;
            if (order_sign == 0)
                continue;
            int64_t moved = order[now];
            order[now] = order[next];
            order[next] = moved;
            now = next;
        }
}

static PyObject *dim_order(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    static struct py_arg arg[] = {{.name = "ambiguity_check",
                                   .kind = PY_OBJECT,
                                   .flags = PY_DEFAULT | PY_ABSENT | PY_KEYWORD,
                                   .shown = "False"}};
    static struct py_signature signature = {.args = arg, .n = 1};
    static struct py_op op = {.name = "dim_order", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    PyObject *check = frame.v[0].object;
    if (check && !PyBool_Check(check) && !PyList_Check(check))
        return PyErr_Format(PyExc_TypeError, "The ambiguity_check argument must be a bool or a "
                                             "list of memory formats.");
    const ct_tensor *t = py_tensor_of(self);
    const int64_t *stride = ct_stride_ptr(t), *shape = ct_shape_ptr(t);
    int64_t n = ct_ndim(t), order[64];
    order_dims(t, order);
    for (int64_t i = 0; i < n && check == Py_True; i++) {
        if (i + 1 < n && stride[order[i]] == stride[order[i + 1]] && shape[order[i]] > 1 &&
            shape[order[i + 1]] > 1)
            return PyErr_Format(PyExc_RuntimeError, "The tensor does not have unique dim order.");
        if (stride[i] == 0)
            return PyErr_Format(PyExc_RuntimeError, "The tensor does not have unique dim order.");
        if (shape[i] == 1)
            return PyErr_Format(PyExc_RuntimeError,
                                "The tensor does not have unique dim order, or cannot map to exact "
                                "one of the given memory formats.");
    }
    return py_int_tuple(order, n);
}

static PyMethodDef methods[] = {
    {"dim_order", PY_FAST(dim_order),
     "dim_order($self, *, ambiguity_check=False)\n--\n\nReturns the dims in the order of their "
     "strides, the largest first."},
    {0},
};

bool py_init_dim_order(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods);
}
