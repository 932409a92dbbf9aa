/* SPDX-License-Identifier: BSD-3-Clause */
/* corten._C._Archive: reads a zip archive, from a file or any object with a buffer. Records are
 * returned as bytes or as storages, copied or mapped. Used by corten/serialization.py. */
#include "exchange/exchange.h"
#include "io/files.h"

#include <corten/archive.h>
#include <string.h>

typedef struct {
    PyObject_HEAD ct_archive *a;
    Py_ssize_t prefix; /* length of the common folder of all records, with the slash */
} ArchiveObject;

static void archive_dealloc(PyObject *o)
{
    ct_archive_release(((ArchiveObject *)o)->a);
    Py_TYPE(o)->tp_free(o);
}

static ct_archive *open_buffer(PyObject *source)
{
    Py_buffer *view = malloc(sizeof *view);
    if (!view)
        return (ct_archive *)PyErr_NoMemory();
    if (PyObject_GetBuffer(source, view, PyBUF_SIMPLE) < 0) {
        free(view);
        return NULL;
    }
    ct_archive *a = ct_archive_open_memory(view->buf, view->len, py_release_buffer, view);
    return a ? a : (ct_archive *)py_raise();
}

static PyObject *archive_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *source;
    int shared = 0;
    if (kwargs || !PyArg_ParseTuple(args, "O|p", &source, &shared))
        return kwargs ? PyErr_Format(PyExc_TypeError, "_Archive() takes no keyword arguments")
                      : NULL;
    ct_archive *a;
    if (PyUnicode_Check(source)) {
        const char *path = PyUnicode_AsUTF8(source);
        a = !path ? NULL : shared ? ct_archive_open_shared(path) : ct_archive_open(path);
        if (path && !a)
            return py_raise();
    } else {
        a = open_buffer(source);
    }
    ArchiveObject *self = a ? (ArchiveObject *)type->tp_alloc(type, 0) : NULL;
    if (!self) {
        ct_archive_release(a);
        return NULL;
    }
    self->a = a;
    const struct ct_record *first = ct_archive_record(a, 0);
    const char *slash = first ? strchr(first->name, '/') : NULL;
    self->prefix = slash ? slash + 1 - first->name : 0;
    return (PyObject *)self;
}

/* Finds a record by its name within the folder; NULL without an exception. */
static const struct ct_record *find_record(ArchiveObject *self, PyObject *name)
{
    const struct ct_record *first = ct_archive_record(self->a, 0);
    Py_ssize_t n;
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &n) : NULL;
    if (!text || !first)
        return NULL;
    char small[256], *full = small;
    if (self->prefix + n + 1 > (Py_ssize_t)sizeof small)
        full = malloc((size_t)(self->prefix + n + 1));
    if (!full)
        return NULL;
    memcpy(full, first->name, (size_t)self->prefix);
    memcpy(full + self->prefix, text, (size_t)n + 1);
    const struct ct_record *r = ct_archive_find(self->a, full);
    if (full != small)
        free(full);
    return r;
}

static const struct ct_record *require_record(ArchiveObject *self, PyObject *name)
{
    const struct ct_record *r = find_record(self, name);
    if (!r && !PyErr_Occurred())
        PyErr_Format(PyExc_RuntimeError,
                     "PytorchStreamReader failed locating file %S: file not found", name);
    return r;
}

static PyObject *archive_has(PyObject *self, PyObject *name)
{
    const struct ct_record *r = find_record((ArchiveObject *)self, name);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(r != NULL);
}

static PyObject *archive_read(PyObject *o, PyObject *name)
{
    ArchiveObject *self = (ArchiveObject *)o;
    const struct ct_record *r = require_record(self, name);
    PyObject *bytes = r ? PyBytes_FromStringAndSize(NULL, (Py_ssize_t)r->nbytes) : NULL;
    if (!bytes)
        return NULL;
    PyThreadState *state = PyEval_SaveThread();
    bool good = ct_archive_read(self->a, r, PyBytes_AS_STRING(bytes));
    PyEval_RestoreThread(state);
    if (good)
        return bytes;
    Py_DECREF(bytes);
    return py_raise();
}

/* storage(name, nbytes, map): returns a storage with the first nbytes bytes of the record. map:
 * does not copy, unless the record is compressed. */
static PyObject *archive_storage(PyObject *o, PyObject *args)
{
    ArchiveObject *self = (ArchiveObject *)o;
    PyObject *name;
    long long nbytes;
    int map;
    if (!PyArg_ParseTuple(args, "OLp", &name, &nbytes, &map))
        return NULL;
    const struct ct_record *r = require_record(self, name);
    if (!r)
        return NULL;
    if (nbytes < 0 || nbytes > r->nbytes)
        return PyErr_Format(PyExc_RuntimeError,
                            "PytorchStreamReader failed reading file %U: it has %lld bytes, not "
                            "%lld",
                            name, (long long)r->nbytes, nbytes);
    ct_storage *s;
    if (map && r->method == 0) {
        s = ct_archive_storage(self->a, r, nbytes);
    } else {
        s = ct_storage_create(r->nbytes, (struct ct_device){CT_CPU, -1});
        PyThreadState *state = PyEval_SaveThread();
        bool good = s && ct_archive_read(self->a, r, ct_storage_data(s));
        PyEval_RestoreThread(state);
        if (s && (!good || (nbytes < r->nbytes && !ct_storage_resize(s, nbytes)))) {
            ct_storage_release(s);
            s = NULL;
        }
    }
    PyObject *answer = s ? py_wrap_storage(s) : py_raise();
    ct_storage_release(s);
    return answer;
}

static PyObject *archive_offset(PyObject *self, PyObject *name)
{
    const struct ct_record *r = require_record((ArchiveObject *)self, name);
    return r ? PyLong_FromLongLong(r->offset) : NULL;
}

static PyObject *archive_names(PyObject *o, PyObject *unused)
{
    ArchiveObject *self = (ArchiveObject *)o;
    int64_t n = ct_archive_count(self->a);
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (int64_t i = 0; list && i < n; i++) {
        const char *name = ct_archive_record(self->a, i)->name;
        PyObject *text = PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "surrogateescape");
        if (!text)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, i, text);
    }
    return list;
}

static PyMethodDef archive_methods[] = {
    {"has", archive_has, METH_O, "Returns whether a record of this name exists."},
    {"read", archive_read, METH_O, "The bytes of a record."},
    {"storage", archive_storage, METH_VARARGS,
     "storage(name, nbytes, map): returns a record as a storage."},
    {"offset", archive_offset, METH_O, "Returns the offset of a record in the file."},
    {"names", archive_names, METH_NOARGS, "Returns all names, in the order of the file."},
    {0},
};

static PyTypeObject archive_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "corten._C._Archive",
    .tp_doc = "A zip archive to read from.",
    .tp_basicsize = sizeof(ArchiveObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = archive_new,
    .tp_dealloc = archive_dealloc,
    .tp_methods = archive_methods,
};

bool py_init_archive(PyObject *module)
{
    return PyType_Ready(&archive_type) == 0 &&
           PyModule_AddObjectRef(module, "_Archive", (PyObject *)&archive_type) == 0;
}
