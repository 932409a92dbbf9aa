/* SPDX-License-Identifier: BSD-3-Clause */
/* __cuda_array_interface__ (version 3), the protocol for sharing GPU memory, like NumPy's
 * __array_interface__ for the CPU. Also the synchronisation of streams when memory is shared: one
 * stream waits for the other, never the host. */
#include "exchange/exchange.h"

#include <corten/cuda.h>
#include <corten/dlpack.h>

#include <stdlib.h>
#include <string.h>

/* ---- streams ---- */

/* In both protocols 1 is the default stream; 0 is invalid. */
static void *stream_of(long long number)
{
    return number == 1 ? NULL : (void *)(uintptr_t)number;
}

/* Makes work submitted to stream `later` from now on wait for the work already queued on
 * `first`. */
static bool stream_wait(int device, void *later, void *first)
{
    if (later == first)
        return true;
    void *event = ct_cuda_event_create(device, false, false);
    bool good = event && ct_cuda_event_record(device, event, first) &&
                ct_cuda_stream_wait_event(device, later, event);
    ct_cuda_event_destroy(event);
    return good || py_raise() != NULL;
}

bool py_cuda_export_to(PyObject *stream, int device)
{
    long long number = 1;
    if (stream != Py_None) {
        if (!PyLong_Check(stream)) {
            PyErr_SetString(PyExc_TypeError, "stream must be ``int`` or ``none``");
            return false;
        }
        number = PyLong_AsLongLong(stream);
        if (number == -1) /* the consumer synchronises */
            return !PyErr_Occurred();
    }
    if (number == 0 || number == 2) {
        PyErr_Format(PyExc_BufferError, "unsupported stream on CUDA: %lld", number);
        return false;
    }
    return stream_wait(device, stream_of(number), ct_cuda_current_stream(device));
}

long long py_cuda_import_stream(int device)
{
    void *stream = ct_cuda_current_stream(device);
    return stream ? (long long)(uintptr_t)stream : 1;
}

/* ---- out ---- */

static const char *const kinds[] = {
    [CT_BOOL] = "|b1",
    [CT_UINT8] = "|u1",
    [CT_INT8] = "|i1",
    [CT_INT16] = "<i2",
    [CT_INT32] = "<i4",
    [CT_INT64] = "<i8",
    [CT_UINT16] = "<u2",
    [CT_UINT32] = "<u4",
    [CT_UINT64] = "<u8",
    [CT_FLOAT16] = "<f2",
    [CT_BFLOAT16] = "<V2",
    [CT_FLOAT32] = "<f4",
    [CT_FLOAT64] = "<f8",
    [CT_COMPLEX64] = "<c8",
    [CT_COMPLEX128] = "<c16",
    [CT_COMPLEX32] = "<V4",
    [CT_FLOAT8_E4M3FN] = "|V1",
    [CT_FLOAT8_E5M2] = "|V1",
    [CT_FLOAT8_E4M3FNUZ] = "|V1",
    [CT_FLOAT8_E5M2FNUZ] = "|V1",
    [CT_FLOAT8_E8M0FNU] = "|V1",
};

static PyObject *interface(PyObject *self, void *unused)
{
    ct_tensor *t = py_tensor_of(self);
    int64_t size = ct_element_size(t);
    if (ct_device_of(t).type != CT_CUDA)
        return PyErr_Format(PyExc_AttributeError,
                            "Can't get __cuda_array_interface__ on non-CUDA tensor type: "
                            "If CUDA data is required use tensor.cuda() to copy tensor to device "
                            "memory.");
    if (ct_requires_grad(t))
        return PyErr_Format(PyExc_RuntimeError,
                            "Can't get __cuda_array_interface__ on Variable that requires grad. "
                            "If gradients aren't required, use var.detach() to get Variable that "
                            "doesn't require grad.");
    if (ct_is_conj(t) || ct_is_neg(t))
        return PyErr_Format(PyExc_RuntimeError,
                            "__cuda_array_interface__ cannot express that a tensor "
                            "is conjugated or negated: use resolve_conj() or "
                            "resolve_neg()");
    PyObject *shape = PyTuple_New(ct_ndim(t)), *strides = PyTuple_New(ct_ndim(t));
    for (int d = 0; d < ct_ndim(t) && shape && strides; d++) {
        PyTuple_SET_ITEM(shape, d, PyLong_FromLongLong(ct_size(t, d)));
        PyTuple_SET_ITEM(strides, d, PyLong_FromLongLong(ct_stride(t, d) * size));
    }
    if (shape && strides && ct_is_contiguous(t))
        Py_SETREF(strides, Py_NewRef(Py_None));
    if (!shape || !strides || PyErr_Occurred()) {
        Py_XDECREF(shape);
        Py_XDECREF(strides);
        return NULL;
    }
    void *data = ct_numel(t) ? ct_data(t) : NULL;
    return Py_BuildValue("{sssNsNs(KO)si}", "typestr", kinds[ct_dtype(t)], "shape", shape,
                         "strides", strides, "data", (unsigned long long)(uintptr_t)data, Py_False,
                         "version", 2);
}

/* ---- in ---- */

struct borrowed { /* a DLPack tensor that owns a reference to the object */
    struct ct_dl_managed managed;
    PyObject *owner;
    int64_t dims[2 * 64];
};

static void borrow_release(struct ct_dl_managed *m)
{
    struct borrowed *b = (struct borrowed *)(void *)m;
    py_release_object(b->owner);
    free(b);
}

static bool read_typestr(struct ct_dl_tensor *t, const char *text)
{
    static const char letters[] = "iufcb";
    static const uint8_t codes[] = {CT_DL_INT, CT_DL_UINT, CT_DL_FLOAT, CT_DL_COMPLEX, CT_DL_BOOL};
    const char *letter = *text ? strchr(letters, text[1]) : NULL;
    int bytes = letter && *letter ? atoi(text + 2) : 0;
    if (*text == '>' || bytes <= 0 || bytes > 16) {
        PyErr_Format(PyExc_TypeError, "__cuda_array_interface__: unknown typestr \"%s\"", text);
        return false;
    }
    t->dtype.code = codes[letter - letters];
    t->dtype.bits = (uint8_t)(8 * bytes);
    t->dtype.lanes = 1;
    return true;
}

static bool read_dims(struct borrowed *b, PyObject *shape, PyObject *strides)
{
    struct ct_dl_tensor *t = &b->managed.tensor;
    int bytes = t->dtype.bits / 8;
    if (!shape || !PyTuple_Check(shape) || PyTuple_GET_SIZE(shape) > 64 ||
        (strides && strides != Py_None &&
         (!PyTuple_Check(strides) || PyTuple_GET_SIZE(strides) != PyTuple_GET_SIZE(shape)))) {
        PyErr_SetString(
            PyExc_TypeError,
            "__cuda_array_interface__: shape and strides must be tuples of equal length");
        return false;
    }
    t->ndim = (int32_t)PyTuple_GET_SIZE(shape);
    t->shape = b->dims;
    t->strides = strides && strides != Py_None ? b->dims + 64 : NULL;
    for (int d = 0; d < t->ndim; d++) {
        t->shape[d] = PyLong_AsLongLong(PyTuple_GET_ITEM(shape, d));
        if (t->strides) {
            int64_t step = PyLong_AsLongLong(PyTuple_GET_ITEM(strides, d));
            if (step % bytes && !PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError,
                                "given array strides not a multiple of the element byte size. "
                                "Make a copy of the array to reallocate the memory.");
            t->strides[d] = step / bytes;
        }
    }
    return !PyErr_Occurred();
}

static bool read_interface(struct borrowed *b, PyObject *facts)
{
    struct ct_dl_tensor *t = &b->managed.tensor;
    PyObject *type = PyDict_GetItemString(facts, "typestr"),
             *data = PyDict_GetItemString(facts, "data");
    PyObject *stream = PyDict_GetItemString(facts, "stream");
    unsigned long long address;
    int read_only;
    const char *text = type ? PyUnicode_AsUTF8(type) : NULL;
    if (!text || !data || !PyTuple_Check(data)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError,
                            "__cuda_array_interface__: typestr or data is missing");
        return false;
    }
    if (!read_typestr(t, text) || !PyArg_ParseTuple(data, "Kp", &address, &read_only) ||
        !read_dims(b, PyDict_GetItemString(facts, "shape"), PyDict_GetItemString(facts, "strides")))
        return false;
    t->data = (void *)(uintptr_t)address;
    t->device.type = CT_DL_CUDA;
    t->device.id = ct_cuda_device_of(t->data);
    if (!stream || stream == Py_None)
        return true;
    long long number = PyLong_AsLongLong(stream);
    return !PyErr_Occurred() &&
           stream_wait(t->device.id, ct_cuda_current_stream(t->device.id), stream_of(number));
}

bool py_has_cuda_interface(PyObject *o)
{
    return !PyList_CheckExact(o) && !PyFloat_CheckExact(o) && !PyLong_CheckExact(o) &&
           !PyTuple_CheckExact(o) && PyObject_HasAttrString(o, "__cuda_array_interface__");
}

ct_tensor *py_share_cuda(PyObject *o)
{
    PyObject *facts = PyObject_GetAttrString(o, "__cuda_array_interface__");
    struct borrowed *b = facts ? calloc(1, sizeof *b) : NULL;
    if (facts && !PyDict_Check(facts))
        PyErr_SetString(PyExc_TypeError, "`__cuda_array_interface__` must be a dict");
    bool good = b && PyDict_Check(facts) && read_interface(b, facts);
    Py_XDECREF(facts);
    if (!good) {
        free(b);
        return PyErr_Occurred() ? NULL : (ct_tensor *)PyErr_NoMemory();
    }
    b->owner = Py_NewRef(o);
    b->managed.deleter = borrow_release;
    ct_tensor *t = ct_own_from_dlpack(&b->managed);
    if (!t)
        py_raise();
    return t;
}

static PyGetSetDef attributes[] = {
    {"__cuda_array_interface__", interface, NULL,
     "Address and layout of the elements in GPU memory.", NULL},
    {0},
};

bool py_init_bridge_cuda(PyObject *module)
{
    return py_add_getset(&py_TensorBase, attributes);
}
