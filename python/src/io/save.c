/* SPDX-License-Identifier: BSD-3-Clause */
/* corten._C._save: writes any Python object to a .pt file. Builds the tree of objects that Python's
 * pickler would write (struct ct_object, corten/archive.h), with tensors, storages, dtypes, devices
 * and sizes represented as in PyTorch's files; the library then writes the tree. A Python callback
 * returns the names that PyTorch uses for classes and functions. */
#include "exchange/exchange.h"
#include "io/files.h"

#include <corten/autograd.h>
#include <string.h>

/* One call of _save. Functions below that return a tree node return NULL with an exception on
 * failure; nodes belong to p. */
struct saving {
    ct_saver *s;
    ct_pickle *p;
    PyObject *known;     /* memo: id of an object -> address of its node */
    PyObject *kept;      /* objects held until the end: ids and text must stay valid */
    PyObject *name;      /* name(object, qualname or None) -> "module\nname" */
    PyObject *parameter; /* torch.nn.Parameter or None */
    PyObject *table;     /* copyreg.dispatch_table */
    int protocol;
};

static struct ct_object *tree_of(struct saving *v, PyObject *o);

/* ---- sinks ---- */

static bool write_python(void *write, const void *data, int64_t nbytes)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *view =
        PyMemoryView_FromMemory((char *)(uintptr_t)data, (Py_ssize_t)nbytes, PyBUF_READ);
    PyObject *done = view ? PyObject_CallOneArg(write, view) : NULL;
    bool good = done != NULL;
    Py_XDECREF(done);
    Py_XDECREF(view);
    if (!good)
        ct_fail(CT_ERR_OS, "the file could not be written"); /* Python's exception is pending */
    PyGILState_Release(state);
    return good;
}

ct_sink *py_sink(PyObject *target)
{
    ct_sink *s;
    if (PyUnicode_Check(target)) {
        const char *path = PyUnicode_AsUTF8(target);
        if (!path)
            return NULL;
        s = ct_sink_file(path);
    } else {
        s = ct_sink_function(write_python, target);
    }
    return s ? s : (ct_sink *)py_raise();
}

bool py_sink_close(ct_sink *s, bool good)
{
    PyThreadState *state = PyEval_SaveThread();
    bool done = ct_sink_close(s, good);
    PyEval_RestoreThread(state);
    if (good && !done)
        py_raise();
    return good && done;
}

/* ---- the tree ---- */

/* Passes a node through; raises the library's error for NULL. */
static struct ct_object *checked(struct ct_object *o)
{
    if (!o && !PyErr_Occurred())
        py_raise();
    return o;
}

/* Enters an object and its node into the memo. Containers do so before their items, which may refer
 * to them. */
static bool memo_add(struct saving *v, PyObject *o, struct ct_object *tree)
{
    PyObject *key = PyLong_FromVoidPtr(o), *value = key ? PyLong_FromVoidPtr(tree) : NULL;
    bool good =
        value && PyDict_SetItem(v->known, key, value) == 0 && PyList_Append(v->kept, o) == 0;
    Py_XDECREF(key);
    Py_XDECREF(value);
    return good;
}

/* Looks up an object in the memo: NULL with or without an exception. */
static struct ct_object *memo_find(struct saving *v, PyObject *o)
{
    PyObject *key = PyLong_FromVoidPtr(o);
    PyObject *value = key ? PyDict_GetItemWithError(v->known, key) : NULL;
    Py_XDECREF(key);
    return value ? PyLong_AsVoidPtr(value) : NULL;
}

/* Appends the node of `item` to the node `tree`. */
static bool add_node(struct saving *v, struct ct_object *tree, PyObject *item)
{
    struct ct_object *o = tree_of(v, item);
    return o && (ct_object_add(v->p, tree, o) || py_raise());
}

static struct ct_object *int_node(struct saving *v, PyObject *o)
{
    int overflow;
    long long i = PyLong_AsLongLongAndOverflow(o, &overflow);
    if (!overflow)
        return i == -1 && PyErr_Occurred() ? NULL : checked(ct_object_int(v->p, i));
    size_t bits = _PyLong_NumBits(o), n = bits / 8 + 1;
    unsigned char *bytes = malloc(n);
    if (!bytes)
        return (struct ct_object *)PyErr_NoMemory();
    struct ct_object *tree = NULL;
#if PY_VERSION_HEX >= 0x030d0000
    bool good = _PyLong_AsByteArray((PyLongObject *)o, bytes, n, 1, 1, 1) == 0;
#else
    bool good = _PyLong_AsByteArray((PyLongObject *)o, bytes, n, 1, 1) == 0;
#endif
    /* the shortest two's complement form: -128 takes one byte */
    if (good && n > 1 && bytes[n - 1] == 0xff && bytes[n - 2] & 0x80)
        n--;
    if (good)
        tree = checked(ct_object_text(v->p, CT_OBJECT_LONG, (char *)bytes, (int64_t)n, true));
    free(bytes);
    return tree;
}

/* Strings with lone surrogates need a separate copy, encoded with "surrogatepass". */
static struct ct_object *str_node(struct saving *v, PyObject *o)
{
    Py_ssize_t n;
    const char *text = PyUnicode_AsUTF8AndSize(o, &n);
    if (text)
        return checked(ct_object_text(v->p, CT_OBJECT_STR, text, n, false));
    PyErr_Clear();
    PyObject *bytes = PyUnicode_AsEncodedString(o, "utf-8", "surrogatepass");
    struct ct_object *tree =
        bytes ? checked(ct_object_text(v->p, CT_OBJECT_STR, PyBytes_AS_STRING(bytes),
                                       PyBytes_GET_SIZE(bytes), true))
              : NULL;
    Py_XDECREF(bytes);
    return tree;
}

/* Makes a REDUCE node: function(*args), where `function` is "module\nname". */
static struct ct_object *call_node(struct saving *v, const char *function, struct ct_object *args)
{
    return args ? checked(
                      ct_object_call(v->p, CT_OBJECT_REDUCE, ct_saver_global(v->s, function), args))
                : NULL;
}

static struct ct_object *tuple_new(struct saving *v)
{
    return checked(ct_object_new(v->p, CT_OBJECT_TUPLE));
}

/* Before protocol 3, pickles have no bytes: like Python's pickler, writes _codecs.encode(text,
 * "latin1"). */
static struct ct_object *bytes_node(struct saving *v, PyObject *o)
{
    if (v->protocol >= 3)
        return checked(ct_object_text(v->p, CT_OBJECT_BYTES, PyBytes_AS_STRING(o),
                                      PyBytes_GET_SIZE(o), false));
    struct ct_object *args = tuple_new(v);
    if (!args || PyBytes_GET_SIZE(o) == 0)
        return call_node(v, "__builtin__\nbytes", args);
    PyObject *text = PyUnicode_DecodeLatin1(PyBytes_AS_STRING(o), PyBytes_GET_SIZE(o), NULL);
    bool good = text && add_node(v, args, text) &&
                (ct_object_add(v->p, args, ct_saver_str(v->s, "latin1")) || py_raise());
    good = good && PyList_Append(v->kept, text) == 0;
    Py_XDECREF(text);
    return good ? call_node(v, "_codecs\nencode", args) : NULL;
}

static struct ct_object *tuple_node(struct saving *v, PyObject *o)
{
    struct ct_object *tree = tuple_new(v);
    for (Py_ssize_t i = 0; tree && i < PyTuple_GET_SIZE(o); i++) {
        if (!add_node(v, tree, PyTuple_GET_ITEM(o, i)))
            return NULL;
    }
    return tree;
}

static struct ct_object *list_node(struct saving *v, PyObject *o)
{
    struct ct_object *tree = checked(ct_object_new(v->p, CT_OBJECT_LIST));
    if (!tree || !memo_add(v, o, tree))
        return NULL;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(o); i++) {
        if (!add_node(v, tree, PyList_GET_ITEM(o, i)))
            return NULL;
    }
    return tree;
}

static struct ct_object *dict_node(struct saving *v, PyObject *o)
{
    struct ct_object *tree = checked(ct_object_new(v->p, CT_OBJECT_DICT));
    PyObject *items = tree && memo_add(v, o, tree) ? PyDict_Items(o) : NULL;
    bool good = items != NULL;
    for (Py_ssize_t i = 0; good && i < PyList_GET_SIZE(items); i++) {
        PyObject *pair = PyList_GET_ITEM(items, i);
        good = add_node(v, tree, PyTuple_GET_ITEM(pair, 0)) &&
               add_node(v, tree, PyTuple_GET_ITEM(pair, 1));
    }
    Py_XDECREF(items);
    return good ? tree : NULL;
}

/* The node of a class or function; `given` is the qualified name that __reduce__ returned, or
 * None. */
static struct ct_object *global_node(struct saving *v, PyObject *o, PyObject *given)
{
    PyObject *name = PyObject_CallFunctionObjArgs(v->name, o, given, NULL);
    const char *text = name ? PyUnicode_AsUTF8(name) : NULL;
    struct ct_object *tree = text ? checked(ct_saver_global(v->s, text)) : NULL;
    Py_XDECREF(name);
    return tree;
}

/* ---- objects with a special form in PyTorch's files ---- */

static struct ct_object *bool_node(struct saving *v, bool on)
{
    struct ct_object *o = checked(ct_object_new(v->p, CT_OBJECT_BOOL));
    if (o)
        o->as.i = on;
    return o;
}

static struct ct_object *no_hooks(struct saving *v)
{
    return call_node(v, "collections\nOrderedDict", tuple_new(v));
}

/* function(*args) with n argument nodes, one of which may be NULL after a failure. */
static struct ct_object *rebuild_node(struct saving *v, const char *function,
                                      struct ct_object *const *args, int n)
{
    struct ct_object *tuple = tuple_new(v);
    for (int i = 0; tuple && i < n; i++) {
        if (!args[i] || !(ct_object_add(v->p, tuple, args[i]) || py_raise()))
            return NULL;
    }
    return call_node(v, function, tuple);
}

/* Plain tensors, parameters, and subclasses or tensors with attributes; the latter two wrap the
 * plain form. */
static struct ct_object *tensor_node(struct saving *v, PyObject *o)
{
    ct_tensor *t = py_tensor_of(o);
    PyObject *attributes = py_attributes(o);
    bool more = attributes && PyDict_GET_SIZE(attributes) > 0;
    bool plain = Py_IS_TYPE(o, py_Tensor);
    if (v->parameter != Py_None && Py_IS_TYPE(o, (PyTypeObject *)v->parameter)) {
        struct ct_object *const args[] = {checked(ct_saver_tensor(v->s, t, false)),
                                          bool_node(v, ct_requires_grad(t)), no_hooks(v),
                                          more ? tree_of(v, attributes) : NULL};
        return rebuild_node(v,
                            more ? "torch._utils\n_rebuild_parameter_with_state"
                                 : "torch._utils\n_rebuild_parameter",
                            args, more ? 4 : 3);
    }
    struct ct_object *tree = checked(ct_saver_tensor(v->s, t, ct_requires_grad(t)));
    if (!tree || (plain && !more))
        return tree;
    PyObject *kept = py_state_of(o);
    bool held = kept && PyList_Append(v->kept, kept) == 0; /* the tree refers to its items */
    Py_XDECREF(kept);
    struct ct_object *state = held ? tree_of(v, kept) : NULL;
    struct ct_object *const args[] = {tree->as.call.function,
                                      global_node(v, (PyObject *)Py_TYPE(o), Py_None),
                                      tree->as.call.args, state};
    return rebuild_node(v, "torch._tensor\n_rebuild_from_type_v2", args, 4);
}

static struct ct_object *device_node(struct saving *v, PyObject *o)
{
    struct ct_device device;
    if (!py_device_of(o, &device))
        return NULL;
    static const char *const kind[] = {"cpu", "cpu", "cuda", "xla", "meta", "cpu"};
    struct ct_object *args = tuple_new(v);
    PyObject *type = PyUnicode_FromString(kind[device.type]);
    bool good = args && type && add_node(v, args, type) && PyList_Append(v->kept, type) == 0;
    Py_XDECREF(type);
    if (good && device.index >= 0)
        good = ct_object_add(v->p, args, ct_object_int(v->p, device.index)) || py_raise();
    return good ? call_node(v, "torch\ndevice", args) : NULL;
}

static struct ct_object *size_node(struct saving *v, PyObject *o)
{
    struct ct_object *args = tuple_new(v), *inner = args ? tuple_node(v, o) : NULL;
    return inner && (ct_object_add(v->p, args, inner) || py_raise())
               ? call_node(v, "torch\nSize", args)
               : NULL;
}

static struct ct_object *dtype_node(struct saving *v, PyObject *o)
{
    char name[48];
    snprintf(name, sizeof name, "torch\n%s", ct_dtype_str(py_dtype_of(o)) + 6);
    return checked(ct_saver_global(v->s, name));
}

/* ---- other objects: __reduce_ex__ ---- */

/* Appends the items of an iterator: single objects, or pairs of key and value. */
static bool add_items(struct saving *v, struct ct_object *tree, PyObject *items, bool pairs)
{
    PyObject *item;
    while ((item = PyIter_Next(items)) != NULL) {
        bool good;
        if (pairs) {
            good = PyTuple_Check(item) && PyTuple_GET_SIZE(item) == 2 &&
                   add_node(v, tree, PyTuple_GET_ITEM(item, 0)) &&
                   add_node(v, tree, PyTuple_GET_ITEM(item, 1));
            if (!good && !PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "dict items iterator must return 2-tuples");
        } else {
            good = add_node(v, tree, item);
        }
        good = good && PyList_Append(v->kept, item) == 0;
        Py_DECREF(item);
        if (!good)
            return false;
    }
    return !PyErr_Occurred();
}

/* Whether the function has this name. copyreg.__newobj__(class, *args) has its own opcode
 * (NEWOBJ). */
static bool is_named(PyObject *function, const char *name)
{
    PyObject *text = PyObject_GetAttrString(function, "__name__");
    bool same = text && PyUnicode_Check(text) && PyUnicode_CompareWithASCIIString(text, name) == 0;
    PyErr_Clear();
    Py_XDECREF(text);
    return same;
}

/* The first two parts of a __reduce__ tuple: a call, or class.__new__(*args). */
static struct ct_object *head_of(struct saving *v, PyObject *function, PyObject *args)
{
    bool new = is_named(function, "__newobj__") && PyTuple_GET_SIZE(args) > 0;
    PyObject *rest = new ? PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args)) : Py_NewRef(args);
    struct ct_object *f = rest ? tree_of(v, new ? PyTuple_GET_ITEM(args, 0) : function) : NULL;
    struct ct_object *a = f && PyList_Append(v->kept, rest) == 0 ? tree_of(v, rest) : NULL;
    Py_XDECREF(rest);
    return a ? checked(ct_object_call(v->p, new ? CT_OBJECT_NEW : CT_OBJECT_REDUCE, f, a)) : NULL;
}

/* The node for the result of __reduce__: a global name, or (function, args, state, list items, dict
 * items). */
static struct ct_object *reduce_node(struct saving *v, PyObject *o, PyObject *parts)
{
    if (PyUnicode_Check(parts))
        return global_node(v, o, parts);
    if (!PyTuple_Check(parts) || PyTuple_GET_SIZE(parts) < 2 || PyTuple_GET_SIZE(parts) > 6 ||
        !PyTuple_Check(PyTuple_GET_ITEM(parts, 1))) {
        PyErr_Format(PyExc_TypeError, "__reduce__ of %s must return a string or tuple",
                     py_typename(o));
        return NULL;
    }
    PyObject *part[5];
    for (Py_ssize_t i = 0; i < 5; i++) {
        part[i] = i < PyTuple_GET_SIZE(parts) ? PyTuple_GET_ITEM(parts, i) : Py_None;
        part[i] = part[i] == Py_None ? NULL : part[i];
    }
    struct ct_object *tree = head_of(v, part[0], part[1]);
    if (!tree || !memo_add(v, o, tree) || (part[3] && !add_items(v, tree, part[3], false)))
        return NULL;
    tree->appended = tree->count;
    if (part[4] && !add_items(v, tree, part[4], true))
        return NULL;
    if (part[2] && !(tree->state = tree_of(v, part[2])))
        return NULL;
    return tree;
}

/* Reduces an object by copyreg.dispatch_table or __reduce_ex__. */
static struct ct_object *object_node(struct saving *v, PyObject *o)
{
    PyObject *own = PyDict_GetItemWithError(v->table, (PyObject *)Py_TYPE(o)), *parts;
    Py_XINCREF(own); /* the call may change the table */
    if (own)
        parts = PyObject_CallOneArg(own, o);
    else
        parts = PyObject_CallMethod(o, "__reduce_ex__", "i", v->protocol);
    struct ct_object *tree =
        parts && PyList_Append(v->kept, parts) == 0 ? reduce_node(v, o, parts) : NULL;
    Py_XDECREF(own);
    Py_XDECREF(parts);
    return tree;
}

/* Whether a tensor subclass defines its own pickling. */
static bool has_own_reduce(struct saving *v, PyObject *o)
{
    PyTypeObject *type = Py_TYPE(o);
    if (type == py_Tensor || (PyObject *)type == v->parameter)
        return false;
    if (PyDict_Contains(v->table, (PyObject *)type) == 1)
        return true;
    PyObject *own = PyObject_GetAttrString((PyObject *)type, "__reduce_ex__");
    PyObject *base = PyObject_GetAttrString((PyObject *)py_Tensor, "__reduce_ex__");
    bool differs = own && base && own != base;
    Py_XDECREF(own);
    Py_XDECREF(base);
    PyErr_Clear();
    return differs;
}

static struct ct_object *new_tree(struct saving *v, PyObject *o)
{
    enum ct_dtype dtype;
    ct_storage *s;
    if (PyUnicode_CheckExact(o))
        return str_node(v, o);
    if (py_is_tensor(o) && !ct_is_sparse(py_tensor_of(o)) && !has_own_reduce(v, o))
        return tensor_node(v, o);
    if (PyTuple_CheckExact(o))
        return tuple_node(v, o);
    if (PyDict_CheckExact(o))
        return dict_node(v, o);
    if (PyList_CheckExact(o))
        return list_node(v, o);
    if (PyBytes_CheckExact(o))
        return bytes_node(v, o);
    if (Py_IS_TYPE(o, &py_Size))
        return size_node(v, o);
    if (Py_IS_TYPE(o, &py_DType))
        return dtype_node(v, o);
    if (Py_IS_TYPE(o, &py_Device))
        return device_node(v, o);
    if (PyType_Check(o) || PyFunction_Check(o))
        return global_node(v, o, Py_None);
    if ((s = py_storage_of(o, &dtype)) != NULL) {
        struct ct_object *tree = checked(ct_saver_storage(v->s, s, dtype));
        ct_storage_release(s);
        return tree;
    }
    return object_node(v, o);
}

/* The node of an object that is not in the memo. Holds a reference to o, because code in
 * __reduce_ex__ may remove it from its container. */
static struct ct_object *make_tree(struct saving *v, PyObject *o)
{
    if (Py_EnterRecursiveCall(" while pickling an object"))
        return NULL;
    Py_INCREF(o);
    struct ct_object *tree = new_tree(v, o), *known = tree ? memo_find(v, o) : NULL;
    if (tree && !known && tree->kind != CT_OBJECT_PERSISTENT && !memo_add(v, o, tree))
        tree = NULL;
    Py_DECREF(o);
    Py_LeaveRecursiveCall();
    return known ? known : tree;
}

static struct ct_object *tree_of(struct saving *v, PyObject *o)
{
    if (o == Py_None)
        return checked(ct_object_new(v->p, CT_OBJECT_NONE));
    if (PyBool_Check(o))
        return bool_node(v, o == Py_True);
    if (PyLong_CheckExact(o))
        return int_node(v, o);
    if (PyFloat_CheckExact(o)) {
        struct ct_object *tree = checked(ct_object_new(v->p, CT_OBJECT_FLOAT));
        if (tree)
            tree->as.f = PyFloat_AS_DOUBLE(o);
        return tree;
    }
    struct ct_object *known = memo_find(v, o);
    return known || PyErr_Occurred() ? known : make_tree(v, o);
}

/* _save(object, target, name, parameter, prefix, protocol, legacy, checksums, align). `name` and
 * `parameter` are those of struct saving, the others those of struct ct_save_options. */
static PyObject *save(PyObject *module, PyObject *args)
{
    PyObject *object, *target;
    struct saving v = {0};
    struct ct_save_options options = {0};
    int legacy, checksums;
    long long align;
    if (!PyArg_ParseTuple(args, "OOOOsippL", &object, &target, &v.name, &v.parameter,
                          &options.prefix, &options.protocol, &legacy, &checksums, &align))
        return NULL;
    options.legacy = legacy;
    options.checksums = checksums;
    options.align = align;
    v.protocol = options.protocol;
    PyObject *copyreg = PyImport_ImportModule("copyreg");
    v.table = copyreg ? PyObject_GetAttrString(copyreg, "dispatch_table") : NULL;
    v.known = v.table ? PyDict_New() : NULL;
    v.kept = v.known ? PyList_New(0) : NULL;
    v.s = v.kept ? ct_saver_new() : NULL;
    v.p = v.s ? ct_saver_pickle(v.s) : NULL;
    struct ct_object *root = v.p ? tree_of(&v, object) : NULL;
    ct_sink *sink = root ? py_sink(target) : NULL;
    bool good = sink != NULL;
    if (good) {
        PyThreadState *state = PyEval_SaveThread();
        good = ct_saver_write(v.s, root, sink, &options);
        PyEval_RestoreThread(state);
        if (!good)
            py_raise();
        good = py_sink_close(sink, good);
    } else if (!PyErr_Occurred()) {
        py_raise();
    }
    ct_saver_free(v.s);
    Py_XDECREF(v.kept);
    Py_XDECREF(v.known);
    Py_XDECREF(v.table);
    Py_XDECREF(copyreg);
    return good ? Py_NewRef(Py_None) : NULL;
}

/* Adds the storages of a list to the saver, in order. */
static bool add_storages(ct_saver *s, PyObject *list)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++) {
        enum ct_dtype dtype;
        ct_storage *storage = py_storage_of(PyList_GET_ITEM(list, i), &dtype);
        if (!storage)
            return PyErr_Format(PyExc_TypeError, "expected a list of storages");
        bool good = ct_saver_storage(s, storage, dtype) != NULL;
        ct_storage_release(storage);
        if (!good)
            return py_raise();
    }
    return true;
}

/* _save_pickled(pickle, storages, target, prefix, protocol, legacy, checksums, align): writes a
 * pickle that Python made. It refers to `storages` by index. */
static PyObject *save_pickled(PyObject *module, PyObject *args)
{
    PyObject *pickle, *storages, *target;
    struct ct_save_options options = {0};
    int legacy, checksums;
    long long align;
    if (!PyArg_ParseTuple(args, "SO!OsippL", &pickle, &PyList_Type, &storages, &target,
                          &options.prefix, &options.protocol, &legacy, &checksums, &align))
        return NULL;
    options.legacy = legacy;
    options.checksums = checksums;
    options.align = align;
    ct_saver *s = ct_saver_new();
    if (!s)
        return py_raise();
    ct_sink *sink = add_storages(s, storages) ? py_sink(target) : NULL;
    bool good = sink != NULL;
    if (good) {
        PyThreadState *state = PyEval_SaveThread();
        good = ct_saver_write_pickle(s, PyBytes_AS_STRING(pickle), PyBytes_GET_SIZE(pickle), sink,
                                     &options);
        PyEval_RestoreThread(state);
        if (!good)
            py_raise();
        good = py_sink_close(sink, good);
    }
    ct_saver_free(s);
    return good ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef functions[] = {
    {"_save", save, METH_VARARGS, NULL},
    {"_save_pickled", save_pickled, METH_VARARGS, NULL},
    {0},
};

bool py_init_save(PyObject *module)
{
    return PyModule_AddFunctions(module, functions) == 0;
}
