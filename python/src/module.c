/* SPDX-License-Identifier: BSD-3-Clause */
/* corten._C: readies the types and fills the module, part by part. A new file adds its part to the
 * list below and nothing else. */
#include "face.h"

#include "operators.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define VERSION TEXT(CT_VERSION_MAJOR) "." TEXT(CT_VERSION_MINOR) "." TEXT(CT_VERSION_PATCH)

static bool (*const parts[])(PyObject *module) = {
    py_init_errors,
    py_init_interrupt,
    py_init_tensor,
    py_init_dtypes,
    py_init_dtype_names,
    py_init_devices,
    py_init_size,
    py_init_properties,
    py_init_elements,
    py_init_apply,
    py_init_sparse,
    py_init_oddments,
    py_init_subclass,
    py_init_dispatch,
    py_init_dressed,
    py_init_parameter,
    py_init_modules,
    py_init_clip,
    py_init_construct,
    py_init_asarray,
    py_init_legacy,
    py_init_globals,
    py_init_settings,
    py_init_finfo,
    py_init_grad_mode,
    py_init_autograd,
    py_init_nodes,
    py_init_hooks,
    py_init_function,
    py_init_graph,
    py_init_places,
    py_init_cuda,
    py_init_generator,
    py_init_buffer,
    py_init_numpy,
    py_init_dlpack,
    py_init_bridge_cuda,
    py_init_exchange,
    py_init_storage,
    py_init_pickle,
    py_init_optim,
    py_init_archive,
    py_init_unpickle,
    py_init_save,
    py_init_files,
    py_init_images,
    py_init_ops,
    /* what convert.c does by hand takes the place of rows */ py_init_convert,
    py_own_methods,
};

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
