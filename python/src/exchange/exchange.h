/* SPDX-License-Identifier: BSD-3-Clause */
/* What the bridges to other owners of memory share: NumPy, buffers, DLPack, storages. */
#ifndef CORTEN_PYTHON_BRIDGE_H
#define CORTEN_PYTHON_BRIDGE_H

#include "binding.h"

/* Python is finalizing: it says that it is not initialised, and still collects garbage. */
static inline bool py_is_ending(void)
{
#if PY_VERSION_HEX < 0x030D0000
    return _Py_IsFinalizing();
#else
    return Py_IsFinalizing();
#endif
}

/* Whether the calling thread has Python's lock. PyGILState_Check alone also says so when Python has
 * ended, and has no threads any more. */
static inline bool py_has_lock(void)
{
#if PY_VERSION_HEX < 0x030D0000
    return _PyThreadState_UncheckedGet() && PyGILState_Check();
#else
    return PyThreadState_GetUnchecked() && PyGILState_Check();
#endif
}

/* For callbacks, which run on any thread: Python's lock, or false once Python has gone (then
 * nothing of Python's may be touched, and what it owned goes with the process). While Python ends,
 * its last collections traverse every object, so the thread that has the lock still has to cut the
 * ties between objects and what the library frees; no other thread gets the lock any more. */
static inline bool py_lock(PyGILState_STATE *state)
{
    if (py_is_ending() ? !py_has_lock() : !Py_IsInitialized())
        return false;
    *state = PyGILState_Ensure();
    return true;
}

/* Deleters: of an owned object, and of a malloc'ed Py_buffer. */
void py_release_object(void *object);
void py_release_buffer(void *buffer);

/* Whether others may hold the bytes of t as they are. If not: BufferError, false. */
bool py_exportable(ct_tensor *t);

/* A tensor over an array's memory, owned. warn: says so, once, if the array is read-only. */
ct_tensor *py_share_array(PyObject *array, bool warn);
/* A 1-d tensor over an object's buffer, owned; CT_NO_DTYPE: of the type that the buffer names. */
ct_tensor *py_share_buffer(PyObject *o, enum ct_dtype dtype);
/* A tensor over the memory of a DLPack capsule, which is used up; owned. */
ct_tensor *py_take_capsule(PyObject *capsule);
bool py_is_capsule(PyObject *o);
bool py_is_array(PyObject *o); /* an ndarray or of a class made from it */

/* ---- GPUs ---- */

/* Memory of ours on a device goes to a stream that its consumer names; false: raised. */
bool py_cuda_export_to(PyObject *stream, int device);
long long
py_cuda_import_stream(int device); /* the number of the stream that memory is to be ready on */
bool py_has_cuda_interface(PyObject *o);
ct_tensor *py_share_cuda(PyObject *o); /* a tensor over its memory, owned */

/* ---- storages ---- */

typedef struct {
    PyObject_HEAD ct_storage *s; /* owned */
    PyObject *dict, *weakrefs;
} StorageObject;

extern PyTypeObject py_StorageBase;

/* The object of a storage, one for each storage; NULL: raised. */
PyObject *py_wrap_storage(ct_storage *borrowed);
/* What pickles and files keep of a tensor beside its elements: attributes and slots, or what its
 * class's __getstate__ answers. New; None: nothing. */
PyObject *py_state_of(PyObject *tensor);
/* The storage of an untyped or typed object, owned; *dtype is CT_NO_DTYPE for untyped ones.
 * NULL: it is none, nothing is raised. */
ct_storage *py_storage_of(PyObject *o, enum ct_dtype *dtype);
/* All of a storage as a 1-d tensor of a type; NULL: raised. The second takes typed objects too, and
 * is what torch.Tensor(storage) does. */
ct_tensor *py_tensor_of_storage(ct_storage *s, enum ct_dtype dtype);
bool py_copy_storage(ct_storage *dst, ct_storage *src); /* of one size; false: Python's error */
ct_tensor *py_tensor_of_typed(PyObject *storage, enum ct_dtype dtype);

#endif
