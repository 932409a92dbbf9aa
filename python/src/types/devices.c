/* SPDX-License-Identifier: BSD-3-Clause */
/* torch.device: the device of a tensor. Made from "cuda:1", ("cuda", 1), an index or another
 * device; arguments that expect a device also accept a string or an index. */
#include "parse/parse.h"

#include <ctype.h>

/* Device types without a backend in Corten. Programs may name them, for example to compare devices,
 * but cannot create tensors on them. */
static const char *const foreign[] = {
    "ipu",  "xpu",  "mkldnn", "opengl", "opencl", "ideep", "hip",  "ve",
    "fpga", "maia", "lazy",   "vulkan", "mps",    "hpu",   "mtia", "privateuseone",
};

static const char *foreign_kind(const char *text)
{
    size_t n = 0;
    while (isalpha((unsigned char)text[n]))
        n++;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign && (!text[n] || text[n] == ':'); i++)
        if (strlen(foreign[i]) == n && !strncmp(foreign[i], text, n))
            return foreign[i];
    return NULL;
}

PyObject *py_device(struct ct_device device)
{
    static DeviceObject *cpu; /* cached: by far the most common device */
    bool plain_cpu = device.type == CT_CPU && device.index < 0;
    if (plain_cpu && cpu)
        return Py_NewRef(cpu);
    DeviceObject *self = PyObject_New(DeviceObject, &py_Device);
    if (!self)
        return NULL;
    self->device = device;
    self->foreign = NULL;
    if (plain_cpu)
        cpu = (DeviceObject *)Py_NewRef(self);
    return (PyObject *)self;
}

bool py_is_device(PyObject *o)
{
    return Py_IS_TYPE(o, &py_Device) || PyUnicode_Check(o) || py_is_int(o);
}

bool py_device_of(PyObject *o, struct ct_device *device)
{
    if (Py_IS_TYPE(o, &py_Device)) {
        *device = ((DeviceObject *)o)->device;
        const char *kind = ((DeviceObject *)o)->foreign;
        if (kind)
            PyErr_Format(PyExc_RuntimeError, "Corten has no backend for devices of type %s", kind);
        return !kind;
    }
    if (PyUnicode_Check(o)) {
        const char *text = PyUnicode_AsUTF8(o);
        if (!text)
            return false;
        *device = ct_device(text);
        if (device->type == CT_BAD_DEVICE)
            return py_raise() != NULL;
        return true;
    }
    int64_t index;
    if (!py_int64(o, &index))
        return false;
    if (index < 0 || index > 127) {
        PyErr_SetString(PyExc_RuntimeError, "Device index must not be negative");
        return false;
    }
    *device = (struct ct_device){CT_CUDA, (int)index};
    return true;
}

static struct py_arg whole[] = {PY_REQUIRED("device", PY_DEVICE)};
static struct py_arg parts[] = {
    PY_REQUIRED("type", PY_STR),
    {.name = "index", .kind = PY_INT, .flags = PY_DEFAULT | PY_NONE | PY_ABSENT, .shown = "-1"},
};
static struct py_signature signatures[] = {{.args = whole, .n = 1}, {.args = parts, .n = 2}};
static struct py_op device_op = {.name = "device", .signatures = signatures, .n = 2};

static PyObject *from_parts(const char *type, int64_t index)
{
    struct ct_device device = ct_device(type);
    if (device.type == CT_BAD_DEVICE)
        return py_raise();
    if (device.index >= 0)
        return PyErr_Format(PyExc_RuntimeError,
                            "type (string) must not include an index because index was passed "
                            "explicitly: %s",
                            type);
    if (index < 0 && index != CT_NO_DIM)
        return PyErr_Format(PyExc_RuntimeError, "Device index must not be negative");
    device.index = index == CT_NO_DIM ? -1 : (int)index;
    return py_device(device);
}

/* device("mps"), device("xpu:1"), device("xpu", 1). Parses the index by replacing the name with
 * "cpu". */
static PyObject *foreign_device(const char *kind, PyObject *text, PyObject *index)
{
    char plain[64];
    const char *rest = PyUnicode_AsUTF8(text) + strlen(kind);
    PyOS_snprintf(plain, sizeof plain, "cpu%.48s", rest);
    struct ct_device device = ct_device(plain);
    if (device.type == CT_BAD_DEVICE) {
        py_raise();
        PyErr_Clear();
        return PyErr_Format(PyExc_RuntimeError, "Invalid device string: '%U'", text);
    }
    int64_t given;
    if (index && index != Py_None) {
        if (!py_int64(index, &given))
            return NULL;
        device.index = (int)given;
    }
    DeviceObject *self = PyObject_New(DeviceObject, &py_Device);
    if (self) {
        self->device = device;
        self->foreign = kind;
    }
    return (PyObject *)self;
}

static PyObject *device_call(PyObject *type, PyObject *const *args, size_t nargsf, PyObject *names)
{
    Py_ssize_t n = PyVectorcall_NARGS(nargsf);
    if ((n == 1 || n == 2) && !names) {
        const char *text = PyUnicode_Check(args[0]) ? PyUnicode_AsUTF8(args[0]) : NULL;
        const char *kind = text ? foreign_kind(text) : NULL;
        if (kind)
            return foreign_device(kind, args[0], n == 2 ? args[1] : NULL);
        if (n == 1 && Py_IS_TYPE(args[0], &py_Device))
            return Py_NewRef(args[0]);
    }
    struct py_frame frame;
    int which = py_read(&frame, &device_op, NULL, args, PyVectorcall_NARGS(nargsf), names);
    if (which < 0)
        return NULL;
    return which == 0 ? py_device(frame.v[0].device) : from_parts(frame.v[0].str, frame.v[1].i);
}

static struct ct_device self_device(PyObject *self)
{
    return ((DeviceObject *)self)->device;
}

static const char *type_name(PyObject *self)
{
    if (((DeviceObject *)self)->foreign)
        return ((DeviceObject *)self)->foreign;
    switch (self_device(self).type) {
    case CT_CPU:
        return "cpu";
    case CT_CUDA:
        return "cuda";
    case CT_XLA:
        return "xla";
    case CT_META:
        return "meta";
    case CT_NO_DEVICE_TYPE:
    case CT_BAD_DEVICE:
        break;
    }
    return "?";
}

static PyObject *device_repr(PyObject *self)
{
    struct ct_device d = self_device(self);
    if (d.index < 0)
        return PyUnicode_FromFormat("device(type='%s')", type_name(self));
    return PyUnicode_FromFormat("device(type='%s', index=%d)", type_name(self), d.index);
}

static PyObject *device_str(PyObject *self)
{
    struct ct_device d = self_device(self);
    if (d.index < 0)
        return PyUnicode_FromString(type_name(self));
    return PyUnicode_FromFormat("%s:%d", type_name(self), d.index);
}

static Py_hash_t device_hash(PyObject *self)
{
    struct ct_device d = self_device(self);
    return (Py_hash_t)d.type * 131 + d.index + 1;
}

static PyObject *device_compare(PyObject *a, PyObject *b, int op)
{
    if (!Py_IS_TYPE(b, &py_Device))
        Py_RETURN_NOTIMPLEMENTED;
    struct ct_device x = self_device(a), y = self_device(b);
    bool same = x.type == y.type && x.index == y.index &&
                ((DeviceObject *)a)->foreign == ((DeviceObject *)b)->foreign;
    if (op == Py_EQ)
        return PyBool_FromLong(same);
    if (op == Py_NE)
        return PyBool_FromLong(!same);
    PyErr_SetString(PyExc_TypeError, "comparison not implemented");
    return NULL;
}

static PyObject *device_reduce(PyObject *self, PyObject *unused)
{
    PyObject *module = PyImport_ImportModule("corten._C");
    PyObject *make = module ? PyObject_GetAttrString(module, "_rebuild_device") : NULL;
    Py_XDECREF(module);
    return make ? Py_BuildValue("N(N)", make, device_str(self)) : NULL;
}

static PyObject *rebuild_device(PyObject *module, PyObject *text)
{
    return device_call((PyObject *)&py_Device, &text, 1, NULL);
}

static PyObject *get_type(PyObject *self, void *unused)
{
    return PyUnicode_FromString(type_name(self));
}

static PyObject *get_index(PyObject *self, void *unused)
{
    int index = self_device(self).index;
    if (index < 0)
        Py_RETURN_NONE;
    return PyLong_FromLong(index);
}

static PyGetSetDef getset[] = {
    {"type", get_type, NULL, "The device type: 'cpu', 'cuda', ...", NULL},
    {"index", get_index, NULL, "The index of the device, or None.", NULL},
    {0},
};

static PyMethodDef methods[] = {{"__reduce__", device_reduce, METH_NOARGS, NULL}, {0}};
static PyMethodDef functions[] = {{"_rebuild_device", rebuild_device, METH_O, NULL}, {0}};

PyTypeObject py_Device = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch.device",
    .tp_doc =
        "A device that tensors are on: a type, such as \"cpu\", \"cuda\" or \"meta\", and an "
        "index.\n\n"
        "As a context manager (`with torch.device(\"cuda\"):`) it is the device of new tensors.\n\n"
        "Example:\n"
        "    >>> torch.device(\"cuda\", 1)\n"
        "    device(type='cuda', index=1)\n"
        "    >>> torch.device(\"cuda:1\").index\n"
        "    1",
    .tp_basicsize = sizeof(DeviceObject),
    .tp_repr = device_repr,
    .tp_str = device_str,
    .tp_hash = device_hash,
    .tp_richcompare = device_compare,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = methods,
    .tp_getset = getset,
    .tp_vectorcall = device_call,
};

bool py_init_devices(PyObject *module)
{
    if (PyType_Ready(&py_Device) < 0)
        return false;
    return PyModule_AddFunctions(module, functions) == 0 &&
           PyModule_AddObjectRef(module, "device", (PyObject *)&py_Device) == 0;
}
