/* SPDX-License-Identifier: BSD-3-Clause */
/* Sharing memory with other owners: NumPy, buffers, DLPack, CUDA arrays, storages. Also taking the
 * GIL in callbacks from the library. */
#ifndef CORTEN_PYTHON_BRIDGE_H
#define CORTEN_PYTHON_BRIDGE_H

#include "binding.h"

/* Whether Python is finalizing. Py_IsInitialized is false then, although garbage collection still
 * runs. */
static inline bool py_is_ending(void)
{
#if PY_VERSION_HEX < 0x030D0000
    return _Py_IsFinalizing();
#else
    return Py_IsFinalizing();
#endif
}

/* Whether the calling thread holds the GIL. PyGILState_Check alone also returns true after Python
 * has ended, when there are no thread states any more. */
static inline bool py_has_lock(void)
{
#if PY_VERSION_HEX < 0x030D0000
    return _PyThreadState_UncheckedGet() && PyGILState_Check();
#else
    return PyThreadState_GetUnchecked() && PyGILState_Check();
#endif
}

/* For callbacks, which may run on any thread: takes the GIL. False once Python has ended; then no
 * Python object may be touched, and whatever such objects own is released by the end of the
 * process. While Python is finalizing, its last collections traverse every object, so the thread
 * that holds the GIL must still unlink objects from what the library frees; no other thread gets
 * the GIL any more. */
static inline bool py_lock(PyGILState_STATE *state)
{
    if (py_is_ending() ? !py_has_lock() : !Py_IsInitialized())
        return false;
    *state = PyGILState_Ensure();
    return true;
}

/* Deleters for the library: of an owned object, and of a malloc'ed Py_buffer. They take the GIL. */
void py_release_object(void *object);
void py_release_buffer(void *buffer);

/* Whether the memory of t can be shared with other libraries; if not, raises BufferError. */
bool py_exportable(ct_tensor *t);

/* A tensor over an array's memory, owned. warn: warns, once per process, if the array is
 * read-only. */
ct_tensor *py_share_array(PyObject *array, bool warn);
/* A 1-d tensor over an object's buffer, owned. CT_NO_DTYPE: uses the buffer's own format. */
ct_tensor *py_share_buffer(PyObject *o, enum ct_dtype dtype);
/* Consumes a DLPack capsule: a tensor over its memory, owned. */
ct_tensor *py_take_capsule(PyObject *capsule);
bool py_is_capsule(PyObject *o);
bool py_is_array(PyObject *o); /* an ndarray or an object of a subclass */

/* ---- GPUs ---- */

/* Makes the consumer's stream wait for the work on our memory; false with an exception. */
bool py_cuda_export_to(PyObject *stream, int device);
long long
py_cuda_import_stream(int device); /* number of the stream on which imported memory must be ready */
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
/* The state of a tensor apart from its elements, for pickles: attributes and slots, or the result
 * of its __getstate__. New reference; None if there is no state. */
PyObject *py_state_of(PyObject *tensor);
/* The storage of an untyped or typed storage object, owned; *dtype is CT_NO_DTYPE for untyped ones.
 * NULL without an exception for other objects. */
ct_storage *py_storage_of(PyObject *o, enum ct_dtype *dtype);
/* A 1-d tensor over a whole storage, owned. The second form also accepts typed storage objects and
 * implements torch.Tensor(storage). */
ct_tensor *py_tensor_of_storage(ct_storage *s, enum ct_dtype dtype);
bool py_copy_storage(ct_storage *dst, ct_storage *src); /* of equal size, on any devices */
ct_tensor *py_tensor_of_typed(PyObject *storage, enum ct_dtype dtype);

#endif
