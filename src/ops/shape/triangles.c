/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements tril, triu and the functions that return the indices of triangles; declared in
 * diagonals.toml.
 *
 * Note [Masks along diagonals]: whether an element (i, j) is kept depends only on j - i. So the
 * mask of a matrix is a vector with one value per diagonal, viewed with strides (-1, 1). Kept
 * elements have all mask bits set, which makes a triangle one bitwise "and" over the elements'
 * bits. */
#include "fronts.h"
#include "ops/front.h"
#include "ops/index/index.h"
#include "ops/pointwise/pointwise.h"

static int64_t clip(int64_t x, int64_t most)
{
    return x < 0 ? 0 : x > most ? most : x;
}

/* Sets all bits, or none, in part of a vector. */
static bool fill_part(ct_tensor *vector, int64_t from, int64_t to, bool set)
{
    int64_t n = to - from;
    if (n == 0)
        return true;
    ct_tensor *part = cti_view(vector, 1, &n, &(int64_t){1}, from);
    bool good = part && cti_fill(part, ct_value_int(-set));
    ct_release(part);
    return good;
}

/* Makes the mask of the lower or upper triangle of a non-empty matrix, in an integer dtype. */
static ct_tensor *triangle_mask(int64_t rows, int64_t columns, int64_t diagonal, bool lower,
                                enum ct_dtype dtype, struct ct_device device)
{
    int64_t n, shape[2] = {rows, columns}, stride[2] = {-1, 1};
    if (__builtin_add_overflow(rows, columns - 1, &n))
        return cti_shape_fail(2, shape, NULL);
    ct_tensor *vector = cti_empty(1, &n, dtype, device), *mask = NULL;
    /* vector[d] is diagonal d - (rows - 1) */
    int64_t limit = diagonal > columns ? columns : diagonal < -rows ? -rows : diagonal;
    int64_t cut = clip(cti_add_sat(limit, rows - !lower), n);
    if (vector && fill_part(vector, 0, cut, lower) && fill_part(vector, cut, n, !lower))
        mask = cti_view(vector, 2, shape, stride, rows - 1);
    ct_release(vector);
    return mask;
}

static bool check_matrix(const ct_tensor *input, bool lower)
{
    return input->ndim >= 2 ||
           cti_refuse(CT_ERR_RUNTIME, "%s: input tensor must have at least 2 dimensions",
                      lower ? "tril" : "triu");
}

/* Returns the integer dtype as wide as an element, or half as wide for complex128. */
static enum ct_dtype bits_of(const ct_tensor *t)
{
    switch (cti_itemsize(t->dtype)) {
    case 1:
        return CT_INT8;
    case 2:
        return CT_INT16;
    case 4:
        return CT_INT32;
    default:
        return CT_INT64;
    }
}

/* t's elements as integers; a complex128 is two, in a new last dim. The caller owns the result. */
static ct_tensor *as_bits(ct_tensor *t)
{
    if (t->dtype != CT_COMPLEX128)
        return cti_op_view_dtype(t, bits_of(t));
    ct_tensor *pairs = cti_view_as_real(t),
              *bits = pairs ? cti_op_view_dtype(pairs, CT_INT64) : NULL;
    ct_release(pairs);
    return bits;
}

/* result = input inside the triangle, 0 outside; same shape and dtype, result without flags. */
static bool cut_triangle(ct_tensor *result, ct_tensor *input, int64_t diagonal, bool lower)
{
    int n = input->ndim;
    if (input->numel == 0)
        return true;
    ct_tensor *mask = triangle_mask(input->shape[n - 2], input->shape[n - 1], diagonal, lower,
                                    bits_of(input), input->storage->device);
    ct_tensor *from = mask ? cti_resolve(input) : NULL, *bits = from ? as_bits(from) : NULL;
    ct_tensor *to = bits ? as_bits(result) : NULL, *expanded = NULL;
    if (to)
        expanded = bits->ndim > n ? cti_view_unsqueeze(mask, 2) : ct_retain(mask);
    /* Not the `_out` form, which would bump the version: the caller does that. */
    const ct_value operand[] = {V(bits), expanded ? V(expanded) : ct_value_none()};
    bool good = expanded && cti_pointwise(CTI_ROW_BITWISE_AND, to, operand, 2) != NULL;
    cti_release_all(mask, from, bits, to, expanded);
    return good;
}

ct_tensor *cti_op_triangle(ct_tensor *input, int64_t diagonal, bool lower)
{
    if (!check_matrix(input, lower))
        return NULL;
    ct_tensor *result = cti_empty(input->ndim, input->shape, input->dtype, input->storage->device);
    return cti_take_new_if(result, result && cut_triangle(result, input, diagonal, lower));
}

bool cti_op_triangle_(ct_tensor *self, int64_t diagonal, bool lower)
{
    if (!check_matrix(self, lower) || !cti_shape_check_writable(self))
        return false;
    if (!(self->flags & (CTI_CONJ | CTI_NEG)))
        return cut_triangle(self, self, diagonal, lower);
    return cti_write_result(self, cti_op_triangle(self, diagonal, lower));
}

/* ---- indices ---- */

static bool triangle_check_indices(int64_t row, int64_t col, enum ct_dtype dtype, bool lower)
{
    if (row < 0 || col < 0)
        return cti_refuse(CT_ERR_RUNTIME, "%s must be non-negative, got%lld",
                          row < 0 ? "row" : "col", (long long)(row < 0 ? row : col));
    if (dtype != CT_INT64 && dtype != CT_INT32)
        return cti_refuse(CT_ERR_NOT_IMPLEMENTED, "\"%s_indices\" not implemented for '%s'",
                          lower ? "tril" : "triu", cti_dtype_scalar_name(dtype));
    return true;
}

/* Counts the elements on or below a diagonal: the rows that it crosses form a trapezoid, and the
 * rows below are full. */
static int64_t lower_count(int64_t row, int64_t col, int64_t offset)
{
    int64_t first = offset > 0 ? (col < 1 + offset ? col : 1 + offset) : row + offset > 0;
    int64_t last = row + offset < col ? row + offset : col;
    int64_t rows = row + offset < row ? row + offset : row;
    last = last > 0 ? last : 0;
    rows = rows > 0 ? rows : 0;
    int64_t crossed = last - first + 1;
    return (first + last) * crossed / 2 + (rows > crossed ? (rows - crossed) * col : 0);
}

/* The row and column indices of the triangle: [2, count]. */
ct_tensor *cti_op_triangle_indices(int64_t row, int64_t col, int64_t offset, enum ct_dtype dtype,
                                   struct ct_device device, bool requires_grad, bool lower)
{
    dtype = dtype == CT_NO_DTYPE ? CT_INT64 : dtype;
    if (device.type == CT_NO_DEVICE_TYPE)
        device = ct_get_default_device();
    if (!triangle_check_indices(row, col, dtype, lower))
        return NULL;
    if (requires_grad)
        return ct_fail(CT_ERR_RUNTIME,
                       "Only Tensors of floating point and complex dtype can require gradients");
    if (row == 0 || col == 0)
        return cti_empty(2, (int64_t[]){2, 0}, dtype, device);
    if (device.type == CT_META) {
        int64_t count =
            lower ? lower_count(row, col, offset) : row * col - lower_count(row, col, offset - 1);
        return cti_empty(2, (int64_t[]){2, count}, dtype, device);
    }
    ct_tensor *mask = triangle_mask(row, col, offset, lower, CT_INT8, device);
    ct_tensor *positions = ct_own_nonzero(mask), *result = NULL;
    if (positions && positions->shape[0] == 0)
        result = cti_empty(2, (int64_t[]){2, 0}, dtype, device);
    else if (positions && cti_op_transpose_(positions, 0, 1))
        result = cti_cast(positions, dtype);
    cti_release_all(mask, positions);
    return result;
}
