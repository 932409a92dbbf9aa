/* SPDX-License-Identifier: BSD-3-Clause */
/* Image grids (torchvision's make_grid) and saving them to files. */
#include "core/check_args.h"
#include "io/image.h"

#include "core/hold.h"
#include "core/shape.h"
#include "core/small.h"
#include "corten/autograd.h"
#include "corten/own.h"

/* Expands (H, W), (C, H, W) or (B, C, H, W) to (B, 3, H, W); one channel becomes three. h owns the
 * result. */
static ct_tensor *batch_of(struct cti_hold *h, ct_tensor *x)
{
    ct_tensor *t = cti_hold(h, ct_own_data(x));
    int64_t n = ct_ndim(t);
    if (n < 2 || n > 4)
        return ct_fail(CT_ERR_VALUE, "make_grid: images have 2, 3 or 4 dimensions, not %lld",
                       (long long)n);
    if (n == 2)
        t = cti_hold(h, ct_own_unsqueeze(t, 0));
    if (t && ct_ndim(t) == 3) {
        if (ct_size(t, 0) == 1)
            t = cti_hold(h, ct_own_expand(t, ct_ints_of((int64_t[]){3, -1, -1}, 3), false));
        t = cti_hold(h, ct_own_unsqueeze(t, 0));
    }
    if (t && ct_size(t, 1) == 1)
        t = cti_hold(h, ct_own_expand(t, ct_ints_of((int64_t[]){-1, 3, -1, -1}, 4), false));
    return t;
}

/* Maps [low, high] to [0, 1] in place; without bounds, uses the minimum and maximum. */
static bool scale_range(ct_tensor *t, double low, double high)
{
    if (ct_is_no_number(low)) {
        ct_tensor *lowest = ct_own_min(t), *highest = ct_own_max(t);
        low = lowest ? ct_item(lowest) : 0;
        high = highest ? ct_item(highest) : 0;
        bool good = lowest && highest;
        ct_release(lowest);
        ct_release(highest);
        if (!good)
            return false;
    }
    double width = high - low > 1e-5 ? high - low : 1e-5;
    ct_tensor *a = ct_own_clamp_(t, ct_value_float(low), ct_value_float(high));
    ct_tensor *b = a ? ct_own_sub_(t, ct_value_float(low), ct_value_int(1)) : NULL;
    ct_tensor *c = b ? ct_own_div_(t, ct_value_float(width), NULL) : NULL;
    return c;
}

static bool normalise(ct_tensor *t, const struct ct_make_grid_args *a)
{
    if (!a->scale_each)
        return scale_range(t, a->low, a->high);
    for (int64_t i = 0; i < ct_size(t, 0); i++) {
        ct_tensor *one = ct_own_select(t, 0, i);
        bool good = one && scale_range(one, a->low, a->high);
        ct_release(one);
        if (!good)
            return false;
    }
    return true;
}

/* Copies image i to its cell of the grid. */
static bool grid_put(ct_tensor *grid, ct_tensor *t, int64_t i, int64_t columns, int64_t padding)
{
    int64_t height = ct_size(t, 2) + padding, width = ct_size(t, 3) + padding;
    struct cti_hold h = {0};
    ct_tensor *rows =
        cti_hold(&h, ct_own_narrow(grid, 1, i / columns * height + padding, height - padding));
    ct_tensor *part =
        rows ? cti_hold(&h, ct_own_narrow(rows, 2, i % columns * width + padding, width - padding))
             : NULL;
    ct_tensor *one = part ? cti_hold(&h, ct_own_select(t, 0, i)) : NULL;
    bool good = one && ct_own_copy_(part, one, false);
    cti_hold_end(&h, NULL);
    return good;
}

static ct_tensor *make_grid(ct_tensor *x, const struct ct_make_grid_args *a)
{
    struct cti_hold h = {0};
    ct_tensor *t = batch_of(&h, x), *grid = NULL;
    if (t && a->normalize) {
        t = cti_hold(&h, ct_own_clone(t, CT_CONTIGUOUS_FORMAT));
        t = t && normalise(t, a) ? t : NULL;
    }
    if (t && (a->nrow < 1 || a->padding < 0))
        t = ct_fail(CT_ERR_VALUE, "make_grid: nrow must be positive and padding not negative");
    if (!t)
        return cti_hold_end(&h, NULL);
    int64_t count = ct_size(t, 0);
    if (count == 1)
        return cti_hold_end(&h, cti_hold(&h, ct_own_squeeze(t, ct_ints_of((int64_t[]){0}, 1))));
    int64_t columns = a->nrow < count ? a->nrow : count;
    int64_t rows = columns > 0 ? ceil_div(count, columns) : 0;
    int64_t height = cti_mul_sat(cti_add_sat(ct_size(t, 2), a->padding), rows);
    int64_t width = cti_mul_sat(cti_add_sat(ct_size(t, 3), a->padding), columns);
    int64_t shape[] = {ct_size(t, 1), cti_add_sat(height, a->padding),
                       cti_add_sat(width, a->padding)};
    grid = cti_hold(&h, ct_own_new_full(t, ct_ints_of(shape, 3), ct_value_float(a->pad_value),
                                        CT_NO_DTYPE, CT_NO_DEVICE, false));
    for (int64_t i = 0; grid && i < count; i++) {
        if (!grid_put(grid, t, i, columns, a->padding))
            grid = NULL;
    }
    return cti_hold_end(&h, grid);
}

ct_tensor *ct_make_grid_ex(ct_tensor *x, const struct ct_make_grid_args *args)
{
    if (!cti_check_pointer(x, "ct_make_grid", "x"))
        return NULL;
    const struct ct_make_grid_args defaults = ct_make_grid_defaults;
    return x ? ct_scoped(make_grid(x, args ? args : &defaults)) : NULL;
}

bool ct_save_image_ex(ct_tensor *x, const char *path, const struct ct_make_grid_args *args)
{
    if (!(cti_check_pointer(x, "ct_save_image", "x") &&
          cti_check_text(path, "ct_save_image", "path")))
        return false;
    const struct ct_make_grid_args defaults = ct_make_grid_defaults;
    struct cti_hold h = {0};
    ct_tensor *grid = cti_hold(&h, make_grid(x, args ? args : &defaults));
    ct_tensor *t = grid ? cti_hold(&h, ct_own_mul(ct_value_tensor(grid), ct_value_int(255))) : NULL;
    bool good = t && ct_own_add_(t, ct_value_float(0.5), ct_value_int(1)) &&
                ct_own_clamp_(t, ct_value_int(0), ct_value_int(255));
    ct_tensor *bytes = good ? cti_hold(&h, ct_own_to_dtype(t, CT_UINT8)) : NULL;
    good = bytes && cti_image_write(bytes, path);
    cti_hold_end(&h, NULL);
    return good;
}
