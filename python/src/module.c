/* SPDX-License-Identifier: BSD-3-Clause */
/* corten._C: initialises the types and fills the module, part by part. New files add their part to
 * PY_PARTS in binding.h. */
#include "binding.h"

#include "tensor/operators.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define VERSION TEXT(CT_VERSION_MAJOR) "." TEXT(CT_VERSION_MINOR) "." TEXT(CT_VERSION_PATCH)

#define INIT(part) py_init_##part,
static bool (*const parts[])(PyObject *module) = {PY_PARTS(INIT) py_copy_method_descriptors};

const char *py_name_within(const char *name, const char *module)
{
    const char *rest = name;
    while (*module && (*rest == *module || (*rest == '_' && *module == '.')))
        rest++, module++;
    return *module || *rest != '_' ? name : rest + 1;
}

bool py_add_submodule(PyObject *module, const char *name, PyMethodDef *functions)
{
    PyObject *all = PyObject_GetAttrString(module, "_submodules");
    PyObject *one = all ? PyModule_New(name) : NULL;
    bool good = one && PyDict_SetItemString(all, name, one) == 0;
    for (PyMethodDef *def = functions; good && def->ml_name; def++) {
        PyObject *f = PyCFunction_New(def, NULL);
        good = f && PyModule_AddObjectRef(one, py_name_within(def->ml_name, name), f) == 0;
        Py_XDECREF(f);
    }
    Py_XDECREF(one);
    Py_XDECREF(all);
    return good;
}

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "corten._C",
    .m_doc = "Corten's tensors for Python.",
    .m_size = -1,
};

PyMODINIT_FUNC PyInit__C(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    py_fill_operators();
    PyObject *submodules = PyDict_New();
    if (!submodules || PyModule_AddObjectRef(module, "_submodules", submodules) < 0) {
        Py_XDECREF(submodules);
        Py_DECREF(module);
        return NULL;
    }
    Py_DECREF(submodules);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!parts[i](module)) {
            Py_DECREF(module);
            return NULL;
        }
    }
    if (PyModule_AddStringConstant(module, "__version__", VERSION) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
