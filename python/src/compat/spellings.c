/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods and attributes that scripts touch and nothing here depends on: old spellings of
 * operators; questions whose answer never changes because tensors live in plain memory. */
#include "parse.h"

#include <corten/autograd.h>
#include <corten/cuda.h>
#include <corten/own.h>

/* ---- Python 2's names ---- */

static PyObject *to_long(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyNumber_Long(self);
}

static PyObject *to_bool(PyObject *self, PyObject *unused)
{
    (void)unused;
    int truth = PyObject_IsTrue(self);
    return truth < 0 ? NULL : PyBool_FromLong(truth);
}

static PyObject *divided(PyObject *self, PyObject *other)
{
    return PyNumber_TrueDivide(self, other);
}

static PyObject *dividing(PyObject *self, PyObject *other)
{
    return PyNumber_TrueDivide(other, self);
}

static PyObject *divided_in_place(PyObject *self, PyObject *other)
{
    return PyNumber_InPlaceTrueDivide(self, other);
}

/* ---- the order of dims in memory ---- */

/* Whether dim a moves farther than b: 1, -1, or 0 for either; of equal strides the longer dim. */
static int farther(const ct_tensor *t, int64_t a, int64_t b)
{
    const int64_t *stride = ct_stride_ptr(t), *shape = ct_shape_ptr(t);
    if (stride[a] == 0 || stride[b] == 0)
        return 0;
    if (stride[a] == stride[b])
        return shape[a] > shape[b];
    return stride[a] > stride[b] ? 1 : -1;
}

/* Dims by falling stride; where two orders would do, as PyTorch's insertion from the last dim. */
static void order_dims(const ct_tensor *t, int64_t *order)
{
    int64_t n = ct_ndim(t);
    bool plain = ct_is_contiguous(t), last = ct_is_contiguous_as(t, CT_CHANNELS_LAST);
    for (int64_t i = 0; i < n; i++)
        order[i] = i;
    if (plain && !last)
        return;
    for (int64_t i = n - 2; i >= 0; i--)
        for (int64_t now = i, next = i + 1; next < n; next++) {
            int far = farther(t, order[next], order[now]);
            if (far < 0)
                break;
            if (far == 0)
                continue;
            int64_t moved = order[now];
            order[now] = order[next];
            order[next] = moved;
            now = next;
        }
}

static PyObject *dim_order(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *names)
{
    static struct py_arg arg[] = {{.name = "ambiguity_check",
                                   .kind = PY_OBJECT,
                                   .flags = PY_DEFAULT | PY_ABSENT | PY_KEYWORD,
                                   .shown = "False"}};
    static struct py_signature signature = {.args = arg, .n = 1};
    static struct py_op op = {.name = "dim_order", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    PyObject *check = frame.v[0].object;
    if (check && !PyBool_Check(check) && !PyList_Check(check))
        return PyErr_Format(PyExc_TypeError, "The ambiguity_check argument must be a bool or a "
                                             "list of memory formats.");
    const ct_tensor *t = py_tensor_of(self);
    const int64_t *stride = ct_stride_ptr(t), *shape = ct_shape_ptr(t);
    int64_t n = ct_ndim(t), order[64];
    order_dims(t, order);
    for (int64_t i = 0; i < n && check == Py_True; i++) {
        if (i + 1 < n && stride[order[i]] == stride[order[i + 1]] && shape[order[i]] > 1 &&
            shape[order[i + 1]] > 1)
            return PyErr_Format(PyExc_RuntimeError, "The tensor does not have unique dim order.");
        if (stride[i] == 0)
            return PyErr_Format(PyExc_RuntimeError, "The tensor does not have unique dim order.");
        if (shape[i] == 1)
            return PyErr_Format(PyExc_RuntimeError,
                                "The tensor does not have unique dim order, or cannot map to exact "
                                "one of the given memory formats.");
    }
    return py_int_tuple(order, n);
}

/* ---- for other devices, and for nested tensors ---- */

static PyObject *not_on_cpu(const char *name)
{
    return PyErr_Format(PyExc_NotImplementedError,
                        "Could not run 'aten::%s' with arguments from the 'CPU' backend.", name);
}

static PyObject *record_stream(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                               PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("s", PY_OBJECT)};
    static struct py_signature signature = {.args = arg, .n = 1};
    static struct py_op op = {.name = "record_stream", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    PyObject *s = frame.v[0].object;
    bool of_gpu = PyObject_HasAttrString(s, "cuda_stream");
    if (!of_gpu && strcmp(py_typename(s), "Stream") != 0)
        return PyErr_Format(PyExc_RuntimeError, "unknown parameter type");
    if (!of_gpu || ct_device_of(py_tensor_of(self)).type != CT_CUDA)
        return not_on_cpu("record_stream");
    PyObject *stream = PyObject_GetAttrString(s, "cuda_stream");
    void *address = stream ? PyLong_AsVoidPtr(stream) : NULL;
    Py_XDECREF(stream);
    if (PyErr_Occurred())
        return NULL;
    return ct_cuda_record_stream(py_tensor_of(self), address) ? Py_NewRef(Py_None) : py_raise();
}

static PyObject *to_padded_tensor(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                                  PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("padding", PY_FLOAT),
                                  PY_OR_NONE("output_size", PY_INTS, 0)};
    static struct py_signature signature = {.args = arg, .n = 2};
    static struct py_op op = {.name = "to_padded_tensor", .signatures = &signature, .n = 1};
    struct py_frame frame;
    int i = py_parse(&frame, &op, self, args, nargs, names);
    py_frame_end(&frame);
    return i < 0 ? NULL : not_on_cpu("to_padded_tensor");
}

/* ---- indices by the dim they belong to ---- */

/* Puts one index at its dim of a key. */
static bool place_index(PyObject *key, PyObject *dim, PyObject *index)
{
    Py_ssize_t n = PyTuple_GET_SIZE(key);
    if (!PyLong_Check(dim)) {
        PyErr_Format(PyExc_TypeError, "expected a dimension specifyer but found %R", dim);
        return false;
    }
    Py_ssize_t d = PyLong_AsSsize_t(dim);
    if (d == -1 && PyErr_Occurred())
        return false;
    if (d < -n || d >= n) {
        PyErr_Format(PyExc_TypeError, "dimension %zd not in tensor of %zd dimensions", d, n);
        return false;
    }
    return PyTuple_SetItem(key, d < 0 ? d + n : d, Py_NewRef(index)) == 0;
}

/* x.index((0, 2), (i, j)) is x[i, :, j]. */
static PyObject *index_dims(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"positions", "dims", NULL};
    PyObject *dims = NULL, *given = NULL, *all = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:index", names, &dims, &given))
        return NULL;
    if (!dims || !given)
        return PyErr_Format(PyExc_TypeError, "Tensor.index() missing %s",
                            dims    ? "1 required positional argument: 'dims'"
                            : given ? "1 required positional argument: 'positions'"
                                    : "2 required positional arguments: 'positions' and 'dims'");
    bool several = PyTuple_Check(dims) || PyList_Check(dims);
    several = several && (PyTuple_Check(given) || PyList_Check(given));
    PyObject *at = several ? PySequence_Tuple(dims) : PyTuple_Pack(1, dims);
    PyObject *index = several ? PySequence_Tuple(given) : PyTuple_Pack(1, given);
    PyObject *key = PyTuple_New(ct_ndim(py_tensor_of(self)));
    bool good = at && index && key && (all = PySlice_New(NULL, NULL, NULL));
    for (Py_ssize_t d = 0; good && d < PyTuple_GET_SIZE(key); d++)
        PyTuple_SET_ITEM(key, d, Py_NewRef(all));
    if (good && PyTuple_GET_SIZE(at) != PyTuple_GET_SIZE(index)) {
        PyErr_Format(PyExc_TypeError, "dims (%zd) and indices (%zd) must have the same length",
                     PyTuple_GET_SIZE(at), PyTuple_GET_SIZE(index));
        good = false;
    }
    for (Py_ssize_t i = 0; good && i < PyTuple_GET_SIZE(at); i++)
        good = place_index(key, PyTuple_GET_ITEM(at, i), PyTuple_GET_ITEM(index, i));
    PyObject *found = good ? PyObject_GetItem(self, key) : NULL;
    Py_XDECREF(all);
    Py_XDECREF(key);
    Py_XDECREF(index);
    Py_XDECREF(at);
    return found;
}

/* ---- classes ---- */

/* torch.FloatStorage for a tensor of float32; None for types without an old name. */
static PyObject *storage_type(PyObject *self, PyObject *unused)
{
    (void)unused;
    const char *tensor_name = py_legacy_type_name(ct_dtype(py_tensor_of(self))) + strlen("torch.");
    Py_ssize_t n = (Py_ssize_t)(strlen(tensor_name) - strlen("Tensor"));
    PyObject *module = PyImport_ImportModule("corten");
    PyObject *kind = PyUnicode_FromStringAndSize(tensor_name, n);
    PyObject *name = kind ? PyUnicode_FromFormat("%UStorage", kind) : NULL;
    PyObject *found = module && name ? PyObject_GetAttr(module, name) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(kind);
    Py_XDECREF(name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyErr_Clear();
    Py_RETURN_NONE;
}

static PyObject *const_data_ptr(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyObject_CallMethod(self, "data_ptr", NULL);
}

/* What nn.Module.load_state_dict calls for each tensor. */
static PyObject *module_load(PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                             PyObject *names)
{
    static struct py_arg arg[] = {PY_REQUIRED("other", PY_TENSOR), PY_OFF("assign", 0)};
    static struct py_signature signature = {.args = arg, .n = 2};
    static struct py_op op = {.name = "module_load", .signatures = &signature, .n = 1};
    struct py_frame frame;
    if (py_read(&frame, &op, self, args, nargs, names) < 0)
        return NULL;
    if (frame.v[1].b)
        return py_wrap(ct_own_detach(frame.v[0].tensor));
    ct_tensor *copied = ct_own_copy_(py_tensor_of(self), frame.v[0].tensor, false);
    return copied ? py_wrap(ct_own_detach(copied)) : py_raise();
}

/* ---- the array API standard ---- */

static PyObject *array_namespace(PyObject *self, PyObject *args, PyObject *kwargs)
{
    (void)self;
    static char *names[] = {"api_version", NULL};
    PyObject *version = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$O:__array_namespace__", names, &version))
        return NULL;
    PyObject *module = PyImport_ImportModule("corten.array_api");
    PyObject *found = module ? PyObject_CallMethod(module, "_namespace", "O", version) : NULL;
    Py_XDECREF(module);
    return found;
}

static PyObject *to_device(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"", "stream", NULL};
    PyObject *where, *stream = Py_None;
    struct ct_device device;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$O:to_device", names, &where, &stream))
        return NULL;
    if (stream != Py_None)
        return PyErr_Format(PyExc_ValueError, "to_device: only stream=None is known");
    if (!py_is_device(where))
        return PyErr_Format(PyExc_TypeError, "to_device: a device is needed, not %s",
                            py_typename(where));
    if (!py_device_of(where, &device))
        return NULL;
    ct_tensor *t =
        ct_own_to(py_tensor_of(self), CT_NO_DTYPE, device, false, false, CT_PRESERVE_FORMAT);
    return py_wrap_as(t, py_class_like(self));
}

/* ---- attributes ---- */

static PyObject *none(PyObject *self, void *unused)
{
    (void)self, (void)unused;
    Py_RETURN_NONE;
}

static PyObject *no(PyObject *self, void *unused)
{
    (void)self, (void)unused;
    Py_RETURN_FALSE;
}

static PyObject *is_volatile(PyObject *self, void *unused)
{
    const char *text = "volatile was removed (Variable.volatile is always False)";
    return PyErr_WarnEx(PyExc_UserWarning, text, 1) < 0 ? NULL : no(self, unused);
}

static PyObject *grad_dtype(PyObject *self, void *unused)
{
    (void)unused;
    enum ct_dtype dtype = ct_grad_dtype(py_tensor_of(self));
    return py_dtype(dtype);
}

static int set_grad_dtype(PyObject *self, PyObject *o, void *unused)
{
    (void)unused;
    bool is_dtype = o && py_is_dtype(o) && !PyType_Check(o);
    if (!is_dtype && o != Py_None) {
        PyErr_Format(PyExc_RuntimeError, "grad_dtype must be a torch.dtype or None, but got %s",
                     o ? py_typename(o) : "nothing");
        return -1;
    }
    enum ct_dtype dtype = is_dtype ? py_dtype_of(o) : CT_NO_DTYPE;
    return ct_set_grad_dtype(py_tensor_of(self), dtype) ? 0 : py_raise_int();
}

static PyObject *address(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromVoidPtr(py_tensor_of(self));
}

/* The dict that a program has set, kept with the tensor's attributes. */
static PyObject *backward_hooks(PyObject *self, void *unused)
{
    (void)unused;
    PyObject *dict = py_attributes(self);
    PyObject *hooks = dict ? PyDict_GetItemString(dict, "_hooks_given") : NULL;
    return Py_NewRef(hooks ? hooks : Py_None);
}

/* Files and old programs set it: its functions are registered, in their order. */
static int set_backward_hooks(PyObject *self, PyObject *hooks, void *unused)
{
    (void)unused;
    if (!hooks || (hooks != Py_None && !PyDict_Check(hooks))) {
        PyErr_SetString(PyExc_TypeError, "_backward_hooks must be a dict of functions, or None");
        return -1;
    }
    PyObject *list = hooks == Py_None ? PyList_New(0) : PyDict_Values(hooks);
    for (Py_ssize_t i = 0; list && i < PyList_GET_SIZE(list); i++) {
        PyObject *handle =
            PyObject_CallMethod(self, "register_hook", "O", PyList_GET_ITEM(list, i));
        Py_XDECREF(handle);
        if (!handle)
            Py_CLEAR(list);
    }
    bool good = list && (PyObject_Length(list) == 0 ||
                         PyObject_SetAttrString(self, "_hooks_given", hooks) == 0);
    Py_XDECREF(list);
    return good ? 0 : -1;
}

static PyGetSetDef attributes[] = {
    {"name", none, NULL, "None: tensors have no names.", NULL},
    {"_backward_hooks", backward_hooks, set_backward_hooks, NULL, NULL},
    {"volatile", is_volatile, NULL, "False: see torch.no_grad().", NULL},
    {"grad_dtype", grad_dtype, set_grad_dtype,
     "The type of its gradient: its own, another that gradients are cast to, or None for any.",
     NULL},
    {"_cdata", address, NULL, "The address of the library's tensor.", NULL},
    {"is_xpu", no, NULL, NULL, NULL},
    {"is_ipu", no, NULL, NULL, NULL},
    {"is_maia", no, NULL, NULL, NULL},
    {"is_mtia", no, NULL, NULL, NULL},
    {"is_vulkan", no, NULL, NULL, NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"record_stream", PY_FAST(record_stream),
     "record_stream($self, s)\n--\n\nThe memory stays until a stream of a GPU is done with it."},
    {"to_padded_tensor", PY_FAST(to_padded_tensor),
     "to_padded_tensor($self, padding, output_size=None)\n--\n\nOf nested tensors only."},
    {"index", PY_KEYWORDS(index_dims),
     "index($self, positions, dims)\n--\n\nIndices, each with the dim it belongs to."},
    {"__long__", to_long, METH_NOARGS, "int(x)"},
    {"__nonzero__", to_bool, METH_NOARGS, "bool(x)"},
    {"is_nonzero", to_bool, METH_NOARGS, "Whether the one element is not 0."},
    {"__div__", divided, METH_O, "x / other"},
    {"__rdiv__", dividing, METH_O, "other / x"},
    {"__idiv__", divided_in_place, METH_O, "x /= other"},
    {"__array_namespace__", PY_KEYWORDS(array_namespace),
     "__array_namespace__($self, *, api_version=None)\n--\n\ncorten.array_api."},
    {"to_device", PY_KEYWORDS(to_device),
     "to_device($self, device, /, *, stream=None)\n--\n\nThe array standard's to()."},
    {"dim_order", PY_FAST(dim_order),
     "dim_order($self, *, ambiguity_check=False)\n--\n\nThe dims by falling stride."},
    {"storage_type", storage_type, METH_NOARGS, "The old class of its storage."},
    {"const_data_ptr", const_data_ptr, METH_NOARGS, "The address of the first element."},
    {"module_load", PY_FAST(module_load),
     "module_load($self, other, assign=False)\n--\n\nother's values, without history."},
    {0},
};

bool py_init_oddments(PyObject *module)
{
    (void)module;
    return py_add_methods(&py_TensorBase, methods) && py_add_getset(&py_TensorBase, attributes);
}
