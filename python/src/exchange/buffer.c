/* SPDX-License-Identifier: BSD-3-Clause */
/* The buffer protocol in both directions: memoryview(x) exports a tensor's memory, torch.frombuffer
 * makes a tensor over another object's memory. PyTorch has only the second. Also the deleters that
 * release shared memory. */
#include "exchange/exchange.h"

#include <corten/autograd.h>

#include "parse/parse.h"

void py_release_object(void *object)
{
    PyGILState_STATE state;
    if (!py_lock(&state))
        return;
    Py_DECREF((PyObject *)object);
    PyGILState_Release(state);
}

void py_release_buffer(void *buffer)
{
    PyGILState_STATE state;
    if (py_lock(&state)) {
        PyBuffer_Release(buffer);
        PyGILState_Release(state);
    }
    free(buffer);
}

/* ---- out ---- */

/* Formats of the struct module; Zf and Zd are complex numbers (PEP 3118). */
static const char *const formats[CT_DTYPE_COUNT] = {
    [CT_BOOL] = "?",       [CT_UINT8] = "B",       [CT_INT8] = "b",    [CT_INT16] = "h",
    [CT_INT32] = "i",      [CT_INT64] = "q",       [CT_UINT16] = "H",  [CT_UINT32] = "I",
    [CT_UINT64] = "Q",     [CT_FLOAT16] = "e",     [CT_FLOAT32] = "f", [CT_FLOAT64] = "d",
    [CT_COMPLEX64] = "Zf", [CT_COMPLEX128] = "Zd",
};

bool py_exportable(ct_tensor *t)
{
    const char *why = NULL;
    if (ct_is_sparse(t))
        why = "Can't export sparse tensors, use tensor.to_dense()";
    else if (ct_requires_grad(t))
        why = "Can't export tensors that require gradient, use tensor.detach()";
    else if (ct_is_conj(t))
        why = "Can't export tensors with the conjugate bit set";
    else if (ct_is_neg(t))
        why = "Can't export tensors with the negative bit set";
    else if (ct_device_of(t).type != CT_CPU)
        why = "Can't export tensors that are not in the CPU's memory, use tensor.cpu()";
    if (why)
        PyErr_SetString(PyExc_BufferError, why);
    return !why;
}

/* The owner of an exported buffer. It holds the storage, because set_() may give the tensor another
 * storage while the buffer is in use. */
struct exported_buffer {
    ct_storage *storage;
    Py_ssize_t dims[]; /* shape, then strides in bytes */
};

static bool is_fortran(ct_tensor *t)
{
    int64_t expected = 1;
    for (int64_t d = 0; d < ct_ndim(t); d++) {
        if (ct_shape_ptr(t)[d] != 1 && ct_stride_ptr(t)[d] != expected)
            return ct_numel(t) == 0;
        expected *= ct_shape_ptr(t)[d];
    }
    return true;
}

static const char *layout_refused(ct_tensor *t, int flags)
{
    bool c = ct_is_contiguous(t);
    if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !c)
        return "the tensor is not C-contiguous";
    if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS && !is_fortran(t))
        return "the tensor is not Fortran contiguous";
    if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !c && !is_fortran(t))
        return "the tensor is not contiguous";
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !c)
        return "the tensor is not C-contiguous";
    return NULL;
}

static int tensor_getbuffer(PyObject *self, Py_buffer *view, int flags)
{
    ct_tensor *t = py_tensor_of(self);
    view->obj = NULL;
    if (!py_exportable(t))
        return -1;
    const char *format = formats[ct_dtype(t)], *why = layout_refused(t, flags);
    if (!format)
        why =
            "bfloat16 has no format in the buffer protocol; share its bits as x.view(torch.uint16)";
    if (why) {
        PyErr_SetString(PyExc_BufferError, why);
        return -1;
    }
    int64_t n = ct_ndim(t), itemsize = ct_element_size(t);
    struct exported_buffer *exported_buffer =
        malloc(sizeof *exported_buffer + 2 * (size_t)n * sizeof *exported_buffer->dims);
    if (!exported_buffer) {
        PyErr_NoMemory();
        return -1;
    }
    for (int64_t d = 0; d < n; d++) {
        exported_buffer->dims[d] = (Py_ssize_t)ct_shape_ptr(t)[d];
        exported_buffer->dims[n + d] = (Py_ssize_t)(ct_stride_ptr(t)[d] * itemsize);
    }
    exported_buffer->storage = ct_storage_retain(ct_storage_of(t));
    ct_storage_pin(exported_buffer->storage, 1);
    *view = (Py_buffer){
        .buf = ct_data(t),
        .obj = Py_NewRef(self),
        .len = (Py_ssize_t)(ct_numel(t) * itemsize),
        .itemsize = (Py_ssize_t)itemsize,
        .ndim = flags & PyBUF_ND ? (int)n : 1, /* without a shape: 1-d bytes */
        .format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)format : NULL,
        .shape = flags & PyBUF_ND ? exported_buffer->dims : NULL,
        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? exported_buffer->dims + n : NULL,
        .internal = exported_buffer,
    };
    return 0;
}

static void tensor_releasebuffer(PyObject *self, Py_buffer *view)
{
    struct exported_buffer *exported_buffer = view->internal;
    ct_storage_pin(exported_buffer->storage, -1);
    ct_storage_release(exported_buffer->storage);
    free(exported_buffer);
}

PyBufferProcs py_tensor_as_buffer = {tensor_getbuffer, tensor_releasebuffer};

/* ---- in: torch.frombuffer ---- */

static struct py_arg from_args[] = {
    PY_REQUIRED("buffer", PY_OBJECT),
    {.name = "dtype", .kind = PY_DTYPE, .flags = PY_KEYWORD},
    {.name = "count",
     .kind = PY_INT,
     .flags = PY_DEFAULT | PY_KEYWORD,
     .fallback = {.i = -1},
     .shown = "-1"},
    {.name = "offset", .kind = PY_INT, .flags = PY_DEFAULT | PY_KEYWORD, .shown = "0"},
    PY_OFF("requires_grad", PY_KEYWORD),
};
static struct py_signature from_signature = {
    .args = from_args, .n = 5, .returns = PY_RETURNS_OBJECT};
static struct py_op from_op = {.name = "frombuffer", .signatures = &from_signature, .n = 1};

/* Opens a buffer, writable if possible; NULL with an exception. Release it with
 * py_release_buffer. */
static Py_buffer *open_buffer(PyObject *o)
{
    static bool warned;
    if (!PyObject_CheckBuffer(o)) {
        PyErr_SetString(PyExc_ValueError, "object does not implement Python buffer protocol.");
        return NULL;
    }
    Py_buffer *view = malloc(sizeof *view);
    if (!view)
        return (Py_buffer *)PyErr_NoMemory();
    if (PyObject_GetBuffer(o, view, PyBUF_WRITABLE) == 0)
        return view;
    PyErr_Clear();
    if (PyObject_GetBuffer(o, view, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        PyErr_SetString(PyExc_RuntimeError,
                        "could not retrieve a contiguous buffer from the given object "
                        "(non-contiguous buffers are not supported)");
        free(view);
        return NULL;
    }
    if (py_warn_once(&warned,
                     "The given buffer is not writable, and PyTorch does not support non-writable "
                     "tensors. This means you can write to the underlying (supposedly "
                     "non-writable) buffer using the tensor. You may want to copy the buffer to "
                     "protect its data or make it writable before converting it to a tensor. This "
                     "type of warning will be suppressed for the rest of this program."))
        return view;
    py_release_buffer(view);
    return NULL;
}

/* Returns the number of requested elements; -1 with an exception. */
static int64_t count_elements(int64_t length, int64_t itemsize, int64_t count, int64_t offset)
{
    if (length <= 0 || count == 0) {
        PyErr_Format(PyExc_ValueError, "both buffer length (%lld) and count (%lld) must not be 0",
                     (long long)length, (long long)count);
        return -1;
    }
    if (offset < 0 || offset >= length) {
        PyErr_Format(PyExc_ValueError,
                     "offset (%lld bytes) must be non-negative and no greater than buffer length "
                     "(%lld bytes) minus 1",
                     (long long)offset, (long long)length);
        return -1;
    }
    if (count < 0 && (length - offset) % itemsize != 0) {
        PyErr_Format(PyExc_ValueError,
                     "buffer length (%lld bytes) after offset (%lld bytes) must be a multiple of "
                     "element size (%lld)",
                     (long long)(length - offset), (long long)offset, (long long)itemsize);
        return -1;
    }
    if (count > (length - offset) / itemsize) {
        PyErr_Format(PyExc_ValueError,
                     "requested buffer length (%lld * %lld bytes) after offset (%lld bytes) must "
                     "not be greater than actual buffer length (%lld bytes)",
                     (long long)count, (long long)itemsize, (long long)offset, (long long)length);
        return -1;
    }
    return count < 0 ? (length - offset) / itemsize : count;
}

/* A tensor over `count` elements of a buffer, from byte `offset` on, owned. */
static ct_tensor *share_elements(PyObject *o, enum ct_dtype dtype, int64_t count, int64_t offset)
{
    Py_buffer *view = open_buffer(o);
    int64_t n = view ? count_elements(view->len, ct_dtype_size(dtype), count, offset) : -1;
    if (n < 0) {
        if (view)
            py_release_buffer(view);
        return NULL;
    }
    ct_tensor *t = ct_own_from_memory((char *)view->buf + offset, dtype, ct_ints_of(&n, 1),
                                      CT_NO_DIMS, py_release_buffer, view);
    if (!t)
        py_raise();
    return t;
}

/* Returns the dtype of a buffer's items; uint8 if the buffer has no format. */
static enum ct_dtype type_of_items(PyObject *o)
{
    Py_buffer view;
    enum ct_dtype found = CT_UINT8;
    if (PyObject_GetBuffer(o, &view, PyBUF_FORMAT) < 0) {
        PyErr_Clear();
        return found;
    }
    if (view.format && (view.format[0] == 'l' || view.format[0] == 'L')) /* C's long */
        found = view.format[0] == 'l' ? CT_INT64 : CT_UINT64;
    for (int d = 0; view.format && d < CT_DTYPE_COUNT; d++)
        if (formats[d] && strcmp(formats[d], view.format) == 0)
            found = (enum ct_dtype)d;
    PyBuffer_Release(&view);
    return found;
}

ct_tensor *py_share_buffer(PyObject *o, enum ct_dtype dtype)
{
    return share_elements(o, dtype == CT_NO_DTYPE ? type_of_items(o) : dtype, -1, 0);
}

static PyObject *tensor_from_buffer(const union py_value *v)
{
    enum ct_dtype dtype = v[1].dtype;
    if (v[4].b && !ct_dtype_is_floating(dtype) && !ct_dtype_is_complex(dtype))
        return PyErr_Format(PyExc_RuntimeError, "Only Tensors of floating point and complex dtype "
                                                "can require gradients");
    ct_tensor *t = share_elements(v[0].object, dtype, v[2].i, v[3].i);
    if (t && v[4].b && !ct_set_requires_grad(t, true)) {
        ct_release(t);
        return py_wrap(NULL);
    }
    return t ? py_wrap(t) : NULL;
}

static PyObject *frombuffer(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *names)
{
    struct py_frame frame;
    return py_read(&frame, &from_op, NULL, args, nargs, names) < 0 ? NULL
                                                                   : tensor_from_buffer(frame.v);
}

static PyMethodDef functions[] = {
    {"frombuffer", PY_FAST(frombuffer),
     "frombuffer(buffer, *, dtype, count=-1, offset=0, requires_grad=False)\n--\n\nReturns a 1-d "
     "tensor that shares the memory of an object with the buffer protocol.\n\n"
     "Arguments:\n"
     "    buffer: bytes, a bytearray, an array or another object with the buffer protocol.\n"
     "    dtype (dtype): the data type of the elements.\n"
     "    count (int): the number of elements; -1: all. Default: `-1`.\n"
     "    offset (int): the number of bytes to skip. Default: `0`.\n"
     "    requires_grad (bool): whether autograd records operations on the result. Default: "
     "`False`.\n\n"
     "Example:\n"
     "    >>> torch.frombuffer(bytearray(b'\\x01\\x02'), dtype=torch.uint8)\n"
     "    tensor([1, 2], dtype=torch.uint8)"},
    {0},
};

bool py_init_buffer(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
