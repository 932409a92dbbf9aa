/* SPDX-License-Identifier: BSD-3-Clause */
/* Pickling and copying of tensors and storages. A pickled tensor refers to its storage object, so
 * tensors that share one still do after loading. Rebuilding uses corten's own functions
 * (corten._C._rebuild_...). With protocol 5 the bytes may be passed out of band. */
#include "exchange/exchange.h"

#include <corten/autograd.h>
#include <corten/own.h>

static PyObject *rebuild_tensor_function, *rebuild_storage_function;

/* ---- storages ---- */

/* For a storage on a device: the bytes and the device. */
static PyObject *reduce_device_storage(ct_storage *s)
{
    ct_tensor *there = py_tensor_of_storage(s, CT_UINT8), *here = ct_own_host(there);
    PyObject *bytes = NULL;
    if (here)
        bytes = PyBytes_FromStringAndSize(ct_data(here), (Py_ssize_t)ct_storage_nbytes(s));
    else if (there)
        py_raise();
    ct_release(there);
    ct_release(here);
    return bytes ? Py_BuildValue("O(NN)", rebuild_storage_function, bytes,
                                 py_device(ct_storage_device(s)))
                 : NULL;
}

static PyObject *reduce_storage(PyObject *self, PyObject *protocol)
{
    ct_storage *s = ((StorageObject *)self)->s;
    int64_t version, n = ct_storage_nbytes(s);
    if (!py_int64(protocol, &version))
        return NULL;
    if (ct_storage_device(s).type == CT_META)
        return Py_BuildValue("O(LN)", rebuild_storage_function, (long long)n,
                             py_device(ct_storage_device(s)));
    if (ct_storage_device(s).type != CT_CPU)
        return reduce_device_storage(s);
    PyObject *bytes = version >= 5 ? PyPickleBuffer_FromObject(self)
                                   : PyBytes_FromStringAndSize(ct_storage_data(s), (Py_ssize_t)n);
    return bytes ? Py_BuildValue("O(N)", rebuild_storage_function, bytes) : NULL;
}

/* Out-of-band buffers are used in place if writable and aligned; other bytes are copied. */
static ct_storage *storage_from(PyObject *data)
{
    Py_buffer *view = malloc(sizeof *view);
    if (!view)
        return (ct_storage *)PyErr_NoMemory();
    if (PyObject_GetBuffer(data, view, PyBUF_SIMPLE) < 0) {
        free(view);
        return NULL;
    }
    int64_t n = view->len;
    if (!view->readonly && !PyByteArray_CheckExact(data) && (uintptr_t)view->buf % 16 == 0) {
        ct_tensor *t = ct_own_from_memory(view->buf, CT_UINT8, ct_ints_of(&n, 1), CT_NO_DIMS,
                                          py_release_buffer, view);
        ct_storage *s = t ? ct_storage_retain(ct_storage_of(t)) : NULL;
        ct_release(t);
        return s ? s : (ct_storage *)py_raise();
    }
    ct_storage *s = ct_storage_create(n, (struct ct_device){CT_CPU, -1});
    if (s)
        memcpy(ct_storage_data(s), view->buf, (size_t)n);
    py_release_buffer(view);
    return s ? s : (ct_storage *)py_raise();
}

static PyObject *rebuild_storage(PyObject *module, PyObject *args)
{
    PyObject *data, *where = NULL;
    struct ct_device device;
    if (!PyArg_ParseTuple(args, "O|O", &data, &where))
        return NULL;
    ct_storage *s;
    if (where) {
        int64_t n = 0;
        if (!py_device_of(where, &device) || (!PyBytes_Check(data) && !py_int64(data, &n)))
            return NULL;
        s = ct_storage_create(PyBytes_Check(data) ? PyBytes_GET_SIZE(data) : n, device);
        if (!s)
            return py_raise();
        ct_storage *bytes = PyBytes_Check(data) ? storage_from(data) : NULL;
        if (PyBytes_Check(data) && !(bytes && py_copy_storage(s, bytes))) {
            ct_storage_release(s);
            s = NULL;
        }
        ct_storage_release(bytes);
    } else {
        s = storage_from(data);
    }
    PyObject *object = s ? py_wrap_storage(s) : NULL;
    ct_storage_release(s);
    return object;
}

static PyObject *deepcopy_storage(PyObject *self, PyObject *memo)
{
    if (!PyDict_Check(memo))
        return PyErr_Format(PyExc_TypeError, "memo must be a dict");
    ct_storage *s = ((StorageObject *)self)->s;
    PyObject *key = PyLong_FromVoidPtr(self);
    PyObject *known = key ? PyDict_GetItemWithError(memo, key) : NULL;
    if (known || !key || PyErr_Occurred()) {
        Py_XDECREF(key);
        return Py_XNewRef(known);
    }
    int64_t n = ct_storage_nbytes(s);
    ct_storage *copy = ct_storage_create(n, ct_storage_device(s));
    bool good = copy && (ct_storage_device(s).type == CT_META || py_copy_storage(copy, s));
    PyObject *object = good ? py_wrap_storage(copy) : copy ? NULL : py_raise();
    ct_storage_release(copy);
    if (object && PyDict_SetItem(memo, key, object) < 0)
        Py_CLEAR(object);
    Py_DECREF(key);
    return object;
}

/* ---- tensors: pickle, copy.copy ---- */

PyObject *py_state_of(PyObject *self)
{
    PyObject *dict = py_attributes(self);
    if (py_is_plain(self))
        return Py_NewRef(dict && PyDict_GET_SIZE(dict) ? dict : Py_None);
    PyObject *utils = PyImport_ImportModule("corten._utils");
    PyObject *state = utils ? PyObject_CallMethod(utils, "_get_obj_state", "O", self) : NULL;
    Py_XDECREF(utils);
    return state;
}

/* (function, arguments) for a tensor subclass. The state is an argument of that function, so that
 * __setstate__ is called for every state, even a false one. */
static PyObject *with_state(PyObject *self, PyObject *made)
{
    if (!made || Py_IS_TYPE(self, py_Tensor))
        return made;
    PyObject *module = PyImport_ImportModule("corten._tensor"), *state = py_state_of(self);
    PyObject *rebuild = module ? PyObject_GetAttrString(module, "_rebuild_from_type_v2") : NULL;
    PyObject *answer = NULL;
    if (rebuild && state)
        answer = Py_BuildValue("O(OOOO)", rebuild, PyTuple_GET_ITEM(made, 0), Py_TYPE(self),
                               PyTuple_GET_ITEM(made, 1), state);
    Py_XDECREF(module);
    Py_XDECREF(rebuild);
    Py_XDECREF(state);
    Py_DECREF(made);
    return answer;
}

/* (function, (layout, (indices, values, size, is_coalesced))), or for compressed layouts (function,
 * (layout, (compressed indices, plain indices, values, size))) */
static PyObject *reduce_sparse(ct_tensor *t)
{
    PyObject *utils = PyImport_ImportModule("corten._utils");
    PyObject *function = utils ? PyObject_GetAttrString(utils, "_rebuild_sparse_tensor") : NULL;
    Py_XDECREF(utils);
    if (!function)
        return NULL;
    enum ct_layout layout = ct_layout_of(t);
    if (layout != CT_SPARSE_COO) {
        bool rows = layout == CT_SPARSE_CSR || layout == CT_SPARSE_BSR;
        ct_tensor *plain = ct_own_data(t);
        PyObject *made =
            Py_BuildValue("N(N(NNNN))", function, py_layout(layout),
                          py_wrap(rows ? ct_own_crow_indices(plain) : ct_own_ccol_indices(plain)),
                          py_wrap(rows ? ct_own_col_indices(plain) : ct_own_row_indices(plain)),
                          py_wrap(ct_own_values(plain)), py_size(ct_shape_ptr(t), ct_ndim(t)));
        ct_release(plain);
        return made;
    }
    return Py_BuildValue("N(N(NNNN))", function, py_layout(layout),
                         py_wrap(ct_own_sparse_indices(t)), py_wrap(ct_own_sparse_values(t)),
                         py_size(ct_shape_ptr(t), ct_ndim(t)),
                         PyBool_FromLong(ct_sparse_is_coalesced(t)));
}

/* (function, (storage, dtype, offset, size, stride, requires_grad, conj, class or None), state) */
static PyObject *reduce_tensor(PyObject *self, PyObject *protocol)
{
    if (ct_is_sparse(py_tensor_of(self)))
        return with_state(self, reduce_sparse(py_tensor_of(self)));
    ct_tensor *t = ct_retain(py_tensor_of(self));
    if (ct_is_neg(t)) { /* stores the values instead of the neg flag */
        ct_tensor *plain = ct_own_data(t), *resolved = ct_own_resolve_neg(plain);
        ct_release(plain);
        ct_release(t);
        t = resolved;
        if (!t)
            return py_raise();
    }
    int64_t n = ct_ndim(t);
    bool plain = Py_IS_TYPE(self, py_Tensor);
    PyObject *cls = plain ? Py_None : (PyObject *)Py_TYPE(self);
    PyObject *args = Py_BuildValue(
        "NNLNNNNO", py_wrap_storage(ct_storage_of(t)), py_dtype(ct_dtype(t)),
        (long long)ct_storage_offset(t), py_int_tuple(ct_shape_ptr(t), n),
        py_int_tuple(ct_stride_ptr(t), n), PyBool_FromLong(ct_requires_grad(py_tensor_of(self))),
        PyBool_FromLong(ct_is_conj(t)), cls);
    ct_release(t);
    if (!args)
        return NULL;
    if (plain)
        return Py_BuildValue("ONN", rebuild_tensor_function, args, py_state_of(self));
    return with_state(self, Py_BuildValue("ON", rebuild_tensor_function, args));
}

static bool read_dims(PyObject *tuple, int64_t *v)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        if (!py_int64(PyTuple_GET_ITEM(tuple, i), &v[i]))
            return false;
    }
    return true;
}

static PyObject *rebuild_tensor(PyObject *module, PyObject *args)
{
    PyObject *storage, *dtype, *size, *stride, *cls;
    long long offset;
    int requires_grad, conj;
    int64_t shape[64], steps[64];
    if (!PyArg_ParseTuple(args, "O!O!LO!O!ppO", &py_StorageBase, &storage, &py_DType, &dtype,
                          &offset, &PyTuple_Type, &size, &PyTuple_Type, &stride, &requires_grad,
                          &conj, &cls))
        return NULL;
    Py_ssize_t n = PyTuple_GET_SIZE(size);
    bool good = n <= 64 && PyTuple_GET_SIZE(stride) == n &&
                (cls == Py_None ||
                 (PyType_Check(cls) && PyType_IsSubtype((PyTypeObject *)cls, &py_TensorBase)));
    if (!good)
        return PyErr_Format(PyExc_TypeError, "the arguments do not describe a pickled tensor");
    if (!read_dims(size, shape) || !read_dims(stride, steps))
        return NULL;
    ct_tensor *t = ct_own_from_storage(((StorageObject *)storage)->s, py_dtype_of(dtype),
                                       ct_ints_of(shape, n), ct_ints_of(steps, n), offset);
    if (t && conj) {
        ct_tensor *view = ct_own_conj(t);
        ct_tensor *plain = ct_own_data(view);
        ct_release(view);
        ct_release(t);
        t = plain;
    }
    if (t && requires_grad && !ct_set_requires_grad(t, true)) {
        ct_release(t);
        t = NULL;
    }
    return py_wrap_as(t, cls == Py_None ? py_Tensor : (PyTypeObject *)cls);
}

/* ---- copy.deepcopy ---- */

/* copy.deepcopy(o, memo). The copy may come from memo, so its class is checked. */
static PyObject *deepcopy(PyObject *o, PyObject *memo, PyTypeObject *type)
{
    PyObject *module = PyImport_ImportModule("copy");
    PyObject *copy = module ? PyObject_CallMethod(module, "deepcopy", "OO", o, memo) : NULL;
    Py_XDECREF(module);
    if (copy && !PyObject_TypeCheck(copy, type)) {
        PyErr_Format(PyExc_TypeError, "the copy of a %s is a %s", py_typename(o),
                     py_typename(copy));
        Py_CLEAR(copy);
    }
    return copy;
}

/* The same view of a copy of the storage. The copy is in memo, so tensors that shared the storage
 * share the copy. */
static ct_tensor *copied_view(ct_tensor *t, PyObject *memo)
{
    if (ct_is_conj(t) || ct_is_neg(t)) {
        ct_tensor *plain = ct_own_data(t);
        ct_tensor *conj = ct_own_resolve_conj(plain), *resolved = ct_own_resolve_neg(conj);
        ct_release(plain);
        ct_release(conj);
        return resolved ? resolved : (ct_tensor *)py_raise();
    }
    if (ct_is_sparse(t)) {
        ct_tensor *plain = ct_own_data(t), *clone = ct_own_clone(plain, CT_PRESERVE_FORMAT);
        ct_release(plain);
        return clone ? clone : (ct_tensor *)py_raise();
    }
    PyObject *old = py_wrap_storage(ct_storage_of(t));
    PyObject *copy = old ? deepcopy(old, memo, &py_StorageBase) : NULL;
    Py_XDECREF(old);
    if (!copy)
        return NULL;
    int64_t n = ct_ndim(t);
    ct_tensor *view =
        ct_own_from_storage(((StorageObject *)copy)->s, ct_dtype(t), ct_ints_of(ct_shape_ptr(t), n),
                            ct_ints_of(ct_stride_ptr(t), n), ct_storage_offset(t));
    Py_DECREF(copy);
    return view ? view : (ct_tensor *)py_raise();
}

/* Copies the gradient and the attributes. */
static bool copy_rest(PyObject *self, PyObject *copy, PyObject *memo)
{
    ct_tensor *grad = ct_own_grad(py_tensor_of(self));
    if (grad) {
        PyObject *old = py_wrap(grad), *new = old ? deepcopy(old, memo, &py_TensorBase) : NULL;
        bool good = new && (ct_set_grad(py_tensor_of(copy), py_tensor_of(new)) || py_raise());
        Py_XDECREF(old);
        Py_XDECREF(new);
        if (!good)
            return false;
    }
    PyObject *dict = py_attributes(self);
    if (dict && PyDict_GET_SIZE(dict) > 0) {
        PyObject *attributes = deepcopy(dict, memo, &PyDict_Type);
        int rc = attributes ? PyObject_SetAttrString(copy, "__dict__", attributes) : -1;
        Py_XDECREF(attributes);
        if (rc < 0)
            return false;
    }
    if (Py_IS_TYPE(self, py_Tensor))
        return true;
    PyObject *utils = PyImport_ImportModule("corten._utils");
    PyObject *done =
        utils ? PyObject_CallMethod(utils, "_copy_slots", "OOO", self, copy, memo) : NULL;
    Py_XDECREF(utils);
    Py_XDECREF(done);
    return done != NULL;
}

static PyObject *deepcopy_tensor(PyObject *self, PyObject *memo)
{
    ct_tensor *t = py_tensor_of(self);
    if (!ct_is_leaf(t))
        return PyErr_Format(
            PyExc_RuntimeError,
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy "
            "protocol at the moment.  If you were attempting to deepcopy a module, this may be "
            "because of a torch.nn.utils.weight_norm usage, see "
            "https://github.com/pytorch/pytorch/pull/103001");
    if (!PyDict_Check(memo))
        return PyErr_Format(PyExc_TypeError, "memo must be a dict");
    PyObject *key = PyLong_FromVoidPtr(self);
    PyObject *known = key ? PyDict_GetItemWithError(memo, key) : NULL;
    if (known || !key || PyErr_Occurred()) {
        Py_XDECREF(key);
        return Py_XNewRef(known);
    }
    ct_tensor *view = copied_view(t, memo);
    PyObject *copy = view ? py_wrap_as(view, Py_TYPE(self)) : NULL;
    if (copy && ct_requires_grad(t) && !ct_set_requires_grad(py_tensor_of(copy), true)) {
        py_raise();
        Py_CLEAR(copy);
    }
    if (copy && (PyDict_SetItem(memo, key, copy) < 0 || !copy_rest(self, copy, memo)))
        Py_CLEAR(copy);
    Py_DECREF(key);
    return copy;
}

/* __setstate__. A dict holds attributes of a subclass. Tuples come from old files: 4 values are the
 * arguments of set_, 5 are a tensor and its requires_grad, 3 contain only requires_grad. Hooks are
 * dropped. */
static PyObject *take_state(PyObject *self, PyObject *state)
{
    if (PyDict_Check(state)) {
        PyObject *kept = PyObject_GetAttrString(self, "__dict__");
        if (kept && !PyDict_Check(kept)) /* a class may define __dict__ */
            return Py_DECREF(kept), PyErr_Format(PyExc_TypeError, "__dict__ must be a dict");
        bool good = kept && PyDict_Update(kept, state) == 0;
        Py_XDECREF(kept);
        return good ? Py_NewRef(Py_None) : NULL;
    }
    if (!ct_is_leaf(py_tensor_of(self)))
        return PyErr_Format(PyExc_RuntimeError, "__setstate__ can be only called on leaf Tensors");
    PyObject *parts = PySequence_Tuple(state), *done = NULL;
    Py_ssize_t n = parts ? PyTuple_GET_SIZE(parts) : -1;
    if (n == 4) {
        PyObject *set = PyObject_GetAttrString(self, "set_");
        done = set ? PyObject_CallObject(set, parts) : NULL;
        Py_XDECREF(set);
    } else if (n == 3 || n == 5) {
        bool good = n == 3 || PyObject_SetAttrString(self, "data", PyTuple_GET_ITEM(parts, 0)) == 0;
        PyObject *wants = PyTuple_GET_ITEM(parts, n == 3 ? 0 : 3);
        if (good && PyObject_SetAttrString(self, "requires_grad", wants) == 0)
            done = Py_NewRef(Py_None);
    } else if (n >= 0 && n < 3) {
        PyErr_Format(PyExc_ValueError, "not enough values to unpack (expected 3, got %zd)", n);
    } else if (n >= 0) {
        PyErr_Format(PyExc_ValueError, "too many values to unpack (expected 3)");
    }
    Py_XDECREF(parts);
    if (!done)
        return NULL;
    Py_DECREF(done);
    Py_RETURN_NONE;
}

/* storage._share_fd(): the file descriptor of its shared memory; _open_fd(fd, nbytes): a storage
 * over another process's. */
static PyObject *share_fd(PyObject *self, PyObject *unused)
{
    int fd = ct_storage_share_fd(((StorageObject *)self)->s);
    return fd < 0 ? py_raise() : PyLong_FromLong(fd);
}

static PyObject *open_fd(PyObject *module, PyObject *args)
{
    int fd;
    long long nbytes;
    if (!PyArg_ParseTuple(args, "iL", &fd, &nbytes))
        return NULL;
    ct_storage *s = ct_storage_open_fd(fd, nbytes);
    PyObject *object = s ? py_wrap_storage(s) : py_raise();
    ct_storage_release(s);
    return object;
}

static PyMethodDef tensor_methods[] = {
    {"__setstate__", take_state, METH_O, NULL},
    {"__reduce_ex__", reduce_tensor, METH_O, NULL},
    {"__deepcopy__", deepcopy_tensor, METH_O, NULL},
    {0},
};
static PyMethodDef storage_methods[] = {
    {"__reduce_ex__", reduce_storage, METH_O, NULL},
    {"_share_fd", share_fd, METH_NOARGS, NULL},
    {"__deepcopy__", deepcopy_storage, METH_O, NULL},
    {0},
};
static PyMethodDef functions[] = {
    {"_rebuild_tensor", rebuild_tensor, METH_VARARGS, NULL},
    {"_rebuild_storage", rebuild_storage, METH_VARARGS, NULL},
    {"_open_fd", open_fd, METH_VARARGS, NULL},
    {0},
};

bool py_init_pickle(PyObject *module)
{
    if (PyModule_AddFunctions(module, functions) < 0 ||
        !py_add_methods(&py_TensorBase, tensor_methods) ||
        !py_add_methods(&py_StorageBase, storage_methods))
        return false;
    rebuild_tensor_function = PyObject_GetAttrString(module, "_rebuild_tensor");
    rebuild_storage_function = PyObject_GetAttrString(module, "_rebuild_storage");
    return rebuild_tensor_function && rebuild_storage_function;
}
