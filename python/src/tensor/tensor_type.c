/* SPDX-License-Identifier: BSD-3-Clause */
/* The Tensor type: creation, lookup, resurrection and deallocation of its objects. A tensor has at
 * most one object (its handle), see Note [Who owns whom] in binding.h. Plain tensors come from a
 * free list. The garbage collector tracks them only once they have attributes, because without
 * attributes they cannot be part of a cycle. */
#include "autograd/nodes.h"
#include "exchange/exchange.h"
#include "parse/parse.h"

#define FREE_MAX 64

PyTypeObject *py_Tensor;
static TensorObject *free_list[FREE_MAX];
static int free_count;

/* The dict of plain tensors without attributes. Python 3.11 takes its fast path for method calls
 * only for objects with a dict; later versions take it only without one, so it is NULL there. This
 * empty dict is shared and never modified: setting an attribute first replaces it. */
static PyObject *no_attributes;

static inline bool has_attributes(const TensorObject *self)
{
    return self->dict != no_attributes && self->dict;
}

PyObject *py_attributes(PyObject *o)
{
    return has_attributes((TensorObject *)o) ? ((TensorObject *)o)->dict : NULL;
}

/* ---- making objects ---- */

static TensorObject *new_plain(void)
{
    if (free_count > 0) {
        TensorObject *self = free_list[--free_count];
        PyObject_Init((PyObject *)self, py_Tensor);
        return self;
    }
    TensorObject *self = PyObject_GC_New(TensorObject, py_Tensor);
    if (self) {
        self->dict = no_attributes;
        self->weakrefs = NULL;
    }
    return self;
}

PyObject *py_wrap_as(ct_tensor *owned, PyTypeObject *type)
{
    if (!owned)
        return py_raise();
    TensorObject *self = ct_handle(owned);
    if (!self) {
        if (type == py_Tensor)
            self = new_plain();
        else
            self = py_check_class(type) ? (TensorObject *)type->tp_alloc(type, 0) : NULL;
        if (!self) {
            ct_release(owned);
            return NULL;
        }
        self->t = owned;
        self->kept_by_c = false;
        ct_set_handle(owned, self);
        return (PyObject *)self;
    }
    if (self->kept_by_c) { /* the caller takes over the tensor's reference to the object */
        self->kept_by_c = false;
        py_clear_finalised((PyObject *)self);
        return (PyObject *)self;
    }
    ct_release(owned);
    return Py_NewRef(self);
}

PyObject *py_wrap(ct_tensor *owned)
{
    return py_wrap_as(owned, py_Tensor);
}

PyObject *py_wrap_borrowed(ct_tensor *borrowed)
{
    if (!borrowed)
        Py_RETURN_NONE;
    return py_wrap(ct_retain(borrowed));
}

/* Python holds both objects, so neither is kept by its tensor: only the pointers change. */
void py_swap_tensors(PyObject *a, PyObject *b)
{
    TensorObject *x = (TensorObject *)a, *y = (TensorObject *)b;
    ct_tensor *t = x->t;
    x->t = y->t;
    y->t = t;
    ct_set_handle(x->t, x);
    ct_set_handle(y->t, y);
}

PyObject *py_self(PyObject *self, const ct_tensor *result)
{
    return result ? Py_NewRef(self) : py_raise();
}

ct_tensor *py_alias(ct_tensor *t)
{
    return ct_own_getitem(t, &(ct_index){.kind = CT_INDEX_ELLIPSIS}, 1);
}

PyObject *py_wrap_list(ct_list owned)
{
    if (!owned.v)
        return py_raise();
    PyObject *tuple = PyTuple_New((Py_ssize_t)owned.n);
    for (int64_t i = 0; tuple && i < owned.n; i++) {
        PyObject *item = py_wrap(ct_retain(owned.v[i]));
        if (!item)
            Py_CLEAR(tuple);
        else
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, item);
    }
    ct_list_release(owned);
    return tuple;
}

/* ---- deallocation ---- */

/* Called by the library, on any thread, when C drops its last reference to a tensor with a handle.
 * True: the object has taken over the tensor and the reference that was about to be dropped.
 *
 * While Python is finalizing, a thread may be unable to take the GIL. Then the object and the
 * tensor stay alive until the process ends, since no object may point to a freed tensor. */
static bool handle_take_over(ct_tensor *t)
{
    PyGILState_STATE lock;
    if (!py_lock(&lock))
        return py_is_ending();
    TensorObject *self = ct_handle(t);
    bool kept = self && self->kept_by_c;
    if (kept) {
        self->kept_by_c = false;
        py_clear_finalised((PyObject *)self);
        Py_DECREF(self);
    }
    PyGILState_Release(lock);
    return kept;
}

static void tensor_finalize(PyObject *o)
{
    TensorObject *self = (TensorObject *)o;
    if (!self->t || self->kept_by_c || ct_reference_count(self->t) < 2)
        return;
    self->kept_by_c = true;
    Py_INCREF(self); /* the tensor owns it now */
    ct_release(self->t);
    if (has_attributes(self))
        py_track_held(self->dict);
}

static int tensor_clear(PyObject *o)
{
    if (has_attributes((TensorObject *)o))
        Py_CLEAR(((TensorObject *)o)->dict);
    ct_tensor *t = py_tensor_of(o);
    if (t && ct_reference_count(t) == 1)
        ct_drop_hooks(t);
    return 0;
}

static int tensor_traverse(PyObject *o, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(o));
    Py_VISIT(py_attributes(o));
    ct_tensor *t = py_tensor_of(o);
    return t ? py_traverse_tensor(t, visit, arg) : 0;
}

static void tensor_dealloc(PyObject *o)
{
    TensorObject *self = (TensorObject *)o;
    PyTypeObject *type = Py_TYPE(o);
    if (type == py_Tensor && (has_attributes(self) || self->weakrefs)) {
        if (!PyObject_GC_IsTracked(o))
            PyObject_GC_Track(o);
        if (PyObject_CallFinalizerFromDealloc(o) < 0)
            return;
    }
    if (PyObject_GC_IsTracked(o))
        PyObject_GC_UnTrack(o);
    if (self->weakrefs)
        PyObject_ClearWeakRefs(o);
    if (has_attributes(self))
        Py_DECREF(self->dict);
    self->dict = no_attributes;
    if (self->t) {
        ct_set_handle(self->t, NULL);
        ct_release(self->t);
        self->t = NULL;
    }
    if (type == py_Tensor && free_count < FREE_MAX) {
        py_clear_finalised((PyObject *)self);
        free_list[free_count++] = self;
    } else {
        type->tp_free(o);
    }
    Py_DECREF(type);
}

/* ---- attributes ---- */

/* Call begin_attributes and end_attributes around everything that may create a dict: the shared
 * empty dict must not be modified. */
static void begin_attributes(TensorObject *self)
{
    if (!has_attributes(self))
        self->dict = NULL;
}

static void end_attributes(TensorObject *self)
{
    if (!self->dict)
        self->dict = Py_IS_TYPE(self, py_Tensor) ? no_attributes : NULL;
    else
        py_track((PyObject *)self);
}

static int tensor_setattro(PyObject *o, PyObject *name, PyObject *value)
{
    begin_attributes((TensorObject *)o);
    int rc = PyObject_GenericSetAttr(o, name, value);
    end_attributes((TensorObject *)o);
    return rc;
}

static PyObject *get_dict(PyObject *o, void *unused)
{
    begin_attributes((TensorObject *)o);
    PyObject *dict = PyObject_GenericGetDict(o, NULL);
    end_attributes((TensorObject *)o);
    return dict;
}

static int set_dict(PyObject *o, PyObject *value, void *unused)
{
    begin_attributes((TensorObject *)o);
    int rc = PyObject_GenericSetDict(o, value, NULL);
    end_attributes((TensorObject *)o);
    return rc;
}

static PyGetSetDef dict_getset[] = {{"__dict__", get_dict, set_dict, NULL, NULL}, {0}};

static PyObject *tensor_repr(PyObject *o)
{
    /* a subclass prints its own name */
    char *text = ct_own_repr_as(py_tensor_of(o), py_is_plain(o) ? NULL : py_typename(o));
    if (!text)
        return py_raise();
    PyObject *result = PyUnicode_FromString(text);
    free(text);
    return result;
}

/* ---- the types ---- */

static PySequenceMethods as_sequence = {
    .sq_length = py_tensor_length,
    .sq_item = py_tensor_sq_item,
    .sq_contains = py_tensor_contains,
};

static PyMappingMethods as_mapping = {
    .mp_length = py_tensor_length,
    .mp_subscript = py_tensor_getitem,
    .mp_ass_subscript = py_tensor_setitem,
};

PyTypeObject py_TensorBase = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C.TensorBase",
    .tp_doc = "The base class of Tensor, which has its methods.",
    .tp_basicsize = sizeof(TensorObject),
    .tp_dealloc = tensor_dealloc,
    .tp_repr = tensor_repr,
    .tp_as_number = &py_tensor_as_number,
    .tp_as_sequence = &as_sequence,
    .tp_as_mapping = &as_mapping,
    .tp_as_buffer = &py_tensor_as_buffer,
    .tp_setattro = tensor_setattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = tensor_traverse,
    .tp_clear = tensor_clear,
    .tp_richcompare = py_tensor_richcompare,
    .tp_weaklistoffset = offsetof(TensorObject, weakrefs),
    .tp_dictoffset = offsetof(TensorObject, dict),
    .tp_iter = py_tensor_iter,
    .tp_new = py_tensor_new,
    .tp_finalize = tensor_finalize,
};

bool py_add_methods(PyTypeObject *type, PyMethodDef *methods)
{
    for (PyMethodDef *m = methods; m->ml_name; m++) {
        PyObject *d = m->ml_flags & METH_STATIC  ? PyCFunction_New(m, NULL)
                      : m->ml_flags & METH_CLASS ? PyDescr_NewClassMethod(type, m)
                                                 : PyDescr_NewMethod(type, m);
        if (d && m->ml_flags & METH_STATIC)
            Py_SETREF(d, PyStaticMethod_New(d));
        if (!d)
            return false;
        int rc = PyDict_SetItemString(type->tp_dict, m->ml_name, d);
        Py_DECREF(d);
        if (rc < 0)
            return false;
    }
    PyType_Modified(type);
    return true;
}

bool py_add_getset(PyTypeObject *type, PyGetSetDef *getset)
{
    for (PyGetSetDef *g = getset; g->name; g++) {
        PyObject *d = PyDescr_NewGetSet(type, g);
        int rc = d ? PyDict_SetItemString(type->tp_dict, g->name, d) : -1;
        Py_XDECREF(d);
        if (rc < 0)
            return false;
    }
    PyType_Modified(type);
    return true;
}

/* ---- fast method calls ---- */

/* Python's fast path for method calls needs a descriptor that belongs to the object's own class. So
 * Tensor gets copies of the method descriptors of TensorBase. Programs cannot see the difference:
 * error messages give the same name, and Tensor.add is TensorBase.add, as in PyTorch. */
bool py_copy_method_descriptors(PyObject *module)
{
    PyObject *name, *d;
    Py_ssize_t at = 0;
    while (PyDict_Next(py_TensorBase.tp_dict, &at, &name, &d)) {
        if (!Py_IS_TYPE(d, &PyMethodDescr_Type))
            continue;
        PyObject *own = PyDescr_NewMethod(py_Tensor, ((PyMethodDescrObject *)d)->d_method);
        PyObject *qualname = PyUnicode_FromFormat("TensorBase.%U", name);
        if (own)
            ((PyDescrObject *)own)->d_qualname = qualname;
        int rc = own && qualname ? PyDict_SetItem(py_Tensor->tp_dict, name, own) : -1;
        Py_XDECREF(own);
        if (rc < 0)
            return false;
    }
    PyType_Modified(py_Tensor);
    return true;
}

static PyObject *class_getattro(PyObject *type, PyObject *name)
{
    PyObject *found = PyType_Type.tp_getattro(type, name);
    if (!found || !Py_IS_TYPE(found, &PyMethodDescr_Type) ||
        ((PyDescrObject *)found)->d_type != py_Tensor)
        return found;
    PyObject *base = PyDict_GetItemWithError(py_TensorBase.tp_dict, name);
    if (base)
        Py_SETREF(found, Py_NewRef(base));
    return found;
}

/* When a class defines __iadd__, Python also fills sq_inplace_concat and returns its result
 * unchanged, even NotImplemented. Tensors are not lists, so the slot is cleared in the class and
 * its subclasses. */
static bool forbid_concatenation(PyTypeObject *type)
{
    if (type->tp_as_sequence)
        type->tp_as_sequence->sq_inplace_concat = NULL;
    PyObject *below = PyObject_CallMethod((PyObject *)type, "__subclasses__", NULL);
    bool good = below != NULL;
    for (Py_ssize_t i = 0; good && i < PyList_GET_SIZE(below); i++)
        good = forbid_concatenation((PyTypeObject *)PyList_GET_ITEM(below, i));
    Py_XDECREF(below);
    return good;
}

static int class_setattro(PyObject *type, PyObject *name, PyObject *value)
{
    if (PyType_Type.tp_setattro(type, name, value) < 0)
        return -1;
    bool adds = PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "__iadd__") == 0;
    return !adds || forbid_concatenation((PyTypeObject *)type) ? 0 : -1;
}

/* Creates a subclass of Tensor. A class that derives from TensorBase alone is refused, because its
 * objects would release their class twice. */
static PyObject *class_new(PyTypeObject *meta, PyObject *args, PyObject *kwargs)
{
    PyObject *made = PyType_Type.tp_new(meta, args, kwargs);
    if (made && py_Tensor && !PyType_IsSubtype((PyTypeObject *)made, py_Tensor)) {
        Py_DECREF(made);
        return PyErr_Format(PyExc_RuntimeError, "Cannot subclass _TensorBase directly");
    }
    bool good = made && (!py_Tensor || py_install_descriptors((PyTypeObject *)made)) &&
                forbid_concatenation((PyTypeObject *)made);
    if (!good)
        Py_CLEAR(made);
    return made;
}

/* The metaclass. */
static PyTypeObject tensor_meta = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C._TensorMeta",
    .tp_base = &PyType_Type,
    .tp_getattro = class_getattro,
    .tp_setattro = class_setattro,
    .tp_new = class_new,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
};

/* hash(x) == id(x), as in PyTorch. */
static Py_hash_t tensor_hash(PyObject *self)
{
    return (Py_hash_t)(intptr_t)self;
}

bool py_init_tensor(PyObject *module)
{
#if PY_VERSION_HEX < 0x030C0000
    no_attributes = PyDict_New();
    if (!no_attributes)
        return false;
#endif
    py_TensorBase.tp_getset = py_tensor_getset;
    py_TensorBase.tp_hash = tensor_hash; /* by identity, although == compares elements */
    if (PyType_Ready(&tensor_meta) < 0 || PyType_Ready(&py_TensorBase) < 0)
        return false;
    /* Python looks up __dict__ here if a class has another base before Tensor. */
    if (!py_add_getset(&py_TensorBase, dict_getset))
        return false;
    static char doc[] =
        "An n-dimensional array of elements of one data type, with automatic differentiation.\n\n"
        "Make tensors with `torch.tensor(data)`, `torch.zeros(2, 3)`, `torch.arange(5)` and other "
        "functions. A\n"
        "tensor is a view of a storage: several tensors may share memory. Operations are functions "
        "and methods:\n"
        "`torch.sum(x, 0)` is `x.sum(0)`; a name that ends in `_` changes the tensor in place.\n\n"
        "If `requires_grad` is set, operations are recorded; `backward()` then adds the gradients "
        "of a result to\n"
        "the `grad` of the tensors that it was computed from.\n\n"
        "Example:\n"
        "    >>> x = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)\n"
        "    >>> x.shape, x.dtype\n"
        "    (torch.Size([2, 2]), torch.float32)\n"
        "    >>> (x * x).sum().backward()\n"
        "    >>> x.grad\n"
        "    tensor([[2., 4.],\n"
        "            [6., 8.]])";
    PyType_Slot slots[] = {{Py_tp_doc, doc},
                           {Py_tp_getset, dict_getset},
                           {Py_tp_dealloc, tensor_dealloc},
                           {Py_tp_traverse, tensor_traverse},
                           {Py_tp_clear, tensor_clear},
                           {0, NULL}};
    PyType_Spec spec = {
        .name = "torch.Tensor",
        .basicsize = sizeof(TensorObject),
        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
        .slots = slots,
    };
    PyObject *bases = PyTuple_Pack(1, &py_TensorBase);
    if (!bases)
        return false;
    py_Tensor = (PyTypeObject *)PyType_FromSpecWithBases(&spec, bases);
    Py_DECREF(bases);
    if (!py_Tensor)
        return false;
    Py_SET_TYPE(&py_TensorBase, &tensor_meta);
    Py_SET_TYPE(py_Tensor, &tensor_meta);
    py_Tensor->tp_name = "Tensor"; /* for Python's error messages: 'Tensor' and 'str' */
    ct_set_handle_hook(handle_take_over);
    return PyModule_AddObjectRef(module, "_TensorMeta", (PyObject *)&tensor_meta) == 0 &&
           PyModule_AddObjectRef(module, "TensorBase", (PyObject *)&py_TensorBase) == 0 &&
           PyModule_AddObjectRef(module, "Tensor", (PyObject *)py_Tensor) == 0;
}
