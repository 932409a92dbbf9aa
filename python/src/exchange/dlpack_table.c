/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensor.__dlpack_c_exchange_api__: DLPack's table of C functions (since version 1.3), through
 * which other extension modules import and export tensors without calling Python. The table is
 * static. */
#include "exchange/exchange.h"

#include <corten/dlpack.h>
#include <corten/own.h>

#define CAPSULE "dlpack_exchange_api"

struct exchange_header {
    struct {
        uint32_t major, minor;
    } version;
    struct exchange_header *older;
};

typedef void (*set_error)(void *context, const char *kind, const char *message);

struct exchange {
    struct exchange_header header;
    int (*allocate)(struct ct_dl_tensor *like, struct ct_dl_versioned **out, void *context,
                    set_error fail);
    int (*from_object)(void *object, struct ct_dl_versioned **out);
    int (*to_object)(struct ct_dl_versioned *managed, void **object);
    int (*borrow)(void *object, struct ct_dl_tensor *out);
    int (*current_stream)(int32_t device_type, int32_t device_id, void **stream);
};

static const struct {
    uint8_t code, bits;
} kinds[CT_DTYPE_COUNT] = {
    [CT_BOOL] = {CT_DL_BOOL, 8},
    [CT_UINT8] = {CT_DL_UINT, 8},
    [CT_INT8] = {CT_DL_INT, 8},
    [CT_INT16] = {CT_DL_INT, 16},
    [CT_INT32] = {CT_DL_INT, 32},
    [CT_INT64] = {CT_DL_INT, 64},
    [CT_UINT16] = {CT_DL_UINT, 16},
    [CT_UINT32] = {CT_DL_UINT, 32},
    [CT_UINT64] = {CT_DL_UINT, 64},
    [CT_FLOAT16] = {CT_DL_FLOAT, 16},
    [CT_BFLOAT16] = {CT_DL_BFLOAT, 16},
    [CT_FLOAT32] = {CT_DL_FLOAT, 32},
    [CT_FLOAT64] = {CT_DL_FLOAT, 64},
    [CT_COMPLEX64] = {CT_DL_COMPLEX, 64},
    [CT_COMPLEX128] = {CT_DL_COMPLEX, 128},
    [CT_COMPLEX32] = {CT_DL_COMPLEX, 32},
    [CT_FLOAT8_E4M3FN] = {CT_DL_FLOAT8_E4M3FN, 8},
    [CT_FLOAT8_E5M2] = {CT_DL_FLOAT8_E5M2, 8},
    [CT_FLOAT8_E4M3FNUZ] = {CT_DL_FLOAT8_E4M3FNUZ, 8},
    [CT_FLOAT8_E5M2FNUZ] = {CT_DL_FLOAT8_E5M2FNUZ, 8},
    [CT_FLOAT8_E8M0FNU] = {CT_DL_FLOAT8_E8M0FNU, 8},
};

static enum ct_dtype dl_dtype(const struct ct_dl_tensor *t)
{
    for (int d = 0; d < CT_DTYPE_COUNT; d++) {
        if (kinds[d].code == t->dtype.code && kinds[d].bits == t->dtype.bits && t->dtype.lanes == 1)
            return (enum ct_dtype)d;
    }
    return CT_NO_DTYPE;
}

/* The caller may not hold the GIL, so errors are reported through its callback. */
static int allocate(struct ct_dl_tensor *like, struct ct_dl_versioned **out, void *context,
                    set_error fail)
{
    enum ct_dtype dtype = dl_dtype(like);
    if (dtype == CT_NO_DTYPE || like->device.type != CT_DL_CPU) {
        fail(context, "BufferError", "unsupported dtype or device");
        return -1;
    }
    ct_tensor *t = ct_own_empty(ct_ints_of(like->shape, like->ndim), dtype,
                                (struct ct_device){CT_CPU, -1}, false, -1);
    *out = t ? ct_to_dlpack_versioned(t) : NULL;
    ct_release(t);
    if (*out)
        return 0;
    fail(context, ct_error_class(), ct_error());
    ct_clear_error();
    return -1;
}

static ct_tensor *tensor_for_export(void *object)
{
    if (!py_is_tensor(object)) {
        PyErr_Format(PyExc_TypeError, "expected a Tensor, not %s", py_typename(object));
        return NULL;
    }
    ct_tensor *t = py_tensor_of(object);
    return py_exportable(t) ? t : NULL;
}

static int from_object(void *object, struct ct_dl_versioned **out)
{
    ct_tensor *t = tensor_for_export(object);
    if (!t)
        return -1;
    *out = ct_to_dlpack_versioned(t);
    return *out ? 0 : py_raise_int();
}

static int to_object(struct ct_dl_versioned *managed, void **object)
{
    *object = py_wrap(ct_own_from_dlpack_versioned(managed));
    return *object ? 0 : -1;
}

static int borrow(void *object, struct ct_dl_tensor *out)
{
    ct_tensor *t = tensor_for_export(object);
    if (!t)
        return -1;
    if (ct_device_of(t).type != CT_CPU) {
        PyErr_SetString(PyExc_BufferError, "the tensor is not in CPU memory");
        return -1;
    }
    enum ct_dtype dtype = ct_dtype(t);
    *out = (struct ct_dl_tensor){
        .data = ct_data(t),
        .device = {CT_DL_CPU, 0},
        .ndim = (int32_t)ct_ndim(t),
        .dtype = {kinds[dtype].code, kinds[dtype].bits, 1},
        .shape = (int64_t *)(uintptr_t)ct_shape_ptr(t), /* read-only, valid as long as the tensor */
        .strides = (int64_t *)(uintptr_t)ct_stride_ptr(t),
    };
    return 0;
}

static int current_stream(int32_t device_type, int32_t device_id, void **stream)
{
    *stream = NULL;
    return 0;
}

static struct exchange table = {
    .header = {{1, 3}, NULL},
    .allocate = allocate,
    .from_object = from_object,
    .to_object = to_object,
    .borrow = borrow,
    .current_stream = current_stream,
};

bool py_init_exchange(PyObject *module)
{
    PyObject *capsule = PyCapsule_New(&table, CAPSULE, NULL);
    int rc = capsule
                 ? PyDict_SetItemString(py_TensorBase.tp_dict, "__dlpack_c_exchange_api__", capsule)
                 : -1;
    Py_XDECREF(capsule);
    PyType_Modified(&py_TensorBase);
    return rc == 0;
}
