/* SPDX-License-Identifier: BSD-3-Clause */
/* corten._C._unpickle: builds Python objects from the tree of a pickle, for
 * torch.load(weights_only=True). A callback resolves names: it returns an allowed object or raises.
 * Only the returned objects are called; nothing else in the file can run code. */
#include "exchange/exchange.h"
#include "io/files.h"

#include <string.h>

struct reading {
    PyObject *find, *load, *build; /* find(module, name), load(id), build(object, state) */
    const char *encoding;          /* for str of Python 2; "bytes" keeps bytes */
    PyObject *kept;                /* holds the objects that handles point to */
    PyObject *error;               /* pickle.UnpicklingError */
};

static PyObject *object_of(struct reading *r, struct ct_object *o);

/* Stores the object of a node as its handle, and holds it until the end. */
static bool keep_object(struct reading *r, struct ct_object *o, PyObject *made)
{
    o->handle = made;
    return PyList_Append(r->kept, made) == 0;
}

static PyObject *text_object(struct reading *r, const struct ct_object *o)
{
    Py_ssize_t n = (Py_ssize_t)o->as.text.n;
    switch (o->kind) {
    case CT_OBJECT_STR:
        return PyUnicode_DecodeUTF8(o->as.text.v, n, "surrogatepass");
    case CT_OBJECT_BYTEARRAY:
        return PyByteArray_FromStringAndSize(o->as.text.v, n);
    case CT_OBJECT_LONG:
        return _PyLong_FromByteArray((const unsigned char *)o->as.text.v, (size_t)n, 1, 1);
    case CT_OBJECT_OLD_STR:
        if (strcmp(r->encoding, "bytes") != 0)
            return PyUnicode_Decode(o->as.text.v, n, r->encoding, "strict");
        break;
    default:
        break;
    }
    return PyBytes_FromStringAndSize(o->as.text.v, n);
}

static PyObject *tuple_object(struct reading *r, struct ct_object *o)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)o->count);
    for (int64_t i = 0; tuple && i < o->count; i++) {
        PyObject *item = object_of(r, o->items[i]);
        if (!item) {
            Py_DECREF(tuple);
            return NULL;
        }
        PyTuple_SET_ITEM(tuple, i, item);
    }
    return tuple;
}

/* Sets items from o->items[first] on; of equal keys the last one wins. */
static bool set_items(struct reading *r, PyObject *dict, struct ct_object *o, int64_t first)
{
    for (int64_t i = first; i + 1 < o->count; i += 2) {
        PyObject *key = object_of(r, o->items[i]);
        PyObject *value = key ? object_of(r, o->items[i + 1]) : NULL;
        bool good = value && PyObject_SetItem(dict, key, value) == 0;
        Py_XDECREF(key);
        Py_XDECREF(value);
        if (!good)
            return false;
    }
    return true;
}

/* Registers the container before its items, which may refer to it. */
static PyObject *container_object(struct reading *r, struct ct_object *o)
{
    PyObject *made = o->kind == CT_OBJECT_LIST   ? PyList_New(0)
                     : o->kind == CT_OBJECT_DICT ? PyDict_New()
                                                 : PySet_New(NULL);
    bool good = made && keep_object(r, o, made);
    if (good && o->kind == CT_OBJECT_DICT)
        good = set_items(r, made, o, 0);
    for (int64_t i = 0; good && o->kind != CT_OBJECT_DICT && i < o->count; i++) {
        PyObject *item = object_of(r, o->items[i]);
        good = item &&
               (o->kind == CT_OBJECT_LIST ? PyList_Append(made, item) : PySet_Add(made, item)) == 0;
        Py_XDECREF(item);
    }
    if (!good)
        Py_CLEAR(made);
    return made;
}

static PyObject *frozenset_object(struct reading *r, struct ct_object *o)
{
    PyObject *tuple = tuple_object(r, o);
    PyObject *made = tuple ? PyFrozenSet_New(tuple) : NULL;
    Py_XDECREF(tuple);
    return made;
}

static PyObject *global_object(struct reading *r, const struct ct_object *o)
{
    const char *text = o->as.text.v, *name = memchr(text, '\n', (size_t)o->as.text.n);
    Py_ssize_t n = name - text;
    return PyObject_CallFunction(r->find, "s#s#", text, n, name + 1,
                                 (Py_ssize_t)(o->as.text.n - n - 1));
}

static PyObject *refuse_pickle(struct reading *r, const char *text, PyObject *what)
{
    PyErr_Format(r->error, text, what);
    return NULL;
}

/* class.__new__(class, *args, **keywords) */
static PyObject *make_new(PyObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *new = PyObject_GetAttrString(type, "__new__");
    PyObject *first = new ? PyTuple_Pack(1, type) : NULL;
    PyObject *all = first ? PySequence_Concat(first, args) : NULL;
    PyObject *made = all ? PyObject_Call(new, all, keywords) : NULL;
    Py_XDECREF(new);
    Py_XDECREF(first);
    Py_XDECREF(all);
    return made;
}

/* Whether a call would allocate a tensor or storage by size, such as Tensor(10 ** 12). A file must
 * not allocate more memory than it contains. */
static bool allocates_by_size(PyObject *function, PyObject *args)
{
    if (!PyType_Check(function))
        return false;
    PyTypeObject *type = (PyTypeObject *)function;
    bool holds = PyType_IsSubtype(type, &py_TensorBase) ||
                 PyType_IsSubtype(type, &py_StorageBase) ||
                 strcmp(type->tp_name, "TypedStorage") == 0;
    for (Py_ssize_t i = 0; holds && i < PyTuple_GET_SIZE(args); i++) {
        if (PyLong_Check(PyTuple_GET_ITEM(args, i)) || PyTuple_Check(PyTuple_GET_ITEM(args, i)))
            return true;
    }
    return false;
}

static PyObject *call_function(struct reading *r, struct ct_object *o)
{
    struct ct_object *f = o->as.call.function;
    PyObject *function = object_of(r, f);
    PyObject *args = function ? object_of(r, o->as.call.args) : NULL;
    PyObject *keywords = args && o->keywords ? object_of(r, o->keywords) : NULL;
    PyObject *made = NULL;
    if (!args || (o->keywords && !keywords)) {
        /* an exception is pending */
    } else if (f->kind != CT_OBJECT_GLOBAL) {
        refuse_pickle(r, "Trying to call reduce for unrecognized function %S", function);
    } else if (keywords && !PyDict_Check(keywords)) {
        refuse_pickle(r, "keywords must be a dict, not %S", (PyObject *)Py_TYPE(keywords));
    } else if (keywords && !PyArg_ValidateKeywordArguments(keywords)) {
        PyErr_Clear(); /* C code would use the keys as strings unchecked */
        refuse_pickle(r, "the keywords of %S must be strings", function);
    } else if (allocates_by_size(function, args)) {
        refuse_pickle(r, "a pickle may create %S only from its contents, not by size", function);
    } else if (o->kind == CT_OBJECT_REDUCE) {
        made = PyObject_CallObject(function, args);
    } else if (!PyType_Check(function)) {
        refuse_pickle(r,
                      "Can only create new object for nn.Parameter or classes allowlisted via "
                      "`add_safe_globals` but got %S",
                      function);
    } else {
        made = make_new(function, args, keywords);
    }
    Py_XDECREF(function);
    Py_XDECREF(args);
    Py_XDECREF(keywords);
    return made;
}

static bool is_dict(PyObject *o)
{
    const char *name = Py_TYPE(o)->tp_name;
    return PyDict_CheckExact(o) || PyODict_CheckExact(o) ||
           (PyDict_Check(o) && strcmp(name, "Counter") == 0);
}

static PyObject *call_object(struct reading *r, struct ct_object *o)
{
    PyObject *made = call_function(r, o), *state, *done;
    if (made && o->handle) /* the arguments refer to the object, so it was already built */
        return made;
    if (!made || !keep_object(r, o, made))
        goto failed;
    if (o->appended) {
        refuse_pickle(r, "Can only extend lists, but got %S", (PyObject *)Py_TYPE(made));
        goto failed;
    }
    if (o->count > o->appended && !is_dict(made)) {
        refuse_pickle(
            r,
            "Can only SETITEMS for dict, collections.OrderedDict, collections.Counter, but "
            "got %S",
            (PyObject *)Py_TYPE(made));
        goto failed;
    }
    if (!set_items(r, made, o, o->appended))
        goto failed;
    if (o->state) {
        state = object_of(r, o->state);
        done = state ? PyObject_CallFunctionObjArgs(r->build, made, state, NULL) : NULL;
        Py_XDECREF(state);
        if (!done)
            goto failed;
        Py_DECREF(done);
    }
    return made;
failed:
    Py_XDECREF(made);
    return NULL;
}

static PyObject *persistent_object(struct reading *r, struct ct_object *o)
{
    struct ct_object *id = o->as.call.function;
    PyObject *object = object_of(r, id), *made = NULL;
    if (object && !PyTuple_CheckExact(object) && !PyLong_CheckExact(object))
        refuse_pickle(r, "persistent_load id must be tuple or int, but got %S",
                      (PyObject *)Py_TYPE(object));
    else if (object)
        made = PyObject_CallOneArg(r->load, object);
    Py_XDECREF(object);
    return made;
}

static PyObject *make_object(struct reading *r, struct ct_object *o)
{
    switch (o->kind) {
    case CT_OBJECT_NONE:
        return Py_NewRef(Py_None);
    case CT_OBJECT_BOOL:
        return PyBool_FromLong(o->as.i != 0);
    case CT_OBJECT_INT:
        return PyLong_FromLongLong(o->as.i);
    case CT_OBJECT_FLOAT:
        return PyFloat_FromDouble(o->as.f);
    case CT_OBJECT_LONG:
    case CT_OBJECT_STR:
    case CT_OBJECT_BYTES:
    case CT_OBJECT_BYTEARRAY:
    case CT_OBJECT_OLD_STR:
        return text_object(r, o);
    case CT_OBJECT_TUPLE:
        return tuple_object(r, o);
    case CT_OBJECT_LIST:
    case CT_OBJECT_DICT:
    case CT_OBJECT_SET:
        return container_object(r, o);
    case CT_OBJECT_FROZENSET:
        return frozenset_object(r, o);
    case CT_OBJECT_GLOBAL:
        return global_object(r, o);
    case CT_OBJECT_REDUCE:
    case CT_OBJECT_NEW:
        return call_object(r, o);
    case CT_OBJECT_PERSISTENT:
        return persistent_object(r, o);
    }
    return PyErr_Format(r->error, "Unsupported operand");
}

/* Returns a new reference to the object of a node, built at the first use. */
static PyObject *object_of(struct reading *r, struct ct_object *o)
{
    if (o->handle)
        return Py_NewRef(o->handle);
    if (Py_EnterRecursiveCall(" while reading a pickle"))
        return NULL;
    PyObject *made = make_object(r, o);
    Py_LeaveRecursiveCall();
    if (made && o->handle && o->handle != made) { /* built by a reference to itself */
        Py_DECREF(made);
        return Py_NewRef(o->handle);
    }
    if (made && !o->handle && o->kind > CT_OBJECT_FLOAT && !keep_object(r, o, made))
        Py_CLEAR(made);
    return made;
}

/* Raises the library's error as an UnpicklingError; running out of memory keeps its own class. */
static PyObject *raise_as(PyObject *error)
{
    if (ct_error_kind() == CT_ERR_OUT_OF_MEMORY)
        return py_raise();
    PyErr_SetString(error, ct_error());
    ct_clear_error();
    return NULL;
}

/* _unpickle(data, find, load, build, encoding): (object, bytes read, protocol) */
static PyObject *unpickle(PyObject *module, PyObject *args)
{
    Py_buffer data;
    struct reading r = {0};
    if (!PyArg_ParseTuple(args, "y*OOOs", &data, &r.find, &r.load, &r.build, &r.encoding))
        return NULL;
    PyObject *pickle = PyImport_ImportModule("pickle"), *answer = NULL, *object = NULL;
    r.error = pickle ? PyObject_GetAttrString(pickle, "UnpicklingError") : NULL;
    r.kept = r.error ? PyList_New(0) : NULL;
    ct_pickle *p = r.kept ? ct_pickle_new() : NULL;
    int64_t used = 0;
    struct ct_object *root = p ? ct_unpickle(p, data.buf, data.len, &used) : NULL;
    if (root)
        object = object_of(&r, root);
    else if (r.kept)
        raise_as(r.error);
    if (object)
        answer = Py_BuildValue("NLi", object, (long long)used, ct_pickle_protocol(p));
    ct_pickle_free(p);
    Py_XDECREF(r.kept);
    Py_XDECREF(r.error);
    Py_XDECREF(pickle);
    PyBuffer_Release(&data);
    return answer;
}

/* Adds the global names in a tree to a set. Uses `handle` to mark visited nodes. */
static bool add_globals(struct ct_object *o, PyObject *set, int depth)
{
    if (o->handle || depth > 5000)
        return true;
    o->handle = o;
    if (o->kind == CT_OBJECT_GLOBAL) {
        PyObject *name = PyUnicode_DecodeUTF8(o->as.text.v, (Py_ssize_t)o->as.text.n, "replace");
        bool good = name && PySet_Add(set, name) == 0;
        Py_XDECREF(name);
        return good;
    }
    bool call =
        o->kind == CT_OBJECT_REDUCE || o->kind == CT_OBJECT_NEW || o->kind == CT_OBJECT_PERSISTENT;
    struct ct_object *const parts[] = {call ? o->as.call.function : NULL,
                                       call ? o->as.call.args : NULL, o->state, o->keywords};
    for (int i = 0; i < 4; i++) {
        if (parts[i] && !add_globals(parts[i], set, depth + 1))
            return false;
    }
    for (int64_t i = 0; i < o->count; i++) {
        if (!add_globals(o->items[i], set, depth + 1))
            return false;
    }
    return true;
}

/* _pickle_globals(data): the set of "module\nname" that a pickle refers to. */
static PyObject *pickle_globals(PyObject *module, PyObject *arg)
{
    Py_buffer data;
    if (PyObject_GetBuffer(arg, &data, PyBUF_SIMPLE) < 0)
        return NULL;
    PyObject *set = PySet_New(NULL);
    ct_pickle *p = set ? ct_pickle_new() : NULL;
    struct ct_object *root = p ? ct_unpickle(p, data.buf, data.len, NULL) : NULL;
    if (!root) {
        Py_CLEAR(set);
        if (!PyErr_Occurred())
            py_raise();
    } else if (!add_globals(root, set, 0)) {
        Py_CLEAR(set);
    }
    ct_pickle_free(p);
    PyBuffer_Release(&data);
    return set;
}

static PyMethodDef functions[] = {
    {"_unpickle", unpickle, METH_VARARGS, NULL},
    {"_pickle_globals", pickle_globals, METH_O, NULL},
    {0},
};

bool py_init_unpickle(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
