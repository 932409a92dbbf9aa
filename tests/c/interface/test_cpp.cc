/* SPDX-License-Identifier: BSD-3-Clause */
/* corten.h in a C++ program: the plain functions, and structs of keywords. */
#include <corten.h>

#include <cstring>

int main()
{
    ct_scope scope = ct_scope_begin();
    const int64_t shape[] = {2, 3};
    ct_tensor *x = ct_ones_ex(ct_ints_of(shape, 2), nullptr);
    ct_tensor *y = ct_add_ex(ct_value_tensor(x), ct_value_float(2.5), nullptr);
    struct ct_sum_args with = CT_ARGS(ct_sum);
    with.keepdim = true;
    ct_tensor *sum = ct_sum_ex(ct_matmul(x, ct_t(y)), &with);
    bool good = sum && std::strcmp(ct_repr(sum), "tensor([[42.]])") == 0 && !ct_error();
    struct ct_device none = CT_NO_DEVICE;
    good = good && none.type == CT_NO_DEVICE_TYPE && CT_NO_DIMS.v == nullptr;
    ct_scope_end(scope);
    return good && ct_live_count() == 0 ? 0 : 1;
}
