/* SPDX-License-Identifier: BSD-3-Clause */
/* torch.Generator, the default generator, and the functions that seed it and save its state. */
#include "create/construct.h"

#include <corten/cuda.h>

static PyObject *default_generator;

bool py_is_generator(PyObject *o)
{
    return PyObject_TypeCheck(o, &py_Generator);
}

static ct_generator *self_generator(PyObject *self)
{
    return ((GeneratorObject *)self)->generator;
}

static PyObject *wrap_generator(PyTypeObject *type, ct_generator *owned)
{
    if (!owned) {
        ct_clear_error();
        return PyErr_NoMemory();
    }
    GeneratorObject *self = (GeneratorObject *)type->tp_alloc(type, 0);
    if (self)
        self->generator = owned;
    else
        ct_generator_release(owned);
    return (PyObject *)self;
}

PyObject *py_wrap_generator(ct_generator *owned)
{
    return wrap_generator(&py_Generator, owned);
}

static PyObject *generator_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n > 1)
        return PyErr_Format(PyExc_TypeError,
                            "Generator() takes from 0 to 1 positional arguments but %zd were given",
                            n);
    PyObject *device = n ? PyTuple_GET_ITEM(args, 0) : NULL, *name, *value;
    for (Py_ssize_t at = 0; kwargs && PyDict_Next(kwargs, &at, &name, &value);) {
        if (PyUnicode_CompareWithASCIIString(name, "device") != 0)
            return PyErr_Format(PyExc_TypeError,
                                "Generator() got an unexpected keyword argument '%U'", name);
        if (device)
            return PyErr_Format(PyExc_TypeError,
                                "Generator() got multiple values for argument 'device'");
        device = value;
    }
    struct ct_device where = {CT_CPU, -1};
    if (device && device != Py_None && !py_device_of(device, &where))
        return NULL;
    if (where.type == CT_CUDA && ct_cuda_device_count() == 0)
        return PyErr_Format(PyExc_RuntimeError,
                            "Device type CUDA is not supported for torch.Generator() api.");
    if (where.type != CT_CPU && where.type != CT_CUDA)
        return PyErr_Format(PyExc_RuntimeError, "META device type not an accelerator.");
    return wrap_generator(type, ct_generator_create_on(where));
}

static void generator_dealloc(PyObject *self)
{
    ct_generator_release(self_generator(self));
    Py_TYPE(self)->tp_free(self);
}

/* Reads a seed: any int that fits into 64 bits, signed or unsigned, as in PyTorch. */
static bool read_seed(PyObject *number, uint64_t *seed)
{
    int overflow;
    long long v = PyLong_AsLongLongAndOverflow(number, &overflow);
    *seed = overflow > 0 ? PyLong_AsUnsignedLongLong(number) : (uint64_t)v;
    if (overflow < 0 || PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_SetString(PyExc_ValueError, "Overflow when unpacking long long");
        return false;
    }
    return true;
}

static PyObject *manual_seed(PyObject *self, PyObject *o)
{
    uint64_t seed;
    if (!PyLong_Check(o) || PyBool_Check(o))
        return PyErr_Format(PyExc_RuntimeError, "manual_seed expected a long, but got %s",
                            py_typename(o));
    if (!read_seed(o, &seed))
        return NULL;
    ct_generator_manual_seed(self_generator(self), seed);
    return Py_NewRef(self);
}

static PyObject *seed(PyObject *self, PyObject *unused)
{
    return PyLong_FromUnsignedLongLong(ct_generator_seed(self_generator(self)));
}

static PyObject *initial_seed(PyObject *self, PyObject *unused)
{
    return PyLong_FromUnsignedLongLong(ct_generator_initial_seed(self_generator(self)));
}

static PyObject *get_state(PyObject *self, PyObject *unused)
{
    int64_t n = ct_generator_state_bytes(self_generator(self));
    ct_tensor *t = py_new_empty(CT_UINT8, &n, 1);
    if (!t)
        return NULL;
    ct_generator_get_state(self_generator(self), ct_data(t));
    return py_wrap(t);
}

static PyObject *set_state(PyObject *self, PyObject *state)
{
    if (!py_is_tensor(state))
        return PyErr_Format(PyExc_TypeError, "expected a torch.ByteTensor, but got %s",
                            py_typename(state));
    ct_tensor *t = py_tensor_of(state);
    if (ct_dtype(t) != CT_UINT8 || ct_device_of(t).type != CT_CPU)
        return PyErr_Format(PyExc_TypeError, "RNG state must be a torch.ByteTensor");
    if (!ct_is_contiguous(t))
        return PyErr_Format(PyExc_RuntimeError, "RNG state must be contiguous");
    ct_tensor *here = ct_own_host(t);
    bool good = here && ct_generator_set_state(self_generator(self), ct_data(here), ct_numel(t));
    ct_release(here);
    if (!good)
        return py_raise();
    return Py_NewRef(self);
}

static PyObject *clone_state(PyObject *self, PyObject *unused)
{
    return wrap_generator(Py_TYPE(self), ct_generator_clone(self_generator(self)));
}

static PyObject *rebuild; /* _generator(device), which pickles refer to */

/* Pickled as in PyTorch: seed, no offset, and the state. */
static PyObject *reduce(PyObject *self, PyObject *unused)
{
    PyObject *state = get_state(self, unused);
    if (!state)
        return NULL;
    return Py_BuildValue("O(N)(KON)", rebuild, py_device(ct_generator_device(self_generator(self))),
                         (unsigned long long)ct_generator_initial_seed(self_generator(self)),
                         Py_None, state);
}

static PyObject *take_saved(PyObject *self, PyObject *saved)
{
    PyObject *seed_number, *offset, *state;
    if (!PyTuple_Check(saved))
        return PyErr_Format(PyExc_TypeError, "expected a tuple, but got %s", py_typename(saved));
    if (!PyArg_ParseTuple(saved, "OOO", &seed_number, &offset, &state))
        return NULL;
    PyObject *seeded = manual_seed(self, seed_number);
    PyObject *done = seeded ? set_state(self, state) : NULL;
    Py_XDECREF(seeded);
    Py_XDECREF(done);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* Counter-based generators (CUDA) have an offset and states for graphs; CPU generators have
 * neither. */
static PyObject *no_offset(PyObject *self, PyObject *unused)
{
    return PyErr_Format(PyExc_RuntimeError, "CPU Generator does not use offset");
}

static PyObject *not_supported(const char *name)
{
    return PyErr_Format(PyExc_NotImplementedError, "%s is not supported in this Generator", name);
}

static PyObject *graphsafe_get_state(PyObject *self, PyObject *unused)
{
    return not_supported("graphsafe_get_state");
}

static PyObject *graphsafe_set_state(PyObject *self, PyObject *unused)
{
    return not_supported("graphsafe_set_state");
}

static PyObject *philox_state(PyObject *self, PyObject *unused)
{
    return not_supported("philox_state");
}

static PyObject *get_cdata(PyObject *self, void *unused)
{
    return PyLong_FromVoidPtr(self_generator(self));
}

static PyObject *get_device(PyObject *self, void *unused)
{
    return py_device(ct_generator_device(self_generator(self)));
}

static PyGetSetDef getset[] = {
    {"device", get_device, NULL, "The device of the generator.", NULL},
    {"_cdata", get_cdata, NULL, "The address of the C object.", NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"manual_seed", manual_seed, METH_O, "Sets the seed."},
    {"seed", seed, METH_NOARGS, "Sets a seed from the system's random source and returns it."},
    {"initial_seed", initial_seed, METH_NOARGS, "The seed last set."},
    {"get_state", get_state, METH_NOARGS, "Returns the state as a uint8 tensor."},
    {"set_state", set_state, METH_O, "Restores a state returned by get_state()."},
    {"clone_state", clone_state, METH_NOARGS,
     "Returns a copy of the generator with the same state."},
    {"__reduce__", reduce, METH_NOARGS, "For pickle."},
    {"__setstate__", take_saved, METH_O, "For pickle: restores seed and state."},
    {"get_offset", no_offset, METH_NOARGS,
     "The offset of a counter-based generator; not supported here."},
    {"set_offset", no_offset, METH_O,
     "Sets the offset of a counter-based generator; not supported here."},
    {"graphsafe_get_state", graphsafe_get_state, METH_NOARGS, "Not supported by this generator."},
    {"graphsafe_set_state", graphsafe_set_state, METH_O, "Not supported by this generator."},
    {"philox_state", philox_state, METH_O, "Not supported by this generator."},
    {0},
};

PyTypeObject py_Generator = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "torch._C.Generator",
    .tp_basicsize = sizeof(GeneratorObject),
    .tp_dealloc = generator_dealloc,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    .tp_doc = "A random number generator, with its own seed and state.\n\n"
              "Operations that draw random numbers use the generator that is passed to them, "
              "otherwise the default one\n"
              "of the device.\n\n"
              "Example:\n"
              "    >>> generator = torch.Generator().manual_seed(0)\n"
              "    >>> torch.rand(2, generator=generator)\n"
              "    tensor([0.4963, 0.7682])",
    .tp_methods = methods,
    .tp_getset = getset,
    .tp_new = generator_new,
};

/* ---- functions on the default generator ---- */

static PyObject *module_manual_seed(PyObject *module, PyObject *o)
{
    PyObject *number = PyNumber_Long(o), *result = NULL; /* accepts anything int() does */
    if (number)
        result = manual_seed(default_generator, number);
    if (result)
        ct_cuda_manual_seed_all(ct_generator_initial_seed(self_generator(default_generator)));
    Py_XDECREF(number);
    return result;
}

static PyObject *module_seed(PyObject *module, PyObject *unused)
{
    return seed(default_generator, unused);
}

static PyObject *module_initial_seed(PyObject *module, PyObject *unused)
{
    return initial_seed(default_generator, unused);
}

static PyObject *get_rng_state(PyObject *module, PyObject *unused)
{
    return get_state(default_generator, unused);
}

static PyObject *set_rng_state(PyObject *module, PyObject *state)
{
    PyObject *done = set_state(default_generator, state);
    if (!done)
        return NULL;
    Py_DECREF(done);
    Py_RETURN_NONE;
}

static PyObject *new_generator(PyObject *module, PyObject *device)
{
    return PyObject_CallOneArg((PyObject *)&py_Generator, device);
}

static PyMethodDef functions[] = {
    {"_new_generator", new_generator, METH_O, "Creates a generator for a device; used by pickles."},
    {"manual_seed", module_manual_seed, METH_O,
     "Seeds the default generator and returns it."
     "\n\n    >>> _ = torch.manual_seed(0)"
     "\n    >>> torch.rand(2)"
     "\n    tensor([0.4963, 0.7682])"},
    {"seed", module_seed, METH_NOARGS, "Seeds the default generator from the system."},
    {"initial_seed", module_initial_seed, METH_NOARGS,
     "Returns the seed of the default generator."},
    {"get_rng_state", get_rng_state, METH_NOARGS, "Returns the state of the default generator."},
    {"set_rng_state", set_rng_state, METH_O, "Sets the default generator's state."},
    {0},
};

bool py_init_generator(PyObject *module)
{
    if (PyType_Ready(&py_Generator) < 0)
        return false;
    default_generator = wrap_generator(&py_Generator, ct_generator_retain(ct_generator_default()));
    return default_generator && PyModule_AddFunctions(module, functions) == 0 &&
           (rebuild = PyObject_GetAttrString(module, "_new_generator")) != NULL &&
           PyModule_AddObjectRef(module, "Generator", (PyObject *)&py_Generator) == 0 &&
           PyModule_AddObjectRef(module, "default_generator", default_generator) == 0;
}
