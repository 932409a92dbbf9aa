/* SPDX-License-Identifier: BSD-3-Clause */
/* DLPack in Python: capsules around the structures of corten/dlpack.h. A capsule that is never
 * consumed frees its memory in its destructor; a consumer renames it first ("used_..."). */
#include <corten/cuda.h>
#include <corten/dlpack.h>

#include "exchange/exchange.h"

#include <corten/own.h>

#include "parse/parse.h"

#define PLAIN "dltensor"
#define VERSIONED "dltensor_versioned"

static void drop_plain(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, PLAIN))
        return;
    struct ct_dl_managed *m = PyCapsule_GetPointer(capsule, PLAIN);
    if (m->deleter)
        m->deleter(m);
}

static void drop_versioned(PyObject *capsule)
{
    if (!PyCapsule_IsValid(capsule, VERSIONED))
        return;
    struct ct_dl_versioned *m = PyCapsule_GetPointer(capsule, VERSIONED);
    if (m->deleter)
        m->deleter(m);
}

/* ---- out ---- */

static PyObject *plain_capsule(ct_tensor *t)
{
    struct ct_dl_managed *m = ct_to_dlpack(t);
    if (!m)
        return py_raise();
    PyObject *capsule = PyCapsule_New(m, PLAIN, drop_plain);
    if (!capsule)
        m->deleter(m);
    return capsule;
}

static PyObject *versioned_capsule(ct_tensor *t, bool copied, bool read_only)
{
    struct ct_dl_versioned *m = ct_to_dlpack_versioned(t);
    if (!m)
        return py_raise();
    if (copied)
        m->flags |= CT_DL_IS_COPIED;
    if (read_only)
        m->flags |= CT_DL_READ_ONLY;
    PyObject *capsule = PyCapsule_New(m, VERSIONED, drop_versioned);
    if (!capsule)
        m->deleter(m);
    return capsule;
}

/* Returns the major version that the consumer supports; 0 for None (before 1.0); -1 with an
 * exception. */
static int major_of(PyObject *max_version)
{
    if (max_version == Py_None)
        return 0;
    int major, minor;
    if (!PyTuple_Check(max_version) || !PyArg_ParseTuple(max_version, "ii", &major, &minor)) {
        PyErr_Clear();
        PyErr_SetString(PyExc_TypeError, "max_version must be a tuple of two ints or None");
        return -1;
    }
    return major;
}

static bool check_stream(PyObject *stream, struct ct_device device)
{
    if (device.type == CT_CUDA)
        return py_cuda_export_to(stream, device.index);
    if (stream == Py_None)
        return true;
    if (!PyLong_Check(stream))
        PyErr_SetString(PyExc_TypeError, "stream must be ``int`` or ``none``");
    else if (PyLong_AsLong(stream) == -1 && !PyErr_Occurred())
        return true; /* no synchronisation requested */
    else
        PyErr_SetString(PyExc_AssertionError, "stream should be None on cpu.");
    return false;
}

/* t, copied or moved to the consumer's device as requested; owned. */
static ct_tensor *dlpack_prepare(ct_tensor *t, PyObject *dl_device, bool copy)
{
    struct ct_device device = CT_NO_DEVICE;
    if (dl_device != Py_None) {
        int type, id;
        if (!PyTuple_Check(dl_device) || !PyArg_ParseTuple(dl_device, "ii", &type, &id)) {
            PyErr_Clear();
            PyErr_SetString(PyExc_TypeError, "dl_device must be a tuple of two ints or None");
            return NULL;
        }
        if (type != CT_DL_CPU && type != CT_DL_CUDA) {
            PyErr_Format(PyExc_BufferError, "unsupported device type: %d", type);
            return NULL;
        }
        device =
            type == CT_DL_CPU ? (struct ct_device){CT_CPU, -1} : (struct ct_device){CT_CUDA, id};
    }
    if (ct_requires_grad(t)) { /* even if a copy would not require grad */
        py_exportable(t);
        return NULL;
    }
    ct_tensor *ready = ct_own_to(t, CT_NO_DTYPE, device, false, copy, CT_PRESERVE_FORMAT);
    if (!ready)
        py_raise();
    return ready;
}

static PyObject *dlpack(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"stream", "max_version", "dl_device", "copy", "read_only", NULL};
    PyObject *stream = Py_None, *max_version = Py_None, *device = Py_None, *copy = Py_None;
    int read_only = 0;
    if (!py_fits("Tensor.__dlpack__", names, 0, 0, args, kwargs) ||
        !PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOOp", names, &stream, &max_version, &device,
                                     &copy, &read_only))
        return NULL;
    int major = major_of(max_version), copied = copy == Py_None ? 0 : PyObject_IsTrue(copy);
    if (major < 0 || copied < 0 || !check_stream(stream, ct_device_of(py_tensor_of(self))))
        return NULL;
    if (read_only && major < 1) /* earlier versions have no such flag */
        return PyErr_Format(PyExc_BufferError,
                            "read_only export requires the versioned DLPack protocol; pass "
                            "max_version=(1, 0) or higher");
    ct_tensor *t = dlpack_prepare(py_tensor_of(self), device, copied);
    if (!t)
        return NULL;
    PyObject *capsule = major >= 1 ? versioned_capsule(t, copied, read_only) : plain_capsule(t);
    ct_release(t);
    return capsule;
}

static PyObject *dlpack_device(PyObject *self, PyObject *unused)
{
    struct ct_device device = ct_device_of(py_tensor_of(self));
    if (device.type == CT_CUDA)
        return Py_BuildValue("ii", CT_DL_CUDA, device.index);
    if (device.type != CT_CPU)
        return PyErr_Format(PyExc_ValueError, "Unknown device type %s for Dlpack",
                            ct_device_str(device));
    return Py_BuildValue("ii", CT_DL_CPU, 0);
}

static PyObject *to_dlpack(PyObject *module, PyObject *o)
{
    if (!py_is_tensor(o))
        return PyErr_Format(PyExc_TypeError, "data must be a Tensor");
    return plain_capsule(py_tensor_of(o));
}

/* ---- in ---- */

static bool warn_read_only(const struct ct_dl_versioned *m)
{
    static bool warned;
    return !(m->flags & CT_DL_READ_ONLY) ||
           py_warn_once(&warned,
                        "The given array is not writable, and PyTorch does not support "
                        "non-writable tensors. This means writing to this tensor will result in "
                        "undefined behavior. You may want to copy the array to protect its data. "
                        "This type of warning will be suppressed for the rest of this program.");
}

bool py_is_capsule(PyObject *o)
{
    return PyCapsule_CheckExact(o);
}

ct_tensor *py_take_capsule(PyObject *capsule)
{
    ct_tensor *t;
    if (PyCapsule_IsValid(capsule, VERSIONED)) {
        struct ct_dl_versioned *m = PyCapsule_GetPointer(capsule, VERSIONED);
        if (!warn_read_only(m) || PyCapsule_SetName(capsule, "used_" VERSIONED) < 0)
            return NULL;
        t = ct_own_from_dlpack_versioned(m);
    } else if (PyCapsule_IsValid(capsule, PLAIN)) {
        struct ct_dl_managed *m = PyCapsule_GetPointer(capsule, PLAIN);
        if (PyCapsule_SetName(capsule, "used_" PLAIN) < 0)
            return NULL;
        t = ct_own_from_dlpack(m);
    } else {
        PyErr_SetString(PyExc_RuntimeError,
                        "from_dlpack received an invalid capsule. Note that DLTensor capsules can "
                        "be consumed only once, so you might have already constructed a tensor "
                        "from it once.");
        return NULL;
    }
    if (!t)
        py_raise();
    return t;
}

/* The index of the GPU that holds o's memory; -1 for other devices. */
static int gpu_of(PyObject *o)
{
    int type = CT_DL_CPU, id = -1;
    PyObject *device = PyObject_HasAttrString(o, "__dlpack_device__")
                           ? PyObject_CallMethod(o, "__dlpack_device__", NULL)
                           : NULL;
    if (!device || !PyTuple_Check(device) || !PyArg_ParseTuple(device, "ii", &type, &id))
        PyErr_Clear();
    Py_XDECREF(device);
    return type == CT_DL_CUDA ? id : -1;
}

/* Calls o.__dlpack__ with the newest version it supports; producers from before 1.0 do not accept
 * max_version. Producers on a GPU get our stream. */
static PyObject *request_capsule(PyObject *o)
{
    PyObject *method = PyObject_GetAttrString(o, "__dlpack__");
    PyObject *none = method ? PyTuple_New(0) : NULL;
    PyObject *kwargs = none ? Py_BuildValue("{s(ii)}", "max_version", CT_DL_MAJOR, 0) : NULL;
    int gpu = kwargs ? gpu_of(o) : -1;
    PyObject *stream = gpu >= 0 ? PyLong_FromLongLong(py_cuda_import_stream(gpu)) : NULL;
    bool good = kwargs && (!stream || PyDict_SetItemString(kwargs, "stream", stream) == 0);
    PyObject *capsule = good ? PyObject_Call(method, none, kwargs) : NULL;
    if (!capsule && good && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyDict_DelItemString(kwargs, "max_version");
        capsule = PyObject_Call(method, none, kwargs);
    }
    Py_XDECREF(stream);
    Py_XDECREF(kwargs);
    Py_XDECREF(none);
    Py_XDECREF(method);
    return capsule;
}

static struct py_arg from_args[] = {
    PY_REQUIRED("ext_tensor", PY_OBJECT),
    PY_OR_NONE("device", PY_DEVICE, PY_KEYWORD),
    PY_OR_NONE("copy", PY_BOOL_OPT, PY_KEYWORD),
};
static struct py_signature from_signature = {
    .args = from_args, .n = 3, .returns = PY_RETURNS_OBJECT};
static struct py_op from_op = {.name = "from_dlpack", .signatures = &from_signature, .n = 1};

static PyObject *tensor_from_dlpack(const union py_value *v)
{
    PyObject *o = v[0].object;
    PyObject *capsule = PyObject_HasAttrString(o, "__dlpack__") ? request_capsule(o) : Py_NewRef(o);
    ct_tensor *t = capsule ? py_take_capsule(capsule) : NULL;
    Py_XDECREF(capsule);
    if (!t || (v[1].device.type == CT_NO_DEVICE_TYPE && v[2].small <= 0))
        return t ? py_wrap(t) : NULL;
    ct_tensor *moved =
        ct_own_to(t, CT_NO_DTYPE, v[1].device, false, v[2].small > 0, CT_PRESERVE_FORMAT);
    ct_release(t);
    return py_wrap(moved);
}

static PyObject *from_dlpack(PyObject *module, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *names)
{
    struct py_frame frame;
    return py_read(&frame, &from_op, NULL, args, nargs, names) < 0 ? NULL
                                                                   : tensor_from_dlpack(frame.v);
}

static PyMethodDef methods[] = {
    {"__dlpack__", PY_KEYWORDS(dlpack),
     "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "Returns a capsule through which another library can share the memory."},
    {"__dlpack_device__", dlpack_device, METH_NOARGS,
     "Returns the type and index of the device in DLPack."},
    {0},
};

static PyMethodDef functions[] = {
    {"from_dlpack", PY_FAST(from_dlpack),
     "from_dlpack(ext_tensor, *, device=None, copy=None)\n--\n\nReturns a tensor that shares the "
     "memory of another library's array, by the DLPack protocol.\n\n"
     "Arguments:\n"
     "    ext_tensor: an array with the method __dlpack__, or a capsule.\n"
     "    device (device or None): the device of the result; None: that of the array.\n"
     "    copy (bool or None): True copies, False refuses to, None copies only if necessary."},
    {"_to_dlpack", to_dlpack, METH_O,
     "Returns a DLPack capsule, through which another library can share the tensor's memory."},
    {"to_dlpack", to_dlpack, METH_O,
     "to_dlpack(tensor)\n--\n\nReturns a DLPack capsule, through which another library can share "
     "the tensor's memory."},
    {0},
};

bool py_init_dlpack(PyObject *module)
{
    return py_add_methods(&py_TensorBase, methods) && PyModule_AddFunctions(module, functions) == 0;
}
